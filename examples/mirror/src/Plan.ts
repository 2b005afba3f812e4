/**
 * What to ask for, and why: pure functions of what the mirror knows.
 */
import { hash } from "node:crypto"

export type Kind = "anime" | "manga"

/** Why an item that a list shows is read by itself. */
export type Reason = "new" | "changed" | "unfinished" | "back"

/** What the mirror knows of an item that a list shows. */
export interface Known {
  /** The hash of the list's record when the item was last read by itself; null if it never was. */
  readonly fetched_hash: string | null
  readonly fetched_at: number | null
  /** How often it was not found since. */
  readonly strikes: number
  /** The last run in which a list showed it; null once it was asked for because none did. */
  readonly listed_run: string | null
}

const day = 24 * 60 * 60 * 1000

/** Members that move all the time. A list brings their values, and they are no reason to read the item. */
const moving = new Set([
  "mean",
  "rank",
  "popularity",
  "num_list_users",
  "num_scoring_users",
  "num_favorites",
  "statistics"
])

const isMoving = new RegExp(`"(${[...moving].join("|")})":`)
const withoutMoving = Object.fromEntries([...moving].map((name) => [name, undefined]))

/** A record as JSON, and a hash of it without the members that always move. */
export const textOf = (record: object): { readonly text: string; readonly hash: string } => {
  const slow = JSON.stringify({ ...record, ...withoutMoving })
  // A replacer takes three times as long, and is for records that have such members further down.
  const hashed = isMoving.test(slow)
    ? JSON.stringify(record, (key, value: unknown) => (moving.has(key) ? undefined : value))
    : slow
  return { text: JSON.stringify(record), hash: hash("sha256", hashed, "base64url") }
}

const finished = new Set<unknown>(["finished_airing", "finished", "discontinued"])

/** Why an item that a list shows is to be read by itself, or undefined if it is not. */
export const reasonOf = (
  known: Known | undefined,
  seen: { readonly hash: string; readonly status: unknown },
  now: number
): Reason | undefined => {
  if (known === undefined) {
    return "new"
  }
  // A list can go on showing what is not found. That is asked for again when it is due.
  if (known.strikes > 0) {
    return known.listed_run === null ? "back" : undefined
  }
  if (known.fetched_hash === null || known.fetched_at === null) {
    return "new"
  }
  if (known.fetched_hash !== seen.hash) {
    return "changed"
  }
  if (!finished.has(seen.status) && now - known.fetched_at > 7 * day) {
    return "unfinished"
  }
  return undefined
}

/**
 * When an item is read again although nothing shows a change: after two to four weeks, twice that where it had not changed,
 * and so on up to twelve weeks. `share`, from 0 to 1, spreads the items over the days.
 */
export const dueAt = (now: number, unchanged: number, share: number): number =>
  now + Math.min(84, (14 + 14 * share) * 2 ** Math.min(unchanged, 3)) * day

/** After how many days a missing item is asked for again: the first is the day between the two 404s of a deletion. */
const probes = [1, 7, 30, 90]

/** What a 404 means for an item with so many 404s before it, the first of this series at `since`. */
export const missed = (
  now: number,
  strikes: number,
  since: number | null
): { readonly strikes: number; readonly since: number; readonly isGone: boolean; readonly due: number } => {
  const first = since ?? now
  const isGone = strikes > 0 && now - first >= day
  // A second 404 on the same day says nothing new.
  const count = strikes === 0 || isGone ? strikes + 1 : strikes
  const due = strikes > 0 && !isGone ? first + day : now + (probes[Math.min(count, probes.length) - 1] ?? 1) * day
  return { strikes: count, since: first, isGone, due }
}

/** An item that another one names. */
export interface Named {
  readonly kind: Kind
  readonly id: number
}

/** What the tables and the client take for an id. */
export const isId = (id: unknown): id is number => Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31

/** The items that an item's relations and recommendations name. */
export const namedBy = (kind: Kind, body: Readonly<Record<string, unknown>>): ReadonlyArray<Named> => {
  const named = (kind: Kind, list: unknown): ReadonlyArray<Named> =>
    Array.isArray(list)
      ? list.flatMap((entry: { readonly node?: { readonly id?: unknown } | null } | null) =>
          isId(entry?.node?.id) ? [{ kind, id: entry.node.id }] : []
        )
      : []
  return [
    ...named("anime", body["related_anime"]),
    ...named("manga", body["related_manga"]),
    ...named(kind, body["recommendations"])
  ]
}
