// Sections of the reference, each folded until a reader opens it, or follows a link to what is in it.

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
    fold.open ||= left.includes(at) || fold.contains(place)
  }
}

/** Shows only the names that have these letters, and what they stand below. */
const filterNames = (letters: string): void => {
  let isShown = false
  for (const line of [...document.querySelectorAll<HTMLElement>(".names > *")].toReversed()) {
    const isName = line.tagName === "DD"
    const name = line.querySelector("code")?.textContent.toLowerCase() ?? ""
    line.hidden = isName ? !name.includes(letters.trim().toLowerCase()) : !isShown
    isShown = isName && (isShown || !line.hidden)
  }
}

export const installFolds = (): void => {
  openAt(location.hash)
  addEventListener("hashchange", () => openAt(location.hash))
  addEventListener("pagehide", () => history.replaceState({ ...history.state, open: openFolds() }, ""))
  addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".filter")) {
      filterNames(target.value)
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
