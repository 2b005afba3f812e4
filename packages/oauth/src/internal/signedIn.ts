/**
 * The tokens of a signed-in user, as a session has them in memory.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AttemptError, type Secret, reveal } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"

export const minute = 60_000
const day = 24 * 60 * minute

/** A slot of a session. It fails with the error of the request for tokens. */
export type SessionSlot = Effect.Effect<Option.Option<Secret>, AttemptError>

export interface SignedIn {
  readonly tokens: Tokens
  /** Returns the access token. */
  readonly slot: SessionSlot
  /** When the tokens are refreshed: milliseconds since 1970. */
  readonly refreshAt: number
  /** The number of failed refreshes. */
  failures: number
  /** When the next one may be tried, while the access token has not expired. */
  retryAt: number
  /** Whether the tokens replace an access token that the service has refused. */
  isRenewal: boolean
}

/** When to refresh an access token: early if its lifetime is long, because the refresh token may expire at the same time. */
const refreshTimeOf = ({ expiresAt = Infinity, obtainedAt, refreshToken }: Tokens) => {
  if (refreshToken === undefined || expiresAt === Infinity) {
    return expiresAt
  }
  const half = Math.max(0, expiresAt - obtainedAt) / 2
  // Never in the first half, or a short-lived token would be refreshed all the time.
  return expiresAt - Math.min(half, 2 * half > day ? half : minute)
}

export const signedIn = (tokens: Tokens): SignedIn => ({
  tokens,
  slot: Effect.succeed(Option.some(tokens.accessToken)),
  refreshAt: refreshTimeOf(tokens),
  failures: 0,
  retryAt: -Infinity,
  isRenewal: false
})

/** A token without the scheme of its header. */
const bare = (token: Secret): string =>
  reveal(token)
    .trim()
    .replace(/^bearer +/i, "")

/** Whether an access token is that of the tokens. */
export const hasAccessToken = ({ accessToken }: Tokens, token: Secret): boolean => bare(accessToken) === bare(token)
