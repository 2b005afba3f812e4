import type { Redacted } from "../Redacted.js"

/** Tokens in the words of OAuth 2.0: what a token endpoint responds with, and what other libraries store. */
export interface TokenResponse {
  readonly access_token: string
  /** Can be redeemed once for new tokens. Without it, the sign-in ends when the access token expires. */
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

/** The tokens of a user. Printing them shows none. */
export declare class Tokens {
  constructor(props: Pick<Tokens, "accessToken" | "refreshToken" | "clientId" | "obtainedAt" | "expiresAt">)
  /** What calls send; empty after the service has refused the refresh token. */
  readonly accessToken: Redacted
  /** Can be redeemed once for new tokens. Without it, the sign-in ends when the access token expires. */
  readonly refreshToken?: Redacted
  /** The client that the tokens were issued to; `""` if unknown: then it is that of the session that signs in with them. */
  readonly clientId: string
  /** When they were received: milliseconds since 1970. */
  readonly obtainedAt: number
  /** When the access token expires: milliseconds since 1970. `undefined` if unknown. */
  readonly expiresAt?: number
  /** Tokens from plain strings, in the words of OAuth 2.0. Throws a `TypeError` that names an invalid member. */
  static from(response: TokenResponse, options?: TokensFromOptions): Tokens
}
