// A season's anime, page by page, with the fields that the user chooses.
import type { AnimeEntry, Season, SeasonalSort } from "@catalog-client/core"
import { computed, reactive, watch } from "vue"
import { makeLatest } from "../explore.js"
import type { Session } from "../session.js"

/** The fields that can be chosen, and their types in a reply. */
export const seasonFields = {
  mean: "number",
  num_episodes: "number",
  genres: "ReadonlyArray<Genre>",
  studios: "ReadonlyArray<Studio>",
  media_type: "AnimeMediaType",
  start_date: "string",
  broadcast: "Broadcast",
  synopsis: "string"
} as const

export type SeasonField = keyof typeof seasonFields

export const seasons: ReadonlyArray<Season> = ["winter", "spring", "summer", "fall"]

export const sorts: Readonly<Record<SeasonalSort, string>> = {
  anime_score: "by score",
  anime_num_list_users: "by number of users"
}

/** The type of an entry of a reply, for the fields that are named. */
export const entryTypeOf = (fields: ReadonlyArray<SeasonField>): string => {
  const chosen = fields.map((field) => `readonly ${field}?: ${seasonFields[field]}`)
  const members = ["readonly id: number", "readonly title: string"].concat(
    fields.length === 0 ? ["readonly main_picture?: Picture"] : chosen
  )
  return `{\n  readonly node: {\n${members.map((member) => `    ${member}\n`).join("")}  }\n}`
}

/** Entries of a page. */
const limit = 8

interface State {
  year: number
  season: Season
  sort: SeasonalSort
  nsfw: boolean
  fields: Array<SeasonField>
  items: Array<AnimeEntry["node"]>
  offset: number
  hasMore: boolean
  found: string
}

export const useSeason = (session: Session) => {
  const latest = makeLatest(session)
  const state = reactive<State>({
    year: 2012,
    season: "winter",
    sort: "anime_score",
    nsfw: false,
    fields: ["mean", "genres"],
    items: [],
    offset: 0,
    hasMore: false,
    found: ""
  })

  const read = (offset: number): Promise<void> => {
    const { fields, nsfw, season, sort, year } = state
    const chosen = fields.length === 0 ? {} : { fields: [...fields] }
    return latest.run(
      "anime.seasonal",
      [
        { year, season, sort, limit, ...(offset > 0 && { offset }) },
        { ...chosen, ...(nsfw && { nsfw }) }
      ],
      ({ data, paging }) => {
        const found = data.map(({ node }) => node)
        state.items = offset === 0 ? found : [...state.items, ...found]
        state.offset = offset
        // Only `next` tells whether there is more: a page can hold fewer entries than `limit`.
        state.hasMore = paging?.next !== undefined
        state.found = `${state.items.length} shown${state.hasMore ? ", and there are more" : ""}.`
      }
    )
  }

  watch(
    () => [state.year, state.season, state.sort, state.nsfw, ...state.fields],
    () => void read(0)
  )
  void read(0)
  return {
    state,
    latest: latest.state,
    type: computed(() => entryTypeOf(state.fields)),
    more: () => read(state.offset + limit),
    again: () => read(0)
  }
}
