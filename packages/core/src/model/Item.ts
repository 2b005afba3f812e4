/**
 * Anime and manga, and what hangs on them. They stand in one module because each can lead to the other.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AlternativeTitles, AnimeSeason, Broadcast, Genre, Picture, Studio } from "./Common.js"
import { AnimeListStatus, MangaListStatus } from "./ListStatus.js"
import { optional, record } from "./schema.js"
import { AnimeMediaType, AnimeStatus, MangaMediaType, MangaStatus, Nsfw, Rating, RelationType, Source } from "./Word.js"

const count = /*#__PURE__*/ (() => optional(Schema.Union(Schema.String, Schema.Number)))()

/** How many people have an anime where on their lists. Live, the counts are strings of digits. */
export const AnimeStatusCounts = /*#__PURE__*/ record("AnimeStatusCounts", {
  watching: count,
  completed: count,
  on_hold: count,
  dropped: count,
  plan_to_watch: count
})
/** {@inheritDoc AnimeStatusCounts} */
export interface AnimeStatusCounts extends Schema.Schema.Type<typeof AnimeStatusCounts> {}

/** How many people have an anime on their lists. */
export const AnimeStatistics = /*#__PURE__*/ record("AnimeStatistics", {
  num_list_users: optional(Schema.Number),
  status: optional(AnimeStatusCounts)
})
/** {@inheritDoc AnimeStatistics} */
export interface AnimeStatistics extends Schema.Schema.Type<typeof AnimeStatistics> {}

/** A song that opens or closes an anime. */
export const Theme = /*#__PURE__*/ record("Theme", {
  id: optional(Schema.Number),
  anime_id: optional(Schema.Number),
  text: optional(Schema.String)
})
/** {@inheritDoc Theme} */
export interface Theme extends Schema.Schema.Type<typeof Theme> {}

/** A trailer or another clip. */
export const Video = /*#__PURE__*/ record("Video", {
  id: optional(Schema.Number),
  title: optional(Schema.String),
  url: optional(Schema.String),
  thumbnail: optional(Schema.String),
  created_at: optional(Schema.Number),
  updated_at: optional(Schema.Number)
})
/** {@inheritDoc Video} */
export interface Video extends Schema.Schema.Type<typeof Video> {}

/** Somebody's name. Its parts are there only when they are selected: `authors{first_name,last_name}`. */
export const Person = /*#__PURE__*/ record("Person", {
  id: optional(Schema.Number),
  first_name: optional(Schema.String),
  last_name: optional(Schema.String)
})
/** {@inheritDoc Person} */
export interface Person extends Schema.Schema.Type<typeof Person> {}

/** Somebody who made a manga. */
export const Author = /*#__PURE__*/ record("Author", {
  node: optional(Person),
  /** For example `Story & Art`. */
  role: optional(Schema.String)
})
/** {@inheritDoc Author} */
export interface Author extends Schema.Schema.Type<typeof Author> {}

/** A magazine. */
export const Magazine = /*#__PURE__*/ record("Magazine", {
  id: optional(Schema.Number),
  name: optional(Schema.String)
})
/** {@inheritDoc Magazine} */
export interface Magazine extends Schema.Schema.Type<typeof Magazine> {}

/** A magazine that a manga appeared in. */
export const Serialization = /*#__PURE__*/ record("Serialization", {
  node: optional(Magazine),
  role: optional(Schema.String)
})
/** {@inheritDoc Serialization} */
export interface Serialization extends Schema.Schema.Type<typeof Serialization> {}

interface Relation {
  readonly relation_type?: RelationType
  readonly relation_type_formatted?: string
}

const relation = /*#__PURE__*/ (() => ({
  relation_type: optional(RelationType),
  relation_type_formatted: optional(Schema.String)
}))()

/** An anime that belongs to an item, for example its sequel. */
export interface RelatedAnime extends Relation {
  readonly node?: Anime
}
/** {@inheritDoc RelatedAnime} */
export const RelatedAnime: Schema.Schema<RelatedAnime> = /*#__PURE__*/ record("RelatedAnime", {
  node: optional(Schema.suspend((): Schema.Schema<Anime> => Anime)),
  ...relation
})

/** A manga that belongs to an item, for example what it was adapted from. */
export interface RelatedManga extends Relation {
  readonly node?: Manga
}
/** {@inheritDoc RelatedManga} */
export const RelatedManga: Schema.Schema<RelatedManga> = /*#__PURE__*/ record("RelatedManga", {
  node: optional(Schema.suspend((): Schema.Schema<Manga> => Manga)),
  ...relation
})

/** An anime that people recommend to those who liked another one. */
export interface AnimeRecommendation {
  readonly node?: Anime
  /** How many people recommended it. */
  readonly num_recommendations?: number
}
/** {@inheritDoc AnimeRecommendation} */
export const AnimeRecommendation: Schema.Schema<AnimeRecommendation> = /*#__PURE__*/ record("AnimeRecommendation", {
  node: optional(Schema.suspend((): Schema.Schema<Anime> => Anime)),
  num_recommendations: optional(Schema.Number)
})

/** A manga that people recommend to those who liked another one. */
export interface MangaRecommendation {
  readonly node?: Manga
  /** How many people recommended it. */
  readonly num_recommendations?: number
}
/** {@inheritDoc MangaRecommendation} */
export const MangaRecommendation: Schema.Schema<MangaRecommendation> = /*#__PURE__*/ record("MangaRecommendation", {
  node: optional(Schema.suspend((): Schema.Schema<Manga> => Manga)),
  num_recommendations: optional(Schema.Number)
})

const item = /*#__PURE__*/ (() => ({
  id: Schema.Number,
  /** The canonical title. */
  title: Schema.String,
  main_picture: optional(Picture),
  alternative_titles: optional(AlternativeTitles),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  start_date: optional(Schema.String),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  end_date: optional(Schema.String),
  synopsis: optional(Schema.String),
  /** The average score, out of 10. */
  mean: optional(Schema.Number),
  /** The place by score, from 1. */
  rank: optional(Schema.Number),
  /** The place by number of users, from 1. */
  popularity: optional(Schema.Number),
  num_list_users: optional(Schema.Number),
  num_scoring_users: optional(Schema.Number),
  num_favorites: optional(Schema.Number),
  nsfw: optional(Nsfw),
  genres: optional(Schema.Array(Genre)),
  /** ISO 8601. */
  created_at: optional(Schema.String),
  /** ISO 8601. */
  updated_at: optional(Schema.String),
  /** Only when one item is read. */
  pictures: optional(Schema.Array(Picture)),
  /** Only when one item is read. */
  background: optional(Schema.String)
}))()

interface Related {
  /** Only when one item is read. */
  readonly related_anime?: ReadonlyArray<RelatedAnime>
  /** Only when one item is read. */
  readonly related_manga?: ReadonlyArray<RelatedManga>
}

const related = /*#__PURE__*/ (() => ({
  related_anime: optional(Schema.Array(RelatedAnime)),
  related_manga: optional(Schema.Array(RelatedManga))
}))()

const anime = /*#__PURE__*/ (() => ({
  ...item,
  media_type: optional(AnimeMediaType),
  status: optional(AnimeStatus),
  /** 0 means that it is not known. */
  num_episodes: optional(Schema.Number),
  start_season: optional(AnimeSeason),
  broadcast: optional(Broadcast),
  source: optional(Source),
  /** Seconds. */
  average_episode_duration: optional(Schema.Number),
  rating: optional(Rating),
  studios: optional(Schema.Array(Studio)),
  /** The caller's own entry; needs an access token. */
  my_list_status: optional(AnimeListStatus),
  /** Only when one item is read. */
  statistics: optional(AnimeStatistics),
  opening_themes: optional(Schema.Array(Theme)),
  ending_themes: optional(Schema.Array(Theme)),
  videos: optional(Schema.Array(Video))
}))()

/**
 * An anime: `id` and `title` always, every other member when it was requested and the service has it.
 * Contract: Resources, Anime.
 */
export interface Anime extends Schema.Struct.Type<typeof anime>, Related {
  /** Only when one item is read. */
  readonly recommendations?: ReadonlyArray<AnimeRecommendation>
}
/** {@inheritDoc Anime} */
export const Anime: Schema.Schema<Anime> = /*#__PURE__*/ record("Anime", {
  ...anime,
  ...related,
  recommendations: optional(Schema.Array(AnimeRecommendation))
})

const manga = /*#__PURE__*/ (() => ({
  ...item,
  media_type: optional(MangaMediaType),
  status: optional(MangaStatus),
  /** 0 means that it is not known. */
  num_volumes: optional(Schema.Number),
  /** 0 means that it is not known. */
  num_chapters: optional(Schema.Number),
  authors: optional(Schema.Array(Author)),
  /** The caller's own entry; needs an access token. */
  my_list_status: optional(MangaListStatus),
  /** Only when one item is read. */
  serialization: optional(Schema.Array(Serialization))
}))()

/**
 * A manga: `id` and `title` always, every other member when it was requested and the service has it.
 * Contract: Resources, Manga.
 */
export interface Manga extends Schema.Struct.Type<typeof manga>, Related {
  /** Only when one item is read. */
  readonly recommendations?: ReadonlyArray<MangaRecommendation>
}
/** {@inheritDoc Manga} */
export const Manga: Schema.Schema<Manga> = /*#__PURE__*/ record("Manga", {
  ...manga,
  ...related,
  recommendations: optional(Schema.Array(MangaRecommendation))
})
