/** Responses about the forum. */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Either from "effect/Either"
import type { TopicRecord } from "../Dataset.js"
import { endpoint, handled, input, oneOfWords, paged, path, query } from "./endpoint.js"
import { idOf, last, oneOf, type Query, whole, type Works } from "./inputs.js"
import { id } from "./jsonType.js"
import { ascending, descending, inOrder } from "./kind.js"
import { type Limits, type Page, pageOf } from "./paging.js"
import * as Records from "./records.js"
import { notFound, type Refusal } from "./response.js"
import { type Call, pageRequest } from "./service.js"
import type { Store } from "./store.js"

type Result<A> = Either.Either<A, Refusal>

const limits: Limits = { usual: 100, max: 100 }

const boards = ({ service }: Call): Result<unknown> => Either.right({ categories: service.store.categories })

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

type TopicsInputs = Works & Query<"board_id" | "subboard_id" | "q" | "topic_user_name" | "user_name" | "sort">

/** The name of an unknown user matches no topic. */
const authorOf = (store: Store, name: string | undefined): number | undefined =>
  name === undefined ? undefined : (store.accountNamed(name)?.record.id ?? -1)

const topics = (inputs: TopicsInputs, call: Call): Result<Page> =>
  Either.gen(function* () {
    const { store } = call.service
    const board = yield* whole(inputs.board_id, "board_id", undefined)
    const subboard = yield* whole(inputs.subboard_id, "subboard_id", undefined)
    const order = yield* oneOf(inputs.sort, "sort", sorts, recent)
    const words = (last(inputs.q) ?? "").trim().toLowerCase()
    const opener = authorOf(store, last(inputs.topic_user_name))
    const writer = authorOf(store, last(inputs.user_name))
    const found = store.topicOrders.get(JSON.stringify([board, subboard, words, opener, writer]), () =>
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
    return yield* pageOf(found, pageRequest(call, inputs, limits, true), (topic) => summary(store, topic))
  })

const showPoll = (poll: TopicRecord["poll"], form: "object" | "array"): unknown => {
  if (poll === undefined || form === "object") {
    return poll
  }
  const { closed, id, options, question } = poll
  return [{ id, question, close: closed, options }]
}

const topic = (id: string, inputs: Works, call: Call): Result<unknown> =>
  Either.gen(function* () {
    const { poll, store } = call.service
    const found = store.topicById.get(idOf(id) ?? -1)
    if (found === undefined) {
      return yield* Either.left(notFound())
    }
    const { data: posts, paging } = yield* pageOf(
      found.posts,
      pageRequest(call, inputs, limits, true),
      (post, index) => ({
        id: post.id,
        number: index + 1,
        created_at: post.created_at,
        created_by: {
          id: post.created_by,
          name: nameOf(store, post.created_by),
          // Spelled this way in replies.
          forum_avator: store.user(post.created_by)?.picture ?? ""
        },
        body: post.body,
        signature: post.signature
      })
    )
    const shownPoll = showPoll(found.poll, poll)
    return {
      data: { title: found.title, posts, ...(shownPoll === undefined ? {} : { poll: shownPoll }) },
      ...(paging === undefined ? {} : { paging })
    }
  })

export const ForumGroup = HttpApiGroup.make("forum")
  .annotate(OpenApi.Description, "Boards, topics and posts.")
  .add(handled(endpoint("boards", "GET", "/forum/boards", "public", Records.Boards), boards))
  .add(
    handled(
      endpoint("topics", "GET", "/forum/topics", "public", Records.TopicsPage).setUrlParams(
        query({
          board_id: input("Only topics of this board.", id),
          subboard_id: input("Only topics of this subboard.", id),
          q: input("A part of the title."),
          topic_user_name: input("Only topics that this user opened."),
          user_name: input("Only topics in which this user wrote a post."),
          sort: oneOfWords("The order.", sorts.keys()),
          ...paged(limits)
        })
      ),
      (call, { urlParams }) => topics(urlParams, call)
    )
  )
  .add(
    handled(
      endpoint("topic", "GET", "/forum/topic/:topic_id", "public", Records.TopicPage)
        .setPath(path({ topic_id: id }))
        .setUrlParams(query(paged(limits))),
      (call, { path, urlParams }) => topic(path.topic_id, urlParams, call)
    )
  )
