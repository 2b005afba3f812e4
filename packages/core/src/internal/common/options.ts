/**
 * Checks the names of options: a misspelt option would be ignored.
 */
import { isPresent, mistake } from "./mistakes.js"

/** The options that a function takes. Their values do not matter. */
export type Known<O> = { readonly [Name in keyof O]-?: unknown }

/** How many letters of a name another one lacks, in any order and case. */
const lacking = (name: string, other: string): number =>
  Array.from(other.toLowerCase()).reduce((rest, letter) => rest.replace(letter, ""), name.toLowerCase()).length

/** Throws a `TypeError` for an option that is not known; one that is `undefined` or `null` counts as absent. */
export const checkNames = (where: string, given: object, known: object): void => {
  // Every call runs this loop.
  for (const name in given) {
    if (!(name in known) && isPresent((given as { readonly [name: string]: unknown })[name])) {
      const nearest = Object.keys(known).find((other) => lacking(name, other) + lacking(other, name) < 3)
      throw mistake(`${where} has no option "${name}"${nearest === undefined ? "" : `: did you mean "${nearest}"?`}`)
    }
  }
}
