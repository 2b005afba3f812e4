/**
 * The nineteen operations as the contract and the service's facts have them, one example each. Written from those texts,
 * not from the client.
 */

/** An operation, how it is called here, and what has to be on the wire then. */
export interface Example {
  readonly name: string
  readonly inputs: ReadonlyArray<object>
  readonly method: "GET" | "PATCH" | "DELETE"
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** When an access token is required. */
  readonly token: "never" | "always"
  /** A reply as the service might send it. */
  readonly reply: unknown
}

const node = { id: 1, title: "One" }
const page = { data: [{ node }], paging: {} }

export const examples: ReadonlyArray<Example> = [
  {
    name: "anime.get",
    inputs: [{ id: 30230 }, { fields: ["mean", "genres"] }],
    method: "GET",
    path: "/anime/30230",
    query: { fields: "mean,genres" },
    token: "never",
    reply: node
  },
  {
    name: "anime.search",
    inputs: [{ q: "one piece" }, { fields: "mean", nsfw: true }],
    method: "GET",
    path: "/anime",
    query: { q: "one piece", limit: "100", fields: "mean", nsfw: "true" },
    token: "never",
    reply: page
  },
  {
    name: "anime.seasonal",
    inputs: [{ year: 2017, season: "winter", sort: "anime_score", limit: 500, offset: 3 }, { fields: "mean" }],
    method: "GET",
    path: "/anime/season/2017/winter",
    query: { sort: "anime_score", limit: "500", offset: "3", fields: "mean" },
    token: "never",
    reply: { ...page, season: { year: 2017, season: "winter" } }
  },
  {
    name: "anime.ranking",
    inputs: [{ rankingType: "airing", limit: 5 }, { nsfw: false }],
    method: "GET",
    path: "/anime/ranking",
    query: { ranking_type: "airing", limit: "5", nsfw: "false" },
    token: "never",
    reply: { data: [{ node, ranking: { rank: 1 } }] }
  },
  {
    name: "anime.suggestions",
    inputs: [{ limit: 4, offset: 8, fields: "mean", nsfw: true }],
    method: "GET",
    path: "/anime/suggestions",
    query: { limit: "4", offset: "8", fields: "mean", nsfw: "true" },
    token: "always",
    reply: page
  },
  {
    name: "anime.updateMyListStatus",
    inputs: [
      {
        id: 7,
        status: "watching",
        num_watched_episodes: 3,
        score: 8,
        comments: "a & b = ü",
        is_rewatching: false,
        num_times_rewatched: 1,
        rewatch_value: 2,
        priority: 1,
        tags: ["x", "y z"],
        start_date: "2019-04",
        finish_date: ""
      },
      { fields: "status" }
    ],
    method: "PATCH",
    path: "/anime/7/my_list_status",
    query: { fields: "status" },
    form: {
      status: "watching",
      num_watched_episodes: "3",
      score: "8",
      comments: "a & b = ü",
      is_rewatching: "false",
      num_times_rewatched: "1",
      rewatch_value: "2",
      priority: "1",
      tags: "x,y z",
      start_date: "2019-04",
      finish_date: ""
    },
    token: "always",
    reply: { status: "watching", num_episodes_watched: 3, tags: ["x", "y z"] }
  },
  {
    name: "anime.deleteFromList",
    inputs: [{ id: 7 }],
    method: "DELETE",
    path: "/anime/7/my_list_status",
    query: {},
    token: "always",
    reply: []
  },
  {
    name: "manga.get",
    inputs: [{ id: 2 }, { fields: "authors{first_name}" }],
    method: "GET",
    path: "/manga/2",
    query: { fields: "authors{first_name}" },
    token: "never",
    reply: node
  },
  {
    name: "manga.search",
    inputs: [{ q: "ber", limit: 20, offset: 40 }],
    method: "GET",
    path: "/manga",
    query: { q: "ber", limit: "20", offset: "40" },
    token: "never",
    reply: page
  },
  {
    name: "manga.ranking",
    inputs: [{ rankingType: "manga", offset: 9 }],
    method: "GET",
    path: "/manga/ranking",
    query: { ranking_type: "manga", offset: "9" },
    token: "never",
    reply: { data: [{ node, ranking: { rank: 1, previous_rank: 2 } }], paging: {} }
  },
  {
    name: "manga.updateMyListStatus",
    inputs: [
      {
        id: 2,
        status: "reading",
        num_chapters_read: 10,
        num_volumes_read: 1,
        score: 9,
        comments: "",
        is_rereading: true,
        num_times_reread: 2,
        reread_value: 5,
        priority: 0,
        tags: [],
        start_date: "2019",
        finish_date: "2020-01-31"
      }
    ],
    method: "PATCH",
    path: "/manga/2/my_list_status",
    query: {},
    form: {
      status: "reading",
      num_chapters_read: "10",
      num_volumes_read: "1",
      score: "9",
      comments: "",
      is_rereading: "true",
      num_times_reread: "2",
      reread_value: "5",
      priority: "0",
      tags: "",
      start_date: "2019",
      finish_date: "2020-01-31"
    },
    token: "always",
    reply: { status: "reading", num_chapters_read: 10 }
  },
  {
    name: "manga.deleteFromList",
    inputs: [{ id: 2 }],
    method: "DELETE",
    path: "/manga/2/my_list_status",
    query: {},
    token: "always",
    reply: []
  },
  {
    name: "user.me",
    inputs: [{ fields: ["anime_statistics"] }],
    method: "GET",
    path: "/users/@me",
    query: { fields: "anime_statistics" },
    token: "always",
    reply: { id: 1, name: "me" }
  },
  {
    name: "user.get",
    inputs: [{ username: "@me" }, { fields: "picture" }],
    method: "GET",
    path: "/users/@me",
    query: { fields: "picture" },
    token: "always",
    reply: { id: 1, name: "me" }
  },
  {
    name: "user.animeList",
    inputs: [
      { username: "some/body", status: "watching", sort: "list_score", limit: 1000, offset: 5 },
      { fields: "list_status", nsfw: true }
    ],
    method: "GET",
    path: "/users/some%2Fbody/animelist",
    query: {
      status: "watching",
      sort: "list_score",
      limit: "1000",
      offset: "5",
      fields: "list_status",
      nsfw: "true"
    },
    token: "never",
    reply: { data: [{ node, list_status: { status: "watching" } }], paging: {} }
  },
  {
    name: "user.mangaList",
    inputs: [{ username: " @ME ", sort: "manga_title" }],
    method: "GET",
    path: "/users/@me/mangalist",
    query: { sort: "manga_title", limit: "100" },
    token: "always",
    reply: { data: [{ node }] }
  },
  {
    name: "forum.boards",
    inputs: [],
    method: "GET",
    path: "/forum/boards",
    query: {},
    token: "never",
    reply: { categories: [{ title: "C", boards: [{ id: 1, title: "B" }] }] }
  },
  {
    name: "forum.topics",
    inputs: [
      { boardId: 1, subboardId: 2, q: "key", topicUserName: "a", userName: "b", sort: "recent", limit: 10, offset: 20 }
    ],
    method: "GET",
    path: "/forum/topics",
    query: {
      board_id: "1",
      subboard_id: "2",
      q: "key",
      topic_user_name: "a",
      user_name: "b",
      sort: "recent",
      limit: "10",
      offset: "20"
    },
    token: "never",
    reply: { data: [{ id: 1, title: "T" }], paging: {} }
  },
  {
    name: "forum.topic",
    inputs: [{ id: 481 }],
    method: "GET",
    path: "/forum/topic/481",
    query: { limit: "100" },
    token: "never",
    reply: { data: { title: "T", posts: [{ id: 1, body: "b" }] }, paging: {} }
  }
]

/** One example by its name. */
export const example = (name: string): Example => {
  const found = examples.find((candidate) => candidate.name === name)
  if (found === undefined) {
    throw new Error(`there is no example of ${name}`)
  }
  return found
}
