/**
 * The records of the service, for its declaration: what no reply lacks is required, every other member may be missing or null,
 * and every word is one of an open set.
 *
 * A record is an interface and a Schema of that interface, so that declarations have its name instead of its members.
 * `../Dataset.ts` derives from these interfaces what the service stores.
 */
import * as Schema from "effect/Schema"
import { animeListStatuses, mangaListStatuses } from "./listStatuses.js"
import {
  date,
  decimal,
  flag,
  integer,
  list,
  named,
  optional,
  requiredInteger,
  requiredList,
  requiredText,
  text,
  time,
  url,
  words
} from "./recordTypes.js"

const picture = { medium: url, large: url }
export interface Picture extends Schema.Struct.Type<typeof picture> {}
const Picture: Schema.Schema<Picture> = named("Picture", picture)

const alternativeTitles = { synonyms: list(Schema.String), en: text, ja: text }
export interface AlternativeTitles extends Schema.Struct.Type<typeof alternativeTitles> {}
const AlternativeTitles: Schema.Schema<AlternativeTitles> = named("AlternativeTitles", alternativeTitles)

const withName = { id: integer, name: text }
export interface Named extends Schema.Struct.Type<typeof withName> {}
const Named: Schema.Schema<Named> = named("Named", withName)

const theme = { id: integer, anime_id: integer, text }
export interface Theme extends Schema.Struct.Type<typeof theme> {}
const Theme: Schema.Schema<Theme> = named("Theme", theme)

const video = {
  id: integer,
  title: text,
  url,
  thumbnail: url,
  /** Milliseconds since 1970, as in the one recorded reply that has them. */
  created_at: integer,
  /** Milliseconds since 1970. */
  updated_at: integer
}
export interface Video extends Schema.Struct.Type<typeof video> {}
const Video: Schema.Schema<Video> = named("Video", video)

const animeListStatus = {
  status: words(...animeListStatuses),
  score: decimal,
  num_episodes_watched: integer,
  is_rewatching: flag,
  start_date: date,
  finish_date: date,
  priority: integer,
  num_times_rewatched: integer,
  rewatch_value: integer,
  tags: list(Schema.String),
  comments: text,
  updated_at: time
}
export interface AnimeListStatus extends Schema.Struct.Type<typeof animeListStatus> {}
const AnimeListStatus: Schema.Schema<AnimeListStatus> = named("AnimeListStatus", animeListStatus)

const mangaListStatus = {
  status: words(...mangaListStatuses),
  score: decimal,
  num_volumes_read: integer,
  num_chapters_read: integer,
  is_rereading: flag,
  start_date: date,
  finish_date: date,
  priority: integer,
  num_times_reread: integer,
  reread_value: integer,
  tags: list(Schema.String),
  comments: text,
  updated_at: time
}
export interface MangaListStatus extends Schema.Struct.Type<typeof mangaListStatus> {}
const MangaListStatus: Schema.Schema<MangaListStatus> = named("MangaListStatus", mangaListStatus)

const seasons = ["winter", "spring", "summer", "fall"] as const
/** The known words of `season`. */
export type SeasonName = (typeof seasons)[number]

const season = { year: integer, season: words(...seasons) }
export interface Season extends Schema.Struct.Type<typeof season> {}
export const Season: Schema.Schema<Season> = named("Season", season)

const neighbour = { id: requiredInteger, title: requiredText, main_picture: optional(Picture) }
/** A related item: a separate record, with the members that every item has. */
interface Neighbour extends Schema.Struct.Type<typeof neighbour> {}
const Neighbour: Schema.Schema<Neighbour> = named("Neighbour", neighbour)

const related = {
  node: optional(Neighbour),
  relation_type: words("sequel", "prequel", "side_story", "adaptation", "other"),
  relation_type_formatted: text
}
export interface Related extends Schema.Struct.Type<typeof related> {}
const Related: Schema.Schema<Related> = named("Related", related)

const recommended = { node: optional(Neighbour), num_recommendations: integer }
export interface Recommended extends Schema.Struct.Type<typeof recommended> {}
const Recommended: Schema.Schema<Recommended> = named("Recommended", recommended)

const nsfw = ["white", "gray", "black"] as const
/** The known words of `nsfw`. */
export type Nsfw = (typeof nsfw)[number]

const item = {
  id: requiredInteger,
  title: requiredText,
  main_picture: optional(Picture),
  alternative_titles: optional(AlternativeTitles),
  /** ISO 8601, possibly partial. */
  start_date: date,
  /** ISO 8601, possibly partial. */
  end_date: date,
  synopsis: text,
  mean: decimal,
  rank: integer,
  popularity: integer,
  num_list_users: integer,
  num_scoring_users: integer,
  num_favorites: integer,
  nsfw: words(...nsfw),
  genres: list(Named),
  created_at: time,
  updated_at: time,
  pictures: list(Picture),
  background: text,
  related_anime: list(Related),
  related_manga: list(Related),
  recommendations: list(Recommended)
}

const broadcast = { day_of_the_week: words("monday", "saturday", "other"), start_time: words("18:30") }
export interface Broadcast extends Schema.Struct.Type<typeof broadcast> {}
const Broadcast: Schema.Schema<Broadcast> = named("Broadcast", broadcast)

const statusCounts = { watching: text, completed: text, on_hold: text, dropped: text, plan_to_watch: text }
interface StatusCounts extends Schema.Struct.Type<typeof statusCounts> {}
const StatusCounts: Schema.Schema<StatusCounts> = named("StatusCounts", statusCounts)

const statistics = { num_list_users: integer, status: optional(StatusCounts) }
interface Statistics extends Schema.Struct.Type<typeof statistics> {}
const Statistics: Schema.Schema<Statistics> = named("Statistics", statistics)

const anime = {
  ...item,
  my_list_status: optional(AnimeListStatus),
  media_type: words("tv", "ova", "movie", "special"),
  status: words("finished_airing", "currently_airing", "not_yet_aired"),
  num_episodes: integer,
  start_season: optional(Season),
  broadcast: optional(Broadcast),
  source: words("original", "manga", "light_novel", "game", "other"),
  /** Seconds. */
  average_episode_duration: integer,
  rating: words("g", "pg", "pg_13", "r", "r+", "rx"),
  studios: list(Named),
  statistics: optional(Statistics),
  opening_themes: list(Theme),
  ending_themes: list(Theme),
  /** Trailers and other clips. */
  videos: list(Video)
}
export interface Anime extends Schema.Struct.Type<typeof anime> {}
const Anime: Schema.Schema<Anime> = named("Anime", anime)

const person = { id: integer, first_name: text, last_name: text }
export interface Person extends Schema.Struct.Type<typeof person> {}
export const Person: Schema.Schema<Person> = named("Person", person)

const author = { node: optional(Person), role: text }
export interface Author extends Schema.Struct.Type<typeof author> {}
const Author: Schema.Schema<Author> = named("Author", author)

const serialization = { node: optional(Named), role: text }
interface Serialization extends Schema.Struct.Type<typeof serialization> {}
const Serialization: Schema.Schema<Serialization> = named("Serialization", serialization)

const manga = {
  ...item,
  my_list_status: optional(MangaListStatus),
  media_type: words("manga", "novel", "one_shot", "manhwa"),
  status: words("finished", "currently_publishing", "not_yet_published", "on_hiatus"),
  num_volumes: integer,
  num_chapters: integer,
  authors: list(Author),
  serialization: list(Serialization)
}
export interface Manga extends Schema.Struct.Type<typeof manga> {}
const Manga: Schema.Schema<Manga> = named("Manga", manga)

const paging = { next: url, previous: url }
export interface Paging extends Schema.Struct.Type<typeof paging> {}
const Paging: Schema.Schema<Paging> = named("Paging", paging)

/** A page of entries. */
export interface Page<Entry> {
  readonly data: ReadonlyArray<Entry>
  readonly paging?: Paging | null | undefined
}
export const pageOf = <Entry>(entry: Schema.Schema<Entry>) => ({ data: requiredList(entry), paging: optional(Paging) })
const page = <Entry>(identifier: string, entry: Schema.Schema<Entry>): Schema.Schema<Page<Entry>> =>
  named(identifier, pageOf(entry))

const ranking = { rank: requiredInteger, previous_rank: integer }
export interface Ranking extends Schema.Struct.Type<typeof ranking> {}
const Ranking: Schema.Schema<Ranking> = named("Ranking", ranking)

/** An entry of a search, a season or the suggestions. */
export interface Entry<Item> {
  readonly node: Item
}
export const AnimeEntry: Schema.Schema<Entry<Anime>> = named("AnimeEntry", { node: Anime })
const MangaEntry: Schema.Schema<Entry<Manga>> = named("MangaEntry", { node: Manga })

export interface RankingEntry<Item> extends Entry<Item> {
  readonly ranking: Ranking
}
const rankingEntry = <Item>(identifier: string, item: Schema.Schema<Item>): Schema.Schema<RankingEntry<Item>> =>
  named(identifier, { node: item, ranking: Ranking })

export interface ListEntry<Item, Status> extends Entry<Item> {
  readonly list_status?: Status | null | undefined
}
const listEntry = <Item, Status>(
  identifier: string,
  item: Schema.Schema<Item>,
  status: Schema.Schema<Status>
): Schema.Schema<ListEntry<Item, Status>> => named(identifier, { node: item, list_status: optional(status) })

const AnimePage = page("AnimePage", AnimeEntry)
const MangaPage = page("MangaPage", MangaEntry)
const AnimeRankingPage = page("AnimeRankingPage", rankingEntry("AnimeRankingEntry", Anime))
const MangaRankingPage = page("MangaRankingPage", rankingEntry("MangaRankingEntry", Manga))
const AnimeListPage = page("AnimeListPage", listEntry("AnimeListEntry", Anime, AnimeListStatus))
const MangaListPage = page("MangaListPage", listEntry("MangaListEntry", Manga, MangaListStatus))

const animeStatistics = {
  num_items_watching: integer,
  num_items_completed: integer,
  num_items_on_hold: integer,
  num_items_dropped: integer,
  num_items_plan_to_watch: integer,
  num_items: integer,
  num_days_watched: decimal,
  num_days_watching: decimal,
  num_days_completed: decimal,
  num_days_on_hold: decimal,
  num_days_dropped: decimal,
  num_days: decimal,
  num_episodes: integer,
  num_times_rewatched: integer,
  mean_score: decimal
}
interface AnimeStatistics extends Schema.Struct.Type<typeof animeStatistics> {}
const AnimeStatistics: Schema.Schema<AnimeStatistics> = named("AnimeStatistics", animeStatistics)

const user = {
  id: requiredInteger,
  name: requiredText,
  location: text,
  joined_at: time,
  picture: url,
  gender: text,
  birthday: date,
  time_zone: words("Asia/Tokyo"),
  is_supporter: flag,
  anime_statistics: optional(AnimeStatistics)
}
export interface User extends Schema.Struct.Type<typeof user> {}
const User: Schema.Schema<User> = named("User", user)

const subboard = { id: integer, title: text }
export interface Subboard extends Schema.Struct.Type<typeof subboard> {}
const Subboard: Schema.Schema<Subboard> = named("Subboard", subboard)

const board = { id: integer, title: text, description: text, subboards: list(Subboard) }
export interface Board extends Schema.Struct.Type<typeof board> {}
const Board: Schema.Schema<Board> = named("Board", board)

const category = { title: text, boards: list(Board) }
export interface Category extends Schema.Struct.Type<typeof category> {}
const Category: Schema.Schema<Category> = named("Category", category)

const boards = { categories: requiredList(Category) }
export interface Boards extends Schema.Struct.Type<typeof boards> {}
const Boards: Schema.Schema<Boards> = named("Boards", boards)

const topicSummary = {
  id: integer,
  title: text,
  created_at: time,
  created_by: optional(Named),
  number_of_posts: integer,
  last_post_created_at: time,
  last_post_created_by: optional(Named),
  is_locked: flag
}
export interface TopicSummary extends Schema.Struct.Type<typeof topicSummary> {}
const TopicSummary: Schema.Schema<TopicSummary> = named("TopicSummary", topicSummary)

const TopicsPage = page("TopicsPage", TopicSummary)

const poster = { id: integer, name: text, forum_avator: text, forum_title: text }
export interface Poster extends Schema.Struct.Type<typeof poster> {}
const Poster: Schema.Schema<Poster> = named("Poster", poster)

const post = {
  id: integer,
  number: integer,
  created_at: time,
  created_by: optional(Poster),
  /** BBCode, with line breaks and entities of HTML. */
  body: text,
  /** BBCode. */
  signature: text
}
export interface Post extends Schema.Struct.Type<typeof post> {}
const Post: Schema.Schema<Post> = named("Post", post)

const pollOption = { id: integer, text, votes: integer }
export interface PollOption extends Schema.Struct.Type<typeof pollOption> {}
const PollOption: Schema.Schema<PollOption> = named("PollOption", pollOption)

const poll = { id: integer, question: text, closed: flag, options: list(PollOption) }
export interface Poll extends Schema.Struct.Type<typeof poll> {}
const Poll: Schema.Schema<Poll> = named("Poll", poll)

const pollOfList = { id: integer, question: text, close: flag, options: list(PollOption) }
interface PollOfList extends Schema.Struct.Type<typeof pollOfList> {}
const PollOfList: Schema.Schema<PollOfList> = named("PollOfList", pollOfList)

const topic = { title: text, posts: requiredList(Post), poll: optional(Schema.Union(Poll, Schema.Array(PollOfList))) }
interface Topic extends Schema.Struct.Type<typeof topic> {}
const Topic: Schema.Schema<Topic> = named("Topic", topic)

const topicPage = { data: Topic, paging: optional(Paging) }
export interface TopicPage extends Schema.Struct.Type<typeof topicPage> {}
const TopicPage: Schema.Schema<TopicPage> = named("TopicPage", topicPage)

/** The records of replies that several endpoints have, by their names. */
export const replies = {
  Anime,
  AnimePage,
  AnimeRankingPage,
  AnimeListStatus,
  AnimeListPage,
  Manga,
  MangaPage,
  MangaRankingPage,
  MangaListStatus,
  MangaListPage,
  User,
  Boards,
  TopicsPage,
  TopicPage,
  /** The reply to a deletion. */
  Nothing: Schema.Array(Schema.Unknown)
}
