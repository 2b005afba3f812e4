/**
 * A transaction of a token store: the store reads, runs one step of the session, and writes what the step returns, while no
 * other transaction runs. A store of the program may never end it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Option from "effect/Option"
import { forkFrom, interrupt, withFiber } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { defaultTimeout } from "./checkClient.js"
import { exitWithin } from "./exitWithin.js"

type StoredTokens = Option.Option<Tokens>

/**
 * Milliseconds to wait until a transaction begins. Before that, another process may request and write tokens, with a longer
 * timeout than ours, or the lease of a dead process has to end. If the wait were shorter, both processes would redeem the same
 * refresh token.
 */
const waitOf = (timeout: number) => 1.5 * Math.max(timeout, defaultTimeout)

/** How a transaction ended: its value, if it began, and whether the store wrote its decision. */
export interface TransactionResult<A> {
  readonly value: A | undefined
  readonly written: Exit.Exit<void, unknown>
}

/**
 * Runs an effect inside a transaction of a store: it receives the stored tokens, and returns a value and the tokens to store.
 * If the store fails, or does not respond in time, before the transaction has begun, the effect does not run.
 *
 * The effect runs in the caller's fiber: losing the store's lock does not interrupt a refresh. A step that the store runs too
 * late, or twice, changes nothing.
 */
export const inTransaction = <A, R>(
  { update }: TokenStoreService,
  inside: (stored: StoredTokens) => Effect.Effect<readonly [A, StoredTokens], never, R>,
  millis: number
): Effect.Effect<TransactionResult<A>, never, R> =>
  withFiber((parent, flags) =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<StoredTokens, unknown>()
      const decided = yield* Deferred.make<StoredTokens | undefined>()
      let steps = 0
      const step = (stored: StoredTokens): Effect.Effect<StoredTokens> =>
        ++steps > 1
          ? Effect.succeed(stored)
          : Effect.zipRight(
              Deferred.succeed(begun, stored),
              Effect.map(Deferred.await(decided), (next) => next ?? stored)
            )
      const updated = Effect.map(Effect.exit(Effect.suspend(() => update(step))), (exit) =>
        Exit.isSuccess(exit) && steps !== 1 ? Exit.fail(new Error("update must run one step")) : exit
      )
      const holder = forkFrom(
        parent,
        flags
      )(Effect.tap(updated, (exit) => (Exit.isFailure(exit) ? Deferred.failCause(begun, exit.cause) : Effect.void)))
      const run = Effect.gen(function* () {
        const stored = yield* exitWithin(Deferred.await(begun), waitOf(millis))
        if (Exit.isFailure(stored)) {
          return { value: undefined, written: stored }
        }
        const [value, next] = yield* inside(stored.value)
        yield* Deferred.succeed(decided, next)
        return { value, written: Exit.flatten(Exit.flatten(yield* exitWithin(Fiber.await(holder), millis))) }
      })
      const leave = Effect.zipRight(
        Deferred.succeed(decided, undefined),
        Effect.sync(() => interrupt(holder))
      )
      return yield* Effect.ensuring(run, leave)
    })
  )
