/**
 * A token bucket in a SQL database: its statements, and the token that a process has taken in advance.
 */
import type { Resilience } from "@catalog-client/core"
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"

/** A bucket after a statement: times in milliseconds of the database's clock. */
interface Bucket {
  /** When the bucket will be full again. */
  readonly full_at: number
  /** When the last hold ends. */
  readonly held_at: number
  /** The time of the statement. */
  readonly asked_at: number
}

/** The longest wait for a token, after which the call asks again: milliseconds. Timers of JavaScript end at 24 days. */
const maxWait = 3_600_000

/** The table of buckets. */
export const table = "catalog_client_quota"

export const columns = `
  name TEXT PRIMARY KEY,
  full_at DOUBLE PRECISION NOT NULL,
  held_at DOUBLE PRECISION NOT NULL,
  asked_at DOUBLE PRECISION NOT NULL
`

// How far the clock was set back since the row was written. The row's times move back by that.
const shift = `CASE WHEN quota.asked_at > excluded.asked_at + ${Databases.maxAhead} THEN quota.asked_at - excluded.asked_at ELSE 0 END`
const [fullAt, heldAt] = [`(quota.full_at - ${shift})`, `(quota.held_at - ${shift})`]

/** The tokens of one quota, as one process takes them. `name` is the name of the quota. */
export const makeSqlBucket = ({ greatest, now, run }: Databases.Sql, table: string, name = "quota") => {
  // A token that was taken in advance is taken again if a hold came after it, if it is too old, or if the clock was set back.
  const take = `
    INSERT INTO ${table} AS quota (name, full_at, held_at, asked_at)
    SELECT ?, clock.now + ?, 0, clock.now FROM (SELECT ${now} AS now) AS clock WHERE true
    ON CONFLICT (name) DO UPDATE SET
      full_at = CASE
        WHEN ? >= ${heldAt} AND ? >= excluded.asked_at - ? AND ? <= ${fullAt} - ?
        THEN ${fullAt}
        ELSE ${greatest}(${fullAt}, excluded.asked_at) + ?
      END,
      held_at = ${heldAt},
      asked_at = excluded.asked_at
    RETURNING full_at, held_at, asked_at`
  // The first token is available at the end of the hold.
  const hold = `
    INSERT INTO ${table} AS quota (name, full_at, held_at, asked_at)
    SELECT ?, clock.now + ?, clock.now + ?, clock.now FROM (SELECT ${now} AS now) AS clock WHERE true
    ON CONFLICT (name) DO UPDATE SET
      full_at = ${greatest}(${fullAt}, excluded.full_at),
      held_at = ${greatest}(${heldAt}, excluded.held_at),
      asked_at = excluded.asked_at
    RETURNING name`

  /** When this process's token may be used, by the first call in its line. */
  let due = -Infinity

  return {
    take: ({ interval, limit }: Resilience.RateLimitStore.Bucket): Effect.Effect<number, unknown> => {
      const step = interval / limit
      const taking = Effect.suspend(() => run(take, name, step, due, due, interval, due, interval, step))
      return Effect.flatMap(taking, (rows) => {
        const [bucket] = rows as ReadonlyArray<Bucket>
        if (bucket === undefined) {
          return Effect.fail(new Error("rateLimitStore: the database returned no row."))
        }
        const { asked_at, full_at, held_at } = bucket
        // The condition of the statement's CASE: then the row still has the token that was taken in advance.
        const isStillTaken = due >= held_at && due >= asked_at - interval && due <= full_at - interval
        // Also if the call leaves before the token is due: the next call uses the token.
        const taken = isStillTaken ? due : full_at - interval
        const wait = Math.ceil(taken - asked_at)
        due = wait > 0 ? taken : -Infinity
        return Effect.succeed(Math.min(maxWait, Math.max(0, wait)))
      })
    },
    hold: ({ interval, limit }: Resilience.RateLimitStore.Bucket, millis: number): Effect.Effect<void, unknown> =>
      Effect.asVoid(run(hold, name, millis + interval - interval / limit, millis))
  }
}
