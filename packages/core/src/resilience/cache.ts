/**
 * A cache: does not ask again for what was answered a short while ago.
 */
import * as Clock from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as MutableHashMap from "effect/MutableHashMap"
import * as Option from "effect/Option"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { show } from "../internal/common/validate.js"
import { hit } from "../internal/telemetry/meters.js"
import { count, optionsOf, period } from "./options.js"
import { keyOf, type ReadKey, settle, thenForget } from "./reading.js"

/** Options of {@link cache}; a duration that is a number is in milliseconds. */
export interface CacheOptions {
  /** How many replies are kept at most; the least recently used one goes first. */
  readonly capacity: number
  /** How long a reply is kept and given out again. */
  readonly timeToLive: DurationInput
}

/** What {@link Cache.invalidate} is told of a reply that is kept: the call that it was the reply of. */
export type CacheEntry = Pick<CatalogCall, "operation" | "url" | "params" | "credentials">

/** The policy that {@link cache} makes. */
export interface Cache extends Policy {
  /**
   * Drops replies at once: all of them, or those for which a function gives `true`. A read that is in flight then is
   * given to its caller, and not kept.
   *
   * @example
   * ```ts
   * import { Resilience } from "@catalog-client/core"
   *
   * const kept = Resilience.cache({ capacity: 500, timeToLive: "1 hour" })
   *
   * export const dropAll = () => kept.invalidate()
   * export const dropForum = () => kept.invalidate(({ operation }) => operation.startsWith("catalog.forum."))
   * ```
   */
  readonly invalidate: (filter?: (entry: CacheEntry) => boolean) => void
}

/** The item that a call is about, if it is about one. */
const itemOf = ({ operation, params }: CacheEntry): string | undefined => {
  const [, domain] = operation.split(".")
  return domain !== "forum" && "id" in params ? `${domain} ${String(params.id)}` : undefined
}

interface Reading {
  readonly key: ReadKey
  readonly of: CacheEntry
  isOvertaken: boolean
  isInvalid: boolean
}

interface Entry {
  readonly key: ReadKey
  readonly of: CacheEntry
  readonly reply: unknown
  readonly hasStatus: boolean
  /** When it came. */
  readonly at: number
}

/**
 * Keeps replies of the catalog and the forum, and answers calls with them: `get`, `search`, `seasonal` and `ranking` of
 * `anime` and `manga`, and all of `forum`. It never keeps user lists, profiles, suggestions or errors.
 *
 * A reply is given only to a call that would send the same: equal operation, URL, access token, client identifier and
 * headers of the configuration, over the same client (or `fetch`). So nothing is shared between two access tokens, nor
 * between a call with a token and one without. If the client adds credentials of its own, make one client for each user.
 *
 * Of the replies to the same access token, a write drops those that hold `my_list_status` and those of its item; so does
 * a write whose answer was lost. A read with that token that was in flight during the write is not kept.
 * {@link Cache.invalidate} drops replies by hand. All callers get the same reply object: it is frozen.
 *
 * The value holds the replies: catalogs that are given the same value and send over the same client share them. Throws a
 * `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "@catalog-client/core"
 *
 * const kept = Resilience.cache({ capacity: 500, timeToLive: "10 minutes" })
 *
 * export const catalog = createCatalog({ fetch, policies: [kept] })
 * ```
 */
export const cache = (options: CacheOptions): Cache => {
  const where = "Resilience.cache"
  const given = optionsOf(where, options)
  const capacity = count(where, "capacity", given.capacity)
  const timeToLive = period(where, "timeToLive", given.timeToLive)

  const byKey = MutableHashMap.empty<ReadKey, Entry>()
  /** The one that was asked for last is the last one. */
  const byUse = new Set<Entry>()
  /** Reads in flight; of those that a write has overtaken, or `invalidate`, the reply is not kept. */
  const inFlight = new Set<Reading>()

  const drop = (entry: Entry): void => {
    byUse.delete(entry)
    MutableHashMap.remove(byKey, entry.key)
  }

  const find = (key: ReadKey, now: number): Entry | undefined => {
    const entry = Option.getOrUndefined(MutableHashMap.get(byKey, key))
    if (entry === undefined) {
      return undefined
    }
    byUse.delete(entry)
    byUse.add(entry)
    // One from the future was kept before the clock was set back: how old it is, is not known.
    if (entry.at <= now && now < entry.at + timeToLive) {
      return entry
    }
    drop(entry)
    return undefined
  }

  const keep = (entry: Entry): void => {
    const [before] = Option.toArray(MutableHashMap.get(byKey, entry.key))
    if (before !== undefined) {
      drop(before)
    }
    MutableHashMap.set(byKey, entry.key, entry)
    byUse.add(entry)
    const [oldest] = byUse
    if (oldest !== undefined && byUse.size > capacity) {
      drop(oldest)
    }
  }

  const forget = (item: string | undefined, [writer]: ReadKey): void => {
    const isOwn = ({ key: [owner] }: { readonly key: ReadKey }) => Equal.equals(owner, writer)
    for (const entry of byUse) {
      if (isOwn(entry) && (entry.hasStatus || itemOf(entry.of) === item)) {
        drop(entry)
      }
    }
    for (const reading of inFlight) {
      reading.isOvertaken ||= isOwn(reading)
    }
  }

  const policy: Policy = <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ) => {
    if (call.method !== "GET") {
      // Looked at before the write: a token can be wiped meanwhile.
      return Effect.flatMap(keyOf(call), (key) =>
        thenForget(
          attempt,
          Effect.sync(() => forget(itemOf(call), key))
        )
      )
    }
    if (!call.cacheable) {
      return attempt
    }
    return Effect.flatMap(keyOf(call), (key) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const found = find(key, now)
        if (found !== undefined) {
          // Of equal requests the replies are of one type.
          return Effect.as(hit(call), found.reply as A)
        }
        const { credentials, operation, params, url } = call
        const of = { credentials, operation, params, url }
        const reading: Reading = { key, of, isOvertaken: false, isInvalid: false }
        const read = Effect.suspend(() => {
          // It can share the exchange of such a one: unlike a write, `dedupe` does not know of it.
          const isLate = [...inFlight].some((other) => other.isInvalid && Equal.equals(other.key, key))
          inFlight.add(reading)
          return Effect.tap(attempt, (reply) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const hasStatus = settle(reply)
              if (!reading.isOvertaken && !reading.isInvalid && !isLate) {
                keep({ key, of, reply, hasStatus, at: now })
              }
            })
          )
        })
        const landed = Effect.sync(() => inFlight.delete(reading))
        return Effect.ensuring(read, landed)
      })
    )
  }
  const invalidate: Cache["invalidate"] = (filter = () => true) => {
    if (typeof filter !== "function") {
      throw new TypeError(`${where}: invalidate takes a function of an entry, but got ${show(filter)}`)
    }
    for (const entry of byUse) {
      if (filter(entry.of)) {
        drop(entry)
      }
    }
    for (const reading of inFlight) {
      reading.isInvalid ||= filter(reading.of)
    }
  }
  return Object.assign(policy, { stage: "cache" as const, invalidate })
}
