/**
 * The faces of the client behind one function, over a transport that responds as a test says and records its requests.
 */
import { createCatalog, type CatalogOptions, type Catalog as PromiseCatalog } from "catalog-client"
import { telemetry } from "catalog-client/telemetry"
import * as Core from "@catalog-client/core"
import { Catalog, CatalogClient, CatalogConfig, CatalogHooks, CatalogPolicy, Credentials } from "@catalog-client/core"
import type { ClientNetworkError, Operation } from "@catalog-client/core"
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Cause, Clock, Effect, Exit, Layer, ManagedRuntime } from "effect"
import type { meter, recordingLogger, recordingTracer } from "./telemetry.js"
import { isBundle, onlyEffect } from "./only.js"

/** A request as the transport received it. */
export interface ReceivedRequest {
  /** On the clock of the fiber; of promises, on that of the process. */
  readonly at: number
  readonly method: string
  readonly url: URL
  /** Path and query, without the version. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The outcome of a call. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** Calls an operation by its name without `catalog.`, for example `anime.get`, or one that a test has declared. */
export type Call = (operation: string | Operation.Any, ...inputs: ReadonlyArray<unknown>) => Promise<Outcome>

type Respond = (request: ReceivedRequest) => Response | Promise<Response> | Effect.Effect<Response, unknown>

export const json = (value: unknown, init?: ResponseInit): Response => new Response(JSON.stringify(value), init)

/** A transport for either face, and what observes its calls. */
export interface Transport {
  /** For Effects. */
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** For promises: by default, what the platform itself sends with. */
  readonly fetch?: "global" | ((url: URL, init: RequestInit) => Promise<Response>)
  readonly logger?: Pick<ReturnType<typeof recordingLogger>, "layer" | "logger">
  readonly tracer?: Pick<ReturnType<typeof recordingTracer>, "layer" | "tracer">
  /** Of promises; the metrics of Effects are their own. */
  readonly meter?: typeof meter
}

/** A transport that responds with what `respond` returns; a rejection is a failure of the transport. */
export const recording = (respond: Respond) => {
  const requests: Array<ReceivedRequest> = []
  const receive = ({ url, ...request }: Omit<ReceivedRequest, "path">) => {
    const received = { ...request, url, path: url.pathname.replace("/v2", "") + url.search }
    requests.push(received)
    return respond(received)
  }
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.gen(function* () {
        const { headers, method } = request
        const at = yield* Clock.currentTimeMillis
        const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : undefined
        const responding = yield* Effect.try({
          try: () => receive({ at, method, url, headers: { ...headers }, body }),
          catch: (cause) => cause
        })
        const response = Effect.isEffect(responding)
          ? yield* responding
          : yield* Effect.tryPromise({ try: async () => responding, catch: (cause) => cause })
        return HttpClientResponse.fromWeb(request, response)
      }).pipe(Effect.mapError((cause) => new HttpClientError.RequestError({ request, reason: "Transport", cause })))
    )
  )
  const fetch = async (url: URL, { body, headers, method = "GET" }: RequestInit): Promise<Response> => {
    const responding = receive({
      at: Date.now(),
      method,
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === "string" ? body : undefined
    })
    if (Effect.isEffect(responding)) {
      throw new TypeError("only Effects wait for an Effect")
    }
    return responding
  }
  return { requests, fetch, layer }
}

/** A transport, for calls without credentials. */
export const anonymous = <E, R>(transport: Layer.Layer<HttpClient.HttpClient, E, R>) =>
  Layer.merge(transport, Credentials.layerNone)

/** A catalog of promises over such a transport, and the requests that it has sent. */
export const catalogOver = (respond: Respond, options: Omit<CatalogOptions, "fields"> = {}) => {
  const { requests, ...transport } = recording(respond)
  return { requests, catalog: promiseCatalog(transport, options) }
}

type Callable = (...inputs: ReadonlyArray<unknown>) => unknown

/** An operation, or what stands beside it, by its name without `catalog.`. */
export const find = (catalog: unknown, name: string): Callable =>
  name.split(".").reduce((found, key) => (found as Record<string, unknown>)[key], catalog) as Callable

/** An operation of a client or a promise catalog. */
const findOn = (catalog: unknown, operation: string | Operation.Any): Callable =>
  typeof operation === "string" ? find(catalog, operation) : (...inputs) => find(catalog, "call")(operation, ...inputs)

/** A face over a transport, which is built once and closed with it. */
export interface OpenFace extends AsyncDisposable {
  readonly call: Call
}

type Open = (transport: Transport, options: Omit<CatalogOptions, "fields">) => OpenFace

/** The Layers that say what options of `createCatalog` say. */
export const layersOf = (options: Omit<CatalogOptions, "fields">) => {
  const { accessToken, clientId, policies = [], hooks = {}, fields: _, ...others } = options as CatalogOptions
  return Layer.mergeAll(
    Credentials.layer({ accessToken, clientId }),
    CatalogPolicy.layer(...policies),
    CatalogHooks.layer(hooks),
    CatalogConfig.layer(others)
  )
}

/** Runs the Effect of a call. */
const outcomeOf = async <R, E>(
  runtime: ManagedRuntime.ManagedRuntime<R, E>,
  call: Effect.Effect<unknown, unknown, R>
): Promise<Outcome> => {
  const exit = await runtime.runPromiseExit(call)
  return Exit.isSuccess(exit) ? { ok: true, value: exit.value } : { ok: false, error: Cause.squash(exit.cause) }
}

/** Runs Effects over a transport that responds as a test says, and the requests that they have sent. */
export const runningOver = (respond: Respond, options: Omit<CatalogOptions, "fields"> = {}) => {
  const { requests, layer } = recording(respond)
  const runtime = ManagedRuntime.make(Layer.merge(layer, layersOf(options)))
  const run = async <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient | Credentials>): Promise<A> => {
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isFailure(exit)) {
      throw Cause.squash(exit.cause)
    }
    return exit.value
  }
  return { requests, run }
}

/** Calls operations of `Catalog` in a runtime. */
export const effectCall =
  <R, E>(runtime: ManagedRuntime.ManagedRuntime<R, E>): Call =>
  async (operation, ...inputs) => {
    const call = typeof operation === "string" ? find(Catalog, operation) : (operation as unknown as Callable)
    // Outside the Effect, since an operation must not throw.
    return outcomeOf(runtime, call(...inputs) as Effect.Effect<unknown, unknown, R>)
  }

/** Calls operations of a catalog of promises. */
export const promiseCall =
  (catalog: PromiseCatalog): Call =>
  async (operation, ...inputs) => {
    try {
      return { ok: true, value: await findOn(catalog, operation)(...inputs.map(withPromisePolicies)) }
    } catch (error) {
      return { ok: false, error }
    }
  }

/** The Layer of a transport. */
const layerOf = ({ layer, logger, tracer }: Transport) =>
  Layer.provideMerge(layer, Layer.merge(logger?.layer ?? Layer.empty, tracer?.layer ?? Layer.empty))

const openEffect: Open = (transport, options) => {
  const runtime = ManagedRuntime.make(Layer.merge(layerOf(transport), layersOf(options)))
  return {
    call: effectCall(runtime),
    [Symbol.asyncDispose]: () => runtime.dispose()
  }
}

const openClient: Open = (transport, options) => {
  const runtime = ManagedRuntime.make(
    CatalogClient.layer().pipe(Layer.provide([layersOf(options), layerOf(transport)]))
  )
  return {
    call: async (operation, ...inputs) =>
      outcomeOf(
        runtime,
        Effect.flatMap(
          CatalogClient,
          (client) => findOn(client, operation)(...inputs) as Effect.Effect<unknown, unknown>
        )
      ),
    [Symbol.asyncDispose]: () => runtime.dispose()
  }
}

/** What a catalog of promises sends with. */
const sendingOver = ({ fetch, meter, tracer }: Transport) => ({
  fetch,
  telemetry: (meter ?? tracer) && telemetry({ meter, tracer: tracer?.tracer })
})

/** A policy of `catalog-client`. */
type PromisePolicy = (call: CatalogPolicy.Call, next: () => Promise<unknown>) => Promise<unknown>

const promisePolicies = new WeakMap<object, PromisePolicy>()

/** One policy for both faces. */
export const policyOf = (
  effects: CatalogPolicy.Policy,
  promises: PromisePolicy,
  stage?: CatalogPolicy.Policy["stage"]
): CatalogPolicy.Policy => {
  promisePolicies.set(effects, Object.assign(promises, stage && { stage }))
  return Object.assign(effects, stage && { stage })
}

/** A policy for both faces that sees each call, which fails with the error that is returned. */
export const policyThat = (
  see: (call: CatalogPolicy.Call) => ClientNetworkError | undefined,
  stage?: CatalogPolicy.Policy["stage"]
): CatalogPolicy.Policy =>
  policyOf(
    (call, attempt) =>
      Effect.suspend(() => {
        const error = see(call)
        return error === undefined ? attempt : Effect.fail(error)
      }),
    async (call, next) => {
      const error = see(call)
      if (error !== undefined) {
        throw error
      }
      return next()
    },
    stage
  )

/** The policy that an Effect makes. The bundle's makers return policies. */
export const made = <P extends CatalogPolicy.Policy>(policy: Effect.Effect<P>): P =>
  isBundle ? (policy as unknown as P) : Effect.runSync(policy)

/** A rate limit over a store. */
export const limitOver = (
  store: Core.Resilience.RateLimitStore.Service,
  options: Core.Resilience.SharedRateLimitOptions
): CatalogPolicy.Policy =>
  made(Effect.provideService(Core.Resilience.sharedRateLimit(options), Core.Resilience.RateLimitStore, store))

/** A rate limit over a store that fails, of core or of the bundle. */
export const limitThatFails = (error: Error, options: Core.Resilience.SharedRateLimitOptions): CatalogPolicy.Policy => {
  if (isBundle) {
    const store = {
      take: () => {
        throw error
      },
      hold: () => undefined
    }
    return Core.Resilience.rateLimit({ ...options, store } as never) as unknown as CatalogPolicy.Policy
  }
  const failed = new Core.Resilience.RateLimitStoreError({ cause: error })
  return limitOver({ take: () => Effect.fail(failed), hold: () => Effect.void }, options)
}

/** Options with policies as a catalog of promises takes them. */
const withPromisePolicies = <A>(options: A): A => {
  const { policies } = (options ?? {}) as { readonly policies?: ReadonlyArray<object> }
  return Array.isArray(policies)
    ? { ...options, policies: policies.map((policy) => promisePolicies.get(policy) ?? policy) }
    : options
}

/** A catalog of promises over a transport. */
export const promiseCatalog = (transport: Transport, options: Omit<CatalogOptions, "fields"> = {}): PromiseCatalog =>
  createCatalog({ ...sendingOver(transport), logger: transport.logger?.logger, ...withPromisePolicies(options) })

const openPromise: Open = (transport, options) => {
  const catalog = promiseCatalog(transport, options)
  return {
    call: promiseCall(catalog),
    [Symbol.asyncDispose]: () => catalog.close()
  }
}

/** How either face is opened. */
export const openFaces = { Effect: openEffect, promise: openPromise }

/** Opens the face for each call. */
const once =
  (open: Open) =>
  (...on: Parameters<Open>): Call =>
  async (...inputs) => {
    await using opened = open(...on)
    return await opened.call(...inputs)
  }

/** Both faces by name. */
export const faces = [...onlyEffect([["Effect", once(openEffect)]] as const), ["promise", once(openPromise)]] as const

/** And a client as a value. */
export const allFaces = [...faces, ...onlyEffect([["client", once(openClient)]] as const)] as const

/** The error of a call; throws if it succeeded. */
export const failure = (outcome: Outcome): unknown => {
  if (outcome.ok) {
    throw new Error(`a failure was expected, not ${JSON.stringify(outcome.value)}`)
  }
  return outcome.error
}

/** The value of a call; throws if it failed. */
export const value = (outcome: Outcome): unknown => {
  if (!outcome.ok) {
    throw outcome.error
  }
  return outcome.value
}

/** Reads a list to its end. */
export const all = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const read: Array<A> = []
  for await (const one of list) {
    read.push(one)
  }
  return read
}

/** A promise that the test ends. */
export const gate = () => {
  let open: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}
