/**
 * What tools return, as the Schemas that agents read. They are not made from those of the client, because an agent would pay
 * for their descriptions.
 */
import type {
  AnimeListStatus,
  ForumBoard,
  ForumSubboard,
  ForumTopicSummary,
  MangaListStatus,
  User,
  UserAnimeStatistics
} from "@catalog-client/core/models"
import { Schema } from "effect"
import { maybe } from "./tool.js"

const text = maybe(Schema.String)
const number = maybe(Schema.Number)
const flag = maybe(Schema.Boolean)

/**
 * The members of a record, except those that an agent does not need. If the client's record gains a member, the compiler
 * refuses the Schema until it has the member, too.
 */
type MembersOf<R, Omitted extends keyof R = never> = Record<Exclude<keyof R, Omitted>, unknown>

/** An anime or a manga, as the selectors of the tools leave it. */
export const Row = Schema.Struct({
  id: Schema.Number,
  title: Schema.String,
  media_type: text,
  start_date: text,
  num_episodes: number,
  num_volumes: number,
  num_chapters: number,
  status: text,
  mean: number
})
export type Row = typeof Row.Type

/** An entry of a user's list, of either kind. */
export const ListStatus = Schema.Struct({
  status: text,
  num_episodes_watched: number,
  score: number,
  start_date: text,
  finish_date: text,
  comments: text,
  is_rewatching: flag,
  num_times_rewatched: number,
  rewatch_value: number,
  priority: number,
  tags: maybe(Schema.Array(Schema.String)),
  num_chapters_read: number,
  num_volumes_read: number,
  is_rereading: flag,
  num_times_reread: number,
  reread_value: number
} satisfies MembersOf<AnimeListStatus & MangaListStatus, "updated_at">)
export type ListStatus = typeof ListStatus.Type

const named = maybe(Schema.Array(Schema.Struct({ name: text })))

const related = maybe(Schema.Array(Schema.Struct({ relation_type: text, node: maybe(Row.pick("id", "title")) })))

/** One anime or manga. */
export const Item = Schema.Struct({
  ...Row.fields,
  rank: number,
  genres: named,
  studios: named,
  my_list_status: maybe(ListStatus, "The entry on the user's list."),
  related_anime: related,
  related_manga: related,
  synopsis: text
})
export type Item = typeof Item.Type

/** Rows of one page. */
export const Page = <A, I>(row: Schema.Schema<A, I>) =>
  Schema.Struct({
    rows: Schema.Array(row),
    more: Schema.Boolean,
    next_offset: maybe(Schema.Number, "The offset to continue with.")
  })

/** A page of a reply. */
export const pageOf = <A>(rows: ReadonlyArray<A>, { next }: { readonly next?: string | undefined } = {}) => {
  const offset = next !== undefined && URL.canParse(next) ? new URL(next).searchParams.get("offset") : null
  // Only digits are accepted, because the service could write anything here.
  return { rows, more: next !== undefined, ...(/^\d{1,15}$/.test(offset ?? "") && { next_offset: Number(offset) }) }
}

const Statistics = Schema.Struct({
  num_items_watching: number,
  num_items_completed: number,
  num_items_on_hold: number,
  num_items_dropped: number,
  num_items_plan_to_watch: number,
  num_items: number,
  num_days_watched: number,
  num_days_watching: number,
  num_days_completed: number,
  num_days_on_hold: number,
  num_days_dropped: number,
  num_days: number,
  num_episodes: number,
  num_times_rewatched: number,
  mean_score: number
} satisfies MembersOf<UserAnimeStatistics>)

/** The user's own profile. */
export const Profile = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  location: text,
  joined_at: text,
  gender: text,
  birthday: text,
  time_zone: text,
  is_supporter: flag,
  anime_statistics: maybe(Statistics)
} satisfies MembersOf<User, "picture">)

const Subboard = Schema.Struct({ id: number, title: text } satisfies MembersOf<ForumSubboard>)
const Board = Schema.Struct({
  ...Subboard.fields,
  subboards: maybe(Schema.Array(Subboard))
} satisfies MembersOf<ForumBoard, "description">)

export const Boards = Schema.Struct({
  categories: Schema.Array(Schema.Struct({ title: text, boards: maybe(Schema.Array(Board)) }))
})

export const TopicRow = Schema.Struct({
  id: number,
  title: text,
  number_of_posts: number,
  last_post_created_at: text
} satisfies MembersOf<ForumTopicSummary, "created_at" | "created_by" | "is_locked" | "last_post_created_by">)

const Poll = Schema.Struct({
  question: text,
  options: maybe(Schema.Array(Schema.Struct({ text, votes: number })))
})

const Post = Schema.Struct({ number, author: text, created_at: text, text: Schema.String })

/** A page of the posts of one topic. */
export const Topic = Schema.Struct({ title: text, polls: Schema.Array(Poll), ...Page(Post).fields })

/** An entry before and after a write. */
export const Written = Schema.Struct({
  ...Row.pick("id", "title").fields,
  before: maybe(ListStatus, "Missing if it was not on the list."),
  change: maybe(Schema.String, "What a dry run would change."),
  after: maybe(ListStatus, "Missing in a dry run, and if it is not on the list.")
})
export type Written = typeof Written.Type

export const Writes = Schema.Struct({ dry_run: Schema.Boolean, entries: Schema.Array(Written) })
export type Writes = typeof Writes.Type
