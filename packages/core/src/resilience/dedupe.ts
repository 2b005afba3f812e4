/**
 * Deduplication: concurrent equal reads share one exchange.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { hasEnded } from "../internal/common/run.js"
import { errorOf } from "./endings.js"
import { identityOf, keyOf, settle, thenForget } from "./reading.js"
import { inStage } from "./stage.js"
import { waitsAlone } from "./workers.js"

type Failure = ClientRestError | ClientNetworkError

/** An exchange in flight. */
interface Flight {
  readonly fiber: Fiber.RuntimeFiber<Exit.Exit<unknown, Failure>>
  /** The number of callers that wait for it. */
  callers: number
  /** Whether the first caller still waits: its transport is used. */
  isLed: boolean
}

/** Whether the connection broke before the response was complete. */
const isBroken = (exit: Exit.Exit<unknown, Failure>): boolean =>
  Option.exists(errorOf(exit), (error) => error._tag === "ClientNetworkError" && error.reason === "Transport")

/**
 * Lets equal reads that are in flight share one exchange: same URL, same credentials and headers, same client (or `fetch`),
 * same `timeout`, `maxResponseBytes` and `mismatch`. Nothing is kept after the exchange.
 *
 * The exchange belongs to the first caller and uses that call's inner policies and span. A caller that cancels or exceeds
 * its `totalTimeout` does not end the exchange for the others; it is cancelled when the last caller leaves. If the
 * connection breaks after the first caller has left, the others share another exchange. A read that begins after a write
 * does not share an exchange that began before the end of the write. All callers get the same reply object: it is frozen.
 *
 * The value contains the state: catalogs with the same value and the same client share exchanges. In Cloudflare Workers
 * nothing is shared, since a request there cannot wait for what another one does.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ fetch, policies: [Resilience.dedupe()] })
 *
 * // Two parts of a page, and one request.
 * export const both = () => Promise.all([catalog.anime.get({ id: 30230 }), catalog.anime.get({ id: 30230 })])
 * ```
 */
export const dedupe = (): Policy => {
  const flights = new Map<string, Flight>()
  /** The number of ended writes: a read after a write must not share an exchange from before it. */
  let writes = 0
  const written = Effect.sync(() => {
    writes++
  })

  const policy: Policy = <A, R>(call: CatalogCall, attempt: Effect.Effect<A, Failure, R>) => {
    if (call.method !== "GET") {
      return thenForget(attempt, written)
    }
    if (waitsAlone()) {
      return attempt
    }
    return Effect.flatMap(Effect.zip(keyOf(call), Effect.clock), ([{ read }, clock]) => {
      // The exchange uses the clock of its first caller, and a test's clock can stand still.
      const sharing = [identityOf(clock), call.timeout, writes, read].join(" ")
      const forget = (flight: Flight) => {
        if (flights.get(sharing) === flight) {
          flights.delete(sharing)
        }
      }
      const board = Effect.suspend(() => {
        const shared = flights.get(sharing)
        if (shared !== undefined) {
          shared.callers++
          return Effect.succeed({ flight: shared, isFirst: false })
        }
        // With the first caller's context, but in a fiber that outlives it. As a value, since a failed fiber is logged.
        const settled = Effect.tap(attempt, (reply) => Effect.sync(() => settle(reply)))
        const exchange = Effect.exit(Effect.interruptible(settled))
        return Effect.map(Effect.forkDaemon(exchange), (fiber) => {
          const flight: Flight = { fiber, callers: 1, isLed: true }
          flights.set(sharing, flight)
          fiber.addObserver(() => forget(flight))
          return { flight, isFirst: true }
        })
      })
      const leave = (flight: Flight, isFirst: boolean) =>
        Effect.suspend(() => {
          flight.callers--
          flight.isLed &&= !isFirst || hasEnded(flight.fiber)
          if (flight.callers > 0) {
            return Effect.void
          }
          forget(flight)
          return Fiber.interrupt(flight.fiber)
        })
      const shared: Effect.Effect<A, Failure, R> = Effect.flatten(
        Effect.acquireUseRelease(
          board,
          ({ flight, isFirst }) =>
            Effect.map(Fiber.await(flight.fiber), (ended) => {
              // Equal requests have replies of the same type.
              const exit = Exit.flatten(ended) as Exit.Exit<A, Failure>
              // The first caller's transport may be closed. The remaining callers share another exchange.
              const isTaken = !isFirst && (Exit.isInterrupted(exit) || (!flight.isLed && isBroken(exit)))
              return isTaken ? Effect.suspend(() => shared) : exit
            }),
          ({ flight, isFirst }) => leave(flight, isFirst)
        )
      )
      return shared
    })
  }
  return inStage("dedupe", policy)
}
