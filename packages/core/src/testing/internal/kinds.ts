/** What the options for tests are: a value of another kind would fail later, or be ignored. */
import { isOther } from "../../internal/common/kind.js"
import { isNamed, show } from "../../internal/common/mistakes.js"
import { checkNames } from "../../internal/common/options.js"

const kinds = {
  any: ["any value", () => true],
  array: ["an array", Array.isArray],
  boolean: ["true or false", (value: unknown) => typeof value === "boolean"],
  function: ["a function", (value: unknown) => typeof value === "function"],
  number: ["a number", (value: unknown) => typeof value === "number"],
  object: ["an object", (value: unknown) => value !== null && isNamed(value) && !isOther(value)],
  string: ["a string", (value: unknown) => typeof value === "string"]
} as const

/** The kinds of all options; `any` is for what is validated elsewhere. */
export type Kinds<O> = { readonly [Name in keyof O]-?: keyof typeof kinds }

/** Throws a `TypeError` for an option that is not known, or of another kind. */
export const checkKinds = <O extends object>(where: string, given: O, known: Kinds<O>): void => {
  checkNames(where, given, known)
  for (const name in known) {
    const [must, is] = kinds[known[name]]
    const value: unknown = given[name]
    if (value !== undefined && !is(value)) {
      throw new TypeError(`${where}: ${name} must be ${must}, but it is ${show(value)}`)
    }
  }
}
