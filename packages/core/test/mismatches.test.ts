/**
 * Replies in which something has another type than expected: what arrives, and who is notified.
 */
import { createCatalog } from "catalog-client"
import { Catalog, CatalogHooks, type ClientRestError, Credentials, Fields, Transport } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { HttpClient } from "@effect/platform"
import { Effect, FastCheck as fc, Layer, Schema } from "effect"
import { describe, expect, test } from "vitest"
import * as Models from "../src/generated/models.js"
import { alternativesOf, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../src/internal/model/ast.js"
import { allFaces, failure, json, recording, openFaces, value } from "./support/faces.js"
import { runs, sampled } from "./support/full.js"
import { stubService } from "./support/stubService.js"
import { labelled, measured, recordingLogger, recordingTracer } from "./support/telemetry.js"
import { onlyEffect } from "./support/only.js"

/** For any read that takes params. */
const inputs = { id: 1, q: "x", year: 2017, season: "fall", rankingType: "all", username: "a", userName: "a", score: 1 }

const isWithoutParams = (name: string) => name === "user.me" || name === "forum.boards"

const inputsOf = (name: string) =>
  isWithoutParams(name) ? [] : [name.endsWith("updateMyListStatus") ? { id: 1, score: 1 } : inputs]

const entry = (id: number, more: object = {}) => ({ node: { id, title: `Title ${id}`, num_episodes: 12, ...more } })

describe.each(allFaces)("on the %s face", (_, face) => {
  const ask = (name: string, body: unknown, options: object = {}) =>
    face(
      {
        ...recording(() => (typeof body === "string" ? new Response(body) : json(body))),
        logger: recordingLogger()
      },
      { accessToken: "t", ...options }
    )(name, ...inputsOf(name))

  test("one mistyped member of one of a thousand entries costs that member alone", async () => {
    const entries = Array.from({ length: 1_000 }, (_, id) => entry(id))
    const data = [...entries.slice(0, 500), entry(500, { num_episodes: "12" }), ...entries.slice(501)]
    const page = value(await ask("user.animeList", { data, paging: {} })) as { data: ReadonlyArray<object> }
    expect(page.data).toHaveLength(1_000)
    expect(page.data[500]).toStrictEqual({ node: { id: 500, title: "Title 500" } })
    expect({ ...page, data: page.data.toSpliced(500, 1) }).toStrictEqual({
      data: entries.toSpliced(500, 1),
      paging: {}
    })
  })

  test.each([
    ["a text for a number", { mean: "8.3" }, {}],
    ["an object for an array", { genres: {}, rank: 1 }, { rank: 1 }],
    ["a text for an object", { main_picture: "url" }, {}],
    [
      "a member within an element",
      { genres: [{ id: 1 }, { id: "x", name: "y" }] },
      { genres: [{ id: 1 }, { name: "y" }] }
    ],
    ["an element", { genres: [{ id: 1 }, 5, null] }, { genres: [{ id: 1 }] }],
    [
      "an element of texts",
      { alternative_titles: { synonyms: ["a", 5, "b"], en: 1 } },
      { alternative_titles: { synonyms: ["a", "b"] } }
    ],
    [
      "an optional object whose required member is missing",
      { related_anime: [{ node: { id: 2 }, relation_type: "sequel" }, { node: { id: 3, title: "Three" } }] },
      { related_anime: [{ relation_type: "sequel" }, { node: { id: 3, title: "Three" } }] }
    ],
    ["a null beside it", { mean: "8", rank: null, synopsis: "S" }, { synopsis: "S" }],
    [
      "neither of two types",
      { statistics: { num_list_users: 1, status: { watching: true } } },
      { statistics: { num_list_users: 1, status: {} } }
    ]
  ])("an optional member of a wrong type is absent: %s", async (_, given, expected) => {
    const one = { id: 1, title: "One", unknown: [null, 1] }
    expect(value(await ask("anime.get", { ...one, ...given }))).toStrictEqual({ ...one, ...expected })
  })

  test("a number that JavaScript cannot represent is absent, too", async () => {
    const reply = value(await ask("anime.get", '{"id":1,"title":"One","rank":1,"mean":1e999}'))
    expect(reply).toStrictEqual({ id: 1, title: "One", rank: 1 })
  })

  test.each([
    ["anime.get", { id: "1", title: "One" }, ["id"], "expected a number, found a string"],
    ["anime.get", { id: 1 }, ["title"], "expected a string, found nothing"],
    ["anime.get", { id: 1, title: null }, ["title"], "expected a string, found null"],
    ["anime.get", [], [], "expected an object, found an array"],
    ["anime.get", '{"id":1e999,"title":"One"}', ["id"], "expected a number, found a number that is too large"],
    ["manga.search", { data: [entry(1), {}] }, ["data", 1, "node"], "expected an object, found nothing"],
    [
      "manga.search",
      { data: [entry(1), { node: { id: 1, mean: "8" } }] },
      ["data", 1, "node", "title"],
      "expected a string, found nothing"
    ],
    ["manga.search", { data: {} }, ["data"], "expected an array, found an object"],
    ["manga.search", { paging: {} }, ["data"], "expected an array, found nothing"],
    ["forum.boards", {}, ["categories"], "expected an array, found nothing"],
    ["forum.topic", { data: { posts: true } }, ["data", "posts"], "expected an array, found a boolean"],
    ["user.me", { id: 1 }, ["name"], "expected a string, found nothing"],
    ["anime.ranking", { data: [entry(1)] }, ["data", 0, "ranking"], "expected an object, found nothing"],
    [
      "manga.ranking",
      { data: [{ ...entry(1), ranking: {} }] },
      ["data", 0, "ranking", "rank"],
      "expected a number, found nothing"
    ]
  ])("%s: a required member stays required, and the error says what was there: %j", async (name, body, path, why) => {
    const error = failure(await ask(name, body)) as ClientRestError
    const [, expected, found] = /^expected (.+), found (.+)$/.exec(why) ?? []
    expect(error).toMatchObject({ reason: "InvalidBody", status: 200, path, expected, found })
    const at = path.length === 0 ? "" : ` (at ${path.join(".")})`
    expect(error.message).toContain(`a body that is not the operation's reply${at}: ${why}. `)
  })

  test('mismatch: "fail" fails for any of them, and says why without the value', async () => {
    const strict = { mismatch: "fail" }
    const body = { data: [entry(1), entry(2, { num_episodes: "a secret value" })] }
    const error = failure(await ask("anime.search", body, strict)) as ClientRestError
    expect(error).toMatchObject({
      reason: "InvalidBody",
      path: ["data", 1, "node", "num_episodes"],
      expected: "a number",
      found: "a string",
      body
    })
    expect(error.message).toContain("(at data.1.node.num_episodes): expected a number, found a string. ")
    expect(error.message).not.toContain("secret")
    expect(failure(await ask("anime.get", { id: 1, title: "T", genres: [5] }, strict))).toMatchObject({
      path: ["genres", 0],
      expected: "an object",
      found: "a number"
    })
    expect(failure(await ask("forum.topic", { data: { posts: [], poll: 3 } }, strict))).toMatchObject({
      path: ["data", "poll"],
      expected: "an object or an array"
    })
    const poll = { id: 1, options: [{ votes: "many" }] }
    expect(failure(await ask("forum.topic", { data: { posts: [], poll } }, strict))).toMatchObject({
      path: ["data", "poll", "options", 0, "votes"]
    })
    expect(value(await ask("anime.get", { id: 1, title: "T", mean: null }, strict))).toStrictEqual({
      id: 1,
      title: "T"
    })
  })

  test("mismatch rejects any other word", async () => {
    const error = failure(
      await ask("anime.get", {}, { mismatch: "ignore" }).catch((error: unknown) => ({ ok: false as const, error }))
    )
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('mismatch must be "omit" or "fail", but it is "ignore"')
  })

  test("links to other pages are never left out, since a list would end too early", async () => {
    for (const [paging, path, expected] of [
      [[], ["paging"], "an object"],
      [{ next: 5 }, ["paging", "next"], "a string"]
    ] as const) {
      const error = failure(await ask("anime.search", { data: [], paging })) as ClientRestError
      expect(error).toMatchObject({ reason: "InvalidBody", path, expected })
      expect(error.message).toContain(`expected ${expected}`)
    }
  })

  test("a reply that is nested too deeply stays an error, also in a member of a wrong type", async () => {
    const deep = `${"[".repeat(600)}${"]".repeat(600)}`
    const text = `{"id":1,"title":"One","mean":${deep}}`
    expect(failure(await ask("anime.get", text))).toMatchObject({ reason: "InvalidBody", path: [], body: text })
  })

  test("the hook is called once for each path, with counts and no values", async () => {
    const events: Array<CatalogHooks.Events["onMismatch"]> = []
    const hooks = { onMismatch: (event: CatalogHooks.Events["onMismatch"]) => events.push(event) }
    const data = [
      entry(1, { mean: "8" }),
      entry(2, { mean: {}, genres: [1, 2] }),
      entry(3, { mean: "a", my_list_status: { tags: 5 } })
    ]
    const options = { hooks, baseUrl: "https://one.test" }
    value(await ask("anime.search", { data }, options))
    const about = {
      operation: "catalog.anime.search",
      method: "GET",
      url: expect.stringContaining("https://one.test/anime?q=x")
    }
    expect(events).toEqual([
      { ...about, path: "data[].node.mean", expected: "a number", found: "a string", count: 3 },
      { ...about, path: "data[].node.genres[]", expected: "an object", found: "a number", count: 2 },
      { ...about, path: "data[].node.my_list_status.tags", expected: "an array", found: "a number", count: 1 }
    ])
    value(await ask("anime.search", { data }, options))
    expect(events).toHaveLength(6)
    failure(await ask("anime.search", { data: [entry(1, { mean: "8", id: "x" })] }, options))
    expect(events).toHaveLength(6)
    // What was left out of a part does not count once the part itself is left out.
    const inner = ["One", 5, 5].map((title, id) => ({ node: { mean: "8", id, title } }))
    value(await ask("anime.get", { id: 1, title: "One", related_anime: inner }, options))
    expect(events.slice(6)).toMatchObject([
      { path: "related_anime[].node.mean", count: 1 },
      { path: "related_anime[].node.title", expected: "a string", found: "a number", count: 2 }
    ])
    value(await ask("anime.get", { id: 1, title: "One", related_anime: inner.slice(1) }, options))
    expect(events.slice(8)).toMatchObject([{ path: "related_anime[].node.title", count: 2 }])
  })
})

/** CPU in milliseconds. */
const cpuOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

/** So many members or elements. */
const repeated = (length: number, piece: (index: number) => string): string =>
  Array.from({ length }, (_, i) => piece(i)).join()

describe("validating a reply costs little more than its JSON.parse", () => {
  /** The same element, until the reply is large. */
  const many = (element: string) => repeated(Math.ceil(400_000 / (element.length + 1)), () => element)
  const anime = (members: string) => `{"id":1,"title":"T",${members}}`
  const wide = (name: (index: number) => string, value = "0") =>
    repeated(200_000, (index) => `"${name(index)}":${value}`)
  const bodies: Readonly<Record<string, () => string>> = {
    "a list": () => `[${many("1")}]`,
    "wrong elements": () => anime(`"genres":[${many("1")}]`),
    "texts and numbers that are too large": () => anime(`"alternative_titles":{"synonyms":[${many('"a",1e999')}]}`),
    "elements with a wrong member": () => anime(`"genres":[${many('{"id":"1"}')}]`),
    "elements with null": () => anime(`"related_anime":[${many('{"id":null,"node":{"mean":"1"}}')}]`),
    "elements with numeric names": () =>
      anime(`"genres":[${many(`{"id":null,${repeated(64, (index) => `"${index * 7_919}":0`)}}`)}]`),
    "keys with a meaning in JavaScript": () => anime(`"genres":[${many('{"__proto__":1,"constructor":{}}')}]`),
    "parts that are left out after parts of theirs": () =>
      anime(`"related_anime":[${many(`{"node":{"id":1,"genres":[${repeated(900, () => "1")}],"title":5}}`)}]`),
    "unknown lists within each other": () => anime(`"mean":null,"surprise":[${many("[[[]]]")}]`),
    "unknown lists of 400 levels": () => anime(`"genres":{"x":[${many("[".repeat(400) + "]".repeat(400))}]}`),
    "numeric names": () => anime(`"mean":null,"rank":null,${wide((index) => `${index}`)}`),
    "numeric names with gaps": () =>
      anime(`"mean":"8","main_picture":{${wide((index) => `${index * 7_919}`, "null")}}`),
    "numbers that are no indices": () => anime(`"genres":[{"id":null,${wide((index) => `${index + 5e9}`, "{}")}}]`),
    "other names": () => anime(`"surprise":{${wide((index) => `__proto__${index}`)}}`),
    "escaped names": () => anime(`"mean":null,${wide((index) => `\\u0030${index}x`)}`)
  }

  let body = new Uint8Array()

  test.each(sampled(["omit", "fail"] as const, 2))("with mismatch: %s", async (mismatch) => {
    await using catalog = createCatalog({
      fetch: () => Promise.resolve(new Response(body)),
      accessToken: "t",
      logLevel: "none",
      mismatch,
      hooks: { onMismatch: () => {} }
    })
    const settle = () => catalog.anime.get({ id: 1 }).catch((error: unknown) => error)
    for (const [name, text] of Object.entries(bodies)) {
      body = new TextEncoder().encode(text())
      let over = Infinity
      // A busy machine makes a single run dearer.
      for (let run = 0; run < 5 && over > 0; run++) {
        const parse = await cpuOf(() => JSON.parse(new TextDecoder().decode(body)))
        over = Math.min(over, (await cpuOf(settle)) - 2.5 * parse - 50)
      }
      expect(over, name).toBeLessThanOrEqual(0)
    }
  })
})

// The transport of promises passes on a body as `fetch` has it.
onlyEffect(test)("a body of many small parts is copied while it arrives, and no part is held", async () => {
  const body = new TextEncoder().encode(`{"id":1,"title":"${"é".repeat(500_000)}"}`)
  const part = new Uint8Array(1)
  const transport = Transport.make({} as never, (_, receiver) => {
    receiver.onHeaders(200, () => undefined)
    receiver.onData(body.slice(0, 1))
    // Each part overwrites the one before.
    for (const byte of body.subarray(1)) {
      part[0] = byte
      receiver.onData(part)
    }
    receiver.onEnd()
    return () => {}
  })
  const live = Layer.merge(Layer.succeed(HttpClient.HttpClient, transport), Credentials.layerNone)
  const { title } = await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), live))
  expect(title).toHaveLength(500_000)
})

describe("a thousand mismatches at one path", () => {
  test("a thousand mismatches at one path are omitted and counted, and one more is InvalidBody", async () => {
    const events: Array<CatalogHooks.Events["onMismatch"]> = []
    const entries = (count: number) => Array.from({ length: count }, (_, id) => entry(id, { mean: "8", rank: "1" }))
    let count = 1_000
    await using catalog = createCatalog({
      fetch: () => Promise.resolve(json({ data: entries(count), paging: {} })),
      accessToken: "t",
      logLevel: "none",
      hooks: { onMismatch: (event) => events.push(event) }
    })
    const call = () => catalog.user.animeList({ username: "a", limit: 1_000 })
    expect((await call()).data).toHaveLength(1_000)
    expect(events.map(({ count, path }) => [path, count])).toEqual([
      ["data[].node.mean", 1_000],
      ["data[].node.rank", 1_000]
    ])
    count++
    await expect(call()).rejects.toMatchObject({ reason: "InvalidBody", path: ["data", 1_000, "node", "mean"] })
    expect(events).toHaveLength(2)
  })

  test("are at most as many in parts that are then left out themselves", async () => {
    const wrong = { node: { id: 1, genres: Array<number>(600).fill(1), title: 5 } }
    let related = [wrong]
    await using catalog = createCatalog({
      fetch: () => Promise.resolve(json({ id: 1, title: "T", related_anime: related })),
      logLevel: "none"
    })
    expect(await catalog.anime.get({ id: 1 })).toStrictEqual({ id: 1, title: "T", related_anime: [{}] })
    related = [wrong, wrong]
    await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({
      reason: "InvalidBody",
      path: ["related_anime", 1, "node", "genres", 400]
    })
  })
})

describe("never silent", () => {
  const drifting = { id: 1, title: "One", mean: "8.3", rank: "secret" }
  const warning =
    /^catalog[.]anime[.]get: mean of the reply was omitted \(logged once\): expected a number, found a string[.] /

  test("each operation and path is warned about once, without the value", async () => {
    const { layer: logger, texts } = recordingLogger()
    const service = stubService({ body: drifting })
    const get = Catalog.anime.get({ id: 1 })
    await Effect.all([get, get, Catalog.manga.get({ id: 1 })]).pipe(
      Effect.provide([service.layer, logger]),
      Effect.runPromise
    )
    expect(texts).toHaveLength(4)
    expect(texts[0]).toMatch(warning)
    expect(texts.map((text) => text.split(" of")[0])).toEqual(
      ["anime.get: mean", "anime.get: rank", "manga.get: mean", "manga.get: rank"].map((about) => `catalog.${about}`)
    )
    expect(texts.join()).not.toMatch(/8[.]3|secret/)
  })

  test("a client remembers no more than 256 warnings, and counts on", async () => {
    const { layer: logger, texts } = recordingLogger()
    const events: Array<CatalogHooks.Events["onMismatch"]> = []
    const replies = [Models.Anime, Models.Manga, Models.AnimeListPage, Models.MangaListPage] as ReadonlyArray<
      Schema.Schema<unknown>
    >
    const mistyped = (ast: Ast) =>
      optionals(ast)
        .filter(({ type }) => primitiveOf(type) !== undefined)
        .reduce((value, { path }) => changed(value, path, { value: {} }), full(ast))
    const service = stubService(...replies.map(({ ast }) => ({ body: { ...(mistyped(ast) as object), paging: null } })))
    await Effect.all([
      Catalog.anime.get({ id: 1 }),
      Catalog.manga.get({ id: 1 }),
      Catalog.user.animeList({ username: "a" }),
      Catalog.user.mangaList({ username: "a" })
    ]).pipe(
      Effect.provide([service.layer, logger, CatalogHooks.layer({ onMismatch: (event) => events.push(event) })]),
      Effect.runPromise
    )
    expect(events.length).toBeGreaterThan(256)
    expect(texts).toHaveLength(256)
  })

  test("a catalog and its views warn once, a catalog over another transport again", async () => {
    const lines: Array<string> = []
    const open = () =>
      createCatalog({ fetch: () => Promise.resolve(json(drifting)), logger: { warn: (line) => lines.push(line) } })
    await using one = open()
    await one.anime.get({ id: 1 })
    for (const accessToken of ["a", "b", "c"]) {
      await one.withOptions({ accessToken }).anime.get({ id: 1 })
    }
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(warning)
    await using other = open()
    await other.anime.get({ id: 1 })
    expect(lines).toHaveLength(4)
  })

  test("a view can fail where its catalog omits", async () => {
    await using catalog = createCatalog({ fetch: () => Promise.resolve(json(drifting)), logLevel: "none" })
    const strict = catalog.withOptions({ mismatch: "fail" })
    await expect(strict.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "InvalidBody", path: ["mean"] })
    expect(await catalog.anime.get({ id: 1 })).toStrictEqual({ id: 1, title: "One" })
    expect(await strict.withOptions({ mismatch: "omit" }).anime.get({ id: 1 })).toStrictEqual({ id: 1, title: "One" })
  })

  test("a metric counts omitted members, by operation and path", async () => {
    const counted = () =>
      measured().flatMap(({ name, labels, count }) =>
        name === "catalog_reply_mismatches_total" && labels.some(([key]) => key === "program")
          ? [[Object.fromEntries(labels)["path"] ?? "", count] as const]
          : []
      )
    const data = [entry(1, { num_volumes: "1" }), entry(2, { num_volumes: [] }), entry(3, { genres: [1, {}] })]
    const list = Catalog.user.mangaList({ username: "a" })
    await Effect.all([list, list]).pipe(
      labelled({ program: "mine" }),
      Effect.provide([stubService({ body: { data } }).layer, recordingLogger().layer]),
      Effect.runPromise
    )
    expect(Object.fromEntries(counted())).toEqual({ "data[].node.genres[]": 2, "data[].node.num_volumes": 4 })
  })

  test("the span of the call has an event", async () => {
    const { layer: tracer, spans } = recordingTracer()
    await Catalog.anime
      .get({ id: 1 })
      .pipe(
        Effect.provide([stubService({ body: { ...drifting, rank: 1 } }).layer, tracer, recordingLogger().layer]),
        Effect.runPromise
      )
    const [span] = spans as ReadonlyArray<unknown> as ReadonlyArray<{ readonly events: ReadonlyArray<unknown> }>
    const attributes = { "catalog.expected": "a number", "catalog.found": "a string", "catalog.count": 1 }
    expect(span).toMatchObject({ name: "catalog.anime.get" })
    expect(span?.events).toEqual([["catalog.mismatch", expect.anything(), { "catalog.path": "mean", ...attributes }]])
  })
})

/** A value of a Schema whose optional members are all there. */
const full = (ast: Ast): unknown => {
  const element = elementOf(ast)
  if (element !== undefined) {
    return [full(element), full(element)]
  }
  if (isRecord(ast)) {
    return Object.fromEntries([...membersOf(ast).values()].map(({ name, type }) => [String(name), full(type)]))
  }
  const [alternative] = alternativesOf(ast) ?? []
  if (alternative !== undefined) {
    return full(alternative)
  }
  const kind = primitiveOf(ast)
  return kind === "number" ? 7 : kind === "boolean" ? true : "a text"
}

/** A value as it arrives: JSON writes `-0` as 0. */
const received = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

type Keys = ReadonlyArray<string | number>

/** The paths of all optional members in a full value; an index stands for the element. */
const optionals = (ast: Ast, path: Keys = []): ReadonlyArray<{ readonly path: Keys; readonly type: Ast }> => {
  const element = elementOf(ast)
  if (element !== undefined) {
    return optionals(element, [...path, 1])
  }
  if (isRecord(ast)) {
    return [...membersOf(ast).values()].flatMap(({ name, type, isOptional }) => {
      const own = [...path, String(name)]
      return [...(isOptional ? [{ path: own, type }] : []), ...optionals(type, own)]
    })
  }
  return (alternativesOf(ast) ?? []).filter(isRecord).flatMap((type) => optionals(type, path))
}

/** A copy with another value at a path; without the key if `put` is undefined. */
const changed = (value: unknown, [key, ...rest]: Keys, put?: { readonly value: unknown }): unknown => {
  if (key === undefined) {
    return put?.value
  }
  if (Array.isArray(value)) {
    return value.with(Number(key), changed(value[Number(key)], rest, put))
  }
  const record = value as Readonly<Record<string, unknown>>
  if (rest.length === 0 && put === undefined) {
    return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))
  }
  return { ...record, [key]: changed(record[key], rest, put) }
}

describe("any JSON value in the place of any optional member", () => {
  // Each is the reply of an operation, or the entry of one.
  const replies = [
    ["anime.get", Models.Anime],
    ["manga.get", Models.Manga],
    ["anime.search", Models.AnimePage],
    ["anime.seasonal", Models.SeasonalPage],
    ["anime.ranking", Models.AnimeRankingPage],
    ["manga.ranking", Models.MangaRankingPage],
    ["user.animeList", Models.AnimeListPage],
    ["user.mangaList", Models.MangaListPage],
    ["anime.updateMyListStatus", Models.AnimeListStatus],
    ["manga.updateMyListStatus", Models.MangaListStatus],
    ["user.me", Models.User],
    ["forum.boards", Models.ForumBoards],
    ["forum.topics", Models.ForumTopicsPage],
    ["forum.topic", Models.ForumTopicPage]
  ] as const

  test.each(replies)("%s: the rest arrives, and the types are true", async (name, schema) => {
    const { ast } = schema as Schema.Schema<unknown>
    const whole = full(ast)
    // Links to other pages are not left out.
    const places = optionals(ast).filter(({ path }) => path[0] !== "paging")
    expect(places.length).toBeGreaterThan(2)
    const is = Schema.is(schema as Schema.Schema<unknown>)
    expect(is(whole)).toBe(true)
    let body: unknown
    const transport = { ...recording(() => json(body)), logger: recordingLogger() }
    await using session = openFaces.Effect(transport, { accessToken: "t" })
    const call = async () => value(await session.call(name, ...inputsOf(name)))
    body = whole
    expect(await call()).toStrictEqual(whole)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), received, async ({ path, type }, put) => {
        body = changed(whole, path, { value: put })
        const reply = await call()
        expect(is(reply)).toBe(true)
        if (put === null || !Schema.is(Schema.make<unknown>(type))(put)) {
          // Contents of the value can arrive in part, if they are of the right kind.
          const rest = changed(whole, path)
          expect(typeof put === "object" && put !== null ? changed(reply, path) : reply).toStrictEqual(rest)
        } else {
          expect(reply).toStrictEqual(body)
        }
      }),
      runs(60)
    )
  })
})

test("what the embedded service sends has no mismatch", async () => {
  const events: Array<CatalogHooks.Events["onMismatch"]> = []
  const { dispose, handler } = EmbeddedCatalog.toWebHandler()
  await using catalog = createCatalog({
    fetch: (input, init) => handler(new Request(input, init)),
    hooks: { onMismatch: (event) => events.push(event) },
    ...EmbeddedCatalog.credentials()
  })
  const { all } = Fields
  await catalog.anime.get({ id: 30230 }, { fields: all.anime })
  await catalog.manga.get({ id: 2 }, { fields: all.manga })
  await catalog.user.me({ fields: all.user })
  await catalog.user.animeList({ username: "@me" }, { fields: all.animeListEntry })
  await catalog.user.mangaList({ username: "@me" }, { fields: all.mangaListEntry })
  await dispose()
  expect(events).toEqual([])
})
