/**
 * `@catalog-client/oauth` for the tests that run against `catalog-client`.
 */
import * as core from "@catalog-client/oauth"
import * as own from "catalog-client/oauth"

export * from "@catalog-client/oauth"
export { createSession, createSessions, PendingAuthorization, Tokens, UnreadableTokens } from "catalog-client/oauth"

/** Of tokens of `catalog-client`. */
export const TokenStore = Object.assign(Object.create(core.TokenStore) as object, own.TokenStore)
