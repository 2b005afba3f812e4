import {
  Catalog,
  CatalogClient,
  type CatalogClientService,
  CatalogConfig,
  CatalogPolicy,
  Credentials,
  type Policy,
  Resilience
} from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { HttpClient } from "@effect/platform"
import { Chunk, Config, ConfigError, ConfigProvider, Effect, Layer, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { json, recording } from "./support/faces.js"

const anime = { id: 1, title: "One" }
const page = { data: [{ node: anime }], paging: {} }

/** Runs with a client of these options over a transport, both of which the program itself does not see. */
const withClient = <A, E>(
  use: (client: CatalogClientService) => Effect.Effect<A, E>,
  transport: Layer.Layer<HttpClient.HttpClient>,
  ...[options]: Parameters<typeof CatalogClient.layer>
): Promise<A> =>
  Effect.flatMap(CatalogClient, use).pipe(
    Effect.provide(CatalogClient.layer(options)),
    Effect.provide([transport, Credentials.layer({ accessToken: "own", clientId: "client" })]),
    Effect.runPromise
  )

describe("a client", () => {
  test("keeps its transport, its credentials, its configuration and its policies", async () => {
    const here = recording(() => json(anime))
    const there = recording(() => json({ ...anime, title: "Two" }))
    const operations: Array<string> = []
    const noted: Policy = (call, attempt) => {
      operations.push(call.operation)
      return attempt
    }
    const title = Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(
      Effect.map(({ title }) => title),
      // What is around the call is that of the program.
      Effect.provide([there.layer, Credentials.layer({ accessToken: "other" }), CatalogPolicy.layer()]),
      CatalogConfig.with({ baseUrl: "http://elsewhere.test" }),
      Effect.provide(
        CatalogClient.layer({ baseUrl: "http://here.test", headers: { "x-app": "1" }, policies: [noted] })
      ),
      Effect.provide([here.layer, Credentials.layer({ accessToken: "own" })])
    )
    expect(await Effect.runPromise(title)).toBe("One")
    expect(there.sent).toEqual([])
    expect(here.sent.map(({ headers, url }) => [url.href, headers["authorization"], headers["x-app"]])).toEqual([
      ["http://here.test/anime/1", "Bearer own", "1"]
    ])
    expect(operations).toEqual(["catalog.anime.get"])
  })

  test("begins with the configuration and the policies that are there, and replaces policies of the same stage", async () => {
    const { layer, sent } = recording(() => json({}, { status: 503 }))
    const failing = Effect.flip(Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 }))).pipe(
      Effect.provide(CatalogClient.layer({ policies: [Resilience.retry({ attempts: 2, baseDelay: 1 })] })),
      Effect.provide([
        CatalogConfig.layer({ baseUrl: "http://around.test" }),
        CatalogPolicy.layer(Resilience.retry({ attempts: 5, baseDelay: 1 }))
      ]),
      Effect.provide([layer, Credentials.none])
    )
    expect(await Effect.runPromise(failing)).toMatchObject({ attempts: 2 })
    expect(sent.map(({ url }) => url.host)).toEqual(["around.test", "around.test"])
  })

  test("reads whole lists", async () => {
    const { layer } = recording(({ url }) =>
      json(url.searchParams.has("offset") ? page : { ...page, paging: { next: "http://x.test/anime?offset=1" } })
    )
    const all = await withClient(
      ({ anime }) =>
        Effect.all({
          pages: Stream.runCount(anime.search.pages({ q: "one" })),
          items: Effect.map(Stream.runCollect(anime.search.items({ q: "one" })), Chunk.toReadonlyArray),
          collected: anime.search.collect({ q: "one" }, { max: 1 })
        }),
      layer
    )
    expect(all).toEqual({ pages: 2, items: [...page.data, ...page.data], collected: page.data })
  })

  test("that is made with fields asks for them in calls that give none", async () => {
    const { layer, sent } = recording(() => json({ ...anime, mean: 8 }))
    const means = Effect.gen(function* () {
      const client = yield* CatalogClient.make({ fields: ["mean"] })
      const first: number | undefined = (yield* client.anime.get({ id: 1 })).mean
      yield* client.anime.get({ id: 1 }, { fields: "rank" })
      return first
    })
    expect(await Effect.runPromise(Effect.provide(means, [layer, Credentials.none]))).toBe(8)
    expect(sent.map(({ url }) => url.searchParams.get("fields"))).toEqual(["mean", "rank"])
  })

  test("takes its options from Config", async () => {
    const { layer, sent } = recording(() => json(anime))
    const given = (...values: ReadonlyArray<readonly [string, string]>) =>
      Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(
        Effect.provide(CatalogClient.layerConfig({ baseUrl: Config.string("URL"), nsfw: Config.succeed(true) })),
        Effect.provide([layer, Credentials.none]),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(values)))
      )
    await Effect.runPromise(given(["URL", "http://config.test/v9"]))
    expect(sent[0]?.url.href).toBe("http://config.test/v9/anime/1")
    expect(await Effect.runPromise(Effect.flip(given()))).toMatchObject({ _op: "MissingData" })
  })

  describe.each<[string, NonNullable<Parameters<typeof CatalogClient.layerConfig>[0]>]>([
    ["a member", { baseUrl: Config.string("URL"), timeout: 1_000, headers: { "x-a": Config.succeed("1") } }],
    ["one Config of all", Config.map(Config.string("URL"), (baseUrl) => ({ baseUrl, headers: { "x-a": "1" } }))]
  ])("with options from Config: %s", (_, options) => {
    const { layer, sent } = recording(() => json(anime))
    const given = (...values: ReadonlyArray<readonly [string, string]>) =>
      Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(
        Effect.provide(CatalogClient.layerConfig(options)),
        Effect.provide([layer, Credentials.none]),
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(values)))
      )

    test("beside plain values", async () => {
      await Effect.runPromise(given(["URL", "http://config.test/v9"]))
      expect(sent.at(-1)).toMatchObject({ headers: { "x-a": "1" } })
      expect(sent.at(-1)?.url.href).toBe("http://config.test/v9/anime/1")
    })

    test("a URL that is none is a ConfigError, as with CatalogConfig.layerConfig", async () => {
      const error: unknown = await Effect.runPromise(Effect.flip(given(["URL", "nonsense"])))
      expect(ConfigError.isConfigError(error)).toBe(true)
      expect(String(error)).toContain("baseUrl must be an absolute http: or https: URL")
    })
  })

  test("with options from Config reads CATALOG_BASE_URL, and checks the defaults of calls", async () => {
    const { layer, sent } = recording(() => json(anime))
    const given = (...options: Parameters<typeof CatalogClient.layerConfig>) =>
      Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(
        Effect.provide(CatalogClient.layerConfig(...options)),
        Effect.provide([layer, Credentials.none]),
        Effect.withConfigProvider(
          ConfigProvider.fromMap(
            new Map([
              ["CATALOG_BASE_URL", "http://usual.test"],
              ["TIMEOUT", "-1"]
            ])
          )
        )
      )
    await Effect.runPromise(given())
    expect(sent[0]?.url.href).toBe("http://usual.test/anime/1")
    const error: unknown = await Effect.runPromise(Effect.flip(given({ timeout: Config.number("TIMEOUT") })))
    expect(ConfigError.isConfigError(error)).toBe(true)
    expect(String(error)).toContain("timeout must be a number of milliseconds")
  })

  test("with an option that cannot be is a defect that names it", async () => {
    const built = Layer.build(CatalogClient.layer({ timeout: -1 })).pipe(
      Effect.provide([recording(() => json(anime)).layer, Credentials.none]),
      Effect.scoped
    )
    await expect(Effect.runPromise(built)).rejects.toThrow(/timeout/)
  })

  test("of the embedded service leaves the program's HttpClient alone", async () => {
    const { layer, sent } = recording(() => json("hello"))
    const program = Effect.gen(function* () {
      const client = yield* CatalogClient
      const own = yield* HttpClient.get("http://mine.test/")
      return [(yield* client.user.me()).name, yield* own.json]
    }).pipe(Effect.provide([EmbeddedCatalog.layerClient({ basePath: "/api" }), layer]))
    expect(await Effect.runPromise(program)).toEqual(["sample_reader", "hello"])
    expect(sent).toHaveLength(1)
    const nobody = EmbeddedCatalog.layerClient({}, { accessToken: undefined })
    const refused = Effect.flip(Effect.flatMap(CatalogClient, (client) => client.user.me()))
    expect(await Effect.runPromise(Effect.provide(refused, nobody))).toMatchObject({ _tag: "ClientAuthError" })
  })
})

describe("CatalogClient.mock", () => {
  const stubbed = CatalogClient.mock({
    anime: { get: ({ id }) => Effect.succeed({ id, title: `No. ${id}` }) }
  })

  test("gives the operations that a test needs", async () => {
    const program = Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 7 }))
    expect(await Effect.runPromise(Effect.provide(program, stubbed))).toEqual({ id: 7, title: "No. 7" })
  })

  test("names the operation that is missing", async () => {
    const call = (use: (client: CatalogClientService) => Effect.Effect<unknown, unknown>) =>
      Effect.runPromise(Effect.provide(Effect.flatMap(CatalogClient, use), stubbed))
    await expect(call((client) => client.anime.search({ q: "x" }))).rejects.toThrow(
      /mock has no catalog\.anime\.search/
    )
    await expect(call((client) => client.user.animeList.collect({ username: "a" }, { max: 1 }))).rejects.toThrow(
      /mock has no catalog\.user\.animeList/
    )
  })

  test("a plain object is a client, too", async () => {
    const program = Effect.flatMap(CatalogClient, (client) => client.forum.boards())
    const service = { forum: { boards: () => Effect.succeed({ categories: [] }) } }
    const layer = Layer.succeed(CatalogClient, service as unknown as CatalogClientService)
    expect(await Effect.runPromise(Effect.provide(program, layer))).toEqual({ categories: [] })
  })
})

test("the functions of Catalog keep their requirements", async () => {
  const { layer } = recording(() => json(anime))
  const title = Effect.map(Catalog.anime.get({ id: 1 }), ({ title }) => title)
  expect(await Effect.runPromise(Effect.provide(title, [layer, Credentials.none]))).toBe("One")
})
