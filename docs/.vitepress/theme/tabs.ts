// Tabs of blocks: a reader's choice, Promise or Effect, holds on every page and the next time.
import { onContentUpdated } from "vitepress"
import { nextTick, onMounted, ref, watch, type Ref } from "vue"

const key = "catalog-tab"

const nameOf = (input: HTMLInputElement) => input.labels?.[0]?.textContent ?? ""

/** Shows the chosen tab of each group that has it. A click would do so too, and scroll to the tab. */
const show = (): void => {
  const chosen = localStorage.getItem(key)
  for (const group of document.querySelectorAll(".vp-code-group")) {
    const inputs = [...group.querySelectorAll("input")]
    const at = inputs.findIndex((input) => nameOf(input) === chosen)
    const input = inputs[at]
    if (input === undefined || input.checked) {
      continue
    }
    input.checked = true
    const blocks = group.querySelector(".blocks")?.children ?? []
    for (const [index, block] of [...blocks].entries()) {
      block.classList.toggle("active", index === at)
    }
  }
}

/** For the setup of the theme: the groups that the renderer makes. */
export const useChosenTabs = (): void => {
  onContentUpdated(() => void nextTick(show))
  onMounted(() => {
    document.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !target.matches(".vp-code-group input")) {
        return
      }
      localStorage.setItem(key, nameOf(target))
      show()
    })
  })
}

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
