/** Responses to reads of items and lists. */
import { refusePrivateList } from "./access.js"
import { find } from "./search.js"
import { showItem, showStatus } from "./fields.js"
import { idOf, oneOf, type Query, showsAll, type Works } from "./requestInputs.js"
import { allRanked, byPopularity, descending, inOrder, type Kind, type Order, type Sort } from "./kind.js"
import { type Limits, type Page, pageOf } from "./paging.js"
import { badRequest, notFound } from "./response.js"
import { accountOf, type GrantedRequest, selectionOf, viewOf } from "./service.js"
import type { Account, Entry, Item, List, Listed, Placed, Shelf } from "./store.js"
import type { AnimeRecord } from "../../Dataset.js"

/** The default and the maximum of `limit`. */
export const limits = {
  search: { default: 10, max: 100 },
  ranking: { default: 100, max: 500 },
  season: { default: 100, max: 500 },
  suggestions: { default: 100, max: 100 },
  userList: { default: 10, max: 1000, previous: true }
} satisfies Readonly<Record<string, Limits>>

const placed = <I extends Item>(items: ReadonlyArray<I>): ReadonlyArray<Placed<I>> =>
  items.map((item, index) => ({ item, place: index + 1 }))

/** Works marked gray or black are left out of every list unless they are requested. */
const isShown = (item: Item, query: Query<"nsfw">): boolean => item.nsfw === "white" || showsAll(query)

/** Items in an order that is computed once, and once more without the hidden ones. */
const ordered = <I extends Item>(
  shelf: Shelf<I>,
  key: string,
  query: Query<"nsfw">,
  make: () => ReadonlyArray<I>
): ReadonlyArray<Placed<I>> => {
  const order = () => shelf.orders.get(key, () => placed(make()))
  return showsAll(query)
    ? order()
    : shelf.orders.get(`white ${key}`, () => order().filter(({ item }) => isShown(item, query)))
}

/** The item in the path. */
export const itemOf = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  { params, service }: GrantedRequest<never, "id">
): I => {
  const item = kind.shelf(service.store).byId.get(idOf(params.id) ?? -1)
  if (item === undefined) {
    throw notFound()
  }
  return item
}

export const one = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<"fields", "id">
): unknown => showItem(kind, itemOf(kind, request), selectionOf(request), viewOf(request, true))

const nodes = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  items: ReadonlyArray<Placed<I>>,
  limits: Limits,
  request: GrantedRequest<Works>
): Page => {
  const selection = selectionOf(request)
  const view = viewOf(request, false)
  return pageOf(request, limits, items, ({ item }) => ({
    node: showItem(kind, item, selection, view)
  }))
}

export const search = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<Works | "q">
): Page => {
  const q = (request.query.q ?? "").trim()
  const { length } = Array.from(q)
  if (length < 3 || length > 64) {
    throw badRequest("invalid q")
  }
  const shelf = kind.shelf(request.service.store)
  const items = ordered(shelf, `search ${q.toLowerCase()}`, request.query, () => find(shelf.items, q))
  return nodes(kind, items, limits.search, request)
}

export const ranking = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<Works | "ranking_type">
): Page => {
  const { ranking_type } = request.query
  const ranking = oneOf(ranking_type, "ranking_type", kind.rankings, allRanked)
  const shelf = kind.shelf(request.service.store)
  const key = `ranking ${ranking_type ?? "all"}`
  const items = ordered(shelf, key, request.query, () => shelf.items.filter(ranking.has).sort(ranking.order))
  const selection = selectionOf(request)
  const view = viewOf(request, false)
  return pageOf(request, limits.ranking, items, ({ item, place }) => ({
    node: showItem(kind, item, selection, view),
    ranking: { rank: place }
  }))
}

/** The seasons, each with the day on which it begins. */
export const seasons = new Map([
  ["winter", "01-01"],
  ["spring", "04-01"],
  ["summer", "07-01"],
  ["fall", "10-01"]
])

/** The number of a season, counted from the year 0. */
const seasonNumber = (year: number, season: string): number => year * 4 + [...seasons.keys()].indexOf(season)

const startOf = ({ start_season }: AnimeRecord): number =>
  start_season === undefined ? Number.POSITIVE_INFINITY : seasonNumber(start_season.year, start_season.season)

/**
 * The anime of a season: those that began in it, and the series that began before and are still running. A series
 * without an end runs on up to the newest season in which something began.
 */
const inSeason = (all: ReadonlyArray<AnimeRecord>, year: number, season: string): Array<AnimeRecord> => {
  const number = seasonNumber(year, season)
  const begun = all.filter((item) => item.status !== "not_yet_aired" && Number.isFinite(startOf(item)))
  const newest = begun.reduce((latest, item) => Math.max(latest, startOf(item)), 0)
  const firstDay = `${String(year).padStart(4, "0")}-${seasons.get(season) ?? ""}`
  const runsOn = ({ end_date, status }: AnimeRecord) =>
    end_date === undefined
      ? status === "currently_airing" && number <= newest
      : // The end may be known by its month or year alone.
        end_date >= firstDay.slice(0, end_date.length)
  return all.filter((item) => startOf(item) === number || (startOf(item) < number && runsOn(item)))
}

export const seasonalSorts: ReadonlyMap<string, Order<Item>> = new Map<string, Order<Item>>([
  [
    "anime_score",
    inOrder(
      descending((item: Item) => item.mean ?? 0),
      byPopularity
    )
  ],
  [
    "anime_num_list_users",
    inOrder(
      descending((item: Item) => item.num_list_users),
      byPopularity
    )
  ]
])

const mostListed = "anime_num_list_users"

export const seasonal = <E extends Entry>(
  kind: Kind<AnimeRecord, E>,
  request: GrantedRequest<Works | "sort", "year" | "season">
): unknown => {
  const { season } = request.params
  const year = idOf(request.params.year)
  if (year === undefined) {
    throw badRequest("invalid year")
  }
  if (!seasons.has(season)) {
    throw badRequest("invalid season")
  }
  const { scoreSort = false } = request.service.quirks
  const { sort: asked = mostListed } = request.query
  const sort = asked === "anime_score" && !scoreSort ? mostListed : asked
  const order = oneOf(sort, "sort", seasonalSorts, byPopularity)
  const shelf = kind.shelf(request.service.store)
  const items = ordered(shelf, `season ${year} ${season} ${sort}`, request.query, () =>
    inSeason(shelf.items, year, season).sort(order)
  )
  return { ...nodes(kind, items, limits.season, request), season: { year, season } }
}

/** Anime that are not on the list: first recommendations of those that are on it, then popular ones. */
const suggestionsFor = (shelf: Shelf<AnimeRecord>, account: Account): ReadonlyArray<AnimeRecord> => {
  const votes = new Map<number, number>()
  for (const { id } of account.anime.entries()) {
    for (const recommended of shelf.byId.get(id)?.recommendations ?? []) {
      votes.set(recommended.id, (votes.get(recommended.id) ?? 0) + recommended.num_recommendations)
    }
  }
  return shelf.items
    .filter((item) => account.anime.get(item.id) === undefined)
    .sort(
      inOrder(
        descending((item: AnimeRecord) => votes.get(item.id) ?? 0),
        byPopularity
      )
    )
}

export const suggestions = <E extends Entry>(kind: Kind<AnimeRecord, E>, request: GrantedRequest<Works>): Page => {
  const account = accountOf(request)
  const shelf = kind.shelf(request.service.store)
  const items = account.anime.suggestions.get(String(showsAll(request.query)), () =>
    placed(suggestionsFor(shelf, account).filter((item) => isShown(item, request.query)))
  )
  return nodes(kind, items, limits.suggestions, request)
}

/** Sorts entries. The keys are computed once for each entry, because a list can be long. */
const sorted = <I extends Item, E extends Entry>(
  entries: ReadonlyArray<Listed<I, E>>,
  { by, descending = false }: Sort<I, E>
): ReadonlyArray<Listed<I, E>> => {
  const sign = descending ? -1 : 1
  return entries
    .map((listed) => ({ listed, key: by(listed) }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.listed.item.id - b.listed.item.id))
    .map(({ listed }) => listed)
}

/** The owner of a list, if the caller may see it. The caller's own list needs a token. */
const ownerOf = (request: GrantedRequest<never, "user_name">): Account => {
  const { user_name } = request.params
  const owner = user_name === "@me" ? accountOf(request) : request.service.store.accountNamed(user_name)
  if (owner === undefined) {
    throw notFound()
  }
  refusePrivateList(owner, request.account)
  return owner
}

/**
 * `watching` includes entries that are being rewatched, `reading` those that are being reread. Of the other lists, only
 * `completed` leaves them out.
 */
const hasStatus = <I extends Item, E extends Entry>(kind: Kind<I, E>, entry: E, status: string | undefined): boolean =>
  status === undefined ||
  (status === kind.statuses[0] && kind.isRepeated(entry)) ||
  (entry.status === status && !(status === "completed" && kind.isRepeated(entry)))

export const list = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  request: GrantedRequest<Works | "status" | "sort", "user_name">
): Page => {
  const { query } = request
  const own = kind.list(ownerOf(request))
  const statuses = new Map(kind.statuses.map((word) => [word, word]))
  // Programs send `all`, or an empty status, for every entry.
  const word = query.status === "all" ? undefined : query.status
  const status = oneOf(word, "status", statuses, undefined)
  const sort = oneOf(query.sort, "sort", kind.sorts, { by: ({ item }: Listed<I, E>) => item.id })
  const entries = own.orders.get(`${status ?? ""} ${query.sort ?? ""} ${showsAll(query)}`, () =>
    sorted(
      listed(kind, own, request).filter(({ entry, item }) => hasStatus(kind, entry, status) && isShown(item, query)),
      sort
    )
  )
  const selection = selectionOf(request)
  const wanted = selection?.get("list_status")
  const ofNode =
    selection === undefined ? undefined : new Map([...selection].filter(([word]) => word !== "list_status"))
  const view = viewOf(request, false)
  return pageOf(request, limits.userList, entries, ({ entry, item }) => ({
    node: showItem(kind, item, ofNode, view),
    ...(wanted === undefined ? {} : { list_status: showStatus(kind, entry, (word) => wanted.has(word)) })
  }))
}

const listed = <I extends Item, E extends Entry>(
  kind: Kind<I, E>,
  list: List<I, E>,
  request: GrantedRequest
): Array<Listed<I, E>> => {
  const { byId } = kind.shelf(request.service.store)
  const entries: Array<Listed<I, E>> = []
  for (const entry of list.entries()) {
    const item = byId.get(entry.id)
    if (item !== undefined) {
      entries.push({ item, entry })
    }
  }
  return entries
}
