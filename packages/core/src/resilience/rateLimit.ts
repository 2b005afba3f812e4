/**
 * A rate limit: limits how often requests are sent.
 *
 * @since 0.2.0
 */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type { ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../internal/policies/policy.js"
import { memoize } from "../internal/common/memoize.js"
import { mistake, show } from "../internal/common/mistakes.js"
import { inStage } from "../internal/policies/apply.js"
import { timeWait } from "../internal/telemetry/observe.js"
import { millis } from "../internal/settings/limits.js"
import { checkCount, checkOptions, checkPeriod, throttleOf, timeOf, isCloudflareWorker } from "./shared.js"
import type { RateLimitStoreError } from "./RateLimitStoreError.js"
import type { RateLimitBucket, RateLimitStore } from "./store.js"

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** How many requests may start in each `interval`, and how many at once after an idle time. */
  readonly limit: number
  /** The time in which at most `limit` requests start. */
  readonly interval: DurationInput
  /** Which other responses mean "too many requests", besides 429, and 503 or 403 with a `Retry-After`. */
  readonly isThrottle?: ((error: ClientRestError, call: CatalogCall) => boolean) | undefined
  /**
   * How long all calls are held after "too many requests" without a `Retry-After`.
   *
   * @default interval
   */
  readonly hold?: DurationInput | undefined
  /**
   * The longest hold, whatever `Retry-After` says.
   *
   * @default "1 minute"
   */
  readonly maxHold?: DurationInput | undefined
}

/** Options of {@link sharedRateLimit}. */
export interface SharedRateLimitOptions extends RateLimitOptions {
  /**
   * What happens to a call when the store fails. `fail`: it fails with `ClientNetworkError`, `reason: "RateLimitStore"`.
   * `proceed`: it is sent without a token, and a warning is logged once, until the store works again.
   *
   * @default "fail"
   */
  readonly onStoreFailure?: "fail" | "proceed" | undefined
}

/** Milliseconds before a failed store is used again, so that queued calls do not each run into its timeout. */
const storeRetryDelay = 1_000

/** A first-come, first-served line: with `Effect.makeSemaphore`, a newcomer can overtake a waiting call. */
const makeLine = (): (<E>(serve: Effect.Effect<void, E>) => Effect.Effect<void, E>) => {
  const line = new Set<() => void>()
  const first = (): (() => void) | undefined => line.values().next().value
  return (serve) =>
    Effect.suspend(() => {
      let begin = constVoid
      const turn = Effect.async<void>((resume) => {
        begin = () => resume(Effect.void)
        line.add(begin)
        if (first() === begin) {
          begin()
        }
      })
      // However the wait ends, the next call takes its turn.
      const leave = Effect.sync(() => {
        const isServed = first() === begin
        line.delete(begin)
        if (isServed) {
          first()?.()
        }
      })
      return Effect.ensuring(Effect.zipRight(turn, serve), leave)
    })
}

/**
 * The line before each store: one call at a time uses the store, even if several rate limits share it.
 */
const queueOf = /*#__PURE__*/ memoize((store: RateLimitStore) => ({
  time: timeOf(store),
  inLine: makeLine(),
  /** Why the store cannot be used, and how long. Unset as soon as it works again. */
  failure: undefined as { readonly until: number; readonly error: RateLimitStoreError } | undefined
}))

/** Takes a token from the store, and waits for as long as the store says. */
const takeToken = (
  store: RateLimitStore,
  bucket: RateLimitBucket,
  call: CatalogCall,
  onFirstFailure: (error: RateLimitStoreError) => Effect.Effect<void>
): Effect.Effect<void, RateLimitStoreError> => {
  const queue = queueOf(store)
  const { inLine, time } = queue
  const take: Effect.Effect<void, RateLimitStoreError> = Effect.flatMap(time.now, (now) =>
    queue.failure !== undefined && now < queue.failure.until
      ? Effect.fail(queue.failure.error)
      : Effect.flatMap(store.take(bucket), (delay) => {
          queue.failure = undefined
          return delay > 0
            ? call
                .notify("onWait", { policy: "rateLimit", delay })
                .pipe(Effect.zipRight(time.sleep(delay)), Effect.zipRight(take))
            : Effect.void
        })
  )
  const takeOrRemember = Effect.tapError(take, (error) =>
    Effect.flatMap(time.now, (now) => {
      const isFirst = queue.failure === undefined
      if (queue.failure === undefined || now >= queue.failure.until) {
        queue.failure = { until: now + storeRetryDelay, error }
      }
      return isFirst ? onFirstFailure(error) : Effect.void
    })
  )
  return isCloudflareWorker() ? takeOrRemember : inLine(takeOrRemember)
}

/**
 * Checks the options, and returns a function that makes the policy over a store. `others` has the defaults of options that only
 * the caller takes, such as `store` of catalog-client.
 */
export const makeRateLimit = (
  options: SharedRateLimitOptions,
  others?: object,
  calledAs = "Resilience.rateLimit"
): ((store: RateLimitStore) => Policy) => {
  const settings = checkOptions(calledAs, options, {
    limit: undefined,
    interval: undefined,
    isThrottle: () => false,
    hold: undefined,
    maxHold: "1 minute",
    onStoreFailure: "fail",
    ...others
  })
  const bucket = {
    limit: checkCount(calledAs, "limit", settings.limit),
    interval: checkPeriod(calledAs, "interval", settings.interval)
  }
  const hold = millis(calledAs, "hold", settings.hold ?? bucket.interval)
  const maxHold = millis(calledAs, "maxHold", settings.maxHold)
  const { onStoreFailure } = settings
  if (onStoreFailure !== "fail" && onStoreFailure !== "proceed") {
    throw mistake(`${calledAs}: onStoreFailure must be "fail" or "proceed", but it is ${show(onStoreFailure)}`, {
      option: "onStoreFailure"
    })
  }
  const isThrottle = throttleOf(calledAs, settings.isThrottle)

  return (store) => {
    const policy: Policy = (call, attempt) => {
      const attemptAndHold = Effect.tapError(attempt, (error) =>
        error._tag === "ClientRestError" && isThrottle(error, call)
          ? // The call fails with the response. The next call reports a failing store.
            Effect.ignoreLogged(store.hold(bucket, Math.min(maxHold, error.retryAfter ?? hold)))
          : Effect.void
      )
      const storeError = ({ cause }: RateLimitStoreError) => call.networkError("RateLimitStore", cause)
      const isStoreNeeded = onStoreFailure === "fail"
      const warn = (error: RateLimitStoreError) => {
        const { cause } = storeError(error)
        return Effect.logWarning(
          `catalog: the rate limit's store failed (${cause?.code ?? cause?.message}). Until it works again, requests are sent without a limit.`
        )
      }
      const wait = timeWait(takeToken(store, bucket, call, isStoreNeeded ? () => Effect.void : warn), call.operation)
      return Effect.zipRight(isStoreNeeded ? Effect.mapError(wait, storeError) : Effect.ignore(wait), attemptAndHold)
    }
    return inStage("rateLimit", policy)
  }
}
