/**
 * Validates the options of policies.
 */
import { show } from "../internal/common/mistakes.js"
import { checkNames, type Known } from "../internal/common/options.js"
import { millis } from "../limits.js"

/**
 * The options object; `null` counts as absent. Throws a `TypeError` if it is not an object, and for an option that is not
 * known.
 */
export const optionsOf = <O extends object>(where: string, given: O, known: Known<O>): O => {
  const options: object = given ?? {}
  if (typeof options !== "object") {
    throw new TypeError(`${where} takes an object of options, but got ${show(given)}`)
  }
  // A policy that was not made yet is called with a call, which has a message for that.
  if (!("operation" in options)) {
    checkNames(where, options, known)
  }
  return options as O
}

/** A whole number, 1 or more. Throws a `TypeError` that names the option. */
export const count = (where: string, option: string, value: unknown): number => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw new TypeError(`${where}: ${option} must be a whole number, 1 or more, but it is ${show(value)}`)
  }
  return value
}

/** Milliseconds, more than 0 and finite. */
export const period = (where: string, option: string, value: unknown): number => {
  const found = millis(where, option, value)
  if (found === 0 || found === Infinity) {
    throw new TypeError(`${where}: ${option} must be more than 0 and less than Infinity`)
  }
  return found
}

/** One of a few words. */
export const word = <W extends string>(where: string, option: string, words: ReadonlyArray<W>, value: unknown): W => {
  const found = words.find((known) => known === value)
  if (found === undefined) {
    throw new TypeError(
      `${where}: ${option} must be ${words.map((known) => JSON.stringify(known)).join(" or ")}, but it is ${show(value)}`
    )
  }
  return found
}
