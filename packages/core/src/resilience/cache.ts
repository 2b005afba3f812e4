/**
 * A cache: reuses recent replies. `requestKey.ts` decides which calls are the same.
 *
 * @since 0.2.0
 */
import * as Clock from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AttemptError } from "../CatalogError.js"
import type { Cache, CachedCall, CatalogCall, Policy } from "../internal/policies/policy.js"
import { show } from "../internal/common/mistakes.js"
import { inStage } from "../internal/policies/apply.js"
import { reportHit } from "../internal/telemetry/observe.js"
import { freeze, requestKey, type RequestKey, thenForget } from "./requestKey.js"
import { checkCount, checkOptions, checkPeriod } from "./shared.js"

/** Options of `cache`. */
export interface CacheOptions {
  /** How many replies are kept at most; the least recently used one goes first. */
  readonly capacity: number
  /** How long a reply is reused. */
  readonly timeToLive: DurationInput
}

/** Whether an operation is custom: the client does not know what it reads or changes. */
const isCustom = ({ operation }: CachedCall): boolean => !operation.startsWith("catalog.")

const itemOf = ({ operation, params }: CachedCall): string | undefined => {
  const [, domain] = operation.split(".")
  return domain !== "forum" && "id" in params ? `${domain} ${String(params.id)}` : undefined
}

interface Entry {
  readonly key: RequestKey
  readonly call: CachedCall
  readonly reply: unknown
  readonly hasStatus: boolean
  readonly at: number
}

/** A read in flight. A write or `invalidate` marks it, and then its reply is not kept. */
interface PendingRead {
  readonly key: RequestKey
  readonly call: CachedCall
  isOvertaken: boolean
  isInvalid: boolean
}

class ReplyCache {
  /** The least recently used first. */
  readonly #byRead = new Map<string, Entry>()
  readonly #inFlight = new Set<PendingRead>()

  constructor(
    private readonly capacity: number,
    private readonly timeToLive: number
  ) {}

  #find({ read }: RequestKey, now: number): Entry | undefined {
    const entry = this.#byRead.get(read)
    this.#byRead.delete(read)
    // A time in the future means that the clock was set back, so the age is unknown.
    if (entry === undefined || entry.at > now || now >= entry.at + this.timeToLive) {
      return undefined
    }
    this.#byRead.set(read, entry)
    return entry
  }

  #keep(entry: Entry): void {
    this.#byRead.delete(entry.key.read)
    this.#byRead.set(entry.key.read, entry)
    const [oldest] = this.#byRead.keys()
    if (oldest !== undefined && this.#byRead.size > this.capacity) {
      this.#byRead.delete(oldest)
    }
  }

  #drop(isDropped: (entry: Entry) => boolean): void {
    for (const [read, entry] of this.#byRead) {
      if (isDropped(entry)) {
        this.#byRead.delete(read)
      }
    }
  }

  /** Drops the replies that a write may have changed for its owner. */
  forget(write: CachedCall, { owner }: RequestKey): void {
    this.#drop(
      ({ call, hasStatus, key }) =>
        key.owner === owner && (hasStatus || isCustom(write) || isCustom(call) || itemOf(call) === itemOf(write))
    )
    for (const pending of this.#inFlight) {
      pending.isOvertaken ||= pending.key.owner === owner
    }
  }

  invalidate(filter: (call: CachedCall) => boolean): void {
    this.#drop(({ call }) => filter(call))
    for (const pending of this.#inFlight) {
      pending.isInvalid ||= filter(pending.call)
    }
  }

  read<A, R>(
    { credentials, operation, params, url }: CatalogCall,
    key: RequestKey,
    attempt: Effect.Effect<A, AttemptError, R>
  ): Effect.Effect<A, AttemptError, R> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const found = this.#find(key, now)
      if (found !== undefined) {
        // Equal requests have replies of the same type.
        return Effect.as(reportHit(operation), found.reply as A)
      }
      const call = { credentials, operation, params, url }
      const pending: PendingRead = { key, call, isOvertaken: false, isInvalid: false }
      const read = Effect.suspend(() => {
        // `dedupe` knows nothing of `invalidate`, and can let this read share the exchange of a read that was marked.
        const isLate = [...this.#inFlight].some((other) => other.isInvalid && other.key.read === key.read)
        this.#inFlight.add(pending)
        return Effect.tap(attempt, (reply) =>
          Effect.map(Clock.currentTimeMillis, (at) => {
            const hasStatus = freeze(reply)
            if (!pending.isOvertaken && !pending.isInvalid && !isLate) {
              this.#keep({ key, call, reply, hasStatus, at })
            }
          })
        )
      })
      return Effect.ensuring(
        read,
        Effect.sync(() => this.#inFlight.delete(pending))
      )
    })
  }
}

/**
 * Caches replies of the catalog and the forum, and of custom operations that are declared as `cacheable`; never user lists,
 * profiles, suggestions or errors.
 *
 * A reply is reused only for an equal request with the same credentials and headers, over the same client (or `fetch`).
 * Catalogs with the same value and the same client share replies, which are frozen.
 *
 * A write drops the replies that it can change, for the same access token; one of a custom operation drops them all.
 * {@link Cache.invalidate} drops replies by hand. Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * const kept = Resilience.cache({ capacity: 500, timeToLive: "10 minutes" })
 *
 * export const Cached = CatalogPolicy.layer(kept)
 * ```
 */
export const cache = (options: CacheOptions): Cache => {
  const calledAs = "Resilience.cache"
  const { capacity, timeToLive } = checkOptions(calledAs, options, { capacity: undefined, timeToLive: undefined })
  const cached = new ReplyCache(
    checkCount(calledAs, "capacity", capacity),
    checkPeriod(calledAs, "timeToLive", timeToLive)
  )

  const policy: Policy = (call, attempt) => {
    if (call.method === "GET") {
      return call.cacheable ? Effect.flatMap(requestKey(call), (key) => cached.read(call, key, attempt)) : attempt
    }
    // The key is read before the write, because a token can be wiped meanwhile.
    return Effect.flatMap(requestKey(call), (key) => thenForget(attempt, () => cached.forget(call, key)))
  }
  const invalidate: Cache["invalidate"] = (filter = () => true) => {
    if (typeof filter !== "function") {
      throw new TypeError(`${calledAs}: invalidate takes a function of an entry, but got ${show(filter)}`)
    }
    cached.invalidate(filter)
  }
  return Object.assign(inStage("cache", policy), { invalidate })
}
