// The forum: boards, the topics of a board, the posts of a topic.
import type { ForumBoards, ForumPoll, ForumPost, ForumTopicSummary } from "@catalog-client/core"
import { reactive } from "vue"
import { makeLatest } from "../explore.js"
import type { Session } from "../session.js"

const topicsShown = 10
const postsShown = 5

/** The text of a post, which is HTML of other users: it is never put into the page. */
export const textOf = (html: string): string =>
  new DOMParser().parseFromString(html, "text/html").body.textContent?.trim() ?? ""

/** A topic with the posts that were read. */
interface Topic {
  readonly id: number
  readonly title: string
  readonly posts: ReadonlyArray<ForumPost>
  readonly poll: ForumPoll | undefined
  readonly offset: number
  readonly hasMore: boolean
}

interface State {
  q: string
  categories: ForumBoards["categories"]
  /** What the topics are of: a board's title, or the words that were searched. */
  of: string
  topics: ReadonlyArray<ForumTopicSummary>
  topic: Topic | undefined
  notice: string
}

export const useForum = (session: Session) => {
  const latest = makeLatest(session)
  const state = reactive<State>({
    q: "",
    categories: [],
    of: "",
    topics: [],
    topic: undefined,
    notice: ""
  })

  const readBoards = (): Promise<void> =>
    latest.run("forum.boards", [], ({ categories }) => {
      state.categories = categories
    })

  const topics = (of: string, params: { readonly boardId?: number; readonly q?: string }): Promise<void> =>
    latest.run("forum.topics", [{ ...params, sort: "recent", limit: topicsShown }], ({ data }) => {
      state.of = of
      state.topics = data
      state.topic = undefined
      state.notice = `${data.length} topics.`
    })

  const openTopic = (id: number, offset = 0): Promise<void> =>
    latest.run("forum.topic", [{ id, limit: postsShown, ...(offset > 0 && { offset }) }], ({ data, paging }) => {
      const before = offset === 0 ? [] : (state.topic?.posts ?? [])
      // The service's reference has a list of polls; live it is one.
      const poll = Array.isArray(data.poll) ? data.poll[0] : data.poll
      const hasMore = paging?.next !== undefined
      state.topic = { id, title: data.title ?? "", posts: [...before, ...data.posts], poll, offset, hasMore }
      state.notice = `${state.topic.posts.length} posts.`
    })

  void readBoards()
  return {
    state,
    latest: latest.state,
    readBoards,
    openBoard: (id: number, title: string) => topics(title, { boardId: id }),
    search: () => topics(`“${state.q}”`, { q: state.q }),
    openTopic: (id: number) => openTopic(id),
    more: () => state.topic && openTopic(state.topic.id, state.topic.offset + postsShown),
    closeTopic: () => {
      state.topic = undefined
    }
  }
}
