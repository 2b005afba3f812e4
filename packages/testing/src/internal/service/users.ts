/** The endpoints of users and their lists. */
import { endpoint, fields, oneOfWords, pageInputs, works } from "./endpoint.js"
import { word } from "./jsonType.js"
import type { Kinds } from "./kind.js"
import { animeListStatuses } from "./listStatuses.js"
import * as Reads from "./reads.js"
import { notFound } from "./response.js"
import { narrow } from "./selector.js"
import { accountOf, type GrantedRequest, kinds, selectionOf } from "./service.js"
import type { Account, Store } from "./store.js"

const secondsOfDay = 86_400

/** The statistics of a user's list. The time spent is the number of watched episodes times their duration. */
const statisticsOf = (account: Account, store: Store): Readonly<Record<string, number>> => {
  const items = new Map<string, number>(animeListStatuses.map((word) => [word, 0]))
  const days = new Map<string, number>(animeListStatuses.map((word) => [word, 0]))
  let episodes = 0
  let again = 0
  let scores = 0
  let scored = 0
  for (const entry of account.anime.entries()) {
    const seconds = store.anime.byId.get(entry.id)?.average_episode_duration ?? 0
    items.set(entry.status, (items.get(entry.status) ?? 0) + 1)
    days.set(entry.status, (days.get(entry.status) ?? 0) + (entry.num_episodes_watched * seconds) / secondsOfDay)
    episodes += entry.num_episodes_watched
    again += entry.num_times_rewatched
    if (entry.score > 0) {
      scores += entry.score
      scored += 1
    }
  }
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
  const short = (amount: number) => Math.round(amount * 100) / 100
  const count = (word: string) => items.get(word) ?? 0
  const time = (word: string) => short(days.get(word) ?? 0)
  return {
    num_items_watching: count("watching"),
    num_items_completed: count("completed"),
    num_items_on_hold: count("on_hold"),
    num_items_dropped: count("dropped"),
    num_items_plan_to_watch: count("plan_to_watch"),
    num_items: sum(items),
    num_days_watched: short(sum(days)),
    num_days_watching: time("watching"),
    num_days_completed: time("completed"),
    num_days_on_hold: time("on_hold"),
    num_days_dropped: time("dropped"),
    num_days: short(sum(days)),
    num_episodes: episodes,
    num_times_rewatched: again,
    mean_score: scored === 0 ? 0 : short(scores / scored)
  }
}

/** The members of every profile: the last three only if the user has set them. */
const always = ["id", "name", "location", "joined_at", "picture", "gender", "birthday"] as const
const onRequest = ["time_zone", "is_supporter"] as const

const me = (request: GrantedRequest<"fields">): unknown => {
  const account = accountOf(request)
  const selection = selectionOf(request)
  const { record } = account
  const shown: Record<string, unknown> = {}
  for (const name of [...always, ...onRequest.filter((name) => selection?.has(name) === true)]) {
    if (record[name] !== undefined) {
      shown[name] = record[name]
    }
  }
  const statistics = selection?.get("anime_statistics")
  if (statistics !== undefined) {
    shown["anime_statistics"] = narrow(statisticsOf(account, request.service.store), statistics)
  }
  return shown
}

/** The service accepts only `@me`, not even the caller's own name. */
const named = (request: GrantedRequest<"fields", "user_name">): unknown => {
  if (request.params.user_name !== "@me") {
    throw notFound()
  }
  return me(request)
}

const params = { user_name: word("@me", "sample_reader") }

const listQuery = ({ sorts, statuses }: Pick<Kinds[keyof Kinds], "statuses" | "sorts">) => ({
  status: oneOfWords("Only entries with this status. Default and `all`: every entry.", statuses),
  sort: oneOfWords("The order. Default: by id.", sorts.keys()),
  ...pageInputs(Reads.limits.userList),
  ...works
})

export const userEndpoints = {
  me: endpoint({ method: "GET", path: "/users/@me", access: "token", query: fields, reply: "User", handle: me }),
  get: endpoint({
    method: "GET",
    path: "/users/:user_name",
    access: "token",
    params,
    query: fields,
    reply: "User",
    handle: named
  }),
  animeList: endpoint({
    method: "GET",
    path: "/users/:user_name/animelist",
    access: "identified",
    params,
    query: listQuery(kinds.anime),
    reply: "AnimeListPage",
    handle: (request) => Reads.list(kinds.anime, request)
  }),
  mangaList: endpoint({
    method: "GET",
    path: "/users/:user_name/mangalist",
    access: "identified",
    params,
    query: listQuery(kinds.manga),
    reply: "MangaListPage",
    handle: (request) => Reads.list(kinds.manga, request)
  })
}
