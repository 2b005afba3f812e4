/** The text of the heading above a part of a page, after which its buttons are named: a list of them would be all "Run". */
export const headingAbove = (part: Element): string => {
  let at: Element | null = part
  while (at !== null && !/^H[1-6]$/.test(at.tagName)) {
    at = at.previousElementSibling ?? at.parentElement?.querySelector(":scope > summary > h3") ?? at.parentElement
  }
  return at?.textContent.replace("\u200b", "").trim() ?? ""
}
