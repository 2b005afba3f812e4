/**
 * The limits of a call: their defaults, and how they are validated.
 */
import { acceptedDurations, millisOf, showTime } from "../common/duration.js"
import { operationPrefix, mistake, show } from "../common/mistakes.js"

/**
 * The default `timeout`: one request may take 30 000 milliseconds, to the last byte of its response.
 *
 * @example
 * ```ts
 * import { Catalog, DEFAULT_REQUEST_TIMEOUT } from "@catalog-client/core"
 *
 * export const patient = Catalog.forum.boards({ timeout: 2 * DEFAULT_REQUEST_TIMEOUT })
 * ```
 */
export const DEFAULT_REQUEST_TIMEOUT = 30_000

/** A thousand list entries with all fields, the service's largest reply, have about 3 MB. */
const defaultMaxResponseBytes = 8 * 1024 * 1024

/** An option in milliseconds. Throws a `TypeError` that names it. */
export const millis = (calledAs: string | undefined, option: string, value: unknown): number => {
  const found = millisOf(value)
  if (found === undefined) {
    throw mistake(`${operationPrefix(calledAs)}${option} must be ${acceptedDurations}, but it is ${showTime(value)}`, {
      option
    })
  }
  return found
}

const limits = {
  timeout: { default: DEFAULT_REQUEST_TIMEOUT, minimum: 0 },
  totalTimeout: { default: 0, minimum: 0 },
  maxResponseBytes: { default: defaultMaxResponseBytes, minimum: 1 }
}

export type Limit = keyof typeof limits

/** Validates one of the limits of a call, or returns its default. */
export const checkLimit = (name: Limit, given: unknown, operation?: string): number => {
  const limit = limits[name]
  const value = given ?? limit.default
  // Fast path: every call runs this, mostly with numbers.
  if (typeof value === "number" && value >= limit.minimum) {
    return value
  }
  if (name !== "maxResponseBytes") {
    return millis(operation, name, value)
  }
  throw mistake(`${operationPrefix(operation)}${name} must be a number of bytes, 1 or more, but it is ${show(value)}`)
}
