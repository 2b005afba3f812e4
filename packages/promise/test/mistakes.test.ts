/**
 * Mistakes of a program: each is a `TypeError` that names the option and says what to pass, without words of Effect. A
 * value of Effect is one that names `@catalog-client/core`.
 */
import { createCatalog, Operation, Resilience } from "catalog-client"
import { createSession, createSessions } from "catalog-client/oauth"
import { rateLimitStore } from "catalog-client/redis"
import { telemetry } from "catalog-client/telemetry"
import { createRecorder, EmbeddedCatalog, serve } from "catalog-client/testing"
import { Duration, Effect, Layer, Option, Redacted as EffectRedacted, Schedule, Schema, Stream } from "effect"
import { expect, expectTypeOf, test } from "vitest"

const title = { id: 1, title: "A title" }

const fetch = async () => Response.json(title)

const catalogWith = (options: object) => createCatalog({ fetch, ...options })

const client = { clientId: "c", redirectUri: "http://localhost:8080/callback" }

const session = (options: object) => createSession({ ...client, fetch, ...options })

const sessions = (options: object) =>
  createSessions({
    client,
    store: () => ({ get: () => undefined, set: () => {}, remove: () => {} }),
    fetch,
    ...options
  })

const connection = { eval: async () => [], evalsha: async () => [] }

/** Each option that is a duration. */
const durations: Readonly<Record<string, (value: never) => unknown>> = {
  timeout: (timeout) => catalogWith({ timeout }),
  totalTimeout: (totalTimeout) => catalogWith({ totalTimeout }).anime.get({ id: 1 }),
  "catalog.anime.get: timeout": (timeout) => catalogWith({}).anime.get({ id: 1 }, { timeout }),
  baseDelay: (baseDelay) => Resilience.retry({ baseDelay }),
  maxDelay: (maxDelay) => Resilience.retry({ maxDelay }),
  maxRetryAfter: (maxRetryAfter) => Resilience.retry({ maxRetryAfter }),
  interval: (interval) => Resilience.rateLimit({ limit: 1, interval }),
  hold: (hold) => Resilience.rateLimit({ limit: 1, interval: 1, hold }),
  maxHold: (maxHold) => Resilience.rateLimit({ limit: 1, interval: 1, maxHold }),
  cooldown: (cooldown) => Resilience.breaker({ cooldown }),
  timeToLive: (timeToLive) => Resilience.cache({ capacity: 1, timeToLive }),
  "createSession: timeout": (timeout) => session({ timeout }),
  "createSessions: client: timeout": (timeout) => sessions({ client: { ...client, timeout } }),
  "rateLimitStore: timeout": (timeout) => rateLimitStore(connection, { timeout }),
  latency: (latency) => EmbeddedCatalog.fetch({ latency }),
  delay: (delay) => EmbeddedCatalog.fetch({ faults: [{ delay }] }),
  codeLifetime: (codeLifetime) => EmbeddedCatalog.fetch({ oauth: { codeLifetime } })
}

/** Which value it was, for a failed test. */
const show = (value: unknown): string => `${typeof value} ${Object.prototype.toString.call(value)}`

/** What a function throws, or what its promise is rejected with. */
const thrown = async (run: () => unknown): Promise<unknown> => {
  try {
    await run()
  } catch (error) {
    return error
  }
  return undefined
}

test.each(Object.entries(durations))("a duration is a number or a string: %s", async (name, make) => {
  const option = name.split(" ").at(-1) ?? ""
  const texts = ["", "soon", "5", "5 s", "100ms", "-1 seconds", "NaN seconds", "1  second", "5 fortnights"]
  const others = [10n, {}, [1, 0], { seconds: 5 }, Duration.seconds(5), new Date(), () => 5, Symbol("5"), true]
  for (const wrong of [-1, NaN, ...texts, ...others]) {
    const error = await thrown(() => make(wrong as never))
    expect(error, show(wrong)).toBeInstanceOf(TypeError)
    const { message } = error as TypeError
    expect(message).toContain(option)
    expect(message).toMatch(/number of milliseconds.* or a string like "5 seconds"/)
    expect(message).not.toContain("a Duration")
  }
})

test("the durations that the type allows are accepted", async () => {
  const short = ["1 milli", "100 millis", "1 millisecond", "100 milliseconds", "0.5 seconds", "1 second"] as const
  const long = ["5 minutes", "1 minute", "1 hour", "2 hours", "1 day", "3 days"] as const
  const asked: Array<number> = []
  const store = {
    take: ({ interval }: { readonly interval: number }) => (asked.push(interval), 0),
    hold: () => undefined
  }
  for (const interval of [...short, ...long]) {
    const policies = [Resilience.rateLimit({ limit: 1, interval, store })]
    await catalogWith({ policies }).anime.get({ id: 1 }, { timeout: "5 seconds" })
  }
  expect(asked).toEqual([1, 100, 1, 100, 500, 1_000, 300_000, 60_000, 3_600_000, 7_200_000, 86_400_000, 259_200_000])
  // @ts-expect-error -- a word that is not accepted
  expect(() => createCatalog({ timeout: "5 weeks" })).toThrow(TypeError)
  // @ts-expect-error -- a value of Effect
  expect(() => createCatalog({ timeout: Duration.seconds(5) })).toThrow(TypeError)
  expect(() => createCatalog({ timeout: Infinity, totalTimeout: 0 })).not.toThrow()
})

/** Objects without members, which are options. */
const empty = [new Proxy({}, {}), Object.create(null)]

/** A promise of another class, as Zone.js and libraries have them. */
class Promised {
  // oxlint-disable-next-line unicorn/no-thenable
  then(): void {}
}

/** Other values than an option takes. */
const values = [-1, "te\0xt", 10n, Symbol("s"), true, [null], new Map(), class {}, Promise.resolve({}), new Promised()]
const others: ReadonlyArray<unknown> = [...values, ...empty]

const recording = { name: "recording", read: () => undefined }

const studio = { name: "studio.get", method: "GET", path: "/studio" } as const

const limit = { limit: 1, interval: 1 }

/** Options, each with a function that a wrong one is passed to, and with those of the other values that it accepts. */
const options: ReadonlyArray<readonly [string, (value: never) => unknown, ...accepted: ReadonlyArray<unknown>]> = [
  ["accessToken", (accessToken) => catalogWith({ accessToken }).user.me(), "te\0xt"],
  ["clientId", (clientId) => catalogWith({ clientId }).anime.get({ id: 1 }), "te\0xt"],
  ["fetch", (fetch) => createCatalog({ fetch })],
  ["dispatcher", (dispatcher) => createCatalog({ dispatcher })],
  ["telemetry", (telemetry) => catalogWith({ telemetry })],
  ["telemetry", (given) => telemetry(given), ...empty],
  ["tracer", (tracer) => telemetry({ tracer })],
  ["meter", (meter) => telemetry({ meter })],
  ["maxResponseBytes", (maxResponseBytes) => catalogWith({ maxResponseBytes })],
  ["signal", (signal) => catalogWith({ signal })],
  ["policies", (policies) => catalogWith({ policies })],
  ["policies", (policy) => catalogWith({ policies: [policy] })],
  ["profile", (profile) => catalogWith({ profile })],
  ["session", (session) => catalogWith({ session })],
  ["profile", (profile) => session({ profile })],
  ["store", (store) => session({ store })],
  ["clientSecret", (clientSecret) => session({ clientSecret })],
  ["store", (store) => sessions({ store })],
  [
    "store",
    (store) =>
      sessions({ store: () => store })
        .catalogOf("user")
        .user.me()
  ],
  ["client", (client) => sessions({ client }), ...empty],
  ["store", (store) => Resilience.rateLimit({ ...limit, store })],
  ["reply", (reply) => Operation.make({ ...studio, reply })],
  ["input", (id) => Operation.make({ ...studio, inputs: { id } })],
  ["nsfw", (nsfw) => catalogWith({ nsfw }), true],
  ["nsfw", (nsfw) => catalogWith({}).anime.search({ q: "one" }, { nsfw }), true],
  ["createCatalog", (given) => createCatalog(given), ...empty],
  ["createSessions", (given) => createSessions(given)],
  ["embedded service", (given) => EmbeddedCatalog.fetch(given), ...empty],
  ["embedded service", (given) => EmbeddedCatalog.toWebHandler(given), ...empty],
  ["embedded service", (given) => EmbeddedCatalog.credentials(given), ...empty],
  ["embedded service", (given) => EmbeddedCatalog.profile(given), ...empty],
  ["embedded service", (given) => serve(given), ...empty],
  ["dataset", (dataset) => EmbeddedCatalog.fetch({ dataset })],
  ["dataset", (dataset) => EmbeddedCatalog.credentials({ dataset })],
  ["oauth", (oauth) => EmbeddedCatalog.fetch({ oauth }), ...empty],
  ["clients", (clients) => EmbeddedCatalog.fetch({ oauth: { clients } }), ...empty],
  ["quirks", (quirks) => EmbeddedCatalog.fetch({ quirks }), ...empty],
  ["shortPages", (shortPages) => EmbeddedCatalog.fetch({ quirks: { shortPages } }), true],
  ["fault", (faults) => EmbeddedCatalog.fetch({ faults })],
  ["fault", (fault) => EmbeddedCatalog.fetch({ faults: [fault] }), ...empty],
  ["recorder", (given) => createRecorder(given)],
  ["store", (store) => createRecorder({ store })],
  ["mode", (mode) => createRecorder({ store: recording, mode })],
  ["redact", (redact) => createRecorder({ store: recording, redact })]
]

/** What also is no object of options; for others `null` is a value that is absent. */
const ofTests = /embedded|dataset|oauth|clients|quirks|shortPages|fault|recorder|mode|redact/

const isClass = (value: unknown): boolean => typeof value === "function"

const rows = options.map(([name, make, ...accepted]) => ({ name, make, accepted }))

test.each(rows)("a wrong option is a TypeError that names it: $name", async ({ accepted, make, name }) => {
  const absent = ofTests.test(name) ? [null] : []
  for (const wrong of [...absent, ...others].filter((value) => !accepted.includes(value) && !isClass(value))) {
    const error = await thrown(() => make(wrong as never))
    expect(error, show(wrong)).toBeInstanceOf(TypeError)
    const { message } = error as TypeError
    expect(message).toContain(name)
    expect(message).not.toMatch(/Cannot read|~effect|Layer/)
  }
})

test.each([null, {}, { accessToken: "token" }, { accessToken: Promise.resolve("token"), clientId: undefined }])(
  "an object that only looks like a session is none: credentials are %o",
  (credentials) => {
    const like = { session: { credentials, onSignOut: () => undefined } }
    expect(() => catalogWith(like)).toThrow(/^createCatalog: session must come from createSession/)
    expect(() => catalogWith({}).withOptions(like as never)).toThrow(
      /^withOptions: session must come from createSession/
    )
  }
)

/** Values of Effect, as a program for it has them. */
const ofEffect: Readonly<Record<string, unknown>> = {
  Effect: Effect.succeed("token"),
  Layer: Layer.empty,
  Schema: Schema.String,
  Redacted: EffectRedacted.make("token"),
  Option: Option.some("token"),
  Schedule: Schedule.forever,
  Stream: Stream.empty
}

test.each(Object.entries(ofEffect))("a value of Effect names @catalog-client/core: %s", async (kind, value) => {
  // A Schema is a function, and an Effect is a credential of this very version.
  const functions = ["fetch", "policies", "store", "clientId", "accessToken"]
  const skipped = kind === "Schema" ? functions : kind === "Effect" ? ["clientId", "accessToken"] : []
  for (const [name, make] of options.filter(([name]) => !skipped.includes(name))) {
    const error = await thrown(() => make(value as never))
    expect(error, name).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toContain(name)
    expect((error as TypeError).message).toContain("@catalog-client/core")
  }
})

test("no message has words of Effect", async () => {
  const denied = await thrown(() => catalogWith({}).user.me())
  const gone = await thrown(() => catalogWith({ fetch: async () => Response.json({}, { status: 401 }) }).user.me())
  const messages = [denied, gone].map(String)
  expect(messages.join()).toContain("pass one as accessToken, for example from CATALOG_ACCESS_TOKEN.")
  const recorded = { read: async () => JSON.stringify({ version: 99 }), write: async () => undefined }
  messages.push(String(await thrown(() => createRecorder({ store: recorded } as never))))
  for (const message of messages) {
    expect(message).not.toMatch(/Layer|Effect|Schedule|Duration|@catalog-client[/]/)
  }
})

test("a path and its inputs agree, or the compiler says what is missing", () => {
  const id = Operation.type<number>()
  const reply = Operation.type<{ readonly data: ReadonlyArray<{ readonly name: string }> }>()
  const made = Operation.make({ name: "studio.get", method: "GET", path: "/studio/{id}", inputs: { id } })
  expectTypeOf(catalogWith({}).call(made, { id: 1 })).toEqualTypeOf<Promise<void>>()
  // @ts-expect-error -- the path has {id}, which has no Schema in inputs
  expect(() => Operation.make({ name: "studio.get", method: "GET", path: "/studio/{id}" })).toThrow(TypeError)
  // @ts-expect-error -- the path has {id}
  expect(() => Operation.paged({ name: "a.b", method: "GET", path: "/a/{id}", limit: { maximum: 1 }, reply })).toThrow(
    TypeError
  )
  // A path that is only known at run time is checked there.
  const path: string = "/studio/{id}"
  expect(() => Operation.make({ name: "studio.get", method: "GET", path, inputs: { id } })).not.toThrow()
})

test.each(["tracer", "meter"])("a %s that is passed directly is a TypeError that names the import", (name) => {
  for (const make of [catalogWith, session, sessions]) {
    expect(() => make({ [name]: {} })).toThrow(/^create\w+: .*import \{ telemetry \} from "catalog-client\/telemetry"/)
  }
})

test("an unknown option is refused with the options of this package and of this function", async () => {
  const known = (error: unknown) => /has no option "\w+": it takes (.*)$/.exec(String(error))?.[1]?.split(", ") ?? []
  const ofCatalog = known(await thrown(() => catalogWith({ secret: "t" })))
  expect(ofCatalog).toEqual(expect.arrayContaining(["accessToken", "fetch", "dispatcher", "telemetry"]))
  expect(ofCatalog).not.toContain("transport")
  expect(known(await thrown(() => catalogWith({}).withOptions({ fetch } as object)))).not.toContain("fetch")
  const ofCall = known(await thrown(() => catalogWith({}).anime.get({ id: 1 }, { limit: 5 } as object)))
  expect(ofCall).toContain("timeout")
  expect(ofCall).not.toContain("prefetch")
  const both = { fetch, dispatcher: { dispatch: () => true } }
  expect(() => createCatalog(both as never)).toThrow(/a fetch or a dispatcher, not both/)
})
