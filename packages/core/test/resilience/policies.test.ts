/**
 * How policies stand around an exchange, and what bounds a call that has some.
 */
import {
  Catalog,
  CatalogClient,
  CatalogPolicy,
  Credentials,
  isCancelled,
  isPolicyRefusal,
  isRetryable,
  Resilience
} from "@catalog-client/core"
import type { ClientNetworkError } from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { it } from "@effect/vitest"
import { Config, ConfigProvider, Context, Duration, Effect, Equal, Layer, Option, Redacted, TestClock } from "effect"
import { describe, expect, test } from "vitest"
import { anime, stubService } from "../support/stubService.js"
import { catalogOver, faces, failure, json, policyThat, promiseCatalog, recording, value } from "../support/faces.js"
import * as Fibers from "../support/fibers.js"
import { onlyEffect } from "../support/only.js"

const get = Catalog.anime.get({ id: 1 })

/** Policies that report each call. */
const reporting = () => {
  const reported: Array<string> = []
  const make = (name: string, stage?: CatalogPolicy.Policy["stage"]): CatalogPolicy.Policy =>
    policyThat(() => {
      reported.push(name)
      return undefined
    }, stage)
  return { reported, make }
}

describe("order", () => {
  test.each([
    [["rateLimit", "breaker", "retry", "dedupe", "cache"]],
    [["retry", "cache", "rateLimit", "dedupe", "breaker"]],
    [["cache", "dedupe", "retry", "breaker", "rateLimit"]]
  ] satisfies ReadonlyArray<readonly [ReadonlyArray<CatalogPolicy.Policy["stage"]>]>)(
    "is the same for %j",
    async (stages) => {
      const { reported, make } = reporting()
      const { layer } = recording(() => json(anime))
      const policies = [...stages.map((stage) => make(stage, stage)), make("first"), make("second")]
      const call = Effect.provide(get, [layer, Credentials.layerNone, CatalogPolicy.layer(...policies)])
      await Effect.runPromise(call)
      expect(reported).toEqual(["first", "second", "cache", "dedupe", "retry", "breaker", "rateLimit"])
    }
  )

  test.each(faces)("a call's own replace those of their stage, on the %s face", async (_, face) => {
    const { reported, make } = reporting()
    const { requests, ...transport } = recording(() => json(anime))
    const policies = [make("around all"), make("limit of all", "rateLimit"), make("retry of all", "retry")]
    const call = face(transport, { policies })
    const own = [make("own retry", "retry"), make("own"), make("own cache", "cache")]
    value(await call("anime.get", { id: 1 }, { policies: own }))
    expect(reported).toEqual(["around all", "own", "own cache", "own retry", "limit of all"])
    reported.length = 0
    value(await call("anime.get", { id: 1 }, { policies: undefined }))
    expect(reported).toEqual(["around all", "retry of all", "limit of all"])
    expect(requests).toHaveLength(2)
  })

  test("is that of the list when it was passed", async () => {
    const { reported, make } = reporting()
    const policies = [make("first")]
    const { catalog } = catalogOver(() => json(anime), { policies })
    policies.push(make("second"))
    await catalog.anime.get({ id: 1 })
    expect(reported).toEqual(["first"])
  })
})

describe("a policy that refuses a call", () => {
  test.each(faces)("fails with an error that says so and why, on the %s face", async (_, face) => {
    const { requests, ...transport } = recording(() => json(anime))
    const spent = new Error("the budget is spent: secret-token")
    const more = { retryAfter: 60_000 }
    const budget = policyThat((call) => Object.assign(call.networkError("Policy", spent), { more }))
    const call = face(transport, { accessToken: "secret-token", policies: [budget, Resilience.retry()] })
    const error = failure(await call("anime.get", { id: 1 })) as ClientNetworkError
    expect(error).toMatchObject({
      _tag: "ClientNetworkError",
      url: expect.stringMatching(/\/anime\/1$/),
      reason: "Policy",
      attempts: 0,
      cause: { name: "Error", message: "the budget is spent: <redacted>" }
    })
    // What a policy adds to its error reaches the caller.
    expect((error as ClientNetworkError & { readonly more: object }).more).toBe(more)
    expect(error.message).toContain("catalog.anime.get was refused by a policy (GET ")
    expect([isPolicyRefusal(error), isCancelled(error), isRetryable(error)]).toEqual([true, false, false])
    expect(requests).toEqual([])
  })
})

onlyEffect(describe)("policies that a Layer makes", () => {
  const failing = () => recording(() => new Response("{}", { status: 503 }))
  const reasonOf = Effect.map(Effect.flip(Catalog.anime.get({ id: 1 })), ({ reason }) => reason)
  const twice = Effect.all([reasonOf, reasonOf])

  test("have their state from one build of the Layer to its end", async () => {
    const { layer } = failing()
    const breaking = CatalogPolicy.layer(Resilience.retry({ attempts: 1 }), Resilience.breaker({ failures: 1 }))
    const program = Effect.provide(twice, [layer, Credentials.layerNone, breaking])
    expect(await Effect.runPromise(Effect.all([program, program]))).toEqual([
      ["Status", "CircuitOpen"],
      ["Status", "CircuitOpen"]
    ])
  })

  test("can need services and a scope, and can fail", async () => {
    class Kept extends Context.Tag("test/Kept")<Kept, CatalogPolicy.Policy>() {}
    const { requests, layer } = recording(() => json(anime))
    const ended: Array<string> = []
    const kept = Layer.effect(Kept, Resilience.cache({ capacity: 9, timeToLive: "1 minute" }))
    const breaker = Effect.acquireRelease(Resilience.breaker(), () => Effect.sync(() => ended.push("breaker")))
    const policies = Layer.provide(CatalogPolicy.layer(Kept, breaker), kept)
    const open = Effect.sync(() => expect(ended).toEqual([]))
    const program = Effect.all([get, get, open])
    await Effect.runPromise(Effect.provide(program, [layer, Credentials.layerNone, policies]))
    expect(requests).toHaveLength(1)
    expect(ended).toEqual(["breaker"])
    const broken = CatalogPolicy.layer(Effect.fail("no store"))
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(broken))))).toBe("no store")
  })

  const built = (values: Readonly<Record<string, string>>, make: Effect.Effect<CatalogPolicy.Policy, unknown>) =>
    Layer.build(CatalogPolicy.layer(make)).pipe(
      Effect.scoped,
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
      Effect.match({ onFailure: String, onSuccess: () => "made" }),
      Effect.runPromise
    )
  const { rateLimit, retry } = Resilience
  const [rate, every, times] = [Config.number("RATE"), Config.duration("EVERY"), Config.number("TIMES")]
  const timesOr = (value: number) => CatalogPolicy.fromConfig(retry, { attempts: Config.withDefault(times, value) })
  const limited = CatalogPolicy.fromConfig(rateLimit, { interval: every, limit: rate, hold: "1 second" })
  const badRate = /Invalid data at RATE: "Resilience.rateLimit: limit must be/
  const badEvery = /Invalid data at EVERY: "Resilience.rateLimit: interval/
  const badTimes = /Invalid data at TIMES: "Resilience.retry: attempts must be/

  test.each([
    ["each variable", { RATE: "2", EVERY: "1 second" }, limited, /made/],
    ["a bad value", { RATE: "0", EVERY: "1 second" }, limited, badRate],
    ["another one", { RATE: "1", EVERY: "0 seconds" }, limited, badEvery],
    ["a missing one", { RATE: "1" }, limited, /EVERY/],
    ["one with a default", { TIMES: "0" }, timesOr(3), badTimes],
    ["a default that is bad", {}, timesOr(0), badTimes],
    [
      "one for all",
      { TIMES: "0" },
      CatalogPolicy.fromConfig(
        retry,
        Config.map(times, (attempts) => ({ attempts }))
      ),
      badTimes
    ],
    [
      "one of several",
      { RATE: "0", EVERY: "1 second" },
      CatalogPolicy.fromConfig(rateLimit, Config.all({ limit: rate, interval: every })),
      /Invalid data at RATE, EVERY: "Resilience.rateLimit: limit must be/
    ],
    [
      "one of the same name as a word of the message",
      { RATE: "1", EVERY: "0 seconds", WHOLE: "0" },
      CatalogPolicy.fromConfig(
        ({ interval, limit }: { must: number; limit: number; interval: Duration.Duration }) =>
          rateLimit({ limit, interval }),
        { must: Config.number("WHOLE"), limit: rate, interval: every }
      ),
      badEvery
    ],
    [
      "one that the maker passes on by another name",
      { RATE: "0" },
      CatalogPolicy.fromConfig(({ rate }: { readonly rate: number }) => rateLimit({ limit: rate, interval: 1 }), {
        rate
      }),
      badRate
    ],
    [
      "one of a maker that returns an Effect",
      { RATE: "0" },
      CatalogPolicy.fromConfig((options: Resilience.RateLimitOptions) => rateLimit(options), {
        limit: rate,
        interval: 1
      }),
      badRate
    ],
    [
      "an error of the maker's own",
      { RATE: "0" },
      CatalogPolicy.fromConfig(({ limit }: { readonly limit: number }) => Effect.fail(`no store for ${limit}`), {
        limit: rate
      }),
      /^no store for 0$/
    ]
  ])("fromConfig names the variable: %s", async (_, values, make, message) => {
    expect(await built(values, make)).toMatch(message)
  })

  const throwing = ({ every }: { readonly every: Duration.Duration }): CatalogPolicy.Policy => {
    throw new TypeError(`every: ${Duration.toMillis(every)}`)
  }
  const whole = "limit must be a whole number"

  test.each([
    ["a mistake of the program", CatalogPolicy.fromConfig(rateLimit, { limit: 0, interval: every }), whole],
    [
      "one that is in a Config",
      CatalogPolicy.fromConfig(rateLimit, { limit: Config.succeed(0), interval: every }),
      whole
    ],
    ["what a maker of the program throws", CatalogPolicy.fromConfig(throwing, { every }), "TypeError: every: 1000"]
  ])("fromConfig dies with %s", async (_, make, message) => {
    const dies = Effect.catchAllDefect(make, (error) => Effect.succeed(String(error)))
    const provider = ConfigProvider.fromMap(new Map([["EVERY", "1 second"]]))
    expect(await Effect.runPromise(Effect.withConfigProvider(provider)(dies))).toContain(message)
  })
})

describe("CatalogPolicy.make", () => {
  test("makes a policy that takes the place of the others of its stage", async () => {
    const seen: Array<string> = []
    const { requests, ...transport } = recording(() => json(anime))
    const noting: CatalogPolicy.Policy = (call, attempt) =>
      Effect.tap(attempt, () => Effect.sync(() => seen.push(call.operation)))
    const layer = CatalogPolicy.layer(Resilience.retry(), CatalogPolicy.make(noting, { stage: "breaker" }))
    const own = CatalogPolicy.make((_, attempt) => Effect.zipRight(attempt, attempt), { stage: "retry" })
    const call = Catalog.anime.get({ id: 1 }, { policies: [own] })
    await Effect.runPromise(Effect.provide(call, [transport.layer, Credentials.layerNone, layer]))
    expect([requests.length, seen]).toEqual([2, ["catalog.anime.get", "catalog.anime.get"]])
    expect([own.stage, noting.stage]).toEqual(["retry", undefined])
  })

  test("refuses an option that it has not", () => {
    const options: object = { stag: "retry" }
    expect(() => CatalogPolicy.make((_, attempt) => attempt, options as { stage: "retry" })).toThrow(
      'CatalogPolicy.make has no option "stag"'
    )
  })
})

describe("invalid policies", () => {
  const { make } = reporting()
  const twice = [make("one", "retry"), make("other", "retry")]

  test.each([
    ["two of a stage", twice, "policies may contain at most one retry"],
    ["what is no policy", [{}], "policies must be an array of policies"],
    ["what is no array", make("alone"), "policies must be an array of policies"],
    ["one of a stage that there is not", [make("one", "retries" as "retry")], 'there is no policy stage "retries"']
  ])("%s is a TypeError", async (_, policies, message) => {
    const given = policies as ReadonlyArray<CatalogPolicy.Policy>
    const { requests, ...transport } = recording(() => json(anime))
    expect(() => promiseCatalog(transport, { policies: given })).toThrow(new RegExp(`^createCatalog: ${message}`))
    for (const [, face] of faces) {
      const error = failure(await face(transport, {})("anime.get", { id: 1 }, { policies: given }))
      expect(error).toBeInstanceOf(TypeError)
      expect(error).toMatchObject({ message: expect.stringMatching(`catalog.anime.get: ${message}`) })
    }
    expect(requests).toEqual([])
  })

  const build = (layer: Layer.Layer<never>) => Effect.runPromise(Effect.scoped(Layer.build(layer)))

  test("an array in place of the arguments of CatalogPolicy.layer is named", async () => {
    const policies: unknown = [Resilience.retry()]
    await expect(build(CatalogPolicy.layer(policies as CatalogPolicy.Policy))).rejects.toThrow(
      "CatalogPolicy.layer takes policies one by one, and not an array: CatalogPolicy.layer(...policies)"
    )
  })

  onlyEffect(test)("the Effect that makes a policy is a TypeError of the call", async () => {
    const { requests, ...transport } = recording(() => json(anime))
    const policies: ReadonlyArray<unknown> = [Resilience.rateLimit({ limit: 1, interval: "1 second" })]
    const [[, withEffect]] = faces
    const error = failure(await withEffect(transport, {})("anime.get", { id: 1 }, { policies }))
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^catalog\.anime\.get: policies must be .*, but found an Effect \(yield\* it, and pass its result\)$/
      )
    })
    expect(requests).toEqual([])
  })

  // In `catalog-client`, a policy is an async function, which can return anything.
  onlyEffect(test).each([
    ["a policy that was not made yet", Resilience.retry, faces],
    ["what returns a promise, with Effect,", () => Promise.resolve(anime), faces.slice(0, 1)],
    ["what returns nothing", () => undefined, faces]
  ])("%s is a TypeError of the call", async (_, policy, faces) => {
    const { requests, ...transport } = recording(() => json(anime))
    const wrong = policy as unknown as CatalogPolicy.Policy
    const right = policyThat(() => undefined)
    for (const [, face] of faces) {
      for (const policies of [[wrong], [wrong, Resilience.retry()], [right, wrong]]) {
        const error = failure(await face(transport, { policies })("anime.get", { id: 1 }))
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message).toMatch(/^catalog\.anime\.get: a policy must return (?:an Effect|a promise)/)
      }
    }
    expect(requests).toEqual([])
  })

  test.each(["layer", "layerReplace"] as const)("a %s with two of one stage is a TypeError", async (kind) => {
    const message = `CatalogPolicy.${kind}: policies may contain at most one retry`
    await expect(build(CatalogPolicy[kind](...twice))).rejects.toThrow(message)
  })
})

describe("Layers", () => {
  const { reported, make } = reporting()
  const a = CatalogPolicy.layer(make("a"), make("retry of a", "retry"), make("cache of a", "cache"))
  const b = CatalogPolicy.layer(make("b"), make("retry of b", "retry"))
  const both = ["a", "b", "cache of a", "retry of b"]
  const replacing = CatalogPolicy.layerReplace(Effect.succeed(make("replacing")), make("its retry", "retry"))
  type Get = Effect.Effect<unknown, unknown, HttpClient.HttpClient | Credentials>
  const nested = (...layers: ReadonlyArray<Layer.Layer<never>>): Get =>
    layers.reduceRight<Get>((call, layer) => Effect.provide(call, layer), get)

  test.each<readonly [string, Get, ReadonlyArray<string>]>([
    ["side by side", Effect.provide(get, Layer.mergeAll(a, b)), both],
    ["side by side in an array", Effect.provide(get, [a, b]), both],
    ["one inside the other", nested(a, b), both],
    ["one inside the other, as Layers", Effect.provide(get, Layer.provideMerge(b, a)), both],
    ["one twice", nested(a, a), ["a", "cache of a", "retry of a"]],
    ["one that replaces, inside", nested(a, replacing), ["replacing", "its retry"]],
    ["one that replaces, around", nested(replacing, b), ["replacing", "b", "retry of b"]],
    ["one that replaces, after", Effect.provide(get, [a, replacing]), ["replacing", "its retry"]],
    ["one that replaces, before", Effect.provide(get, [replacing, a]), ["replacing", "a", "cache of a", "retry of a"]],
    ["one that replaces, between", nested(a, replacing, b), ["replacing", "b", "retry of b"]],
    ["none that is left", nested(a, CatalogPolicy.layerReplace()), []],
    [
      "a list of the program",
      Effect.provideService(nested(b), CatalogPolicy, [make("list")]),
      ["list", "b", "retry of b"]
    ],
    [
      "side by side in a list of the program",
      Effect.provideService(Effect.provide(get, [a, b]), CatalogPolicy, [make("list")]),
      ["list", ...both]
    ],
    [
      "a list of the program, inside",
      Effect.provide(Effect.provideService(get, CatalogPolicy, [make("list")]), a),
      ["list"]
    ]
  ])("add up: %s", async (_, call, expected) => {
    const { layer } = recording(() => json(anime))
    reported.length = 0
    await Effect.runPromise(Effect.provide(call, [layer, Credentials.layerNone]))
    expect(reported).toEqual(expected)
  })

  test("of two services do not reach each other", async () => {
    class Other extends Context.Tag("test/Other")<Other, Effect.Effect<unknown, unknown>>() {}
    const { layer } = recording(() => json(anime))
    const services = Layer.merge(layer, Credentials.layerNone)
    const one = Layer.provide(CatalogClient.layer(), a)
    const other = Layer.effect(
      Other,
      Effect.map(Effect.context<HttpClient.HttpClient | Credentials>(), (context) => Effect.provide(get, context))
    )
    reported.length = 0
    const calls = Effect.zipRight(
      Effect.flatMap(CatalogClient, ({ anime }) => anime.get({ id: 1 })),
      Effect.flatten(Other)
    )
    await Effect.runPromise(Effect.provide(calls, Layer.provide(Layer.merge(one, Layer.provide(other, b)), services)))
    expect(reported).toEqual(["a", "cache of a", "retry of a", "b", "retry of b"])
  })

  test("a slot's own calls have the policies of the call, and not those where its Layer was built", async () => {
    const { layer } = recording(() => json(anime))
    const accessToken = Effect.as(Effect.provide(get, [layer, Credentials.layerNone]), "token")
    const credentials = Layer.provide(Credentials.layer({ accessToken }), Layer.mergeAll(layer, a))
    reported.length = 0
    await Effect.runPromise(Effect.provide(Effect.provide(get, b), [layer, credentials]))
    expect(reported).toEqual(["b", "retry of b", "b", "retry of b"])
  })
})

describe("CatalogPolicy", () => {
  onlyEffect(test)("wraps the exchange: it sees the call and can repeat, replace and fail", async () => {
    let answers = 0
    const { requests, layer } = recording(() => new Response(answers++ === 0 ? '{"id":' : JSON.stringify(anime)))
    const calls: Array<CatalogPolicy.Call> = []
    const policy = CatalogPolicy.layer((call, attempt) => {
      calls.push(call)
      return Effect.retry(attempt, { times: 1 })
    })
    const call = Catalog.anime.get({ id: 1 }, { fields: "mean", timeout: 7000, maxResponseBytes: 8000 })
    const credentials = Credentials.layer({ accessToken: "t", clientId: "c" })
    expect(await Effect.runPromise(Effect.provide(call, [layer, credentials, policy]))).toEqual(anime)
    expect(requests).toHaveLength(2)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      operation: "catalog.anime.get",
      method: "GET",
      url: "https://api.myanimelist.net/v2/anime/1?fields=mean",
      params: { id: 1 },
      timeout: 7000,
      maxResponseBytes: 8000,
      idempotent: true,
      cacheable: true
    })
    expect(Equal.equals(calls[0]?.credentials.accessToken, Option.some(Redacted.make("t")))).toBe(true)
    expect(JSON.stringify(calls[0])).not.toContain('"t"')
  })

  test("runs after the rules and the credentials", async () => {
    let requests = 0
    const policy = CatalogPolicy.layer((_, attempt) => {
      requests++
      return attempt
    })
    const { layer } = recording(() => json(anime))
    const provide = Effect.provide(Layer.mergeAll(layer, Credentials.layerNone, policy))
    await Effect.runPromise(provide(Effect.flip(Catalog.anime.search({ q: " " }))))
    await Effect.runPromise(provide(Effect.flip(Catalog.user.me())))
    expect(requests).toBe(0)
    await Effect.runPromise(provide(Catalog.anime.get({ id: 1 })))
    expect(requests).toBe(1)
  })
})

test.each(faces)(
  "a policy sees the URL of a call as it is, and that of a page redacted, on the %s face",
  async (_, face) => {
    const urls: Array<string> = []
    const policy = policyThat((call) => {
      urls.push(call.url)
      return undefined
    })
    const transport = recording(({ url }) =>
      json({ data: [], paging: url.searchParams.has("offset") ? {} : { next: "?offset=1&echo=the-token" } })
    )
    const call = face(transport, { accessToken: "the-token", policies: [policy] })
    value(await call("anime.search.collect", { q: "the-token" }, { max: 9 }))
    expect(urls).toEqual([
      "https://api.myanimelist.net/v2/anime?q=the-token&limit=9",
      "https://api.myanimelist.net/v2/anime?q=<redacted>&limit=9&offset=1&echo=<redacted>"
    ])
    // A key of a cache is made of it, so a long one is not cut.
    value(await call("anime.search.collect", { q: "long".repeat(1000) }, { max: 9 }))
    expect(urls[3]).toMatch(/longlong&limit=9&offset=1&echo=<redacted>$/)
  }
)

describe("attempts", () => {
  const again = CatalogPolicy.layer((_, attempt) => Effect.retry(attempt, { times: 5 }))

  it.effect("are limited together by totalTimeout, and each of them by timeout", () =>
    Effect.gen(function* () {
      const { requests, state, layer } = stubService({ after: 1000 })
      const call = Catalog.anime.get({ id: 1 }, { timeout: 40, totalTimeout: 100 })
      const fiber = yield* Fibers.fork(Effect.provide(Effect.flip(call), Layer.merge(layer, again)))
      yield* TestClock.adjust(99)
      expect(yield* Fibers.poll(fiber)).toEqual(Option.none())
      yield* TestClock.adjust(1)
      expect(yield* Fibers.join(fiber)).toMatchObject({ reason: "Timeout", timeoutMs: 100, attempts: 3 })
      expect(requests.map(({ at }) => at)).toEqual([0, 40, 80])
      expect(state.interrupted).toBe(3)
    })
  )

  it.effect("are counted for an interruption by a signal as well", () =>
    Effect.gen(function* () {
      const { layer } = stubService({ status: 500 }, { after: 1000 })
      const controller = new AbortController()
      const call = Catalog.anime.get({ id: 1 }, { signal: controller.signal })
      const fiber = yield* Fibers.fork(Effect.provide(Effect.flip(call), Layer.merge(layer, again)))
      yield* TestClock.adjust(10)
      controller.abort()
      expect(yield* Fibers.join(fiber)).toMatchObject({ reason: "Cancelled", attempts: 2 })
    })
  )

  it.effect("begin again with each run of an operation", () =>
    Effect.gen(function* () {
      const { layer } = stubService({ status: 500 })
      const call = Effect.provide(Effect.flip(get), layer)
      expect(yield* call).toMatchObject({ attempts: 1 })
      expect(yield* call).toMatchObject({ attempts: 1 })
    })
  )
})
