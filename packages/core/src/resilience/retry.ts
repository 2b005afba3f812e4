/**
 * Retries of failed attempts.
 *
 * @since 0.2.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { Schedule } from "effect/Schedule"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { millis } from "../limits.js"
import { isLoadShedding, isRefusal } from "./endings.js"
import { count, optionsOf } from "./options.js"
import { initialOf, isSchedule, must, stepOf } from "./schedule.js"
import { inStage } from "./stage.js"
import { type Throttle, throttleOf } from "./throttle.js"

/** Options of {@link retry}; a duration that is a number is in milliseconds. */
export interface RetryOptions {
  /** How many attempts a call makes at most, the first one included: 3 by default. */
  readonly attempts?: number | undefined
  /** Whether to retry an attempt that timed out (`timeout`): `false` by default. */
  readonly timeouts?: boolean | undefined
  /**
   * Whether to retry `updateMyListStatus` too, and any other `PATCH` or `POST`: `false` by default, since a write may have
   * succeeded even if its response was lost.
   */
  readonly writes?: boolean | undefined
  /** The longest `Retry-After` to wait for: 1 minute by default. With a longer one the call fails at once. */
  readonly maxRetryAfter?: DurationInput | undefined
  /** The longest wait before the second attempt, without a `Retry-After`: 500 ms by default. It doubles each time. */
  readonly baseDelay?: DurationInput | undefined
  /** The upper limit of the doubling: 30 seconds by default. */
  readonly maxDelay?: DurationInput | undefined
  /**
   * An Effect `Schedule` that decides how often and after what delay to retry, in place of `attempts`, `baseDelay` and
   * `maxDelay`. It starts again for each call and gets the error of each attempt as input. It should end, for example by
   * `Schedule.recurs`. It does not change which failures are retried, and a `Retry-After` takes precedence over its delay.
   */
  readonly schedule?: Schedule<unknown, ClientRestError | ClientNetworkError> | undefined
  /** What counts as "too many requests": {@link isThrottle} by default. */
  readonly isThrottle?: Throttle | undefined
}

type Failure = ClientRestError | ClientNetworkError

const passing = new Set([429, 500, 502, 503, 504])

/**
 * Whether a 404 of a deletion counts as success, since an earlier attempt may have carried it out. Only where
 * there is no reply to return.
 */
const isDone = (error: Failure, { method, reply }: CatalogCall, mayBeDone: boolean): boolean =>
  method === "DELETE" && reply === undefined && error._tag === "ClientRestError" && error.status === 404 && mayBeDone

/**
 * Milliseconds until the next attempt, and the next state of a schedule; fails with the error if there is no next attempt.
 */
type Next = Effect.Effect<readonly [delay: number, state?: unknown], Failure>

const scheduled = (schedule: Schedule<unknown, Failure>, error: Failure, state: unknown): Next =>
  Effect.flatMap(stepOf(schedule, error, state), (next) =>
    next === undefined ? Effect.fail(error) : Effect.succeed(next)
  )

/**
 * Retries an attempt after a temporary failure: 429, 500, 502, 503, 504, a response that `isThrottle` accepts, a redirect
 * (302, 307, or 0 in a browser), or a connection error. It retries only `GET`, `DELETE` and `PUT`, unless `writes` is
 * `true`.
 * A 404 counts as success of a `DELETE` if an earlier attempt may have carried it out, because it failed with anything but
 * a 4xx.
 *
 * It waits as long as `Retry-After` says, otherwise for a random time between zero and a limit that doubles.
 * The wait counts towards the call's `totalTimeout`, not an attempt's `timeout`, and ends with `signal`.
 * The call fails with the error of the last attempt, whose `attempts` is the number of attempts.
 *
 * Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const catalog = createCatalog({ fetch, policies: [Resilience.retry({ attempts: 5, timeouts: true })] })
 *
 * // One call by itself: at most two attempts, each of at most 2 s, and 3 s in all.
 * export const boards = () =>
 *   catalog.forum.boards({ timeout: 2_000, totalTimeout: 3_000, policies: [Resilience.retry({ attempts: 2 })] })
 * ```
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { Schedule } from "effect"
 *
 * const schedule = Schedule.spaced("2 seconds").pipe(Schedule.intersect(Schedule.recurs(4)))
 *
 * export const layer = CatalogPolicy.layer(Resilience.retry({ schedule }))
 * ```
 */
export const retry = (options: RetryOptions = {}): Policy => {
  const where = "Resilience.retry"
  const settings = optionsOf(where, options, {
    attempts: 1,
    timeouts: 1,
    writes: 1,
    maxRetryAfter: 1,
    baseDelay: 1,
    maxDelay: 1,
    schedule: 1,
    isThrottle: 1
  })
  const schedule = settings.schedule ?? undefined
  const replaced = settings.attempts ?? settings.baseDelay ?? settings.maxDelay
  if (schedule && (!isSchedule(schedule) || replaced !== undefined)) {
    throw new TypeError(`${where}: schedule ${must}`)
  }
  const attempts = count(where, "attempts", settings.attempts ?? 3)
  const maxRetryAfter = millis(where, "maxRetryAfter", settings.maxRetryAfter ?? "1 minute")
  const baseDelay = millis(where, "baseDelay", settings.baseDelay ?? 500)
  const maxDelay = millis(where, "maxDelay", settings.maxDelay ?? "30 seconds")
  const isThrottle = throttleOf(where, settings.isThrottle)
  const { timeouts = false, writes = false } = settings

  const mayPass = (error: Failure, call: CatalogCall): boolean =>
    error._tag === "ClientNetworkError"
      ? error.reason === "Transport" || (timeouts && error.reason === "Timeout")
      : error.reason === "Status" &&
        (passing.has(error.status) || isLoadShedding(error) || isThrottle(error, call)) &&
        (error.retryAfter ?? 0) <= maxRetryAfter

  const next = (error: Failure, made: number, state: unknown): Next =>
    schedule
      ? scheduled(schedule, error, state)
      : made < attempts
        ? // In whole milliseconds: TestClock knows no others.
          Effect.map(Random.next, (share) => [Math.round(share * Math.min(maxDelay, baseDelay * 2 ** (made - 1)))])
        : Effect.fail(error)

  const policy: Policy = (call, attempt) => {
    if (!call.idempotent && !writes) {
      return attempt
    }
    const from = (made: number, mayBeDone: boolean, state: unknown): typeof attempt =>
      Effect.catchAll(attempt, (error) => {
        if (isDone(error, call, mayBeDone)) {
          return Effect.void as Effect.Effect<never>
        }
        if (!mayPass(error, call)) {
          return Effect.fail(error)
        }
        return Effect.flatMap(next(error, made, state), ([drawn, state]) => {
          const delay = (error._tag === "ClientRestError" ? error.retryAfter : undefined) ?? drawn
          return call
            .notify("onRetry", { attempt: made + 1, attempts: schedule ? undefined : attempts, delay, error })
            .pipe(
              Effect.zipRight(Effect.sleep(delay)),
              Effect.zipRight(from(made + 1, mayBeDone || !isRefusal(error), state))
            )
        })
      })
    return from(1, false, schedule && initialOf(schedule))
  }
  return inStage("retry", policy)
}
