// Not over the bundle: its policies and stores are Effects, made by those of core.
import { createCatalog } from "catalog-client"
import {
  Catalog,
  CatalogClient,
  CatalogConfig,
  CatalogPolicy,
  Credentials,
  Resilience,
  ServiceProfile,
  Transport
} from "@catalog-client/core"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { it } from "@effect/vitest"
import { Context, Effect, Equal, Layer, Option, Redacted, Stream, TestClock } from "effect"
import { describe, expect, test } from "vitest"
import { type StubResponse, stubService, type Services, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"
import { anonymous, find, type ReceivedRequest, made } from "../support/faces.js"
import { example, examples } from "../support/operations.js"

const get = (id: number, options: object = {}) => Catalog.anime.get({ id }, options)
const settings = { capacity: 100, timeToLive: "1 minute" } as const

/** What a request is answered with, as the service might. */
const answer = ({ path, method }: ReceivedRequest): StubResponse => {
  if (method === "PATCH") {
    return { body: { score: 1 } }
  }
  const id = Number(/\d+/.exec(path)?.[0] ?? 0)
  const status = path.includes("my_list_status") && { my_list_status: { score: 1 } }
  const node = { id, title: `#${id}`, ...status }
  return { body: path.includes("ranking") ? { data: [{ node, ranking: { rank: 1 } }], paging: {} } : node }
}

const start = (options: Resilience.CacheOptions, respond: (request: ReceivedRequest) => StubResponse = answer) => {
  const { requests, run } = underPolicy(made(Resilience.cache(options)), respond)
  /** How many requests an operation makes. */
  const countRequests = <A, E>(operation: Effect.Effect<A, E, Services>) =>
    Effect.suspend(() => {
      const before = requests.length
      return Effect.map(run(operation), () => requests.length - before)
    })
  /** How many requests an operation makes that takes so many milliseconds. */
  const countRequestsFor = <A, E>(millis: number, operation: Effect.Effect<A, E, Services>) =>
    Effect.flatMap(Fibers.fork(countRequests(operation)), (fiber) =>
      Effect.zipRight(TestClock.adjust(millis), Fibers.join(fiber))
    )
  return { requests, run, countRequests, countRequestsFor }
}

describe("a cached reply", () => {
  test.each(examples)("$name", async ({ name, inputs, reply, method, cached }) => {
    let requests = 0
    const fetch = () => {
      requests++
      return Promise.resolve(Response.json(reply))
    }
    const policies = [made(Resilience.cache(settings))]
    await using catalog = createCatalog({ fetch, accessToken: "t", policies })
    const call = find(catalog, name)
    expect(await call(...inputs)).toEqual(await call(...inputs))
    expect(requests).toBe(cached ? 1 : 2)
    expect(method === "GET" || !cached).toBe(true)
  })

  it.effect("a reply that has expired does not use capacity, even if it is not replaced", () =>
    Effect.gen(function* () {
      let isDown = false
      const { countRequests } = start({ capacity: 2, timeToLive: "1 minute" }, (request) =>
        isDown ? { status: 503, body: {} } : answer(request)
      )
      yield* countRequests(get(1))
      yield* TestClock.adjust("30 seconds")
      yield* countRequests(get(2))
      yield* TestClock.adjust("30 seconds")
      isDown = true
      expect(yield* countRequests(get(1))).toBe(1)
      isDown = false
      expect(yield* countRequests(get(3))).toBe(1)
      expect(yield* countRequests(get(2))).toBe(0)
    })
  )

  it.effect("a cached reply is the same object, which is frozen", () =>
    Effect.gen(function* () {
      const { run } = start(settings)
      const read = Effect.flatten(run(Catalog.anime.ranking({ rankingType: "all" }, { fields: "mean" })))
      const first = yield* read
      expect(yield* read).toBe(first)
      expect([first, first.data, first.data[0], first.data[0]?.node].every(Object.isFrozen)).toBe(true)
    })
  )

  it.effect("a failure is not cached", () =>
    Effect.gen(function* () {
      for (const failure of [
        { status: 404 },
        { drops: true },
        { body: "<html>" }
      ] satisfies ReadonlyArray<StubResponse>) {
        let failing = true
        const { countRequests } = start(settings, (request) => (failing ? failure : answer(request)))
        expect([yield* countRequests(get(1)), yield* countRequests(get(1))]).toEqual([1, 1])
        failing = false
        expect([yield* countRequests(get(1)), yield* countRequests(get(1))]).toEqual([1, 0])
      }
    })
  )

  it.effect("each page of a list is cached", () =>
    Effect.gen(function* () {
      const { requests, run } = start(settings, ({ path }) => {
        const offset = Number(/offset=(\d+)/.exec(path)?.[1] ?? 0)
        const next = offset < 4 ? { next: `https://x.example/y?offset=${offset + 2}` } : {}
        return { body: { data: [{ node: { id: offset, title: "x" } }], paging: next } }
      })
      const all = Stream.runCollect(Catalog.anime.search.items({ q: "abc", limit: 2 }))
      expect(yield* run(all)).toEqual(yield* run(all))
      expect(requests).toHaveLength(3)
    })
  )
})

describe("sharing", () => {
  it.effect("depends on the values of credentials and headers", () =>
    Effect.gen(function* () {
      const { requests, run } = start(settings)
      const as = (accessToken: string, clientId: string, cookie: string, id: number) =>
        get(id).pipe(
          CatalogConfig.with({ headers: { cookie } }),
          Effect.provide(Credentials.layer({ accessToken: Redacted.make(accessToken), clientId }))
        )
      for (const who of [
        ["a", "b", "c", 1],
        ["d", "b", "c", 1],
        ["a", "d", "c", 1],
        ["a", "b", "d", 1],
        ["a", "b", "c", 2],
        ["a", "b", "c", 1]
      ] satisfies ReadonlyArray<Parameters<typeof as>>) {
        yield* run(as(...who))
      }
      yield* run(Effect.provide(get(1), Credentials.layerNone))
      expect(requests).toHaveLength(6)
    })
  )

  it.effect("depends on what becomes of a mismatch, and on the largest body", () =>
    Effect.gen(function* () {
      const { requests, run } = start(settings, () => ({ body: { id: 1, title: "One", mean: "high" } }))
      const omitting = get(1)
      const strict = get(1).pipe(CatalogConfig.with({ mismatch: "fail" }))
      const [reply, refusal] = [{ right: { id: 1, title: "One" } }, { left: { path: ["mean"] } }]
      for (const [read, outcome, expected] of [
        [omitting, reply, 1],
        [strict, refusal, 2],
        [omitting, reply, 2],
        [get(1, { maxResponseBytes: 10 }), { left: { reason: "ResponseTooLarge" } }, 3]
      ] as const) {
        expect(yield* run(read)).toMatchObject(outcome)
        expect(requests).toHaveLength(expected)
      }
    })
  )

  test("depends on the headers that contain credentials, whatever their names", async () => {
    let requests = 0
    const fetch = () => {
      requests++
      return Promise.resolve(Response.json({ id: 1, title: "x" }))
    }
    const policies = [made(Resilience.cache(settings))]
    for (const header of ["x-key", "x-other-key", "x-key"]) {
      const profile = { ...ServiceProfile.default, clientId: { header, prefix: "" } }
      await using catalog = createCatalog({ fetch, clientId: "one", policies, profile })
      await catalog.anime.get({ id: 1 })
    }
    expect(requests).toBe(2)
  })

  describe("credentials that a transport adds", () => {
    /** A client that responds with the identity of the caller, and clients derived from it, each with another cookie. */
    const clients = () => {
      const { requests, layer } = stubService(({ headers }) => ({
        body: { id: 1, title: headers["cookie"] ?? "none" }
      }))
      const as = (cookie: string) =>
        Layer.map(layer, (services) =>
          Context.add(
            services,
            HttpClient.HttpClient,
            HttpClient.mapRequest(
              Context.get(services, HttpClient.HttpClient),
              HttpClientRequest.setHeader("cookie", cookie)
            )
          )
        )
      return { requests, as }
    }

    it.scoped.each([
      ["cache", () => made(Resilience.cache(settings))],
      ["dedupe", () => made(Resilience.dedupe())]
    ] as const)("belong to another user: %s", ([stage, make]) =>
      Effect.gen(function* () {
        const { requests, as } = clients()
        const policies = CatalogPolicy.layer(make())
        const [mine, yours] = yield* Effect.all([Layer.build(as("mine")), Layer.build(as("yours"))])
        const titleOver = (services: typeof mine) =>
          Effect.map(Effect.provide(Effect.provide(get(1), policies), services), (reply) => reply.title)
        const concurrency = stage === "cache" ? 1 : "unbounded"
        const titles = yield* Effect.forEach([mine, yours, mine, yours], titleOver, { concurrency })
        expect(titles).toEqual(["mine", "yours", "mine", "yours"])
        expect(requests).toHaveLength(2)
      })
    )

    it.scoped("belong to another user if they come with the fetch of a call, or with its RequestInit", () =>
      Effect.gen(function* () {
        const fetch = (_: unknown, init?: RequestInit) =>
          Promise.resolve(Response.json({ id: 1, title: new Headers(init?.headers).get("cookie") ?? "none" }))
        const fetchAs = (cookie: string) => (input: unknown) => fetch(input, { headers: { cookie } })
        const services = yield* Layer.build(anonymous(Transport.layerFetch))
        const policies = CatalogPolicy.layer(made(Resilience.cache(settings)))
        const title = <R>(with_: Layer.Layer<R>) =>
          Effect.map(
            get(1).pipe(Effect.provide(services), Effect.provide(Layer.merge(with_, policies))),
            (reply) => reply.title
          )
        const overFetch = (cookie: string) =>
          Layer.succeed(FetchHttpClient.Fetch, fetchAs(cookie) as typeof globalThis.fetch)
        const withInit = (cookie: string) =>
          Layer.merge(
            Layer.succeed(FetchHttpClient.Fetch, fetch as typeof globalThis.fetch),
            Layer.succeed(FetchHttpClient.RequestInit, { headers: { cookie } })
          )
        expect([
          yield* title(overFetch("mine")),
          yield* title(overFetch("yours")),
          yield* title(withInit("his")),
          yield* title(withInit("hers"))
        ]).toEqual(["mine", "yours", "his", "hers"])
      })
    )

    test("belong to another user if each has a fetch: catalogs over one fetch share replies", async () => {
      const users: Array<string> = []
      const fetchAs = (user: string) => () => {
        users.push(user)
        return Promise.resolve(Response.json({ id: 1, title: user }))
      }
      const [mine, yours] = [fetchAs("mine"), fetchAs("yours")]
      const policies = [made(Resilience.cache(settings))]
      for (const fetch of [mine, yours, mine, yours]) {
        await using catalog = createCatalog({ fetch, clientId: "one", policies })
        await catalog.anime.get({ id: 1 })
      }
      expect(users).toEqual(["mine", "yours"])
    })
  })

  it.effect("another selector needs a reply of its own, other options of the call do not", () =>
    Effect.gen(function* () {
      const { countRequests } = start(settings)
      expect(yield* countRequests(get(1))).toBe(1)
      expect(yield* countRequests(get(1, { fields: "mean" }))).toBe(1)
      expect(yield* countRequests(get(1, { timeout: 5, totalTimeout: 5, signal: new AbortController().signal }))).toBe(
        0
      )
    })
  )

  test("an aborted signal cancels a call whose reply is cached", async () => {
    const fetch = () => Promise.resolve(Response.json({ id: 1, title: "x" }))
    await using catalog = createCatalog({ fetch, policies: [made(Resilience.cache(settings))] })
    await catalog.anime.get({ id: 1 })
    const call = catalog.anime.get({ id: 1 }, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ reason: "Cancelled" })
  })

  it.effect("two values share nothing, and a call can have one of its own", () =>
    Effect.gen(function* () {
      const { countRequests } = start(settings)
      const own = { policies: [made(Resilience.cache(settings))] }
      expect([
        yield* countRequests(get(1)),
        yield* countRequests(get(1, own)),
        yield* countRequests(get(1, own))
      ]).toEqual([1, 1, 0])
    })
  )
})

describe("limits", () => {
  it.effect("a reply is used for its time, from its arrival", () =>
    Effect.gen(function* () {
      const { countRequests, countRequestsFor } = start(settings, (request) => ({ ...answer(request), after: 5000 }))
      expect(yield* countRequestsFor(5000, get(1))).toBe(1)
      yield* TestClock.adjust(59_999)
      expect(yield* countRequests(get(1))).toBe(0)
      yield* TestClock.adjust(1)
      expect(yield* countRequestsFor(5000, get(1))).toBe(1)
      yield* TestClock.adjust(59_999)
      expect(yield* countRequests(get(1))).toBe(0)
    })
  )

  it.effect("beyond the capacity, the least recently used reply is dropped", () =>
    Effect.gen(function* () {
      const { countRequests } = start({ capacity: 3, timeToLive: "1 hour" })
      for (const id of [1, 2, 3, 1, 4]) {
        yield* countRequests(get(id))
      }
      const found: Array<number> = []
      for (const id of [1, 3, 4, 2]) {
        found.push(yield* countRequests(get(id)))
      }
      expect(found).toEqual([0, 0, 0, 1])
    })
  )

  it.effect("two equal reads at once keep one reply", () =>
    Effect.gen(function* () {
      const { requests, run } = start({ capacity: 1, timeToLive: "1 hour" }, (one) => ({ ...answer(one), after: 10 }))
      for (const expected of [2, 2]) {
        const fibers = yield* Effect.replicateEffect(Fibers.fork(run(get(1))), 2)
        yield* TestClock.adjust(10)
        yield* Effect.forEach(fibers, Fibers.join)
        expect(requests).toHaveLength(expected)
      }
    })
  )
})

describe("a write", () => {
  const mine = { fields: "my_list_status" }
  const write = Catalog.anime.updateMyListStatus({ id: 1, score: 1 })

  /** All reads, and the requests that they send. */
  const reads: Readonly<Record<string, Effect.Effect<unknown, unknown, Services>>> = {
    "the item": get(1),
    "the item with its status": get(1, mine),
    "another item": get(2),
    "another item with a status": get(2, mine),
    "a list": Catalog.anime.ranking({ rankingType: "all" }),
    "a list with a status": Catalog.anime.ranking({ rankingType: "all" }, { fields: "my_list_status" }),
    "a manga of the same number": Catalog.manga.get({ id: 1 }),
    "a topic of the same number": Catalog.forum.topic({ id: 1 })
  }
  const topic = { data: { title: "x", posts: [] } }
  const respond = (request: ReceivedRequest): StubResponse =>
    request.path.startsWith("/forum") ? { body: topic } : answer(request)

  const forgotten = (
    change: Effect.Effect<unknown, unknown, Services>,
    answerTo: (request: ReceivedRequest) => StubResponse = respond
  ) =>
    Effect.gen(function* () {
      const { run, countRequests, countRequestsFor } = start(settings, (request) =>
        request.method === "GET" ? respond(request) : answerTo(request)
      )
      yield* Effect.forEach(Object.values(reads), run)
      yield* countRequestsFor(10_000, change)
      const names: Array<string> = []
      for (const [name, read] of Object.entries(reads)) {
        if ((yield* countRequests(read)) > 0) {
          names.push(name)
        }
      }
      return names
    })

  const stale = ["the item", "the item with its status", "another item with a status", "a list with a status"]

  it.effect("drops replies with a status, and those of its item, and nothing else", () =>
    Effect.gen(function* () {
      expect(yield* forgotten(write)).toEqual(stale)
      expect(yield* forgotten(Catalog.anime.deleteFromList({ id: 1 }))).toEqual(stale)
      expect(yield* forgotten(Catalog.manga.deleteFromList({ id: 1 }))).toEqual([
        ...stale.slice(1),
        "a manga of the same number"
      ])
    })
  )

  it.effect("a refused write drops nothing; a write whose response was lost drops replies", () =>
    Effect.gen(function* () {
      expect(yield* forgotten(write, () => ({ status: 400 }))).toEqual([])
      expect(yield* forgotten(write, () => ({ status: 403 }))).toEqual([])
      expect(yield* forgotten(write, () => ({ status: 500 }))).toEqual(stale)
      expect(yield* forgotten(write, () => ({ drops: true }))).toEqual(stale)
      expect(yield* forgotten(write, () => ({ body: "<html>" }))).toEqual(stale)
      const hurried = Catalog.anime.updateMyListStatus({ id: 1, score: 1 }, { timeout: 5 })
      expect(yield* forgotten(hurried, () => ({ after: 50 }))).toEqual(stale)
      expect(yield* forgotten(Effect.timeout(write, 5), () => ({ after: 50 }))).toEqual(stale)
      let attempts = 0
      const again = Catalog.anime.updateMyListStatus(
        { id: 1, score: 1 },
        { policies: [Resilience.retry({ writes: true, baseDelay: 1 })] }
      )
      expect(yield* forgotten(again, () => (attempts++ === 0 ? { drops: true } : { status: 400 }))).toEqual(stale)
    })
  )

  it.effect("a write of another user drops nothing; one of the same user with another client ID does", () =>
    Effect.gen(function* () {
      const as = (accessToken: string, clientId: string) => Effect.provide(Credentials.layer({ accessToken, clientId }))
      expect(yield* forgotten(write.pipe(as("other", "client")))).toEqual([])
      expect(yield* forgotten(write.pipe(as("token", "other")))).toEqual(stale)
    })
  )

  it.effect.each([
    ["abc", "Bearer abc"],
    ["Bearer abc", "abc"],
    ["bearer  abc", "abc"]
  ] as const)(
    "with a token that was copied with its scheme, or without it, drops what the same user read: %s",
    ([reads, writes]) =>
      Effect.gen(function* () {
        const { run, countRequests } = start(settings)
        const as = (accessToken: string) => Effect.provide(Credentials.layer({ accessToken }))
        yield* run(get(1, mine).pipe(as(reads)))
        expect(yield* countRequests(get(1, mine).pipe(as(writes)))).toBe(0)
        yield* run(write.pipe(as(writes)))
        expect(yield* countRequests(get(1, mine).pipe(as(reads)))).toBe(1)
      })
  )

  it.effect("with a token that is wiped meanwhile drops the replies that were read with it", () =>
    Effect.gen(function* () {
      const { run, countRequests } = start(settings)
      const token = Redacted.make("abc")
      yield* run(Effect.provide(get(1, mine), Credentials.layer({ accessToken: "abc" })))
      const wipe = CatalogPolicy.make(
        (_, attempt) =>
          Effect.ensuring(
            attempt,
            Effect.sync(() => Redacted.unsafeWipe(token))
          ),
        { stage: "rateLimit" }
      )
      const wiped = Catalog.anime.updateMyListStatus({ id: 1, score: 1 }, { policies: [wipe] })
      yield* run(Effect.provide(wiped, Credentials.layer({ accessToken: token })))
      expect(yield* countRequests(Effect.provide(get(1, mine), Credentials.layer({ accessToken: "abc" })))).toBe(1)
    })
  )

  it.effect.each(["no other write", "a write of another user"])(
    "that ends during a read prevents keeping its reply, followed by %s",
    (next) =>
      Effect.gen(function* () {
        const { run, countRequestsFor } = start(settings, (one) => ({
          ...answer(one),
          after: one.method === "GET" ? 100 : 0
        }))
        const overtaken = yield* Fibers.fork(run(get(1, mine)))
        yield* TestClock.adjust(50)
        yield* run(write)
        if (next === "a write of another user") {
          yield* run(Effect.provide(write, Credentials.layer({ accessToken: "other" })))
        }
        yield* TestClock.adjust(50)
        yield* Fibers.join(overtaken)
        // What is read after the write is kept.
        expect(yield* countRequestsFor(100, get(1, mine))).toBe(1)
        expect(yield* countRequestsFor(100, get(1, mine))).toBe(0)
      })
  )

  it.effect("a write that lasts longer than a read drops the reply of the read", () =>
    Effect.gen(function* () {
      const { run, countRequestsFor } = start(settings, (one) =>
        one.method === "GET" ? { ...answer(one), after: 10 } : { body: { score: 1 }, after: 500 }
      )
      yield* Fibers.fork(run(write))
      yield* TestClock.adjust(10)
      expect(yield* countRequestsFor(10, get(1, mine))).toBe(1)
      expect(yield* countRequestsFor(500, get(1, mine))).toBe(0)
      expect(yield* countRequestsFor(10, get(1, mine))).toBe(1)
    })
  )

  it.effect("a read that begins after a write sees it, also if reads in flight are shared", () =>
    Effect.gen(function* () {
      let score = 0
      const { layer } = stubService((one) => {
        if (one.method === "PATCH") {
          score++
          return { body: { score }, after: 10 }
        }
        return { body: { id: 1, title: "x", my_list_status: { score } }, after: 1000 }
      })
      const services = Layer.merge(
        layer,
        CatalogPolicy.layer(made(Resilience.cache(settings)), made(Resilience.dedupe()))
      )
      const fork = <A, E>(operation: Effect.Effect<A, E, Services>, millis: number) =>
        Effect.zipLeft(Fibers.fork(Effect.either(Effect.provide(operation, services))), TestClock.adjust(millis))
      const before = yield* fork(get(1, mine), 100)
      yield* fork(write, 10)
      const after = yield* fork(get(1, mine), 2000)
      const later = yield* fork(get(1, mine), 0)
      const scores = yield* Effect.forEach([before, after, later], (fiber) => Fibers.join(fiber))
      expect(scores).toMatchObject([0, 1, 1].map((found) => ({ right: { my_list_status: { score: found } } })))
    })
  )
})

test("a cache that is printed shows no credential", async () => {
  const policy = made(Resilience.cache(settings))
  const { inspect } = await import("node:util")
  await using catalog = createCatalog({
    fetch: () => Promise.resolve(Response.json(example("anime.get").reply)),
    accessToken: "secret-token",
    policies: [policy]
  })
  await catalog.anime.get({ id: 1 })
  expect(inspect(policy, { depth: 9, showHidden: true })).not.toContain("secret-token")
})

describe("invalidateCache of a client", () => {
  const reads: Readonly<Record<string, (client: CatalogClient.Service) => Effect.Effect<unknown, unknown>>> = {
    one: ({ anime }) => anime.get({ id: 1 }),
    two: ({ anime }) => anime.get({ id: 2 }),
    list: ({ anime }) => anime.ranking({ rankingType: "all" })
  }

  /** A client that alone knows its cache, as `Layer.provide` gives it one. */
  const over = (service: ReturnType<typeof stubService>, ...more: ReadonlyArray<Effect.Effect<CatalogPolicy.Policy>>) =>
    Layer.provide(CatalogClient.layer(), [service.layer, CatalogPolicy.layer(Resilience.cache(settings), ...more)])

  /** Which reads send a request again after a program has dropped some replies. */
  const askedAgain = (invalidate: (client: CatalogClient.Service) => Effect.Effect<void>) => {
    const service = stubService(answer)
    return Effect.flatMap(CatalogClient, (client) =>
      Effect.gen(function* () {
        yield* Effect.forEach(Object.values(reads), (read) => read(client))
        yield* invalidate(client)
        const names: Array<string> = []
        for (const [name, read] of Object.entries(reads)) {
          const before = service.requests.length
          yield* read(client)
          if (service.requests.length > before) {
            names.push(name)
          }
        }
        return names
      })
    ).pipe(Effect.provide(over(service)))
  }

  it.effect("drops all replies, or those that a function selects by operation, URL, params or credentials", () =>
    Effect.gen(function* () {
      expect(yield* askedAgain(() => Effect.void)).toEqual([])
      expect(yield* askedAgain((client) => client.invalidateCache())).toEqual(["one", "two", "list"])
      const dropping = (...[filter]: Parameters<CatalogClient.Service["invalidateCache"]>) =>
        askedAgain((client) => client.invalidateCache(filter))
      expect(yield* dropping(({ operation }) => operation === "catalog.anime.get")).toEqual(["one", "two"])
      expect(yield* dropping(({ url }) => url.endsWith("/anime/2"))).toEqual(["two"])
      expect(yield* dropping(({ params }) => "id" in params && params.id === 1)).toEqual(["one"])
      const of = (accessToken: string) =>
        dropping(({ credentials }) => Equal.equals(credentials.accessToken, Option.some(Redacted.make(accessToken))))
      expect(yield* of("token")).toEqual(["one", "two", "list"])
      expect(yield* of("another")).toEqual([])
    })
  )

  it.effect("prevents keeping a read that began before, and one that shares its exchange", () => {
    const service = stubService((one) => ({ ...answer(one), after: 100 }))
    return Effect.flatMap(CatalogClient, (client) =>
      Effect.gen(function* () {
        const fork = (id: number) => Fibers.fork(client.anime.get({ id }))
        const before = [yield* fork(1), yield* fork(2)]
        yield* TestClock.adjust(50)
        yield* client.invalidateCache(({ params }) => "id" in params && params.id === 1)
        const sharing = yield* fork(1)
        yield* TestClock.adjust(50)
        yield* Effect.forEach([...before, sharing], Fibers.join)
        expect(service.requests.map(({ path }) => path)).toEqual(["/anime/1", "/anime/2"])
        // What the service says after that is kept again.
        for (const expected of [3, 3]) {
          const after = [yield* fork(1), yield* fork(2)]
          yield* TestClock.adjust(100)
          yield* Effect.forEach(after, Fibers.join)
          expect(service.requests).toHaveLength(expected)
        }
      })
    ).pipe(Effect.provide(over(service, Resilience.dedupe())))
  })

  it.effect("drops what a call would reuse: of the cache around it, and for another user, too", () => {
    const service = stubService(answer)
    return Effect.flatMap(CatalogClient, (client) =>
      Effect.gen(function* () {
        const other = client.withCredentials(Credentials.make({ accessToken: "another" }))
        const around = Effect.provide(CatalogPolicy.layer(made(Resilience.cache(settings))))
        const count = Effect.suspend(() => {
          const before = service.requests.length
          return Effect.map(other.anime.get({ id: 1 }), () => service.requests.length - before)
        })
        const inside = Effect.all([count, count, client.invalidateCache(), count])
        expect(yield* Effect.zip(around(inside), count)).toEqual([[1, 0, undefined, 1], 1])
        expect(yield* inside).toEqual([0, 0, undefined, 1])
      })
    ).pipe(Effect.provide(over(service)))
  })

  it.effect("has nothing to drop without a cache", () =>
    Effect.gen(function* () {
      const client = yield* CatalogClient.make()
      const mock = yield* Effect.provide(CatalogClient, CatalogClient.layerMock({}))
      yield* client.invalidateCache()
      yield* mock.invalidateCache()
    }).pipe(Effect.provide(stubService(answer).layer))
  )

  test("takes a function or nothing", async () => {
    const filter = "catalog.anime.get" as unknown as () => boolean
    const drop = Effect.flatMap(CatalogClient, (client) => client.invalidateCache(filter))
    await expect(Effect.runPromise(Effect.provide(drop, over(stubService(answer))))).rejects.toThrow(
      'Resilience.cache: invalidate takes a function of an entry, but got "catalog.anime.get"'
    )
  })
})
