/**
 * The checks before anything is sent: the four rules, and which calls need an access token.
 */
import { ClientAuthError, ClientValidationError } from "../../CatalogError.js"
import { isPresent } from "../common/values.js"
import type { Declaration, Params, Rule, TokenRequirement } from "./declaration.js"
import { isMe } from "./inputs.js"
import { ignoredIn } from "./request.js"

const isBlank = (value: unknown): boolean => !isPresent(value) || (typeof value === "string" && value.trim() === "")

const broken = (
  declaration: Declaration,
  params: Params,
  rule: ClientValidationError["rule"],
  field: string
): ClientValidationError => {
  const { input } = ignoredIn(declaration, params)
  const [first, second] = Object.entries(declaration.inputs ?? {}).flatMap(([name, { place }]) =>
    place === "form" ? [name] : []
  )
  return new ClientValidationError({
    operation: declaration.name,
    rule,
    field,
    ...(second !== undefined && { expected: `${first} or ${second}` }),
    ...(input !== undefined && { ignored: input })
  })
}

const notBlank =
  (rule: 1 | 3 | 4, field: string): Rule =>
  (declaration, params) =>
    isBlank(params[field]) ? broken(declaration, params, rule, field) : undefined

export const hasKeyword: Rule = /*#__PURE__*/ notBlank(1, "q")

export const changesSomething: Rule = (declaration, params) =>
  Object.entries(declaration.inputs ?? {}).some(([input, { place }]) => place === "form" && params[input] !== undefined)
    ? undefined
    : broken(declaration, params, 2, "params")

export const namesUser: Rule = /*#__PURE__*/ notBlank(3, "username")

export const namesListOwner: Rule = /*#__PURE__*/ notBlank(4, "username")

/** For an operation that acts for a user. */
export const needsToken: TokenRequirement = (operation, _, missing) => new ClientAuthError({ operation, ...missing })

/** For an operation of which only `@me` is documented: a token for another user's name would lead to a 404. */
export const needsOwnToken: TokenRequirement = (operation, params, missing) =>
  needsToken(operation, params, {
    ...missing,
    ...(missing.reason === "Missing" && { expected: '"@me", the owner of the access token' })
  })

/** For an operation that acts for a user only with `@me`. */
export const needsTokenForMe: TokenRequirement = (operation, params, missing) =>
  isMe(params["username"]) ? needsToken(operation, params, missing) : undefined
