/**
 * The operations on the forum as separate exports: a bundle contains only what it imports.
 *
 * @since 0.2.0
 */
import type { CallOptions, EffectFace, Face, Paged, Reply } from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import { idOrYear, keyword, query, queryOf } from "./internal/declaration/inputs.js"
import { paged } from "./internal/lists/streams.js"
import { ForumBoards, type ForumPost, ForumTopicPage, type ForumTopicSummary, ForumTopicsPage } from "./model/Forum.js"
import type { TopicParams, TopicsParams } from "./params.js"

export type { TopicParams, TopicsParams }

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
   * Reads one page of topics. Pass a board or `q`: live, a call without them times out.
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
    boardId: /*#__PURE__*/ queryOf("a boardId of forum.boards", "board_id"),
    subboardId: /*#__PURE__*/ queryOf("a subboardId of forum.boards", "subboard_id"),
    q: keyword,
    topicUserName: /*#__PURE__*/ queryOf(undefined, "topic_user_name"),
    userName: /*#__PURE__*/ queryOf(undefined, "user_name"),
    sort: query
  },
  limit: { default: 100, maximum: 100 },
  bound: { oneOf: ["boardId", "subboardId", "q"], expected: "boardId or q" },
  cacheable: true,
  reply: ForumTopicsPage
})

/** Reads one topic with a page of its posts: {@link ForumOperations.topic}. */
export const topic: Operations["topic"] = /*#__PURE__*/ paged({
  name: "catalog.forum.topic",
  method: "GET",
  path: "/forum/topic/{id}",
  inputs: { id: idOrYear },
  finds: "topic",
  limit: { default: 100, maximum: 100 },
  cacheable: true,
  reply: ForumTopicPage
})
