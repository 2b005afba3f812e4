// Sections of the reference, each folded until a reader opens it, or follows a link to what is in it.
import { openSearch } from "./openSearch.js"

const folds = (): ReadonlyArray<HTMLDetailsElement> => [
  ...document.querySelectorAll<HTMLDetailsElement>("details.fold")
]

/** The places of the open sections, which the history keeps: a reader who comes back finds the page as it was. */
export const openFolds = (): ReadonlyArray<number> => folds().flatMap(({ open }, at) => (open ? [at] : []))

/** Opens the section that an anchor is in, and what was open when the reader left the page. */
export const openAt = (hash: string): void => {
  const known: unknown = history.state?.open
  const left = Array.isArray(known) ? known : []
  const place = document.getElementById(hash.slice(1))
  for (const [at, fold] of folds().entries()) {
    const isPlace = fold.contains(place)
    fold.open ||= left.includes(at) || isPlace
    fold.hidden &&= !isPlace
  }
}

/** Below a filter that finds nothing: opens the search with the same letters. */
const offerSearch = (filter: HTMLInputElement, letters: string): void => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "action"
  button.textContent = `Search the site for "${letters}"`
  button.addEventListener("click", () => openSearch(letters))
  const line = document.createElement("p")
  line.className = "no-names"
  line.append("No name matches. ", button)
  filter.after(line)
}

/** What the filter shows or hides, from the top to the end. */
const filtered = ".names > *, .open-all ~ *, .open-all ~ table > tbody > tr"

/** Where a name, or a row of a table, has its names; a section has them in its headings. */
const namesIn: Readonly<Record<string, string>> = { DD: "code", TR: "td:first-child code" }

/** Shows only the names that have these letters, or the sections of such names and options, and the headings above them. */
const filterNames = (filter: HTMLInputElement): void => {
  const letters = filter.value.trim()
  const isMatch = ({ textContent }: Element) => textContent.toLowerCase().includes(letters.toLowerCase())
  const matchIn = (line: Element, names: string) => [...line.querySelectorAll(names)].find(isMatch)
  let isShown = false
  let isEmpty = true
  for (const line of [...document.querySelectorAll<HTMLElement>(filtered)].toReversed()) {
    if (line.matches("dd, tr, .fold")) {
      const name = matchIn(line, namesIn[line.tagName] ?? "h3, h4")
      // A section of which only an option matches names it.
      const option = name ? undefined : matchIn(line, ".fold td:first-child code")
      line.querySelector("h3")?.setAttribute("data-option", option ? `.${option.textContent.replace("?", "")}` : "")
      line.hidden = !name && !option
      isShown ||= !line.hidden
      isEmpty &&= line.hidden
    } else if (line.matches("dt, h2, table")) {
      line.hidden = !isShown
      isShown &&= line.matches("table")
    } else {
      line.hidden = letters !== ""
    }
  }
  document.querySelector(".no-names")?.remove()
  if (isEmpty) {
    offerSearch(filter, letters)
  }
}

export const installFolds = (): void => {
  openAt(location.hash)
  addEventListener("hashchange", () => openAt(location.hash))
  addEventListener("pagehide", () => history.replaceState({ ...history.state, open: openFolds() }, ""))
  addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".filter")) {
      filterNames(target)
    }
  })
  addEventListener("click", ({ target }) => {
    const part = target instanceof Element ? target : undefined
    if (part?.matches(".open-all")) {
      const isOpening = part.textContent.startsWith("Open")
      for (const fold of folds()) {
        fold.open = isOpening
      }
      part.textContent = `${isOpening ? "Close" : "Open"} all sections`
    }
    // The address of an open section is one to copy.
    const heading = part?.closest(".fold:not([open]) > summary")?.firstElementChild
    if (heading) {
      history.replaceState(history.state, "", `#${heading.id}`)
    }
  })
}
