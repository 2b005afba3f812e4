import {
  Catalog,
  CatalogConfig,
  type CatalogOptions,
  ClientNetworkError,
  createCatalog,
  Credentials,
  type CredentialSlot,
  ServiceProfile
} from "@catalog-client/core"
import { Cause, ConfigProvider, Context, Effect, Exit, Layer, Option, Redacted, Ref } from "effect"
import { describe, expect, test } from "vitest"
import { allFaces, failure, json, recording, value } from "./support/faces.js"

const anime = { id: 1, title: "One" }

describe.each(allFaces)("on the %s face", (_, face) => {
  const sending = async (options: object, callOptions?: object) => {
    const { sent, layer } = recording(() => json(anime))
    value(await face(layer, options)("anime.get", { id: 1 }, callOptions))
    return sent[0]
  }

  test.each([
    ["http://localhost:8080", "http://localhost:8080/anime/1"],
    ["http://localhost:8080/", "http://localhost:8080/anime/1"],
    ["https://proxy.example/catalog/v2", "https://proxy.example/catalog/v2/anime/1"],
    ["https://proxy.example/catalog/v2///", "https://proxy.example/catalog/v2/anime/1"],
    [new URL("http://127.0.0.1:1/x/"), "http://127.0.0.1:1/x/anime/1"]
  ])("the base URL %s works", async (baseUrl, url) => {
    expect((await sending({ baseUrl }))?.url.href).toBe(url)
  })

  test("extra headers are sent, and never instead of a credential's", async () => {
    const headers = { "X-Trace": "1", AUTHORIZATION: "Basic x", "x-mal-client-id": "theirs" }
    expect((await sending({ headers, accessToken: "t", clientId: "c" }))?.headers).toMatchObject({
      "x-trace": "1",
      authorization: "Bearer t",
      "x-mal-client-id": "c"
    })
    expect((await sending({ headers }))?.headers).toMatchObject({ authorization: "Basic x" })
  })

  test("another deployment is another profile", async () => {
    const profile: ServiceProfile = {
      baseUrl: "https://other.example/api/",
      accessToken: { header: "X-Token", prefix: "" },
      clientId: { header: "X-Client", prefix: "id=" },
      names: { ...ServiceProfile.default.names, fields: "select", rankingType: "by" },
      oauth: ServiceProfile.default.oauth
    }
    const { sent, layer } = recording(() => json({ data: [] }))
    const call = face(layer, { profile, accessToken: "t", clientId: "c" })
    value(await call("anime.ranking", { rankingType: "tv" }, { fields: "mean" }))
    expect(sent[0]?.url.href).toBe("https://other.example/api/anime/ranking?by=tv&select=mean")
    expect(sent[0]?.headers).toMatchObject({ "x-token": "t", "x-client": "id=c" })
    expect(sent[0]?.headers).not.toHaveProperty("authorization")
  })

  test("no trace headers are sent unless they are asked for", async () => {
    for (const [options, has] of [
      [{}, false],
      [{ tracePropagation: true }, true]
    ] as const) {
      const headers = (await sending(options))?.headers
      expect(Object.keys(headers ?? {}).includes("traceparent")).toBe(has)
      expect(Object.keys(headers ?? {}).includes("b3")).toBe(has)
    }
  })

  test("options merge over the defaults key by key", async () => {
    const { sent, layer } = recording(() => json({ data: [] }))
    const call = face(layer, { nsfw: true })
    const nsfw = async (options?: object) => {
      value(await call("anime.ranking", { rankingType: "all" }, options))
      return sent.at(-1)?.url.searchParams.get("nsfw")
    }
    expect(await nsfw()).toBe("true")
    expect(await nsfw({})).toBe("true")
    expect(await nsfw({ nsfw: undefined })).toBe("true")
    expect(await nsfw({ nsfw: false })).toBe("false")
    expect(sent.at(-1)?.url.searchParams.has("fields")).toBe(false)
    // Where an operation does not know an option, its default is not sent.
    expect((await sending({ nsfw: true }))?.url.search).toBe("")
  })

  test.each([0, -1, NaN, "1000"])("%j bytes for a body are a mistake", async (maxResponseBytes) => {
    const { sent, layer } = recording(() => json(anime))
    const must = "maxResponseBytes must be a number of bytes, 1 or more, but it is"
    const error = failure(await face(layer, {})("anime.get", { id: 1 }, { maxResponseBytes }))
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringContaining(`catalog.anime.get: ${must}`) })
    expect(sent).toHaveLength(0)
    // As a default it is refused where it is given.
    const refused = face(layer, { maxResponseBytes } as CatalogOptions)("anime.get", { id: 1 })
    const outcome = await refused.catch((error: unknown) => ({ ok: false, error }))
    expect(outcome).toMatchObject({ error: { name: "TypeError", message: expect.stringContaining(must) } })
  })

  test("the bytes for a body have a default, which a call overrides", async () => {
    const call = face(recording(() => json(anime)).layer, { maxResponseBytes: 5 })
    expect(failure(await call("anime.get", { id: 1 }))).toMatchObject({ reason: "ResponseTooLarge" })
    expect(value(await call("anime.get", { id: 1 }, { maxResponseBytes: 100 }))).toEqual(anime)
  })

  test.each([-1, NaN, "1000", null] as const)("a timeout of %j is a mistake", async (timeout) => {
    const { sent, layer } = recording(() => json(anime))
    const outcome = await face(layer, {})("anime.get", { id: 1 }, { timeout })
    if (timeout === null) {
      value(outcome)
    } else {
      expect(failure(outcome)).toBeInstanceOf(TypeError)
      expect((failure(outcome) as Error).message).toBe(
        `catalog.anime.get: timeout must be a number of milliseconds, 0 or more, but it is ${typeof timeout === "string" ? JSON.stringify(timeout) : timeout}`
      )
      expect(sent).toEqual([])
    }
  })

  test("a signal that is none is a mistake", async () => {
    const { layer } = recording(() => json(anime))
    const error = failure(await face(layer, {})("anime.get", { id: 1 }, { signal: new AbortController() }))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain("signal must be an AbortSignal")
    expect(() => createCatalog({ transport: layer, signal: new AbortController() as never })).toThrow(
      "signal must be an AbortSignal"
    )
  })
})

const malformed = [
  "",
  "nonsense",
  "https://x.example/v2?",
  "https://x.example/v2#",
  "/catalog",
  "ftp://x.example",
  "https://x.example/?a=1",
  "https://x.example/#a"
]

test.each(malformed)("a base URL %j is refused, by name", async (baseUrl) => {
  const message = `baseUrl must be an absolute http: or https: URL without a query or fragment, but it is ${JSON.stringify(baseUrl)}`
  const { layer } = recording(() => json(anime))
  expect(() => createCatalog({ transport: layer, baseUrl })).toThrow(new TypeError(message))
  const call = Effect.provide(Catalog.forum.boards(), Layer.merge(layer, Credentials.none))
  for (const effect of [
    Effect.provide(call, CatalogConfig.layer({ baseUrl })),
    CatalogConfig.with({ baseUrl })(call),
    Effect.provide(call, CatalogConfig.layer({ profile: { ...ServiceProfile.default, baseUrl } }))
  ]) {
    const exit = await Effect.runPromiseExit(effect)
    expect(Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause)).toEqual(new TypeError(message))
  }
})

test.each([{ timeout: -1 }, { maxResponseBytes: 0 }])("%j is refused as soon as it is given", (limits) => {
  const { layer } = recording(() => json(anime))
  expect(() => createCatalog({ transport: layer, ...limits })).toThrow(
    /^(timeout|maxResponseBytes) must be a number of/
  )
})

test("a base URL with a password is refused without showing it", () => {
  const { layer } = recording(() => json(anime))
  try {
    createCatalog({ transport: layer, baseUrl: "https://user:hunter2@x.example" })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain("hunter2")
  }
})

test.each([
  ["a name", { "no good": "x" }, '"no good" cannot be the name of a header'],
  ["a value", { ok: "line\nbreak" }, 'the value of "ok" cannot be sent in a header']
])("a header with %s that cannot be is refused", (_, headers, message) => {
  const { layer } = recording(() => json(anime))
  expect(() => createCatalog({ transport: layer, headers })).toThrow(message)
})

test("headers whose names would not be seen are refused", () => {
  const { layer } = recording(() => json(anime))
  for (const headers of [new Headers({ a: "1" }), [["a", "1"]], "a: 1", 5]) {
    expect(() => createCatalog({ transport: layer, headers: headers as never })).toThrow("headers must be an object")
  }
})

test("layer and with merge over what is there", async () => {
  const { sent, layer } = recording(() => json({ data: [] }))
  const outer = CatalogConfig.layer({
    baseUrl: "https://outer.example",
    headers: { a: "1", b: "1" },
    defaults: { nsfw: true, timeout: 1000 }
  })
  const inner = CatalogConfig.layer({ headers: { b: "2" }, defaults: { timeout: 2000 } })
  const ranking = Catalog.anime.ranking({ rankingType: "all" })
  const settings = Effect.map(CatalogConfig, ({ defaults }) => defaults)
  const program = Effect.gen(function* () {
    yield* ranking
    yield* CatalogConfig.with({ headers: { c: "3" }, defaults: { nsfw: false } })(ranking)
    return yield* settings
  })
  const layers = Layer.mergeAll(layer, Credentials.none, Layer.provideMerge(inner, outer))
  expect(await Effect.runPromise(Effect.provide(program, layers))).toEqual({ nsfw: true, timeout: 2000 })
  expect(sent.map(({ url }) => url.href)).toEqual([
    "https://outer.example/anime/ranking?ranking_type=all&nsfw=true",
    "https://outer.example/anime/ranking?ranking_type=all&nsfw=false"
  ])
  expect(sent[0]?.headers).toMatchObject({ a: "1", b: "2" })
  expect(sent[1]?.headers).toMatchObject({ a: "1", b: "2", c: "3" })
})

test.each([
  { baseUrl: "http://x.example/v2//" },
  { profile: { ...ServiceProfile.default, baseUrl: "http://x.example/v2/" } }
])("a configuration that somebody makes by hand may have a slash at the end: %j", async (changes) => {
  const { sent, layer } = recording(() => json(anime))
  const byHand = Layer.effect(
    CatalogConfig,
    Effect.map(CatalogConfig, (settings) => ({ ...settings, ...changes }))
  )
  await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, Credentials.none, byHand]))
  expect(sent[0]?.url.href).toBe("http://x.example/v2/anime/1")
})

test("the configuration has a default, so nothing has to be provided", () => {
  const settings = Context.get(Context.empty(), CatalogConfig)
  expect(settings).toEqual({
    baseUrl: undefined,
    headers: {},
    profile: ServiceProfile.default,
    defaults: {},
    tracePropagation: false
  })
})

describe("Credentials", () => {
  const asked = (layer: Layer.Layer<Credentials, unknown>) => {
    const { sent, layer: transport } = recording(() => json(anime))
    return Effect.runPromise(
      Effect.zipRight(
        Catalog.anime.get({ id: 1 }),
        Effect.sync(() => [sent[0]?.headers["authorization"], sent[0]?.headers["x-mal-client-id"]])
      ).pipe(Effect.provide(Layer.merge(transport, layer)))
    )
  }

  test("layerConfig reads both, one or none from Config", async () => {
    const from = (values: ReadonlyArray<readonly [string, string]>) =>
      Layer.provide(Credentials.layerConfig, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(values))))
    expect(
      await asked(
        from([
          ["CATALOG_ACCESS_TOKEN", "t"],
          ["CATALOG_CLIENT_ID", "c"]
        ])
      )
    ).toEqual(["Bearer t", "c"])
    expect(await asked(from([["CATALOG_CLIENT_ID", "c"]]))).toEqual([undefined, "c"])
    expect(await asked(from([]))).toEqual([undefined, undefined])
  })

  test("layerEffect takes both slots, one or none", async () => {
    const slot = (value: string) => Effect.succeed(Option.some(Redacted.make(value)))
    const [accessToken, clientId] = [slot("t"), slot("c")]
    expect(await asked(Credentials.layerEffect({ accessToken, clientId }))).toEqual(["Bearer t", "c"])
    expect(await asked(Credentials.layerEffect({ accessToken }))).toEqual(["Bearer t", undefined])
    expect(await asked(Credentials.layerEffect({ clientId }))).toEqual([undefined, "c"])
    expect(await asked(Credentials.layerEffect({}))).toEqual([undefined, undefined])
  })

  describe("that cannot be are a mistake that names the slot, and shows nothing of it", () => {
    const number: unknown = Redacted.make(8_675_309)
    const wrong = number as Redacted.Redacted<string>

    test.each(["accessToken", "clientId"] as const)("as a value: %s", async (slot) => {
      const { layer } = recording(() => json(anime))
      const says = `${slot} must be a string or a Redacted of a string`
      expect(() => createCatalog({ transport: layer, [slot]: wrong })).toThrow(new TypeError(says))
      await using catalog = createCatalog({ transport: layer })
      expect(() => {
        catalog[slot] = wrong
      }).toThrow(new TypeError(says))
      const exit = await Effect.runPromiseExit(
        Effect.provide(Catalog.anime.get({ id: 1 }), [layer, Credentials.layer({ [slot]: wrong })])
      )
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new TypeError(says))
    })

    test.each<readonly [string, unknown]>([
      ["undefined", undefined],
      ["string", "8675309"],
      ["an Option of something else", Option.some("8675309")],
      ["an Option of something else", Option.some(wrong)]
    ])("as what a slot gives: %s", async (kind, given) => {
      const { sent, layer } = recording(() => json(anime))
      for (const slot of ["accessToken", "clientId"] as const) {
        for (const effect of [Effect.succeed(given), Effect.sync(() => given)]) {
          const credentials = Credentials.layerEffect({ [slot]: effect as CredentialSlot })
          const call = (options: object) => Effect.provide(Catalog.anime.get({ id: 1 }, options), [layer, credentials])
          const exit = await Effect.runPromiseExit(call({}))
          expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
            new TypeError(
              `catalog.anime.get: the credential slot ${slot} must give Option.none(), or Option.some(Redacted.make(text)), but it gave ${kind}`
            )
          )
          expect(await Effect.runPromise(Effect.flip(call({ signal: AbortSignal.abort() })))).toMatchObject({
            reason: "Cancelled"
          })
        }
      }
      expect(sent).toEqual([])
    })
  })

  test("slots that are Effects are asked on each call, and their errors are the call's", async () => {
    const { sent, layer } = recording(() => json(anime))
    const failed = new ClientNetworkError({
      operation: "token",
      method: "POST",
      url: "https://x.example",
      reason: "Transport",
      attempts: 1
    })
    class Store extends Context.Tag("Store")<Store, { readonly token: Ref.Ref<string> }>() {}
    const program = Effect.gen(function* () {
      const { token } = yield* Store
      yield* Catalog.anime.get({ id: 1 })
      yield* Ref.set(token, "second")
      yield* Catalog.anime.get({ id: 1 })
      yield* Ref.set(token, "dead")
      return yield* Effect.flip(Catalog.anime.get({ id: 1 }))
    })
    const credentials = Credentials.layerEffect({
      accessToken: Effect.flatMap(Store, ({ token }) =>
        Effect.flatMap(Ref.get(token), (now) =>
          now === "dead" ? Effect.fail(failed) : Effect.succeed(Option.some(Redacted.make(now)))
        )
      )
    })
    const store = Layer.effect(
      Store,
      Effect.map(Ref.make("first"), (token) => ({ token }))
    )
    const error = await Effect.runPromise(
      Effect.provide(program, Layer.merge(layer, Layer.provideMerge(credentials, store)))
    )
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual(["Bearer first", "Bearer second"])
    expect(error).toBe(failed)
  })
})

test("a base URL can be a function, which is called by the first call and no more", async () => {
  const { sent, layer } = recording(() => json(anime))
  let asked = 0
  await using catalog = createCatalog({
    transport: layer,
    baseUrl: () => {
      asked++
      return new URL("http://late.example/api/")
    }
  })
  expect(asked).toBe(0)
  await catalog.anime.get({ id: 1 })
  await catalog.anime.get({ id: 2 })
  expect(sent.map(({ url }) => url.href)).toEqual([
    "http://late.example/api/anime/1",
    "http://late.example/api/anime/2"
  ])
  expect(asked).toBe(1)
  const configured = Effect.provide(CatalogConfig, CatalogConfig.layer({ baseUrl: () => "http://layer.example/" }))
  expect((await Effect.runPromise(configured)).baseUrl).toBe("http://layer.example")
})
