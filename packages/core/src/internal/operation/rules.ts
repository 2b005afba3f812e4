/**
 * What is checked before anything is sent: the four rules, and who needs an access token.
 */
import { ClientAuthError, ClientValidationError } from "../../CatalogError.js"
import type { Rule, Token } from "./declaration.js"

/** The name that stands for the owner of the access token. */
export const me = "@me"

/** Whether a user name is `@me`, in any case and with blanks around it. */
export const isMe = (username: unknown): boolean => typeof username === "string" && username.trim().toLowerCase() === me

/** Whether an input was given at all. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const isBlank = (value: unknown): boolean => !isGiven(value) || (typeof value === "string" && value.trim() === "")

const notBlank =
  (rule: 1 | 3 | 4, field: string): Rule =>
  ({ name }, params) =>
    isBlank(params[field]) ? new ClientValidationError({ operation: name, rule, field }) : undefined

/** A search has a keyword. */
export const hasKeyword: Rule = /*#__PURE__*/ notBlank(1, "q")

/** A write changes something. */
export const changes: Rule = ({ name, form = [] }, params) =>
  form.some((input) => isGiven(params[input]))
    ? undefined
    : new ClientValidationError({ operation: name, rule: 2, field: "params" })

/** A profile has an owner. */
export const namesUser: Rule = /*#__PURE__*/ notBlank(3, "username")

/** A list has an owner. */
export const namesListOwner: Rule = /*#__PURE__*/ notBlank(4, "username")

/** An operation that acts for a user. */
export const needsToken: Token = (operation, _, reason) => new ClientAuthError({ operation, reason })

/** An operation that acts for a user where it is about `@me`. */
export const needsTokenForMe: Token = (operation, params, reason) =>
  isMe(params["username"]) ? needsToken(operation, params, reason) : undefined
