/**
 * The tokens of a sign-in.
 *
 * @since 0.2.0
 */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { mistake, strangeIn } from "../internal/common/mistakes.js"

/** Tokens in the words of OAuth 2.0: what a token endpoint responds with, and what other libraries store. */
export interface TokenResponse {
  readonly access_token: string
  /** Redeemed for new tokens; many services accept it once. Without it, the sign-in ends when the access token expires. */
  readonly refresh_token?: string | null | undefined
  /** The lifetime of the access token in seconds. Without it, the access token is used until the service refuses it. */
  readonly expires_in?: number | string | null | undefined
  /** `Bearer`, in any case. */
  readonly token_type?: string | undefined
}

/** Options of `Tokens.from`. */
export interface TokensFromOptions {
  /** The client that the tokens were issued to. By default, that of the session that signs in with them. */
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
 * import { type Session, Tokens } from "@catalog-client/core/oauth"
 *
 * // Keeps a user signed in whose tokens another library has stored.
 * export const adopt = (session: Session, stored: { access: string; refresh: string }) =>
 *   session.signIn(Tokens.from({ access_token: stored.access, refresh_token: stored.refresh, expires_in: 3600 }))
 * ```
 */
export class Tokens extends Schema.Class<Tokens>("Tokens")({
  /** What calls send; empty after the service has refused the refresh token. */
  accessToken: Schema.Redacted(Schema.String),
  /** Redeemed for new tokens; many services accept it once. Without it, the sign-in ends when the access token expires. */
  refreshToken: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true }),
  /** The client that the tokens were issued to; `""` if unknown: then it is that of the session that signs in with them. */
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
   * import { Tokens, TokenStore } from "@catalog-client/core/oauth"
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
    const tokens = tokensIn(response, clientId, obtainedAt)
    if (tokens instanceof Tokens) {
      return tokens
    }
    // Without the value, which can be a secret.
    throw mistake(`Tokens.from: ${tokens[0] ?? "access_token"} is missing or invalid`)
  }
}

const made = (
  accessToken: Redacted.Redacted<string>,
  refreshToken: Redacted.Redacted<string> | undefined,
  clientId: string,
  obtainedAt: number,
  expiresAt?: number
): Tokens =>
  new Tokens({
    accessToken,
    ...(refreshToken && { refreshToken }),
    clientId,
    obtainedAt,
    ...(expiresAt !== undefined && { expiresAt })
  })

/** Milliseconds from now until the access token expires, if the reply has a valid value. */
const lifeIn = (expiresIn: unknown): number | undefined => {
  const seconds = typeof expiresIn === "string" && /^\s*\d+\s*$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER / 2) : undefined
}

/**
 * The tokens in a reply, or the invalid member.
 *
 * @internal
 */
export const tokensIn = (
  json: unknown,
  clientId: string,
  now: number,
  previous?: Redacted.Redacted<string>
): Tokens | ReadonlyArray<string> => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return []
  }
  const { access_token, refresh_token, token_type, expires_in } = json as { readonly [name: string]: unknown }
  const isToken = (text: unknown): text is string =>
    typeof text === "string" && text.trim() !== "" && strangeIn(text) === undefined
  if (!isToken(access_token)) {
    return ["access_token"]
  }
  // If missing, it can only be this one, and to reject the reply would lose the session.
  if (token_type !== undefined && !/^bearer$/i.test(typeof token_type === "string" ? token_type : "")) {
    return ["token_type"]
  }
  const isPresent = refresh_token !== undefined && refresh_token !== null
  if (isPresent && !isToken(refresh_token)) {
    return ["refresh_token"]
  }
  const refreshToken = isPresent ? Redacted.make(refresh_token) : previous
  const life = lifeIn(expires_in)
  return made(Redacted.make(access_token), refreshToken, clientId, now, life && now + life)
}

/**
 * The same tokens, of a known client.
 *
 * @internal
 */
export const issuedTo = (clientId: string, { accessToken, expiresAt, obtainedAt, refreshToken }: Tokens): Tokens =>
  made(accessToken, refreshToken, clientId, obtainedAt, expiresAt)

/** The strings that identify tokens. */
const textsOf = (tokens: Tokens | undefined): string =>
  tokens === undefined
    ? ""
    : JSON.stringify([
        Redacted.value(tokens.accessToken),
        tokens.refreshToken === undefined ? "" : Redacted.value(tokens.refreshToken)
      ])

/**
 * Whether two values are the same tokens.
 *
 * @internal
 */
export const areSame = (one: Tokens | undefined, other: Tokens | undefined): boolean => textsOf(one) === textsOf(other)

/**
 * What a session stores in place of tokens that the service has refused: a value without an access token, which names them by
 * their refresh token.
 *
 * @internal
 */
export const tombstoneOf = ({ clientId, obtainedAt, refreshToken }: Tokens): Tokens =>
  made(Redacted.make(""), refreshToken, clientId, obtainedAt)

/** @internal */
export const isTombstone = (stored: Tokens): boolean => Redacted.value(stored.accessToken) === ""

/** @internal */
export const isTombstoneOf = (stored: Tokens | undefined, tokens: Tokens | undefined): boolean =>
  stored !== undefined && isTombstone(stored) && tokens !== undefined && areSame(stored, tombstoneOf(tokens))
