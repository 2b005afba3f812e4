/**
 * Checks the names of options and inputs: a misspelt one would be ignored.
 */
import { isDeferred } from "./describe.js"
import { hasProperties, mistake, show } from "./mistakes.js"
import { isPresent } from "./values.js"

type Given = { readonly [name: string]: unknown }

/** The names of all options, as an object for `in`: the compiler says which one is missing. The values mean nothing. */
export type NamesOf<O> = { readonly [Name in keyof O]-?: unknown }

/** How many letters of `name` are missing in `other`, in any order and case. */
const countMissingLetters = (name: string, other: string): number =>
  Array.from(other.toLowerCase()).reduce((rest, letter) => rest.replace(letter, ""), name.toLowerCase()).length

/**
 * The end of a message about an unknown name: suggests a known name with nearly the same letters, unless the caller already
 * set it.
 */
export const suggestion = (name: string, known: object, given: Given = {}): string => {
  const other = Object.keys(known).find((other) => {
    const most = Math.min(3, Math.max(2, other.length / 2))
    return (
      Math.abs(name.length - other.length) < most &&
      countMissingLetters(name, other) + countMissingLetters(other, name) < most
    )
  })
  return other === undefined || isPresent(given[other]) ? "" : `: did you mean "${other}"?`
}

const none: ReadonlyArray<string> = []

/** The unknown names of members. A member that is `undefined` or `null` counts as absent. */
export const unknownIn = (given: object, known: object): ReadonlyArray<string> => {
  let unknown: Array<string> | undefined
  // Every call runs this loop.
  for (const name in given) {
    if (!(name in known) && isPresent((given as Given)[name])) {
      unknown ??= []
      unknown.push(name)
    }
  }
  return unknown ?? none
}

/** Whether a value is an object of options: a plain one, or an instance of a class. */
export const isOptions = (given: unknown): boolean =>
  hasProperties(given) && (Object.getPrototypeOf(given) === Object.prototype || !isDeferred(given))

/**
 * Throws a `TypeError` unless a value is an object of options.
 *
 * @public for catalog-client
 */
export const checkObject = (calledAs: string, given: object): void => {
  if (!isOptions(given)) {
    throw mistake(`${calledAs} takes an object of options, but got ${show(given)}`)
  }
}

/** Like `suggestion`, also for the last word of an option (`token` is `accessToken`), and for an API key. */
const optionLike = (name: string, known: object): string => {
  const meant = name.toLowerCase().replace(/^.*key/, "clientid")
  const whole = Object.keys(known).find((other) => other.toLowerCase().endsWith(meant))
  return suggestion(whole ?? name, known)
}

/** Throws a `TypeError` for an unknown option. If it is one of the `inputs`, the message says that it belongs in the params. */
export const checkKnown = (calledAs: string, given: object, known: object, inputs: object = {}): void => {
  const [name] = unknownIn(given, known)
  if (name !== undefined) {
    const hint =
      name in inputs
        ? ": pass it in the params, the first object"
        : optionLike(name, known) || `: it takes ${Object.keys(known).join(", ")}`
    throw mistake(`${calledAs} has no option ${show(name)}${hint}`)
  }
}

/** Throws a `TypeError` unless a value is an object of known options. */
export const checkNames = (calledAs: string, given: object, known: object): void => {
  checkObject(calledAs, given)
  checkKnown(calledAs, given, known)
}
