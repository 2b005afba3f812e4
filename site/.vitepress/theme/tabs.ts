// Tabs of blocks: a reader's choice, Promise or Effect, pnpm or npm, holds on every page and the next time.
import { computed, onMounted, reactive, type WritableComputedRef } from "vue"

/** The chosen names by the labels of their groups; a server chooses none. */
const choices = reactive(new Map<string, string>())

/** For a component with tabs: the current one of these names. Groups with the same label share the choice. */
export const useChosenTab = (label: string, names: ReadonlyArray<string>): WritableComputedRef<string> => {
  const key = `catalog-tab: ${label}`
  onMounted(() => {
    const chosen = localStorage.getItem(key)
    if (chosen !== null) {
      choices.set(label, chosen)
    }
  })
  return computed({
    get: () => {
      const chosen = choices.get(label) ?? ""
      return names.includes(chosen) ? chosen : (names[0] ?? "")
    },
    set: (name) => {
      choices.set(label, name)
      localStorage.setItem(key, name)
    }
  })
}
