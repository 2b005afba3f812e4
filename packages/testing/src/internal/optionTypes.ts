/** Validates the types of options for tests: a value of another type would fail later, or be ignored. */
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

const typeOf = (type: keyof typeof types | ReadonlyArray<unknown>): Type =>
  typeof type === "string" ? types[type] : [`one of ${type.map(show).join(", ")}`, (value) => type.includes(value)]

/** Throws a `TypeError` for an option that is not known, or of another type. */
export const checkTypes = <O extends object>(
  calledAs: string,
  options: Partial<Record<keyof O, unknown>>,
  optionTypes: OptionTypes<O>
): void => {
  checkNames(calledAs, options, optionTypes)
  for (const name in optionTypes) {
    const [must, is] = typeOf(optionTypes[name])
    const value = options[name]
    if (value !== undefined && !is(value)) {
      throw new TypeError(`${calledAs}: ${name} must be ${must}, but it is ${show(value)}`)
    }
  }
}
