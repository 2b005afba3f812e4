/**
 * The transport on Node: undici's dispatcher for operations, and its `fetch` for other requests.
 */
import { Transport } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { type Agent, type Dispatcher, fetch, FormData, type RequestInit as UndiciInit } from "undici"
import { defaultHeaders, type Dispatched, makeAgent, sendOver, Wait } from "./dispatch.js"

const connections = Effect.acquireRelease(Effect.sync(makeAgent), (agent) => Effect.promise(() => agent.destroy()))

/** undici accepts only its own form data class, and Node's belongs to another copy of undici. */
const ownForm = (form: globalThis.FormData): FormData => {
  const own = new FormData()
  form.forEach((value, name) => own.append(name, value))
  return own
}

/** The dispatcher of one request. */
type DispatcherFor = (wait: Wait) => Dispatcher

/** Lets a request of `fetch` end while it waits for a connection of our agent, like requests of operations. */
const waiting =
  (agent: Agent): DispatcherFor =>
  (wait) =>
    agent.compose((dispatch) => (options, handler) => dispatch({ ...options, wait } as Dispatched, handler))

/** Requests other than the catalog's operations use undici's `fetch` and the same connections. */
const fetchOver = (dispatcherFor: DispatcherFor) =>
  Layer.succeed(FetchHttpClient.Fetch, ((input: URL, init: RequestInit) => {
    const body = init.body instanceof globalThis.FormData ? ownForm(init.body) : init.body
    const headers = { ...defaultHeaders, ...(init.headers as Readonly<Record<string, string>>) }
    const wait = new Wait()
    const dispatcher = dispatcherFor(wait)
    return fetch(input, { ...init, headers, body, dispatcher } as UndiciInit).finally(() => wait.end())
  }) as unknown as typeof globalThis.fetch)

const transportOver = (dispatcher: Dispatcher, dispatcherFor: DispatcherFor): Layer.Layer<HttpClient.HttpClient> =>
  Layer.map(Layer.provide(Layer.fresh(Transport.layerFetch), fetchOver(dispatcherFor)), (context) =>
    Context.make(
      HttpClient.HttpClient,
      Transport.make(Context.get(context, HttpClient.HttpClient), sendOver(dispatcher))
    )
  )

export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.unwrapScoped(
  Effect.map(connections, (agent) => transportOver(agent, waiting(agent)))
)

/** A dispatcher of any copy of undici, by its shape. */
export interface DispatcherLike {
  dispatch(options: never, handler: never): boolean
}

export const layerDispatcher = <E = never, R = never>(
  given: DispatcherLike | Effect.Effect<DispatcherLike, E, R>
): Layer.Layer<HttpClient.HttpClient, E, Exclude<R, Scope>> => {
  const over = (found: DispatcherLike) => {
    if (typeof found?.dispatch !== "function") {
      throw new TypeError(
        'CatalogNode.layerDispatcher takes an undici dispatcher, for example new ProxyAgent("http://proxy.example"), or an Effect of one'
      )
    }
    const dispatcher = found as unknown as Dispatcher
    return transportOver(dispatcher, () => dispatcher)
  }
  return Layer.unwrapScoped(Effect.map(Effect.isEffect(given) ? given : Effect.succeed(given), over))
}
