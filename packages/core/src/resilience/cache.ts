/**
 * A cache: reuses recent replies.
 *
 * @since 0.2.0
 */
import * as Clock from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CatalogCall, Policy } from "../CatalogPolicy.js"
import { show } from "../internal/common/mistakes.js"
import { hit } from "../internal/telemetry/meters.js"
import { count, optionsOf, period } from "./options.js"
import { keyOf, type ReadKey, settle, thenForget } from "./reading.js"
import { inStage } from "./stage.js"

/** Options of `cache`; a duration that is a number is in milliseconds. */
export interface CacheOptions {
  /** How many replies are kept at most; the least recently used one goes first. */
  readonly capacity: number
  /** How long a reply is reused. */
  readonly timeToLive: DurationInput
}

/** A cached reply, as {@link Cache.invalidate} sees it: the call that it belongs to. */
export type CacheEntry = Pick<CatalogCall, "operation" | "url" | "params" | "credentials">

/** The policy that `cache` makes. */
export interface Cache extends Policy {
  /**
   * Drops replies at once: all of them, or those for which a function returns `true`. The reply of a read in flight goes to
   * its caller but is not kept.
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

/** Whether the operation is custom: what it reads or changes is not known. */
const isOwn = ({ operation }: CacheEntry): boolean => !operation.startsWith("catalog.")

/** The item of a call, if it has one. */
const itemOf = ({ operation, params }: CacheEntry): string | undefined => {
  const [, domain] = operation.split(".")
  return domain !== "forum" && "id" in params ? `${domain} ${String(params.id)}` : undefined
}

interface Reading {
  readonly key: ReadKey
  readonly call: CacheEntry
  isOvertaken: boolean
  isInvalid: boolean
}

interface Entry {
  readonly key: ReadKey
  readonly call: CacheEntry
  readonly reply: unknown
  readonly hasStatus: boolean
  /** When it was received. */
  readonly at: number
}

/**
 * Caches replies of the catalog and the forum: `get`, `search`, `seasonal` and `ranking` of `anime` and `manga`, and all of
 * `forum`, and those of custom operations that are declared as `cacheable`. It never keeps user lists, profiles,
 * suggestions or errors.
 *
 * A reply is reused only for a call that would send the same request and get the same reply: equal operation, URL, access
 * token, client identifier, configured headers, `maxResponseBytes` and `mismatch`, over the same client (or `fetch`).
 * Nothing is shared between two access tokens, or between a call with a token and one without. If the client adds its own
 * credentials, make one client for each user.
 *
 * A write drops the replies for the same access token that hold `my_list_status` or belong to its item, even if the
 * response of the write was lost. A write of a custom operation drops all replies for its access token, and any write
 * drops the replies of custom operations. The reply of a read with that token that was in flight during the write is not
 * kept. {@link Cache.invalidate} drops replies by hand. All callers get the same reply object: it is frozen.
 *
 * The value contains the replies: catalogs with the same value and the same client share them. Throws a `TypeError` for an
 * invalid option.
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
  const settings = optionsOf(where, options, { capacity: 1, timeToLive: 1 })
  const capacity = count(where, "capacity", settings.capacity)
  const timeToLive = period(where, "timeToLive", settings.timeToLive)

  const byRead = new Map<string, Entry>()
  /** In order of use, the most recent last. */
  const byUse = new Set<Entry>()
  /** Reads in flight. A read is marked, and its reply not kept, if a write or `invalidate` happens meanwhile. */
  const inFlight = new Set<Reading>()

  const drop = (entry: Entry): void => {
    byUse.delete(entry)
    byRead.delete(entry.key.read)
  }

  const find = ({ read }: ReadKey, now: number): Entry | undefined => {
    const entry = byRead.get(read)
    if (entry === undefined) {
      return undefined
    }
    byUse.delete(entry)
    byUse.add(entry)
    // A time in the future means that the clock was set back, so the age is unknown.
    if (entry.at <= now && now < entry.at + timeToLive) {
      return entry
    }
    drop(entry)
    return undefined
  }

  const keep = (entry: Entry): void => {
    const before = byRead.get(entry.key.read)
    if (before !== undefined) {
      drop(before)
    }
    byRead.set(entry.key.read, entry)
    byUse.add(entry)
    const [oldest] = byUse
    if (oldest !== undefined && byUse.size > capacity) {
      drop(oldest)
    }
  }

  const forget = (write: CacheEntry, { owner }: ReadKey): void => {
    const isWriters = ({ key }: { readonly key: ReadKey }) => key.owner === owner
    for (const entry of byUse) {
      if (
        isWriters(entry) &&
        (entry.hasStatus || isOwn(write) || isOwn(entry.call) || itemOf(entry.call) === itemOf(write))
      ) {
        drop(entry)
      }
    }
    for (const reading of inFlight) {
      reading.isOvertaken ||= isWriters(reading)
    }
  }

  const policy: Policy = <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ) => {
    if (call.method !== "GET") {
      // Read before the write, since a token can be wiped meanwhile.
      return Effect.flatMap(keyOf(call), (key) =>
        thenForget(
          attempt,
          Effect.sync(() => forget(call, key))
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
          // Equal requests have replies of the same type.
          return Effect.as(hit(call), found.reply as A)
        }
        const { credentials, operation, params, url } = call
        const described = { credentials, operation, params, url }
        const reading: Reading = { key, call: described, isOvertaken: false, isInvalid: false }
        const read = Effect.suspend(() => {
          // `dedupe` can let it share the exchange of a marked read, since it knows of writes but not of `invalidate`.
          const isLate = [...inFlight].some((other) => other.isInvalid && other.key.read === key.read)
          inFlight.add(reading)
          return Effect.tap(attempt, (reply) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const hasStatus = settle(reply)
              if (!reading.isOvertaken && !reading.isInvalid && !isLate) {
                keep({ key, call: described, reply, hasStatus, at: now })
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
      if (filter(entry.call)) {
        drop(entry)
      }
    }
    for (const reading of inFlight) {
      reading.isInvalid ||= filter(reading.call)
    }
  }
  return Object.assign(inStage("cache", policy), { invalidate })
}
