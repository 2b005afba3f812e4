/**
 * Deduplication: asks once for what several callers want at the same time.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as MutableHashMap from "effect/MutableHashMap"
import * as Option from "effect/Option"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { errorOf } from "./endings.js"
import { keyOf, settle, thenForget } from "./reading.js"

type Failure = ClientRestError | ClientNetworkError

/** An exchange that is under way. */
interface Flight {
  readonly fiber: Fiber.RuntimeFiber<Exit.Exit<unknown, Failure>>
  /** How many wait for it. */
  callers: number
  /** Whether the first of them still does: it goes over that one's transport. */
  isLed: boolean
}

/** Whether the connection broke before there was a whole response. */
const isBroken = (exit: Exit.Exit<unknown, Failure>): boolean =>
  Option.exists(errorOf(exit), (error) => error._tag === "ClientNetworkError" && error.reason === "Transport")

/**
 * Lets equal reads that are in flight share one exchange: same URL, same credentials and headers, same client (or
 * `fetch`), same `timeout` and `maxResponseBytes`. Nothing is kept when the exchange has ended.
 *
 * The exchange is the first caller's, with that call's inner policies and in its span. A caller that cancels, or runs
 * out of `totalTimeout`, leaves the exchange to the others; when the last caller leaves, the exchange ends. If the
 * connection breaks after the first caller has left, the others share another exchange. A read that begins after a write
 * has ended does not share an exchange that began before. All callers get the same reply object: it is frozen.
 *
 * The value holds the state: catalogs that are given the same value and send over the same client share exchanges.
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
  const flights = MutableHashMap.empty<unknown, Flight>()
  /** Writes that have ended: what is read after one is not what was asked for before. */
  let writes = 0
  const written = Effect.sync(() => {
    writes++
  })

  const policy: Policy = <A, R>(call: CatalogCall, attempt: Effect.Effect<A, Failure, R>) => {
    if (call.method !== "GET") {
      return thenForget(attempt, written)
    }
    return Effect.flatMap(Effect.zip(keyOf(call), Effect.clock), ([key, clock]) => {
      // The exchange is timed by the clock of its first caller, and that of a test can stand still.
      const sharing = Data.tuple(key, clock, call.timeout, call.maxResponseBytes, writes)
      const find = () => Option.getOrUndefined(MutableHashMap.get(flights, sharing))
      const forget = (flight: Flight) => {
        if (find() === flight) {
          MutableHashMap.remove(flights, sharing)
        }
      }
      const board = Effect.suspend(() => {
        const shared = find()
        if (shared !== undefined) {
          shared.callers++
          return Effect.succeed({ flight: shared, isFirst: false })
        }
        // With all that is around the first caller, and out of its hands. As a value: a fiber that fails says so in the log.
        const exchange = Effect.exit(Effect.interruptible(Effect.tap(attempt, settle)))
        return Effect.map(Effect.forkDaemon(exchange), (fiber) => {
          const flight: Flight = { fiber, callers: 1, isLed: true }
          MutableHashMap.set(flights, sharing, flight)
          fiber.addObserver(() => forget(flight))
          return { flight, isFirst: true }
        })
      })
      const leave = (flight: Flight, isFirst: boolean) =>
        Effect.suspend(() => {
          flight.callers--
          flight.isLed &&= !isFirst || flight.fiber.unsafePoll() !== null
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
              // Of equal requests the replies are of one type.
              const exit = Exit.flatten(ended) as Exit.Exit<A, Failure>
              // The first one may have taken its transport along. Those who stay share another exchange.
              const isTaken = !isFirst && (Exit.isInterrupted(exit) || (!flight.isLed && isBroken(exit)))
              return isTaken ? Effect.suspend(() => shared) : exit
            }),
          ({ flight, isFirst }) => leave(flight, isFirst)
        )
      )
      return shared
    })
  }
  return Object.assign(policy, { stage: "dedupe" as const })
}
