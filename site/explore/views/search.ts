// Search as the user types.
import { computed, onScopeDispose, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, type Kind, kinds, makeLatest, type PageOf } from "../explore.js"
import { shownOf } from "../session.js"

/** Results of a page, of which the first is shown. */
const limit = 12

/** Milliseconds without a keystroke before a search begins. */
const pause = 100

export const useSearch = ({ keep, session }: Explore) => {
  const state = reactive<{ q: string; kind: Kind; results: ReadonlyArray<CardItem>; hasMore: boolean }>({
    q: "diamond",
    kind: "anime",
    results: [],
    hasMore: false
  })
  const latest = makeLatest(session, () => {
    state.results = []
  })
  keep("search", [memberOf(state, "q"), memberOf(state, "kind", { choices: kinds })])

  const onReply = ({ data, paging }: PageOf<{ readonly node: CardItem }>): void => {
    state.results = data.map(({ node }) => node)
    state.hasMore = paging?.next !== undefined
  }

  const search = (): void => {
    const { kind, q } = state
    if (q === "") {
      latest.stop()
      return
    }
    // A search in flight is cancelled by the next one.
    void latest.run(`${kind}.search`, [{ q, limit }, { fields: ["mean", "genres"] }], onReply, { of: kind })
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
    () => state.kind,
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
  return { state, found, latest: latest.state }
}
