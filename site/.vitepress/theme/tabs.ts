// Tabs of blocks: a reader's choice, Promise or Effect, pnpm or npm, holds on every page and the next time.
import { computed, onMounted, reactive, type WritableComputedRef } from "vue"

/** The chosen names by what is chosen; a server chooses none. */
const choices = reactive(new Map<string, string>())

/** For a component with tabs: the current one of these names. Groups of the same choice share it. */
export const useChosenTab = (choice: string, names: ReadonlyArray<string>): WritableComputedRef<string> => {
  const key = `catalog-tab: ${choice}`
  onMounted(() => {
    const chosen = localStorage.getItem(key)
    if (chosen !== null) {
      choices.set(choice, chosen)
    }
  })
  return computed({
    get: () => {
      const chosen = choices.get(choice) ?? ""
      return names.includes(chosen) ? chosen : (names[0] ?? "")
    },
    set: (name) => {
      choices.set(choice, name)
      localStorage.setItem(key, name)
    }
  })
}
