/**
 * What the policies share: their options, their time, and how attempts end.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { AttemptError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall } from "../internal/policies/policy.js"
import { isLive, nowOf } from "../internal/common/fiber.js"
import { memoize } from "../internal/common/memoize.js"
import { mistake, show } from "../internal/common/mistakes.js"
import { isPresent } from "../internal/common/values.js"
import { checkNames, type NamesOf } from "../internal/common/options.js"
import { millis } from "../internal/settings/limits.js"

export type Ending = Exit.Exit<unknown, AttemptError>

/** Merges options over their defaults; `null` counts as absent. Throws a `TypeError` for an unknown option. */
export const checkOptions = <O extends object, D extends NamesOf<O>>(
  calledAs: string,
  given: O,
  defaults: D
): { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> | D[Name & keyof D] } => {
  const options: object = given ?? {}
  // With `policies: [Resilience.retry]`, without `()`, the options are a call. `applyPolicy` has the better message.
  if (typeof options !== "object" || !("operation" in options)) {
    checkNames(calledAs, options, defaults)
  }
  const present = Object.entries(options).filter(([, value]) => isPresent(value))
  return { ...defaults, ...Object.fromEntries(present) } as never
}

/** A whole number, 1 or more. Throws a `TypeError` that names the option. */
export const checkCount = (calledAs: string, option: string, value: unknown): number => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw mistake(`${calledAs}: ${option} must be a whole number, 1 or more, but it is ${show(value)}`, { option })
  }
  return value
}

/** Milliseconds, more than 0 and finite. */
export const checkPeriod = (calledAs: string, option: string, value: unknown): number => {
  const found = millis(calledAs, option, value)
  if (found === 0 || found === Infinity) {
    throw mistake(`${calledAs}: ${option} must be more than 0 and less than Infinity`, { option })
  }
  return found
}

export interface Time {
  /** Milliseconds since an arbitrary time. It never runs backwards, and tests can set it. */
  readonly now: Effect.Effect<number>
  /** Waits. Afterwards, `now` has advanced by as much, even if `Date` stands still. */
  readonly sleep: (millis: number) => Effect.Effect<void>
}

/** How long `Date` may stand still before it counts as frozen. A private browser rounds it to 100 ms. */
const longestTick = 200

export const makeTime = (): Time => {
  // Adds up the steps of `Date`, which fake timers replace; a step backwards counts as zero. Steps are measured per clock: a
  // policy can be used under several clocks, whose difference is not elapsed time.
  const seen = new WeakMap<Clock.Clock, { readonly date: number; readonly monotonic: number }>()
  let passed = 0
  /** The time that waits have taken, by their timers. */
  let slept = 0
  const now = Clock.clockWith((clock) =>
    Effect.sync(() => {
      const date = nowOf(clock)
      const monotonic = isLive(clock) ? performance.now() : 0
      const last = seen.get(clock)
      const still = date === last?.date ? monotonic - last.monotonic : 0
      if (date !== last?.date || still > longestTick) {
        passed += Math.max(0, date - (last?.date ?? date), still)
        seen.set(clock, { date, monotonic })
      }
      return Math.max(passed, slept)
    })
  )
  return {
    now,
    sleep: (millis) =>
      Effect.flatMap(now, (before) =>
        Effect.map(Effect.sleep(millis), () => {
          slept = Math.max(slept, before + millis)
        })
      )
  }
}

/** The time of a store, which several rate limits can share. */
export const timeOf = /*#__PURE__*/ memoize((_store: object) => makeTime())

/** In a Cloudflare Worker, a call must not wait for a call of another request, which may have ended. */
export const isCloudflareWorker = (): boolean =>
  (globalThis.navigator as WorkerNavigator | undefined)?.userAgent === "Cloudflare-Workers"

/** Whether the request certainly had no effect. */
export const isRefusal = (error: AttemptError): boolean =>
  error._tag === "ClientRestError" && error.status >= 400 && error.status < 500

/** A program's own test for "too many requests". */
export type IsThrottle = (error: ClientRestError, call: CatalogCall) => boolean

/** Tests for "too many requests". Not a bare 403, which the service also sends for a private list. */
export const throttleOf = (calledAs: string, given: IsThrottle): IsThrottle => {
  if (typeof given !== "function") {
    throw new TypeError(`${calledAs}: isThrottle must be a function of an error and its call`)
  }
  return (error, call) =>
    error.status === 429 ||
    ((error.status === 403 || error.status === 503) && error.retryAfter !== undefined) ||
    given(error, call)
}
