import { createCatalog } from "catalog-client"
import { EmbeddedCatalog, type EmbeddedCatalogOptions, sample } from "@catalog-client/testing"
import { describe, expect, test } from "vitest"
import { type Page, start } from "./service.js"

interface Summary {
  readonly id: number
  readonly title: string
  readonly last_post_created_at: string
  readonly created_by: { readonly name: string }
}

interface Topic {
  readonly data: {
    readonly title: string
    readonly posts: ReadonlyArray<Readonly<Record<string, unknown>>>
    readonly poll?: unknown
  }
  readonly paging?: Page["paging"]
}

const { categories, topics, users } = sample()
const topicOf = (id: number) => topics.find((topic) => topic.id === id)

test("the boards are all there", async () => {
  expect((await start().get("/forum/boards", {})).body).toEqual({ categories })
})

describe("topics", () => {
  const found = async (query: string) => (await start().page<Summary>(`/forum/topics${query}`, {})).body.data
  const numbers = (list: ReadonlyArray<{ readonly id: number }>) => list.map(({ id }) => id).sort((a, b) => a - b)

  test("come with the newest post first", async () => {
    const list = await found("?sort=recent")
    expect(numbers(list)).toEqual(numbers(topics))
    const times = list.map(({ last_post_created_at }) => Date.parse(last_post_created_at))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(await found("")).toEqual(list)
  })

  test("name the first and the last author", async () => {
    const list = await found("")
    const topic = topicOf(sample.topicId.long)
    const last = topic?.posts.at(-1)
    const userOf = (by: number | undefined) => ({ id: by, name: users.find(({ id }) => id === by)?.name })
    expect(list.find(({ id }) => id === sample.topicId.long)).toEqual({
      id: sample.topicId.long,
      title: topic?.title,
      created_at: topic?.created_at,
      created_by: userOf(topic?.created_by),
      number_of_posts: topic?.posts.length,
      last_post_created_at: last?.created_at,
      last_post_created_by: userOf(last?.created_by),
      is_locked: false
    })
    expect(list.find(({ id }) => id === sample.topicId.locked)).toHaveProperty("is_locked", true)
  })

  test("are filtered by board, subboard, title and users", async () => {
    const board = topics[0]?.board_id ?? 0
    const subboard = topics.find(({ subboard_id }) => subboard_id !== undefined)?.subboard_id ?? 0
    const opener = "paper_lantern"
    const openerId = users.find(({ name }) => name === opener)?.id
    const word = topics[0]?.title.split(" ").at(-1) ?? ""
    const cases: ReadonlyArray<readonly [string, (topic: (typeof topics)[number]) => boolean]> = [
      [`?board_id=${board}`, ({ board_id }) => board_id === board],
      [`?subboard_id=${subboard}`, ({ subboard_id }) => subboard_id === subboard],
      [`?q=${encodeURIComponent(word.toUpperCase())}`, ({ title }) => title.toLowerCase().includes(word.toLowerCase())],
      [`?topic_user_name=${opener}`, ({ created_by }) => created_by === openerId],
      [`?user_name=${opener}`, ({ posts }) => posts.some(({ created_by }) => created_by === openerId)],
      [
        `?board_id=${board}&topic_user_name=${opener}`,
        ({ board_id, created_by }) => board_id === board && created_by === openerId
      ]
    ]
    for (const [query, isExpected] of cases) {
      const expected = numbers(topics.filter(isExpected))
      expect(numbers(await found(query)), query).toEqual(expected)
      expect(expected.length, query).toBeLessThan(topics.length)
      expect(expected.length > 0 || query.includes("&"), query).toBe(true)
    }
    expect(await found("?user_name=nobody")).toEqual([])
    expect(await found("?q=zzzzzz")).toEqual([])
  })

  test.each(["board_id=news", "subboard_id=-1", "sort=oldest"])("refuse %s", async (query) => {
    const body = { error: "bad_request", message: `invalid ${query.replace(/=.*/, "")}` }
    expect(await start().get(`/forum/topics?${query}`, {})).toMatchObject({ status: 400, body })
  })
})

describe("topics without a board and a keyword, where they time out as live", () => {
  const options: EmbeddedCatalogOptions = { quirks: { topicsTimeout: 20 } }

  test.each(["", "?sort=recent&limit=5", "?user_name=noe_ete", "?q="])("'%s' is a 504", async (query) => {
    const { headers, status, text } = await start(options).get(`/forum/topics${query}`, {})
    expect([status, headers.get("content-type"), text]).toEqual([504, "text/html", expect.stringContaining("504")])
    expect((await start().get(`/forum/topics${query}`, {})).status).toBe(200)
  })

  test.each([
    "topics?board_id=1",
    "topics?subboard_id=101",
    "topics?q=release",
    "boards",
    `topic/${sample.topicId.poll}`
  ])("%s is not affected", async (path) => {
    expect((await start(options).get(`/forum/${path}`, {})).status).toBe(200)
  })

  test("are an error that says why, on a client", async () => {
    const catalog = (topicsTimeout: number) =>
      createCatalog({ clientId: "embedded-client", fetch: EmbeddedCatalog.fetch({ quirks: { topicsTimeout } }) })
    const why = /Pass boardId, subboardId or q: without one, the service does not respond in time[.] See \S+$/
    const unavailable = catalog(0).forum.topics({ sort: "recent" })
    await expect(unavailable).rejects.toMatchObject({ status: 504, message: expect.stringMatching(why) })
    const late = catalog(60_000).forum.topics({}, { timeout: 20 })
    await expect(late).rejects.toMatchObject({ timeoutMs: 20, message: expect.stringMatching(why) })
    expect((await catalog(0).forum.topics({ subboardId: 101 })).data).not.toEqual([])
  })
})

describe("a topic", () => {
  test("has posts in BBCode, with line breaks and entities of HTML", () => {
    const bodies = topics.flatMap(({ posts }) => posts.map(({ body }) => body))
    const tags = new Set(bodies.flatMap((body) => body.match(/<[^>]*>/g) ?? []))
    expect(tags).toEqual(new Set(["<br />"]))
    for (const part of ["[quote", "[b]", "[i]", "[url=", "&amp;", "&#039;"]) {
      expect([part, bodies.some((body) => body.includes(part))]).toEqual([part, true])
    }
    expect(bodies.filter((body) => /&(?!amp;|#039;|quot;)|['"]/.test(body))).toEqual([])
  })

  test("names what an author is in the forum", async () => {
    const { body } = await start().get<Topic>(`/forum/topic/${sample.topicId.locked}`, {})
    expect(body.data.posts[0]).toMatchObject({ created_by: { name: "board_keeper", forum_title: "Forum Moderator" } })
  })

  test("is an object with a page of its posts", async () => {
    const { get } = start()
    const topic = topicOf(sample.topicId.long)
    const first = (await get<Topic>(`/forum/topic/${sample.topicId.long}`, {})).body
    expect(first.data.posts).toHaveLength(100)
    const second = (await get<Topic>(first.paging?.next ?? "", {})).body
    expect(second.data.title).toBe(topic?.title)
    expect(second.paging).toHaveProperty("previous")
    const posts = [...first.data.posts, ...second.data.posts]
    expect(posts.map((post) => post["number"])).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    const [stored] = topic?.posts ?? []
    const author = users.find(({ id }) => id === stored?.created_by)
    expect(posts[0]).toEqual({
      id: stored?.id,
      number: 1,
      created_at: stored?.created_at,
      created_by: { id: author?.id, name: author?.name, forum_avator: author?.picture ?? "", forum_title: "" },
      body: stored?.body,
      signature: stored?.signature
    })
  })

  test("shows its poll as live, or as in the reference", async () => {
    const { options, ...poll } = topicOf(sample.topicId.poll)?.poll ?? { options: [] }
    expect(options.length).toBeGreaterThan(1)
    const dataOf = async (id: number, quirks = {}) =>
      (await start({ quirks }).get<Topic>(`/forum/topic/${id}`, {})).body.data
    const asReference = { poll: "array" }
    expect((await dataOf(sample.topicId.poll)).poll).toEqual({ ...poll, options })
    expect((await dataOf(sample.topicId.poll, asReference)).poll).toEqual([
      { id: expect.any(Number), question: expect.any(String), close: expect.any(Boolean), options }
    ])
    expect(await dataOf(sample.topicId.long)).toHaveProperty("poll", null)
    expect(await dataOf(sample.topicId.long, asReference)).not.toHaveProperty("poll")
  })
})
