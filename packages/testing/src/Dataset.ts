/**
 * The data of an embedded catalog service when it starts: items, people, lists and a forum, in the service's own words.
 *
 * Records have the members of the replies in `internal/records.ts`, which a reply can leave out and a stored record cannot.
 *
 * @since 0.2.0
 */
import type * as Records from "./internal/records.js"

/** A value of a reply with all of its members, and theirs. */
type Whole<A> =
  A extends ReadonlyArray<infer E> ? ReadonlyArray<Whole<E>> : A extends object ? Always<A, keyof A> : NonNullable<A>

/** Members of a reply that every stored record has. */
type Always<A, Names extends keyof A> = { readonly [Name in keyof Pick<A, Names>]-?: Whole<A[Name]> }

/** Members of a reply that a stored record can lack. */
type Sometimes<A, Names extends keyof A> = { readonly [Name in keyof Pick<A, Names>]?: Whole<A[Name]> }

/** A name with its id: a genre, a studio, a magazine. */
export interface Named extends Whole<Records.Named> {}

/** A relation from an item to another item of either kind. */
export interface Relation extends Always<Records.Related, "relation_type"> {
  readonly kind: "anime" | "manga"
  readonly id: number
}

/** A recommendation ("who liked this also liked"), with the number of people who made it. */
export interface Recommendation extends Always<Records.Recommended, "num_recommendations"> {
  readonly id: number
}

interface Item
  extends
    Always<
      Records.Anime,
      | "id"
      | "title"
      | "num_list_users"
      | "num_scoring_users"
      | "num_favorites"
      | "media_type"
      | "status"
      | "created_at"
      | "updated_at"
    >,
    Sometimes<Records.Anime, "start_date" | "end_date" | "synopsis" | "mean" | "rank" | "popularity" | "background"> {
  readonly main_picture?: Always<Records.Picture, "medium"> & Sometimes<Records.Picture, "large">
  /** What is missing is empty in replies. */
  readonly alternative_titles?: Sometimes<Records.AlternativeTitles, keyof Records.AlternativeTitles>
  readonly nsfw: Records.Nsfw
  readonly genres: ReadonlyArray<Named>
  readonly related: ReadonlyArray<Relation>
  readonly recommendations: ReadonlyArray<Recommendation>
}

/** A song that opens or closes an anime. */
type Song = Always<Records.Theme, "id" | "text">

/** An anime as the service stores it. */
export interface AnimeRecord
  extends
    Item,
    Always<Records.Anime, "num_episodes">,
    Sometimes<Records.Anime, "source" | "average_episode_duration" | "rating" | "videos"> {
  readonly start_season?: Always<Records.Season, "year"> & { readonly season: Records.SeasonName }
  readonly broadcast?: Always<Records.Broadcast, "day_of_the_week"> & Sometimes<Records.Broadcast, "start_time">
  readonly studios: ReadonlyArray<Named>
  readonly opening_themes?: ReadonlyArray<Song>
  readonly ending_themes?: ReadonlyArray<Song>
}

/** A manga as the service stores it. */
export interface MangaRecord extends Item, Always<Records.Manga, "num_volumes" | "num_chapters"> {
  readonly authors: ReadonlyArray<Whole<Records.Person> & Always<Records.Author, "role">>
  readonly serialization: ReadonlyArray<Named>
}

type Dates = "start_date" | "finish_date"

/** An anime on a user's list. */
export interface AnimeListRecord
  extends
    Always<Records.AnimeListStatus, Exclude<keyof Records.AnimeListStatus, Dates>>,
    Sometimes<Records.AnimeListStatus, Dates> {
  readonly id: number
}

/** A manga on a user's list. */
export interface MangaListRecord
  extends
    Always<Records.MangaListStatus, Exclude<keyof Records.MangaListStatus, Dates>>,
    Sometimes<Records.MangaListStatus, Dates> {
  readonly id: number
}

/** A user. A private list is a 403 for all other users. */
export interface UserRecord
  extends
    Always<Records.User, "id" | "name" | "location" | "joined_at">,
    Sometimes<Records.User, "picture" | "gender" | "birthday" | "time_zone" | "is_supporter">,
    Sometimes<Records.Poster, "forum_title"> {
  readonly private?: boolean
  readonly animeList: ReadonlyArray<AnimeListRecord>
  readonly mangaList: ReadonlyArray<MangaListRecord>
}

/** A board of the forum and the boards below it. */
export interface BoardRecord extends Whole<Records.Board> {}

/** A topic with its posts, oldest first. `created_by` is the id of a user. */
export interface TopicRecord extends Always<Records.TopicSummary, "id" | "title" | "created_at" | "is_locked"> {
  readonly board_id: number
  readonly subboard_id?: number
  readonly created_by: number
  readonly posts: ReadonlyArray<
    Always<Records.Post, "id" | "created_at" | "body" | "signature"> & { readonly created_by: number }
  >
  readonly poll?: Whole<Records.Poll>
}

/** All data of a service when it starts. */
export interface Dataset {
  readonly anime: ReadonlyArray<AnimeRecord>
  readonly manga: ReadonlyArray<MangaRecord>
  readonly users: ReadonlyArray<UserRecord>
  readonly categories: ReadonlyArray<{ readonly title: string; readonly boards: ReadonlyArray<BoardRecord> }>
  readonly topics: ReadonlyArray<TopicRecord>
}
