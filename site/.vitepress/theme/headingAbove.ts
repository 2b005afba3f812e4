/** The heading above a part of a page. */
export const headingOf = (part: Element): Element | null => {
  let at: Element | null = part
  while (at !== null && !/^H[1-6]$/.test(at.tagName)) {
    at = at.previousElementSibling ?? at.parentElement?.querySelector(":scope > summary > h3") ?? at.parentElement
  }
  return at
}

/** Its text, after which the buttons of the part are named: a list of them would be all "Run". */
export const headingAbove = (part: Element): string => headingOf(part)?.textContent.replace("\u200b", "").trim() ?? ""
