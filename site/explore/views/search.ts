// Search as the user types.
import type { AnimeEntry, MangaEntry } from "catalog-client"
import { computed, onScopeDispose, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type Explore, type Kind, kinds, makeLatest, type PageOf } from "../explore.js"
import { typeOf } from "../fields.js"
import { shownOf } from "../session.js"

/** Results of a page, of which the first is shown. */
const limit = 12

/** Milliseconds without a keystroke before a search begins. */
const pause = 100

/** The fields that can be chosen, and their types in a reply: those that anime and manga share. */
export const searchFields = {
  mean: "number",
  genres: "ReadonlyArray<Genre>",
  rank: "number",
  popularity: "number",
  num_list_users: "number",
  start_date: "string",
  synopsis: "string"
} as const

export type SearchField = keyof typeof searchFields

type Result = AnimeEntry["node"] | MangaEntry["node"]

interface State {
  q: string
  kind: Kind
  fields: Array<SearchField>
  results: ReadonlyArray<Result>
  hasMore: boolean
}

export const useSearch = ({ keep, session }: Explore) => {
  const state = reactive<State>({
    q: "diamond",
    kind: "anime",
    fields: ["mean", "genres"],
    results: [],
    hasMore: false
  })
  const latest = makeLatest(session, () => {
    state.results = []
  })
  keep("search", [
    memberOf(state, "q"),
    memberOf(state, "kind", { choices: kinds }),
    memberOf(state, "fields", { choices: Object.keys(searchFields) })
  ])

  const onReply = ({ data, paging }: PageOf<{ readonly node: Result }>): void => {
    state.results = data.map(({ node }) => node)
    state.hasMore = paging?.next !== undefined
  }

  const search = (): void => {
    const { fields, kind, q } = state
    if (q === "") {
      latest.stop()
      return
    }
    // A search in flight is cancelled by the next one.
    const options = fields.length === 0 ? {} : { fields: [...fields] }
    void latest.run(`${kind}.search`, [{ q, limit }, options], onReply, { of: kind })
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTimer = () => clearTimeout(timer)
  watch(
    () => state.q,
    () => {
      stopTimer()
      timer = setTimeout(search, pause)
    }
  )
  watch(
    () => [state.kind, ...state.fields],
    () => {
      stopTimer()
      search()
    }
  )
  onScopeDispose(stopTimer)
  search()
  const found = computed(() => {
    const { hasMore, q, results } = state
    if (q === "") {
      return "Type at least 3 letters."
    }
    if (latest.state.isLoading) {
      return "Loading…"
    }
    return latest.state.error ? "" : shownOf(results.length, hasMore, "result")
  })
  return { state, found, latest: latest.state, type: computed(() => typeOf(searchFields, state.fields, true)) }
}
