// Not over the bundle: a client is a service of Effect.
import * as CatalogBrowser from "@catalog-client/browser"
import {
  CatalogClient,
  CatalogConfig,
  CatalogHooks,
  CatalogPolicy,
  Credentials,
  Operation,
  Resilience,
  ServiceProfile
} from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Chunk, Effect, Layer, ManagedRuntime, Schema, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { anonymous, json, recording } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { minimumLevel } from "./support/telemetry.js"

const page = { data: [{ node: anime }], paging: {} }

/** Runs with a client of these options over a transport, both of which the program itself does not see. */
const withClient = <A, E>(
  use: (client: CatalogClient.Service) => Effect.Effect<A, E>,
  transport: Layer.Layer<HttpClient.HttpClient>,
  ...[options]: Parameters<typeof CatalogClient.layer>
): Promise<A> =>
  Effect.flatMap(CatalogClient, use).pipe(
    Effect.provide(CatalogClient.layer(options)),
    Effect.provide([transport, Credentials.layer({ accessToken: "own", clientId: "client" })]),
    Effect.runPromise
  )

/** A policy that notes the calls that it is around. */
const noting = () => {
  const calls: Array<CatalogPolicy.Call> = []
  const policy: CatalogPolicy.Policy = (call, attempt) => {
    calls.push(call)
    return attempt
  }
  return { calls, policy }
}

describe("a client", () => {
  test("keeps its transport, its base URL and its policies", async () => {
    const here = recording(() => json(anime))
    const there = recording(() => json({ ...anime, title: "Two" }))
    const { calls, policy } = noting()
    const title = Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(
      Effect.map(({ title }) => title),
      // What is around the call is that of the program.
      Effect.provide([there.layer, CatalogPolicy.layer()]),
      CatalogConfig.with({ baseUrl: "http://elsewhere.test" }),
      Effect.provide(CatalogClient.layer({ baseUrl: "http://here.test", headers: { "x-app": "1" } })),
      Effect.provide([here.layer, Credentials.layer({ accessToken: "own" }), CatalogPolicy.layer(policy)])
    )
    expect(await Effect.runPromise(title)).toBe("One")
    expect(there.requests).toEqual([])
    expect(here.requests.map(({ headers, url }) => [url.href, headers["authorization"], headers["x-app"]])).toEqual([
      ["http://here.test/anime/1", "Bearer own", "1"]
    ])
    expect(calls.map(({ operation }) => operation)).toEqual(["catalog.anime.get"])
  })

  describe("with other credentials around a call", () => {
    const bob = Credentials.make({ accessToken: "bob" })

    test("acts for its own user, also in a whole list", async () => {
      const { layer, requests } = recording(() => json({ ...anime, name: "One", ...page }))
      await withClient(
        ({ anime, user }) =>
          Effect.forEach(
            [
              user.me(),
              anime.search.collect({ q: "one" }, { max: 1 }),
              Stream.runCollect(anime.search.items({ q: "one" })),
              Stream.runCollect(anime.search.pages({ q: "one" }))
            ],
            (call) => Effect.provideService(call as Effect.Effect<unknown, unknown>, Credentials, bob)
          ),
        layer
      )
      expect(requests.map(({ headers }) => headers["authorization"])).toEqual(Array(4).fill("Bearer own"))
    })

    test("acts for another user where the program says so: withCredentials, or a call's own token", async () => {
      const { layer, requests } = recording(() => json({ ...anime, name: "One", ...page }))
      await withClient(
        (client) =>
          Effect.all([
            client.withCredentials(bob).user.me(),
            client.withCredentials(bob).anime.search.collect({ q: "one" }, { max: 1 }),
            client.user.me({ accessToken: "carol" })
          ]).pipe(Effect.provideService(Credentials, Credentials.make({ accessToken: "dave" }))),
        layer,
        { headers: { "x-app": "1" } }
      )
      const tokens = ["bob", "bob", "carol"]
      expect(requests.map(({ headers }) => headers["authorization"])).toEqual(tokens.map((token) => `Bearer ${token}`))
      expect(requests.every(({ headers }) => headers["x-app"] === "1")).toBe(true)
    })

    test("says that they have no effect, if it has no token of its own", async () => {
      const { layer } = recording(() => json({ name: "One" }))
      const messages = Effect.gen(function* () {
        const own = Credentials.make({ clientId: "client" })
        const client = yield* CatalogClient.make().pipe(Effect.provideService(Credentials, own))
        const me = client.user.me()
        return yield* Effect.forEach(
          [
            Effect.provideService(me, Credentials, bob),
            Effect.provideService(client.user.me({ accessToken: "" }), Credentials, bob),
            Effect.provideService(me, Credentials, own),
            me
          ],
          Effect.flip
        )
      })
      const said = (await Effect.runPromise(Effect.provide(messages, layer))).map(({ message }) => message)
      expect(said.map((message) => message.includes("client.withCredentials"))).toEqual([true, false, false, false])
      expect(said[0]).toContain(
        "for example from CATALOG_ACCESS_TOKEN: Credentials around a call of a CatalogClient have no effect. " +
          "Provide them to its Layer, or call client.withCredentials. See"
      )
    })

    test("sends the token that its own credentials have now, and redacts those that they had", async () => {
      const { layer, requests } = recording(() =>
        json({ error: "server_error", message: "seen: first-token, second-token" }, { status: 500 })
      )
      const messages = Effect.gen(function* () {
        let token = "first-token"
        // Like those of a session, which are read again for each call.
        const own: Credentials.Service = {
          ...Credentials.make({ clientId: "client" }),
          get accessToken() {
            return Credentials.make({ accessToken: token }).accessToken
          }
        }
        const { user } = yield* CatalogClient.make().pipe(Effect.provideService(Credentials, own))
        const me = Effect.flip(user.me())
        const first = yield* me
        token = "second-token"
        const second = yield* Effect.provideService(me, Credentials, bob)
        token = "third-token"
        return [first, second, yield* Effect.provideService(me, Credentials, bob)]
      })
      const said = (await Effect.runPromise(Effect.provide(messages, layer))).map(({ message }) => message)
      expect(requests.map(({ headers }) => headers["authorization"])).toEqual(
        ["first", "second", "third"].map((name) => `Bearer ${name}-token`)
      )
      expect(said.map((message) => message.includes("first-token"))).toEqual([false, false, false])
    })

    test("a mock is the same for all", async () => {
      const mock = CatalogClient.layerMock({ anime: { get: () => Effect.succeed(anime) } })
      const title = Effect.flatMap(CatalogClient, (client) => client.withCredentials(bob).anime.get({ id: 1 }))
      expect(await Effect.runPromise(Effect.provide(title, mock))).toEqual(anime)
    })
  })

  test("that is made with fields sends them in calls without a selector", async () => {
    const { layer, requests } = recording(() => json({ ...anime, mean: 8 }))
    const means = Effect.gen(function* () {
      const client = yield* CatalogClient.make({ fields: ["mean"] })
      const first: number | undefined = (yield* client.anime.get({ id: 1 })).mean
      yield* client.anime.get({ id: 1 }, { fields: "rank" })
      return first
    })
    expect(await Effect.runPromise(Effect.provide(means, anonymous(layer)))).toBe(8)
    expect(requests.map(({ url }) => url.searchParams.get("fields"))).toEqual(["mean", "rank"])
  })

  test("of the embedded service does not replace the program's HttpClient", async () => {
    const { layer, requests } = recording(() => json("hello"))
    const program = Effect.gen(function* () {
      const client = yield* CatalogClient
      const own = yield* HttpClient.get("http://mine.test/")
      return [(yield* client.user.me()).name, yield* own.json]
    }).pipe(Effect.provide([EmbeddedCatalog.layerClient({ basePath: "/api" }), layer]))
    expect(await Effect.runPromise(program)).toEqual(["sample_reader", "hello"])
    expect(requests).toHaveLength(1)
    const nobody = EmbeddedCatalog.layerClient({}, { accessToken: undefined })
    const refused = Effect.flip(Effect.flatMap(CatalogClient, (client) => client.user.me()))
    expect(await Effect.runPromise(Effect.provide(refused, nobody))).toMatchObject({ _tag: "ClientAuthError" })
  })
})

const title = Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 30230 })).pipe(
  Effect.map(({ title }) => title)
)

describe("settings, policies and hooks", () => {
  type Client = Layer.Layer<CatalogClient>

  /** Every way to provide Layers to a program, and to the client that it uses. */
  const ways: Record<string, (around: Layer.Layer<never>, client: Client) => Effect.Effect<string, unknown>> = {
    "to the client": (around, client) => Effect.provide(title, Layer.provide(client, around)),
    "to the client and the program": (around, client) => Effect.provide(title, Layer.provideMerge(client, around)),
    "to both, each by itself": (around, client) =>
      title.pipe(Effect.provide(around), Effect.provide(Layer.provide(client, around))),
    "around the call": (around, client) => title.pipe(Effect.provide(around), Effect.provide(client)),
    "around a call of a client that is passed on": (around, client) =>
      Effect.flatMap(CatalogClient, ({ anime }) => Effect.provide(anime.get({ id: 30230 }), around)).pipe(
        Effect.map(({ title }) => title),
        Effect.provide(client)
      ),
    "around the program and its client": (around, client) => title.pipe(Effect.provide(client), Effect.provide(around)),
    "in one array, before the client": (around, client) => Effect.provide(title, [around, client]),
    "in one array, after the client": (around, client) => Effect.provide(title, [client, around]),
    "in one Layer, before the client": (around, client) => Effect.provide(title, Layer.mergeAll(around, client)),
    "in one Layer, after the client": (around, client) => Effect.provide(title, Layer.mergeAll(client, around)),
    "in a runtime": (around, client) =>
      Effect.acquireUseRelease(
        Effect.sync(() => ManagedRuntime.make(Layer.mergeAll(around, client))),
        (runtime) => Effect.promise(() => runtime.runPromise(title)),
        (runtime) => runtime.disposeEffect
      )
  }

  /** A service that is unavailable once, and every client over it that does not need a socket. */
  const clientsOf = () => {
    const requests: Array<string | undefined> = []
    const fault = (header: string | null | undefined) => {
      requests.push(header ?? undefined)
      return requests.length === 1
    }
    const respond = (header: string | null | undefined) =>
      fault(header) ? json({}, { status: 503 }) : json({ id: 30230, title: "One" })
    const { layer } = recording(({ headers }) => respond(headers["x-around"]))
    const services = anonymous(layer)
    const fetch = (_: unknown, init?: RequestInit) =>
      Promise.resolve(respond(new Headers(init?.headers).get("x-around")))
    const embedded = {
      faults: [
        {
          on: ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => fault(headers["x-around"]),
          status: 503
        }
      ]
    }
    const clients: Record<string, Client> = {
      layer: Layer.provide(CatalogClient.layer(), services),
      make: Layer.provide(Layer.effect(CatalogClient, CatalogClient.make()), services),
      "EmbeddedCatalog.layerClient": EmbeddedCatalog.layerClient(embedded),
      "CatalogBrowser.layerClient": Layer.provide(
        CatalogBrowser.layerClient(),
        Layer.succeed(FetchHttpClient.Fetch, fetch as typeof globalThis.fetch)
      )
    }
    return { requests, clients }
  }

  const rows = Object.entries(ways).flatMap(([way, provide]) =>
    Object.keys(clientsOf().clients).map((name) => [way, name, provide] as const)
  )

  test.each(rows)("provided %s, apply to a client of %s, each once", async (_, name, provide) => {
    const outcomes: Array<string> = []
    const { calls, policy } = noting()
    const { clients, requests } = clientsOf()
    const around = Layer.mergeAll(
      CatalogConfig.layer({ headers: { "x-around": "1" } }),
      CatalogPolicy.layer(policy, Resilience.retry({ attempts: 2, baseDelay: 0 })),
      CatalogHooks.layer({ onResponse: ({ outcome }) => outcomes.push(outcome) })
    )
    await Effect.runPromise(provide(around, clients[name] as Client))
    expect(requests).toEqual(["1", "1"])
    expect(outcomes).toEqual(["503", "Success"])
    expect(calls).toHaveLength(1)
  })

  /** Runs a call of a client that has been built within some Layers, and says what was sent. */
  const sends = async (
    around: CatalogConfig.Options,
    options: CatalogConfig.Options & Credentials.Options = {},
    within: CatalogConfig.Options = {}
  ) => {
    const { layer, requests } = recording(() => json({ id: 1, title: "One", mean: "8" }))
    const { accessToken, clientId, ...rest } = options
    const { calls, policy } = noting()
    const exit = await title.pipe(
      CatalogConfig.with(around),
      Effect.provide(Layer.provide(CatalogClient.layer(rest), CatalogPolicy.layer(policy))),
      Effect.provide([layer, Credentials.layer({ accessToken, clientId })]),
      Effect.provide(CatalogConfig.layer(within)),
      Effect.provide(minimumLevel("None")),
      Effect.runPromiseExit
    )
    return { ...requests[0], host: requests[0]?.url.host, timeout: calls[0]?.timeout, isOk: exit._tag === "Success" }
  }

  const around = { baseUrl: "http://around.test" }
  const own = { baseUrl: "http://own.test" }

  test.each<[string, Parameters<typeof sends>, object]>([
    ["a timeout", [{ timeout: 1 }, { timeout: 2 }], { timeout: 1 }],
    ["another option", [{ nsfw: true }, { timeout: 2 }], { timeout: 2 }],
    ["a member that the client took over", [{ timeout: 1 }, {}, { timeout: 2 }], { timeout: 1 }],
    ["no more than the client was built with", [{ nsfw: true }, { timeout: 1 }, { timeout: 2 }], { timeout: 1 }],
    ["mismatch: omit", [{ mismatch: "omit" }, { mismatch: "fail" }], { isOk: true }],
    ["mismatch: fail", [{ mismatch: "fail" }], { isOk: false }],
    ["the base URL of a client that has none", [around], { host: "around.test" }],
    ["not the base URL of a client that has one", [around, own], { host: "own.test" }],
    ["not the base URL of a client that was built with one", [around, {}, own], { host: "own.test" }],
    [
      "neither base URL nor profile of a client with a profile",
      [
        { ...around, profile: { ...ServiceProfile.default, ...around } },
        { profile: { ...ServiceProfile.default, ...own } }
      ],
      { host: "own.test" }
    ]
  ])("%s around a call", async (_, given, expected) => {
    expect(await sends(...given)).toMatchObject(expected)
  })

  test("headers around a call are merged by name, and none replaces a credential's", async () => {
    const { headers } = await sends(
      { headers: { "x-a": "around", "x-c": "around", authorization: "around" } },
      { accessToken: "own", headers: { "x-a": "own", "x-b": "own" } }
    )
    expect(headers).toMatchObject({ "x-a": "around", "x-b": "own", "x-c": "around", authorization: "Bearer own" })
  })

  test("a policy around a call replaces the client's of the same stage; an empty list replaces nothing", async () => {
    const attempts = async (...policies: ReadonlyArray<CatalogPolicy.Policy>) => {
      const { layer, requests } = recording(() => json({}, { status: 503 }))
      await Effect.flip(title).pipe(
        Effect.provide(CatalogPolicy.layer(...policies)),
        Effect.provide(
          Layer.provide(CatalogClient.layer(), CatalogPolicy.layer(Resilience.retry({ attempts: 2, baseDelay: 0 })))
        ),
        Effect.provide(anonymous(layer)),
        Effect.runPromise
      )
      return requests.length
    }
    expect(await attempts()).toBe(2)
    expect(await attempts(Resilience.retry({ attempts: 3, baseDelay: 0 }))).toBe(3)
  })

  test("a policy of the client, around its call and among the call's own applies once", async () => {
    const { layer } = recording(() => json(anime))
    const { calls, policy } = noting()
    const around = CatalogPolicy.layer(policy)
    await Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 }, { policies: [policy] })).pipe(
      Effect.provide(around),
      Effect.provide(Layer.provide(CatalogClient.layer(), [around, layer, Credentials.layerNone])),
      Effect.runPromise
    )
    expect(calls).toHaveLength(1)
  })

  test("hooks of the client are called before those around the call, and failing ones do not stop others", async () => {
    const called: Array<string> = []
    class Around {
      #name = "around"
      onRequest() {
        called.push(this.#name)
      }
    }
    const { layer } = recording(() => json(anime))
    const onRequest = () => {
      called.push("client")
      throw new Error("broken")
    }
    const program = title.pipe(
      Effect.provide(CatalogHooks.layer(new Around())),
      Effect.provide(Layer.provide(CatalogClient.layer(), CatalogHooks.layer({ onRequest }))),
      Effect.provide(anonymous(layer)),
      Effect.provide(minimumLevel("None"))
    )
    await Effect.runPromise(program)
    expect(called).toEqual(["client", "around"])
  })

  test("apply to each page of whole lists", async () => {
    const { layer, requests } = recording(({ url }) =>
      json(url.searchParams.has("offset") ? page : { ...page, paging: { next: "http://x.test/anime?offset=1" } })
    )
    let called = 0
    const read = await Effect.flatMap(CatalogClient, ({ anime: { search } }) =>
      Effect.all({
        pages: Stream.runCount(search.pages({ q: "one" })),
        items: Effect.map(Stream.runCollect(search.items({ q: "one" })), Chunk.toReadonlyArray),
        collected: search.collect({ q: "one" }, { max: 1 })
      })
    ).pipe(
      Effect.provide([
        CatalogHooks.layer({ onRequest: () => called++ }),
        CatalogConfig.layer({ headers: { "x-around": "1" } }),
        Layer.provide(CatalogClient.layer(), anonymous(layer))
      ]),
      Effect.runPromise
    )
    expect(read).toEqual({ pages: 2, items: [...page.data, ...page.data], collected: page.data })
    expect(called).toBe(5)
    expect(requests.map(({ headers }) => headers["x-around"])).toEqual(["1", "1", "1", "1", "1"])
  })

  test("do not apply to a mock, which sends nothing", async () => {
    const { calls, policy } = noting()
    let requests = 0
    const around = Layer.merge(CatalogPolicy.layer(policy), CatalogHooks.layer({ onRequest: () => requests++ }))
    const mock = CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } })
    for (const provide of Object.values(ways)) {
      expect(await Effect.runPromise(provide(around, mock))).toBe("One")
    }
    expect([calls.length, requests]).toEqual([0, 0])
  })
})

describe("CatalogClient.layerMock", () => {
  const stubbed = CatalogClient.layerMock({
    anime: { get: ({ id }) => Effect.succeed({ id, title: `No. ${id}` }) }
  })

  /** A list of numbers, in pages as long as the call asks, with links in the service's form. */
  const numbers = (total: number) => {
    const requests: Array<object> = []
    const list = (params: { readonly limit?: number | undefined; readonly offset?: number | undefined }) => {
      requests.push(params)
      const { limit = 10, offset = 0 } = params
      const data = Array.from({ length: Math.min(limit, total - offset) }, (_, nth) => ({
        node: { id: offset + nth, title: `No. ${offset + nth}` }
      }))
      const link = (offset: number) => `https://catalog.test/list?offset=${offset}&limit=${limit}`
      return Effect.succeed({
        data,
        paging: {
          ...(offset + limit < total && { next: link(offset + limit) }),
          ...(offset > 0 && { previous: link(Math.max(0, offset - limit)) })
        }
      })
    }
    return { requests, list }
  }

  const run = <A, E>(use: (client: CatalogClient.Service) => Effect.Effect<A, E>, mock: Layer.Layer<CatalogClient>) =>
    Effect.runPromise(Effect.provide(Effect.flatMap(CatalogClient, use), mock))

  const idsOf = (entries: Iterable<{ readonly node: { readonly id: number } }>) =>
    Array.from(entries, ({ node }) => node.id)

  test("derives whole lists from the stub of the operation", async () => {
    const { requests, list } = numbers(25)
    const mock = CatalogClient.layerMock({ user: { animeList: list } })
    const username = "reader"
    const all = Array.from({ length: 25 }, (_, id) => id)
    expect(await run(({ user }) => Stream.runCount(user.animeList.pages({ username, limit: 10 })), mock)).toBe(3)
    expect(requests).toEqual([
      { username, limit: 10 },
      { username, limit: 10, offset: 10 },
      { username, limit: 10, offset: 20 }
    ])
    expect(
      idsOf(await run(({ user }) => Stream.runCollect(user.animeList.items({ username, limit: 10 })), mock))
    ).toEqual(all)
    expect(idsOf(await run(({ user }) => user.animeList.collect({ username }, { max: 3 }), mock))).toEqual([0, 1, 2])
    requests.length = 0
    expect(await run(({ user }) => user.animeList.collect({ username }, { max: 0 }), mock)).toEqual([])
    expect(requests).toEqual([])
    await run(({ user }) => user.animeList({ username }), mock)
    expect(requests).toEqual([{ username }])
  })

  test("an operation without params has its page in the options", async () => {
    const { requests, list } = numbers(3)
    const mock = CatalogClient.layerMock({ anime: { suggestions: (options = {}) => list(options) } })
    expect(idsOf(await run(({ anime }) => Stream.runCollect(anime.suggestions.items({ limit: 2 })), mock))).toEqual([
      0, 1, 2
    ])
    expect(requests).toMatchObject([{ limit: 2 }, { limit: 2, offset: 2 }])
  })

  test("a stub that repeats its page fails as a service does, and one that fails ends the list", async () => {
    const stuck = CatalogClient.layerMock({
      anime: {
        search: () => Effect.succeed({ data: [], paging: { next: "https://catalog.test/anime?offset=0" } }),
        seasonal: () => Effect.fail(new Error("of the test") as never)
      }
    })
    await expect(
      run(({ anime }) => Effect.flip(Stream.runDrain(anime.search.pages({ q: "one" }))), stuck)
    ).resolves.toMatchObject({ reason: "InvalidBody", path: ["paging", "next"] })
    await expect(
      run(({ anime }) => anime.seasonal.collect({ year: 2020, season: "fall" }, { max: 1 }), stuck)
    ).rejects.toThrow("of the test")
  })

  test("a stub may define its whole lists, and those that it does not are derived", async () => {
    const items = () => Stream.make({ node: { id: 7, title: "Seven" } })
    const mock = CatalogClient.layerMock({ user: { animeList: Object.assign(numbers(2).list, { items }) } })
    const username = "reader"
    expect(idsOf(await run(({ user }) => Stream.runCollect(user.animeList.items({ username })), mock))).toEqual([7])
    expect(idsOf(await run(({ user }) => user.animeList.collect({ username }, { max: 9 }), mock))).toEqual([0, 1])
  })

  test("operations that a program declares have whole lists, too", async () => {
    const list = Operation.paged({
      name: "shelf.list",
      method: "GET",
      path: "/shelves/{shelf}",
      inputs: { shelf: Schema.String },
      limit: { maximum: 10 },
      reply: Operation.pageSchema(Schema.Struct({ node: Schema.Struct({ id: Schema.Number, title: Schema.String }) }))
    })
    const { requests, list: respond } = numbers(15)
    const collected = run(
      (client) => client.call.collect(list, { shelf: "a" }, { max: 12 }),
      CatalogClient.layerMock({ call: [Operation.stub(list, (params) => respond(params))] })
    )
    expect(idsOf(await collected)).toEqual(Array.from({ length: 12 }, (_, id) => id))
    expect(requests).toEqual([
      { shelf: "a", limit: 10 },
      { shelf: "a", limit: 10, offset: 10 }
    ])
  })

  test("an operation without a stub is a defect that names it", async () => {
    const params = { q: "one" }
    const calls: ReadonlyArray<(client: CatalogClient.Service) => Effect.Effect<unknown, unknown>> = [
      ({ manga }) => manga.search(params),
      ({ manga }) => manga.search.collect(params, { max: 1 }),
      ({ manga }) => Stream.runDrain(manga.search.pages(params)),
      ({ manga }) => Stream.runDrain(manga.search.items(params))
    ]
    for (const call of calls) {
      await expect(run(call, stubbed)).rejects.toThrow(
        "CatalogClient.layerMock has no catalog.manga.search: add it to manga"
      )
    }
  })

  test("a plain object is a client, too", async () => {
    const program = Effect.flatMap(CatalogClient, (client) => client.forum.boards())
    const service = { forum: { boards: () => Effect.succeed({ categories: [] }) } }
    const layer = Layer.succeed(CatalogClient, service as unknown as CatalogClient.Service)
    expect(await Effect.runPromise(Effect.provide(program, layer))).toEqual({ categories: [] })
  })
})
