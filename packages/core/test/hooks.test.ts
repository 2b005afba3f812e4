/**
 * What hooks learn about calls, and what of it spans and metrics show.
 */
import { createCatalog } from "catalog-client"
import {
  Catalog,
  CatalogClient,
  CatalogHooks,
  CatalogPolicy,
  ClientRestError,
  Credentials,
  Resilience
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { describe, expect, test } from "vitest"
import { faces, failure, json, openFaces, policyOf, recording, value, made } from "./support/faces.js"
import { sleep } from "./support/eventually.js"
import * as Fibers from "./support/fibers.js"
import { anime, stubService, type StubResponse } from "./support/stubService.js"
import { labelled, measured, recordingLogger, recordingTracer } from "./support/telemetry.js"
import { onlyEffect } from "./support/only.js"

const url = "https://api.myanimelist.net/v2/anime/1?fields=mean"
const named = { operation: "catalog.anime.get", method: "GET", url }

/** Hooks that write down what they receive. */
const listening = () => {
  const reported: Array<readonly [string, object]> = []
  const hook = (name: string) => (event: object) => void reported.push([name, event])
  const hooks: CatalogHooks.Hooks = {
    onRequest: hook("onRequest"),
    onResponse: hook("onResponse"),
    onRetry: hook("onRetry"),
    onWait: hook("onWait")
  }
  return { reported, hooks, names: () => reported.map(([name]) => name) }
}

/** A service that responds so, the last response again and again. */
const responding = (...responses: ReadonlyArray<() => Response>) => {
  let requests = 0
  return recording(() => (responses[requests++] ?? responses.at(-1) ?? (() => json(anime)))())
}

const unavailable = (headers: Record<string, string> = {}) => new Response("{}", { status: 503, headers })

const thrown = (value: unknown): never => {
  throw value
}

const milliseconds = expect.any(Number) as number

describe.each(faces)("hooks, on the %s face", (_, face) => {
  test("are called for each request and each response", async () => {
    const { reported, hooks } = listening()
    const transport = recording(() => json(anime))
    value(await face(transport, { hooks })("anime.get", { id: 1 }, { fields: "mean" }))
    expect(reported).toEqual([
      ["onRequest", { ...named, attempt: 1 }],
      ["onResponse", { ...named, attempt: 1, outcome: "Success", status: 200, durationMs: milliseconds }]
    ])
  })

  test.each<readonly [string, () => Response | Promise<Response>, object, object, hasError: boolean]>([
    ["an error status", () => new Response("{}", { status: 404 }), {}, { outcome: "404", status: 404 }, true],
    ["no response", () => Promise.reject(new Error("broken")), {}, { outcome: "Transport" }, true],
    ["a cancellation", () => new Promise(() => {}), { totalTimeout: 20 }, { outcome: "Interrupted" }, false]
  ])("are called for an attempt that ends in %s", async (_, respond, options, ended, hasError) => {
    const { reported, hooks } = listening()
    const transport = recording(respond)
    const error = failure(await face(transport, { hooks })("anime.get", { id: 1 }, { fields: "mean", ...options }))
    expect(reported).toEqual([
      ["onRequest", { ...named, attempt: 1 }],
      ["onResponse", { ...named, attempt: 1, ...ended, ...(hasError && { error }), durationMs: milliseconds }]
    ])
    // The same object as the attempt's.
    expect((reported[1] as readonly [string, { readonly error?: unknown }])[1].error).toBe(hasError ? error : undefined)
  })

  test("are called for a retry before it waits", async () => {
    const { reported, hooks, names } = listening()
    const transport = responding(
      () => unavailable({ "retry-after": "0" }),
      () => unavailable(),
      () => json(anime)
    )
    const policies = [Resilience.retry({ attempts: 4, baseDelay: 1, maxDelay: 1 })]
    value(await face(transport, { hooks, policies })("anime.get", { id: 1 }, { fields: "mean" }))
    const attempt = ["onRequest", "onResponse"]
    expect(names()).toEqual([...attempt, "onRetry", ...attempt, "onRetry", ...attempt])
    const error = expect.any(ClientRestError) as ClientRestError
    expect(reported[2]?.[1]).toEqual({ ...named, attempt: 2, attempts: 4, delay: 0, error })
    expect(reported[5]?.[1]).toMatchObject({ attempt: 3, error: { status: 503, attempts: 2 } })
    expect(reported[6]?.[1]).toMatchObject({ attempt: 3 })
  })

  test("are not called for a reply from the cache", async () => {
    const { hooks, names } = listening()
    const transport = recording(() => json(anime))
    const policies = [made(Resilience.cache({ capacity: 10, timeToLive: "1 minute" }))]
    await using session = openFaces[_](transport, { hooks, policies })
    value(await session.call("anime.get", { id: 1 }, { fields: "mean" }))
    value(await session.call("anime.get", { id: 1 }, { fields: "mean" }))
    expect(names()).toEqual(["onRequest", "onResponse"])
  })

  test("are called by a user's own policy", async () => {
    const { reported, hooks } = listening()
    const transport = recording(() => json(anime))
    const wait = { policy: "patient", delay: 5 }
    const patient = policyOf(
      (call, attempt) => Effect.zipRight(call.notify("onWait", wait), Effect.delay(attempt, 5)),
      async (call, next) => {
        call.notify("onWait", wait)
        await sleep(5)
        return next()
      }
    )
    value(await face(transport, { hooks, policies: [patient] })("anime.get", { id: 1 }, { fields: "mean" }))
    expect(reported[0]).toEqual(["onWait", { ...named, policy: "patient", delay: 5 }])
  })

  test("get no secret", async () => {
    const { reported, hooks } = listening()
    const transport = responding(
      () => unavailable(),
      () => json({ data: [], paging: {} })
    )
    const accessToken = "a-secret-of-some-length"
    const policies = [Resilience.retry({ baseDelay: 1, maxDelay: 1 })]
    value(await face(transport, { hooks, policies, accessToken })("anime.search", { q: accessToken }))
    expect(reported).toHaveLength(5)
    for (const [, event] of reported) {
      expect(event).toMatchObject({ url: expect.stringContaining("q=<redacted>") as string })
    }
    expect(JSON.stringify(reported)).not.toContain(accessToken)
  })

  test.each<readonly [string, fail: () => unknown, shown: string]>([
    ["throw an error", () => thrown(new Error("no a-secret-of-some-length")), "Error: no <redacted>"],
    ["reject", () => Promise.reject(new Error("later")), "Error: later"],
    ["throw a value that is no error", () => thrown("a text"), "Error: a text"],
    ["throw what cannot be printed", () => thrown(Object.create(null)), "Error: "]
  ])("that %s break no call, and cause one warning", async (_, fail, shown) => {
    const logger = recordingLogger()
    const transport = responding(
      () => unavailable(),
      () => json(anime)
    )
    let calls = 0
    const hook = () => {
      calls++
      return fail()
    }
    const call = face(
      { ...transport, logger },
      {
        hooks: { onRequest: () => hook(), onResponse: () => hook() },
        policies: [Resilience.retry({ baseDelay: 1, maxDelay: 1 })],
        accessToken: "a-secret-of-some-length"
      }
    )
    value(await call("anime.get", { id: 1 }))
    await expect.poll(() => logger.lines).toHaveLength(2)
    expect(calls).toBe(4)
    expect(logger.lines.map(({ level, text }) => `${level} ${text}`)).toEqual(
      ["onRequest", "onResponse"].map(
        (name) => `WARN catalog.anime.get: the hook ${name} failed (logged once): ${shown}`
      )
    )
  })

  test("can be methods of an object of a class", async () => {
    class Counting {
      count = 0
      onRequest() {
        this.count++
      }
    }
    const hooks = new Counting()
    const transport = recording(() => json(anime))
    value(await face(transport, { hooks })("anime.get", { id: 1 }))
    expect(hooks.count).toBe(1)
  })
})

onlyEffect(describe)("hooks that return Effects", () => {
  class Audit extends Context.Tag("test/Audit")<Audit, Array<string>>() {}
  const retrying = CatalogPolicy.layer(Resilience.retry({ baseDelay: 0 }))
  const get = Catalog.anime.get({ id: 1 })

  test("run in the call, with its span and the services of their Layer", async () => {
    const { layer } = responding(
      () => unavailable(),
      () => json(anime)
    )
    const lines: Array<string> = []
    const note = (what: string) =>
      Effect.zipRight(
        Effect.annotateCurrentSpan(what, true),
        Effect.map(Audit, (audit) => audit.push(what))
      )
    const hooks = CatalogHooks.layer({
      onRequest: ({ attempt }) => Effect.delay(note(`request ${attempt}`), 5),
      onResponse: ({ outcome }) => Effect.delay(note(outcome), 5),
      onRetry: () => note("retry"),
      onWait: () => undefined
    })
    const { layer: tracing, spans } = recordingTracer()
    const services = Layer.mergeAll(layer, Credentials.layerNone, retrying, tracing)
    const provided = Layer.provide(hooks, Layer.succeed(Audit, lines))
    await Effect.runPromise(get.pipe(Effect.provide(provided), Effect.provide(services)))
    expect(lines).toEqual(["request 1", "503", "retry", "request 2", "Success"])
    expect(spans.map(({ attributes, name }) => [name, lines.filter((line) => attributes.has(line))])).toEqual([
      ["catalog.anime.get", ["retry"]],
      ["GET", ["request 1", "503"]],
      ["GET", ["request 2", "Success"]]
    ])
  })

  test("are called once, although the client and the call have them of two builds", async () => {
    const { layer } = recording(() => json(anime))
    let calls = 0
    const hooks = CatalogHooks.layer({ onRequest: () => Effect.sync(() => calls++) })
    const client = CatalogClient.layer().pipe(Layer.provide([layer, Credentials.layerNone, Layer.fresh(hooks)]))
    const call = Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 }))
    await Effect.runPromise(call.pipe(Effect.provide(Layer.fresh(hooks)), Effect.provide(client)))
    expect(calls).toBe(1)
  })

  test("of two Layers are all called, unless one replaces the others", async () => {
    const { layer } = recording(() => json(anime))
    const called: Array<string> = []
    const hooks = (name: string) => ({ onRequest: () => Effect.sync(() => called.push(name)) })
    const [a, b] = [CatalogHooks.layer(hooks("a")), CatalogHooks.layer(hooks("b"))]
    const c = CatalogHooks.layerReplace(hooks("c"))
    const services = Layer.merge(layer, Credentials.layerNone)
    const client = Layer.provide(CatalogClient.layer(), [a, b, services])
    const calls: ReadonlyArray<Effect.Effect<unknown, unknown, HttpClient.HttpClient | Credentials | CatalogClient>> = [
      Effect.provide(get, [a, b]),
      Effect.provide(Effect.provide(get, b), a),
      Effect.provide(Effect.provide(get, [a, c]), b),
      Effect.flatMap(CatalogClient, (client) => client.anime.get({ id: 1 })).pipe(Effect.provide([b, c]))
    ]
    for (const call of calls) {
      called.push("call")
      await Effect.runPromise(call.pipe(Effect.provide(client), Effect.provide(services)))
    }
    expect(called.join(" ")).toBe("call a b call a b call c call a b c")
  })

  test("break no call if they fail, and a call that they make has no hooks", async () => {
    const logger = recordingLogger()
    const { layer, requests } = recording(() => json(anime))
    const hooks = CatalogHooks.layer({ onRequest: () => Effect.zipRight(get, Effect.fail(new Error("no audit"))) })
    const services = Layer.mergeAll(layer, Credentials.layerNone, logger.layer)
    const twice = Effect.replicateEffect(get, 2).pipe(Effect.provide(hooks), Effect.provide(services))
    await Effect.runPromise(twice)
    expect(requests).toHaveLength(4)
    expect(logger.texts).toEqual(["catalog.anime.get: the hook onRequest failed (logged once): Error: no audit"])
  })

  it.effect("are interrupted after a second, also at the end of a call", () =>
    Effect.gen(function* () {
      const logger = recordingLogger()
      const { layer } = stubService({ body: anime })
      const hooks = CatalogHooks.layer({ onRequest: () => Effect.never, onResponse: () => Effect.never })
      const call = get.pipe(Effect.provide(hooks), Effect.provide(Layer.merge(layer, logger.layer)))
      const fiber = yield* Fibers.fork(call)
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      expect(yield* Fibers.join(fiber)).toMatchObject(anime)
      const why = "failed (logged once): Error: it took longer than 1 second, and was interrupted"
      expect(logger.texts).toEqual(
        ["onRequest", "onResponse"].map((name) => `catalog.anime.get: the hook ${name} ${why}`)
      )
    })
  )
})

describe("invalid hooks", () => {
  test.each([
    ["no object", () => {}, "hooks must be an object of functions"],
    ["a text", "onRetry", "hooks must be an object of functions"],
    ["an array", [{ onRetry: () => {} }], "hooks must be an object of functions"],
    ["a hook that is no function", { onRetry: "log" }, 'hooks must be an object of functions, but onRetry is "log"']
  ])("are a TypeError: %s", async (_, given, message) => {
    const hooks = given as unknown as CatalogHooks.Hooks
    expect(() => createCatalog({ fetch, hooks })).toThrow(new TypeError(`createCatalog: ${message}`))
    const built = Effect.scoped(Layer.build(CatalogHooks.layer(hooks)))
    await expect(Effect.runPromise(built)).rejects.toThrow(`CatalogHooks.layer: ${message}`)
  })

  test("may be undefined", () => {
    expect(() => createCatalog({ fetch, hooks: undefined })).not.toThrow()
    expect(() => createCatalog({ fetch, hooks: { onRetry: undefined } })).not.toThrow()
  })
})

const eventsOf = (span: ReturnType<typeof recordingTracer>["spans"][number]) =>
  (span as unknown as { readonly events: ReadonlyArray<readonly [string, bigint, object]> }).events.map(
    ([name, , attributes]) => [name, attributes]
  )

onlyEffect(describe)("a wait for a rate limit", () => {
  /** Calls that begin together through one rate limit: what their hooks receive, with the time, and their spans. */
  const waiting = (count: number, ...answers: ReadonlyArray<StubResponse>) =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const { layer: tracing, spans } = recordingTracer()
      const reported: Array<readonly [number, string, number]> = []
      const hooks: CatalogHooks.Hooks = {
        onWait: ({ delay, policy }) => void reported.push([clock.unsafeCurrentTimeMillis(), policy, delay])
      }
      const { layer } = stubService(...answers)
      const policy = made(Resilience.rateLimit({ limit: 1, interval: "1 second" }))
      const services = Layer.mergeAll(layer, CatalogPolicy.layer(policy), CatalogHooks.layer(hooks), tracing)
      const fibers = yield* Effect.forEach(Array.from({ length: count }), () =>
        Fibers.fork(Effect.provide(Effect.either(Catalog.forum.boards()), services))
      )
      yield* TestClock.adjust("1 hour")
      yield* Effect.forEach(fibers, Fibers.join)
      return { reported, events: spans.filter(({ name }) => name.startsWith("catalog")).map(eventsOf) }
    })

  it.effect("calls onWait with its delay when the call is first in the line, and is in its span", () =>
    Effect.gen(function* () {
      expect((yield* waiting(1, { body: { categories: [] } })).reported).toEqual([])
      const { events, reported } = yield* waiting(3, { body: { categories: [] } })
      expect(reported).toEqual([
        [3_600_000, "rateLimit", 1000],
        [3_601_000, "rateLimit", 1000]
      ])
      const waited = [["catalog.wait", { "catalog.policy": "rateLimit", "catalog.delay": 1000 }]]
      expect(events).toEqual([[], waited, waited])
    })
  )

  it.effect("calls onWait again if the service says stop meanwhile", () =>
    Effect.gen(function* () {
      const stop = { status: 429, headers: { "retry-after": "30" }, after: 100 }
      const { reported } = yield* waiting(2, stop, { body: { categories: [] } })
      expect(reported).toEqual([
        [0, "rateLimit", 1000],
        [1000, "rateLimit", 29_100]
      ])
    })
  )
})

test.each([...onlyEffect(["Effect"] as const), "promise"] as const)(
  "spans of operations have events, on the %s face",
  async (face) => {
    const policies = [
      made(Resilience.cache({ capacity: 10, timeToLive: "1 minute" })),
      Resilience.retry({ attempts: 5, baseDelay: 0 })
    ]
    const { spans, ...tracer } = recordingTracer()
    const transport = responding(
      () => unavailable(),
      () => json(anime)
    )
    await using session = openFaces[face]({ ...transport, tracer }, { policies })
    value(await session.call("anime.get", { id: 1 }))
    value(await session.call("anime.get", { id: 1 }))
    const retried = { "catalog.attempt": 2, "catalog.attempts": 5, "catalog.delay": 0, "error.type": "503" }
    expect(spans.map((span) => [span.name, eventsOf(span)])).toEqual([
      ["catalog.anime.get", [["catalog.retry", retried]]],
      ["GET", []],
      ["GET", []],
      ["catalog.anime.get", []]
    ])
  }
)

onlyEffect(it).effect("replies from the cache are counted", () =>
  Effect.gen(function* () {
    const { layer } = stubService()
    const policy = made(Resilience.cache({ capacity: 10, timeToLive: "1 minute" }))
    yield* Effect.replicateEffect(Catalog.anime.get({ id: 1 }), 4).pipe(
      Effect.provide([layer, CatalogPolicy.layer(policy)])
    )
    const counted = measured().filter(
      ({ labels, name }) => name === "catalog_cache_hits_total" && labels.some(([, value]) => value === "hits")
    )
    expect(counted).toMatchObject([{ count: 3 }])
    expect(counted[0]?.labels.map(([key]) => key).toSorted()).toEqual(["operation", "program"])
  }).pipe(labelled({ program: "hits" }))
)

onlyEffect(test).each([
  ["no policy", []],
  ["a policy", [made(Resilience.dedupe())]]
])("a call whose refused token is renewed reports both requests, under %s", async (_, policies) => {
  const { reported, hooks, names } = listening()
  const { fetch } = recording(({ headers }) =>
    headers["authorization"] === "Bearer new" ? json(anime) : json({ error: "invalid_token" }, { status: 401 })
  )
  const credentials = Credentials.make({
    accessToken: "old",
    renew: () => Credentials.make({ accessToken: "new" }).accessToken
  })
  await using catalog = createCatalog({ fetch, session: { credentials }, hooks, policies })
  await catalog.anime.get({ id: 1 })
  expect(names()).toEqual(["onRequest", "onResponse", "onRequest", "onResponse"])
  expect(reported.map(([, event]) => (event as { readonly attempt: number }).attempt)).toEqual([1, 1, 2, 2])
})

test("a call without listeners does not read what a policy reports", async () => {
  const details = {
    policy: "own",
    get delay(): number {
      throw new Error("nothing listens, so nothing is read")
    }
  }
  const own: CatalogPolicy.Policy = (call, attempt) => Effect.zipRight(call.notify("onWait", details), attempt)
  const call = Catalog.anime.get({ id: 1 }, { policies: [own] })
  expect(await Effect.runPromise(Effect.provide(call, stubService().layer))).toEqual(anime)
})
