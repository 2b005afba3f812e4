/**
 * Reads the response of a token endpoint.
 */
import * as Redacted from "effect/Redacted"
import { type Secret, unsendableIn } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"

/** Some services send an empty string in place of a missing member. */
const isMissing = (value: unknown) =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "")

const isToken = (text: unknown): text is string =>
  typeof text === "string" && !isMissing(text) && unsendableIn(text) === undefined

/** The lifetime of the access token in milliseconds, if the reply has a valid one. */
const lifetimeOf = (expiresIn: unknown): number | undefined => {
  const seconds = typeof expiresIn === "string" && /^\s*\d+\s*$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER / 2) : undefined
}

/** The tokens in a reply, with the previous refresh token if there is no new one; or the path of an invalid member. */
export const readTokens = (
  json: unknown,
  clientId: string,
  obtainedAt: number,
  previous?: Secret
): ConstructorParameters<typeof Tokens>[0] | { readonly invalid: ReadonlyArray<string> } => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { invalid: [] }
  }
  const { access_token, refresh_token, token_type, expires_in } = json as { readonly [name: string]: unknown }
  if (!isToken(access_token)) {
    return { invalid: ["access_token"] }
  }
  // A missing type is accepted: to reject the reply would lose the session.
  if (!isMissing(token_type) && !(typeof token_type === "string" && /^bearer$/i.test(token_type))) {
    return { invalid: ["token_type"] }
  }
  const isNew = isToken(refresh_token)
  if (!isNew && !isMissing(refresh_token)) {
    return { invalid: ["refresh_token"] }
  }
  const refreshToken = isNew ? Redacted.make(refresh_token) : previous
  const lifetime = lifetimeOf(expires_in)
  return {
    accessToken: Redacted.make(access_token),
    ...(refreshToken && { refreshToken }),
    clientId,
    obtainedAt,
    ...(lifetime !== undefined && { expiresAt: obtainedAt + lifetime })
  }
}
