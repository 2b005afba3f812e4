/**
 * The public forum: boards, topics and posts.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { Paging } from "./Common.js"
import { array, flag, list, number, optional, record, text, union } from "../internal/model/schema.js"

/** A user who wrote in the forum. */
export const ForumAuthor = /*#__PURE__*/ record("ForumAuthor", {
  /** The user's id. */
  id: number,
  /** The user's name. */
  name: text,
  /** URL of a picture; the spelling is the service's. */
  forum_avator: text,
  /** What the user is in the forum, in a post; `""` if nothing special. */
  forum_title: text
})
export interface ForumAuthor extends Schema.Schema.Type<typeof ForumAuthor> {}

/** A board below another board. */
export const ForumSubboard = /*#__PURE__*/ record("ForumSubboard", {
  /** The board's id, which `forum.topics` takes as `subboardId`. */
  id: number,
  /** The board's title. */
  title: text
})
export interface ForumSubboard extends Schema.Schema.Type<typeof ForumSubboard> {}

/** A board. */
export const ForumBoard = /*#__PURE__*/ record("ForumBoard", {
  /** The board's id, which `forum.topics` takes as `boardId`. */
  id: number,
  /** The board's title. */
  title: text,
  /** What the board is for. */
  description: text,
  /** The boards below it. */
  subboards: list<ForumSubboard>(ForumSubboard)
})
export interface ForumBoard extends Schema.Schema.Type<typeof ForumBoard> {}

/** Boards under one heading. */
export const ForumCategory = /*#__PURE__*/ record("ForumCategory", {
  /** The heading. */
  title: text,
  /** The boards under the heading. */
  boards: list<ForumBoard>(ForumBoard)
})
export interface ForumCategory extends Schema.Schema.Type<typeof ForumCategory> {}

/** All boards. */
export const ForumBoards = /*#__PURE__*/ record("ForumBoards", {
  /** The boards, by heading. */
  categories: array(ForumCategory)
})
export interface ForumBoards extends Schema.Schema.Type<typeof ForumBoards> {}

/** A topic in a list of topics. */
export const ForumTopicSummary = /*#__PURE__*/ record("ForumTopicSummary", {
  /** The topic's id, which `forum.topic` takes. */
  id: number,
  /** The topic's title. */
  title: text,
  /** ISO 8601. */
  created_at: text,
  /** Who began the topic. */
  created_by: optional<ForumAuthor>(ForumAuthor),
  /** How many posts the topic has. */
  number_of_posts: number,
  /** ISO 8601. */
  last_post_created_at: text,
  /** Who wrote the last post. */
  last_post_created_by: optional<ForumAuthor>(ForumAuthor),
  /** Whether the topic takes no new posts. */
  is_locked: flag
})
export interface ForumTopicSummary extends Schema.Schema.Type<typeof ForumTopicSummary> {}

/** A page of topics. */
export const ForumTopicsPage = /*#__PURE__*/ record("ForumTopicsPage", {
  /** The topics of this page. */
  data: array(ForumTopicSummary),
  /** Links to the pages around this one. A list ends at the page that has no `next`. */
  paging: optional<Paging>(Paging)
})
export interface ForumTopicsPage extends Schema.Schema.Type<typeof ForumTopicsPage> {}

/** One post of a topic. */
export const ForumPost = /*#__PURE__*/ record("ForumPost", {
  /** The post's id. */
  id: number,
  /** The place in the topic, from 1. */
  number: number,
  /** ISO 8601. */
  created_at: text,
  /** Who wrote the post. */
  created_by: optional<ForumAuthor>(ForumAuthor),
  /**
   * BBCode, with `<br />` and entities of HTML such as `&quot;`. Other users wrote it, so never put it into a page
   * unchanged.
   */
  body: text,
  /** BBCode. */
  signature: text
})
export interface ForumPost extends Schema.Schema.Type<typeof ForumPost> {}

/** One answer that a poll offers. */
export const ForumPollOption = /*#__PURE__*/ record("ForumPollOption", {
  /** The answer's id. */
  id: number,
  /** The answer. */
  text,
  /** How many users chose it. */
  votes: number
})
export interface ForumPollOption extends Schema.Schema.Type<typeof ForumPollOption> {}

/**
 * A poll. The live service says with `closed` whether it is over; the service's reference calls that member `close`.
 */
export const ForumPoll = /*#__PURE__*/ record("ForumPoll", {
  /** The poll's id. */
  id: number,
  /** What the poll asks. */
  question: text,
  /** Whether the poll is over. */
  closed: flag,
  /** The same, by its name in the reference of the service. */
  close: flag,
  /** The answers that it offers. */
  options: list<ForumPollOption>(ForumPollOption)
})
export interface ForumPoll extends Schema.Schema.Type<typeof ForumPoll> {}

/**
 * A topic with a page of its posts. The live service sends the poll as an object; the service's reference has an array.
 */
export const ForumTopicDetail = /*#__PURE__*/ record("ForumTopicDetail", {
  /** The topic's title. */
  title: text,
  /** The posts of this page. */
  posts: array(ForumPost),
  /** The topic's poll, if it has one. */
  poll: optional<ForumPoll | ReadonlyArray<ForumPoll>>(union(ForumPoll, array(ForumPoll)))
})
export interface ForumTopicDetail extends Schema.Schema.Type<typeof ForumTopicDetail> {}

/** One topic; `paging` leads through its posts. */
export const ForumTopicPage = /*#__PURE__*/ record("ForumTopicPage", {
  /** The topic, with the posts of this page. */
  data: ForumTopicDetail,
  /** Links to the pages of posts around this one. */
  paging: optional<Paging>(Paging)
})
export interface ForumTopicPage extends Schema.Schema.Type<typeof ForumTopicPage> {}
