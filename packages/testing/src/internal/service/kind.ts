/** What anime and manga have in common and where they differ, and the orders in which they are listed. */
import type { AnimeListRecord, AnimeRecord, MangaListRecord, MangaRecord } from "../../Dataset.js"
import type { JsonType } from "./jsonType.js"
import type { Selection } from "./selector.js"
import type { Account, Entry, Item, List, Listed, Shelf, Store } from "./store.js"

/** For which user and request a record is shown. */
export interface View {
  readonly store: Store
  readonly kinds: Kinds
  /** The token's owner. */
  readonly viewer: Account | undefined
  /** A single item was requested, so it has the members that no list returns. */
  readonly single: boolean
}

/** Shows one member of a record; `undefined` leaves the member out. */
export type Member<R> = (record: R, selection: Selection | undefined, view: View) => unknown

export type Members<R> = ReadonlyMap<string, Member<R>>

/** One value of a form. */
export interface FormField<I extends Item, E extends Entry> {
  readonly type: JsonType
  /** Validates the value, and returns the change that it makes to an entry. */
  readonly read: (value: string, item: I) => (entry: E) => E
}

export type Order<R> = (a: R, b: R) => number

/** Which items a ranking has, and in which order. */
export interface Ranking<I extends Item> {
  readonly has: (item: I) => boolean
  readonly order: Order<I>
}

/** A list is sorted by this, then by the item's id. */
export interface Sort<I extends Item, E extends Entry> {
  readonly by: (listed: Listed<I, E>) => number | string
  readonly descending?: boolean
}

export interface Kind<I extends Item, E extends Entry> {
  readonly name: "anime" | "manga"
  readonly shelf: (store: Store) => Shelf<I>
  readonly list: (account: Account) => List<I, E>
  /** Members of any requested item. */
  readonly members: Members<I>
  /** Members of a single item only. */
  readonly details: Members<I>
  /** Members of any list status. */
  readonly statusMembers: ReadonlyArray<keyof E & string>
  /** Members of a list status if sub-selected, and of the response to a write. */
  readonly statusExtras: ReadonlyArray<keyof E & string>
  /** The first is the status of an entry that is being watched or read. */
  readonly statuses: readonly [string, ...ReadonlyArray<string>]
  /** Whether an entry is being rewatched or reread. */
  readonly isRepeated: (entry: E) => boolean
  readonly rankings: ReadonlyMap<string, Ranking<I>>
  readonly sorts: ReadonlyMap<string, Sort<I, E>>
  /** The fields of the form that changes a list entry. */
  readonly form: ReadonlyMap<string, FormField<I, E>>
  /** A new entry, before the changes of the form. */
  readonly blank: (id: number) => E
  /** The status of a new entry that is written without one. */
  readonly firstStatus: (entry: E) => string
}

export interface Kinds {
  readonly anime: Kind<AnimeRecord, AnimeListRecord>
  readonly manga: Kind<MangaRecord, MangaListRecord>
}

const last = Number.MAX_SAFE_INTEGER

/** Compares by each order in turn, until one differs. */
export const inOrder =
  <R>(...orders: ReadonlyArray<Order<R>>): Order<R> =>
  (a, b) => {
    for (const order of orders) {
      const sign = order(a, b)
      if (sign !== 0) {
        return sign
      }
    }
    return 0
  }

export const ascending =
  <R>(keyOf: (record: R) => number | string): Order<R> =>
  (a, b) => {
    const left = keyOf(a)
    const right = keyOf(b)
    return left < right ? -1 : left > right ? 1 : 0
  }

export const descending = <R>(keyOf: (record: R) => number | string): Order<R> => {
  const up = ascending(keyOf)
  return (a, b) => up(b, a)
}

const byId: Order<Item> = ascending((item) => item.id)
const byRank: Order<Item> = ascending((item) => item.rank ?? last)
export const byPopularity: Order<Item> = inOrder(
  ascending((item: Item) => item.popularity ?? last),
  byId
)

/** By score, best first; items without a score come last. */
export const best: Order<Item> = inOrder(byRank, byPopularity)

export const allRanked: Ranking<Item> = { has: (item) => item.rank !== undefined, order: best }

export const commonRankings: ReadonlyArray<[string, Ranking<Item>]> = [
  ["all", allRanked],
  ["bypopularity", { has: (item) => item.popularity !== undefined, order: byPopularity }],
  [
    "favorite",
    {
      has: () => true,
      order: inOrder(
        descending((item: Item) => item.num_favorites),
        byPopularity
      )
    }
  ]
]

/** A ranking of the items of these media types. */
export const ofType = (...types: ReadonlyArray<string>): Ranking<Item> => ({
  has: (item) => types.includes(item.media_type),
  order: best
})

/** The sorts of a list. The order by id is the default, and not among them: the live service refuses it by name. */
export const listSorts = <I extends Item, E extends Entry>(name: "anime" | "manga"): ReadonlyMap<string, Sort<I, E>> =>
  new Map<string, Sort<I, E>>([
    ["list_score", { by: ({ entry }) => entry.score, descending: true }],
    ["list_updated_at", { by: ({ entry }) => Date.parse(entry.updated_at), descending: true }],
    [`${name}_title`, { by: ({ item }) => item.title.toLowerCase() }],
    [`${name}_start_date`, { by: ({ item }) => item.start_date ?? "", descending: true }]
  ])
