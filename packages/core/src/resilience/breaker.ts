/**
 * A circuit breaker: stops sending requests to a failing service.
 *
 * @since 0.2.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Policy } from "../CatalogPolicy.js"
import { type Ending, errorOf, isLoadShedding } from "./endings.js"
import { makeTime } from "./clock.js"
import { count, optionsOf, period } from "./options.js"
import { inStage } from "./stage.js"

/** Options of {@link breaker}; a duration that is a number is in milliseconds. */
export interface BreakerOptions {
  /** How many attempts in a row must fail before calls are refused: 5 by default. */
  readonly failures?: number | undefined
  /** How long calls are refused before one is let through: 30 seconds by default. */
  readonly cooldown?: DurationInput | undefined
}

/** What an attempt says about the service; `undefined` if it was interrupted or never sent. */
const verdict = (ending: Ending): "works" | "fails" | undefined => {
  if (Exit.isSuccess(ending)) {
    return "works"
  }
  const error = Option.getOrUndefined(errorOf(ending))
  if (error?._tag === "ClientRestError") {
    return error.status >= 500 || isLoadShedding(error) ? "fails" : "works"
  }
  switch (error?.reason) {
    case "Timeout":
    case "Transport":
      return "fails"
    case "ResponseTooLarge":
      return "works"
    default:
      return undefined
  }
}

/**
 * Refuses calls for a while after some attempts in a row have failed. A refused call fails at once, without an exchange,
 * with `ClientNetworkError`, `reason: "CircuitOpen"`. Its `cause` says how the last failed attempt ended and when the next
 * call is let through. After the cooldown one trial call is let through: if it succeeds, all calls are; if it fails, the
 * cooldown starts again.
 *
 * Failures are timeouts, connection errors, 5xx, and the redirects 302 and 307 (0 in a browser). Any other response, for example 404 or 429, means that the
 * service works. A cancelled attempt says nothing about the service.
 *
 * The value contains the state: catalogs with the same value share it. Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const layer = CatalogPolicy.layer(Resilience.breaker({ failures: 10, cooldown: "1 minute" }))
 * ```
 */
export const breaker = (options: BreakerOptions = {}): Policy => {
  const where = "Resilience.breaker"
  const settings = optionsOf(where, options, { failures: 1, cooldown: 1 })
  const failures = count(where, "failures", settings.failures ?? 5)
  const cooldown = period(where, "cooldown", settings.cooldown ?? "30 seconds")

  const time = makeTime()
  /** One closed period: an attempt that began in an earlier one does not count. */
  let closed: { failures: number } | undefined = { failures: 0 }
  let openUntil = 0
  let isProbed = false
  /** The failure that opened the circuit: only a status or a reason, since the next call can belong to another user. */
  let opened: string | number = ""

  const open = (now: number, ending: Ending): void => {
    closed = undefined
    openUntil = now + cooldown
    const error = Option.getOrUndefined(errorOf(ending))
    opened = error?._tag === "ClientRestError" ? error.status : (error?.reason ?? "")
  }

  const refusal = (now: number): Error => {
    const next = isProbed
      ? "a trial call is running"
      : `the next one is allowed in ${Math.ceil((openUntil - now) / 1000)} s`
    return new Error(`the last call ended with ${opened}, and ${next}`)
  }

  const policy: Policy = (call, attempt) =>
    Effect.suspend(() => {
      let role: { readonly state: typeof closed } | undefined
      const guarded = Effect.flatMap(time, (now) => {
        if (closed === undefined && (isProbed || now < openUntil)) {
          return Effect.fail(call.networkError("CircuitOpen", refusal(now)))
        }
        role = { state: closed }
        isProbed = closed === undefined
        return attempt
      })
      // Includes the decision, so that no interruption can separate it from its cleanup.
      return Effect.onExit(guarded, (ending) =>
        Effect.map(time, (now) => {
          if (role === undefined) {
            return
          }
          const found = verdict(ending)
          if (role.state === undefined) {
            isProbed = false
            if (found === "works") {
              closed = { failures: 0 }
            } else if (found === "fails") {
              open(now, ending)
            }
          } else if (role.state === closed) {
            closed.failures = found === "works" ? 0 : closed.failures + (found === "fails" ? 1 : 0)
            if (closed.failures >= failures) {
              open(now, ending)
            }
          }
        })
      )
    })
  return inStage("breaker", policy)
}
