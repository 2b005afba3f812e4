/**
 * The data of an embedded catalog service when it starts: items, people, lists and a forum, in the service's own words.
 *
 * @since 0.1.0
 */

/** A name with its id: a genre, a studio, a magazine. */
export interface Named {
  readonly id: number
  readonly name: string
}

/** A relation from an item to another item of either kind. */
export interface Relation {
  readonly kind: "anime" | "manga"
  readonly id: number
  readonly relation_type: string
}

/** A recommendation ("who liked this also liked"), with the number of people who made it. */
export interface Recommendation {
  readonly id: number
  readonly num_recommendations: number
}

interface Item {
  readonly id: number
  readonly title: string
  readonly main_picture?: { readonly medium: string; readonly large?: string }
  readonly alternative_titles?: {
    readonly synonyms?: ReadonlyArray<string>
    readonly en?: string
    readonly ja?: string
  }
  /** ISO 8601, possibly partial. */
  readonly start_date?: string
  readonly end_date?: string
  readonly synopsis?: string
  readonly mean?: number
  readonly rank?: number
  readonly popularity?: number
  readonly num_list_users: number
  readonly num_scoring_users: number
  readonly num_favorites: number
  readonly nsfw: "white" | "gray" | "black"
  readonly genres: ReadonlyArray<Named>
  readonly media_type: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly background?: string
  readonly related: ReadonlyArray<Relation>
  readonly recommendations: ReadonlyArray<Recommendation>
}

/** An anime as the service stores it. */
export interface AnimeRecord extends Item {
  readonly num_episodes: number
  readonly start_season?: { readonly year: number; readonly season: "winter" | "spring" | "summer" | "fall" }
  readonly broadcast?: { readonly day_of_the_week: string; readonly start_time?: string }
  readonly source?: string
  /** Seconds. */
  readonly average_episode_duration?: number
  readonly rating?: string
  readonly studios: ReadonlyArray<Named>
  readonly opening_themes?: ReadonlyArray<{ readonly id: number; readonly text: string }>
  readonly ending_themes?: ReadonlyArray<{ readonly id: number; readonly text: string }>
  /** Trailers and other clips; their times are seconds since 1970. */
  readonly videos?: ReadonlyArray<{
    readonly id: number
    readonly title: string
    readonly url: string
    readonly thumbnail: string
    readonly created_at: number
    readonly updated_at: number
  }>
}

/** A manga as the service stores it. */
export interface MangaRecord extends Item {
  readonly num_volumes: number
  readonly num_chapters: number
  readonly authors: ReadonlyArray<{
    readonly id: number
    readonly first_name: string
    readonly last_name: string
    readonly role: string
  }>
  readonly serialization: ReadonlyArray<Named>
}

/** An anime on a user's list. */
export interface AnimeListRecord {
  readonly id: number
  readonly status: string
  readonly score: number
  readonly num_episodes_watched: number
  readonly is_rewatching: boolean
  readonly num_times_rewatched: number
  readonly rewatch_value: number
  readonly priority: number
  readonly tags: ReadonlyArray<string>
  readonly comments: string
  readonly start_date?: string
  readonly finish_date?: string
  readonly updated_at: string
}

/** A manga on a user's list. */
export interface MangaListRecord {
  readonly id: number
  readonly status: string
  readonly score: number
  readonly num_chapters_read: number
  readonly num_volumes_read: number
  readonly is_rereading: boolean
  readonly num_times_reread: number
  readonly reread_value: number
  readonly priority: number
  readonly tags: ReadonlyArray<string>
  readonly comments: string
  readonly start_date?: string
  readonly finish_date?: string
  readonly updated_at: string
}

/** A user. A private list is a 403 for all other users. */
export interface UserRecord {
  readonly id: number
  readonly name: string
  readonly location: string
  readonly joined_at: string
  readonly picture?: string
  readonly gender?: string
  readonly birthday?: string
  readonly time_zone?: string
  readonly is_supporter?: boolean
  readonly private?: boolean
  readonly animeList: ReadonlyArray<AnimeListRecord>
  readonly mangaList: ReadonlyArray<MangaListRecord>
}

/** A board of the forum and the boards below it. */
export interface BoardRecord {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly subboards: ReadonlyArray<{ readonly id: number; readonly title: string }>
}

/** A topic with its posts, oldest first. `created_by` is the id of a user. */
export interface TopicRecord {
  readonly id: number
  readonly board_id: number
  readonly subboard_id?: number
  readonly title: string
  readonly created_at: string
  readonly created_by: number
  readonly is_locked: boolean
  readonly posts: ReadonlyArray<{
    readonly id: number
    readonly created_at: string
    readonly created_by: number
    /** HTML. */
    readonly body: string
    /** BBCode. */
    readonly signature: string
  }>
  readonly poll?: {
    readonly id: number
    readonly question: string
    readonly closed: boolean
    readonly options: ReadonlyArray<{ readonly id: number; readonly text: string; readonly votes: number }>
  }
}

/** All data of a service when it starts. */
export interface Dataset {
  readonly anime: ReadonlyArray<AnimeRecord>
  readonly manga: ReadonlyArray<MangaRecord>
  readonly users: ReadonlyArray<UserRecord>
  readonly categories: ReadonlyArray<{ readonly title: string; readonly boards: ReadonlyArray<BoardRecord> }>
  readonly topics: ReadonlyArray<TopicRecord>
}
