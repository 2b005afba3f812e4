/**
 * A service with a few prepared responses, on the fiber's clock, and calls of it under a policy.
 */
import { CatalogPolicy, Credentials } from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Effect, Layer, TestClock } from "effect"
import { type ReceivedRequest, recording } from "./faces.js"
import * as Fibers from "./fibers.js"

/** The response to a request. */
export interface StubResponse {
  /** 200 by default; 0 as for a redirect that a browser hides. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An anime by default. */
  readonly body?: unknown
  /** Milliseconds until the response. */
  readonly after?: number
  /** The connection breaks instead. */
  readonly drops?: true
}

type Prepared = StubResponse | ((request: ReceivedRequest) => StubResponse)

/** What an operation requires. */
export type Services = HttpClient.HttpClient | Credentials

export const anime = { id: 1, title: "One" }

const responseOf = ({ body = anime, drops, headers = {}, status = 200 }: StubResponse) => {
  if (drops) {
    return Effect.fail(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }))
  }
  const content = typeof body === "string" ? body : JSON.stringify(body)
  return Effect.sync(() => (status === 0 ? Response.error() : new Response(content, { status, headers })))
}

/** Responds to requests in turn and repeats the last response; records requests and counts interruptions. */
export const stubService = (...responses: ReadonlyArray<Prepared>) => {
  const state = { interrupted: 0 }
  const { requests, layer } = recording((request) => {
    const next = responses[Math.min(requests.length, responses.length) - 1] ?? {}
    const response = typeof next === "function" ? next(request) : next
    return Effect.zipRight(Effect.sleep(response.after ?? 0), responseOf(response)).pipe(
      Effect.onInterrupt(() => Effect.sync(() => state.interrupted++))
    )
  })
  return { requests, state, layer: Layer.merge(layer, Credentials.layer({ accessToken: "token", clientId: "client" })) }
}

/** Calls of a stub service through one value of a policy. */
export const underPolicy = (policy: CatalogPolicy.Policy, ...responses: ReadonlyArray<Prepared>) => {
  const { layer, ...service } = stubService(...responses)
  const services = Layer.merge(layer, CatalogPolicy.layer(policy))
  const run = <A, E>(call: Effect.Effect<A, E, Services>) => Effect.provide(Effect.either(call), services)
  /** Starts a call in a fiber of its own, and returns when it waits for a response or a policy. */
  const fork = <A, E>(call: Effect.Effect<A, E, Services>) =>
    Effect.zipLeft(Fibers.fork(run(call)), TestClock.adjust(0))
  return { ...service, services, run, fork }
}

/** The times of requests. */
export const times = (requests: ReadonlyArray<ReceivedRequest>): ReadonlyArray<number> => requests.map(({ at }) => at)
