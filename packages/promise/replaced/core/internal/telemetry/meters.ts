/**
 * Metrics of calls, for the meter of the catalog.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { ClientError } from "#core/CatalogError.js"
import type { Call } from "#core/internal/call/call.js"
import { type AnyFiber, contextOf, withFiber } from "#core/internal/common/fiber.js"
import { outcomeOf, stopwatch } from "#core/internal/telemetry/outcome.js"
import { Instruments } from "../../../../src/telemetry.js"

const instrumentsOf = (fiber: AnyFiber): Instruments | undefined => Context.get(contextOf(fiber), Instruments)

const nothing = (): void => undefined

/** Starts timing a call; returns a function that counts it when it has ended. */
export const counting = (fiber: AnyFiber, call: Call): ((exit: Exit.Exit<unknown, ClientError>) => void) => {
  const instruments = instrumentsOf(fiber)
  if (instruments === undefined) {
    return nothing
  }
  const passed = stopwatch(fiber)
  return (exit) => {
    const { name: operation } = call.operation
    instruments.count("catalog_requests_total", "Completed calls of operations", 1, {
      operation,
      outcome: outcomeOf(exit)
    })
    instruments.record("catalog_request_duration_seconds", "Duration of calls, including their waits", passed(), {
      operation
    })
    if (call.attempts > 1) {
      instruments.count("catalog_retries_total", "Exchanges after the first of a call", call.attempts - 1, {
        operation
      })
    }
  }
}

/** Times a wait before an exchange, however it ends. */
export const waiting = <A, E, R>(effect: Effect.Effect<A, E, R>, operation: string): Effect.Effect<A, E, R> =>
  withFiber((fiber) => {
    const passed = stopwatch(fiber)
    return Effect.onExit(effect, () =>
      Effect.sync(() =>
        instrumentsOf(fiber)?.record(
          "catalog_rate_limit_wait_seconds",
          "Time that exchanges waited for the rate limit",
          passed(),
          { operation }
        )
      )
    )
  })

/** A call, as `Resilience.cache` reports it. */
interface Hit {
  readonly operation: string
  readonly notify: (hook: "onCacheHit", details: object) => Effect.Effect<void>
}

/** Counts a call that returned a cached reply. */
export const hit = ({ notify, operation }: Hit): Effect.Effect<void> =>
  withFiber((fiber) => {
    instrumentsOf(fiber)?.count("catalog_cache_hits_total", "Calls that Resilience.cache served", 1, { operation })
    return notify("onCacheHit", {})
  })

/** Counts what was left out of a reply at one path. */
export const mismatched = (
  fiber: AnyFiber,
  operation: string,
  { count, path }: { readonly count: number; readonly path: string }
): void =>
  instrumentsOf(fiber)?.count(
    "catalog_reply_mismatches_total",
    "Parts of replies that were omitted because of an unexpected type",
    count,
    { operation, path }
  )
