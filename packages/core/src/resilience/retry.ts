/**
 * Making an exchange again.
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { isLoadShedding, isRefusal } from "./answers.js"
import { count, millis, optionsOf } from "./options.js"
import { type Throttle, throttleOf } from "./throttle.js"

/** What {@link retry} takes; a number in place of a duration is milliseconds. */
export interface RetryOptions {
  /** Exchanges of one call at most, the first one included: 3 unless given. */
  readonly attempts?: number | undefined
  /** Whether an attempt that ran into its `timeout` is made again: not unless given. */
  readonly timeouts?: boolean | undefined
  /**
   * Whether `updateMyListStatus` is made again, too: not unless given, since an answer that was lost may have been that of a
   * write which was done.
   */
  readonly writes?: boolean | undefined
  /** The longest `Retry-After` that is waited for: 1 minute unless given. Beyond it the error comes at once. */
  readonly maxRetryAfter?: DurationInput | undefined
  /** The longest wait before the second attempt, without a `Retry-After`: 500 ms unless given. It doubles each time. */
  readonly baseDelay?: DurationInput | undefined
  /** Where the doubling ends: 30 seconds unless given. */
  readonly maxDelay?: DurationInput | undefined
  /** What counts as "too many requests": {@link isThrottle} unless given. */
  readonly isThrottle?: Throttle | undefined
}

type Failure = ClientRestError | ClientNetworkError

const passing = new Set([429, 500, 502, 503, 504])

/** Whether an earlier attempt may have deleted it, where this one finds nothing. A deletion has no reply. */
const isDone = (error: Failure, { method }: CatalogCall, mayBeDone: boolean): boolean =>
  method === "DELETE" && error._tag === "ClientRestError" && error.status === 404 && mayBeDone

/**
 * Makes an exchange again that failed with what may pass: 429, 500, 502, 503, 504, whatever `isThrottle` says, a redirect
 * (302, 307, or 0 in a browser), a connection that was not made or that broke. Only `GET` and `DELETE` unless `writes` says so;
 * a 404 is the success of a `DELETE` that an attempt before it may have carried out: one that failed with anything but a 4xx.
 *
 * It waits as long as `Retry-After` says, otherwise for a random time between nothing and a bound that doubles, drawn from
 * Effect's `Random`. The wait is under the call's `signal` and `totalTimeout`, and under no attempt's `timeout`. The error
 * of the last attempt is the call's, with its number in `attempts`.
 *
 * Throws a `TypeError` for an option that cannot be.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ fetch, policies: [Resilience.retry({ attempts: 5, timeouts: true })] })
 *
 * // One call by itself: at most two exchanges, each of at most 2 s, and 3 s in all.
 * export const boards = () =>
 *   catalog.forum.boards({ timeout: 2_000, totalTimeout: 3_000, policies: [Resilience.retry({ attempts: 2 })] })
 * ```
 */
export const retry = (options: RetryOptions = {}): Policy => {
  const where = "Resilience.retry"
  const given = optionsOf(where, options)
  const attempts = count(where, "attempts", given.attempts ?? 3)
  const maxRetryAfter = millis(where, "maxRetryAfter", given.maxRetryAfter ?? "1 minute")
  const baseDelay = millis(where, "baseDelay", given.baseDelay ?? 500)
  const maxDelay = millis(where, "maxDelay", given.maxDelay ?? "30 seconds")
  const isThrottle = throttleOf(where, given.isThrottle)
  const { timeouts = false, writes = false } = given

  const mayPass = (error: Failure, call: CatalogCall): boolean =>
    error._tag === "ClientNetworkError"
      ? error.reason === "Transport" || (timeouts && error.reason === "Timeout")
      : error.reason === "Status" &&
        (passing.has(error.status) || isLoadShedding(error) || isThrottle(error, call)) &&
        (error.retryAfter ?? 0) <= maxRetryAfter

  const wait = (error: Failure, made: number): Effect.Effect<number> =>
    error._tag === "ClientRestError" && error.retryAfter !== undefined
      ? Effect.succeed(error.retryAfter)
      : // In whole milliseconds: TestClock knows no others.
        Effect.map(Random.next, (share) => Math.round(share * Math.min(maxDelay, baseDelay * 2 ** (made - 1))))

  const policy: Policy = (call, attempt) => {
    if (call.method === "PATCH" && !writes) {
      return attempt
    }
    const from = (made: number, mayBeDone: boolean): typeof attempt =>
      Effect.catchAll(attempt, (error) => {
        if (isDone(error, call, mayBeDone)) {
          return Effect.void as Effect.Effect<never>
        }
        return made < attempts && mayPass(error, call)
          ? Effect.zipRight(
              Effect.flatMap(wait(error, made), Effect.sleep),
              from(made + 1, mayBeDone || !isRefusal(error))
            )
          : Effect.fail(error)
      })
    return from(1, false)
  }
  return Object.assign(policy, { stage: "retry" as const })
}
