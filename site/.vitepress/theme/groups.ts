// Groups of the sidebar that a reader has opened, which a reload keeps open.

/** The buttons of the opened groups, as selectors: a script in the head of each page reads them, too (config.ts). */
const stored = "sidebar"

const buttonOf = (group: string): string => `[aria-label="Pages of ${group}"]`

const buttons = (): ReadonlyArray<string> => (sessionStorage.getItem(stored) ?? "").split(",").filter(Boolean)

export const keepGroup = (group: string, isOpen: boolean): void => {
  const others = buttons().filter((button) => button !== buttonOf(group))
  sessionStorage.setItem(stored, [...others, ...(isOpen ? [buttonOf(group)] : [])].join())
}

/** Whether a group was open before. Called once the sidebar shows that itself. */
export const wasOpen = (group: string): boolean => {
  document.querySelector("#kept-groups")?.remove()
  return buttons().includes(buttonOf(group))
}
