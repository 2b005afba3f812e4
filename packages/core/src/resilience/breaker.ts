/**
 * A circuit breaker: stops sending requests to a failing service.
 *
 * @since 0.2.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Policy } from "../internal/policies/policy.js"
import { inStage } from "../internal/policies/apply.js"
import { errorOf } from "../internal/common/cause.js"
import { isFailure } from "../internal/common/statuses.js"
import { checkCount, type Ending, makeTime, checkOptions, checkPeriod } from "./shared.js"

/** Options of {@link breaker}. */
export interface BreakerOptions {
  /**
   * How many attempts in a row must fail before calls are refused.
   *
   * @default 5
   */
  readonly failures?: number | undefined
  /**
   * How long calls are refused before a trial call is sent.
   *
   * @default "30 seconds"
   */
  readonly cooldown?: DurationInput | undefined
}

/** Whether the end of an attempt shows that the service fails, or works; `undefined` if it shows neither. */
const hasFailed = (ending: Ending): boolean | undefined => {
  const error = errorOf(ending)
  if (error === undefined) {
    return Exit.isSuccess(ending) ? false : undefined
  }
  if (error._tag === "ClientRestError") {
    return isFailure(error.status)
  }
  switch (error.reason) {
    case "Timeout":
    case "Transport":
      return true
    case "ResponseTooLarge":
      return false
    default:
      return undefined
  }
}

/** A period in which the circuit is closed. An attempt that began in an earlier period does not count. */
interface Period {
  failures: number
}

class Circuit {
  /** `undefined` while the circuit is open. */
  period: Period | undefined = { failures: 0 }
  #openUntil = 0
  #isOnTrial = false
  /** The status or the reason that opened the circuit. No more is kept, because the next call can belong to another user. */
  #cause: string | number = ""

  constructor(
    private readonly failures: number,
    private readonly cooldown: number
  ) {}

  /** Begins an attempt, or returns why it must not be made. */
  begin(now: number): Error | undefined {
    const isOpen = this.period === undefined
    if (isOpen && (this.#isOnTrial || now < this.#openUntil)) {
      const next = this.#isOnTrial
        ? "a trial call is running"
        : `the next one is allowed in ${Math.ceil((this.#openUntil - now) / 1000)} s`
      return new Error(`the last call ended with ${this.#cause}, and ${next}`)
    }
    this.#isOnTrial = isOpen
    return undefined
  }

  /** Ends an attempt that began in a period, or the trial. */
  end(now: number, period: Period | undefined, ending: Ending): void {
    const failed = hasFailed(ending)
    if (period === undefined) {
      this.#isOnTrial = false
    }
    if (failed === undefined || period !== this.period) {
      return
    }
    if (!failed) {
      this.period ??= { failures: 0 }
      this.period.failures = 0
    } else if (period === undefined || ++period.failures >= this.failures) {
      const error = errorOf(ending)
      this.period = undefined
      this.#openUntil = now + this.cooldown
      this.#cause = error?._tag === "ClientRestError" ? error.status : (error?.reason ?? "")
    }
  }
}

/**
 * Refuses calls for a while after some attempts in a row have failed. A refused call fails at once with
 * `ClientNetworkError`, `reason: "CircuitOpen"`; its `cause` says why, and when the next call is let through. After the
 * cooldown one trial call is let through: if it succeeds, all calls are; if it fails, the cooldown starts again.
 *
 * Failures are timeouts, connection errors, 5xx, and the redirects 302 and 307 (0 in a browser). Any other response, for
 * example 404 or 429, means that the service works. Catalogs with the same value share its state. Throws a `TypeError` for
 * an invalid option.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const layer = CatalogPolicy.layer(Resilience.breaker({ failures: 10, cooldown: "1 minute" }))
 * ```
 */
export const breaker = (options: BreakerOptions = {}): Policy => {
  const calledAs = "Resilience.breaker"
  const settings = checkOptions(calledAs, options, { failures: 5, cooldown: "30 seconds" })
  const circuit = new Circuit(
    checkCount(calledAs, "failures", settings.failures),
    checkPeriod(calledAs, "cooldown", settings.cooldown)
  )
  const time = makeTime().now
  const policy: Policy = (call, attempt) =>
    Effect.suspend(() => {
      let begun: { readonly period: Period | undefined } | undefined
      const guarded = Effect.flatMap(time, (now) => {
        const refusal = circuit.begin(now)
        if (refusal !== undefined) {
          return Effect.fail(call.networkError("CircuitOpen", refusal))
        }
        begun = { period: circuit.period }
        return attempt
      })
      // `guarded` includes `begin`, so that no interruption can separate it from `end`.
      return Effect.onExit(guarded, (ending) =>
        Effect.map(time, (now) => {
          if (begun !== undefined) {
            circuit.end(now, begun.period, ending)
          }
        })
      )
    })
  return inStage("breaker", policy)
}
