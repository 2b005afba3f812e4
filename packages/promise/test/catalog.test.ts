import {
  createCatalog,
  type CallOptions,
  type Catalog,
  type CatalogOptions,
  type TransportOptions,
  type Dispatcher,
  Operation,
  type Policy,
  Redacted,
  Resilience
} from "catalog-client"
import { createSession, createSessions, Tokens } from "catalog-client/oauth"
import { telemetry } from "catalog-client/telemetry"
import { EmbeddedCatalog, serve } from "catalog-client/testing"
import { Resilience as EffectResilience } from "@catalog-client/core"
import { context, propagation, trace } from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader
} from "@opentelemetry/sdk-metrics"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node"
import { type } from "arktype"
import { Effect, Layer, Schema } from "effect"
import * as v from "valibot"
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { z } from "zod"
import { clientId, search, token } from "../../core/test/support/canary.js"
import { rejection } from "../../core/test/support/eventually.js"

const json = (value: unknown, init?: ResponseInit): Response => Response.json(value, init)

const title = { id: 1, title: "A title" }

/** A catalog over a service that sends these responses in turn, and repeats the last. */
const over = (replies: ReadonlyArray<() => Response>, options: CatalogOptions & TransportOptions = {}) => {
  const requests: Array<{ readonly url: URL; readonly headers: Headers }> = []
  const fetch = async (url: URL, init: RequestInit) => {
    requests.push({ url, headers: new Headers(init.headers) })
    return (replies[Math.min(requests.length, replies.length) - 1] ?? (() => json(title)))()
  }
  // Options of another place make no other type of catalog.
  const catalog: Catalog = createCatalog({ fetch, ...options })
  return { requests, catalog }
}

test("Node's transport publishes nothing for an instrumentation of undici, which would add headers and spans", async () => {
  const names = ["request:create", "request:headers", "request:trailers", "client:sendHeaders", "client:connected"]
  const published: Array<string> = []
  const note = (_: unknown, name: string | symbol) => void published.push(String(name))
  names.forEach((name) => subscribe(`undici:${name}`, note))
  try {
    await using service = await serve()
    await using catalog = createCatalog({ profile: service.profile, clientId: service.clientId })
    expect((await catalog.anime.get({ id: 1 })).id).toBe(1)
    expect(published).toEqual([])
    // The channels of Node's own copy stay as they are.
    await fetch(service.url)
    expect(published).toContain("undici:request:create")
  } finally {
    names.forEach((name) => unsubscribe(`undici:${name}`, note))
  }
})

test("a policy is an async function around the attempt, and reports to hooks what it does", async () => {
  const seen: Array<unknown> = []
  const paced: Policy = async ({ method, notify, operation }, next) => {
    notify("onWait", { policy: "paced", delay: 5 })
    const reply = await next()
    seen.push(`${method} ${operation} is done`)
    return reply
  }
  const { catalog } = over([() => json(title)], {
    policies: [paced],
    hooks: { onWait: (event) => seen.push(event) }
  })
  expect(await catalog.anime.get({ id: 1 })).toEqual(title)
  const wait = { operation: "catalog.anime.get", policy: "paced", delay: 5 }
  expect(seen).toMatchObject([wait, "GET catalog.anime.get is done"])
})

test("a policy can attempt again, and stands around those of the client", async () => {
  let attempts = 0
  const again: Policy = async (_, next) => {
    attempts++
    try {
      return await next()
    } catch {
      attempts++
      return await next()
    }
  }
  const failing = () => json({ error: "down" }, { status: 503 })
  const { catalog, requests } = over([failing, failing, () => json(title)], {
    policies: [again, Resilience.retry({ attempts: 2, baseDelay: 1 })]
  })
  expect(await catalog.anime.get({ id: 1 })).toEqual(title)
  expect(attempts).toBe(2)
  expect(requests).toHaveLength(3)
})

test("a call rejects with what a policy throws", async () => {
  const { catalog, requests } = over([], {
    policies: [
      async ({ networkError }) => {
        throw networkError("CircuitOpen", new Error("over budget"))
      }
    ]
  })
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({
    _tag: "ClientNetworkError",
    reason: "CircuitOpen"
  })
  const mine = new Error("mine")
  const policies = [() => Promise.reject(mine)]
  await expect(catalog.anime.get({ id: 1 }, { policies })).rejects.toMatchObject({ reason: "CircuitOpen" })
  await expect(over([], { policies }).catalog.anime.get({ id: 1 })).rejects.toBe(mine)
  expect(requests).toHaveLength(0)
})

test("a policy that returns nothing is a TypeError, but where there is no reply", async () => {
  const policies = [
    async (_: unknown, next: () => Promise<unknown>) => {
      await next()
    }
  ] as unknown as ReadonlyArray<Policy>
  const { catalog } = over([() => json(title)], { policies, accessToken: "token" })
  const error = await rejection(catalog.anime.get({ id: 1 }))
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain("a policy must return a promise, for example that of next()")
  expect(await catalog.anime.deleteFromList({ id: 1 })).toBeUndefined()
})

/** How a call ends while its policy waits, and with what. */
const ends: ReadonlyArray<
  readonly [how: string, reason: string, CallOptions, (catalog: Catalog, abort: () => void) => unknown]
> = [
  ["is cancelled", "Cancelled", {}, (_, abort) => abort()],
  ["times out", "Timeout", { totalTimeout: 20 }, () => undefined],
  ["loses its catalog", "Cancelled", {}, (catalog) => catalog.close()]
]

test.each(ends)("after a call %s, its policy sends nothing and notifies no hook", async (_, reason, options, end) => {
  const seen: Array<unknown> = []
  let resume: () => void = () => undefined
  const resumed = new Promise<void>((resolve) => (resume = resolve))
  const left: Array<Promise<Error>> = []
  const late: Policy = async (call, next) => {
    await resumed
    call.notify("onWait", { policy: "late", delay: 5 })
    const sent = [next(), next()]
    left.push(...sent.map(rejection))
    return sent[0] as never
  }
  const controller = new AbortController()
  const { catalog, requests } = over([], {
    accessToken: "token",
    policies: [late],
    hooks: { onWait: (event) => seen.push(event) }
  })
  const call = rejection(catalog.anime.deleteFromList({ id: 1 }, { signal: controller.signal, ...options }))
  await end(catalog, () => controller.abort())
  expect(await call).toMatchObject({ reason, attempts: 0 })
  resume()
  await resumed
  const member = { _tag: "ClientNetworkError", reason, attempts: 0, operation: "catalog.anime.deleteFromList" }
  expect(await Promise.all(left)).toMatchObject([member, member])
  expect(requests).toHaveLength(0)
  expect(seen).toHaveLength(0)
})

test("a policy that ends its own call, or has returned, sends nothing more", async () => {
  const controller = new AbortController()
  const left: Array<Promise<unknown>> = []
  const aborts: Policy = (_, next) => {
    controller.abort()
    const sent = next()
    left.push(rejection(sent))
    return sent
  }
  const { catalog, requests } = over([() => json(title)])
  const call = catalog.anime.get({ id: 1 }, { signal: controller.signal, policies: [aborts] })
  expect(await rejection(call)).toMatchObject({ reason: "Cancelled", attempts: 0 })
  const returned: Policy = async (_, next) => {
    const reply = await next()
    left.push(new Promise((resolve) => setTimeout(() => resolve(rejection(next())), 5)))
    return reply
  }
  expect(await catalog.anime.get({ id: 1 }, { policies: [returned] })).toEqual(title)
  const cancelled = { reason: "Cancelled" }
  expect(await Promise.all(left)).toMatchObject([cancelled, cancelled])
  expect(requests).toHaveLength(1)
})

test("a policy of a catalog that was closed ends with its call", async () => {
  let isAborted = false
  const waits: Policy = (call, next) =>
    new Promise((_, reject) => {
      call.signal.addEventListener("abort", () => {
        isAborted = true
        reject(new Error("left"))
      })
      void next
    })
  const { catalog } = over([], { policies: [waits] })
  const call = catalog.anime.get({ id: 1 })
  await catalog.close()
  await expect(call).rejects.toMatchObject({ reason: "Cancelled" })
  expect(isAborted).toBe(true)
})

test("policies and Layers of @catalog-client/core are a TypeError that names it", async () => {
  const policies = [EffectResilience.retry() as unknown as Policy]
  const { catalog } = over([], { policies })
  await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(/@catalog-client\/core/)
  await expect(catalog.anime.get({ id: 1 })).rejects.toBeInstanceOf(TypeError)
  const transport = { transport: Layer.empty } as CatalogOptions
  expect(() => createCatalog(transport)).toThrow(/@catalog-client\/core/)
})

test("a credential is a string, a Redacted or a function", async () => {
  for (const accessToken of ["token", () => "token", async () => "token", Redacted.make("token")]) {
    const { catalog, requests } = over([() => json({ id: 1, name: "me" })], { accessToken })
    await catalog.user.me()
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer token")
  }
  for (const promise of [Promise.resolve("token"), Promise.reject(new Error("nobody awaits it"))]) {
    expect(() => over([], { accessToken: promise as never })).toThrow(/accessToken must be .* a promise [(]await it[)]/)
  }
})

test("a custom operation takes a Schema of Standard Schema, or a type", async () => {
  const studio = Operation.make({
    name: "studio.get",
    method: "GET",
    path: "/studio/{id}",
    inputs: { id: z.int(), language: Operation.type<string | undefined>() },
    reply: z.object({ name: z.string(), founded: z.string().transform((date) => new Date(date)) })
  })
  const { catalog, requests } = over([() => json({ name: "Bones", founded: "1998-10-01" }), () => json({ name: 1 })])
  const reply = await catalog.call(studio, { id: 4 })
  expect(reply.founded.getUTCFullYear()).toBe(1998)
  expect(requests[0]?.url.pathname).toMatch(/\/studio\/4$/)
  await expect(catalog.call(studio, { id: 4, language: "en" })).rejects.toMatchObject({ reason: "InvalidBody" })
  await expect(catalog.call(studio, { id: 0.5 })).rejects.toThrow(/studio\.get: "id" must be what its Schema accepts/)
})

test.each([
  ["zod", z.object({ name: z.string() })],
  ["valibot", v.object({ name: v.string() })],
  ["arktype", type({ name: "string" })],
  ["Effect", Schema.standardSchemaV1(Schema.Struct({ name: Schema.String }))]
])("a custom operation takes the Schemas of %s", async (_, reply) => {
  const studio = Operation.make({ name: "studio.first", method: "GET", path: "/studio", reply })
  const { catalog } = over([() => json({ name: "Bones" }), () => json({ name: 1 })])
  expect(await catalog.call(studio)).toEqual({ name: "Bones" })
  await expect(catalog.call(studio)).rejects.toMatchObject({ reason: "InvalidBody", path: ["name"] })
})

test("a Schema of Effect itself has no Standard Schema", () => {
  const plain = { name: "studio.first", method: "GET", path: "/studio", reply: Schema.String } as const
  // @ts-expect-error -- pass Schema.standardSchemaV1(...)
  expect(() => Operation.make(plain)).toThrow(/reply must be a Schema/)
})

test.each([
  ["a promise", (promise: Promise<unknown>) => promise],
  // As under Zone.js.
  // oxlint-disable-next-line unicorn/no-thenable
  ["a promise of another class", (promise: Promise<unknown>) => ({ then: promise.then.bind(promise) })]
])("a Schema that validates asynchronously is a mistake of the program: %s", async (_, promised) => {
  for (const result of [Promise.resolve({ value: "x" }), Promise.reject(new Error("of the Schema"))]) {
    const slow = { "~standard": { version: 1, vendor: "slow", validate: () => promised(result) } } as never
    const { catalog } = over([() => json("x")])
    const named = { name: "studio.name", method: "GET", path: "/studio" } as const
    const message = "Schemas of an operation must validate synchronously"
    await expect(catalog.call(Operation.make({ ...named, reply: slow }))).rejects.toThrow(message)
    const asked = Operation.make({ ...named, inputs: { q: slow } }) as ReturnType<typeof Operation.make>
    await expect(catalog.call(asked, { q: "x" })).rejects.toThrow(message)
  }
})

test("a whole list of a custom operation", async () => {
  const studios = Operation.paged({
    name: "studio.search",
    method: "GET",
    path: "/studio",
    inputs: { q: Operation.type<string>() },
    limit: { maximum: 100 },
    reply: Operation.type<{ readonly data: ReadonlyArray<{ readonly name: string }> }>()
  })
  const { catalog } = over([() => json({ data: [{ name: "Bones" }, { name: "Trigger" }], paging: {} })])
  const names: Array<string> = []
  for await (const { name } of catalog.call.items(studios, { q: "b" })) {
    names.push(name)
  }
  expect(names).toEqual(["Bones", "Trigger"])
})

test.each([
  [null, ["data"], "an array, found nothing"],
  ["Bones", ["data"], "an array, found nothing"],
  [{ studios: [] }, ["data"], "an array, found nothing"],
  [{ data: { posts: {} } }, ["data"], "an array, found an object"],
  [{ data: [], paging: { next: 5 } }, ["paging", "next"], "a string, found a number"]
])("a list whose reply is no page, and whose Schema accepts it: %j", async (reply, path, why) => {
  const list = Operation.paged({
    name: "studio.search",
    method: "GET",
    path: "/studio",
    limit: { maximum: 100 },
    reply: Operation.type<{ readonly data: ReadonlyArray<{ readonly name: string }> }>()
  })
  const { catalog } = over([() => json(reply)])
  const message = expect.stringContaining(why) as string
  const error = { name: "ClientRestError", reason: "InvalidBody", path, message }
  await expect(catalog.call.collect(list, {}, { max: 5 })).rejects.toMatchObject(error)
})

/** A tracer and a meter of OpenTelemetry, and what they were told. */
const observing = () => {
  const exporter = new InMemorySpanExporter()
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  })
  const metrics = async () => {
    const { resourceMetrics } = await reader.collect()
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
  }
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test")
  const meter = new MeterProvider({ readers: [reader] }).getMeter("test")
  return {
    telemetry: telemetry({ tracer, meter }),
    spans: () => exporter.getFinishedSpans(),
    /** How often the calls were counted, by their labels. */
    counted: async () => {
      const [requests] = (await metrics()).filter(({ descriptor }) => descriptor.name === "catalog_requests_total")
      return requests?.dataPoints.map(({ attributes, value }) => ({ ...attributes, value }))
    },
    names: async () => (await metrics()).map(({ descriptor }) => descriptor.name)
  }
}

test("counts the calls that begin before the transport is ready", async () => {
  await using service = await serve()
  const { counted, telemetry } = observing()
  await using catalog = createCatalog({ baseUrl: service.url, clientId: "embedded-client", telemetry })
  await Promise.all([catalog.anime.get({ id: 1 }), catalog.anime.get({ id: 5 })])
  expect(await counted()).toEqual([{ operation: "catalog.anime.get", outcome: "Success", value: 2 }])
})

test("spans and metrics go to a tracer and a meter of OpenTelemetry", async () => {
  const { names, spans, telemetry } = observing()
  const lines: Array<unknown> = []
  const { catalog, requests } = over([() => json({ error: "down" }, { status: 503 }), () => json(title)], {
    telemetry,
    tracePropagation: true,
    logger: { debug: (line) => lines.push(line) },
    logLevel: "debug",
    policies: [Resilience.retry({ baseDelay: 1 })]
  })
  await catalog.anime.get({ id: 1 })
  const [call] = spans().filter(({ name }) => name === "catalog.anime.get")
  const attempts = spans().filter(({ name }) => name === "GET")
  expect(attempts.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([503, 200])
  const parent = call?.spanContext().spanId
  expect(attempts.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([parent, parent])
  expect(lines).toHaveLength(2)
  expect(spans().flatMap(({ events }) => events.map(({ name }) => name))).toEqual(["catalog.retry"])
  const [first] = attempts.map((span) => span.spanContext())
  expect(requests[0]?.headers.get("traceparent")).toBe(`00-${first?.traceId}-${first?.spanId}-01`)
  expect(await names()).toEqual(
    expect.arrayContaining(["catalog_requests_total", "catalog_request_duration_seconds", "catalog_retries_total"])
  )
})

test.each(["createSession", "createSessions"])(
  "%s: a request for tokens is a span in that of its call, and the call is counted",
  async (kind) => {
    const { counted, spans, telemetry } = observing()
    const client = { clientId: "embedded-client", redirectUri: "http://localhost/callback" }
    const options = { telemetry, fetch: EmbeddedCatalog.fetch() }
    const rows = new Map<string, string>()
    const stale = Tokens.from({ access_token: "stale", refresh_token: "spent", expires_in: 0 }, client)
    const rejected = async () => {
      if (kind === "createSession") {
        await using session = createSession({ ...client, ...options })
        await session.signIn(stale)
        return await createCatalog({ session, ...options }).user.me()
      }
      const store = (user: string) => ({
        get: () => rows.get(user),
        set: (text: string) => rows.set(user, text),
        remove: () => rows.delete(user)
      })
      await using sessions = createSessions({ client, store, ...options })
      await sessions.signIn("user", stale)
      return await sessions.catalogOf("user").user.me()
    }
    await expect(rejected()).rejects.toMatchObject({ _tag: "ClientAuthError" })
    const named = (name: string) => spans().find((span) => span.name === name)
    const refresh = named("OAuth.refreshTokens")
    expect(refresh?.parentSpanContext?.spanId).toBe(named("catalog.user.me")?.spanContext().spanId)
    expect(named("POST")?.parentSpanContext?.spanId).toBe(refresh?.spanContext().spanId)
    expect(named("POST")?.attributes).toMatchObject({ "http.response.status_code": 401 })
    expect(await counted()).toEqual([{ operation: "catalog.user.me", outcome: "SignedOut", value: 1 }])
  }
)

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as Readonly<
  Record<string, string>
>

test("a bundler that reads no exports finds the file without modules of Node", async () => {
  // As Metro does.
  for (const field of ["react-native", "browser", "module"]) {
    const entry = join(import.meta.dirname, "..", String(manifest[field]))
    const options = { bundle: true, format: "esm", logLevel: "silent", platform: "browser", write: false } as const
    expect((await build({ entryPoints: [entry], ...options })).errors).toEqual([])
  }
})

test("requests on Node name the version of this package", async () => {
  const server = createServer(({ headers }, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ id: 1, title: headers["user-agent"] }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const catalog = createCatalog({ baseUrl: `http://127.0.0.1:${port}` })
  expect((await catalog.anime.get({ id: 1 })).title).toBe(`catalog-client/${manifest["version"]}`)
  await catalog.close()
  server.close()
})

test("a dispatcher of undici is the transport, and is not closed", async () => {
  const { MockAgent } = await import("undici")
  const agent = new MockAgent()
  agent.disableNetConnect()
  agent
    .get("https://api.example")
    .intercept({ path: "/v2/anime/1" })
    .reply(200, title, { headers: { "content-type": "application/json" } })
    .times(2)
  const dispatcher: Dispatcher = agent
  const catalog = createCatalog({ dispatcher, baseUrl: "https://api.example/v2" })
  expect(await catalog.anime.get({ id: 1 })).toEqual(title)
  await catalog.close()
  expect(await createCatalog({ dispatcher, baseUrl: "https://api.example/v2" }).anime.get({ id: 1 })).toEqual(title)
})

test("a cache drops replies by hand", async () => {
  const kept = Resilience.cache({ capacity: 9, timeToLive: "1 minute" })
  const { catalog, requests } = over([() => json(title)], { policies: [kept] })
  const readAll = async () => {
    const before = requests.length
    await Promise.all([1, 2].map((id) => catalog.anime.get({ id })))
    return requests.length - before
  }
  expect([await readAll(), await readAll()]).toEqual([2, 0])
  kept.invalidate(({ params }) => "id" in params && params.id === 1)
  expect([await readAll(), await readAll()]).toEqual([1, 0])
  kept.invalidate()
  expect(await readAll()).toBe(2)
  expect(() => kept.invalidate("catalog.anime.get" as never)).toThrow(
    new TypeError('Resilience.cache: invalidate takes a function of an entry, but got "catalog.anime.get"')
  )
})

test("a rate limit keeps its tokens in a store of the program", async () => {
  const buckets: Array<unknown> = []
  const store = {
    take: async (bucket: object) => (buckets.push(bucket), buckets.length === 1 ? 1 : 0),
    hold: () => undefined
  }
  const { catalog } = over([() => json(title)], {
    policies: [Resilience.rateLimit({ limit: 1, interval: "1 second", store })]
  })
  await catalog.anime.get({ id: 1 })
  expect(buckets).toEqual([
    { limit: 1, interval: 1_000 },
    { limit: 1, interval: 1_000 }
  ])
  const failing = { take: () => Promise.reject(new Error("gone")), hold: () => undefined }
  const policies = [Resilience.rateLimit({ limit: 1, interval: 1_000, store: failing })]
  await expect(catalog.anime.get({ id: 1 }, { policies })).rejects.toMatchObject({ reason: "RateLimitStore" })
})

test("a store of Effect is a TypeError, also where failures are ignored", async () => {
  const store = { take: () => Effect.succeed(0), hold: () => Effect.void } as unknown as Resilience.RateLimitStore
  const policies = [Resilience.rateLimit({ limit: 1, interval: 1_000, store, onStoreFailure: "proceed" })]
  const { catalog, requests } = over([], { policies })
  const call = catalog.anime.get({ id: 1 })
  await expect(call).rejects.toBeInstanceOf(TypeError)
  await expect(call).rejects.toThrow(/Resilience\.rateLimit: store .*@catalog-client/)
  expect(requests).toHaveLength(0)
})

test("the active span of the program is the parent of a call's, whose request is sent in its own", async () => {
  const spans = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  provider.register()
  try {
    const tracer = provider.getTracer("test")
    const active: Array<string | undefined> = []
    const { catalog, requests } = over(
      [() => (active.push(trace.getActiveSpan()?.spanContext().spanId), json(title))],
      {
        telemetry: telemetry({ tracer })
      }
    )
    const outer = await tracer.startActiveSpan("outer", async (span) => {
      await catalog.anime.get({ id: 1 })
      span.end()
      return span.spanContext()
    })
    const call = spans.getFinishedSpans().find(({ name }) => name === "catalog.anime.get")
    expect(call?.parentSpanContext?.spanId).toBe(outer.spanId)
    expect(call?.spanContext().traceId).toBe(outer.traceId)
    expect(active).toEqual([
      spans
        .getFinishedSpans()
        .find(({ name }) => name === "GET")
        ?.spanContext().spanId
    ])
    // Nothing is sent unless asked.
    expect(requests[0]?.headers.has("traceparent")).toBe(false)
  } finally {
    trace.disable()
    context.disable()
    propagation.disable()
  }
})

test.each([
  ["a promise", "await catalog.anime.get({ id: 1 })"],
  ["a loop", "for await (const _ of catalog.anime.search.items({ q: 'x' })) {}"],
  [
    "all consoles",
    `const error = await catalog.anime.get({ id: 1 }).catch((error) => error)
    for (const value of [error, { deep: [{ error }] }, catalog, catalog.anime.search]) {
      for (const method of ["debug", "error", "info", "log", "trace", "warn"]) console[method](value, String(value))
      console.dir(value, { depth: null, showHidden: true })
      console.log("%s %o %O %j", value, value, value, value)
    }
    throw error`
  ]
])("a process that ends by an uncaught error of %s shows no credential", (_, calls) => {
  const program = `import { createCatalog } from "catalog-client"
    const { TOKEN: accessToken, ID: clientId } = process.env
    const message = \`bad \${accessToken} of \${clientId}, no\`
    const fetch = async () => Response.json({ error: "bad", message }, { status: 400 })
    const catalog = createCatalog({ fetch, accessToken, clientId })
    ${calls}`
  const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, TOKEN: token, ID: clientId },
    encoding: "utf8"
  })
  expect(status).toBe(1)
  expect(stderr).toContain("bad <redacted> of <redacted>, no")
  // Above the error, Node prints the line that waited, not one of its own.
  expect(stderr).toMatch(/^.*await .*\n +\^\n/m)
  expect(search(stdout + stderr)).toEqual([])
})

test("a program that freezes the classes of the language gets the same errors", () => {
  const program = `
    const frozen = [Error, TypeError, Object, Array, Function, Promise, Map].flatMap((type) => [type, type.prototype])
    frozen.forEach(Object.freeze)
    const { createCatalog, Resilience } = await import("catalog-client")
    await Promise.all(["oauth", "testing", "redis"].map((entry) => import("catalog-client/" + entry)))
    const { createServer } = await import("node:net")
    const server = createServer((socket) => socket.end("nonsense")).listen(0, "127.0.0.1")
    await new Promise((listening) => server.on("listening", listening))
    const sockets = createCatalog({ baseUrl: "http://127.0.0.1:" + server.address().port })
    const catalog = createCatalog({
      fetch: async () => Response.json({}, { status: 404 }),
      policies: [Resilience.retry(), Resilience.dedupe()]
    })
    const calls = [
      catalog.anime.get({ id: 1 }),
      catalog.anime.get({ id: "1" }),
      catalog.user.me(),
      catalog.anime.search.collect({ q: " " }, { max: 1 }),
      sockets.anime.get({ id: 1 })
    ]
    for (const { reason } of await Promise.allSettled(calls)) {
      console.log(reason.name, reason.status ?? reason.cause?.name)
    }
    await sockets.close()
    server.close()`
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8"
  })
  expect(stderr).toBe("")
  expect(stdout.trim().split("\n")).toEqual([
    "ClientRestError 404",
    "TypeError undefined",
    "ClientAuthError undefined",
    "ClientValidationError undefined",
    "ClientNetworkError HTTPParserError"
  ])
})

test.each([
  [
    "throw",
    (): never => {
      throw new Error("broken")
    }
  ],
  ["return a promise that rejects", (): never => Promise.reject(new Error("broken")) as never]
])("a tracer and a meter that %s break no call", async (_, fail) => {
  const span = { spanContext: fail, setAttribute: fail, addEvent: fail, setStatus: fail, end: fail }
  for (const options of [
    { tracer: { startSpan: fail }, meter: { createCounter: fail, createHistogram: fail } },
    {
      tracer: { startSpan: () => span },
      meter: { createCounter: () => ({ add: fail }), createHistogram: () => ({ record: fail }) }
    }
  ]) {
    const { catalog, requests } = over([() => json({}, { status: 503 }), () => json(title)], {
      telemetry: telemetry(options),
      tracePropagation: true,
      policies: [Resilience.retry({ baseDelay: 1 })]
    })
    expect(await catalog.anime.get({ id: 1 })).toEqual(title)
    expect(requests.map(({ headers }) => headers.has("traceparent"))).toEqual([false, false])
  }
})
