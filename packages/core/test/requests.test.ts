/**
 * How inputs become a request: no input can change the path, the query or the form beyond its own place, nor the operation
 * once it is made.
 */
import { createCatalog } from "catalog-client"
import { Catalog, ClientValidationError, Credentials, isInputTypeError } from "@catalog-client/core"
import type { CatalogPolicy } from "@catalog-client/core"
import { Effect, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { allFaces, anonymous, failure, json, recording, value } from "./support/faces.js"
import { runs } from "./support/full.js"
import { hostile, wellFormed } from "./support/hostile.js"

const { requests, fetch } = recording((request) =>
  json(request.method === "PATCH" ? { score: 1 } : { id: 1, title: "x", data: [], name: "x" })
)
const catalog = createCatalog({ fetch, accessToken: "t", baseUrl: "http://h.example/base" })
const last = () => {
  const request = requests.at(-1)
  if (request === undefined) {
    throw new Error("nothing was sent")
  }
  return request
}

const segments = () => last().url.pathname.split("/").slice(1)

test("a user name stays one segment of the path", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (username) => {
      fc.pre(username.trim() !== "" && username.trim().toLowerCase() !== "@me" && !/^\.\.?$/.test(username))
      await catalog.user.animeList({ username })
      expect(segments()).toHaveLength(4)
      expect(decodeURIComponent(segments()[2] ?? "")).toBe(wellFormed(username))
      expect([segments()[0], segments()[1], segments()[3]]).toEqual(["base", "users", "animelist"])
      expect(last().url.search).toBe("?limit=100")
      expect(last().url.hash).toBe("")
    }),
    runs(300)
  )
})

test("numbers are written as JavaScript writes them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ noNaN: true, noDefaultInfinity: true }), async (id) => {
      await catalog.anime.get({ id })
      expect(decodeURIComponent(segments()[2] ?? "")).toBe(String(id))
    })
  )
})

const name = fc.stringMatching(/^[a-z_]{1,12}$/)
const selector = fc.letrec<{ readonly one: string; readonly many: ReadonlyArray<string> }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    name,
    fc.tuple(name, tie("many")).map(([name, inner]) => `${name}{${inner.join(",")}}`)
  ),
  many: fc.array(tie("one"), { minLength: 1, maxLength: 4 })
})).many

test("a selector means the same as an array, as a text, and with blanks in it", async () => {
  const wire = async (fields: string | ReadonlyArray<string>) => {
    await catalog.anime.get({ id: 1 }, { fields })
    return last().url.searchParams.get("fields")
  }
  await fc.assert(
    fc.asyncProperty(
      selector,
      fc.array(fc.constantFrom("", " ", "\n", "\t  "), { minLength: 1 }),
      async (names, blanks) => {
        const plain = names.join(",")
        let turn = 0
        const spaced = plain.replace(
          /[,{}]/g,
          (mark) => blanks[turn++ % blanks.length] + mark + blanks[turn++ % blanks.length]
        )
        expect(await wire(names)).toBe(plain)
        expect(await wire(plain)).toBe(plain)
        expect(await wire(`${blanks[0]}${spaced},`)).toBe(plain)
      }
    )
  )
})

describe.each(allFaces)("on the %s face", (_, face) => {
  const mustBe = "must be a string, a finite number, a boolean or an array of strings, but it is"
  test.each([
    ["anime.get", { id: NaN }, '"id" must be a finite number, but it is NaN'],
    ["anime.get", { id: "1/../2" }, '"id" must be a finite number, but it is "1/../2"'],
    ["anime.get", undefined, '"id" must be a finite number, but it is undefined'],
    ["anime.seasonal", { season: "fall" }, '"year" must be a finite number, but it is undefined'],
    ["anime.seasonal", { year: 2017 }, '"season" must be a string, for example "winter", but it is undefined'],
    ["anime.seasonal", { year: 2017, season: ".." }, '"season" must be a string, for example "winter", but it is ".."'],
    ["user.get", { username: "." }, '"username" must be a string other than "", "." and "..", but it is "."'],
    ["manga.ranking", { rankingType: null }, '"rankingType" must be a string, for example "all", but it is null'],
    ["anime.search", { q: {} }, `"q" ${mustBe} a value of type object`],
    ["anime.search", { q: "x", limit: NaN }, `"limit" ${mustBe} NaN`],
    [
      "anime.updateMyListStatus",
      { id: 1, score: -Infinity },
      '"score" must be a score of 0 to 10, or 0 to remove it, but it is -Infinity'
    ],
    [
      "anime.updateMyListStatus",
      { id: 1, score: 5, finish_date: null },
      '"finish_date" must be a date such as 2026-04-03, or "" to remove it, but it is null'
    ],
    [
      "manga.updateMyListStatus",
      { id: 1, tags: null },
      '"tags" must be an array of strings, or [] to remove it, but it is null'
    ],
    ["anime.get", 30230, '"params" must be an object such as { id: … }, but it is 30230'],
    ["user.me", ["name"], '"options" must be an object such as { timeout: … }, but it is an array'],
    ["forum.boards", 5, '"options" must be an object such as { timeout: … }, but it is 5']
  ])("%s(%j) is a mistake of the program", async (name, params, message) => {
    const { requests, ...transport } = recording(() => json({}))
    const error = failure(await face(transport, { accessToken: "t" })(name, params))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toBe(`catalog.${name}: ${message}`)
    expect(isInputTypeError(error)).toBe(true)
    expect(requests).toEqual([])
  })

  test.each([
    ["anime.ranking", { ranking_type: "movie" }, 'has no input "ranking_type": did you mean "rankingType"?'],
    ["anime.seasonal", { year: 2017, seaosn: "fall" }, 'has no input "seaosn": did you mean "season"?'],
    ["manga.search", { q: "rain", Limit: 5 }, 'has no input "Limit": did you mean "limit"?'],
    [
      "anime.updateMyListStatus",
      { id: 1, status: "watching", num_episodes_watched: 3 },
      'has no input "num_episodes_watched": did you mean "num_watched_episodes"?'
    ],
    [
      "anime.updateMyListStatus",
      { id: 1, score: 5, end_date: "2026-04-03" },
      'has no input "end_date": it takes id, status, num_watched_episodes, score, comments, is_rewatching, num_times_rewatched, rewatch_value, priority, tags, start_date, finish_date'
    ],
    [
      "manga.updateMyListStatus",
      { id: 1, num_chapters_read: 5, num_volumes: 1 },
      'has no input "num_volumes": it takes id, status, num_chapters_read, num_volumes_read, score, comments, is_rereading, num_times_reread, reread_value, priority, tags, start_date, finish_date'
    ],
    ["anime.get", { id: 1, fields: "mean" }, 'has no input "fields": pass it in the options, the second object'],
    ["anime.search", { q: "rain", nsfw: true }, 'has no input "nsfw": pass it in the options, the second object'],
    ["anime.search", { q: "rain", timeout: 5 }, 'has no input "timeout": pass it in the options, the second object']
  ])("%s(%j) has a name among its inputs that would be ignored", async (name, params, message) => {
    const { requests, ...transport } = recording(() => json({}))
    const error = failure(await face(transport, { accessToken: "t" })(name, params))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toBe(`catalog.${name} ${message}`)
    expect(isInputTypeError(error)).toBe(true)
    expect(requests).toEqual([])
  })

  test.each([
    [
      "anime.search",
      { query: "rain" },
      '"q" is missing or empty. Pass a keyword to search for. There is no input "query".'
    ],
    ["anime.search", { q: " ", id: 1, nsfw: true }, 'There is no input "nsfw".'],
    ["anime.search", { "q\n": "rain" }, 'There is no input "q\\n".'],
    ["user.animeList", { user_name: "me" }, 'There is no input "user_name".'],
    ["user.get", { name: "@me" }, 'There is no input "name".'],
    ["manga.updateMyListStatus", { id: 1, end_date: "2020" }, 'num_chapters_read. There is no input "end_date".']
  ])("%s(%j) breaks a rule, and the message names the input that would be ignored", async (name, params, message) => {
    const { requests, ...transport } = recording(() => json({}))
    const error = failure(await face(transport, { accessToken: "t" })(name, params))
    expect(error).toBeInstanceOf(ClientValidationError)
    expect((error as Error).message).toContain(`${message} See `)
    expect(requests).toEqual([])
  })

  test.each([
    ["anime.deleteFromList", { id: 1, title: "Rain" }, "/anime/1/my_list_status"],
    ["anime.updateMyListStatus", { id: 1, score: 5, end_date: undefined }, "/anime/1/my_list_status"],
    ["anime.get", { id: 1, title: "Rain", nsfw: "white", mean: 8.1, genres: [] }, "/anime/1"],
    ["anime.ranking", { rankingType: "tv", ranking_type: "movie" }, "/anime/ranking?ranking_type=tv"],
    ["anime.ranking", { rankingType: "tv", limits: undefined, "": 1 }, "/anime/ranking?ranking_type=tv"]
  ])("%s(%j) is sent: params can have other members", async (name, params, url) => {
    const { requests, ...transport } = recording(() => json({}))
    await face(transport, { accessToken: "t" })(name, params)
    expect(requests.map((request) => request.url.href.slice(-url.length))).toEqual([url])
  })

  test.each([
    ["anime.search", { q: "rain" }, { limit: 5 }, "limit"],
    ["anime.updateMyListStatus", { id: 1 }, { status: "watching" }, "status"]
  ])("an input among the options is a mistake of the program: %s(%j, %j)", async (name, params, options, input) => {
    const { requests, ...transport } = recording(() => json({}))
    const error = failure(await face(transport, { accessToken: "t" })(name, params, options))
    expect(error).toEqual(
      new TypeError(`catalog.${name} has no option "${input}": pass it in the params, the first object`)
    )
    expect(requests).toEqual([])
  })

  test.each([
    ["feilds", ': did you mean "fields"?'],
    ["clientID", ': did you mean "clientId"?'],
    ["access_token", ': did you mean "accessToken"?'],
    ["apiKey", ': did you mean "clientId"?'],
    ["direction", ": it takes timeout, totalTimeout, maxResponseBytes, signal, nsfw, accessToken, clientId"],
    ["max", ": it takes timeout, "],
    ["baseUrl", ": it takes timeout, "]
  ])("an unknown option %s is a mistake of the program", async (option, suggestion) => {
    const { requests, ...transport } = recording(() => json({}))
    for (const name of ["anime.get", "anime.suggestions"]) {
      const call = face(transport, { accessToken: "t" })
      const inputs = name === "anime.get" ? [{ id: 1 }] : []
      const error = failure(await call(name, ...inputs, { [option]: "backward" }))
      expect(String(error)).toContain(`TypeError: catalog.${name} has no option "${option}"${suggestion}`)
      expect(isInputTypeError(error)).toBe(false)
    }
    expect(requests).toEqual([])
  })

  test("names and values of strangers are one short printable line in a message", async () => {
    const { requests, ...transport } = recording(() => json({}))
    const call = face(transport, { accessToken: "t" })
    const forged = "\n2026-01-01 root signed in\u001b[2J\u2028\u202e\u009b"
    const long = "x".repeat(1_000_000)
    for (const text of [forged, long]) {
      for (const inputs of [
        [{ id: 1 }, { [text]: 1 }],
        [{ id: 1 }, { headers: { [`${text} `]: "x" } }],
        [{ id: 1 }, { accessToken: 1, [text]: 1 }],
        [{ id: text }],
        [{ id: 1 }, { timeout: text }]
      ]) {
        const error = failure(await call("anime.get", ...inputs)) as Error
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message.length).toBeLessThan(500)
        expect(error.message).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u)
      }
    }
    const near = failure(await call("anime.ranking", { "rankingType\n": "tv" })) as Error
    expect(near.message).toBe('catalog.anime.ranking has no input "rankingType\\n": did you mean "rankingType"?')
    expect(requests).toEqual([])
  })

  test("a record of many other members takes linear time", async () => {
    const { requests, ...transport } = recording(() => json({ id: 1, title: "One" }))
    const others = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name${index}`, index]))
    const began = performance.now()
    await face(transport, {})("anime.get", { id: 1, ...others })
    expect(requests).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test("an unknown option with undefined is ignored", async () => {
    const transport = recording(() => json({ id: 1, title: "One" }))
    value(await face(transport, {})("anime.get", { id: 1 }, { feilds: undefined, clientID: null }))
  })

  test("options and a selector of another type are mistakes, too", async () => {
    const { requests, ...transport } = recording(() => json({}))
    const isObject = 'catalog.anime.get: "options" must be an object'
    const isSelector = 'catalog.anime.get: "fields" must be a string or an array of strings'
    for (const defaults of [{}, { fields: "title" } as object]) {
      for (const [message, wrong] of [
        [isObject, [5, "mean", ["mean"], new Map([["fields", "mean"]])]],
        [isSelector, [{ fields: 5 }, { fields: [1] }, { fields: {} }]]
      ] as const) {
        for (const options of wrong) {
          const error = failure(await face(transport, defaults)("anime.get", { id: 1 }, options))
          expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining(message) })
        }
      }
    }
    expect(requests).toEqual([])
  })

  test("the owner of the token is @me, and for lists in any case", async () => {
    const { requests, ...transport } = recording(() => json({ id: 1, name: "x", data: [] }))
    const call = face(transport, { accessToken: "t" })
    for (const [name, username, path] of [
      ["user.animeList", "\t@ME", "/users/@me/animelist"],
      ["user.get", "@me", "/users/@me"],
      ["user.get", " @ME ", "/users/%20%40ME%20"]
    ] as const) {
      value(await call(name, { username }))
      expect(requests.at(-1)?.url.pathname).toBe(`/v2${path}`)
    }
  })
})

describe("an operation", () => {
  test("is not changed by inputs that change later", async () => {
    const { requests, layer } = recording(() => json({ data: [], status: "watching" }))
    const params = { id: 1, tags: ["one"] }
    const called: Array<string> = []
    const policies: Array<CatalogPolicy.Policy> = [
      (call, attempt) => {
        called.push(call.operation)
        return attempt
      }
    ]
    const options = { fields: ["mean"], nsfw: true, policies }
    const get = Catalog.anime.search({ q: "x" }, options)
    const write = Catalog.anime.updateMyListStatus(params)
    options.nsfw = false
    options.fields.push("rank")
    policies.length = 0
    params.id = 2
    params.tags[0] = "two"
    await Effect.runPromise(
      Effect.provide(Effect.zipRight(get, write), [layer, Credentials.layer({ accessToken: "t" })])
    )
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({ fields: "mean", nsfw: "true" })
    expect(requests[1]).toMatchObject({ body: "tags=one", url: { pathname: "/v2/anime/1/my_list_status" } })
    expect(called).toEqual(["catalog.anime.search"])
  })

  test("accepts inputs that are instances of a class, with its accessors", async () => {
    class Query {
      readonly #word: string
      constructor(word: string) {
        this.#word = word
      }
      get q() {
        return this.#word
      }
      get limit() {
        return 7
      }
    }
    class Mean {
      get fields() {
        return ["mean"]
      }
    }
    class Cancelled {
      get signal() {
        return AbortSignal.abort("long ago")
      }
    }
    const { requests, fetch, layer } = recording(() => json({ data: [] }))
    const { search } = createCatalog({ fetch }).anime
    const max = { max: { value: 3, enumerable: true } }
    await search(new Query("x"), new Mean())
    await Effect.runPromise(Effect.provide(Catalog.anime.search(new Query("x"), new Mean()), anonymous(layer)))
    await search.collect(new Query("x"), Object.create(new Mean(), max) as { readonly max: number })
    await expect(search(new Query("x"), new Cancelled())).rejects.toMatchObject({ cause: { message: "long ago" } })
    await expect(search(new Query(" "))).rejects.toMatchObject({ _tag: "ClientValidationError" })
    const query = { q: "x", limit: "7", fields: "mean" }
    expect(requests.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([query, query, query])
  })

  test("has its name", () => {
    expect(Catalog.anime.get.name).toBe("catalog.anime.get")
  })
})
