/**
 * The environment in which sessions run.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { baseUrlOf, type CatalogSettings, currentSettings, forkApart, runtime } from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"

export interface SessionEnvironment {
  /** What the program has called, for errors. */
  readonly calledAs: string
  /** The settings of calls, whose profile is the deployment that issues the tokens. */
  readonly settings: CatalogSettings
  readonly clock: Clock.Clock
  /** Starts a fiber that belongs to no caller. */
  readonly fork: <A>(effect: Effect.Effect<A, never, Client.HttpClient>) => Fiber.RuntimeFiber<A>
}

/**
 * The environment of an Effect. The work of a session is not traced under the span that made the session, and has its own
 * timeout.
 */
export const effectEnvironment = (calledAs: string): Effect.Effect<SessionEnvironment, never, Client.HttpClient> =>
  Effect.gen(function* () {
    const configured = yield* currentSettings
    const settings = { ...configured, profile: { ...configured.profile, baseUrl: baseUrlOf(configured) } }
    return { calledAs, settings, clock: yield* Effect.clock, fork: forkApart(yield* runtime<Client.HttpClient>()) }
  })
