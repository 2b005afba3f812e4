/**
 * A rate limit that several processes share: its tokens are kept in Redis.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import type { Resilience } from "@catalog-client/core"
import * as Effect from "effect/Effect"
import { Redis, type RedisOptions } from "ioredis"

/** Options of {@link rateLimitStore}: `key`, and what ioredis takes (`host`, `port`, `password`, `tls` and so on). */
export interface RateLimitStoreOptions extends RedisOptions {
  /** The name of the quota: all stores with the same name share it. `quota` by default. */
  readonly key?: string | undefined
}

/** A store with its own connection. The connection keeps the process alive until the store is closed. */
export interface RedisRateLimitStore extends Resilience.RateLimitStore, AsyncDisposable {
  /** Closes the connection. Closing twice is fine; using the store afterwards fails. */
  readonly close: () => Promise<void>
}

/** The prefix of all keys. */
const prefix = "catalog-client:bucket:"

/** The clock of Redis has been set back if it was later than now by more than those of two servers differ: milliseconds. */
const setBack = 5_000

/**
 * A bucket is a hash with three times in milliseconds of the server's clock: when it will be full again, when the hold ends,
 * and when it was last used. It expires when it is full. If the clock was set back since it was used, the other two times
 * move back by as much.
 */
const bucket = `
local key = KEYS[1]
local limit, interval = tonumber(ARGV[1]), tonumber(ARGV[2])
local step = interval / limit
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local state = redis.call("HMGET", key, "full", "held", "used")
local full, held, used = tonumber(state[1] or 0), tonumber(state[2] or 0), tonumber(state[3] or 0)
local function text(millis)
  return string.format("%.3f", millis)
end
local function keep()
  redis.call("HSET", key, "full", text(full), "held", text(held), "used", text(now))
  redis.call("PEXPIRE", key, math.ceil(full - now) + 1)
end
local back = used > now + ${setBack} and used - now or 0
full, held = full - back, held - back
`

/**
 * Takes a token, now or in advance; returns when it may be used, and how long that is from now. A token that was taken in
 * advance is taken again if a hold came after it, if it is so old that the bucket would have expired, or if the clock was set
 * back.
 */
const take = `${bucket}
local due = tonumber(ARGV[3])
if not due or due < held or due < now - interval or due > full - interval + 1 then
  full = math.max(full, now) + step
  due = full - interval
end
keep()
return { text(due), text(due - now), text(back) }
`

/** Holds the bucket for a while; the first token is available at the end. */
const hold = `${bucket}
held = math.max(held, now + tonumber(ARGV[3]))
full = math.max(full, held + interval - step)
keep()
return text(back)
`

/** A connection with both scripts. */
interface Connection extends Redis {
  readonly takeToken: (
    key: string,
    limit: number,
    interval: number,
    due: string
  ) => Promise<[due: string, wait: string, back: string]>
  readonly holdTokens: (key: string, limit: number, interval: number, millis: number) => Promise<string>
}

const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: ask, catch: (cause) => cause })

/** Logs by how many milliseconds the clock was set back, unless it was not. */
const warn = (back: string): Effect.Effect<void> =>
  Number(back) > 0
    ? Effect.logWarning(`rateLimitStore: the clock of Redis was set back by ${Math.round(Number(back) / 1000)} s.`)
    : Effect.void

/**
 * Keeps the tokens of a rate limit in Redis: all processes that name the same `key` (and the same `limit` and `interval`)
 * share one quota, and a hold applies to all of them. In each process one call at a time waits for a token; between
 * processes, tokens are issued in order of request. Rate limits with the same store share its line.
 *
 * The store connects when the first call uses it. By default a command times out after a second (`commandTimeout`) and is
 * tried twice (`maxRetriesPerRequest`); then the rate limit's `onStoreFailure` decides. The clock is that of Redis, so the
 * clocks of the processes need not agree. If it is set back, the store logs a warning, and tokens and holds are due as long
 * after the new time as they were after the old one. While there is no connection, ioredis reports it on the console. Needs
 * Redis 5 or later.
 *
 * @example
 * ```ts
 * import { Resilience } from "@catalog-client/core"
 * import { createCatalog } from "@catalog-client/node"
 * import { rateLimitStore } from "@catalog-client/node/redis"
 *
 * const store = rateLimitStore({ host: "localhost", key: "my-client-id" })
 * const shared = Resilience.rateLimit({ limit: 1, interval: "1 second", store, onStoreFailure: "proceed" })
 * const catalog = createCatalog({ clientId: "my-client-id", policies: [shared] })
 *
 * console.log((await catalog.anime.get({ id: 30230 })).title)
 * await catalog.close()
 * await store.close()
 * ```
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { rateLimitStore } from "@catalog-client/node/redis"
 * import { Effect, Layer } from "effect"
 *
 * export const layer = Layer.unwrapScoped(
 *   Effect.map(
 *     Effect.acquireRelease(
 *       Effect.sync(() => rateLimitStore({ host: "localhost" })),
 *       (store) => Effect.promise(store.close)
 *     ),
 *     (store) => CatalogPolicy.layer(Resilience.rateLimit({ limit: 1, interval: "1 second", store }))
 *   )
 * )
 * ```
 */
export const rateLimitStore = (options: RateLimitStoreOptions = {}): RedisRateLimitStore => {
  const { key: name = "quota", ...settings } = options
  const key = prefix + name
  let connection: Connection | undefined
  const connect = (): Connection => {
    if (closing !== undefined) {
      throw new Error("the store was closed")
    }
    if (connection === undefined) {
      const redis = new Redis({ commandTimeout: 1_000, maxRetriesPerRequest: 1, ...settings })
      redis.defineCommand("takeToken", { lua: take, numberOfKeys: 1 })
      redis.defineCommand("holdTokens", { lua: hold, numberOfKeys: 1 })
      connection = redis as Connection
    }
    return connection
  }

  /** When the token of this process may be used; it is for the first call in its line. */
  let due = ""
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= (async () => {
      try {
        await connection?.quit()
      } catch {
        // The server may be gone.
        connection?.disconnect()
      }
    })())

  return {
    take: ({ limit, interval }) =>
      Effect.gen(function* () {
        const [wait, back] = yield* asked(async () => {
          const [taken, ...others] = await connect().takeToken(key, limit, interval, due)
          // Also if the call has left meanwhile: the next call uses the token.
          due = taken
          return others
        })
        yield* warn(back)
        const delay = Math.ceil(Number(wait))
        if (delay > 0) {
          return delay
        }
        due = ""
        return 0
      }),
    hold: ({ limit, interval }, millis) =>
      Effect.flatMap(
        asked(() => connect().holdTokens(key, limit, interval, millis)),
        warn
      ),
    close,
    [Symbol.asyncDispose]: close
  }
}
