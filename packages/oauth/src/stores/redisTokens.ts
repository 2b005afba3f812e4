/**
 * Tokens in Redis: the scripts of a row that a lease protects.
 */
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import { type LeasedRow, leasedStores, leaseMillis } from "./lease.js"

/**
 * A row is a hash: the string, the owner of the lease, and the end of the lease in milliseconds of the server's clock. If the
 * lease ends much later than one that begins now, the clock was set back. Without a string, the hash expires with its lease.
 */
const row = `
local key, owner = KEYS[1], ARGV[1]
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = redis.call("HGET", key, "value")
local isOwner = redis.call("HGET", key, "owner") == owner
local function lease()
  redis.call("HSET", key, "owner", owner, "until", now + ${leaseMillis})
  if not value then redis.call("PEXPIRE", key, ${leaseMillis}) end
end
`

const acquire = `${row}
local till = tonumber(redis.call("HGET", key, "until") or 0)
if till > now and till <= now + ${leaseMillis + Databases.maxAhead} then return {} end
lease()
return { "", value or nil }
`

const renew = `${row}
if isOwner then lease() end
`

const write = `${row}
if not isOwner then return 0 end
redis.call("HDEL", key, "value", "owner", "until")
if ARGV[2] then
  redis.call("HSET", key, "value", ARGV[2])
  redis.call("PERSIST", key)
end
return 1
`

const release = `${row}
if isOwner then redis.call("HDEL", key, "owner", "until") end
`

/** A string in Redis, by the name of its user. */
const redisRow = (evaluate: Databases.Evaluate, user: string): LeasedRow => {
  const run = (script: string, ...args: ReadonlyArray<string>): Effect.Effect<unknown, unknown> =>
    Effect.tryPromise({
      try: () => evaluate(script, `catalog-client:tokens:${user}`, args),
      // Sessions show the reason: an error of a connection often has no code, and its message contains no value.
      catch: (error) => {
        const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
        return { reason: String(code ?? message) }
      }
    })
  return {
    get: Effect.map(run(`return redis.call("HGET", KEYS[1], "value")`), textOf),
    keep: (text) => run(`return redis.call("HSET", KEYS[1], "value", ARGV[1])`, text),
    acquire: (owner) =>
      Effect.map(run(acquire, owner), (reply) => {
        const [isAcquired, text] = Array.isArray(reply) ? (reply as ReadonlyArray<unknown>) : []
        return isAcquired === undefined ? undefined : { text: textOf(text) }
      }),
    renew: (owner) => run(renew, owner),
    write: (owner, text) =>
      Effect.map(run(write, owner, ...(text === undefined ? [] : [text])), (reply) => Number(reply) === 1),
    release: (owner) => run(release, owner)
  }
}

/** The stores of users, by their names. */
export const tokenStoresOver = (evaluate: Databases.Evaluate) => leasedStores((user) => redisRow(evaluate, user))

/** A string, also on a connection that reads buffers. */
const textOf = (reply: unknown): string | undefined =>
  typeof reply === "string" ? reply : reply instanceof Uint8Array ? new TextDecoder().decode(reply) : undefined
