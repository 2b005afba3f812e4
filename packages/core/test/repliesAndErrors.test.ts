/**
 * What a response becomes: the operation's reply, or an error.
 */
import { createCatalog } from "catalog-client"
import { ClientRestError, isInvalidInput } from "@catalog-client/core"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { faces, failure, json, recording, value } from "./support/faces.js"
import { sampled } from "./support/full.js"
import { example, examples } from "./support/operations.js"

const credentials = { accessToken: "the-access-token", clientId: "the-client-id" }

/** An optional member of a wrong type is an error, too. */
const strict = { ...credentials, mismatch: "fail" } as const

const callOver = (
  face: (typeof faces)[number][1],
  response: () => Response | Promise<Response>,
  options = credentials
) => face(recording(response), options)

const html = "<html><body>No.</body></html>"

const statuses = [302, 307, 400, 401, 403, 404, 405, 429, 500, 502, 503, 504]

/** Bodies without a reply. */
const bodies: ReadonlyArray<readonly [string, (reply: unknown) => Response]> = [
  ["empty", () => new Response("")],
  ["204", () => new Response(null, { status: 204 })],
  ["HTML", () => new Response(html)],
  ["truncated", (reply) => new Response(JSON.stringify(reply).slice(0, -1))],
  ["another shape", () => json({ unexpected: true })],
  ["null", () => json(null)]
]

describe.each(faces)("on the %s face", (faceName, face) => {
  const ask = async (response: () => Response | Promise<Response>, name = "anime.get", options = credentials) =>
    callOver(face, response, options)(name, ...example(name).inputs)

  describe.each(examples.map((example, row) => ({ ...example, row })))(
    "$name",
    ({ name, method, path, reply, row }) => {
      const shift = faceName === "promise" ? row + 1 : row

      test.each(sampled(statuses, 12, shift))("a status %i is ClientRestError", async (status) => {
        const error = failure(await ask(() => json({ error: "a_code", message: "what it says" }, { status }), name))
        expect(error).toBeInstanceOf(ClientRestError)
        expect(error).toMatchObject({
          _tag: "ClientRestError",
          operation: `catalog.${name}`,
          method,
          status,
          reason: "Status",
          code: "a_code",
          serviceMessage: "what it says",
          body: { error: "a_code", message: "what it says" },
          attempts: 1
        })
        const { url, message } = error as ClientRestError
        expect(url).toContain(`https://api.myanimelist.net/v2${path}`)
        expect(message).toContain(
          `catalog.${name} failed: ${method} ${url} returned ${status} (a_code: what it says). `
        )
      })

      test.each(sampled(bodies, 6, shift))("a success with a body that is %s", async (kind, response) => {
        const outcome = await ask(() => response(reply), name)
        if (method === "DELETE" && !["HTML", "truncated"].includes(kind)) {
          value(outcome)
        } else {
          expect(failure(outcome)).toMatchObject({
            _tag: "ClientRestError",
            reason: "InvalidBody",
            operation: `catalog.${name}`
          })
        }
      })
    }
  )

  test("a write that the service did not do is an error, although its status is 200", async () => {
    const both = ["anime", "manga"] as const
    for (const body of [
      { error: "forbidden" },
      { queued: true },
      { status: null, message: "no" },
      { status: 500 },
      { status: "watching", error: "forbidden" },
      {}
    ]) {
      for (const medium of both) {
        const error = failure(await ask(() => json(body, { status: 202 }), `${medium}.updateMyListStatus`))
        expect(error).toMatchObject({ _tag: "ClientRestError", status: 202, reason: "InvalidBody", path: [], body })
      }
    }
    expect(failure(await ask(() => json({ error: "forbidden" }), "anime.updateMyListStatus"))).toMatchObject({
      code: "forbidden"
    })
    for (const body of [{ status: "a_new_status" }, { updated_at: "2020" }, { score: 1, extra: 1, error: null }]) {
      expect(value(await ask(() => json(body), "manga.updateMyListStatus"))).toEqual(body)
    }
  })

  test("a deletion succeeds only with a body that says nothing", async () => {
    const remove = (text: string) => ask(() => new Response(text), "manga.deleteFromList")
    for (const text of ["", " \n", "[]", "{}", "null", '{"status":"ok"}', '{"error":null}', '{"error":""}']) {
      expect(value(await remove(text))).toBeUndefined()
    }
    for (const text of [html, "OK", '"OK"', "1", "false", '{"error":"forbidden"}', "[", "<", "[]]"]) {
      expect(failure(await remove(text))).toMatchObject({ _tag: "ClientRestError", status: 200, reason: "InvalidBody" })
    }
  })

  test("the body of an error may be HTML, empty or any JSON", async () => {
    for (const [text, body] of [
      [html, html],
      ["", ""],
      ['"no"', "no"],
      ["[1]", [1]],
      ["null", null]
    ] as const) {
      const error = failure(await ask(() => new Response(text, { status: 503 })))
      expect(error).toMatchObject({ status: 503, body })
      expect(error).not.toHaveProperty("code")
      expect(error).not.toHaveProperty("serviceMessage")
    }
    const silent = failure(await ask(() => json({ message: "", error: "forbidden" }, { status: 403 })))
    expect(silent).toMatchObject({ code: "forbidden" })
    expect(silent).not.toHaveProperty("serviceMessage")
  })

  test("the error of a redirect has its location", async () => {
    const headers = { location: "https://elsewhere.example/anime/1", "x-powered-by": "PHP" }
    const error = failure(await ask(() => new Response(null, { status: 301, headers }))) as ClientRestError
    expect(error.headers).toEqual({ location: headers.location })
  })

  test.each([200, 204])("an empty body of a %i is called empty", async (status) => {
    const message = async (body: string | null) =>
      (failure(await ask(() => new Response(body, { status, headers: { "content-type": "text/html" } }))) as Error)
        .message
    expect(await message(null)).toMatch(
      new RegExp(`returned ${status} with an empty body [(]text/html[)]. Check baseUrl`)
    )
    if (status === 200) {
      for (const body of ['""', "[]", "{}", "null", "."]) {
        expect(await message(body)).toContain("with a body that is not the operation's reply")
      }
    }
  })

  test("a text is kept to 8 192 characters, and never cut within one", async () => {
    const kept = async (text: string) =>
      (failure(await ask(() => new Response(text, { status: 500 }))) as ClientRestError).body as string
    expect(await kept("x".repeat(9000))).toBe("x".repeat(8192))
    expect(await kept("x".repeat(8192))).toBe("x".repeat(8192))
    expect(await kept(`x${"😀".repeat(9000)}`)).toBe(`x${"😀".repeat(4095)}`)
    expect(await kept(JSON.stringify("x".repeat(20_000)))).toBe("x".repeat(8192))
  })

  test("Retry-After is milliseconds from receipt, from seconds and from a date, and the longest of several", async () => {
    const wait = async (header: string) =>
      (
        failure(
          await ask(() => new Response("", { status: 429, headers: { "retry-after": header } }))
        ) as ClientRestError
      ).retryAfter
    expect(await wait("7")).toBe(7000)
    expect(await wait("0")).toBe(0)
    expect(await wait("0000000012")).toBe(12_000)
    expect(await wait("9999999999")).toBe(9_999_999_999_000)
    expect(await wait("9".repeat(400))).toBe(Number.MAX_SAFE_INTEGER)
    const ahead = await wait(new Date(Date.now() + 60_000).toUTCString())
    expect(ahead).toBeGreaterThan(50_000)
    expect(ahead).toBeLessThanOrEqual(60_000)
    expect(await wait(new Date(Date.now() - 60_000).toUTCString())).toBe(0)
    for (const header of ["soon", "-5", "1.", ".5", "1e3", "1.5.2", ", ", ""]) {
      expect(await wait(header)).toBeUndefined()
    }
    expect(await wait("2.5")).toBe(2500)
    expect(await wait("0.0004")).toBe(0)
    expect(await wait("2, 2")).toBe(2000)
    expect(await wait("1, 30,0.5")).toBe(30_000)
    expect(await wait("soon, 3")).toBe(3000)
    const dates = [60_000, 120_000].map((millis) => new Date(Date.now() + millis).toUTCString())
    expect(await wait(`${dates.join(", ")}, 90`)).toBeGreaterThan(100_000)
    expect(await wait(`${dates[0]}, 90`)).toBe(90_000)
    expect(await wait("Sunday, 06-Nov-94 08:49:37 GMT, 4")).toBe(4000)
  })

  test.for([
    [401, "No access token is configured", [{}, { clientId: "c", accessToken: " " }]],
    [403, "Neither a client ID nor an access token was sent", [{}, { clientId: " " }]]
  ] as const)("the error of a %s without a credential says that there is none", async ([status, none, without]) => {
    const transport = recording(() => json({ error: "refused" }, { status }))
    const credentialSent = async (options: object) => {
      const error = failure(await face(transport, options)("anime.get", { id: 1 })) as ClientRestError
      expect(error.message.includes(none)).toBe(error.credentialSent === false)
      return error.credentialSent
    }
    for (const options of without) {
      expect(await credentialSent(options)).toBe(false)
    }
    expect(await credentialSent({ accessToken: "t" })).toBe(true)
    expect(await credentialSent({ headers: { Authorization: "Bearer of a proxy" } })).toBe(true)
    expect(await credentialSent({ clientId: "c" })).toBe(status === 403)
  })

  test.for([
    ["anime.search", { q: "abc" }, "limit", "Pass a limit of 1 to 100."],
    ["anime.seasonal", { year: 2017, season: "winter" }, "limit", "Pass a limit of 1 to 500."],
    ["anime.seasonal", { year: 2017, season: "autumn" }, "season", "Pass winter, spring, summer or fall."],
    ["anime.ranking", { rankingType: "best" }, "ranking_type", "Pass a rankingType such as all or bypopularity."],
    ["anime.seasonal", { year: 2017, season: "fall", sort: "best" }, "sort", "Pass a sort such as anime_score."],
    ["user.mangaList", { username: "@me", sort: "best" }, "sort", "Pass a sort such as list_updated_at."],
    ["forum.topics", { q: "rain", sort: "best" }, "sort", "Check sort."],
    ["forum.topics", { boardId: -1 }, "board_id", "Pass a boardId of forum.boards."],
    ["forum.topics", { subboardId: -1 }, "subboard_id", "Pass a subboardId of forum.boards."],
    ["manga.updateMyListStatus", { id: 1, score: 11 }, "score", "Pass a score of 0 to 10."],
    ["anime.updateMyListStatus", { id: 1, priority: 3 }, "priority", "Pass a priority of 0 to 2."],
    ["anime.updateMyListStatus", { id: 1, start_date: "x" }, "start_date", "Pass a date such as 2026-04-03."],
    ["anime.updateMyListStatus", { id: 1, tags: ["x"] }, "toString", "Check toString."],
    [
      "user.animeList",
      { username: "@me", status: "seen" },
      "status",
      "Pass watching, completed, on_hold, dropped or plan_to_watch."
    ],
    [
      "manga.updateMyListStatus",
      { id: 1, status: "read" },
      "status",
      "Pass reading, completed, on_hold, dropped or plan_to_read."
    ]
  ] as const)("a 400 of %s for its %s names what it takes: %s", async ([operation, params, input, advice]) => {
    const transport = recording(() => json({ error: "bad_request", message: `invalid ${input}` }, { status: 400 }))
    const { message } = failure(await face(transport, { accessToken: "t" })(operation, params)) as ClientRestError
    expect(message).toContain(
      `invalid ${input}). ${advice} See https://catalog-client.github.io/catalog-client/operations/${operation}`
    )
  })

  test.for([
    ["id", "Invalid client id", "Check clientId: the service does not know it.", false],
    ["q", "invalid q", "Pass a keyword (q) of 3 to 64 characters.", true],
    ["limit", "invalid limit", "Pass a limit of 1 to 100.", true]
  ] as const)("a client ID of '%s' leaves the advice as it is", async ([clientId, said, advice, isInvalid]) => {
    const transport = recording(() => json({ error: "bad_request", message: said }, { status: 400 }))
    const error = failure(await face(transport, { clientId })("anime.search", { q: "abc" })) as ClientRestError
    expect(error.message).toContain(advice)
    expect(isInvalidInput(error)).toBe(isInvalid)
  })

  test.for(examples)("a 404 of $name says what was not found", async ({ finds, inputs, name }) => {
    const transport = recording(() => json({ error: "not_found" }, { status: 404 }))
    const { message } = failure(await face(transport, { accessToken: "t" })(name, ...inputs)) as ClientRestError
    const advice =
      finds === undefined
        ? "Check baseUrl: its server or path is wrong."
        : `There is no such ${finds}, or the path of baseUrl is wrong.`
    expect(message).toContain(`(not_found). ${advice} See `)
  })

  test("each message says what to do", async () => {
    const message = async (status: number, name?: string) =>
      (failure(await ask(() => new Response("", { status, headers: { "retry-after": "30" } }), name)) as Error).message
    expect(await message(401)).toContain("obtain a new one, or refresh it")
    expect(await message(403)).toContain("Too many requests: wait before")
    expect(await message(403, "user.mangaList")).toContain(
      "The list is private, or there were too many requests: wait before"
    )
    expect(await message(302)).toContain("Redirects are not followed")
    expect(await message(429)).toContain("Retry after 30 s.")
    expect(await message(500)).toContain("try again later")
    expect(await message(405)).toContain("refuses the method.")
    vi.stubGlobal("document", {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await message(405)).toContain("CORS")
  })

  describe("a reply is the service's", () => {
    const reply = async (name: string, sent: unknown) => value(await ask(() => json(sent), name))

    test("unknown fields and words are kept, with any value", async () => {
      const sent = {
        id: 1,
        title: "One",
        status: "on_the_moon",
        media_type: "hologram",
        surprise: null,
        nested: { null: null, deep: [null, 1, "text", true], text: "text" },
        my_list_status: { status: "forgotten", mood: 3 },
        start_season: { year: 2050, season: "monsoon" }
      }
      expect(await reply("anime.get", sent)).toEqual(sent)
    })

    test("null in a known optional member is absent, at any depth", async () => {
      const related = [{ node: { id: 2, title: "Two", synopsis: null }, relation_type: null }]
      const picture = { medium: null, large: "l" }
      const one = { id: 1, title: "One", mean: null, main_picture: picture, unknown: null }
      expect(await reply("anime.get", { ...one, related_anime: related })).toStrictEqual({
        id: 1,
        title: "One",
        main_picture: { large: "l" },
        unknown: null,
        related_anime: [{ node: { id: 2, title: "Two" } }]
      })
      expect(await reply("anime.search", { data: [{ node: one }], paging: { next: null } })).toStrictEqual({
        data: [{ node: { id: 1, title: "One", main_picture: { large: "l" }, unknown: null } }],
        paging: {}
      })
    })

    test("two known shapes of a member are both accepted as they are", async () => {
      const counts = (watching: unknown) => ({ id: 1, title: "One", statistics: { status: { watching } } })
      expect(await reply("anime.get", counts("12"))).toEqual(counts("12"))
      expect(await reply("anime.get", counts(12))).toEqual(counts(12))
      const poll = { id: 1, question: "Q", closed: false, options: [{ id: 1, text: "A", votes: 2 }] }
      const topic = (poll: unknown) => ({ data: { title: "T", posts: [], poll } })
      expect(await reply("forum.topic", topic(poll))).toEqual(topic(poll))
      expect(await reply("forum.topic", topic([{ ...poll, close: true }]))).toEqual(topic([{ ...poll, close: true }]))
    })

    test("a number that is not finite is left in a member that is not known", async () => {
      const text = '{"id":1,"title":"One","x":1e999}'
      expect(value(await ask(() => new Response(text)))).toMatchObject({ x: Infinity })
    })
  })

  test("a failing transport is ClientNetworkError with the innermost cause", async () => {
    const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
    const error = failure(
      await ask(() => Promise.reject(new TypeError("fetch failed", { cause: new AggregateError([reset]) })))
    )
    expect(error).toMatchObject({
      _tag: "ClientNetworkError",
      reason: "Transport",
      attempts: 1,
      method: "GET",
      cause: { name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }
    })
    expect((error as Error).message).toContain("catalog.anime.get received no complete response")
  })
})

describe("a fetch of the program", () => {
  const throws = () => {
    throw new Error("no header")
  }
  test.each<readonly [string, object]>([
    ["numbers", { get: () => 7, forEach: (each: (...header: ReadonlyArray<unknown>) => void) => each(7, "x-seven") }],
    ["arrays", { get: () => ["7"], forEach: (each: (...header: ReadonlyArray<unknown>) => void) => each([], "x-a") }],
    ["nothing", { get: () => undefined }],
    ["objects that have no string", { get: () => Object.create(null) as object }],
    ["an error", { get: throws, forEach: throws }]
  ])("can have headers that return %s", async (_, headers) => {
    const fetch = async (url: URL) => {
      const isBroken = url.pathname.endsWith("2")
      return {
        status: isBroken ? 503 : 200,
        type: "cors",
        headers,
        text: async () => JSON.stringify(isBroken ? { error: "down" } : { id: 1, title: "One" })
      } as unknown as Response
    }
    await using catalog = createCatalog({ fetch, clientId: "c" })
    const { data, headers: seen } = await catalog.withResponse(catalog.anime.get({ id: 1 }))
    expect(data).toEqual({ id: 1, title: "One" })
    expect(Object.values(seen).every((value) => typeof value === "string")).toBe(true)
    const error: unknown = await catalog.anime.get({ id: 2 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ _tag: "ClientRestError", status: 503, code: "down" })
  })
})

describe.each(faces)("on the %s face, hostile responses", (_, face) => {
  const ask = async (text: string, status = 200, headers: Record<string, string> = {}) =>
    callOver(face, () => new Response(text, { status, headers }), strict)("anime.get", { id: 1 })

  test("a body that is nested too deep to read is an error with its text", async () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000)
    expect(failure(await ask(deep, 500))).toMatchObject({ status: 500, body: deep.slice(0, 8192) })
    const open = '{"id":1,"title":"x","related_anime":[{"node":'
    const related = `${open.repeat(20_000)}null${"}]}".repeat(20_000)}`
    expect(failure(await ask(related))).toMatchObject({ reason: "InvalidBody", body: related.slice(0, 8192) })
  })

  test.each([
    ["in an unknown member", (inner: string) => `{"id":1,"title":"x","surprise":${inner}}`, 1, "[", "]"],
    [
      "in one of an entry",
      (inner: string) => `{"id":1,"title":"x","genres":[{"id":1,"name":"x","x":${inner}}]}`,
      3,
      "[",
      "]"
    ],
    ["where they are objects", (inner: string) => `{"id":1,"title":"x","surprise":${inner}}`, 1, '{"x":', "}"]
  ])("500 levels are a valid reply %s, 501 are not", async (_, around, above, open, close) => {
    const nested = (levels: number) => around(`${open.repeat(levels - above)}0${close.repeat(levels - above)}`)
    expect(value(await ask(nested(500)))).toMatchObject({ id: 1 })
    expect(failure(await ask(nested(501)))).toMatchObject({ reason: "InvalidBody", path: [], body: nested(501) })
    expect(failure(await ask(nested(500), 500))).toMatchObject({ body: { id: 1 } })
    expect(failure(await ask(nested(501), 500))).toMatchObject({ body: nested(501) })
  })

  test("a reply can have any number of lists, and of unknown members", async () => {
    const data = Array.from({ length: 1000 }, (_, id) => ({ node: { id, title: "x", genres: [], surprise: {} } }))
    expect(value(await callOver(face, () => json({ data }))("anime.search", { q: "x" }))).toEqual({ data })
  })

  test("20 MB of JSON in an error are redacted fast and completely", async () => {
    const call = face(
      recording(() => new Response(large, { status: 500 })),
      { accessToken: "a-secret-token/+" }
    )
    const large = JSON.stringify({
      data: Array.from({ length: 250_000 }, (_, id) => `a-secret-token/+ and some words ${id} more of them`)
    })
    const started = performance.now()
    const { body } = failure(await call("anime.get", { id: 1 }, { maxResponseBytes: 2 ** 26 })) as ClientRestError
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(body).toMatch(/^\{"data":\["<redacted> and some words 0 more of them",/)
    expect(body).toHaveLength(8192)
    expect(body).not.toContain("secret")
  })

  test("what the service says is one printable line in a message and a stack, and as it was in the other members", async () => {
    const said = "no\r\n    at forged (x.js:1:1)\u001b[2J\u0085\u2028\u202e\u2066, \u{1f469}\u200d\u{1f680} ü"
    const line =
      "no\\u000d\\u000a    at forged (x.js:1:1)\\u001b[2J\\u0085\\u2028\\u202e\\u2066, \u{1f469}\u200d\u{1f680} ü"
    const error = failure(await ask(JSON.stringify({ error: `e${said}`, message: said }), 400)) as ClientRestError
    expect(error).toMatchObject({ code: `e${said}`, serviceMessage: said, body: { message: said } })
    const ended = failure(await callOver(face, () => Promise.reject(new Error(said)))("anime.get", { id: 1 })) as Error
    expect(ended).toMatchObject({ _tag: "ClientNetworkError", cause: { message: said } })
    for (const { message, stack } of [error, ended]) {
      expect(message).toContain(line)
      expect(stack).toContain(`: ${message}`)
      expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u)
    }
    expect(String(error)).toContain(line)
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ message: error.message, serviceMessage: said })
  })

  test("a URL of a megabyte is cut in errors, and whole for the request", async () => {
    const q = `start ${"ü".repeat(170_000)}`
    for (const respond of [() => json({}, { status: 400 }), () => Promise.reject(new Error(q))]) {
      const { requests, ...transport } = recording(respond)
      const error = failure(await face(transport, credentials)("anime.search", { q })) as ClientRestError
      expect(requests[0]?.url.searchParams.get("q")).toBe(q)
      expect(error.url).toMatch(/^https:.*\?q=start(\+|%20)%C3%BC.*…$/)
      expect(JSON.stringify(error).length).toBeLessThan(20_000)
      expect(error.message.length).toBeLessThan(6_000)
    }
  })

  test("a body of more bytes than are allowed is not read to its end", async () => {
    let given = 0
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            given += 1000
            controller.enqueue(new Uint8Array(1000).fill(0x20))
          }
        })
      )
    const call = callOver(face, endless)
    expect(failure(await call("anime.get", { id: 1 }, { maxResponseBytes: 4_500 }))).toMatchObject({
      _tag: "ClientNetworkError",
      reason: "ResponseTooLarge",
      attempts: 1,
      cause: { message: "the body has more than 4500 bytes" }
    })
    expect(given).toBeLessThan(8_000)
    // A deletion needs nothing of its body.
    expect(value(await call("anime.deleteFromList", { id: 1 }, { maxResponseBytes: 4_500 }))).toBeUndefined()
  })

  test("a body of more than 8 MiB needs a larger limit: parsing one of 64 could end the process", async () => {
    const big = (length: number) => `{"id":1,"title":"x","surprise":"${"x".repeat(length)}"}`
    const [small, large] = [8, 8.5].map((mebibytes) => big(mebibytes * 2 ** 20 - 100))
    for (const text of [small, large] as ReadonlyArray<string>) {
      const call = callOver(face, () => new Response(text))
      expect((await call("anime.get", { id: 1 })).ok).toBe(text === small)
      expect((await call("anime.get", { id: 1 }, { maxResponseBytes: 2 ** 24 })).ok).toBe(true)
    }
  })

  test("a body of as many bytes as are allowed is read, counted as bytes", async () => {
    const text = JSON.stringify({ id: 1, title: "ü" })
    const tooFew = { ...credentials, maxResponseBytes: text.length }
    const call = callOver(face, () => new Response(text), tooFew)
    expect(value(await call("anime.get", { id: 1 }, { maxResponseBytes: text.length + 1 }))).toEqual(JSON.parse(text))
    expect(failure(await call("anime.get", { id: 1 }))).toMatchObject({ reason: "ResponseTooLarge" })
    expect(value(await call("anime.get", { id: 1 }, { maxResponseBytes: Infinity }))).toEqual(JSON.parse(text))
  })

  test("the body of an error is unchanged, with its nulls", async () => {
    const sent = { id: 1, title: "x", main_picture: { medium: null, large: "l" }, genres: {} }
    expect(failure(await ask(JSON.stringify(sent)))).toMatchObject({ path: ["genres"], body: sent })
  })
})
