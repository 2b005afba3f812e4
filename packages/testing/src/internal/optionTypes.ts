/** What the options for tests are: a value of another type would fail later, or be ignored. */
import { checkNames, isOptions, show } from "@catalog-client/core/internal"

const types = {
  any: ["any value", () => true],
  array: ["an array", Array.isArray],
  boolean: ["true or false", (value: unknown) => typeof value === "boolean"],
  function: ["a function", (value: unknown) => typeof value === "function"],
  number: ["a number", (value: unknown) => typeof value === "number"],
  object: ["an object", isOptions],
  string: ["a string", (value: unknown) => typeof value === "string"]
} as const

type Type = readonly [must: string, is: (value: unknown) => boolean]

/** The types of all options, or the values that one can have; `any` is for what is validated elsewhere. */
export type OptionTypes<O> = { readonly [Name in keyof O]-?: keyof typeof types | ReadonlyArray<O[Name]> }

const typeOf = (known: keyof typeof types | ReadonlyArray<unknown>): Type =>
  typeof known === "string" ? types[known] : [`one of ${known.map(show).join(", ")}`, (value) => known.includes(value)]

/** Throws a `TypeError` for an option that is not known, or of another type. */
export const checkTypes = <O extends object>(
  calledAs: string,
  given: Partial<Record<keyof O, unknown>>,
  known: OptionTypes<O>
): void => {
  checkNames(calledAs, given, known)
  for (const name in known) {
    const [must, is] = typeOf(known[name])
    const value = given[name]
    if (value !== undefined && !is(value)) {
      throw new TypeError(`${calledAs}: ${name} must be ${must}, but it is ${show(value)}`)
    }
  }
}
