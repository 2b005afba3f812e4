/**
 * Retries of failed attempts.
 *
 * @since 0.2.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { AttemptError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../internal/policies/policy.js"
import { isTemporaryStatus } from "../internal/common/statuses.js"
import { mistake, show } from "../internal/common/mistakes.js"
import { inStage } from "../internal/policies/apply.js"
import { millis } from "../internal/settings/limits.js"
import { checkCount, isRefusal, checkOptions, throttleOf } from "./shared.js"

/** Options of {@link retry}. */
export interface RetryOptions {
  /**
   * How many attempts a call makes at most, the first one included.
   *
   * @default 3
   */
  readonly attempts?: number | undefined
  /**
   * Whether to retry an attempt that timed out (`timeout`).
   *
   * @default false
   */
  readonly timeouts?: boolean | undefined
  /**
   * Whether to retry `updateMyListStatus`, and any other `PATCH` or `POST`, after each temporary failure. A write may have
   * succeeded even if its response was lost.
   *
   * @default false
   */
  readonly writes?: boolean | undefined
  /**
   * The longest `Retry-After` to wait for. With a longer one the call fails at once.
   *
   * @default "1 minute"
   */
  readonly maxRetryAfter?: DurationInput | undefined
  /**
   * The longest wait before the second attempt, without a `Retry-After`. It doubles each time.
   *
   * @default "500 millis"
   */
  readonly baseDelay?: DurationInput | undefined
  /**
   * The upper limit of the doubling.
   *
   * @default "30 seconds"
   */
  readonly maxDelay?: DurationInput | undefined
  /**
   * Which other responses mean "too many requests", besides 429, and 503 or 403 with a `Retry-After`. The live service also
   * throttles with a bare 403, but it sends the same for a private list.
   */
  readonly isThrottle?: ((error: ClientRestError, call: CatalogCall) => boolean) | undefined
  /**
   * Decides whether to retry after an error: returns `true` or `false`. `byDefault` is the usual decision. It is called only if
   * `attempts`, `writes` and `maxRetryAfter` allow a retry. An error that it throws ends the call.
   *
   * @example
   * ```ts
   * import { isNotFound, Resilience } from "@catalog-client/core"
   *
   * // What was just added can be missing for a moment.
   * export const retry = Resilience.retry({
   *   when: (error, { attempt, byDefault }) => byDefault || (attempt === 1 && isNotFound(error))
   * })
   * ```
   */
  readonly when?: ((error: AttemptError, failed: FailedAttempt) => boolean) | undefined
}

/** What the `when` option of {@link RetryOptions} knows besides the error. */
export interface FailedAttempt {
  /** The number of the attempt that failed: 1 for the first one. */
  readonly attempt: number
  /** Whether the attempt would be retried without `when`, by the options `timeouts` and `isThrottle` too. */
  readonly byDefault: boolean
}

type Settings = ReturnType<typeof checkRetryOptions>

const checkRetryOptions = (calledAs: string, options: RetryOptions) => {
  const { attempts, baseDelay, isThrottle, maxDelay, maxRetryAfter, when, ...others } = checkOptions(
    calledAs,
    options,
    {
      attempts: 3,
      timeouts: false,
      writes: false,
      maxRetryAfter: "1 minute",
      baseDelay: 500,
      maxDelay: "30 seconds",
      isThrottle: () => false,
      when: (_: AttemptError, { byDefault }: FailedAttempt) => byDefault
    }
  )
  if (typeof when !== "function") {
    throw mistake(`${calledAs}: when must be a function of an error and the failed attempt`, { option: "when" })
  }
  return {
    ...others,
    attempts: checkCount(calledAs, "attempts", attempts),
    maxRetryAfter: millis(calledAs, "maxRetryAfter", maxRetryAfter),
    baseDelay: millis(calledAs, "baseDelay", baseDelay),
    maxDelay: millis(calledAs, "maxDelay", maxDelay),
    isThrottle: throttleOf(calledAs, isThrottle),
    when: (error: AttemptError, failed: FailedAttempt): boolean => {
      const answer: unknown = when(error, failed)
      // A promise would count as true.
      if (typeof answer !== "boolean") {
        throw mistake(`${calledAs}: when must return true or false, but it returned ${show(answer)}`)
      }
      return answer
    }
  }
}

const isTemporary = (error: AttemptError, call: CatalogCall, settings: Settings): boolean =>
  error._tag === "ClientNetworkError"
    ? error.reason === "Transport" || (settings.timeouts && error.reason === "Timeout")
    : error.reason === "Status" && (isTemporaryStatus(error.status) || settings.isThrottle(error, call))

/**
 * Whether a 404 of a deletion counts as success, because an earlier attempt may have deleted the entry. A custom `DELETE` with
 * a reply never does.
 */
const isDone = (error: AttemptError, { method, reply }: CatalogCall, mayBeDone: boolean): boolean =>
  method === "DELETE" && reply === undefined && error._tag === "ClientRestError" && error.status === 404 && mayBeDone

/** Whole milliseconds until the next attempt: TestClock has no fractions. */
const delayAfter = (attempt: number, { baseDelay, maxDelay }: Settings): Effect.Effect<number> =>
  Effect.map(Random.next, (share) => Math.round(share * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1))))

/**
 * Retries an attempt after a temporary failure: 408, 429, 500, 502 to 504, 520 to 524, 530, a response that `isThrottle`
 * accepts, a redirect (302, 307, or 0 in a browser), or a connection error; `when` decides otherwise. It retries `PATCH` and
 * `POST` only if the service refused them, with 429 for example, unless `writes` is `true`. A 404 counts as success of a
 * `DELETE` if an earlier attempt may have carried it out.
 *
 * It waits as long as `Retry-After` says, otherwise for a random time between zero and a limit that doubles. The wait counts
 * toward the call's `totalTimeout`, not an attempt's `timeout`. The call fails with the error of the last attempt. Throws a
 * `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogHooks, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const Patient = CatalogPolicy.layer(Resilience.retry({ attempts: 5, baseDelay: "10 millis" }))
 * const Retries = CatalogHooks.layer({ onRetry: ({ attempt, error }) => Console.log(`${error._tag}: attempt ${attempt}`) })
 * const Busy = EmbeddedCatalog.layer({ faults: [{ status: 503, times: 2 }] })
 *
 * const program = Catalog.anime.get({ id: 1 }).pipe(Effect.flatMap(({ title }) => Console.log(title)))
 * await Effect.runPromise(Effect.provide(program, [Patient, Retries, Busy, Credentials.layerNone]))
 * ```
 *
 * ```text
 * ClientRestError: attempt 2
 * ClientRestError: attempt 3
 * Cowboy Bebop
 * ```
 */
export const retry = (options: RetryOptions = {}): Policy => {
  const settings = checkRetryOptions("Resilience.retry", options)
  const { attempts, writes } = settings
  const policy: Policy = (call, attempt) => {
    const run = (made: number, mayBeDone: boolean): typeof attempt =>
      Effect.catchAll(attempt, (error) => {
        if (isDone(error, call, mayBeDone)) {
          return Effect.void as Effect.Effect<never>
        }
        const isRepeatable = call.idempotent || writes || isRefusal(error)
        const retryAfter = error._tag === "ClientRestError" ? error.retryAfter : undefined
        if (
          made >= attempts ||
          !isRepeatable ||
          (retryAfter ?? 0) > settings.maxRetryAfter ||
          !settings.when(error, { attempt: made, byDefault: isTemporary(error, call, settings) })
        ) {
          return Effect.fail(error)
        }
        return Effect.flatMap(delayAfter(made, settings), (drawn) => {
          const delay = retryAfter ?? drawn
          return call
            .notify("onRetry", { attempt: made + 1, attempts, delay, error })
            .pipe(Effect.zipRight(Effect.sleep(delay)), Effect.zipRight(run(made + 1, mayBeDone || !isRefusal(error))))
        })
      })
    return run(1, false)
  }
  return inStage("retry", policy)
}
