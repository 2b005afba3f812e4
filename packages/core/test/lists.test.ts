/**
 * How whole lists ask: what is sent, when, and what happens to it in the end.
 */
import { createCatalog } from "catalog-client"
import { type AnimePage, Catalog, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { it } from "@effect/vitest"
import { Chunk, Effect, Exit, Layer, Option, Redacted, Stream, TestClock } from "effect"
import { describe, expect, test } from "vitest"
import { eventually, sleep } from "./support/eventually.js"
import {
  all,
  anonymous,
  catalogOver,
  faces,
  failure,
  find,
  json,
  type ReceivedRequest,
  recording,
  value,
  made
} from "./support/faces.js"
import * as Fibers from "./support/fibers.js"
import { examples, inputsWith } from "./support/operations.js"
import { gc } from "./support/gc.js"
import { stubService } from "./support/stubService.js"
import { onlyEffect } from "./support/only.js"

const entry = (id: number) => ({ node: { id, title: `#${id}` } })

/** Pages of a list of entries from 1, with `next` and `previous` as the service sends them. */
const list = (total: number) => (request: ReceivedRequest) => {
  const { searchParams } = request.url
  const offset = Number(searchParams.get("offset") ?? 0)
  const limit = Number(searchParams.get("limit"))
  const link = (to: number) => {
    const url = new URL(request.url)
    url.searchParams.set("offset", String(to))
    return url.href
  }
  return json({
    data: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) => entry(offset + index + 1)),
    paging: {
      ...(offset + limit < total && { next: link(offset + limit) }),
      ...(offset > 0 && { previous: link(Math.max(0, offset - limit)) })
    }
  })
}

const queries = (requests: ReadonlyArray<ReceivedRequest>) =>
  requests.map(({ url }) => Object.fromEntries(url.searchParams))
const offsets = (requests: ReadonlyArray<ReceivedRequest>) =>
  requests.map(({ url }) => Number(url.searchParams.get("offset") ?? 0))
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const collectIds = async (entries: AsyncIterable<{ readonly node: { readonly id: number } }>) =>
  (await all(entries)).map(({ node }) => node.id)

/** The same reply without an entry. */
const emptied = (reply: unknown): unknown => {
  const { data, ...others } = reply as { readonly data: object }
  return { ...others, data: Array.isArray(data) ? [] : { ...data, posts: [] } }
}

test.each(
  examples.flatMap((row) => (row.limit === undefined ? [] : [{ name: row.name, row, largest: row.limit.maximum }]))
)("$name has pages, items and collect, with the largest pages", async ({ name, row, largest }) => {
  const reply = emptied(row.reply)
  const { catalog, requests } = catalogOver(() => json(reply), { accessToken: "t" })
  const read = (way: string) => all(find(catalog, `${name}.${way}`)(...inputsWith(row, {})) as AsyncIterable<unknown>)
  const collect = (max: number) => find(catalog, `${name}.collect`)(...inputsWith(row, { max }))
  expect(await read("pages")).toEqual([reply])
  expect(await read("items")).toEqual([])
  expect(await collect(Infinity)).toEqual([])
  expect(await collect(7)).toEqual([])
  expect(requests.map(({ url }) => url.searchParams.get("limit"))).toEqual([largest, largest, largest, 7].map(String))
  expect(requests.some(({ url }) => url.searchParams.has("offset"))).toBe(false)
})

test("params can be left out if all are optional", async () => {
  const { catalog, requests } = catalogOver(() => json({ data: [] }))
  expect(await all(catalog.forum.topics.pages())).toEqual([{ data: [] }])
  expect(await all(catalog.forum.topics.items())).toEqual([])
  expect(queries(requests)).toEqual([{ limit: "100" }, { limit: "100" }])
})

test("each loop reads the list from its beginning", async () => {
  const { catalog, requests } = catalogOver(list(30))
  const entries = catalog.anime.search.items({ q: "x", limit: 20 })
  expect(await collectIds(entries)).toEqual(ids(1, 30))
  expect(await Promise.all([collectIds(entries), collectIds(entries)])).toEqual([ids(1, 30), ids(1, 30)])
  expect(requests).toHaveLength(6)
})

test("a page can have any number of entries", async () => {
  const data = Array.from({ length: 200_000 }, (_, index) => ({ node: { id: index + 1, title: "x" } }))
  const { catalog } = catalogOver(() => json({ data }))
  expect(await catalog.anime.search.collect({ q: "x" }, { max: Infinity })).toHaveLength(200_000)
})

test("a list starts at the offset of its params and takes their limit", async () => {
  const { catalog, requests } = catalogOver(list(50))
  expect(await collectIds(catalog.anime.search.items({ q: "x", limit: 15, offset: 10 }))).toEqual(ids(11, 50))
  expect(queries(requests)).toEqual([
    { q: "x", limit: "15", offset: "10" },
    { q: "x", limit: "15", offset: "25" },
    { q: "x", limit: "15", offset: "40" }
  ])
})

test("only the query of a link is used, and missing parameters are added", async () => {
  const links = [
    "https://elsewhere.example/steal?offset=2&limit=2#there",
    "?offset=4",
    "http://[broken?offset=6&q=other&extra=1"
  ]
  const { requests, fetch } = recording(() =>
    json({ data: [entry(requests.length)], paging: { next: links[requests.length - 1] } })
  )
  await using catalog = createCatalog({
    fetch,
    baseUrl: "http://proxy.example/api",
    accessToken: "t",
    nsfw: true
  })
  const read = await collectIds(catalog.anime.search.items({ q: "x y", limit: 2 }, { fields: "mean" }))
  expect(read).toEqual([1, 2, 3, 4])
  expect(requests.every(({ url }) => url.origin + url.pathname === "http://proxy.example/api/anime")).toBe(true)
  const kept = { q: "x y", limit: "2", fields: "mean", nsfw: "true" }
  expect(queries(requests)).toEqual([
    kept,
    { ...kept, offset: "2" },
    { ...kept, offset: "4" },
    { ...kept, q: "other", offset: "6", extra: "1" }
  ])
})

test.each<[string, params: object, options: object, links: ReadonlyArray<string>]>([
  ["that does not advance", {}, {}, ["?offset=2", "?offset=2"]],
  ["that leads back", {}, {}, ["?offset=2", "?offset=1"]],
  ["whose offset is no number", {}, {}, ["?offset=2", "?offset=two"]],
  ["with its offset given twice", {}, {}, ["?offset=20&offset=0"]],
  ["without an offset that was followed before", {}, {}, ["?cursor=a", "?cursor=b", "?cursor=a"]],
  ["without an offset, to the very page", { offset: 5, limit: 1 }, {}, ["?limit=1"]],
  ["to where the list was gone on from", {}, { after: { paging: { next: "?cursor=a" } } }, ["?cursor=a"]]
])("a link %s ends in an error", async (_, params, options, links) => {
  const { catalog, requests } = catalogOver(() => json({ data: [], paging: { next: links[requests.length - 1] } }))
  const error = await all(catalog.anime.search.items({ q: "x", ...params }, options)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    _tag: "ClientRestError",
    reason: "InvalidBody",
    operation: "catalog.anime.search",
    url: requests.at(-1)?.url.href,
    path: ["paging", "next"],
    body: { paging: { next: links.at(-1) } },
    message: expect.stringContaining(
      "(at paging.next): expected a link to a further page, found a link that does not advance. Continue with an offset."
    )
  })
  expect((error as Error).message).not.toContain("baseUrl")
  expect(requests).toHaveLength(links.length)
})

/** A query with `count` parameters. */
const manyParams = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&")

test("a link that is longer than any URL is refused at once, and shown in part", async () => {
  const next = `?offset=1&${manyParams(30_000)}`
  const { catalog, requests } = catalogOver(() => json({ data: [entry(1)], paging: { next } }))
  const began = performance.now()
  const error: unknown = await collectIds(catalog.anime.search.items({ q: "x" })).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: "InvalidBody", path: ["paging", "next"] })
  const { body } = error as { readonly body: { readonly paging: { readonly next: string } } }
  expect(next.startsWith(body.paging.next)).toBe(true)
  expect(body.paging.next.length).toBeLessThanOrEqual(8 * 1024)
  expect(requests).toHaveLength(1)
  // Searching the query for each parameter of the link would take much longer.
  expect(performance.now() - began).toBeLessThan(5_000)
})

test("a query of many parameters is laid over that of the call in linear time", async () => {
  const { catalog, requests } = catalogOver(() => json({ data: [entry(1)] }))
  const after = { paging: { next: `?q=other&q=last&${manyParams(30_000)}` } }
  const began = performance.now()
  expect(await catalog.anime.search.collect({ q: "x" }, { after, max: 1 })).toHaveLength(1)
  expect(performance.now() - began).toBeLessThan(5_000)
  const { searchParams } = requests[0]?.url ?? new URL("x:")
  expect(searchParams.getAll("q")).toEqual(["last"])
  expect([...searchParams].length).toBe(30_002)
})

test("an empty next is the end of a list, like null", async () => {
  for (const next of ["", null]) {
    const { catalog, requests } = catalogOver(() => json({ data: [entry(1), entry(2)], paging: { next } }))
    expect(await collectIds(catalog.user.animeList.items({ username: "x" }))).toHaveLength(2)
    expect(requests).toHaveLength(1)
  }
})

test("distinct omits entries that were seen, when a list shifts while it is read", async () => {
  const pages = [
    { data: [entry(1), entry(2)], paging: { next: "?offset=2" } },
    { data: [entry(2), entry(3)], paging: { next: "?offset=4" } },
    { data: [entry(3), entry(4)] }
  ]
  const read = async (options: object) => {
    const { catalog, requests } = catalogOver(() => json(pages[requests.length - 1]))
    return await collectIds(catalog.user.animeList.items({ username: "x" }, options))
  }
  expect(await read({})).toEqual([1, 2, 2, 3, 3, 4])
  expect(await read({ distinct: true })).toEqual([1, 2, 3, 4])
})

test("a list can be continued after a failed page, and has ended after its last one", async () => {
  let fails = true
  const { catalog, requests } = catalogOver((request) => {
    if (fails && request.url.searchParams.get("offset") === "20") {
      return json({}, { status: 503 })
    }
    return list(50)(request)
  })
  const read: Array<number> = []
  let after: AnimePage | undefined
  const go = async () => {
    for await (const page of catalog.anime.search.pages({ q: "x", limit: 10 }, { after })) {
      read.push(...page.data.map(({ node }) => node.id))
      after = page
    }
  }
  await expect(go()).rejects.toMatchObject({ status: 503 })
  fails = false
  await go()
  expect(read).toEqual(ids(1, 50))
  const before = requests.length
  await go()
  expect(read).toEqual(ids(1, 50))
  expect(requests).toHaveLength(before)
  // As a program can store it, and as some services end a list.
  for (const last of ["{}", '{ "paging": {} }', '{ "paging": null }', '{ "paging": { "next": "" } }']) {
    const stored = JSON.parse(last) as Pick<AnimePage, "paging">
    expect(await catalog.anime.search.collect({ q: "x" }, { after: stored, max: Infinity })).toEqual([])
  }
  expect(requests).toHaveLength(before)
})

describe("onPage", () => {
  type Ways = Pick<typeof Catalog.user.animeList, "pages" | "items">
  /** What a list returns, and what it reports, in their order. */
  const logged = (total: number, options: object = {}) => {
    const log: Array<unknown> = []
    const { fetch, layer } = recording(list(total))
    const onPage = (progress: unknown) => void log.push(progress)
    const inputs = [
      { username: "x", limit: 20 },
      { ...options, onPage }
    ] as const
    return {
      log,
      promises: async (way: keyof Ways) => {
        await using catalog = createCatalog({ fetch })
        for await (const _ of catalog.user.animeList[way](...inputs)) {
          log.push("entry")
        }
      },
      effects: (way: keyof Ways) =>
        Stream.runForEach(Catalog.user.animeList[way](...inputs) as Stream.Stream<unknown, unknown>, () =>
          Effect.sync(() => log.push("entry"))
        ).pipe(Effect.provide(anonymous(layer)), Effect.runPromise),
      collect: async (max: number) => {
        await using catalog = createCatalog({ fetch })
        return await catalog.user.animeList.collect(inputs[0], { ...inputs[1], max })
      },
      collectEffect: (max: number) =>
        Catalog.user.animeList
          .collect(inputs[0], { ...inputs[1], max })
          .pipe(Effect.provide(anonymous(layer)), Effect.runPromise)
    }
  }
  const page = (page: number, count: number) => ({ page, count })
  const entries = (count: number) => Array.from({ length: count }, () => "entry")

  test.each(["promises", "effects"] as const)("is called before the entries of each page: %s", async (face) => {
    for (const prefetch of [0, 3]) {
      const pages = logged(45, { prefetch })
      await pages[face]("pages")
      expect(pages.log).toEqual([page(1, 20), "entry", page(2, 40), "entry", page(3, 45), "entry"])
      const items = logged(45, { prefetch })
      await items[face]("items")
      expect(items.log).toEqual([page(1, 20), ...entries(20), page(2, 40), ...entries(20), page(3, 45), ...entries(5)])
    }
  })

  test.each(["collect", "collectEffect"] as const)("counts what %s returns", async (face) => {
    const all = logged(45)
    expect(await all[face](Infinity)).toHaveLength(45)
    expect(all.log).toEqual([page(1, 20), page(2, 40), page(3, 45)])
    const some = logged(45)
    expect(await some[face](30)).toHaveLength(30)
    expect(some.log).toEqual([page(1, 20), page(2, 30)])
    const none = logged(45)
    expect(await none[face](0)).toEqual([])
    expect(none.log).toEqual([])
  })

  test("counts no entry that distinct leaves out, and no page that failed or was not taken", async () => {
    const { catalog, requests } = catalogOver(({ url }) => {
      const offset = Number(url.searchParams.get("offset") ?? 0)
      return offset === 4
        ? json({}, { status: 503 })
        : json({ data: [entry(1), entry(offset)], paging: { next: `?offset=${offset + 2}` } })
    })
    const log: Array<unknown> = []
    const onPage = (progress: unknown) => void log.push(progress)
    const read = collectIds(catalog.anime.search.items({ q: "x" }, { distinct: true, onPage }))
    await expect(read).rejects.toMatchObject({ status: 503 })
    expect(log).toEqual([page(1, 2), page(2, 3)])
    for await (const _ of catalog.anime.search.items({ q: "x" }, { prefetch: 1, onPage })) {
      await eventually("a page is read ahead", () => requests.length === 5)
      break
    }
    expect(log).toHaveLength(3)
  })

  test("breaks no list if it throws or rejects", async () => {
    const { catalog } = catalogOver(list(45))
    let calls = 0
    const fail = () => {
      calls += 1
      throw new Error("full")
    }
    const reject = (): void => {
      calls += 1
      return Promise.reject(new Error("rejected")) as never
    }
    for (const onPage of [fail, reject]) {
      expect(await collectIds(catalog.anime.search.items({ q: "x", limit: 20 }, { onPage }))).toEqual(ids(1, 45))
      expect(await catalog.anime.search.collect({ q: "x" }, { max: 9, onPage })).toHaveLength(9)
    }
    expect(calls).toBe(8)
  })

  test("is a function", async () => {
    const { catalog, requests } = catalogOver(list(10))
    const onPage = 5 as never
    await expect(all(catalog.anime.search.items({ q: "x" }, { onPage }))).rejects.toThrow(
      'catalog.anime.search: "onPage" must be a function, but it is 5'
    )
    expect(requests).toEqual([])
  })
})

describe("prefetch", () => {
  it.live.each([
    [undefined, 1],
    [0, 0],
    [1, 1],
    [5, 5]
  ] as const)("of %s requests %d pages ahead, and a slow consumer delays the others", ([prefetch, ahead]) =>
    Effect.gen(function* () {
      const { requests, layer } = recording(list(1000))
      const looked: Array<number> = []
      yield* Catalog.anime.search.pages({ q: "x", limit: 10 }, { prefetch }).pipe(
        Stream.take(8),
        Stream.runForEach(() =>
          Effect.gen(function* () {
            yield* Effect.sleep(20)
            looked.push(requests.length)
          })
        ),
        Effect.provide(anonymous(layer))
      )
      expect(looked).toEqual(ids(1, 8).map((page) => page + ahead))
    })
  )

  onlyEffect(it).effect.each([undefined, 0, 2])(
    "of %s: one adjustment of a test clock reads a whole list",
    (prefetch) =>
      Effect.gen(function* () {
        const { requests, layer } = recording(list(350))
        const policies = CatalogPolicy.layer(made(Resilience.rateLimit({ limit: 1, interval: "1 second" })))
        const reading = yield* Catalog.anime.search
          .items({ q: "x", limit: 100 }, { prefetch })
          .pipe(Stream.runCollect, Effect.provide(Layer.merge(anonymous(layer), policies)), Fibers.fork)
        yield* TestClock.adjust("10 seconds")
        expect(offsets(requests)).toEqual([0, 100, 200, 300])
        expect(Chunk.toReadonlyArray(yield* Fibers.join(reading))).toHaveLength(350)
      })
  )
})

/** Answers the first page, of 100 entries, and lets the request for the second hang. */
const stuck = () => {
  const first = { data: ids(1, 100).map(entry), paging: { next: "?offset=100" } }
  const { requests, layer, state } = stubService({ body: first }, { after: 60_000 })
  let sent = 0
  const fetch = async (_: URL, { signal }: RequestInit): Promise<Response> => {
    signal?.addEventListener("abort", () => state.interrupted++)
    return ++sent === 1 ? json(first) : new Promise<never>(() => {})
  }
  const hangs = () => eventually("a request hangs", () => Math.max(sent, requests.length) === 2)
  return { catalog: createCatalog({ fetch, timeout: 0 }), layer, state, hangs }
}

describe("what ends early", () => {
  test("a loop that is left ends the request in flight", async () => {
    const { catalog, hangs, state } = stuck()
    for await (const { node } of catalog.anime.search.items({ q: "x" })) {
      if (node.id === 50) {
        await hangs()
        break
      }
    }
    expect(state.interrupted).toBe(1)
  })

  test.each(["in its loop", "while it waits"])(
    "an aborted signal or a closed catalog ends a list %s: its request, with an error, and no entry comes after it",
    async (place) => {
      for (const end of ["signal", "close"] as const) {
        const { catalog, hangs, state } = stuck()
        const controller = new AbortController()
        const stop = () => (end === "signal" ? controller.abort(new Error("left")) : catalog.close())
        const read: Array<number> = []
        const loop = async () => {
          for await (const { node } of catalog.anime.search.items({ q: "x" }, { signal: controller.signal })) {
            read.push(node.id)
            if (place === "in its loop" && node.id === 10) {
              await hangs()
              await stop()
            }
          }
        }
        const ended = loop()
        if (place === "while it waits") {
          void hangs().then(stop)
        }
        const message = end === "signal" ? "left" : "the catalog was closed"
        await expect(ended).rejects.toMatchObject({ reason: "Cancelled", cause: { message } })
        expect(read).toEqual(ids(1, place === "in its loop" ? 10 : 100))
        expect(state.interrupted).toBe(1)
      }
    }
  )

  test("an interruption of the Effect interrupts its request", async () => {
    const { hangs, layer, state } = stuck()
    const fiber = Fibers.runFork(Effect.provide(Stream.runDrain(Catalog.anime.search.items({ q: "x" })), layer))
    await hangs()
    const exit = await Effect.runPromise(Fibers.interrupt(fiber))
    expect(Exit.isInterrupted(exit)).toBe(true)
    expect(state.interrupted).toBe(1)
  })

  test("the timeout is that of each page", async () => {
    const { catalog } = catalogOver(
      (request) => new Promise<Response>((resolve) => setTimeout(() => resolve(list(50)(request)), 60))
    )
    const params = { q: "x", limit: 10 }
    expect(await collectIds(catalog.anime.search.items(params, { timeout: 2000 }))).toHaveLength(50)
    await expect(collectIds(catalog.anime.search.items(params, { timeout: 20 }))).rejects.toMatchObject({
      reason: "Timeout",
      timeoutMs: 20
    })
  })

  test("collect requests no page that it does not need", async () => {
    const { catalog, requests } = catalogOver(list(1000))
    const read = await catalog.anime.search.collect({ q: "x", limit: 10 }, { max: 20 })
    expect(read).toHaveLength(20)
    await sleep(20)
    expect(offsets(requests)).toEqual([0, 10])
  })

  test.each([0, 1])("is forgotten by the catalog, also if it is never left: prefetch %d", async (prefetch) => {
    const pageAfter = (offset: number) => ({
      data: [entry(offset + 1), entry(offset + 2)],
      paging: offset < 6 ? { next: `?offset=${offset + 2}` } : {}
    })
    const fetch = async ({ searchParams }: URL) =>
      json(searchParams.get("q") === "bad" ? 1 : pageAfter(Number(searchParams.get("offset"))))
    const view = createCatalog({ fetch }).withOptions({})
    type Loop = AsyncIterableIterator<unknown>
    const held: Array<WeakRef<object>> = []
    const begin = async (q: string, end: (loop: Loop) => unknown) => {
      const loop = view.anime.search.items({ q, limit: 2 }, { prefetch })[Symbol.asyncIterator]() as Loop
      const first = await loop.next().catch(() => ({ value: {} }))
      held.push(new WeakRef(loop), new WeakRef(first.value as object))
      await end(loop)
    }
    await begin("whole", (loop) => all(loop))
    await begin("left", (loop) => loop.return?.())
    await begin("bad", () => undefined)
    await begin("let go of", () => undefined)
    await eventually("all is collected", () => {
      gc()
      return held.every((held) => held.deref() === undefined)
    })
    await view.close()
  })

  test("a Stream that is not run requests nothing", async () => {
    const { requests, fetch, layer } = recording(list(10))
    await using catalog = createCatalog({ fetch })
    catalog.anime.search.items({ q: "x" })
    expect(requests).toEqual([])
    const stream = Catalog.anime.search.items({ q: "x" }, { prefetch: 0 })
    const twice = Effect.zip(Stream.runCollect(stream), Stream.runCollect(stream))
    const [first, second] = await Effect.runPromise(Effect.provide(twice, anonymous(layer)))
    expect(Chunk.toReadonlyArray(first)).toEqual(Chunk.toReadonlyArray(second))
    expect(requests).toHaveLength(2)
  })
})

describe.each(faces)("mistakes, on the %s face", (_, face) => {
  const max = '"max" must be a number of entries, as in collect(params, { max: 100 }), or Infinity for all, but it is'
  const after = '"after" must be a page of the list, but it is'
  test.each([
    [{ q: "x" }, { max: -1 }, `${max} -1`],
    [{ q: "x" }, {}, `${max} undefined`],
    [{ q: "x" }, { max: 1, after: "?offset=1" }, `${after} "?offset=1"`],
    [{ q: "x" }, { max: 1, after: { next: "?offset=1" } }, `${after} a value of type object`],
    [{ q: "x" }, { max: 1, after: { paging: { next: "http://x.example/" } } }, `${after} "http://x.example/"`],
    [{ q: "x" }, { max: 1, after: { paging: { next: 3 } } }, `${after} 3`],
    [{ q: "x" }, { max: 1, after: { paging: "?offset=1" } }, `${after} a value of type object`],
    ["diamond", { max: 1 }, '"params" must be an object such as { q: … }, but it is "diamond"']
  ])("collect(%j, %j)", async (params, options, message) => {
    const { requests, ...transport } = recording(list(10))
    const error = failure(await face(transport, {})("anime.search.collect", params, options))
    expect(error).toMatchObject({ name: "TypeError", message: `catalog.anime.search: ${message}` })
    expect(requests).toEqual([])
  })
})

test("a prefetch that is not a number of pages is a mistake", async () => {
  const { catalog } = catalogOver(list(10))
  await expect(all(catalog.anime.search.items({ q: "x" }, { prefetch: -1 }))).rejects.toThrow(
    'catalog.anime.search: "prefetch" must be a whole number, 0 or more, but it is -1'
  )
})

describe("an invalid link", () => {
  const pages = [
    { data: [entry(1), entry(2)], paging: { next: "?offset=2" } },
    { data: [entry(3), entry(4)], paging: { next: "?offset=2" } }
  ]

  test("an invalid link does not lose the page that contains it", async () => {
    const { catalog, requests } = catalogOver(() => json(pages[(requests.length - 1) % 2]))
    const read: Array<number> = []
    const loop = async () => {
      for await (const { node } of catalog.anime.search.items({ q: "x" }, { prefetch: 0 })) {
        read.push(node.id)
      }
    }
    await expect(loop()).rejects.toMatchObject({ path: ["paging", "next"] })
    expect(read).toEqual([1, 2, 3, 4])
    expect(requests).toHaveLength(2)
    expect(await catalog.anime.search.collect({ q: "x" }, { max: 4 })).toHaveLength(4)
    await expect(catalog.anime.search.collect({ q: "x" }, { max: 5 })).rejects.toMatchObject({ reason: "InvalidBody" })
  })

  /** A list of pages whose links have long cursors. After `pages` pages it begins again at an earlier one. */
  const cursors = (length: number, pages: number, back: number) => {
    const { requests, fetch } = recording(({ url }) => {
      const at = parseInt(url.searchParams.get("cursor") ?? "0", 10)
      const next = at + 1 === pages ? back : at + 1
      return json({ data: [entry(at)], paging: { next: `?cursor=${`${next}-`.padEnd(length, "x")}` } })
    })
    return { requests, catalog: createCatalog({ fetch }) }
  }

  test.each([
    ["short", 10, 100, 20, 100],
    ["long", 15_000, 30, 20, 30]
  ])("a loop of links is found: its cursors are %s", async (_, length, pages, back, most) => {
    const { requests, catalog } = cursors(length, pages, back)
    const read = collectIds(catalog.anime.search.items({ q: "x" }, { prefetch: 0 }))
    await expect(read).rejects.toMatchObject({ reason: "InvalidBody", path: ["paging", "next"] })
    expect(requests.length).toBeGreaterThanOrEqual(pages)
    expect(requests.length).toBeLessThanOrEqual(most)
    await catalog.close()
  })

  test("an endless list uses bounded memory", async () => {
    const held = () => {
      gc()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const { requests, catalog } = cursors(15_000, Infinity, 0)
    const pages = catalog.anime.search.pages({ q: "x" }, { prefetch: 0 })[Symbol.asyncIterator]()
    await pages.next()
    const before = held()
    for (let page = 0; page < 800; page++) {
      await pages.next()
      requests.length = 0
    }
    expect(held() - before).toBeLessThan(8)
    await catalog.close()
  })
})

describe("the credentials of a walk", () => {
  const identities = (requests: ReadonlyArray<ReceivedRequest>) =>
    requests.map(({ headers }) => [headers["authorization"], headers["x-mal-client-id"]])

  /** A list of 50 entries and a catalog of the user A, for whom the user B is assigned while the second page is read. */
  const reassigned = () => {
    const { catalog, requests } = catalogOver(
      (request) => {
        if (requests.length === 2) {
          catalog.accessToken = "b"
          catalog.clientId = "client-b"
        }
        return list(50)(request)
      },
      { accessToken: "a", clientId: "client-a" }
    )
    return { requests, catalog }
  }

  type Reassigned = ReturnType<typeof reassigned>["catalog"]["anime"]["search"]
  test.each<readonly [string, (search: Reassigned) => Promise<unknown>]>([
    ["pages", (search) => all(search.pages({ q: "x", limit: 10 }))],
    ["items", (search) => all(search.items({ q: "x", limit: 10 }, { prefetch: 0 }))],
    ["collect", (search) => search.collect({ q: "x", limit: 10 }, { max: Infinity })]
  ])("the credentials of a walk are those that were assigned when it began: %s", async (_, read) => {
    const { requests, catalog } = reassigned()
    await read(catalog.anime.search)
    expect(identities(requests)).toEqual(Array.from({ length: 5 }, () => ["Bearer a", "client-a"]))
    await read(catalog.anime.search)
    await catalog.anime.search({ q: "x" })
    expect(identities(requests.slice(5))).toEqual(Array.from({ length: 6 }, () => ["Bearer b", "client-b"]))
    await catalog.close()
  })

  test("are those that were assigned when its loop began, which is after it was made", async () => {
    const { catalog, requests } = catalogOver(list(50), { accessToken: "a" })
    const entries = catalog.anime.search.items({ q: "x", limit: 10 })
    catalog.accessToken = "b"
    const loop = entries[Symbol.asyncIterator]()
    await loop.next()
    catalog.accessToken = undefined
    while ((await loop.next()).done !== true) {
      // To its end.
    }
    expect(identities(requests)).toEqual(Array.from({ length: 5 }, () => ["Bearer b", undefined]))
  })

  onlyEffect(test)("are read again for each page if a slot is an Effect", async () => {
    const { requests, layer } = recording(list(30))
    let reads = 0
    const slots = Credentials.layer({ accessToken: Effect.sync(() => Option.some(Redacted.make(`${++reads}`))) })
    await Catalog.anime.search
      .collect({ q: "x", limit: 10 }, { max: Infinity })
      .pipe(Effect.provide([layer, slots]), Effect.runPromise)
    expect(identities(requests).map(([token]) => token)).toEqual(["Bearer 1", "Bearer 2", "Bearer 3"])
  })
})

test.each(faces)("on the %s face, collect of no entries sends nothing", async (_, face) => {
  const { requests, ...transport } = recording(list(10))
  expect(value(await face(transport, {})("anime.search.collect", { q: "x" }, { max: 0 }))).toEqual([])
  expect(requests).toEqual([])
})

describe("an iterator", () => {
  test("is iterable itself", async () => {
    await using catalog = catalogOver(list(30)).catalog
    const iterator = catalog.anime.search.items({ q: "x", limit: 10 })[Symbol.asyncIterator]()
    expect(iterator[Symbol.asyncIterator]()).toBe(iterator)
    expect(await iterator.next()).toMatchObject({ done: false, value: entry(1) })
    expect(await collectIds(iterator)).toEqual(ids(2, 30))
    expect(await collectIds(iterator)).toEqual([])
  })

  test.each([
    ["the end", 30, { status: "fulfilled", value: { done: true } }],
    ["an error", 20, { status: "rejected", reason: { status: 500 } }]
  ])("answers steps that are requested at once in their order, up to %s", async (_, last, end) => {
    await using catalog = catalogOver((request) =>
      request.url.searchParams.get("offset") === String(last) ? json({}, { status: 500 }) : list(30)(request)
    ).catalog
    const iterator = catalog.anime.search.items({ q: "x", limit: 10 })[Symbol.asyncIterator]()
    const steps = await Promise.allSettled(Array.from({ length: last + 2 }, async () => iterator.next()))
    expect(steps).toMatchObject([
      ...ids(1, last).map((id) => ({ value: { done: false, value: entry(id) } })),
      end,
      { value: { done: true, value: undefined } }
    ])
  })

  test.each(["return", "throw"] as const)("ends its request and its list on %s while it waits", async (how) => {
    const { catalog, hangs, state } = stuck()
    const thrown = new Error("enough")
    const ended = async (iterator: AsyncIterableIterator<unknown>) =>
      how === "return" ? iterator.return?.() : iterator.throw?.(thrown).catch((error: unknown) => error)
    const outcome = how === "return" ? { done: true, value: undefined } : thrown
    const iterator = catalog.anime.search.pages({ q: "x" }, { prefetch: 0 })[Symbol.asyncIterator]()
    expect((await iterator.next()).done).toBe(false)
    const pending = iterator.next()
    await hangs()
    expect(await ended(iterator)).toEqual(outcome)
    expect(await pending).toMatchObject({ done: true })
    expect((await iterator.next()).done).toBe(true)
    expect(state.interrupted).toBe(1)
    const fresh = catalog.anime.search.pages({ q: "x" })[Symbol.asyncIterator]()
    expect(await ended(fresh)).toEqual(outcome)
    expect((await fresh.next()).done).toBe(true)
  })
})

test("distinct keeps entries without an id, and compares the ids of entries without a node", async () => {
  const posts = [{ body: "a" }, { id: 1, body: "b" }, { body: "c" }, { id: 1, body: "b" }, { id: 2, body: "d" }]
  const { catalog } = catalogOver(() => json({ data: { posts } }))
  const read = await catalog.forum.topic.collect({ id: 1 }, { max: Infinity, distinct: true })
  expect(read.map(({ body }) => body)).toEqual(["a", "b", "c", "d"])
})

test("suggestions take their offset from the options, and end at a link back to before it", async () => {
  const { catalog, requests } = catalogOver(
    () => json({ data: [entry(requests.length)], paging: { next: "?offset=3" } }),
    {
      accessToken: "t"
    }
  )
  await expect(catalog.anime.suggestions.collect({ offset: 4, max: 9 })).rejects.toMatchObject({
    reason: "InvalidBody"
  })
  expect(requests).toHaveLength(1)
})
