/** Responses about users. */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Either from "effect/Either"
import type { Access } from "./access.js"
import { endpoint, fields, handled, oneOfWords, paged, path, query, works } from "./endpoint.js"
import type { Works } from "./inputs.js"
import { word } from "./jsonType.js"
import type { Kinds } from "./kind.js"
import * as Reads from "./reads.js"
import * as Records from "./records.js"
import { forbidden, notFound, type Refusal } from "./response.js"
import { narrow } from "./selector.js"
import { type Call, kinds, selectionOf } from "./service.js"
import type { Account, Store } from "./store.js"

const secondsOfDay = 86_400

/** Computed from the list; the time spent is the number of watched episodes times their duration. */
const statisticsOf = (account: Account, store: Store): Readonly<Record<string, number>> => {
  const items = new Map<string, number>(Records.animeListStatuses.map((word) => [word, 0]))
  const days = new Map<string, number>(Records.animeListStatuses.map((word) => [word, 0]))
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

/** The last three only when the user has set them. */
const always = ["id", "name", "location", "joined_at", "picture", "gender", "birthday"] as const
const onRequest = ["time_zone", "is_supporter"] as const

const me = (inputs: Works, { caller, service }: Call): Either.Either<unknown, Refusal> => {
  const { account } = caller
  if (account === undefined) {
    return Either.left(forbidden())
  }
  const selection = selectionOf(inputs)
  const { record } = account
  const shown: Record<string, unknown> = {}
  for (const name of [...always, ...onRequest.filter((name) => selection?.has(name) === true)]) {
    if (record[name] !== undefined) {
      shown[name] = record[name]
    }
  }
  const statistics = selection?.get("anime_statistics")
  if (statistics !== undefined) {
    shown["anime_statistics"] = narrow(statisticsOf(account, service.store), statistics)
  }
  return Either.right(shown)
}

/** The service accepts only `@me`, not even the caller's own name. */
const named = (name: string, inputs: Works, call: Call): Either.Either<unknown, Refusal> =>
  name === "@me" ? me(inputs, call) : Either.left(notFound())

const listInputs = ({ sorts, statuses }: Pick<Kinds[keyof Kinds], "statuses" | "sorts">) =>
  query({
    status: oneOfWords("Only entries with this status. Default, empty and `all`: every entry.", statuses),
    sort: oneOfWords("The order. Default: by id.", sorts.keys()),
    ...paged(Reads.all),
    ...works
  })

const userName = word("@me", "sample_reader")

/** The caller's own list needs a token, the list of another user only a client identifier. */
const listAccess = ({ path }: { readonly path: { readonly user_name: string } }): Access =>
  path.user_name === "@me" ? "token" : "identified"

export const UserGroup = HttpApiGroup.make("user")
  .annotate(OpenApi.Description, "Users and their lists.")
  .add(
    handled(
      endpoint("me", "GET", "/users/@me", "token", Records.User).setUrlParams(query(fields)),
      (call, { urlParams }) => me(urlParams, call)
    )
  )
  .add(
    handled(
      endpoint("get", "GET", "/users/:user_name", "token", Records.User)
        .setPath(path({ user_name: userName }))
        .setUrlParams(query(fields)),
      (call, { path, urlParams }) => named(path.user_name, urlParams, call)
    )
  )
  .add(
    handled(
      endpoint("animeList", "GET", "/users/:user_name/animelist", "identified", Records.AnimeListPage)
        .setPath(path({ user_name: userName }))
        .setUrlParams(listInputs(kinds.anime)),
      (call, { path, urlParams }) => Reads.list(kinds.anime, path.user_name, urlParams, call),
      listAccess
    )
  )
  .add(
    handled(
      endpoint("mangaList", "GET", "/users/:user_name/mangalist", "identified", Records.MangaListPage)
        .setPath(path({ user_name: userName }))
        .setUrlParams(listInputs(kinds.manga)),
      (call, { path, urlParams }) => Reads.list(kinds.manga, path.user_name, urlParams, call),
      listAccess
    )
  )
