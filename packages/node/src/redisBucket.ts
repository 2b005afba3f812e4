/**
 * A token bucket in Redis: its scripts, and the token that a process has taken in advance.
 */
import { Databases } from "@catalog-client/core/internal"

/** The rate of tokens; `interval` is in milliseconds. */
interface Rate {
  readonly limit: number
  readonly interval: number
}

/** The prefix of all keys. */
const prefix = "catalog-client:bucket:"

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
local back = used > now + ${Databases.maxAhead} and used - now or 0
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
return { text(due), text(due - now) }
`

/** Holds the bucket for a while; the first token is available at the end. */
const hold = `${bucket}
held = math.max(held, now + tonumber(ARGV[3]))
full = math.max(full, held + interval - step)
keep()
`

/** The tokens of one quota, as one process takes them. `name` is the name of the quota. */
export const makeBucket = (evaluate: Databases.Evaluate, name = "quota") => {
  const key = prefix + name
  /** When this process's token may be used, by the first call in its line. */
  let due = ""
  return {
    take: async ({ interval, limit }: Rate): Promise<number> => {
      const reply = await evaluate(take, key, [String(limit), String(interval), due])
      // A connection can read buffers.
      const [taken = "", wait] = Array.isArray(reply) ? reply.map(String) : []
      const delay = Math.max(0, Math.ceil(Number(wait)))
      // Also if the call was cancelled meanwhile: the next call uses the token.
      due = delay > 0 ? taken : ""
      return delay
    },
    hold: async ({ interval, limit }: Rate, millis: number): Promise<void> => {
      await evaluate(hold, key, [String(limit), String(interval), String(millis)])
    }
  }
}
