// Tabs of blocks: a reader's choice, Promise or Effect, holds on every page and the next time.
import { onMounted, ref, watch, type Ref } from "vue"

const key = "catalog-tab"

/** For a component with tabs: the current one of these names. */
export const useChosenTab = (names: ReadonlyArray<string>): Ref<string> => {
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
