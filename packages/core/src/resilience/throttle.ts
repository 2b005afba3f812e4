/**
 * Recognizes responses that mean "too many requests".
 *
 * @since 0.2.0
 */
import * as Option from "effect/Option"
import type { ClientRestError } from "../CatalogError.js"
import type { CatalogCall } from "../CatalogPolicy.js"
import { count, optionsOf } from "./options.js"

/** Whether a response to a call means "too many requests". */
export type Throttle = (error: ClientRestError, call: CatalogCall) => boolean

/**
 * What counts as "too many requests" by default: 429, and 503 or 403 with a `Retry-After`.
 *
 * A bare 403 does not count, since a private list has the same response; {@link throttleOn403} counts it.
 *
 * @example
 * ```ts
 * import { Resilience } from "@catalog-client/core"
 *
 * export const policy = Resilience.retry({
 *   isThrottle: (error) => Resilience.isThrottle(error) || error.code === "slow_down"
 * })
 * ```
 */
export const isThrottle = (error: ClientRestError): boolean =>
  error.status === 429 || ((error.status === 403 || error.status === 503) && error.retryAfter !== undefined)

/**
 * Validates the `isThrottle` of a policy.
 *
 * @internal
 */
export const throttleOf = (where: string, given: Throttle | undefined): Throttle => {
  const throttle = given ?? isThrottle
  if (typeof throttle !== "function") {
    throw new TypeError(`${where}: isThrottle must be a function of an error and its call`)
  }
  return throttle
}

/** Options of {@link throttleOn403}. */
export interface ThrottleOn403Options {
  /** A bare 403 counts only in this many first attempts of a call: 2 by default. In later ones it is an ordinary error. */
  readonly atMost?: number | undefined
}

/**
 * Counts what {@link isThrottle} counts, and a bare 403 too: the live service throttles with it. A private list and a
 * refused credential have the same response, so a bare 403 counts only where the call sends a credential, and only in its
 * first `atMost` attempts.
 *
 * Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const isThrottle = Resilience.throttleOn403({ atMost: 1 })
 *
 * export const catalog = createCatalog({
 *   fetch,
 *   policies: [Resilience.retry({ isThrottle }), Resilience.rateLimit({ limit: 1, interval: "1 second", isThrottle })]
 * })
 * ```
 */
export const throttleOn403 = (options: ThrottleOn403Options = {}): Throttle => {
  const where = "Resilience.throttleOn403"
  const atMost = count(where, "atMost", optionsOf(where, options, { atMost: 1 }).atMost ?? 2)
  return (error, { credentials }) =>
    isThrottle(error) ||
    (error.status === 403 &&
      error.attempts <= atMost &&
      (Option.isSome(credentials.accessToken) || Option.isSome(credentials.clientId)))
}
