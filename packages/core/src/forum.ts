/**
 * The operations on the forum as separate exports: a bundle contains only what it imports.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import type { CallOptions, EffectFace, Face, Paged, Reply } from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import * as Input from "./internal/declaration/inputs.js"
import { paged } from "./internal/lists/streams.js"
import { Paging } from "./model/Common.js"
import { TopicSort } from "./model/Enumeration.js"
import {
  array,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optional,
  record,
  optionalString,
  union
} from "./internal/model/schema.js"
import type { Kinds, ParamsOf } from "./internal/schemas/inputSchemas.js"

/** A user who wrote in the forum. */
export const ForumAuthor = /*#__PURE__*/ record("ForumAuthor", {
  /** The user's ID. */
  id: optionalNumber,
  /** The user's name. */
  name: optionalString,
  /** URL of a picture; the spelling is the service's. */
  forum_avator: optionalString,
  /** The user's title in the forum, in a post; `""` if there is none. */
  forum_title: optionalString
})
export interface ForumAuthor extends Schema.Schema.Type<typeof ForumAuthor> {}

/** A board below another board. */
export const ForumSubboard = /*#__PURE__*/ record("ForumSubboard", {
  /** The board's ID, which `forum.topics` takes as `subboardId`. */
  id: optionalNumber,
  /** The board's title. */
  title: optionalString
})
export interface ForumSubboard extends Schema.Schema.Type<typeof ForumSubboard> {}

/** A board. */
export const ForumBoard = /*#__PURE__*/ record("ForumBoard", {
  /** The board's ID, which `forum.topics` takes as `boardId`. */
  id: optionalNumber,
  /** The board's title. */
  title: optionalString,
  /** What the board is for. */
  description: optionalString,
  /** The boards below it. */
  subboards: /*#__PURE__*/ optionalList<ForumSubboard>(ForumSubboard)
})
export interface ForumBoard extends Schema.Schema.Type<typeof ForumBoard> {}

/** Boards under one heading. */
export const ForumCategory = /*#__PURE__*/ record("ForumCategory", {
  /** The heading. */
  title: optionalString,
  /** The boards under the heading. */
  boards: /*#__PURE__*/ optionalList<ForumBoard>(ForumBoard)
})
export interface ForumCategory extends Schema.Schema.Type<typeof ForumCategory> {}

/** All boards. */
export const ForumBoards = /*#__PURE__*/ record("ForumBoards", {
  categories: /*#__PURE__*/ array(ForumCategory)
})
export interface ForumBoards extends Schema.Schema.Type<typeof ForumBoards> {
  /** The boards, by heading. */
  readonly categories: ReadonlyArray<ForumCategory>
}

/** A topic in a list of topics. */
export const ForumTopicSummary = /*#__PURE__*/ record("ForumTopicSummary", {
  /** The topic's ID, which `forum.topic` takes. */
  id: optionalNumber,
  /** The topic's title. */
  title: optionalString,
  /** For example `2026-02-14T23:10:00+00:00`. */
  created_at: optionalString,
  /** Who began the topic. */
  created_by: /*#__PURE__*/ optional<ForumAuthor>(ForumAuthor),
  /** How many posts the topic has. */
  number_of_posts: optionalNumber,
  /** For example `2026-02-14T23:10:00+00:00`. */
  last_post_created_at: optionalString,
  /** Who wrote the last post. */
  last_post_created_by: /*#__PURE__*/ optional<ForumAuthor>(ForumAuthor),
  /** Whether the topic takes no new posts. */
  is_locked: optionalBoolean
})
export interface ForumTopicSummary extends Schema.Schema.Type<typeof ForumTopicSummary> {}

/** A page of topics. */
export const ForumTopicsPage = /*#__PURE__*/ record("ForumTopicsPage", {
  data: /*#__PURE__*/ array(ForumTopicSummary),
  /** Links to other pages. */
  paging: /*#__PURE__*/ optional<Paging>(Paging)
})
export interface ForumTopicsPage extends Schema.Schema.Type<typeof ForumTopicsPage> {
  /** The topics of this page. */
  readonly data: ReadonlyArray<ForumTopicSummary>
}

/** One post of a topic. */
export const ForumPost = /*#__PURE__*/ record("ForumPost", {
  /** The post's ID. */
  id: optionalNumber,
  /** The place in the topic, from 1. */
  number: optionalNumber,
  /** For example `2026-02-14T23:10:00+00:00`. */
  created_at: optionalString,
  /** Who wrote the post. */
  created_by: /*#__PURE__*/ optional<ForumAuthor>(ForumAuthor),
  /**
   * BBCode, with `<br />` and HTML entities such as `&quot;`. Other users wrote it, so never put it into a page
   * unchanged.
   */
  body: optionalString,
  /** BBCode. */
  signature: optionalString
})
export interface ForumPost extends Schema.Schema.Type<typeof ForumPost> {}

/** One answer that a poll offers. */
export const ForumPollOption = /*#__PURE__*/ record("ForumPollOption", {
  /** The answer's ID. */
  id: optionalNumber,
  /** The answer. */
  text: optionalString,
  /** How many users chose it. */
  votes: optionalNumber
})
export interface ForumPollOption extends Schema.Schema.Type<typeof ForumPollOption> {}

/**
 * A poll. The live service says with `closed` whether it is over; the service's reference calls that member `close`.
 */
export const ForumPoll = /*#__PURE__*/ record("ForumPoll", {
  /** The poll's ID. */
  id: optionalNumber,
  /** What the poll asks. */
  question: optionalString,
  /** Whether the poll is over. */
  closed: optionalBoolean,
  /** The same as `closed`, under the name in the service's reference. */
  close: optionalBoolean,
  /** The answers that the poll offers. */
  options: /*#__PURE__*/ optionalList<ForumPollOption>(ForumPollOption)
})
export interface ForumPoll extends Schema.Schema.Type<typeof ForumPoll> {}

/**
 * A topic with a page of its posts. The live service sends the poll as an object; the service's reference has an array.
 */
export const ForumTopicDetail = /*#__PURE__*/ record("ForumTopicDetail", {
  /** The topic's title. */
  title: optionalString,
  posts: /*#__PURE__*/ array(ForumPost),
  /** The topic's poll, if it has one. */
  poll: /*#__PURE__*/ optional<ForumPoll | ReadonlyArray<ForumPoll>>(
    /*#__PURE__*/ union(ForumPoll, /*#__PURE__*/ array(ForumPoll))
  )
})
export interface ForumTopicDetail extends Schema.Schema.Type<typeof ForumTopicDetail> {
  /** The posts of this page. */
  readonly posts: ReadonlyArray<ForumPost>
}

/** One topic; `paging` leads through its posts. */
export const ForumTopicPage = /*#__PURE__*/ record("ForumTopicPage", {
  data: ForumTopicDetail,
  /** Links to other pages of posts. */
  paging: /*#__PURE__*/ optional<Paging>(Paging)
})
export interface ForumTopicPage extends Schema.Schema.Type<typeof ForumTopicPage> {
  /** The topic, with the posts of this page. */
  readonly data: ForumTopicDetail
}

/** Parameters of `forum.topics`. The live service needs a board or `q`, and responds with 504 after a while otherwise. */
export interface TopicsParams extends ParamsOf<typeof topicsParams> {}
export const topicsParams = (kinds: Kinds) => ({
  /** Only topics of this board. */
  boardId: kinds.optional(kinds.id),
  /** Only topics of this subboard. */
  subboardId: kinds.optional(kinds.id),
  /** A keyword in the title. */
  q: kinds.optional(kinds.keyword),
  /** The name of the user who began the topic. */
  topicUserName: kinds.optional(kinds.username),
  /** The name of a user who wrote in the topic. */
  userName: kinds.optional(kinds.username),
  /** The order, for example `recent`. */
  sort: kinds.optional(kinds.word<TopicSort>(TopicSort)),
  /** Topics per page: 1 to 100, by default 100. */
  limit: kinds.limit(100),
  /** Topics to skip: 0 by default. */
  offset: kinds.offset
})

/** Parameters of `forum.topic`. */
export interface TopicParams extends ParamsOf<typeof topicParams> {}
export const topicParams = (kinds: Kinds) => ({
  /** The topic's ID. */
  id: kinds.id,
  /** Posts per page: 1 to 100, by default 100. */
  limit: kinds.limit(100),
  /** Posts to skip: 0 by default. */
  offset: kinds.offset
})

/** The operations on the forum, on any face. */
export interface ForumOperations<F extends Face> {
  /**
   * Reads all boards, by category.
   *
   * Fails with `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const boards = Catalog.forum.boards()
   * ```
   */
  readonly boards: (options?: CallOptions) => Reply<F, ForumBoards>

  /**
   * Reads one page of topics. Pass a board or `q`; without them, the live service times out.
   *
   * Fails with `ClientRestError` (504: neither a board nor `q` was passed; the embedded service responds with it only
   * with `quirks: { topicsTimeout: "1 second" }`) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const news = Catalog.forum.topics({ boardId: 1, sort: "recent", limit: 20 })
   * ```
   */
  readonly topics: Paged<F, TopicsParams, ForumTopicsPage, ForumTopicSummary>

  /**
   * Reads one topic with one page of its posts, and its poll if it has one.
   *
   * Fails with `ClientRestError` (404: there is no such topic) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const posts = Catalog.forum.topic({ id: 2000001 }).pipe(Effect.map((page) => page.data.posts))
   * ```
   */
  readonly topic: Paged<F, TopicParams, ForumTopicPage, ForumPost>
}

type Operations = ForumOperations<EffectFace>

/** Reads all boards: {@link ForumOperations.boards}. */
export const boards: Operations["boards"] = /*#__PURE__*/ operation({
  name: "catalog.forum.boards",
  method: "GET",
  path: "/forum/boards",
  cacheable: true,
  reply: ForumBoards
})

/** Reads topics: {@link ForumOperations.topics}. */
export const topics: Operations["topics"] = /*#__PURE__*/ paged({
  name: "catalog.forum.topics",
  method: "GET",
  path: "/forum/topics",
  inputs: {
    boardId: /*#__PURE__*/ Input.queryOf("a boardId of forum.boards", "board_id"),
    subboardId: /*#__PURE__*/ Input.queryOf("a subboardId of forum.boards", "subboard_id"),
    q: Input.keyword,
    topicUserName: /*#__PURE__*/ Input.queryOf(undefined, "topic_user_name"),
    userName: /*#__PURE__*/ Input.queryOf(undefined, "user_name"),
    sort: Input.query
  },
  limit: { default: 100, maximum: 100 },
  bound: { oneOf: ["boardId", "subboardId", "q"], expected: "boardId, subboardId or q" },
  cacheable: true,
  reply: ForumTopicsPage
})

/** Reads one topic with a page of its posts: {@link ForumOperations.topic}. */
export const topic: Operations["topic"] = /*#__PURE__*/ paged({
  name: "catalog.forum.topic",
  method: "GET",
  path: "/forum/topic/{id}",
  inputs: { id: Input.finiteNumber },
  finds: "topic",
  limit: { default: 100, maximum: 100 },
  cacheable: true,
  reply: ForumTopicPage
})
