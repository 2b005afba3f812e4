import { ref, useId } from "vue"

/** Tabs by their names: the current one, and the keys that move between them. */
export const useTabs = (names: ReadonlyArray<string>) => {
  const current = ref(names[0])
  const id = useId()
  const idOf = (name: string) => `${id}-${name}`

  const move = (event: KeyboardEvent): void => {
    const at = names.indexOf(current.value ?? "")
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const name = names.at(to % names.length) ?? ""
    current.value = name
    document.getElementById(idOf(name))?.focus()
  }

  return { current, idOf, move }
}
