/**
 * Validates the program's values, options and headers.
 */
import * as Duration from "effect/Duration"
import { textIn } from "./cause.js"

const mistakes = new WeakSet<object>()

/**
 * A bug in the program's call: an input that cannot be sent, an invalid option. It is a plain `TypeError`, which {@link
 * isMistake} tells from those of a policy or a transport.
 */
export const mistake = (message: string, options?: ErrorOptions): TypeError => {
  const error = new TypeError(message, options)
  mistakes.add(error)
  return error
}

/** Whether an error is a mistake of the program in a call. */
export const isMistake = (error: unknown): error is TypeError =>
  typeof error === "object" && error !== null && mistakes.has(error)

/** Validates an option of a call: a `TypeError` names the operation. */
export const forCall = <A>(operation: string, validate: () => A): A => {
  try {
    return validate()
  } catch (error) {
    throw mistake(`${operation}: ${textIn(error, "message")}`)
  }
}

/**
 * How a message shows an invalid value.
 */
export const show = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value)
    case "number":
    case "boolean":
    case "undefined":
      return String(value)
    default:
      return value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
  }
}

/**
 * Whether a value is a plain options object. A `Map` or `Headers` is not, since its entries would be ignored; `null` counts
 * as not given.
 */
export const isNamed = (given: unknown): given is { readonly [name: string]: unknown } =>
  typeof given === "object" && (given === null || !(Symbol.iterator in given))

/**
 * Validates that the named members, if present, are functions. Throws a `TypeError` that names the member.
 */
export const checkFunctions = <O extends object>(what: string, given: O, names: ReadonlyArray<keyof O & string>): O => {
  const wrong = names.find((name) => typeof (given[name] ?? show) !== "function")
  if (typeof given !== "object" || wrong !== undefined) {
    const but = wrong === undefined ? "" : `, but ${wrong} is ${show(given[wrong])}`
    throw new TypeError(`${what} must be an object of functions${but}`)
  }
  return given
}

/**
 * Whether a text is valid in a header: no control characters and nothing beyond Latin-1.
 */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/**
 * The default `timeout`: one exchange may take 30 000 milliseconds, to the last byte of its response. `totalTimeout`
 * bounds the whole call, with its retries and waits.
 *
 * @example
 * ```ts
 * import { Catalog, DEFAULT_REQUEST_TIMEOUT } from "@catalog-client/core"
 *
 * export const patient = Catalog.forum.boards({ timeout: 2 * DEFAULT_REQUEST_TIMEOUT })
 * ```
 */
export const DEFAULT_REQUEST_TIMEOUT = 30_000

/**
 * The default `maxResponseBytes`: the body of a response may have 64 MiB. The largest replies of the service, a thousand
 * list entries with all their fields, have about 3 MB.
 *
 * @example
 * ```ts
 * import { Catalog, DEFAULT_MAX_RESPONSE_BYTES } from "@catalog-client/core"
 *
 * export const careful = Catalog.forum.boards({ maxResponseBytes: DEFAULT_MAX_RESPONSE_BYTES / 64 })
 * ```
 */
export const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** The input that {@link millisOf} accepts, for messages. */
export const duration = 'a number of milliseconds, 0 or more, or a Duration like "5 seconds"'

/** A duration in milliseconds; `undefined` if it is invalid. */
export const millisOf = (value: unknown): number | undefined => {
  try {
    // `Duration` would read -1, "-1 seconds" and [NaN, 0] as zero.
    return /(^|,)-|NaN/.test(String(value)) ? undefined : Duration.toMillis(value as Duration.DurationInput)
  } catch {
    return undefined
  }
}

/** The limits of a call: the default and the smallest number allowed. */
const limits = {
  timeout: { usual: DEFAULT_REQUEST_TIMEOUT, least: 0 },
  totalTimeout: { usual: 0, least: 0 },
  maxResponseBytes: { usual: DEFAULT_MAX_RESPONSE_BYTES, least: 1 }
}

const at = (operation: string | undefined): string => (operation === undefined ? "" : `${operation}: `)

export type Limit = keyof typeof limits

/**
 * Validates one of the limits of a call, or returns its default.
 */
export const limitOf = (name: Limit, given: unknown, operation?: string): number => {
  const { usual, least } = limits[name]
  const value = given ?? usual
  // Fast path: every call runs this, mostly with numbers.
  if (typeof value === "number" && value >= least) {
    return value
  }
  const isTime = name !== "maxResponseBytes"
  const millis = isTime ? millisOf(value) : undefined
  if (millis === undefined) {
    const must = isTime ? duration : "a number of bytes, 1 or more"
    throw mistake(`${at(operation)}${name} must be ${must}, but it is ${show(value)}`)
  }
  return millis
}

/** Not `instanceof`: a signal of another window has another class. */
const isSignal = (value: unknown): value is AbortSignal =>
  typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value

/**
 * Validates the signal of a call.
 */
export const signalOf = (given: unknown, operation?: string): AbortSignal | undefined => {
  if (given === undefined || given === null || isSignal(given)) {
    return given ?? undefined
  }
  throw mistake(
    `${at(operation)}signal must be an AbortSignal, for example an AbortController's signal, but it is ${show(given)}`
  )
}
