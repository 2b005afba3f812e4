/**
 * The operations as the contract and the service's facts have them, one row each. Written from those texts, not from the
 * client or the embedded service: the tests of both read these rows.
 */

type Method = "GET" | "PATCH" | "DELETE"

/** An operation, how it is called here, and what has to be on the wire then. */
export interface Example {
  readonly name: string
  readonly method: Method
  /** Its path as the contract's table has it. */
  readonly endpoint: `/${string}`
  /** Whether it takes the option `fields`. */
  readonly fields: boolean
  /** The default page size, which is sent, and the largest that the service accepts. */
  readonly limit?: { readonly default?: number; readonly maximum: number }
  /** Which errors it has besides those that every operation has. */
  readonly errors: ReadonlyArray<"ClientValidationError" | "ClientAuthError">
  /** Whether a cache may keep its replies. */
  readonly cached: boolean

  readonly inputs: ReadonlyArray<object>
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** What a 404 did not find, if the operation looks for a record. */
  readonly finds?: string
  /** When an access token is required. */
  readonly token: "never" | "always"
  /** A reply as the service might send it. */
  readonly reply: unknown

  readonly service: Served
}

/** What the embedded service does. */
interface Served {
  /** The least that it asks for: nothing, a client ID or a token, a token. */
  readonly access: "public" | "identified" | "token"
  /** The inputs of a call that it grants, which the operation's page in the documentation shows. */
  readonly call: ReadonlyArray<object>
  /** A request that it grants. Of a list, one that has some pages. */
  readonly path: string
  /** The entries of a page without a limit, if the list is longer. */
  readonly usual?: number
  /** What the reply of `call` contains. Values of the data can change, so `any` accepts one of a type. */
  readonly holds?: (any: (type: unknown) => unknown) => object
}

/** A read says what the embedded service returns. */
type Row = Example &
  (
    | { readonly method: "GET"; readonly service: Required<Pick<Served, "holds">> }
    | { readonly method: "PATCH" | "DELETE" }
  )

const node = { id: 1, title: "One" }
const page = { data: [{ node }], paging: {} }

const rows = [
  {
    name: "anime.get",
    method: "GET",
    endpoint: "/anime/{id}",
    fields: true,
    errors: [],
    cached: true,
    inputs: [{ id: 30230 }, { fields: ["mean", "genres"] }],
    path: "/anime/30230",
    query: { fields: "mean,genres" },
    finds: "anime",
    token: "never",
    reply: node,
    service: {
      call: [{ id: 30230 }, { fields: ["mean", "num_episodes", "genres"] }],
      access: "public",
      path: "/anime/30230",
      holds: (any) => ({ id: 30230, mean: any(Number) })
    }
  },
  {
    name: "anime.search",
    method: "GET",
    endpoint: "/anime",
    fields: true,
    limit: { default: 100, maximum: 100 },
    errors: ["ClientValidationError"],
    cached: true,
    inputs: [{ q: "one piece" }, { fields: "mean", nsfw: true }],
    path: "/anime",
    query: { q: "one piece", limit: "100", fields: "mean", nsfw: "true" },
    token: "never",
    reply: page,
    service: {
      call: [{ q: "diamond no ace", limit: 2 }],
      access: "public",
      path: "/anime?q=the",
      usual: 10,
      holds: (any) => ({ data: [{ node: { id: any(Number), title: any(String) } }, {}], paging: { next: any(String) } })
    }
  },
  {
    name: "anime.seasonal",
    method: "GET",
    endpoint: "/anime/season/{year}/{season}",
    fields: true,
    limit: { maximum: 500 },
    errors: [],
    cached: true,
    inputs: [{ year: 2017, season: "winter", sort: "anime_score", limit: 500, offset: 3 }, { fields: "mean" }],
    path: "/anime/season/2017/winter",
    query: { sort: "anime_score", limit: "500", offset: "3", fields: "mean" },
    token: "never",
    reply: { ...page, season: { year: 2017, season: "winter" } },
    service: {
      call: [{ year: 2017, season: "winter", sort: "anime_num_list_users", limit: 2 }, { fields: ["mean"] }],
      access: "public",
      path: "/anime/season/2016/winter?nsfw=false",
      holds: () => ({ season: { year: 2017, season: "winter" } })
    }
  },
  {
    name: "anime.ranking",
    method: "GET",
    endpoint: "/anime/ranking",
    fields: true,
    limit: { maximum: 500 },
    errors: [],
    cached: true,
    inputs: [{ rankingType: "airing", limit: 5 }, { nsfw: false }],
    path: "/anime/ranking",
    query: { ranking_type: "airing", limit: "5", nsfw: "false" },
    token: "never",
    reply: { data: [{ node, ranking: { rank: 1 } }] },
    service: {
      call: [{ rankingType: "movie", limit: 2 }],
      access: "public",
      path: "/anime/ranking?ranking_type=bypopularity",
      usual: 100,
      holds: (any) => ({ data: [{ node: { id: any(Number), title: any(String) }, ranking: { rank: 1 } }, {}] })
    }
  },
  {
    name: "anime.suggestions",
    method: "GET",
    endpoint: "/anime/suggestions",
    fields: true,
    limit: { maximum: 100 },
    errors: ["ClientAuthError"],
    cached: false,
    inputs: [{ limit: 4, offset: 8, fields: "mean", nsfw: true }],
    path: "/anime/suggestions",
    query: { limit: "4", offset: "8", fields: "mean", nsfw: "true" },
    token: "always",
    reply: page,
    service: {
      call: [{ limit: 2 }],
      access: "token",
      path: "/anime/suggestions?nsfw=false",
      holds: (any) => ({ data: [{ node: { id: any(Number), title: any(String) } }, {}] })
    }
  },
  {
    name: "anime.updateMyListStatus",
    method: "PATCH",
    endpoint: "/anime/{id}/my_list_status",
    fields: true,
    errors: ["ClientValidationError", "ClientAuthError"],
    cached: false,
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
    finds: "anime",
    token: "always",
    reply: { status: "watching", num_episodes_watched: 3, tags: ["x", "y z"] },
    service: {
      call: [{ id: 30230, status: "completed", score: 9, num_watched_episodes: 51 }],
      access: "token",
      path: "/anime/30230/my_list_status"
    }
  },
  {
    name: "anime.deleteFromList",
    method: "DELETE",
    endpoint: "/anime/{id}/my_list_status",
    fields: false,
    errors: ["ClientAuthError"],
    cached: false,
    inputs: [{ id: 7 }],
    path: "/anime/7/my_list_status",
    query: {},
    finds: "list entry",
    token: "always",
    reply: [],
    service: { call: [{ id: 30230 }], access: "token", path: "/anime/30230/my_list_status" }
  },
  {
    name: "manga.get",
    method: "GET",
    endpoint: "/manga/{id}",
    fields: true,
    errors: [],
    cached: true,
    inputs: [{ id: 2 }, { fields: "authors{first_name}" }],
    path: "/manga/2",
    query: { fields: "authors{first_name}" },
    finds: "manga",
    token: "never",
    reply: node,
    service: {
      call: [{ id: 2 }, { fields: ["mean", "authors{first_name,last_name}"] }],
      access: "public",
      path: "/manga/2",
      holds: (any) => ({ id: 2, authors: any(Array) })
    }
  },
  {
    name: "manga.search",
    method: "GET",
    endpoint: "/manga",
    fields: true,
    limit: { default: 100, maximum: 100 },
    errors: ["ClientValidationError"],
    cached: true,
    inputs: [{ q: "ber", limit: 20, offset: 40 }],
    path: "/manga",
    query: { q: "ber", limit: "20", offset: "40" },
    token: "never",
    reply: page,
    service: {
      call: [{ q: "vagabond", limit: 2 }],
      access: "public",
      path: "/manga?q=the",
      usual: 10,
      holds: (any) => ({ data: [{ node: { id: any(Number), title: any(String) } }] })
    }
  },
  {
    name: "manga.ranking",
    method: "GET",
    endpoint: "/manga/ranking",
    fields: true,
    limit: { maximum: 500 },
    errors: [],
    cached: true,
    inputs: [{ rankingType: "manga", offset: 9 }],
    path: "/manga/ranking",
    query: { ranking_type: "manga", offset: "9" },
    token: "never",
    reply: { data: [{ node, ranking: { rank: 1, previous_rank: 2 } }], paging: {} },
    service: {
      call: [{ rankingType: "novels", limit: 2 }],
      access: "public",
      path: "/manga/ranking?ranking_type=bypopularity",
      usual: 100,
      holds: () => ({ data: [{ ranking: { rank: 1 } }, { ranking: { rank: 2 } }] })
    }
  },
  {
    name: "manga.updateMyListStatus",
    method: "PATCH",
    endpoint: "/manga/{id}/my_list_status",
    fields: true,
    errors: ["ClientValidationError", "ClientAuthError"],
    cached: false,
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
    finds: "manga",
    token: "always",
    reply: { status: "reading", num_chapters_read: 10 },
    service: {
      call: [{ id: 2, status: "reading", num_chapters_read: 12, tags: ["dark", "long"] }],
      access: "token",
      path: "/manga/2/my_list_status"
    }
  },
  {
    name: "manga.deleteFromList",
    method: "DELETE",
    endpoint: "/manga/{id}/my_list_status",
    fields: false,
    errors: ["ClientAuthError"],
    cached: false,
    inputs: [{ id: 2 }],
    path: "/manga/2/my_list_status",
    query: {},
    finds: "list entry",
    token: "always",
    reply: [],
    service: { call: [{ id: 2 }], access: "token", path: "/manga/2/my_list_status" }
  },
  {
    name: "user.me",
    method: "GET",
    endpoint: "/users/@me",
    fields: true,
    errors: ["ClientAuthError"],
    cached: false,
    inputs: [{ fields: ["anime_statistics"] }],
    path: "/users/@me",
    query: { fields: "anime_statistics" },
    token: "always",
    reply: { id: 1, name: "me" },
    service: {
      call: [{ fields: ["anime_statistics{num_items,mean_score}"] }],
      access: "token",
      path: "/users/@me",
      holds: (any) => ({ name: "sample_reader", anime_statistics: any(Object) })
    }
  },
  {
    name: "user.get",
    method: "GET",
    endpoint: "/users/{user_name}",
    fields: true,
    errors: ["ClientValidationError", "ClientAuthError"],
    cached: false,
    inputs: [{ username: "@me" }, { fields: "picture" }],
    path: "/users/@me",
    query: { fields: "picture" },
    finds: "user (only @me has a profile)",
    token: "always",
    reply: { id: 1, name: "me" },
    service: {
      call: [{ username: "@me" }],
      access: "token",
      path: "/users/%40me",
      holds: () => ({ name: "sample_reader" })
    }
  },
  {
    name: "user.animeList",
    method: "GET",
    endpoint: "/users/{user_name}/animelist",
    fields: true,
    limit: { default: 100, maximum: 1000 },
    errors: ["ClientValidationError", "ClientAuthError"],
    cached: false,
    inputs: [
      { username: "some/body", status: "watching", sort: "list_score", limit: 1000, offset: 5 },
      { fields: "list_status", nsfw: true }
    ],
    path: "/users/some%2Fbody/animelist",
    query: {
      status: "watching",
      sort: "list_score",
      limit: "1000",
      offset: "5",
      fields: "list_status",
      nsfw: "true"
    },
    finds: "user",
    token: "never",
    reply: { data: [{ node, list_status: { status: "watching" } }], paging: {} },
    service: {
      call: [{ username: "@me", status: "completed", sort: "list_score", limit: 2 }, { fields: ["list_status"] }],
      access: "identified",
      path: "/users/sample_reader/animelist?nsfw=true",
      usual: 10,
      holds: (any) => ({
        data: [{ node: { id: any(Number), title: any(String) }, list_status: { status: "completed" } }, {}]
      })
    }
  },
  {
    name: "user.mangaList",
    method: "GET",
    endpoint: "/users/{user_name}/mangalist",
    fields: true,
    limit: { default: 100, maximum: 1000 },
    errors: ["ClientValidationError", "ClientAuthError"],
    cached: false,
    inputs: [{ username: " @ME ", sort: "manga_title" }],
    path: "/users/@me/mangalist",
    query: { sort: "manga_title", limit: "100" },
    finds: "user",
    token: "always",
    reply: { data: [{ node }] },
    service: {
      call: [{ username: "@me", limit: 2 }, { fields: ["list_status{score}"] }],
      access: "identified",
      path: "/users/sample_reader/mangalist?nsfw=true",
      usual: 10,
      holds: (any) => ({ data: [{ list_status: any(Object) }, {}] })
    }
  },
  {
    name: "forum.boards",
    method: "GET",
    endpoint: "/forum/boards",
    fields: false,
    errors: [],
    cached: true,
    inputs: [],
    path: "/forum/boards",
    query: {},
    token: "never",
    reply: { categories: [{ title: "C", boards: [{ id: 1, title: "B" }] }] },
    service: {
      call: [],
      access: "public",
      path: "/forum/boards",
      holds: (any) => ({ categories: any(Array) })
    }
  },
  {
    name: "forum.topics",
    method: "GET",
    endpoint: "/forum/topics",
    fields: false,
    limit: { default: 100, maximum: 100 },
    errors: [],
    cached: true,
    inputs: [
      { boardId: 1, subboardId: 2, q: "key", topicUserName: "a", userName: "b", sort: "recent", limit: 10, offset: 20 }
    ],
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
    reply: { data: [{ id: 1, title: "T" }], paging: {} },
    service: {
      call: [{ q: "start", limit: 2 }],
      access: "public",
      path: "/forum/topics",
      holds: (any) => ({ data: [{ id: any(Number), title: any(String) }] })
    }
  },
  {
    name: "forum.topic",
    method: "GET",
    endpoint: "/forum/topic/{topic_id}",
    fields: false,
    limit: { default: 100, maximum: 100 },
    errors: [],
    cached: true,
    inputs: [{ id: 481 }],
    path: "/forum/topic/481",
    query: { limit: "100" },
    finds: "topic",
    token: "never",
    reply: { data: { title: "T", posts: [{ id: 1, body: "b" }] }, paging: {} },
    service: {
      call: [{ id: 2_000_029, limit: 1 }],
      access: "public",
      path: "/forum/topic/2000005",
      usual: 100,
      holds: (any) => ({ data: { title: any(String), posts: [{ number: 1 }] } })
    }
  }
] as const satisfies ReadonlyArray<Row>

export const examples: ReadonlyArray<Example> = rows

/** The rows as they are written, for the tests of types. */
export type Rows = (typeof rows)[number]

const common = ["fields", "limit", "nsfw", "offset"]

/** Whether an operation has params, besides the options that all have. */
export const takesParams = ({ endpoint, query }: Example): boolean =>
  endpoint.includes("{") || Object.keys(query).some((name) => !common.includes(name))

/** The inputs of an example without a place in the list, and with more options. */
export const inputsWith = (row: Example, more: object): ReadonlyArray<object> => {
  const [first, second] = row.inputs.map((given: { readonly limit?: number; readonly offset?: number }) => {
    const { limit: _, offset: __, ...others } = given
    return others
  })
  return takesParams(row) ? [first ?? {}, { ...second, ...more }] : [{ ...first, ...more }]
}

/** One example by its name. */
export const example = (name: string): Example => {
  const found = examples.find((candidate) => candidate.name === name)
  if (found === undefined) {
    throw new Error(`there is no example of ${name}`)
  }
  return found
}
