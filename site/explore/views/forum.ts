// The forum: boards, the topics of a board, the posts of a topic.
import type { ForumBoards, ForumPoll, ForumPost, ForumTopicSummary } from "catalog-client"
import { computed, reactive } from "vue"
import type { Parameter } from "../address.js"
import { type Explore, makeLatest } from "../explore.js"
import { quantity } from "../session.js"

const topicsShown = 10
const postsShown = 5

const tags = /\[\/?(?:b|i|u|s|url|img|quote|spoiler|size|color|center|right|list|code|\*)(?:=[^\]\n]{0,500})?\]/gi

/** The text of a post, BBCode with tags and entities of HTML. Other users wrote it: it is never put into the page. */
export const textOf = (body: string): string => {
  const lines = body.replaceAll(/<br\b[^>]*>\n?/gi, "\n")
  const text = new DOMParser().parseFromString(lines, "text/html").body.textContent ?? ""
  return text.replaceAll(tags, "").trim()
}

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
  /** What the topics are of: a board, or the words that were searched; 0 or empty if not. */
  board: number
  words: string
  topics: ReadonlyArray<ForumTopicSummary>
  hasMoreTopics: boolean
  /** The topic that is opened, or 0; it is there when its posts are. */
  topicId: number
  topic: Topic | undefined
}

export const useForum = ({ keep, session }: Explore) => {
  const state = reactive<State>({
    q: "",
    categories: [],
    board: 0,
    words: "",
    topics: [],
    hasMoreTopics: false,
    topicId: 0,
    topic: undefined
  })
  // Calls of different parts do not end each other.
  const boards = makeLatest(session, () => {
    state.categories = []
  })
  const list = makeLatest(session, () => {
    state.topics = []
  })
  const posts = makeLatest(session, () => {
    state.topic = undefined
  })

  const readBoards = (): Promise<void> =>
    boards.run("forum.boards", [], ({ categories }) => {
      state.categories = categories
    })

  /** Shows the topics of a board, or those with some words. */
  const show = async (board: number, words: string): Promise<void> => {
    Object.assign(state, { board, words })
    if (board === 0 && words === "") {
      list.stop()
      return
    }
    const of = board === 0 ? { q: words } : { boardId: board }
    await list.run(
      "forum.topics",
      [{ ...of, sort: "recent", limit: topicsShown }],
      ({ data, paging }) => {
        state.topics = data
        state.hasMoreTopics = paging?.next !== undefined
      },
      { of: `${board} ${words}` }
    )
  }

  const closeTopic = (): void => {
    posts.stop()
    state.topicId = 0
  }

  const leaveFor = (board: number, words: string): Promise<void> => {
    closeTopic()
    return show(board, words)
  }

  const openTopic = (id: number, offset = 0): Promise<void> => {
    state.topicId = id
    const isMore = offset > 0
    return posts.run(
      "forum.topic",
      [{ id, limit: postsShown, ...(isMore && { offset }) }],
      ({ data, paging }) => {
        const before = isMore ? (state.topic?.posts ?? []) : []
        // The service's reference has a list of polls; live it is one.
        const poll = Array.isArray(data.poll) ? data.poll[0] : data.poll
        const hasMore = paging?.next !== undefined
        state.topic = { id, title: data.title ?? "", posts: [...before, ...data.posts], poll, offset, hasMore }
      },
      { of: String(id), isMore }
    )
  }

  const ofAddress = (name: string, read: () => string | number, write: (text: string) => void): Parameter => ({
    name,
    isStep: true,
    read: () => String(read() || "") || undefined,
    write: (text = "") => {
      if (text !== String(read() || "")) {
        write(text)
      }
    }
  })
  const idIn = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
  keep("forum", [
    ofAddress(
      "board",
      () => state.board,
      (text) => void show(idIn(text), "")
    ),
    ofAddress(
      "words",
      () => state.words,
      (text) => {
        state.q = text
        void show(text === "" ? state.board : 0, text)
      }
    ),
    ofAddress(
      "topic",
      () => state.topicId,
      (text) => {
        const id = idIn(text)
        if (id === 0) {
          closeTopic()
        } else {
          void openTopic(id)
        }
      }
    )
  ])

  void readBoards()
  const parts = { boards: boards.state, list: list.state, posts: posts.state }
  /** What the topics are of, in words. */
  const of = computed(() => {
    const { board, categories, words } = state
    const all = categories.flatMap(({ boards = [] }) => boards)
    return words !== ""
      ? `matching “${words}”`
      : board > 0
        ? `in ${all.find(({ id }) => id === board)?.title ?? `board ${board}`}`
        : ""
  })
  const found = computed(() => {
    if (Object.values(parts).some(({ isLoading }) => isLoading)) {
      return "Loading…"
    }
    if (state.topicId > 0) {
      return state.topic === undefined
        ? ""
        : `${quantity(state.topic.posts.length, "post")}${state.topic.hasMore ? ", and there are more" : ""}.`
    }
    if (of.value === "") {
      const count = state.categories.reduce((sum, { boards = [] }) => sum + boards.length, 0)
      return boards.state.error === undefined ? `${quantity(count, "board")}.` : ""
    }
    if (list.state.error !== undefined) {
      return ""
    }
    const count = quantity(state.topics.length, "topic")
    return state.hasMoreTopics ? `The ${count} with the latest posts.` : `${count}.`
  })
  return {
    state,
    parts,
    of,
    found,
    openBoard: (id: number) => leaveFor(id, ""),
    search: async () => {
      const words = state.q.trim()
      if (words !== "") {
        await leaveFor(0, words)
      }
    },
    openTopic: (id: number) => openTopic(id),
    more: () => state.topic && openTopic(state.topic.id, state.topic.offset + postsShown),
    closeTopic
  }
}
