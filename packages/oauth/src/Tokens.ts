/**
 * The tokens of a sign-in.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import { mistake } from "@catalog-client/core/internal"
import { readTokens } from "./internal/tokenReply.js"

/** Tokens in the words of OAuth 2.0: what a token endpoint responds with, and what other libraries store. */
export interface TokenResponse {
  readonly access_token: string
  /** Redeemed for new tokens. Without it, the sign-in ends when the access token expires. */
  readonly refresh_token?: string | null | undefined
  /** The lifetime of the access token in seconds. Without it, the access token is used until the service refuses it. */
  readonly expires_in?: number | string | null | undefined
  /** `Bearer`, in any case. */
  readonly token_type?: string | undefined
}

/** Options of `Tokens.from`. */
export interface TokensFromOptions {
  /** The client that the tokens were issued to. By default, the client of the session that signs in with them. */
  readonly clientId?: string | undefined
  /** When they were received: milliseconds since 1970. Now by default. */
  readonly obtainedAt?: number | undefined
}

/**
 * The tokens of one user, as received from a sign-in or a refresh.
 *
 * The encoded form contains the secrets as plain text: keep it only in a safe place. Printed, they are redacted.
 *
 * @example
 * ```ts
 * import { OAuthSession, Tokens } from "@catalog-client/oauth"
 * import { Effect } from "effect"
 *
 * // Keeps a user signed in whose tokens another library has stored.
 * export const adopt = (stored: { access: string; refresh: string }) =>
 *   Effect.flatMap(OAuthSession, ({ signIn }) =>
 *     signIn(Tokens.from({ access_token: stored.access, refresh_token: stored.refresh, expires_in: 3600 }))
 *   )
 * ```
 */
export class Tokens extends Schema.Class<Tokens>("Tokens")({
  /** What calls send. */
  accessToken: Schema.Redacted(Schema.String),
  /** Redeemed for new tokens. Without it, the sign-in ends when the access token expires. */
  refreshToken: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true }),
  /**
   * The client that the tokens were issued to; `""` if unknown: then it is the client of the session that signs in with them.
   */
  clientId: Schema.String,
  /** When they were received: milliseconds since 1970. */
  obtainedAt: Schema.Number,
  /** When the access token expires: milliseconds since 1970. `undefined` if unknown. */
  expiresAt: Schema.optionalWith(Schema.Number, { exact: true })
}) {
  /**
   * Tokens from plain strings, in the words of OAuth 2.0. Throws a `TypeError` that names an invalid member.
   *
   * @example
   * ```ts
   * import { Tokens, TokenStore } from "@catalog-client/oauth"
   *
   * // A row that another program has written.
   * export const rowOf = (access_token: string, refresh_token: string, obtainedAt: number) =>
   *   TokenStore.encode(
   *     Tokens.from({ access_token, refresh_token, expires_in: 3600 }, { clientId: "my-client-id", obtainedAt })
   *   )
   * ```
   */
  static from(response: TokenResponse, options: TokensFromOptions = {}): Tokens {
    const { clientId = "", obtainedAt = Date.now() } = options
    const members = readTokens(response, clientId, obtainedAt)
    if ("invalid" in members) {
      // Without the value, which can be a secret.
      throw mistake(`Tokens.from: ${members.invalid[0] ?? "access_token"} is missing or invalid`)
    }
    return new Tokens(members)
  }
}
