import { createCatalog } from "@catalog-client/core"
import { EmbeddedCatalog, type EmbeddedCatalogOptions, sample } from "@catalog-client/core/testing"
import { describe, expect, it } from "vitest"
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
const idOf = (name: string) => users.find((user) => user.name === name)?.id

describe("boards", () => {
  it("are all there", async () => {
    const { body, status } = await start().get("/forum/boards", {})
    expect(status).toBe(200)
    expect(body).toEqual({ categories })
    expect(categories[0]?.boards[0]?.subboards).toBeDefined()
  })
})

describe("topics", () => {
  const found = async (query: string) => (await start().page<Summary>(`/forum/topics${query}`, {})).body.data
  const numbers = (list: ReadonlyArray<{ readonly id: number }>) => list.map(({ id }) => id).sort((a, b) => a - b)

  it("come with the newest post first", async () => {
    const list = await found("?sort=recent")
    expect(numbers(list)).toEqual(numbers(topics))
    const times = list.map(({ last_post_created_at }) => Date.parse(last_post_created_at))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(await found("")).toEqual(list)
  })

  it("name the first and the last author", async () => {
    const topic = topics.find(({ id }) => id === sample.topicId.long)
    const last = topic?.posts.at(-1)
    const summary = (await found("")).find(({ id }) => id === sample.topicId.long)
    expect(summary).toEqual({
      id: sample.topicId.long,
      title: topic?.title,
      created_at: topic?.created_at,
      created_by: { id: topic?.created_by, name: users.find(({ id }) => id === topic?.created_by)?.name },
      number_of_posts: topic?.posts.length,
      last_post_created_at: last?.created_at,
      last_post_created_by: { id: last?.created_by, name: users.find(({ id }) => id === last?.created_by)?.name },
      is_locked: false
    })
    expect((await found("")).find(({ id }) => id === sample.topicId.locked)).toHaveProperty("is_locked", true)
  })

  it("are filtered by board, subboard, title and users", async () => {
    const board = topics[0]?.board_id ?? 0
    const subboard = topics.find(({ subboard_id }) => subboard_id !== undefined)?.subboard_id ?? 0
    const opener = "paper_lantern"
    const word = topics[0]?.title.split(" ").at(-1) ?? ""
    const cases = [
      [`?board_id=${board}`, topics.filter(({ board_id }) => board_id === board)],
      [`?subboard_id=${subboard}`, topics.filter(({ subboard_id }) => subboard_id === subboard)],
      [
        `?q=${encodeURIComponent(word.toUpperCase())}`,
        topics.filter(({ title }) => title.toLowerCase().includes(word.toLowerCase()))
      ],
      [`?topic_user_name=${opener}`, topics.filter(({ created_by }) => created_by === idOf(opener))],
      [
        `?user_name=${opener}`,
        topics.filter(({ posts }) => posts.some(({ created_by }) => created_by === idOf(opener)))
      ],
      [
        `?board_id=${board}&topic_user_name=${opener}`,
        topics.filter(({ board_id, created_by }) => board_id === board && created_by === idOf(opener))
      ]
    ] as const
    for (const [query, expected] of cases) {
      expect([query, numbers(await found(query))]).toEqual([query, numbers(expected)])
    }
    for (const [query, expected] of cases.slice(0, 5)) {
      expect([query, expected.length > 0 && expected.length < topics.length]).toEqual([query, true])
    }
    expect(await found("?user_name=nobody")).toEqual([])
    expect(await found("?q=zzzzzz")).toEqual([])
  })

  it.each(["board_id=news", "subboard_id=-1", "sort=oldest"])("refuse %s", async (query) => {
    const { body, status } = await start().get(`/forum/topics?${query}`, {})
    expect([status, body]).toEqual([400, { error: "bad_request", message: `invalid ${query.split("=")[0]}` }])
  })
})

describe("topics without a board and a keyword, where they time out as live", () => {
  const options: EmbeddedCatalogOptions = { quirks: { topicsTimeout: 20 } }

  it.each(["", "?sort=recent&limit=5", "?user_name=noe_ete", "?q="])("'%s' is a 504", async (query) => {
    const { headers, status, text } = await start(options).get(`/forum/topics${query}`, {})
    expect([status, headers.get("content-type"), text]).toEqual([504, "text/html", expect.stringContaining("504")])
    expect((await start().get(`/forum/topics${query}`, {})).status).toBe(200)
  })

  it.each([
    "topics?board_id=1",
    "topics?subboard_id=101",
    "topics?q=release",
    "boards",
    `topic/${sample.topicId.poll}`
  ])("%s is not affected", async (path) => {
    expect((await start(options).get(`/forum/${path}`, {})).status).toBe(200)
  })

  it("are an error that says why, on a client", async () => {
    const catalog = (topicsTimeout: number) =>
      createCatalog({ clientId: "embedded-client", fetch: EmbeddedCatalog.fetch({ quirks: { topicsTimeout } }) })
    const why = /Pass boardId or q: without them, the service does not respond in time[.] See \S+$/
    const unavailable = catalog(0).forum.topics({ sort: "recent" })
    await expect(unavailable).rejects.toMatchObject({ status: 504, message: expect.stringMatching(why) })
    const late = catalog(60_000).forum.topics({}, { timeout: 20 })
    await expect(late).rejects.toMatchObject({ timeoutMs: 20, message: expect.stringMatching(why) })
    expect((await catalog(0).forum.topics({ subboardId: 101 })).data).not.toEqual([])
  })
})

describe("a topic", () => {
  it("has posts in BBCode, with line breaks and entities of HTML", () => {
    const bodies = topics.flatMap(({ posts }) => posts.map(({ body }) => body))
    const tags = new Set(bodies.flatMap((body) => body.match(/<[^>]*>/g) ?? []))
    expect(tags).toEqual(new Set(["<br />"]))
    for (const part of ["[quote", "[b]", "[i]", "[url=", "&amp;", "&#039;"]) {
      expect([part, bodies.some((body) => body.includes(part))]).toEqual([part, true])
    }
    expect(bodies.filter((body) => /&(?!amp;|#039;|quot;)|['"]/.test(body))).toEqual([])
  })

  it("names what an author is in the forum", async () => {
    const { body } = await start().get<Topic>(`/forum/topic/${sample.topicId.locked}`, {})
    expect(body.data.posts[0]).toMatchObject({ created_by: { name: "board_keeper", forum_title: "Forum Moderator" } })
  })

  it("is an object with a page of its posts", async () => {
    const { get } = start()
    const topic = topics.find(({ id }) => id === sample.topicId.long)
    const pages: Array<Topic> = []
    let next: string | undefined = `/forum/topic/${sample.topicId.long}`
    while (next !== undefined) {
      const reply: { body: Topic } = await get<Topic>(next, {})
      pages.push(reply.body)
      next = reply.body.paging?.next
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]?.data.posts).toHaveLength(100)
    expect(pages[1]?.data.title).toBe(topic?.title)
    expect(pages[1]?.paging).toHaveProperty("previous")
    const posts = pages.flatMap(({ data }) => data.posts)
    expect(posts.map((post) => post["number"])).toEqual(topic?.posts.map((_, index) => index + 1))
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

  it("shows its poll as live, or as in the reference", async () => {
    const { options, ...poll } = topics.find(({ id }) => id === sample.topicId.poll)?.poll ?? { options: [] }
    expect(options.length).toBeGreaterThan(1)
    const asLive = await start().get<Topic>(`/forum/topic/${sample.topicId.poll}`, {})
    expect(asLive.body.data.poll).toEqual({ ...poll, options })
    const asReference = await start({ quirks: { poll: "array" } }).get<Topic>(`/forum/topic/${sample.topicId.poll}`, {})
    expect(asReference.body.data.poll).toEqual([
      { id: expect.any(Number), question: expect.any(String), close: expect.any(Boolean), options }
    ])
    const none = await start().get<Topic>(`/forum/topic/${sample.topicId.long}`, {})
    expect(none.body.data).toHaveProperty("poll", null)
    const without = await start({ quirks: { poll: "array" } }).get<Topic>(`/forum/topic/${sample.topicId.long}`, {})
    expect(without.body.data).not.toHaveProperty("poll")
  })
})
