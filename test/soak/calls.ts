/**
 * The client of the soak, in a process of its own: calls of every kind on both faces, which end in every way that a program
 * can end them, and what is left of them. `run.mjs` starts it; they talk through the channel between them.
 */
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { layer } from "@catalog-client/node"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import * as Promises from "catalog-client"
import { Cause, Context, Effect, Exit, identity, Layer, ManagedRuntime, Stream } from "effect"
import { getEventListeners } from "node:events"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { find } from "../../packages/core/test/support/faces.js"
import * as Fibers from "../../packages/core/test/support/fibers.js"
import { examples, takesParams } from "../../packages/core/test/support/operations.js"
import { countTimers } from "../../packages/core/test/support/timers.js"
import { smuggledId } from "./behaviours.js"
import { Random } from "./random.js"

/** What the process is told. */
interface Job {
  readonly calls: number
  readonly seed: number
  /** Milliseconds after which no further round begins. */
  readonly time: number
  readonly baseUrl: string
  readonly faultUrls: ReadonlyArray<string>
}

/** A catalog of promises, or a runtime of Effects. */
interface Session {
  /** How it was made. */
  readonly about: string
  readonly run: (action: Action) => Promise<string>
  readonly close: () => Promise<void>
}

interface Action {
  readonly operation: string
  readonly params: Readonly<Record<string, unknown>> | undefined
  readonly options: Readonly<Record<string, unknown>>
  readonly kind: "one" | "pages" | "items" | "collect"
  readonly ending: "none" | "signal" | "interrupt" | "leave" | "throw" | "return"
  /** Milliseconds until it is ended, or entries. */
  readonly after: number
}

const concurrency = 32
const callsOfRound = 2500
/** Milliseconds within which each call has ended, however busy the machine is. */
const latest = 60_000
/** Megabytes that may be held more at the end than after the first rounds. */
const most = 16

const timers = countTimers()
const delays = monitorEventLoopDelay()
delays.enable()
const wrong: Array<string> = []
const outcomes: Record<string, number> = {}
const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1)
const report = (what: string) => {
  if (wrong.length < 20) {
    wrong.push(what)
  }
}
const shown = (what: unknown) =>
  what instanceof Error ? String(what.stack).split("\n").slice(0, 6).join("\n") : String(what)

for (const event of ["unhandledRejection", "uncaughtException", "warning"]) {
  process.on(event, (what: unknown) => report(`${event}: ${shown(what)}`))
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
const describe = ({ kind, operation, ending, after, options }: Action) =>
  `${operation} (${kind}, ${ending} after ${after}, ${JSON.stringify({ ...options, signal: undefined })})`

const left = new Error("the loop is left")

/** What a value must be like. */
const judge = ({ params, kind, operation }: Action, value: unknown): string => {
  const { id } = (value ?? {}) as { readonly id?: unknown }
  const isItem = kind === "one" && (operation === "anime.get" || operation === "manga.get")
  // The bodies of `wireFaults.ts` have 1.
  if (isItem && id !== 1 && id !== params?.["id"]) {
    throw new Error(`the reply of another call: ${JSON.stringify(value)}`)
  }
  if (id === smuggledId) {
    throw new Error("a response that belongs to no call")
  }
  return "value"
}

const judgeError = (error: unknown): string => {
  if (isClientError(error)) {
    return `${error._tag}${"reason" in error ? ` ${error.reason}` : ""}`
  }
  throw error
}

const inputsOf = ({ params, options }: Action) => (params === undefined ? [options] : [params, options])

const memberOf = ({ operation, kind }: Action) => (kind === "one" ? operation : `${operation}.${kind}`)

const promiseSession = ({ policies, transport, ...options }: Options): Omit<Session, "about"> => {
  const catalog = Promises.createCatalog({
    ...options,
    ...(transport === "fetch" && { fetch: "global" }),
    policies: made<Promises.Policy>(Promises.Resilience, policies)
  })
  const loop = async (action: Action, entries: AsyncIterable<unknown>) => {
    if (action.ending === "return") {
      const iterator = entries[Symbol.asyncIterator]()
      const asked = iterator.next().then(() => "value", judgeError)
      await sleep(action.after)
      await iterator.return?.()
      return asked
    }
    let seen = 0
    for await (const _ of entries) {
      if (++seen > action.after % 8 && action.ending === "leave") {
        break
      }
      if (seen > action.after % 8 && action.ending === "throw") {
        throw left
      }
    }
    return "value"
  }
  return {
    run: async (action) => {
      try {
        const came = find(catalog, memberOf(action))(...inputsOf(action))
        return action.kind === "pages" || action.kind === "items"
          ? await loop(action, came as AsyncIterable<unknown>)
          : judge(action, await came)
      } catch (error) {
        return error === left ? "left" : judgeError(error)
      }
    },
    close: () => catalog.close()
  }
}

const effectSession = ({ accessToken, clientId, policies, transport, ...options }: Options): Omit<Session, "about"> => {
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      transports[transport],
      Credentials.layer({ accessToken, clientId }),
      CatalogConfig.layer(options),
      CatalogPolicy.layer(...made<CatalogPolicy.Policy | Effect.Effect<CatalogPolicy.Policy>>(Resilience, policies))
    )
  )
  let isClosed = false
  const effectOf = (action: Action): Effect.Effect<unknown, unknown, HttpClient.HttpClient | Credentials> => {
    const came = find(Catalog, memberOf(action))(...inputsOf(action))
    if (action.kind === "one" || action.kind === "collect") {
      return came as Effect.Effect<unknown, unknown, HttpClient.HttpClient | Credentials>
    }
    const stream = came as Stream.Stream<unknown, unknown, HttpClient.HttpClient | Credentials>
    return Stream.runDrain(action.ending === "leave" ? Stream.take(stream, action.after % 8) : stream)
  }
  return {
    run: async (action) => {
      const ended = action.ending === "interrupt" ? sleep(action.after) : undefined
      const effect = Effect.suspend(() => effectOf(action))
      const fiber = runtime.runFork(action.ending === "return" ? Effect.timeoutOption(effect, action.after) : effect)
      await ended?.then(() => Effect.runPromise(Fibers.interrupt(fiber)))
      const exit = await Effect.runPromise(Fibers.exitOf(fiber))
      if (Exit.isSuccess(exit)) {
        return action.ending === "return" ? "value" : judge(action, exit.value)
      }
      if (Cause.isInterruptedOnly(exit.cause) && (ended !== undefined || isClosed)) {
        return "interrupted"
      }
      return judgeError(Cause.squash(exit.cause))
    },
    close: () => {
      isClosed = true
      return runtime.dispose()
    }
  }
}

/** What both faces take, with the names of transports and policies. */
interface Options {
  readonly transport: keyof typeof transports
  readonly policies: ReadonlyArray<PolicyName>
  readonly baseUrl: string
  readonly accessToken?: string
  readonly clientId: string
  readonly maxResponseBytes: number
  readonly signal: AbortSignal
}

const derived = Layer.map(layer, (context) =>
  Context.make(HttpClient.HttpClient, HttpClient.mapRequest(Context.get(context, HttpClient.HttpClient), identity))
)

/** The connections of `fetch` are the platform's, and stay for a while. Promises have no derived one. */
const transports = { "CatalogNode.layer": layer, derived, fetch: FetchHttpClient.layer }

/** The options of each policy. */
const policyOptions = {
  cache: { capacity: 20, timeToLive: 50 },
  dedupe: {},
  retry: { attempts: 3, baseDelay: 5, maxDelay: 20, timeouts: true, writes: true },
  breaker: { failures: 5, cooldown: 20 },
  rateLimit: { limit: 50, interval: 10, hold: 10, maxHold: 20 }
}

type PolicyName = keyof typeof policyOptions

/** Policies of a package. */
const made = <Made>(
  from: { readonly [Name in PolicyName]: (options: (typeof policyOptions)[Name]) => Made },
  names: ReadonlyArray<PolicyName>
): ReadonlyArray<Made> => names.map((name) => from[name](policyOptions[name] as never))

const policiesOf = (random: Random): ReadonlyArray<PolicyName> => {
  const names = Object.keys(policyOptions) as Array<PolicyName>
  return random.oneIn(2) ? [] : names.filter(() => random.oneIn(3))
}

const actionOf = (random: Random): Action => {
  const example = random.of(examples)
  const { name, inputs } = example
  const hasParams = takesParams(example)
  const kind = "pages" in find(Catalog, name) ? random.of(kinds) : "one"
  const ending = random.of(kind === "one" || kind === "collect" ? endings.call : endings.loop)
  const after = random.between(0, 60)
  const [first, second] = inputs
  const params: Record<string, unknown> | undefined = hasParams ? { ...first } : undefined
  if (params !== undefined && "id" in params) {
    params["id"] = random.between(2, 100_000)
  }
  if (params !== undefined && "q" in params && random.oneIn(50)) {
    params["q"] = " "
  }
  const options: Record<string, unknown> = { ...(hasParams ? second : first) }
  // A call without a time limit is one that is ended by something else.
  const isEnded = ending === "signal" || ending === "interrupt"
  options["timeout"] = isEnded && random.oneIn(4) ? 0 : random.oneIn(3) ? random.between(20, 250) : 1000
  if (random.oneIn(4)) {
    options["totalTimeout"] = random.between(1, 300)
  }
  if (random.oneIn(8)) {
    options["maxResponseBytes"] = random.between(1, 2000)
  }
  if (kind === "collect") {
    options["max"] = random.between(1, 500)
  }
  if ((kind === "pages" || kind === "items") && random.oneIn(3)) {
    options["prefetch"] = random.between(1, 3)
  }
  return { operation: name, params, options, kind, ending, after }
}
const kinds = ["one", "pages", "items", "collect"] as const
const endings = {
  call: ["none", "none", "signal", "interrupt"],
  loop: ["none", "signal", "leave", "throw", "return"]
} as const

/** What is asked of the other process, and its response. */
const ask = <A>(question: object): Promise<A> =>
  new Promise((resolve) => {
    process.once("message", resolve)
    process.send?.(question)
  })

const eventually = async (what: string, millis: number, look: () => unknown): Promise<void> => {
  const end = Date.now() + millis
  for (;;) {
    const left = await look()
    if (Array.isArray(left) ? left.length === 0 : left === 0) {
      return
    }
    if (Date.now() > end) {
      return report(`${what}: ${String(left)}`)
    }
    await sleep(25)
  }
}

const held = async () => {
  await sleep(200)
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

const handles = () =>
  process.getActiveResourcesInfo().filter((kind) => !/^(PipeWrap|TTYWrap|Timeout|Immediate)$/.test(kind))

/** Some calls over one transport: sessions that come and go, and nothing of them is left. */
const round = async (job: Job, nth: number, first: number, calls: number) => {
  const names = Object.keys(transports) as Array<keyof typeof transports>
  const name = names[nth % 8 < 5 ? 0 : nth % 8 < 7 ? 1 : 2] ?? "fetch"
  const random = new Random(job.seed + nth)
  const controller = new AbortController()
  const closing = new Set<Promise<void>>()
  const open = (slot: number): Session => {
    const policies = policiesOf(random)
    const options: Options = {
      transport: name,
      baseUrl: random.oneIn(5) ? random.of(job.faultUrls) : job.baseUrl,
      ...(!random.oneIn(10) && { accessToken: `token-${random.between(1, 3)}-of-the-soak` }),
      clientId: "client-of-the-soak",
      policies,
      maxResponseBytes: 2 ** 18,
      signal: controller.signal
    }
    const [face, make] = slot % 2 === 0 ? (["promise", promiseSession] as const) : (["Effect", effectSession] as const)
    return { about: [face, name, ...policies].join(", "), ...make(options) }
  }
  const slots = Array.from({ length: 16 }, (_, slot) => open(slot))
  const running = new Map<number, readonly [since: number, about: string]>()
  const watch = setInterval(() => {
    for (const [index, [since, about]] of running) {
      if (performance.now() - since > latest) {
        report(`call ${index} has not ended after ${latest} ms: ${about}`)
        finish(index, [])
        process.exit(1)
      }
    }
  }, 1000)

  const call = async (index: number) => {
    const random = new Random(job.seed ^ Math.imul(index + 1, 0x9e3779b1))
    const drawn = actionOf(random)
    const slot = random.between(0, slots.length - 1)
    const session = slots[slot]
    if (session === undefined) {
      return
    }
    // A promise has no other interruption.
    const isPromise = session.about.startsWith("promise")
    const action: Action = isPromise && drawn.ending === "interrupt" ? { ...drawn, ending: "signal" } : drawn
    if (random.oneIn(250)) {
      // Other calls are under way on it, and it is closed under them.
      slots[slot] = open(slot)
      const closed = sleep(action.after).then(() => session.close())
      closing.add(closed)
      void closed.then(() => closing.delete(closed))
    }
    const about = `${describe(action)} [${session.about}]`
    running.set(index, [performance.now(), about])
    try {
      if (action.ending !== "signal") {
        count(await session.run(action))
      } else {
        const ending = new AbortController()
        if (action.after === 0) {
          ending.abort()
        }
        const timer = setTimeout(() => ending.abort(new Error("enough")), action.after)
        count(await session.run({ ...action, options: { ...action.options, signal: ending.signal } }))
        clearTimeout(timer)
        const listeners = getEventListeners(ending.signal, "abort").length
        if (listeners > 0) {
          report(`call ${index} leaves ${listeners} listeners on its signal: ${about}`)
        }
      }
    } catch (error) {
      report(`call ${index}, ${about}: ${shown(error)}`)
    }
    running.delete(index)
  }

  const indexes = Array.from({ length: calls }, (_, index) => first + index).values()
  const work = async () => {
    for (const index of indexes) {
      await call(index)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  clearInterval(watch)
  await Promise.all(closing)

  const where = `after round ${nth} (${name})`
  // Before anything is closed: a call that has ended leaves nothing that reads on or waits. What is idle holds no process.
  await eventually(`handles of calls that have ended ${where}`, 5000, handles)
  await eventually(`timers of calls that have ended ${where}`, 5000, timers)
  await Promise.all(slots.map((session) => session.close()))
  const listeners = getEventListeners(controller.signal, "abort").length
  if (listeners > 0) {
    report(`${listeners} listeners on a signal of all calls ${where}`)
  }
  if (name !== "fetch") {
    await nothingIsLeft(where, 5000)
  }
}

const nothingIsLeft = async (where: string, millis: number) => {
  await eventually(`fibers ${where}`, millis, Fibers.running)
  await eventually(`timers ${where}`, millis, timers)
  await eventually(`handles ${where}`, millis, handles)
  await eventually(`connections that the server still has ${where}`, millis, () => ask<number>({ kind: "open?" }))
}

const finish = (calls: number, heap: ReadonlyArray<number>) =>
  process.send?.({ kind: "summary", calls, outcomes, wrong, heap, longestBlock: delays.max / 1e6 })

const main = async (job: Job) => {
  const heap: Array<number> = []
  const began = performance.now()
  let calls = 0
  for (let nth = 0; calls < job.calls && performance.now() - began < job.time && wrong.length === 0; nth++) {
    const more = Math.min(callsOfRound, job.calls - calls)
    await round(job, nth, calls, more)
    calls += more
    heap.push(await held())
    process.send?.({ kind: "progress", calls, heap: heap.at(-1) })
  }
  await nothingIsLeft("at the end", 15_000)
  const [, second = 0] = heap
  const last = await held()
  if (heap.length > 2 && last - second > most) {
    report(`the heap grew by ${(last - second).toFixed(1)} MB: ${heap.map((each) => each.toFixed(1)).join(", ")}`)
  }
  finish(calls, [...heap, last])
  // From here on nothing holds the process.
  process.disconnect()
}

process.once("message", (job: Job) => void main(job))
