/**
 * Mistakes of the program: their `TypeError`s, how these show a value, and the checks that several modules need.
 */
import { describeValue } from "./describe.js"
import { isPresent, printable, stringIn } from "./values.js"

/** The option that caused each mistake, if an option did. */
const optionOfMistake = new WeakMap<object, string | undefined>()

interface MistakeOptions extends ErrorOptions {
  /** The option with the invalid value, for {@link optionIn}. */
  readonly option?: string
}

/**
 * A bug in the program's call: an input that cannot be sent, an invalid option. It is a plain `TypeError`, which
 * {@link isMistake} distinguishes from a `TypeError` of a policy or a transport. Code that does not know the operation throws a
 * `TypeError`, and `forCall` turns it into a mistake that names the operation.
 */
export const mistake = (message: string, options?: MistakeOptions): TypeError => {
  const error = new TypeError(message, options)
  optionOfMistake.set(error, options?.option)
  return error
}

/** Whether `mistake` made an error. */
export const isMistake = (error: unknown): error is TypeError =>
  typeof error === "object" && error !== null && optionOfMistake.has(error)

/** The option of a policy that caused a mistake. */
export const optionIn = (error: unknown): string | undefined =>
  isMistake(error) ? optionOfMistake.get(error) : undefined

/** Runs a check of a call's option, and makes its `TypeError` a mistake that names the operation. */
export const forCall = <A>(operation: string, validate: () => A): A => {
  try {
    return validate()
  } catch (error) {
    throw mistake(`${operation}: ${stringIn(error, "message")}`)
  }
}

/** Characters of a string that a message shows. */
const maxShownLength = 200

/** How a message shows an invalid value or an unknown name. A server may have received it from a stranger, so it is escaped. */
export const show = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return printable(JSON.stringify(value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value))
    case "number":
    case "boolean":
    case "undefined":
      return String(value)
    default:
      return value === null ? "null" : Array.isArray(value) ? "an array" : describeValue(value)
  }
}

/** How a message names a value in JSON. */
export const foundIn = (value: unknown): string => {
  switch (typeof value) {
    case "undefined":
      return "nothing"
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object"
    case "number":
      return Number.isFinite(value) ? "a number" : "a number that is too large"
    default:
      return `a ${typeof value}`
  }
}

/** Whether a value is an object with properties. A `Map` or `Headers` is not, because its entries would be ignored. */
export const hasProperties = (given: unknown): given is { readonly [name: string]: unknown } =>
  typeof given === "object" && given !== null && !(Symbol.iterator in given)

/** Validates that the named members, if present, are functions. Throws a `TypeError` that names the member. */
export const checkFunctions = <O extends object>(what: string, given: O, names: ReadonlyArray<keyof O & string>): O => {
  const wrong = names.find((name) => typeof (given[name] ?? show) !== "function")
  if (!hasProperties(given) || wrong !== undefined) {
    const but = wrong === undefined ? "" : `, but ${wrong} is ${show(given[wrong])}`
    throw new TypeError(`${what} must be an object of functions${but}`)
  }
  return given
}

/**
 * The first character of a credential that is invisible or invalid in a header, for example `U+200B`, which comes with a copied
 * value.
 */
export const unsendableIn = (text: string): string | undefined => {
  const found = /(?! )[\p{C}\p{Z}\p{DI}]|[^\0-\xff]/u.exec(text)?.[0].codePointAt(0)
  return found === undefined ? found : `U+${found.toString(16).toUpperCase().padStart(4, "0")}`
}

/** The beginning of a message about an option of a call, or of a default. */
export const operationPrefix = (operation: string | undefined): string =>
  operation === undefined ? "" : `${operation}: `

/** Validates the `nsfw` option. */
export const checkNsfw = (given: unknown, operation?: string): boolean | undefined => {
  if (!isPresent(given)) {
    return undefined
  }
  if (typeof given === "boolean") {
    return given
  }
  throw mistake(`${operationPrefix(operation)}nsfw must be true or false, but it is ${show(given)}`)
}

/** By its shape: a signal of another window has another class. */
const isSignal = (value: unknown): value is AbortSignal =>
  typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value

/** Validates the signal of a call. */
export const checkSignal = (given: unknown, operation?: string): AbortSignal | undefined => {
  if (!isPresent(given)) {
    return undefined
  }
  if (isSignal(given)) {
    return given
  }
  throw mistake(
    `${operationPrefix(operation)}signal must be an AbortSignal, for example an AbortController's signal, but it is ${show(given)}`
  )
}
