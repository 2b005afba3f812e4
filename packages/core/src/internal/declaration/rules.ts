/**
 * The checks before anything is sent: the rules of operations, and which calls need an access token.
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
  facts: Pick<ClientValidationError, "reason" | "field"> & { readonly expected?: string }
): ClientValidationError => {
  const [ignored] = ignoredIn(declaration, params)
  return new ClientValidationError({ operation: declaration.name, ...facts, ...(ignored && { ignored }) })
}

const notBlank =
  (reason: ClientValidationError["reason"], field: string): Rule =>
  (declaration, params) =>
    isBlank(params[field]) ? broken(declaration, params, { reason, field }) : undefined

export const hasKeyword: Rule = /*#__PURE__*/ notBlank("EmptyKeyword", "q")

export const changesSomething: Rule = (declaration, params) => {
  const { inputs = {} } = declaration
  const fields = Object.keys(inputs).filter((name) => inputs[name]?.place === "form")
  return fields.some((name) => params[name] !== undefined)
    ? undefined
    : broken(declaration, params, {
        reason: "NothingToChange",
        field: "params",
        expected: fields.slice(0, 2).join(" or ")
      })
}

export const namesUser: Rule = /*#__PURE__*/ notBlank("EmptyUsername", "username")

/** For an operation that acts for a user. */
export const needsToken: TokenRequirement = (operation, _, whyNoToken) =>
  new ClientAuthError({ operation, ...whyNoToken })

/** For an operation of which only `@me` is documented: a token for another user's name would lead to a 404. */
export const needsOwnToken: TokenRequirement = (operation, params, whyNoToken) =>
  needsToken(
    operation,
    params,
    whyNoToken.reason === "Missing" ? { ...whyNoToken, expected: '"@me", the owner of the access token' } : whyNoToken
  )

/** For an operation that acts for a user only with `@me`. */
export const needsTokenForMe: TokenRequirement = (operation, params, whyNoToken) =>
  isMe(params["username"]) ? needsToken(operation, params, whyNoToken) : undefined
