/**
 * Anime and manga, and the records that belong to them.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { AlternativeTitles, AnimeSeason, Broadcast, Genre, Picture, Studio } from "./Common.js"
import { AnimeListStatus, MangaListStatus } from "./ListStatus.js"
import {
  optionalList,
  optionalNumber,
  optional,
  record,
  requiredNumber,
  requiredString,
  optionalString,
  union
} from "../internal/model/schema.js"
import {
  AnimeMediaType,
  AnimeStatus,
  MangaMediaType,
  MangaStatus,
  Nsfw,
  Rating,
  RelationType,
  Source
} from "./Enumeration.js"

const count = /*#__PURE__*/ (() => optional(union(requiredString, requiredNumber)))()

/** How many people have an anime on their lists, by status. The live service sends the counts as strings of digits. */
export const AnimeStatusCounts = /*#__PURE__*/ record("AnimeStatusCounts", {
  /** How many users are watching it. */
  watching: count,
  /** How many users have completed it. */
  completed: count,
  /** How many users have paused it. */
  on_hold: count,
  /** How many users have dropped it. */
  dropped: count,
  /** How many users plan to watch it. */
  plan_to_watch: count
})
export interface AnimeStatusCounts extends Schema.Schema.Type<typeof AnimeStatusCounts> {}

/** How many people have an anime on their lists. */
export const AnimeStatistics = /*#__PURE__*/ record("AnimeStatistics", {
  /** How many users have it on their lists. */
  num_list_users: optionalNumber,
  /** How many users have it in each status. */
  status: /*#__PURE__*/ optional<AnimeStatusCounts>(AnimeStatusCounts)
})
export interface AnimeStatistics extends Schema.Schema.Type<typeof AnimeStatistics> {}

/** A song that opens or closes an anime. */
export const Theme = /*#__PURE__*/ record("Theme", {
  /** The theme's ID. */
  id: optionalNumber,
  /** The anime's ID. */
  anime_id: optionalNumber,
  /** Title and artist, as one string. */
  text: optionalString
})
export interface Theme extends Schema.Schema.Type<typeof Theme> {}

/** A trailer or another clip. */
export const Video = /*#__PURE__*/ record("Video", {
  /** The video's ID. */
  id: optionalNumber,
  /** The video's title. */
  title: optionalString,
  /** URL of the video. */
  url: optionalString,
  /** URL of a still. */
  thumbnail: optionalString,
  /** Milliseconds since 1970. (We have seen only one reply with videos.) */
  created_at: optionalNumber,
  /** Milliseconds since 1970, like `created_at`. */
  updated_at: optionalNumber
})
export interface Video extends Schema.Schema.Type<typeof Video> {}

/** A person's name. Request its parts to get them: `authors{first_name,last_name}`. */
export const Person = /*#__PURE__*/ record("Person", {
  /** The person's ID. */
  id: optionalNumber,
  /** The given name. */
  first_name: optionalString,
  /** The family name. */
  last_name: optionalString
})
export interface Person extends Schema.Schema.Type<typeof Person> {}

/** A person who made a manga. */
export const Author = /*#__PURE__*/ record("Author", {
  /** The person. */
  node: /*#__PURE__*/ optional<Person>(Person),
  /** For example `Story & Art`. */
  role: optionalString
})
export interface Author extends Schema.Schema.Type<typeof Author> {}

/** A magazine. */
export const Magazine = /*#__PURE__*/ record("Magazine", {
  /** The magazine's ID. */
  id: optionalNumber,
  /** The magazine's name. */
  name: optionalString
})
export interface Magazine extends Schema.Schema.Type<typeof Magazine> {}

/** A magazine that a manga appeared in. */
export const Serialization = /*#__PURE__*/ record("Serialization", {
  /** The magazine. */
  node: /*#__PURE__*/ optional<Magazine>(Magazine),
  /** What the magazine was for the manga. */
  role: optionalString
})
export interface Serialization extends Schema.Schema.Type<typeof Serialization> {}

const item = /*#__PURE__*/ (() => ({
  /** Its ID. Anime and manga are numbered separately: there is an anime 1 and a manga 1. */
  id: requiredNumber,
  /** The canonical title. */
  title: requiredString,
  /** The cover, in two sizes. */
  main_picture: /*#__PURE__*/ optional<Picture>(Picture),
  /** Other titles, also in English and Japanese. */
  alternative_titles: /*#__PURE__*/ optional<AlternativeTitles>(AlternativeTitles),
  /** When it began: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  start_date: optionalString,
  /** When it ended: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  end_date: optionalString,
  /** A summary of the plot. */
  synopsis: optionalString,
  /** The average score, out of 10, for example `8.3`. */
  mean: optionalNumber,
  /** The rank by score; 1 is the best. */
  rank: optionalNumber,
  /** The rank by number of users; 1 is the most popular. */
  popularity: optionalNumber,
  /** How many users have it on their lists. */
  num_list_users: optionalNumber,
  /** How many users have scored it. */
  num_scoring_users: optionalNumber,
  /** How many users have it among their favorites. */
  num_favorites: optionalNumber,
  /** Whether it is safe for work: `white` is, `gray` might not be, `black` is not. */
  nsfw: /*#__PURE__*/ optional<Nsfw>(Nsfw),
  /** Genres and themes. */
  genres: /*#__PURE__*/ optionalList<Genre>(Genre),
  /** When it was added, for example `2015-03-02T06:03:11+00:00`. */
  created_at: optionalString,
  /** When it was last changed, for example `2022-04-10T04:26:13+00:00`. */
  updated_at: optionalString
}))()

const animeNode = /*#__PURE__*/ (() => ({
  ...item,
  /** The media type. */
  media_type: /*#__PURE__*/ optional<AnimeMediaType>(AnimeMediaType),
  /** Whether it is airing. */
  status: /*#__PURE__*/ optional<AnimeStatus>(AnimeStatus),
  /** How many episodes it has; 0 means unknown. */
  num_episodes: optionalNumber,
  /** The season in which it began. */
  start_season: /*#__PURE__*/ optional<AnimeSeason>(AnimeSeason),
  /** When it is broadcast, in Japan time (JST). */
  broadcast: /*#__PURE__*/ optional<Broadcast>(Broadcast),
  /** The source material. */
  source: /*#__PURE__*/ optional<Source>(Source),
  /** How long an episode is, in seconds, for example `1440`. */
  average_episode_duration: optionalNumber,
  /**
   * The age rating: `g` for all ages, `pg` for children, `pg_13` from 13, `r` from 17 (violence, profanity), `r+` for mild
   * nudity, `rx` for adults (hentai).
   */
  rating: /*#__PURE__*/ optional<Rating>(Rating),
  /** The studios that made the anime. */
  studios: /*#__PURE__*/ optionalList<Studio>(Studio),
  /** The user's own entry, if there is one. Needs an access token. */
  my_list_status: /*#__PURE__*/ optional<AnimeListStatus>(AnimeListStatus),
  /** The opening songs. */
  opening_themes: /*#__PURE__*/ optionalList<Theme>(Theme),
  /** The ending songs. */
  ending_themes: /*#__PURE__*/ optionalList<Theme>(Theme),
  /** Trailers and other clips. */
  videos: /*#__PURE__*/ optionalList<Video>(Video)
}))()

/** An anime in lists, relations and recommendations, without the properties that only `anime.get` returns. */
export interface AnimeNode extends Schema.Struct.Type<typeof animeNode> {}
export const AnimeNode: Schema.Schema<AnimeNode> = /*#__PURE__*/ record("AnimeNode", animeNode)

const mangaNode = /*#__PURE__*/ (() => ({
  ...item,
  /** The media type. */
  media_type: /*#__PURE__*/ optional<MangaMediaType>(MangaMediaType),
  /** Whether it is being published. */
  status: /*#__PURE__*/ optional<MangaStatus>(MangaStatus),
  /** How many volumes it has; 0 means unknown. */
  num_volumes: optionalNumber,
  /** How many chapters it has; 0 means unknown. */
  num_chapters: optionalNumber,
  /** The people who made the manga. */
  authors: /*#__PURE__*/ optionalList<Author>(Author),
  /** The user's own entry, if there is one. Needs an access token. */
  my_list_status: /*#__PURE__*/ optional<MangaListStatus>(MangaListStatus)
}))()

/** A manga in lists, relations and recommendations, without the properties that only `manga.get` returns. */
export interface MangaNode extends Schema.Struct.Type<typeof mangaNode> {}
export const MangaNode: Schema.Schema<MangaNode> = /*#__PURE__*/ record("MangaNode", mangaNode)

const relation = /*#__PURE__*/ (() => ({
  /** How it is related. */
  relation_type: /*#__PURE__*/ optional<RelationType>(RelationType),
  /** The type for people to read, for example `Side story`. */
  relation_type_formatted: optionalString
}))()

const relatedAnime = /*#__PURE__*/ (() => ({
  /** The related anime. */
  node: /*#__PURE__*/ optional<AnimeNode>(AnimeNode),
  ...relation
}))()

/** A related anime, for example a sequel. */
export interface RelatedAnime extends Schema.Struct.Type<typeof relatedAnime> {}
export const RelatedAnime: Schema.Schema<RelatedAnime> = /*#__PURE__*/ record("RelatedAnime", relatedAnime)

const relatedManga = /*#__PURE__*/ (() => ({
  /** The related manga. */
  node: /*#__PURE__*/ optional<MangaNode>(MangaNode),
  ...relation
}))()

/** A related manga, for example the one that an anime was adapted from. */
export interface RelatedManga extends Schema.Struct.Type<typeof relatedManga> {}
export const RelatedManga: Schema.Schema<RelatedManga> = /*#__PURE__*/ record("RelatedManga", relatedManga)

const animeRecommendation = /*#__PURE__*/ (() => ({
  /** The recommended anime. */
  node: /*#__PURE__*/ optional<AnimeNode>(AnimeNode),
  /** How many people recommended it. */
  num_recommendations: optionalNumber
}))()

/** An anime recommended to people who liked another one. */
export interface AnimeRecommendation extends Schema.Struct.Type<typeof animeRecommendation> {}
export const AnimeRecommendation: Schema.Schema<AnimeRecommendation> = /*#__PURE__*/ record(
  "AnimeRecommendation",
  animeRecommendation
)

const mangaRecommendation = /*#__PURE__*/ (() => ({
  /** The recommended manga. */
  node: /*#__PURE__*/ optional<MangaNode>(MangaNode),
  /** How many people recommended it. */
  num_recommendations: optionalNumber
}))()

/** A manga recommended to people who liked another one. */
export interface MangaRecommendation extends Schema.Struct.Type<typeof mangaRecommendation> {}
export const MangaRecommendation: Schema.Schema<MangaRecommendation> = /*#__PURE__*/ record(
  "MangaRecommendation",
  mangaRecommendation
)

/** Members that the service sends only for a single title. */
const details = /*#__PURE__*/ (() => ({
  /** More pictures. Only with `get`. */
  pictures: /*#__PURE__*/ optionalList<Picture>(Picture),
  /** Background information, as text. Only with `get`. */
  background: optionalString,
  /** Sequels and other related anime. Only with `get`. */
  related_anime: /*#__PURE__*/ optionalList<RelatedAnime>(RelatedAnime),
  /** Related manga. Only with `get`. */
  related_manga: /*#__PURE__*/ optionalList<RelatedManga>(RelatedManga)
}))()

const anime = /*#__PURE__*/ (() => ({
  ...animeNode,
  ...details,
  /** What its viewers recommend. Only with `get`. */
  recommendations: /*#__PURE__*/ optionalList<AnimeRecommendation>(AnimeRecommendation),
  /** How many users have it on their lists. Only with `get`. */
  statistics: /*#__PURE__*/ optional<AnimeStatistics>(AnimeStatistics)
}))()

/** An anime: `id`, `title`, and what you requested, if the service has it. */
export interface Anime extends Schema.Struct.Type<typeof anime> {}
export const Anime: Schema.Schema<Anime> = /*#__PURE__*/ record("Anime", anime)

const manga = /*#__PURE__*/ (() => ({
  ...mangaNode,
  ...details,
  /** What its readers recommend. Only with `get`. */
  recommendations: /*#__PURE__*/ optionalList<MangaRecommendation>(MangaRecommendation),
  /** The magazines that it appeared in. Only with `get`. */
  serialization: /*#__PURE__*/ optionalList<Serialization>(Serialization)
}))()

/** A manga: `id`, `title`, and what you requested, if the service has it. */
export interface Manga extends Schema.Struct.Type<typeof manga> {}
export const Manga: Schema.Schema<Manga> = /*#__PURE__*/ record("Manga", manga)
