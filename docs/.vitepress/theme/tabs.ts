// Tabs of blocks: a reader's choice, Promise or Effect, pnpm or npm, holds on every page and the next time.
import { onMounted, ref, watch, type Ref } from "vue"

/** For a component with tabs: the current one of these names. Groups with the same label share the choice. */
export const useChosenTab = (label: string, names: ReadonlyArray<string>): Ref<string> => {
  const key = `catalog-tab: ${label}`
  const current = ref(names[0] ?? "")
  onMounted(() => {
    const chosen = localStorage.getItem(key)
    if (chosen !== null && names.includes(chosen)) {
      current.value = chosen
    }
    watch(current, (name) => localStorage.setItem(key, name))
  })
  return current
}
