/**
 * What operations take. An operation imports only the type from here, and never the Schema, which a page would bundle.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { flag, limit, maybe, number, offset, params, text, texts, word } from "./internal/schemas/described.js"
import * as formats from "./internal/schemas/formats.js"
import { update } from "./internal/schemas/parts.js"
import * as models from "./model/index.js"

const id = /*#__PURE__*/ number(formats.id)
const count = /*#__PURE__*/ maybe(/*#__PURE__*/ number(formats.anyCount))
const keyword = /*#__PURE__*/ text(formats.keyword)
const name = /*#__PURE__*/ text(formats.username)
const year = /*#__PURE__*/ number(formats.year)
const yesOrNo = /*#__PURE__*/ maybe(/*#__PURE__*/ flag())

const anime = /*#__PURE__*/ (() => ({
  /** The anime's id. */
  id
}))()

const manga = /*#__PURE__*/ (() => ({
  /** The manga's id. */
  id
}))()

/** What the updates of both kinds of entries change. */
const change = /*#__PURE__*/ (() => ({
  /** A whole number from 0 to 10. 0 removes the score. */
  score: maybe(number(formats.score)),
  /** Free-form notes; an empty string removes them. */
  comments: maybe(text(formats.prose)),
  /** 0 low, 1 medium, 2 high. */
  priority: maybe(number(formats.priority)),
  /** Tags are joined with commas, so a tag with a comma becomes two. An empty array removes all tags. */
  tags: maybe(texts(formats.word)),
  /** ISO 8601, possibly partial; an empty string removes the date. */
  start_date: maybe(text(formats.writtenDate)),
  /** ISO 8601, possibly partial; an empty string removes the date. */
  finish_date: maybe(text(formats.writtenDate))
}))()

/** Parameters of operations on one anime. */
export const AnimeParams = /*#__PURE__*/ params("AnimeParams", () => anime)
export interface AnimeParams extends Schema.Schema.Type<typeof AnimeParams> {}

/** Parameters of `anime.search` and `manga.search`. */
export const SearchParams = /*#__PURE__*/ params("SearchParams", () => ({
  /** A keyword; not blank. The service takes 3 to 64 characters. */
  q: keyword,
  /** Entries per page: 100 by default, at most 100. */
  limit: limit(100),
  /** Entries to skip: 0 by default. */
  offset
}))
export interface SearchParams extends Schema.Schema.Type<typeof SearchParams> {}

/** Parameters of `anime.seasonal`. */
export const SeasonalParams = /*#__PURE__*/ params("SeasonalParams", () => ({
  /** For example 2017. */
  year,
  /** `winter`, `spring`, `summer` or `fall`. Other values are sent unchanged; the service decides. */
  season: word<models.Season>(models.Season),
  /** Sort order; the service's own by default. With `anime_score` the live service sorts by popularity, as reports say. */
  sort: maybe(word<models.SeasonalSort>(models.SeasonalSort)),
  /** Entries per page: 100 by default, at most 500. Whole lists request 500. */
  limit: limit(500),
  /** Entries to skip: 0 by default. */
  offset
}))
export interface SeasonalParams extends Schema.Schema.Type<typeof SeasonalParams> {}

/** Parameters of `anime.ranking`. */
export const AnimeRankingParams = /*#__PURE__*/ params("AnimeRankingParams", () => ({
  /**
   * What to rank: `all`, `airing`, `upcoming`, `tv`, `ova`, `movie`, `special`, `bypopularity` or `favorite`. Other values are sent unchanged; the service decides.
   */
  rankingType: word<models.AnimeRankingType>(models.AnimeRankingType),
  /** Entries per page: 100 by default, at most 500. Whole lists request 500. */
  limit: limit(500),
  /** Entries to skip: 0 by default. */
  offset
}))
export interface AnimeRankingParams extends Schema.Schema.Type<typeof AnimeRankingParams> {}

/** The type of a member that is not written; an error of the compiler shows what to do. */
interface NotWritten<Instead extends string> {
  readonly "is not written": Instead
}

/** An anime, and the fields to change in its entry on the caller's own list: at least one. */
export const AnimeListUpdateParams = /*#__PURE__*/ update(
  /*#__PURE__*/ params("AnimeListUpdateParams", () => ({
    ...anime,
    /**
     * The status of the anime on the list: `watching`, `completed`, `on_hold`, `dropped` or `plan_to_watch`. Other values are
     * sent unchanged; the service decides.
     */
    status: maybe(word<models.AnimeListStatusValue>(models.AnimeListStatusValue)),
    /** How many episodes were watched. Replies call it `num_episodes_watched`; a write rejects that name. */
    num_watched_episodes: count,
    /** Whether the anime is being watched again. */
    is_rewatching: yesOrNo,
    /** How many times the anime has been rewatched. */
    num_times_rewatched: count,
    /** How much the anime is worth watching again: 0 to 5. */
    rewatch_value: maybe(number(formats.repeatValue)),
    ...change
  }))
)
export interface AnimeListUpdateParams extends Schema.Schema.Type<typeof AnimeListUpdateParams> {
  /** Not sent: a write calls it `num_watched_episodes`. It does not compile, so that an entry that was read loses no progress. */
  readonly num_episodes_watched?: NotWritten<"pass num_watched_episodes"> | undefined
}

/** Parameters of operations on one manga. */
export const MangaParams = /*#__PURE__*/ params("MangaParams", () => manga)
export interface MangaParams extends Schema.Schema.Type<typeof MangaParams> {}

/** Parameters of `manga.ranking`. */
export const MangaRankingParams = /*#__PURE__*/ params("MangaRankingParams", () => ({
  /**
   * What to rank: `all`, `manga`, `novels`, `oneshots`, `doujin`, `manhwa`, `manhua`, `bypopularity` or `favorite`. Other
   * values are sent unchanged; the service decides.
   */
  rankingType: word<models.MangaRankingType>(models.MangaRankingType),
  /** Entries per page: 100 by default, at most 500. Whole lists request 500. */
  limit: limit(500),
  /** Entries to skip: 0 by default. */
  offset
}))
export interface MangaRankingParams extends Schema.Schema.Type<typeof MangaRankingParams> {}

/** A manga, and the fields to change in its entry on the caller's own list: at least one. */
export const MangaListUpdateParams = /*#__PURE__*/ update(
  /*#__PURE__*/ params("MangaListUpdateParams", () => ({
    ...manga,
    /**
     * The status of the manga on the list: `reading`, `completed`, `on_hold`, `dropped` or `plan_to_read`. Other values are
     * sent unchanged; the service decides.
     */
    status: maybe(word<models.MangaListStatusValue>(models.MangaListStatusValue)),
    /** How many chapters were read. */
    num_chapters_read: count,
    /** How many volumes were read. */
    num_volumes_read: count,
    /** Whether the manga is being read again. */
    is_rereading: yesOrNo,
    /** How many times the manga has been reread. */
    num_times_reread: count,
    /** How much the manga is worth reading again: 0 to 5. */
    reread_value: maybe(number(formats.repeatValue)),
    ...change
  }))
)
export interface MangaListUpdateParams extends Schema.Schema.Type<typeof MangaListUpdateParams> {}

/** Parameters of `user.get`. */
export const UserParams = /*#__PURE__*/ params("UserParams", () => ({
  /** `@me`, the owner of the access token: for every other name, the service responds with 404. Not blank. */
  username: name
}))
export interface UserParams extends Schema.Schema.Type<typeof UserParams> {}

/** Whose list it is, and which entries of it. */
const listOwner = /*#__PURE__*/ (() => ({
  /**
   * A user's name, or `@me` for the owner of the access token. Not blank. Any public list can be read. `@me` ignores case
   * and surrounding spaces.
   */
  username: name,
  /** Entries per page: 100 by default, at most 1000. Whole lists request 1000. */
  limit: limit(1000),
  /** Entries to skip: 0 by default. */
  offset
}))()

/** Parameters of `user.animeList`. */
export const AnimeListParams = /*#__PURE__*/ params("AnimeListParams", () => ({
  ...listOwner,
  /** Only entries with this status; entries of every status by default. */
  status: maybe(word<models.AnimeListStatusValue>(models.AnimeListStatusValue)),
  /** Sort order; the service's own by default. */
  sort: maybe(word<models.AnimeListSort>(models.AnimeListSort))
}))
export interface AnimeListParams extends Schema.Schema.Type<typeof AnimeListParams> {}

/** Parameters of `user.mangaList`. */
export const MangaListParams = /*#__PURE__*/ params("MangaListParams", () => ({
  ...listOwner,
  /** Only entries with this status; entries of every status by default. */
  status: maybe(word<models.MangaListStatusValue>(models.MangaListStatusValue)),
  /** Sort order; the service's own by default. */
  sort: maybe(word<models.MangaListSort>(models.MangaListSort))
}))
export interface MangaListParams extends Schema.Schema.Type<typeof MangaListParams> {}

/** Parameters of `forum.topics`. The live service needs a board or `q`, and responds with 504 after a while otherwise. */
export const TopicsParams = /*#__PURE__*/ params("TopicsParams", () => ({
  /** Only topics of this board. */
  boardId: maybe(id),
  /** Only topics of this subboard. */
  subboardId: maybe(id),
  /** A keyword in the title. */
  q: maybe(keyword),
  /** The name of the user who began the topic. */
  topicUserName: maybe(name),
  /** The name of a user who wrote in the topic. */
  userName: maybe(name),
  /** The order, for example `recent`. */
  sort: maybe(word<models.TopicSort>(models.TopicSort)),
  /** Topics per page: 100 by default, at most 100. */
  limit: limit(100),
  /** Topics to skip: 0 by default. */
  offset
}))
export interface TopicsParams extends Schema.Schema.Type<typeof TopicsParams> {}

/** Parameters of `forum.topic`. */
export const TopicParams = /*#__PURE__*/ params("TopicParams", () => ({
  /** The topic's id. */
  id,
  /** Posts per page: 100 by default, at most 100. */
  limit: limit(100),
  /** Posts to skip: 0 by default. */
  offset
}))
export interface TopicParams extends Schema.Schema.Type<typeof TopicParams> {}
