/**
 * The access token of a session for a call, and the refresh that it may need: before the call if the token is due, or after it
 * if the service has refused the token.
 */
import * as Effect from "effect/Effect"
import type { HttpClient } from "@effect/platform/HttpClient"
import { type AttemptError, type Secret, Values } from "@catalog-client/core/internal"
import { type CurrentTokens, dueAt, hasAccessToken, minute, type SessionSlot } from "./currentTokens.js"
import { isProgramsFault, isRefreshTokenDead, refreshTokens } from "./request.js"
import type { SessionState } from "./sessionState.js"

export interface TokenRefresh {
  /** The access token in memory, which costs no effect; `undefined` if the store must be read, or the token refreshed, first. */
  readonly tokenInMemory: () => SessionSlot | undefined
  /** The access token, after a refresh if it is due. */
  readonly accessToken: SessionSlot
  /** The access token to use instead of the one that the service has refused. */
  readonly renew: (refused: Secret) => SessionSlot
  /** Refreshes the tokens, once for all callers. */
  readonly sharedRefresh: Effect.Effect<void, AttemptError>
}

/** The refresh of a session's tokens. */
export const makeTokenRefresh = (state: SessionState): TokenRefresh => {
  const { client, shared, store } = state

  /** Logs a failed refresh, once until a refresh succeeds. */
  const warnOf = (error: AttemptError, consequence = ""): Effect.Effect<void> =>
    store.warn("refresh", `the tokens could not be refreshed.${consequence} ${error.message}`)

  /** After a failed refresh that does not mean that the tokens are invalid. */
  const countFailure = (current: CurrentTokens, error: AttemptError): Effect.Effect<void, AttemptError> =>
    Effect.gen(function* () {
      // From the second failure on, early refreshes are delayed: the service is probably down.
      if (++current.failures > 1) {
        current.retryAt = state.now() + Math.min(minute, 1000 * 2 ** (current.failures - 2))
      }
      if (isProgramsFault(error)) {
        yield* warnOf(error)
      }
      yield* Effect.fail(error)
    })

  /**
   * Reads the store before the session ends: if the store did not begin the transaction, another process can have stored newer
   * tokens.
   */
  const endUnlessReplaced = (current: CurrentTokens, error: AttemptError): Effect.Effect<void> => {
    const reason = Values.stringIn(error, "serviceMessage") ?? Values.stringIn(error, "code")
    const why = `the service no longer accepts the refresh token (${reason})`
    return Effect.flatMap(store.read, () => (state.current === current ? state.end(why) : Effect.void))
  }

  /** Refreshes inside a transaction, unless that has found other tokens than `before`, and they are not due. */
  const refresh = (before: CurrentTokens | undefined): Effect.Effect<void, AttemptError, HttpClient> =>
    Effect.gen(function* () {
      const { current } = state
      if (current === undefined || (current !== before && state.now() < current.refreshAt)) {
        return
      }
      if (current.tokens.refreshToken === undefined) {
        return yield* state.end("the access token has expired, and there is no refresh token")
      }
      const replaced = Effect.async<void>((resume) => {
        state.onReplaced = () => resume(Effect.void)
      })
      yield* Effect.matchEffect(Effect.raceFirst(refreshTokens(client, current.tokens), replaced), {
        onSuccess: (fresh) => Effect.sync(() => state.current === current && fresh && state.decide(fresh, "Refreshed")),
        onFailure: (error) =>
          state.current !== current
            ? Effect.void
            : isRefreshTokenDead(error)
              ? endUnlessReplaced(current, error)
              : countFailure(current, error)
      })
    })

  const sharedRefresh = shared.share(
    "refresh",
    Effect.suspend(() => store.update(refresh(state.current)))
  )

  const accessToken: SessionSlot = Effect.gen(function* () {
    yield* state.syncIfStale
    const { current } = state
    if (current !== undefined && state.now() >= dueAt(current)) {
      // A failed early refresh is not an error.
      yield* Effect.catchAll(sharedRefresh, (error) =>
        state.current !== undefined && state.now() < state.current.expiresAt
          ? warnOf(error, " The access token is used until it expires.")
          : Effect.fail(error)
      )
    }
    return yield* state.current?.accessToken ?? Effect.succeedNone
  })

  return {
    tokenInMemory: () => {
      const { current } = state
      const now = state.now()
      return current !== undefined && now < current.refreshAt && store.isFresh(now) ? current.accessToken : undefined
    },
    accessToken,
    renew: (refused) =>
      Effect.gen(function* () {
        // This session may be new: `UserSessions` drops idle ones, even during a call.
        if (!store.isRead) {
          yield* state.syncIfStale
        }
        const before = state.current
        if (before !== undefined && hasAccessToken(before.tokens, refused)) {
          // A service that refuses a token it has just issued may refuse the next one too. Another process can have a newer one.
          const isJustIssued = before.isRenewal && Math.abs(state.now() - before.tokens.obtainedAt) < minute
          yield* isJustIssued ? state.sharedSync : sharedRefresh
          const after = state.current
          if (after !== undefined) {
            if (hasAccessToken(after.tokens, refused)) {
              return yield* after.accessToken
            }
            after.isRenewal = true
          }
        }
        return yield* accessToken
      }),
    sharedRefresh
  }
}
