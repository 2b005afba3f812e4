/**
 * The checks before anything is sent: the four rules, and which calls need an access token.
 */
import { ClientAuthError, ClientValidationError } from "../../CatalogError.js"
import { isPresent } from "../common/values.js"
import type { Rule, TokenRequirement } from "./declaration.js"
import { isMe } from "./inputs.js"

const isBlank = (value: unknown): boolean => !isPresent(value) || (typeof value === "string" && value.trim() === "")

const notBlank =
  (rule: 1 | 3 | 4, field: string): Rule =>
  ({ name }, params) =>
    isBlank(params[field]) ? new ClientValidationError({ operation: name, rule, field }) : undefined

export const hasKeyword: Rule = /*#__PURE__*/ notBlank(1, "q")

export const changesSomething: Rule = ({ inputs = {}, name }, params) =>
  Object.entries(inputs).some(([input, { place }]) => place === "form" && isPresent(params[input]))
    ? undefined
    : new ClientValidationError({ operation: name, rule: 2, field: "params" })

export const namesUser: Rule = /*#__PURE__*/ notBlank(3, "username")

export const namesListOwner: Rule = /*#__PURE__*/ notBlank(4, "username")

/** For an operation that acts for a user. */
export const needsToken: TokenRequirement = (operation, _, missing) => new ClientAuthError({ operation, ...missing })

/** For an operation that acts for a user only with `@me`. */
export const needsTokenForMe: TokenRequirement = (operation, params, missing) =>
  isMe(params["username"]) ? needsToken(operation, params, missing) : undefined
