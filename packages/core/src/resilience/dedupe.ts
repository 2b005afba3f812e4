/**
 * Deduplication: concurrent equal reads share one exchange.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { AttemptError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../internal/policies/policy.js"
import { hasEnded } from "../internal/common/run.js"
import { inStage } from "../internal/policies/apply.js"
import { errorOf } from "../internal/common/cause.js"
import { freeze, identityOf, requestKey, thenForget } from "./requestKey.js"
import { type Ending, isCloudflareWorker } from "./shared.js"

/** An exchange in flight, which callers share. */
interface SharedRead {
  readonly key: string
  readonly fiber: Fiber.RuntimeFiber<Ending>
  callers: number
  /** Whether the first caller still waits: its transport sends the request. */
  hasFirst: boolean
}

interface Caller {
  readonly read: SharedRead
  readonly isFirst: boolean
}

/** The exchanges in flight, by the key of their read. */
class SharedReads {
  readonly #byKey = new Map<string, SharedRead>()

  join<A, R>(key: string, attempt: Effect.Effect<A, AttemptError, R>): Effect.Effect<Caller, never, R> {
    return Effect.suspend((): Effect.Effect<Caller, never, R> => {
      const shared = this.#byKey.get(key)
      if (shared !== undefined) {
        shared.callers++
        return Effect.succeed({ read: shared, isFirst: false })
      }
      // Runs with the first caller's context, in a fiber that can outlive the caller. `Effect.exit`, because Effect logs a
      // fiber that fails.
      const frozen = Effect.tap(attempt, (reply) => Effect.sync(() => freeze(reply)))
      return Effect.map(Effect.forkDaemon(Effect.exit(Effect.interruptible(frozen))), (fiber) => {
        const read: SharedRead = { key, fiber, callers: 1, hasFirst: true }
        this.#byKey.set(key, read)
        fiber.addObserver(() => this.#forget(read))
        return { read, isFirst: true }
      })
    })
  }

  leave({ read, isFirst }: Caller): Effect.Effect<void> {
    return Effect.suspend(() => {
      read.callers--
      read.hasFirst &&= !isFirst || hasEnded(read.fiber)
      if (read.callers > 0) {
        return Effect.void
      }
      this.#forget(read)
      return Fiber.interrupt(read.fiber)
    })
  }

  #forget(read: SharedRead): void {
    if (this.#byKey.get(read.key) === read) {
      this.#byKey.delete(read.key)
    }
  }
}

const isBroken = (ending: Ending): boolean => {
  const error = errorOf(ending)
  return error?._tag === "ClientNetworkError" && error.reason === "Transport"
}

/**
 * Lets equal reads that are in flight share one request: same URL, same credentials and headers, same client (or `fetch`),
 * same `timeout`, `maxResponseBytes` and `mismatch`. Nothing is kept after its response. Replies are frozen.
 *
 * The request is cancelled when the last caller leaves. After a write, a read never shares a request that began before the
 * write. Catalogs with the same value and the same client share requests; in Cloudflare Workers nothing is shared.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const Shared = CatalogPolicy.layer(Resilience.dedupe())
 * ```
 */
export const dedupe = (): Policy => {
  const reads = new SharedReads()
  /** How many writes have ended. A read after a write must not share an exchange that began before it. */
  let writes = 0

  const policy: Policy = <A, R>(call: CatalogCall, attempt: Effect.Effect<A, AttemptError, R>) => {
    if (call.method !== "GET") {
      return thenForget(attempt, () => {
        writes++
      })
    }
    if (isCloudflareWorker()) {
      return attempt
    }
    return Effect.flatMap(Effect.zip(requestKey(call), Effect.clock), ([{ read }, clock]) => {
      // The exchange uses the clock of its first caller, and a test's clock can stand still.
      const key = [identityOf(clock), call.timeout, writes, read].join(" ")
      const shared: Effect.Effect<A, AttemptError, R> = Effect.flatten(
        Effect.acquireUseRelease(
          reads.join(key, attempt),
          ({ read, isFirst }) =>
            Effect.map(Fiber.await(read.fiber), (ended) => {
              // Equal requests have replies of the same type.
              const exit = Exit.flatten(ended) as Exit.Exit<A, AttemptError>
              // The first caller may have closed its transport, so the others share a new exchange.
              const mustRestart = !isFirst && (Exit.isInterrupted(exit) || (!read.hasFirst && isBroken(exit)))
              return mustRestart ? Effect.suspend(() => shared) : exit
            }),
          (caller) => reads.leave(caller)
        )
      )
      return shared
    })
  }
  return inStage("dedupe", policy)
}
