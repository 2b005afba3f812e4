/**
 * Exclusive steps over a row of a database, whose locks do not outlast a statement: a step takes a lease and renews it. The
 * lease ends soon after its process, and only its owner can write.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TokenStore, type TokenStoreService } from "../TokenStore.js"

/** Milliseconds that a lease lasts: less than a session waits for the step of another process. */
export const leaseMillis = 8_000

/** Milliseconds between two tries to get a lease. */
const minPause = 10
const maxPause = 200

/** A string in a database, which a lease protects. */
export interface LeasedRow {
  readonly get: Effect.Effect<string | undefined, unknown>
  /** Stores the string of a new row. */
  readonly keep: (text: string) => Effect.Effect<unknown, unknown>
  /** Takes the lease and reads the string, unless another owner has the lease: then it returns `undefined`. */
  readonly acquire: (owner: string) => Effect.Effect<{ readonly text: string | undefined } | undefined, unknown>
  /** Renews the lease if it is still the owner's. */
  readonly renew: (owner: string) => Effect.Effect<unknown, unknown>
  /** If the lease is still the owner's, replaces or removes the string, ends the lease, and returns `true`. */
  readonly write: (owner: string, text: string | undefined) => Effect.Effect<boolean, unknown>
  /** Ends the lease if it is still the owner's. */
  readonly release: (owner: string) => Effect.Effect<unknown, unknown>
}

/** In real time, like other processes, whatever the fiber's clock. */
const pause = (millis: number) => Effect.withClock(Effect.sleep(millis), Clock.make())

type LeaseUpdate = (text: string | undefined) => Effect.Effect<string | undefined, unknown>

/** Runs a step while it has the lease of a row. */
const updateLeased =
  (row: LeasedRow) =>
  (step: LeaseUpdate): Effect.Effect<void, unknown> =>
    Effect.suspend(() => {
      const owner = crypto.randomUUID()
      let isReleased = false
      const acquire = (wait: number): Effect.Effect<{ readonly text: string | undefined }, unknown> =>
        Effect.flatMap(row.acquire(owner), (acquired) =>
          acquired === undefined
            ? Effect.zipRight(pause(wait * (0.5 + Math.random())), acquire(Math.min(maxPause, 2 * wait)))
            : Effect.succeed(acquired)
        )
      const renewing = Effect.forever(Effect.zipRight(pause(leaseMillis / 4), Effect.ignore(row.renew(owner))))
      const stepped = Effect.gen(function* () {
        const { text } = yield* acquire(minPause)
        const next = yield* Effect.raceFirst(step(text), renewing)
        if (next !== text) {
          isReleased = yield* row.write(owner, next)
          if (!isReleased) {
            yield* Effect.fail(new Error("the lease was lost"))
          }
        }
      })
      const release = Effect.suspend(() => (isReleased ? Effect.void : Effect.ignore(row.release(owner))))
      return Effect.ensuring(stepped, release)
    })

/** The stores of users, over the rows of their names. */
export const leasedStores =
  (rowOf: (name: string) => LeasedRow) =>
  (user: string): TokenStoreService<"processes"> => {
    const row = rowOf(user)
    return TokenStore.from({
      get: () => row.get,
      update: updateLeased(row),
      keep: (text, id) => rowOf(`${user}.aside.${id}`).keep(text)
    })
  }
