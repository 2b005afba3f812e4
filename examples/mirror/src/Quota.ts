/**
 * Tokens of the quota for a fifth of a second at once: a statement for each would be a large part of what an item costs.
 */
import type { Resilience } from "@catalog-client/core"
import * as Effect from "effect/Effect"

/** Milliseconds of a clock that is never set back. */
export const elapsed = Effect.sync(() => performance.now())

/** For so long a process takes its tokens in advance: milliseconds. Others hear of a hold so much later. */
const span = 200

/**
 * A store that takes a block of tokens from another one, and passes them on when they are due. A token that nobody wants until the end
 * of its block is for nobody: a process that was frozen does not use those from before.
 */
export const inBlocks = (store: Resilience.RateLimitStore.Service): Resilience.RateLimitStore.Service => {
  let block = { from: 0, until: 0, used: 0 }
  const sizeOf = ({ interval, limit }: Resilience.RateLimitStore.Bucket) => {
    const step = interval / limit
    const size = Math.max(1, Math.floor(span / step))
    return { size, step, bucket: { limit: 1, interval: size * step } }
  }
  return {
    take: (asked) => {
      const { bucket, size, step } = sizeOf(asked)
      return Effect.flatMap(elapsed, (now) => {
        if (block.used < size && now < block.until) {
          const wait = Math.ceil(block.from + block.used * step - now)
          block.used += wait > 0 ? 0 : 1
          return Effect.succeed(Math.max(0, wait))
        }
        return Effect.tap(store.take(bucket), (wait) =>
          // A block of one has no more to pass on.
          Effect.map(elapsed, (from) => {
            if (wait === 0 && size > 1) {
              block = { from, until: from + bucket.interval, used: 1 }
            }
          })
        )
      })
    },
    hold: (asked, millis) =>
      Effect.suspend(() => {
        block = { from: 0, until: 0, used: 0 }
        return store.hold(sizeOf(asked).bucket, millis)
      })
  }
}
