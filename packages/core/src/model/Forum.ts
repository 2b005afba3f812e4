/**
 * The public forum: boards, topics and posts.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Paging } from "./Common.js"
import { optional, record } from "./schema.js"

/** Somebody who wrote in the forum. */
export const ForumAuthor = /*#__PURE__*/ record("ForumAuthor", {
  id: optional(Schema.Number),
  name: optional(Schema.String),
  /** URL of a picture; the spelling is the service's. */
  forum_avator: optional(Schema.String)
})
/** {@inheritDoc ForumAuthor} */
export interface ForumAuthor extends Schema.Schema.Type<typeof ForumAuthor> {}

/** A board below a board. */
export const ForumSubboard = /*#__PURE__*/ record("ForumSubboard", {
  id: optional(Schema.Number),
  title: optional(Schema.String)
})
/** {@inheritDoc ForumSubboard} */
export interface ForumSubboard extends Schema.Schema.Type<typeof ForumSubboard> {}

/** A board. */
export const ForumBoard = /*#__PURE__*/ record("ForumBoard", {
  id: optional(Schema.Number),
  title: optional(Schema.String),
  description: optional(Schema.String),
  subboards: optional(Schema.Array(ForumSubboard))
})
/** {@inheritDoc ForumBoard} */
export interface ForumBoard extends Schema.Schema.Type<typeof ForumBoard> {}

/** Boards under one heading. */
export const ForumCategory = /*#__PURE__*/ record("ForumCategory", {
  title: optional(Schema.String),
  boards: optional(Schema.Array(ForumBoard))
})
/** {@inheritDoc ForumCategory} */
export interface ForumCategory extends Schema.Schema.Type<typeof ForumCategory> {}

/** All boards. Contract: Page envelopes, Forum boards response. */
export const ForumBoards = /*#__PURE__*/ record("ForumBoards", { categories: Schema.Array(ForumCategory) })
/** {@inheritDoc ForumBoards} */
export interface ForumBoards extends Schema.Schema.Type<typeof ForumBoards> {}

/** A topic in a list of topics. Contract: Page envelopes, Forum topics response. */
export const ForumTopicSummary = /*#__PURE__*/ record("ForumTopicSummary", {
  id: optional(Schema.Number),
  title: optional(Schema.String),
  /** ISO 8601. */
  created_at: optional(Schema.String),
  created_by: optional(ForumAuthor),
  number_of_posts: optional(Schema.Number),
  /** ISO 8601. */
  last_post_created_at: optional(Schema.String),
  last_post_created_by: optional(ForumAuthor),
  is_locked: optional(Schema.Boolean)
})
/** {@inheritDoc ForumTopicSummary} */
export interface ForumTopicSummary extends Schema.Schema.Type<typeof ForumTopicSummary> {}

/** A page of topics. */
export const ForumTopicsPage = /*#__PURE__*/ record("ForumTopicsPage", {
  data: Schema.Array(ForumTopicSummary),
  paging: optional(Paging)
})
/** {@inheritDoc ForumTopicsPage} */
export interface ForumTopicsPage extends Schema.Schema.Type<typeof ForumTopicsPage> {}

/** One post of a topic. */
export const ForumPost = /*#__PURE__*/ record("ForumPost", {
  id: optional(Schema.Number),
  /** The place in the topic, from 1. */
  number: optional(Schema.Number),
  /** ISO 8601. */
  created_at: optional(Schema.String),
  created_by: optional(ForumAuthor),
  /** HTML. */
  body: optional(Schema.String),
  /** BBCode. */
  signature: optional(Schema.String)
})
/** {@inheritDoc ForumPost} */
export interface ForumPost extends Schema.Schema.Type<typeof ForumPost> {}

/** One answer that a poll offers. */
export const ForumPollOption = /*#__PURE__*/ record("ForumPollOption", {
  id: optional(Schema.Number),
  text: optional(Schema.String),
  votes: optional(Schema.Number)
})
/** {@inheritDoc ForumPollOption} */
export interface ForumPollOption extends Schema.Schema.Type<typeof ForumPollOption> {}

/** A poll. Whether it is over is called `closed` live and `close` in the service's reference. */
export const ForumPoll = /*#__PURE__*/ record("ForumPoll", {
  id: optional(Schema.Number),
  question: optional(Schema.String),
  closed: optional(Schema.Boolean),
  close: optional(Schema.Boolean),
  options: optional(Schema.Array(ForumPollOption))
})
/** {@inheritDoc ForumPoll} */
export interface ForumPoll extends Schema.Schema.Type<typeof ForumPoll> {}

/** A topic with a page of its posts. The poll is an object live and an array in the service's reference. */
export const ForumTopicDetail = /*#__PURE__*/ record("ForumTopicDetail", {
  title: optional(Schema.String),
  posts: Schema.Array(ForumPost),
  poll: optional(Schema.Union(ForumPoll, Schema.Array(ForumPoll)))
})
/** {@inheritDoc ForumTopicDetail} */
export interface ForumTopicDetail extends Schema.Schema.Type<typeof ForumTopicDetail> {}

/** One topic; `paging` is over its posts. Contract: Page envelopes, Forum topic response. */
export const ForumTopicPage = /*#__PURE__*/ record("ForumTopicPage", {
  data: ForumTopicDetail,
  paging: optional(Paging)
})
/** {@inheritDoc ForumTopicPage} */
export interface ForumTopicPage extends Schema.Schema.Type<typeof ForumTopicPage> {}
