import { createCatalog, fromEnvironment, Operation } from "catalog-client"
import {
  Catalog,
  CatalogClient,
  CatalogConfig,
  ClientNetworkError,
  Credentials,
  ServiceProfile
} from "@catalog-client/core"
import {
  Cause,
  Config,
  ConfigError,
  ConfigProvider,
  Context,
  Duration,
  Effect,
  Exit,
  Layer,
  Option,
  Redacted,
  Schema
} from "effect"
import type { DurationInput } from "effect/Duration"
import { inspect } from "node:util"
import { afterEach, describe, expect, test, vi } from "vitest"
import { allFaces, anonymous, failure, json, recording, value } from "./support/faces.js"
import { standard } from "./support/schemas.js"
import { anime } from "./support/stubService.js"
import { sleep } from "./support/eventually.js"
import { onlyEffect, onlyEffect3 } from "./support/only.js"

describe.each(allFaces)("on the %s face", (_, face) => {
  /** A mistake in the option of a call, and as a default, where it is refused when it is given. */
  const isMistake = async (options: object, message: string) => {
    const { requests, ...transport } = recording(() => json(anime))
    const ofCall = failure(await face(transport, {})("anime.get", { id: 1 }, options))
    const isOfCall = expect.stringMatching(`^catalog.anime.get: ${message}`)
    expect(ofCall).toMatchObject({ name: "TypeError", message: isOfCall })
    const asDefault = await face(transport, options)("anime.get", { id: 1 }).then(failure, (error: unknown) => error)
    expect(asDefault).toMatchObject({ name: "TypeError", message: expect.stringMatching(message) })
    expect(requests).toEqual([])
  }

  const sending = async (options: object, callOptions?: object) => {
    const { requests, ...transport } = recording(() => json(anime))
    value(await face(transport, options)("anime.get", { id: 1 }, callOptions))
    return requests[0]
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
      names: { fields: "select", rankingType: "by", city: "town" },
      oauth: ServiceProfile.default.oauth
    }
    const { requests, ...transport } = recording(() => json({ data: [] }))
    const call = face(transport, { profile, accessToken: "t", clientId: "c" })
    value(await call("anime.ranking", { rankingType: "tv" }, { fields: "mean" }))
    expect(requests[0]?.url.href).toBe("https://other.example/api/anime/ranking?by=tv&select=mean")
    expect(requests[0]?.headers).toMatchObject({ "x-token": "t", "x-client": "id=c" })
    expect(requests[0]?.headers).not.toHaveProperty("authorization")
    // An input that the profile does not name, and one of a program, keep their names.
    value(await call("forum.topics", { boardId: 1 }))
    const inputs = { city: standard(Schema.String) }
    const studios = Operation.make({ name: "studios", method: "GET", path: "/studios", inputs })
    await createCatalog({ fetch: transport.fetch, profile }).call(studios, { city: "Uji" })
    expect(requests.slice(1).map(({ url }) => url.search)).toEqual(["?board_id=1&limit=100", "?city=Uji"])
  })

  test("white space around a header's value is not sent, as of a key that was read from a file", async () => {
    const headers = { "x-key": " canary\n", "x-secret": Redacted.make("canary\r\n"), cookie: "a=b \n" }
    expect((await sending({ headers }))?.headers).toMatchObject({
      "x-key": "canary",
      "x-secret": "canary",
      cookie: "a=b"
    })
  })

  test("options merge over the defaults key by key", async () => {
    const { requests, ...transport } = recording(() => json({ data: [] }))
    const call = face(transport, { nsfw: true })
    const nsfw = async (options?: object) => {
      value(await call("anime.ranking", { rankingType: "all" }, options))
      return requests.at(-1)?.url.searchParams.get("nsfw")
    }
    expect(await nsfw()).toBe("true")
    expect(await nsfw({})).toBe("true")
    expect(await nsfw({ nsfw: undefined })).toBe("true")
    expect(await nsfw({ nsfw: false })).toBe("false")
    expect(requests.at(-1)?.url.searchParams.has("fields")).toBe(false)
    // Where an operation does not know an option, its default is not sent.
    expect((await sending({ nsfw: true }))?.url.search).toBe("")
  })

  test.each([0, -1, NaN, "1000"])("%j bytes for a body are a mistake", (maxResponseBytes) =>
    isMistake({ maxResponseBytes }, "maxResponseBytes must be a number of bytes, 1 or more, but it is")
  )

  /** A Duration, or for programs without Effect a string. */
  const isDuration =
    'must be a number of milliseconds, 0 or more, or a (Duration|string) like "5 seconds"( .+)?, but it is'

  test.each<[unknown, string]>([
    [-1, "-1"],
    [NaN, "NaN"],
    ["1000", '"1000"'],
    ["", '""'],
    ["5 fortnights", '"5 fortnights"'],
    ["-5 seconds", '"-5 seconds"'],
    [-5n, "a value of type bigint"],
    [[-5, 0], "an array"],
    [[NaN, 0], "an array"],
    // Effect 4 reads an object as its units, and {} as zero.
    ...onlyEffect3<Array<[unknown, string]>>([[{}, "a value of type object"]]),
    [true, "true"]
  ])("a timeout of %o is a mistake", async (given, shown) => {
    for (const option of ["timeout", "totalTimeout"]) {
      await isMistake({ [option]: given }, `${option} ${isDuration} ${shown}$`)
    }
  })

  test.each<[DurationInput, number]>([
    [20, 20],
    ["20 millis", 20],
    ["0.02 seconds", 20],
    // To `catalog-client`, a duration is a number or a string.
    ...onlyEffect<ReadonlyArray<[DurationInput, number]>>([
      [Duration.millis(20), 20],
      [20_000_000n, 20],
      [[0, 20_000_000], 20]
    ])
  ])("%o is a timeout, and the error has its milliseconds", async (given, timeoutMs) => {
    const transport = recording(() => new Promise(() => undefined))
    const error = { reason: "Timeout", timeoutMs, message: expect.stringContaining(`after ${timeoutMs} ms`) }
    for (const options of [{ timeout: given }, { totalTimeout: given }]) {
      expect(failure(await face(transport, {})("anime.get", { id: 1 }, options))).toMatchObject(error)
      expect(failure(await face(transport, options)("anime.get", { id: 1 }))).toMatchObject(error)
    }
  })

  test.each([0, Infinity, null, ...onlyEffect([Duration.zero, Duration.infinity]), "0 seconds"])(
    "%o is no timeout",
    async (none) => {
      const transport = recording(async () => {
        await sleep(40)
        return json(anime)
      })
      const options = { timeout: none, totalTimeout: none } as NonNullable<Parameters<typeof Catalog.forum.boards>[0]>
      const call = face(transport, { timeout: 10, totalTimeout: 10 })
      if (none !== null) {
        value(await call("anime.get", { id: 1 }, options))
        value(await face(transport, options)("anime.get", { id: 1 }))
      } else {
        // It counts as not given.
        expect(failure(await call("anime.get", { id: 1 }, options))).toMatchObject({ timeoutMs: 10 })
      }
    }
  )

  test("a signal of another type is a mistake", () =>
    isMistake({ signal: new AbortController() }, "signal must be an AbortSignal"))
})

/** What an Effect dies of. */
const defectOf = async (effect: Effect.Effect<unknown, unknown>): Promise<unknown> => {
  const exit = await Effect.runPromiseExit(effect)
  return Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause)
}

const malformed = [
  "",
  "nonsense",
  "https://x.example/v2?",
  "https://x.example/v2#",
  "catalog",
  "//elsewhere.example/catalog",
  "/\\elsewhere.example/catalog",
  "ftp://x.example",
  "https://x.example/?a=1",
  "https://x.example/#a"
]

test("an unknown option is refused, with the nearest name", async () => {
  const { fetch, layer } = recording(() => json(anime))
  const given = (options: object) => options
  const refused = (where: string, option: string, suggestion: string) =>
    new TypeError(`${where} has no option "${option}"${suggestion}`)
  const clientID = given({ clientID: "my-client-id" })
  const meant = ': did you mean "clientId"?'
  const options =
    "baseUrl, profile, headers, tracePropagation, mismatch, timeout, totalTimeout, maxResponseBytes, signal, nsfw, accessToken, clientId, session, fields, policies, hooks, logger, logLevel"
  expect(() => createCatalog({ fetch, ...clientID })).toThrow(refused("createCatalog", "clientID", meant))
  await using catalog = createCatalog({ fetch })
  expect(() => catalog.withOptions({ ...clientID })).toThrow(refused("withOptions", "clientID", meant))
  expect(() => catalog.withOptions(given({ token: "my-access-token" }))).toThrow(
    refused("withOptions", "token", ': did you mean "accessToken"?')
  )
  expect(() => catalog.withOptions(given({ defaults: {} }))).toThrow(
    refused("withOptions", "defaults", `: it takes ${options}`)
  )
  const animes = given({ fields: { animes: ["mean"] } })
  const record = refused("fields", "animes", ': did you mean "anime"?')
  expect(() => createCatalog({ fetch, ...animes })).toThrow(record)
  expect(() => catalog.withOptions({ ...animes })).toThrow(record)
  const call = Effect.provide(Catalog.forum.boards(), anonymous(layer))
  const client = (options: object) =>
    Effect.provide(Effect.void, Layer.provide(CatalogClient.layer(options), anonymous(layer)))
  for (const [effect, error] of [
    [CatalogConfig.with(given({ header: {} }))(call), refused("CatalogConfig", "header", ': did you mean "headers"?')],
    [
      Effect.provide(call, CatalogConfig.layer(given({ timeuot: 1 }))),
      refused("CatalogConfig", "timeuot", ': did you mean "timeout"?')
    ],
    [client({ baseURL: "https://x.example" }), refused("CatalogClient", "baseURL", ': did you mean "baseUrl"?')],
    [client(animes), record]
  ] as const) {
    expect(await defectOf(effect)).toEqual(error)
  }
})

test.each(malformed)("a base URL %j is refused, by name", async (baseUrl) => {
  const message = `baseUrl must be a URL such as "http://localhost:4010" without query or fragment, but it is ${JSON.stringify(baseUrl)}`
  const { fetch, layer } = recording(() => json(anime))
  expect(() => createCatalog({ fetch, baseUrl })).toThrow(new TypeError(message))
  const call = Effect.provide(Catalog.forum.boards(), anonymous(layer))
  for (const effect of [
    Effect.provide(call, CatalogConfig.layer({ baseUrl })),
    CatalogConfig.with({ baseUrl })(call),
    Effect.provide(call, CatalogConfig.layer({ profile: { ...ServiceProfile.default, baseUrl } }))
  ]) {
    expect(await defectOf(effect)).toEqual(new TypeError(message))
  }
})

describe("a base URL that is a path", () => {
  afterEach(() => vi.unstubAllGlobals())

  /** Calls of both faces with it, and of a profile that has it. */
  const callsTo = (baseUrl: string) => {
    const { requests, fetch, layer } = recording(() => json(anime))
    const profile = { ...ServiceProfile.default, baseUrl }
    const calls = [CatalogConfig.layer({ baseUrl }), CatalogConfig.layer({ profile })].map((config) =>
      Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, Credentials.layerNone, config]))
    )
    const catalog = createCatalog({ fetch, baseUrl })
    return { requests, catalog, calls: [...calls, catalog.anime.get({ id: 1 })] }
  }

  test.each(["https://app.example/some/page?x#y", "http://localhost:3000/"])(
    "is one of the page's own origin: %s",
    async (page) => {
      vi.stubGlobal("location", new URL(page))
      for (const path of ["/api/catalog", "/api/catalog/"]) {
        const { requests, calls } = callsTo(path)
        await Promise.all(calls)
        expect(requests.map(({ url }) => url.href)).toEqual(
          Array(3).fill(`${new URL(page).origin}/api/catalog/anime/1`)
        )
      }
    }
  )

  const noPage = 'baseUrl "/api/catalog" is relative to the page\'s origin, but there is no page'

  test("needs a page", async () => {
    const mistake = `catalog.anime.get: ${noPage}: set an absolute URL.`
    expect(globalThis).not.toHaveProperty("location")
    const { calls, catalog, requests } = callsTo("/api/catalog")
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: mistake } })
    }
    await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(new TypeError(mistake))
    expect(requests).toEqual([])
    // As in a page that was rendered on a server.
    vi.stubGlobal("location", new URL("https://app.example/some/page"))
    await catalog.anime.get({ id: 1 })
    expect(requests.map(({ url }) => url.href)).toEqual(["https://app.example/api/catalog/anime/1"])
  })

  test("needs a page that has an origin", async () => {
    vi.stubGlobal("location", new URL("about:blank"))
    expect(() => createCatalog({ fetch, baseUrl: "/api/catalog" })).toThrow(noPage)
    const built = Effect.provide(CatalogConfig, CatalogConfig.layer({ baseUrl: "/api/catalog" }))
    expect(String(await defectOf(built))).toContain(noPage)
  })
})

test.each([
  ["a name", { "no good": "x" }, '"no good" is not a valid header name'],
  ["a value", { ok: "line\nbreak" }, 'the value of "ok" cannot be sent in a header: found U+000A'],
  ["a value that is no string", { ok: 1 as never }, 'the value of "ok" cannot be sent in a header: found no string']
])("a header with an invalid %s is refused", (_, headers, message) => {
  const { fetch } = recording(() => json(anime))
  expect(() => createCatalog({ fetch, headers })).toThrow(message)
})

test("headers whose names would be lost are refused", () => {
  const { fetch } = recording(() => json(anime))
  for (const headers of [new Headers({ a: "1" }), [["a", "1"]], "a: 1", 5]) {
    expect(() => createCatalog({ fetch, headers: headers as never })).toThrow("headers must be a plain object")
  }
})

test("layer and with merge over what is there", async () => {
  const { requests, layer } = recording(() => json({ data: [] }))
  const outer = CatalogConfig.layer({
    baseUrl: "https://outer.example",
    headers: { a: "1", b: "1" },
    nsfw: true,
    timeout: 1000
  })
  const inner = CatalogConfig.layer({ headers: { b: "2" }, timeout: 2000 })
  const ranking = Catalog.anime.ranking({ rankingType: "all" })
  const settings = Effect.map(CatalogConfig, ({ nsfw, timeout }) => ({ nsfw, timeout }))
  const program = Effect.gen(function* () {
    yield* ranking
    yield* CatalogConfig.with(ranking, { headers: { c: "3" }, nsfw: false })
    return yield* settings
  })
  const layers = Layer.mergeAll(layer, Credentials.layerNone, Layer.provideMerge(inner, outer))
  expect(await Effect.runPromise(Effect.provide(program, layers))).toEqual({ nsfw: true, timeout: 2000 })
  expect(requests.map(({ url }) => url.href)).toEqual([
    "https://outer.example/anime/ranking?ranking_type=all&nsfw=true",
    "https://outer.example/anime/ranking?ranking_type=all&nsfw=false"
  ])
  expect(requests[0]?.headers).toMatchObject({ a: "1", b: "2" })
  expect(requests[1]?.headers).toMatchObject({ a: "1", b: "2", c: "3" })
})

describe("Layers of a configuration", () => {
  const address = CatalogConfig.layer({ baseUrl: "https://a.example", headers: { a: "1", both: "1" }, nsfw: true })
  const patient = CatalogConfig.layer({ headers: { b: "2", both: "2" }, nsfw: false, timeout: 2000 })
  const ranking = Catalog.anime.ranking({ rankingType: "all" })
  const url = (nsfw: boolean) => `https://a.example/anime/ranking?ranking_type=all&nsfw=${nsfw}`
  const patientLast = { url: url(false), headers: { a: "1", b: "2", both: "2" } }
  const addressLast = { url: url(true), headers: { a: "1", b: "2", both: "1" } }
  const viaClient = Effect.flatMap(CatalogClient, ({ anime }) => anime.ranking({ rankingType: "all" }))

  test.each([
    ["side by side", Effect.provide(ranking, Layer.mergeAll(address, patient)), patientLast],
    ["side by side, the other way", Effect.provide(ranking, Layer.mergeAll(patient, address)), addressLast],
    ["in an array", Effect.provide(ranking, [address, patient]), patientLast],
    ["in an array, the other way", Effect.provide(ranking, [patient, address]), addressLast],
    ["one inside the other", Effect.provide(Effect.provide(ranking, patient), address), patientLast],
    ["one built with the other", Effect.provide(ranking, Layer.provide(patient, address)), patientLast],
    [
      "both, before another",
      Effect.provide(ranking, [address, Layer.provide(CatalogConfig.layer({}), patient)]),
      patientLast
    ],
    ["one of the environment", Effect.provide(ranking, [address, patient, CatalogConfig.layerConfig()]), patientLast],
    [
      "around `with`",
      Effect.provide(CatalogConfig.with(ranking, { nsfw: true, headers: { both: "1" } }), [address, patient]),
      addressLast
    ],
    [
      "read, and provided elsewhere",
      Effect.flatMap(Effect.provide(CatalogConfig, Layer.provideMerge(patient, address)), (settings) =>
        Effect.provideService(ranking, CatalogConfig, settings)
      ),
      patientLast
    ],
    ["for a client", Effect.provide(Effect.provide(viaClient, CatalogClient.layer()), [address, patient]), patientLast],
    [
      "around a client",
      Effect.provide(Effect.provide(viaClient, [address, patient]), CatalogClient.layer()),
      patientLast
    ]
  ])("add up: %s", async (_, call, expected) => {
    const { requests, layer } = recording(() => json({ data: [] }))
    await Effect.runPromise(Effect.provide(call, [layer, Credentials.layerNone]))
    expect(requests.map(({ url }) => url.href)).toEqual([expected.url])
    expect(requests[0]?.headers).toMatchObject(expected.headers)
  })
})

test.each([
  { baseUrl: "http://x.example/v2//" },
  { profile: { ...ServiceProfile.default, baseUrl: "http://x.example/v2/" } }
])("a configuration that is written by hand may have a slash at the end: %j", async (changes) => {
  const { requests, layer } = recording(() => json(anime))
  const byHand = Layer.effect(
    CatalogConfig,
    Effect.map(CatalogConfig, (settings) => ({ ...settings, ...changes }))
  )
  await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, Credentials.layerNone, byHand]))
  expect(requests[0]?.url.href).toBe("http://x.example/v2/anime/1")
})

test("the configuration has a default, so nothing has to be provided", () => {
  const settings = Context.get(Context.empty(), CatalogConfig)
  expect(settings).toEqual({ headers: {}, profile: ServiceProfile.default })
})

const environment = (values: Readonly<Record<string, string>>) =>
  Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

const thrownBy = (run: () => unknown): unknown => {
  try {
    return expect.unreachable(String(run()))
  } catch (error) {
    return error
  }
}

describe("fromEnvironment", () => {
  const variables = {
    CATALOG_BASE_URL: "https://proxy.example/catalog/",
    CATALOG_ACCESS_TOKEN: "hunter2",
    CATALOG_CLIENT_ID: "hunter2-id"
  }
  const sent = async (options: ReturnType<typeof fromEnvironment>) => {
    const { fetch, requests } = recording(() => json(anime))
    await using catalog = createCatalog({ ...options, fetch })
    await catalog.anime.get({ id: 1 })
    return [requests[0]?.url.origin, ...["authorization", "x-mal-client-id"].map((name) => requests[0]?.headers[name])]
  }
  const usual = "https://api.myanimelist.net"

  test("reads the variables of layerConfig, and shows no credential", async () => {
    expect(await sent(fromEnvironment(variables))).toEqual(["https://proxy.example", "Bearer hunter2", "hunter2-id"])
    expect(await sent(fromEnvironment({ CATALOG_CLIENT_ID: "c", CATALOG_ACCESS_TOKEN: " " }))).toEqual([
      usual,
      undefined,
      "c"
    ])
    expect(fromEnvironment({})).toEqual({})
    const printed = inspect(fromEnvironment(variables), { depth: 9, showHidden: true })
    expect(printed + JSON.stringify(fromEnvironment(variables))).not.toContain("hunter2")
  })

  test("reads the environment of the process, when it is called", async () => {
    for (const [name, value] of Object.entries(variables)) {
      vi.stubEnv(name, value)
    }
    expect(await sent(fromEnvironment())).toEqual(["https://proxy.example", "Bearer hunter2", "hunter2-id"])
    vi.unstubAllEnvs()
    expect(fromEnvironment()).toEqual({})
  })

  test("says where there is no environment, or a variable cannot be read or is no string", () => {
    const { process } = globalThis
    vi.stubGlobal("process", undefined)
    const none = thrownBy(() => fromEnvironment())
    vi.stubGlobal("process", process)
    vi.unstubAllGlobals()
    expect(String(none)).toBe(
      "TypeError: fromEnvironment: there is no environment here. Pass an object that has the variables: fromEnvironment({ CATALOG_CLIENT_ID: … })"
    )
    expect(String(thrownBy(() => fromEnvironment("c" as never)))).toContain("fromEnvironment takes an object of")
    // Deno without the permission to read a variable.
    const denied = Object.defineProperty({}, "CATALOG_BASE_URL", {
      get: () => {
        throw new Error('Requires env access to "CATALOG_BASE_URL", run again with the --allow-env flag')
      }
    })
    expect(String(thrownBy(() => fromEnvironment(denied)))).toMatch(/fromEnvironment: CATALOG_BASE_URL: .*--allow-env/)
    const secret = String(thrownBy(() => fromEnvironment({ CATALOG_ACCESS_TOKEN: 8_675_309 })))
    expect(secret).toContain("fromEnvironment: CATALOG_ACCESS_TOKEN must be a string")
    expect(secret).not.toContain("8675309")
  })

  test("a call without a credential names its variable", async () => {
    const fetch = async () => json({}, { status: 403 })
    await using catalog = createCatalog({ ...fromEnvironment({}), fetch })
    await expect(catalog.user.me()).rejects.toThrow("pass one as accessToken, for example from CATALOG_ACCESS_TOKEN.")
    await expect(catalog.anime.get({ id: 1 })).rejects.toThrow("accessToken, for example from CATALOG_CLIENT_ID.")
  })
})

describe("CatalogConfig.layerConfig", () => {
  type Options = Parameters<typeof CatalogConfig.layerConfig>
  const built = (values: Readonly<Record<string, string>>, ...options: Options) =>
    Effect.runPromiseExit(
      Effect.provide(CatalogConfig, Layer.provide(CatalogConfig.layerConfig(...options), environment(values)))
    )
  const settings = async (values: Readonly<Record<string, string>>, ...options: Options) => {
    const exit = await built(values, ...options)
    return Exit.isSuccess(exit) ? exit.value : expect.unreachable(String(exit.cause))
  }
  const errorOf = async (values: Readonly<Record<string, string>>, ...options: Options) => {
    const exit = await built(values, ...options)
    const error: unknown = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
    expect(ConfigError.isConfigError(error)).toBe(true)
    return String(error)
  }

  test("reads the base URL, if it is there", async () => {
    expect(await settings({ CATALOG_BASE_URL: "https://proxy.example/catalog/" })).toMatchObject({
      baseUrl: "https://proxy.example/catalog"
    })
    expect(await settings({})).toEqual(Context.get(Context.empty(), CatalogConfig))
  })

  test("reads where users sign in, as fromEnvironment does, unless a profile is given", async () => {
    const all = {
      CATALOG_BASE_URL: "http://localhost/v2",
      CATALOG_AUTHORIZE_URL: "http://localhost/a",
      CATALOG_TOKEN_URL: "http://localhost/t"
    }
    const { CATALOG_TOKEN_URL } = all
    const { default: live } = ServiceProfile
    const oauth = { ...live.oauth, authorizeUrl: "http://localhost/a", tokenUrl: "http://localhost/t" }
    for (const [variables, profile] of [
      [all, { ...live, baseUrl: "http://localhost/v2", oauth }],
      [{ CATALOG_TOKEN_URL }, { ...live, oauth: { ...live.oauth, tokenUrl: CATALOG_TOKEN_URL } }]
    ] as const) {
      expect(fromEnvironment(variables).profile).toEqual(profile)
      expect((await settings(variables)).profile).toEqual(profile)
    }
    expect((await settings(all, { profile: live })).profile).toEqual(live)
    expect(String(thrownBy(() => fromEnvironment({ CATALOG_TOKEN_URL: "t" })))).toContain(
      "fromEnvironment: CATALOG_TOKEN_URL must be an absolute URL"
    )
    for (const name of ["CATALOG_AUTHORIZE_URL", "CATALOG_TOKEN_URL"]) {
      await expect(settings({ [name]: "t" })).rejects.toThrow(new RegExp(`${name}.+must be an absolute URL`))
    }
  })

  test("takes a Config or a value for each option, and merges over what is there", async () => {
    const values = {
      CATALOG_BASE_URL: "https://usual.example",
      URL: "https://mine.example/",
      MINUTES: "2 minutes",
      PROXY: "proxy secret",
      BYTES: "100",
      NSFW: "true"
    }
    expect(
      await settings(values, {
        baseUrl: Config.url("URL"),
        headers: { "x-proxy": Config.redacted("PROXY"), "x-plain": "1" },
        tracePropagation: true,
        timeout: "1 second",
        totalTimeout: Config.duration("MINUTES"),
        maxResponseBytes: Config.integer("BYTES"),
        nsfw: Config.boolean("NSFW")
      })
    ).toMatchObject({
      baseUrl: "https://mine.example",
      headers: { "x-proxy": Redacted.make("proxy secret"), "x-plain": "1" },
      tracePropagation: true,
      timeout: 1_000,
      totalTimeout: 120_000,
      maxResponseBytes: 100,
      nsfw: true
    })
    const whole = Config.map(Config.string("URL"), (baseUrl) => ({ baseUrl, headers: {} }))
    expect(await settings(values, whole)).toMatchObject({ baseUrl: "https://mine.example" })
    expect(await settings(values, { headers: {}, nsfw: false })).toMatchObject({
      baseUrl: "https://usual.example",
      nsfw: false
    })
    const merged = Layer.provide(
      CatalogConfig.layerConfig({ nsfw: Config.boolean("NSFW") }),
      Layer.merge(environment(values), CatalogConfig.layer({ headers: { a: "1" } }))
    )
    expect(await Effect.runPromise(Effect.provide(CatalogConfig, merged))).toMatchObject({
      headers: { a: "1" },
      nsfw: true
    })
  })

  const absolute = 'baseUrl must be a URL such as "http://localhost:4010" without query or fragment'

  // In Effect 4, a ConfigError has other words, and an empty variable counts as missing.
  onlyEffect3(test).each([
    ["nonsense", `${absolute}, but it is "nonsense"`],
    ["", `${absolute}, but it is ""`],
    ["/catalog", 'baseUrl "/catalog" is relative to the page\'s origin'],
    ["/me:hunter2@x.example", "baseUrl is relative to the page's origin"],
    ["https://me:hunter2@x.example", "baseUrl must not contain a user name or password"],
    ["me:hunter2@x.example", `${absolute}"`]
  ])("fails for CATALOG_BASE_URL=%s with a ConfigError that says why", async (value, message) => {
    const error = await errorOf({ CATALOG_BASE_URL: value })
    expect(error).toContain(`(Invalid data at CATALOG_BASE_URL: "${message}`)
    expect(error).not.toContain("hunter2")
    const ofPromises = thrownBy(() => fromEnvironment({ CATALOG_BASE_URL: value }))
    expect(ofPromises).toBeInstanceOf(TypeError)
    expect(String(ofPromises)).toContain(`fromEnvironment: CATALOG_BASE_URL: ${message.replace(/"$/, "")}`)
    expect(String(ofPromises)).not.toContain("hunter2")
  })

  onlyEffect3(test).each<[string, NonNullable<Options[0]>, string]>([
    ["nonsense", { baseUrl: Config.string("X") }, `Invalid data at X: "${absolute}`],
    ["1", { baseUrl: Config.string("NOT_THERE") }, "Missing data at NOT_THERE"],
    [
      "line\nbreak",
      { headers: { "x-proxy": Config.string("X") } },
      'Invalid data at X: "headers: the value of "x-proxy" cannot be sent in a header'
    ],
    [
      "0",
      { maxResponseBytes: Config.withDefault(Config.integer("X"), 1) },
      'Invalid data at X: "maxResponseBytes must be a number of bytes, 1 or more'
    ],
    ["-1", { timeout: Config.number("X") }, "timeout must be a number of milliseconds, 0 or more"],
    ["x", { timeout: Config.duration("X") }, "Invalid data at X"],
    ["x", Config.map(Config.string("X"), (baseUrl) => ({ baseUrl })), `Invalid data at X: "${absolute}`],
    ["x", Config.map(Config.string("X"), () => ({ totalTimeout: -1 })), "totalTimeout must be a number"]
  ])("fails for other variables, too: %s", async (value, options, message) => {
    expect(await errorOf({ X: value }, options)).toContain(message)
  })

  test("dies with a mistake of the program", async () => {
    const exit = await built({}, { baseUrl: "nonsense" })
    expect(Exit.isFailure(exit) && Cause.isDie(exit.cause) && String(Cause.squash(exit.cause))).toContain(absolute)
  })
})

describe("Credentials", () => {
  const asked = (layer: Layer.Layer<Credentials, unknown>) => {
    const { requests, layer: transport } = recording(() => json(anime))
    return Effect.runPromise(
      Effect.zipRight(
        Catalog.anime.get({ id: 1 }),
        Effect.sync(() => [requests[0]?.headers["authorization"], requests[0]?.headers["x-mal-client-id"]])
      ).pipe(Effect.provide(Layer.merge(transport, layer)))
    )
  }

  const from = (
    values: Readonly<Record<string, string>>,
    ...given: Parameters<typeof Credentials.layerConfig>
  ): Layer.Layer<Credentials, unknown> => Layer.provide(Credentials.layerConfig(...given), environment(values))

  test("layerConfig reads both, one or none from Config", async () => {
    expect(await asked(from({ CATALOG_ACCESS_TOKEN: "t", CATALOG_CLIENT_ID: "c" }))).toEqual(["Bearer t", "c"])
    expect(await asked(from({ CATALOG_CLIENT_ID: "c" }))).toEqual([undefined, "c"])
    expect(await asked(from({ CATALOG_CLIENT_ID: "" }))).toEqual([undefined, undefined])
    expect(await asked(from({}))).toEqual([undefined, undefined])
  })

  onlyEffect(test)("layerConfig takes a Config or a value for each slot, and a Config of both", async () => {
    const values = { CATALOG_ACCESS_TOKEN: "t", CATALOG_CLIENT_ID: "c", MINE: "m" }
    const optional = Config.withDefault(Config.redacted("NOT_THERE"), undefined)
    expect(await asked(from(values, { clientId: Config.string("MINE") }))).toEqual(["Bearer t", "m"])
    expect(await asked(from(values, { clientId: Config.redacted("MINE"), accessToken: optional }))).toEqual([
      undefined,
      "m"
    ])
    expect(await asked(from(values, { clientId: "plain", accessToken: Redacted.make("secret") }))).toEqual([
      "Bearer secret",
      "plain"
    ])
    expect(await asked(from(values, { clientId: undefined, accessToken: "" }))).toEqual([undefined, "c"])
    const both = Config.map(Config.string("MINE"), (clientId) => ({ clientId }))
    expect(await asked(from(values, both))).toEqual([undefined, "m"])
  })

  test("layerConfig fails for what is missing, without a secret", async () => {
    const given = { accessToken: Config.redacted("NOT_THERE"), clientId: Config.string("NOR_THIS") }
    const built = Layer.build(from({ NOR_THIS: "hunter2" }, given))
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(built)))
    expect(ConfigError.isConfigError(error)).toBe(true)
    expect(String(error)).toContain("NOT_THERE")
    expect(String(error)).not.toContain("hunter2")
  })

  describe("that are invalid are a mistake that names the slot, and does not show the value", () => {
    const number: unknown = Redacted.make(8_675_309)
    const wrong = number as Redacted.Redacted<string>

    // Of a Redacted of Effect, `catalog-client` says that it is one of another package.
    onlyEffect(test).each(["accessToken", "clientId"] as const)("as a value: %s", async (slot) => {
      const { fetch, layer } = recording(() => json(anime))
      const says = `${slot} must be a string, a Redacted, or a function that returns one, but it is a value of type object`
      expect(() => createCatalog({ fetch, [slot]: wrong })).toThrow(new TypeError(`createCatalog: ${says}`))
      await using catalog = createCatalog({ fetch })
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
      ["number", 8675309],
      ["an Option of something else, or of another copy of the package", Option.some("8675309")],
      ["an Option of something else, or of another copy of the package", Option.some(wrong)]
    ])("as the result of a slot: %s", async (kind, given) => {
      const { requests, layer } = recording(() => json(anime))
      for (const slot of ["accessToken", "clientId"] as const) {
        for (const effect of [Effect.succeed(given), Effect.sync(() => given)]) {
          const credentials = Credentials.layer({ [slot]: effect as Credentials.Slot })
          const call = (options: object) => Effect.provide(Catalog.anime.get({ id: 1 }, options), [layer, credentials])
          const exit = await Effect.runPromiseExit(call({}))
          expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(
            new TypeError(
              `catalog.anime.get: the credential slot ${slot} must return a string, a Redacted or an Option of one, but it returned ${kind}`
            )
          )
          expect(await Effect.runPromise(Effect.flip(call({ signal: AbortSignal.abort() })))).toMatchObject({
            reason: "Cancelled"
          })
        }
      }
      expect(requests).toEqual([])
    })
  })

  test.each<readonly [string, Credentials.Slot]>([
    ["a string", Effect.sync(() => " one ")],
    ["a string that is known", Effect.succeed("one")],
    ...onlyEffect([
      ["a Redacted string", Effect.sync(() => Redacted.make("one"))],
      ["an Option", Effect.sync(() => Option.some(Redacted.make("one")))]
    ] as const)
  ])("a slot returns %s", async (_, accessToken) => {
    const { layer, requests } = recording(() => json(anime))
    const call = Effect.provide(Catalog.anime.get({ id: 1 }), [layer, Credentials.layer({ accessToken })])
    await Effect.runPromise(
      Effect.zipRight(
        call,
        Effect.provide(Catalog.anime.get({ id: 1 }, { accessToken }), layer).pipe(Effect.provide(Credentials.layerNone))
      )
    )
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer one", "Bearer one"])
  })

  test("a slot's blank string counts as none, and a renewed string is sent", async () => {
    const { layer, requests } = recording(({ headers }) =>
      headers["authorization"] === "Bearer new" ? json(anime) : json({ error: "invalid_token" }, { status: 401 })
    )
    const call = (accessToken: Credentials.Slot, renewed: string) =>
      Effect.provide(Catalog.anime.get({ id: 1 }), [
        layer,
        Credentials.layer({ accessToken, renew: () => Effect.succeed(renewed) })
      ])
    await Effect.runPromise(call(Effect.succeed("old"), "new"))
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer old", "Bearer new"])
    for (const refused of [call(Effect.succeed("old"), "old"), call(Effect.succeed(" "), "new")]) {
      requests.length = 0
      expect(await Effect.runPromise(Effect.flip(refused))).toMatchObject({ status: 401 })
      expect(requests).toHaveLength(1)
    }
  })

  onlyEffect(test)("a client error of a slot is that of the call", async () => {
    const { layer } = recording(() => json(anime))
    const failed = new ClientNetworkError({
      operation: "token",
      method: "POST",
      url: "https://x.example",
      reason: "Transport",
      attempts: 1
    })
    const credentials = Credentials.layer({ accessToken: Effect.fail(failed) })
    const call = Effect.flip(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, credentials]))
    expect(await Effect.runPromise(call)).toBe(failed)
  })
})
