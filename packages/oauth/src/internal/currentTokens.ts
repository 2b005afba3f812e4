/**
 * The tokens that calls use now, and when a session refreshes them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AttemptError, type Secret, reveal } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"

export const minute = 60_000
const day = 24 * 60 * minute

/** The access token of a session, as a slot: it fails with the error of a refresh. */
export type SessionSlot = Effect.Effect<Option.Option<Secret>, AttemptError>

export interface CurrentTokens {
  readonly tokens: Tokens
  readonly accessToken: SessionSlot
  /** When the access token expires, in milliseconds since 1970, or `Infinity`. */
  readonly expiresAt: number
  /** When to refresh the tokens, in milliseconds since 1970. */
  readonly refreshAt: number
  /** The number of refreshes that have failed. */
  failures: number
  /** When to try the next refresh, if the access token has not expired by then. */
  retryAt: number
  /** Whether these tokens replace an access token that the service has refused. */
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

export const currentTokens = (tokens: Tokens): CurrentTokens => ({
  tokens,
  accessToken: Effect.succeed(Option.some(tokens.accessToken)),
  expiresAt: tokens.expiresAt ?? Infinity,
  refreshAt: refreshTimeOf(tokens),
  failures: 0,
  retryAt: -Infinity,
  isRenewal: false
})

/** When a call refreshes the tokens: later after failed refreshes, as long as the access token lives. */
export const dueAt = ({ expiresAt, refreshAt, retryAt }: CurrentTokens): number =>
  Math.max(refreshAt, Math.min(retryAt, expiresAt))

/** A token without `Bearer`, the scheme of its header. */
const withoutScheme = (token: Secret): string =>
  reveal(token)
    .trim()
    .replace(/^bearer +/i, "")

/** Whether an access token belongs to these tokens. */
export const hasAccessToken = ({ accessToken }: Tokens, token: Secret): boolean =>
  withoutScheme(accessToken) === withoutScheme(token)
