/**
 * What the tests of the packages pass, in the form that `catalog-client` takes: a `fetch` for a Layer, an async function for a
 * policy that is an Effect, a Standard Schema for a Schema of Effect.
 */
/* oxlint-disable no-restricted-imports -- it is for tests over Effect 3 alone */
import * as core from "@catalog-client/core"
import type { TokenStoreService } from "@catalog-client/oauth"
import * as node from "@catalog-client/node"
import { Operation, Resilience } from "catalog-client"
import { TokenStore } from "catalog-client/oauth"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import {
  Cause,
  Context,
  Effect,
  Either,
  Exit,
  FiberRef,
  Layer,
  ManagedRuntime,
  Metric,
  MetricBoundaries,
  MetricLabel,
  Option,
  ParseResult,
  Schema,
  Stream,
  type Tracer
} from "effect"
import { observersOf } from "./effect.js"

type Options = Readonly<Record<string, unknown>>
type Callable = (...inputs: ReadonlyArray<unknown>) => unknown

/** The value of an Effect, or what a program of promises would have thrown in its place. */
const run = async <A>(effect: Effect.Effect<A, unknown>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) {
    return exit.value
  }
  throw Cause.squash(exit.cause)
}

/** A `fetch` that sends over a Layer, which the last catalog that uses it releases. */
const fetchOver = (layer: Layer.Layer<HttpClient.HttpClient, unknown>) => {
  let runtime = ManagedRuntime.make(layer)
  let uses = 0
  const fetch = async (url: URL, { body, headers, method = "GET", signal }: RequestInit): Promise<Response> => {
    const request = HttpClientRequest.make(method as "GET")(url, {
      headers: headers as Record<string, string>,
      ...(typeof body === "string" && {
        body: HttpClientRequest.bodyText(
          HttpClientRequest.get(url),
          body,
          new Headers(headers).get("content-type") ?? ""
        ).body
      })
    })
    const exit = await runtime.runPromiseExit(
      // The spans are those of the catalog.
      Effect.withTracerEnabled(
        Effect.flatMap(HttpClient.HttpClient, (client) => client.execute(request)),
        false
      ),
      signal ? { signal } : {}
    )
    if (Exit.isFailure(exit)) {
      const error = Cause.squash(exit.cause)
      throw error instanceof Error && "_tag" in error && error._tag === "RequestError" ? (error.cause ?? error) : error
    }
    const { value: response } = exit
    const isEmpty = [101, 204, 205, 304].includes(response.status) || response.headers["content-length"] === "0"
    const stream = Stream.toReadableStream(
      Stream.catchAll(response.stream, (error) =>
        // Effect says so of a body that is empty.
        error.reason === "EmptyBody" ? Stream.empty : Stream.fail((error.cause ?? error) as Error)
      )
    )
    const answer = new Response(isEmpty ? null : stream, {
      status: response.status < 200 ? 200 : response.status,
      headers: { ...response.headers }
    })
    // `Response` refuses others, like the 0 of a redirect that a browser hides.
    Object.defineProperty(answer, "status", { value: response.status })
    return answer
  }
  const use = () => {
    runtime = uses++ === 0 ? ManagedRuntime.make(layer) : runtime
  }
  const release = async (): Promise<void> => {
    if (--uses === 0) {
      await runtime.dispose()
    }
  }
  return { fetch, use, release }
}

const ofLayers = new WeakMap<object, ReturnType<typeof fetchOver>>()

/** One `fetch` for a Layer: catalogs over the same one can share replies. */
const sharedFetch = (layer: Layer.Layer<HttpClient.HttpClient, unknown>): ReturnType<typeof fetchOver> => {
  const shared = ofLayers.get(layer) ?? fetchOver(layer)
  ofLayers.set(layer, shared)
  return shared
}

/** Policies of `catalog-client`. */
const own = new WeakSet<object>()

interface Store {
  readonly take: Callable
  readonly hold: Callable
}

const isStore = (store: unknown): store is Store =>
  typeof (store as Partial<Store> | null | undefined)?.take === "function"

const stores = new WeakMap<Store, Store>()

/** A store of Effects as one of promises: policies over the same one share its line. */
const storeOf = (store: Store): Store => {
  const adapted = stores.get(store) ?? promisesOf(store)
  stores.set(store, adapted)
  return adapted
}

const promisesOf = ({ hold, take }: Store): Store => {
  const settled =
    (act: Callable): Callable =>
    (...inputs) => {
      const result = act(...inputs)
      return Effect.isEffect(result) ? run(result as Effect.Effect<unknown, unknown>) : result
    }
  return { take: settled(take), hold: settled(hold) }
}

/** The policies of the package, which a test can tell from its own. */
export const policies: typeof core.Resilience = {
  ...core.Resilience,
  ...Object.fromEntries(
    Object.entries(Resilience).map(([name, make]) => [
      name,
      (options?: { readonly store?: unknown }) => {
        const policy = (make as Callable)(
          !isStore(options?.store) ? options : { ...options, store: storeOf(options.store) }
        )
        if (typeof policy === "function") {
          own.add(policy)
        }
        return policy
      }
    ])
  )
}

const policyOf = (policy: unknown): unknown => {
  if (typeof policy !== "function" || own.has(policy)) {
    return policy
  }
  const { stage } = policy as { readonly stage?: string }
  const adapted = (call: object, next: () => Promise<unknown>) => {
    const effect: unknown = (policy as Callable)(call, Effect.tryPromise({ try: next, catch: (error) => error }))
    return Effect.isEffect(effect) ? run(effect as Effect.Effect<unknown, unknown>) : effect
  }
  return stage === undefined ? adapted : Object.assign(adapted, { stage })
}

/** The options of a catalog, a view, a call or a session. */
const optionsOf = (options: unknown): unknown => {
  if (typeof options !== "object" || options === null) {
    return options
  }
  const { policies } = options as Options
  return { ...options, ...(Array.isArray(policies) && { policies: policies.map(policyOf) }) }
}

const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

interface Outer {
  readonly getValue: (key: symbol) => { readonly span?: Tracer.AnySpan } | undefined
}

/** A tracer of Effect as one of OpenTelemetry. */
const tracerOf = (tracer: Tracer.Tracer) => ({
  startSpan: (name: string, _: unknown, outer: Outer) => {
    const parent = Option.fromNullable(outer.getValue(spanKey)?.span)
    const span = tracer.span(name, parent, Context.empty(), [], 0n, "client")
    let exit: Exit.Exit<unknown, unknown> = Exit.void
    return {
      span,
      spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => span.attribute(key, value),
      addEvent: (event: string, attributes?: Options) => span.event(event, 0n, attributes),
      setStatus: () => {
        exit = Exit.fail(new Error("the span failed"))
      },
      end: () => span.end(1n, exit)
    }
  }
})

const labelsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([key, value]) => MetricLabel.make(key, value))

/** The metrics of Effect as a meter of OpenTelemetry. */
export const meter = {
  createCounter: (name: string) => ({
    add: (value: number, labels: Record<string, string>) =>
      Effect.runSync(Metric.incrementBy(Metric.taggedWithLabels(Metric.counter(name), labelsOf(labels)), value))
  }),
  createHistogram: (name: string) => ({
    record: (value: number, labels: Record<string, string>) =>
      Effect.runSync(
        Metric.update(
          Metric.taggedWithLabels(Metric.histogram(name, MetricBoundaries.fromIterable([1])), labelsOf(labels)),
          value
        )
      )
  })
}

const loggers = FiberRef.get(FiberRef.currentLoggers)

/** A tracer and a logger as a Layer has set them. */
const observed = (observers: Layer.Layer<never>) => {
  const { runSync } = ManagedRuntime.make(observers)
  const print = (log: (line: string) => Effect.Effect<void>) => (line: string) => runSync(log(line))
  return {
    tracer: tracerOf(runSync(Effect.tracer)),
    ...(runSync(loggers) !== Effect.runSync(loggers) && {
      logger: {
        debug: print(Effect.logDebug),
        info: print(Effect.logInfo),
        warn: print(Effect.logWarning),
        error: print(Effect.logError)
      }
    })
  }
}

/** Makes something over the transport of the options, and ends the transport with it. */
export const over = <A extends { readonly close: () => Promise<void> }>(
  make: (options: never) => A,
  options: unknown
): A => {
  const { transport: given, ...others } = (optionsOf(options) ?? {}) as Options
  const { observers, transport } = observersOf(given)
  const all = { ...(observers && observed(observers)), ...others }
  if (transport === FetchHttpClient.layer) {
    return make({ ...all, fetch: globalThis.fetch } as never)
  }
  if (!Layer.isLayer(transport) || transport === node.layer) {
    return make((transport === node.layer || transport === undefined ? all : { ...all, transport }) as never)
  }
  const { fetch, release, use } = sharedFetch(transport as Layer.Layer<HttpClient.HttpClient>)
  const made = make({ ...all, fetch } as never)
  use()
  const { close } = made
  let closed: Promise<void> | undefined
  const closing = () => (closed ??= close.call(made).then(release))
  return Object.defineProperties(made, { close: { value: closing }, [Symbol.asyncDispose]: { value: closing } })
}

const standard = (validate: (value: unknown) => Either.Either<unknown, ParseResult.ParseError>) => ({
  "~standard": {
    version: 1,
    vendor: "effect",
    validate: (value: unknown) =>
      Either.match(validate(value), {
        onLeft: (error) => ({ issues: ParseResult.ArrayFormatter.formatErrorSync(error) }),
        onRight: (value) => ({ value })
      })
  }
})

/** Encodes one member, which can be optional. */
const encoderOf = (schema: unknown) => {
  const one = Schema.encodeUnknownEither(Schema.Struct({ value: schema as Schema.Schema<unknown> }))
  return (value: unknown) =>
    Either.map(one(value === undefined ? {} : { value }), (encoded) => (encoded as { readonly value?: unknown }).value)
}

const inputsOf = (fields: unknown): unknown =>
  typeof fields === "object" && fields !== null
    ? Object.fromEntries(
        Object.entries(fields).map(([name, schema]) => [
          name,
          Schema.isSchema(schema) || Schema.isPropertySignature(schema) ? standard(encoderOf(schema)) : schema
        ])
      )
    : fields

const declarationOf = (declaration: unknown): unknown => {
  if (typeof declaration !== "object" || declaration === null) {
    return declaration
  }
  const given: Options = { ...declaration }
  return {
    ...given,
    ...("inputs" in given && { inputs: inputsOf(given["inputs"]) }),
    ...(Schema.isSchema(given["reply"]) && {
      reply: standard(Schema.decodeUnknownEither(given["reply"] as Schema.Schema<unknown>))
    })
  }
}

export const operations: typeof core.Operation = {
  ...core.Operation,
  make: ((declaration: unknown) => (Operation.make as Callable)(declarationOf(declaration))) as never,
  paged: ((declaration: unknown) => (Operation.paged as Callable)(declarationOf(declaration))) as never
}

/** A store of Effects as functions that store a string. */
export const textStoreOf = (store: unknown): unknown => {
  const { get, update } = (store ?? {}) as TokenStoreService
  if (!Effect.isEffect(get)) {
    return store
  }
  const textOf = (stored: Option.Option<unknown>) =>
    Option.getOrUndefined(Option.map(stored, (tokens) => TokenStore.encode(tokens as never)))
  return {
    get: async () => textOf(await run(get)),
    update: (step: (text: string | undefined) => Promise<string | undefined>) =>
      run(
        update((stored) =>
          Effect.promise(async () => {
            const text = textOf(stored)
            const next = await step(text)
            return next === text ? stored : Option.map(Option.fromNullable(next), TokenStore.decode as never)
          })
        )
      )
  }
}
