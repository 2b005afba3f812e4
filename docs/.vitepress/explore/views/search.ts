// Search as the user types.
import { onScopeDispose, reactive, watch } from "vue"
import { memberOf } from "../address.js"
import { type CardItem, type Explore, type Kind, kinds, makeLatest } from "../explore.js"
import { quantity } from "../session.js"

/** Milliseconds without a keystroke before a search begins. */
const pause = 100

export const useSearch = ({ keep, session }: Explore) => {
  const clear = (): void => {
    Object.assign(state, { results: [], found: "" })
  }
  const latest = makeLatest(session, clear)
  const state = reactive<{ q: string; kind: Kind; results: ReadonlyArray<CardItem>; found: string }>({
    q: "diamond",
    kind: "anime",
    results: [],
    found: ""
  })
  keep("search", [memberOf(state, "q"), memberOf(state, "kind", { choices: kinds })])

  const onReply = ({ data }: { readonly data: ReadonlyArray<{ readonly node: CardItem }> }): void => {
    state.results = data.map(({ node }) => node)
    state.found = data.length === 0 ? "No results." : `${quantity(data.length, "result")}.`
  }

  const search = (): void => {
    const { kind, q } = state
    if (q === "") {
      latest.stop()
      clear()
      return
    }
    // A search in flight is cancelled by the next one.
    void latest.run(`${kind}.search`, [{ q, limit: 12 }, { fields: ["mean", "genres"] }], onReply)
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  watch([() => state.q, () => state.kind], () => {
    clearTimeout(timer)
    timer = setTimeout(search, pause)
  })
  onScopeDispose(() => clearTimeout(timer))
  search()
  return { state, latest: latest.state }
}
