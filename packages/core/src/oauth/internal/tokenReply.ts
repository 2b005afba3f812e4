/**
 * Reads the response of a token endpoint.
 */
import * as Redacted from "effect/Redacted"
import { unsendableIn } from "../../internal/common/mistakes.js"
import type { Secret } from "../../internal/common/secret.js"
import type { Tokens } from "../Tokens.js"

const isToken = (text: unknown): text is string =>
  typeof text === "string" && text.trim() !== "" && unsendableIn(text) === undefined

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
  // Accepted if missing: to reject the reply would lose the session.
  if (token_type !== undefined && !/^bearer$/i.test(typeof token_type === "string" ? token_type : "")) {
    return { invalid: ["token_type"] }
  }
  const isPresent = refresh_token !== undefined && refresh_token !== null
  if (isPresent && !isToken(refresh_token)) {
    return { invalid: ["refresh_token"] }
  }
  const refreshToken = isPresent ? Redacted.make(refresh_token) : previous
  const lifetime = lifetimeOf(expires_in)
  return {
    accessToken: Redacted.make(access_token),
    ...(refreshToken && { refreshToken }),
    clientId,
    obtainedAt,
    ...(lifetime !== undefined && { expiresAt: obtainedAt + lifetime })
  }
}
