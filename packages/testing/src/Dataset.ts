/**
 * The data of the embedded service when it starts: items, people, lists and a forum, in the service's own words.
 *
 * Records have the members of replies, which a reply can leave out and a stored record cannot.
 *
 * @since 0.2.0
 */
import type { AnimeRecord, MangaRecord } from "./internal/service/items.js"
import type * as Records from "./internal/service/records.js"
import type { Always, Sometimes, Whole } from "./internal/service/stored.js"

export type { AnimeRecord, MangaRecord }

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

/** A board below another one. */
interface Subboard extends Whole<Records.Subboard> {}

/** A board of the forum and the boards below it. */
export interface BoardRecord extends Whole<Records.Board> {
  readonly subboards: ReadonlyArray<Subboard>
}

/** A post of a topic. */
interface Post extends Always<Records.Post, "id" | "created_at" | "body" | "signature"> {
  /** The id of a user. */
  readonly created_by: number
}

/** An answer of a poll. */
interface PollOption extends Whole<Records.PollOption> {}

/** The poll of a topic. */
interface Poll extends Whole<Records.Poll> {
  readonly options: ReadonlyArray<PollOption>
}

/** Boards under a title. */
interface Category {
  readonly title: string
  readonly boards: ReadonlyArray<BoardRecord>
}

/** A topic with its posts, oldest first. `created_by` is the id of a user. */
export interface TopicRecord extends Always<Records.TopicSummary, "id" | "title" | "created_at" | "is_locked"> {
  readonly board_id: number
  readonly subboard_id?: number
  readonly created_by: number
  readonly posts: ReadonlyArray<Post>
  readonly poll?: Poll
}

/** All data of a service when it starts. */
export interface Dataset {
  readonly anime: ReadonlyArray<AnimeRecord>
  readonly manga: ReadonlyArray<MangaRecord>
  readonly users: ReadonlyArray<UserRecord>
  readonly categories: ReadonlyArray<Category>
  readonly topics: ReadonlyArray<TopicRecord>
}
