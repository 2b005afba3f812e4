/**
 * The transport on Node: undici's dispatcher for operations, and its `fetch` for other requests.
 */
import { Transport } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Agent, fetch, FormData, type RequestInit as UndiciInit } from "undici"
import { defaultHeaders, type Dispatched, makeAgent, sendOver, Wait } from "./dispatch.js"

const connections = Effect.acquireRelease(Effect.sync(makeAgent), (agent) => Effect.promise(() => agent.destroy()))

/** undici accepts only its own form data class, and Node's belongs to another copy of undici. */
const ownForm = (form: globalThis.FormData): FormData => {
  const own = new FormData()
  form.forEach((value, name) => own.append(name, value))
  return own
}

/** Requests other than the catalog's operations use undici's `fetch` and the same connections. */
const fetchOver = (agent: Agent) =>
  Layer.succeed(FetchHttpClient.Fetch, ((input: URL, init: RequestInit) => {
    const body = init.body instanceof globalThis.FormData ? ownForm(init.body) : init.body
    const headers = { ...defaultHeaders, ...(init.headers as Readonly<Record<string, string>>) }
    const wait = new Wait()
    const dispatcher = agent.compose(
      (dispatch) => (options, handler) => dispatch({ ...options, wait } as Dispatched, handler)
    )
    return fetch(input, { ...init, headers, body, dispatcher } as UndiciInit).finally(() => wait.end())
  }) as unknown as typeof globalThis.fetch)

export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.unwrapScoped(
  Effect.map(connections, (agent) =>
    Layer.map(Layer.provide(Layer.fresh(Transport.layerFetch), fetchOver(agent)), (context) =>
      Context.make(HttpClient.HttpClient, Transport.make(Context.get(context, HttpClient.HttpClient), sendOver(agent)))
    )
  )
)
