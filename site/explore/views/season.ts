// A season's anime, page by page, with the fields that the user chooses.
import type { AnimeEntry, Season, SeasonalSort } from "catalog-client"
import { computed, onScopeDispose, reactive, shallowRef, watch } from "vue"
import { memberOf } from "../address.js"
import { type Explore, makeLatest, versionOf } from "../explore.js"
import { typeOf } from "../fields.js"

/** The fields that can be chosen, and their types in a reply. */
export const seasonFields = {
  mean: "number",
  num_episodes: "number",
  genres: "ReadonlyArray<Genre>",
  studios: "ReadonlyArray<Studio>",
  media_type: "AnimeMediaType",
  start_date: "string",
  broadcast: "Broadcast",
  synopsis: "string",
  my_list_status: "AnimeListStatus"
} as const

export type SeasonField = keyof typeof seasonFields

export const seasons: ReadonlyArray<Season> = ["winter", "spring", "summer", "fall"]

export const sorts: Readonly<Record<SeasonalSort, string>> = {
  anime_num_list_users: "number of users",
  anime_score: "score"
}

/** Entries of a page. */
const limit = 8

/** The first season of the service's data, and the last one that is announced. */
export const years = { min: 1917, max: 2027 }

const isYear = (year: number | ""): year is number =>
  Number.isInteger(year) && Number(year) >= years.min && Number(year) <= years.max

/** Milliseconds without a keystroke in the year before its season is read. */
const pause = 150

interface State {
  /** Empty while the user types another one. */
  year: number | ""
  season: Season
  sort: SeasonalSort
  nsfw: boolean
  fields: Array<SeasonField>
  /** The name of the genre that shown entries have; empty for all. */
  genre: string
  items: Array<AnimeEntry["node"]>
  /** The offset of the next page. */
  next: number
  hasMore: boolean
}

export const useSeason = (explore: Explore) => {
  const { keep, session } = explore
  const { account } = session
  const state = reactive<State>({
    year: 2012,
    season: "winter",
    sort: "anime_num_list_users",
    nsfw: false,
    fields: ["mean", "genres"],
    genre: "",
    items: [],
    next: 0,
    hasMore: false
  })
  /** The user whose own statuses the entries have. */
  const statusOf = shallowRef<typeof account.value>()
  const latest = makeLatest(session, () => Object.assign(state, { items: [], hasMore: false }))
  keep("season", [
    memberOf(state, "year"),
    memberOf(state, "season", { choices: seasons }),
    memberOf(state, "sort", { choices: Object.keys(sorts) }),
    memberOf(state, "nsfw"),
    memberOf(state, "fields", { choices: Object.keys(seasonFields) }),
    memberOf(state, "genre")
  ])

  /** The service has no such filter: entries that were read are compared. */
  const shown = computed(() => {
    const { fields, genre, items } = state
    const isFiltered = genre !== "" && fields.includes("genres")
    return isFiltered ? items.filter(({ genres = [] }) => genres.some(({ name }) => name === genre)) : items
  })
  const genres = computed(() => {
    const names = state.items.flatMap(({ genres = [] }) => genres.flatMap(({ name = "" }) => name))
    return [...new Set([...names, state.genre])].filter((name) => name !== "").sort()
  })
  const found = computed(() => {
    const { hasMore, items, year } = state
    if (year === "") {
      return "Enter a year, such as 2017."
    }
    if (!isYear(year)) {
      return `Enter a year from ${years.min} to ${years.max}.`
    }
    if (latest.state.isLoading) {
      return "Loading…"
    }
    if (items.length === 0) {
      return latest.state.error === undefined ? "This page's data has no anime from this season." : ""
    }
    const count = shown.value.length === items.length ? items.length : `${shown.value.length} of ${items.length}`
    return `${count} shown${hasMore ? ", and there are more" : ""}.`
  })

  const read = async (offset: number, size = limit): Promise<void> => {
    const { fields, nsfw, season, sort, year } = state
    if (!isYear(year)) {
      latest.stop()
      return
    }
    const isMore = offset > 0
    if (!isMore) {
      // More would add entries with other fields to those that are shown.
      state.hasMore = false
    }
    const chosen = [...fields]
    const user = account.value
    await latest.run(
      "anime.seasonal",
      [
        { year, season, sort, limit: size, ...(isMore && { offset }) },
        { ...(chosen.length > 0 && { fields: chosen }), ...(nsfw && { nsfw }) }
      ],
      ({ data, paging }) => {
        const nodes = data.map(({ node }) => node)
        state.items = isMore ? [...state.items, ...nodes] : nodes
        statusOf.value = chosen.includes("my_list_status") ? user : undefined
        state.next = offset + size
        // Only `next` tells whether there is more: a page can hold fewer entries than `limit`.
        state.hasMore = paging?.next !== undefined
      },
      { of: `${year} ${season} ${sort} ${nsfw}`, isMore }
    )
  }

  watch(
    () => [state.season, state.sort, state.nsfw, ...state.fields],
    () => void read(0)
  )
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(
    () => state.year,
    () => {
      clearTimeout(timer)
      timer = setTimeout(() => void read(0), pause)
    }
  )
  onScopeDispose(() => clearTimeout(timer))
  watch(versionOf(explore, "season"), () => {
    if (state.fields.includes("my_list_status")) {
      // As many as are shown.
      void read(0, state.next || limit)
    }
  })
  void read(0)
  return {
    state,
    latest: latest.state,
    found,
    genres,
    shown,
    type: computed(() => typeOf(seasonFields, state.fields, true)),
    /** Whether the entries were read with the user's own status of each. */
    hasStatus: computed(() => statusOf.value !== undefined && statusOf.value === account.value),
    more: () => read(state.next)
  }
}
