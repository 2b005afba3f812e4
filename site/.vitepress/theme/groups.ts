// Groups of the sidebar that a reader has opened, which a reload keeps open.

/** Where the buttons of the opened groups are kept, as selectors. A script in the head of each page reads them, too. */
export const keptGroups = "sidebar"

/** The style with which that script opens the groups. */
export const keptGroupsStyle = "kept-groups"

const buttonOf = (group: string): string => `[aria-label="Pages of ${group}"]`

const buttons = (): ReadonlyArray<string> => (sessionStorage.getItem(keptGroups) ?? "").split(",").filter(Boolean)

export const keepGroup = (group: string, isOpen: boolean): void => {
  const others = buttons().filter((button) => button !== buttonOf(group))
  sessionStorage.setItem(keptGroups, [...others, ...(isOpen ? [buttonOf(group)] : [])].join())
}

/** Whether a group was open before. Called once the sidebar shows that itself. */
export const wasOpen = (group: string): boolean => {
  document.getElementById(keptGroupsStyle)?.remove()
  return buttons().includes(buttonOf(group))
}
