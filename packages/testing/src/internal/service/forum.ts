/** The endpoints of the forum. */
import type { TopicRecord } from "../../Dataset.js"
import type { Quirks } from "../../Quirks.js"
import { endpoint, input, oneOfWords, pageInputs } from "./endpoint.js"
import { idOf, oneOf, whole } from "./requestInputs.js"
import { id } from "./jsonType.js"
import { ascending, descending, inOrder } from "./kind.js"
import { type Limits, type Page, pageOf } from "./paging.js"
import { notFound } from "./response.js"
import type { GrantedRequest } from "./service.js"
import type { Store } from "./store.js"

const limits: Limits = { default: 100, max: 100, previous: true }

const nameOf = (store: Store, id: number): string => store.user(id)?.name ?? ""

const lastPost = (topic: TopicRecord): { readonly created_at: string; readonly created_by: number } =>
  topic.posts.at(-1) ?? topic

const summary = (store: Store, topic: TopicRecord): unknown => {
  const newest = lastPost(topic)
  return {
    id: topic.id,
    title: topic.title,
    created_at: topic.created_at,
    created_by: { id: topic.created_by, name: nameOf(store, topic.created_by) },
    number_of_posts: topic.posts.length,
    last_post_created_at: newest.created_at,
    last_post_created_by: { id: newest.created_by, name: nameOf(store, newest.created_by) },
    is_locked: topic.is_locked
  }
}

const recent = inOrder(
  descending((topic: TopicRecord) => Date.parse(lastPost(topic).created_at)),
  ascending((topic: TopicRecord) => topic.id)
)

const sorts = new Map([["recent", recent]])

type TopicsInputs = "limit" | "offset" | "board_id" | "subboard_id" | "q" | "topic_user_name" | "user_name" | "sort"

/** The name of an unknown user matches no topic. */
const authorOf = (store: Store, name: string | undefined): number | undefined =>
  name === undefined ? undefined : (store.accountNamed(name)?.record.id ?? -1)

const topics = (request: GrantedRequest<TopicsInputs>): Page => {
  const { query } = request
  const { store } = request.service
  const board = whole(query.board_id, "board_id", undefined)
  const subboard = whole(query.subboard_id, "subboard_id", undefined)
  const order = oneOf(query.sort, "sort", sorts, recent)
  const words = (query.q ?? "").trim().toLowerCase()
  const opener = authorOf(store, query.topic_user_name)
  const writer = authorOf(store, query.user_name)
  const topics = store.topicOrders.get(JSON.stringify([board, subboard, words, opener, writer]), () =>
    store.topics
      .filter(
        (topic) =>
          (board === undefined || topic.board_id === board) &&
          (subboard === undefined || topic.subboard_id === subboard) &&
          topic.title.toLowerCase().includes(words) &&
          (opener === undefined || topic.created_by === opener) &&
          (writer === undefined || topic.posts.some((post) => post.created_by === writer))
      )
      .sort(order)
  )
  return pageOf(request, limits, topics, (topic) => summary(store, topic))
}

/** The poll of a topic. Without one, the live service returns null; the reference does not say. */
const showPoll = (poll: TopicRecord["poll"], form: Quirks["poll"]): unknown => {
  if (form !== "array") {
    return poll ?? null
  }
  if (poll === undefined) {
    return undefined
  }
  const { closed, id, options, question } = poll
  return [{ id, question, close: closed, options }]
}

const topic = (request: GrantedRequest<"limit" | "offset", "topic_id">): unknown => {
  const { quirks, store } = request.service
  const topic = store.topicById.get(idOf(request.params.topic_id) ?? -1)
  if (topic === undefined) {
    throw notFound()
  }
  const { data: posts, paging } = pageOf(request, limits, topic.posts, (post, index) => ({
    id: post.id,
    number: index + 1,
    created_at: post.created_at,
    created_by: {
      id: post.created_by,
      name: nameOf(store, post.created_by),
      // The service spells it this way.
      forum_avator: store.user(post.created_by)?.picture ?? "",
      forum_title: store.user(post.created_by)?.forum_title ?? ""
    },
    body: post.body,
    signature: post.signature
  }))
  return {
    data: { title: topic.title, posts, poll: showPoll(topic.poll, quirks.poll) },
    paging
  }
}

export const forumEndpoints = {
  boards: endpoint({
    method: "GET",
    path: "/forum/boards",
    access: "public",
    reply: "Boards",
    handle: ({ service }) => ({ categories: service.store.categories })
  }),
  topics: endpoint({
    method: "GET",
    path: "/forum/topics",
    access: "public",
    query: {
      board_id: input("Only topics of this board.", id),
      subboard_id: input("Only topics of this subboard.", id),
      q: input("A part of the title."),
      topic_user_name: input("Only topics that this user opened."),
      user_name: input("Only topics in which this user wrote a post."),
      sort: oneOfWords("The order.", sorts.keys()),
      ...pageInputs(limits)
    },
    reply: "TopicsPage",
    handle: topics
  }),
  topic: endpoint({
    method: "GET",
    path: "/forum/topic/:topic_id",
    access: "public",
    params: { topic_id: id },
    query: pageInputs(limits),
    reply: "TopicPage",
    handle: topic
  })
}
