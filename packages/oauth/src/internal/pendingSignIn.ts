/**
 * A sign-in that a user has started, in a store until the user comes back. It is used once, even across processes: in a
 * transaction of the store, which lasts until its code is redeemed.
 *
 * It is stored as `Tokens`, because stores take nothing else: the access token is the pending authorization, and the client
 * id ends with `.pending`, so no session uses it.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ClientAuthError, ClientNetworkError } from "@catalog-client/core"
import { nowOf } from "@catalog-client/core/internal"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import type { CheckedClient } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { inTransaction, type TransactionResult } from "./storeTransaction.js"
import { decodePending, encodePending } from "./authorization.js"
import { errorNameIn } from "./sessionStore.js"

/** The end of the keys of started sign-ins, and of their client id. */
export const pendingSuffix = ".pending"

/** Whether the redirect belongs to another sign-in. */
const isOthers = (exit: Exit.Exit<unknown, unknown>): boolean => {
  const error = Exit.isFailure(exit) && Cause.squash(exit.cause)
  return error instanceof ClientAuthError && error.reason !== "Denied"
}

export class PendingSignIn {
  constructor(
    /** For errors. */
    private readonly operation: string,
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    private readonly store: TokenStoreService
  ) {}

  /** Stores a sign-in for `life` milliseconds. */
  keep(request: PendingAuthorization, life: number): Effect.Effect<void, ClientNetworkError> {
    const now = nowOf(this.environment.clock)
    const tokens = new Tokens({
      accessToken: Redacted.make(encodePending(request)),
      clientId: this.#clientId,
      obtainedAt: now,
      expiresAt: now + life
    })
    const stored = this.#inTransaction(() => Effect.succeed([true, Option.some(tokens)]))
    return Effect.flatMap(stored, ({ written }) => this.#responded(written))
  }

  /**
   * Redeems the stored sign-in, if it has not expired, and removes it, unless the redirect belongs to another sign-in. Of
   * several callers at once, one redeems it.
   */
  use<A, E>(
    redeem: (pending: PendingAuthorization) => Effect.Effect<A, E>
  ): Effect.Effect<Option.Option<A>, E | ClientNetworkError> {
    return Effect.gen(this, function* () {
      const { value, written } = yield* this.#inTransaction((stored) =>
        Option.match(this.#pendingIn(stored), {
          onNone: () => Effect.succeed([Option.none(), stored] as const),
          onSome: (pending) =>
            Effect.map(Effect.exit(redeem(pending)), (exit) => [
              Option.some(exit),
              isOthers(exit) ? stored : Option.none()
            ])
        })
      )
      if (value === undefined || Option.isNone(value)) {
        yield* this.#responded(written)
        return Option.none()
      }
      return Option.some(yield* value.value)
    })
  }

  #pendingIn(stored: Option.Option<Tokens>): Option.Option<PendingAuthorization> {
    return Option.flatMap(stored, ({ accessToken, clientId, expiresAt = 0 }) =>
      clientId === this.#clientId && nowOf(this.environment.clock) < expiresAt
        ? Option.liftThrowable(decodePending)(Redacted.value(accessToken))
        : Option.none()
    )
  }

  get #clientId(): string {
    return this.client.clientId + pendingSuffix
  }

  /** Removes the stored sign-in. */
  readonly abandon: Effect.Effect<void> = Effect.suspend(() =>
    Effect.asVoid(this.#inTransaction(() => Effect.succeed([true, Option.none()])))
  )

  #inTransaction<A>(
    inside: (stored: Option.Option<Tokens>) => Effect.Effect<readonly [A, Option.Option<Tokens>]>
  ): Effect.Effect<TransactionResult<A>> {
    return inTransaction(this.store, inside, this.client.storeTimeout)
  }

  #responded(exit: Exit.Exit<void, unknown>): Effect.Effect<void, ClientNetworkError> {
    if (Exit.isSuccess(exit)) {
      return Effect.void
    }
    const error = Cause.squash(exit.cause)
    const { origin, pathname } = new URL(this.environment.settings.profile.oauth.authorizeUrl)
    return Effect.fail(
      new ClientNetworkError({
        operation: this.operation,
        method: "GET",
        url: origin + pathname,
        reason: "CredentialsUnavailable",
        attempts: 0,
        about: "session",
        cause: { name: errorNameIn(error), message: "the store of the pending sign-ins failed" }
      })
    )
  }
}
