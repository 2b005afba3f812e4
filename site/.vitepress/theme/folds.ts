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
    const isPlace = fold.contains(place)
    fold.open ||= left.includes(at) || isPlace
    fold.hidden &&= !isPlace
  }
}

/** Shows only the names that have these letters, or the sections of such names, and the headings above them. */
const filterNames = (letters: string): void => {
  const wanted = letters.trim().toLowerCase()
  let isShown = false
  for (const line of [...document.querySelectorAll<HTMLElement>(".names > *, .open-all ~ *")].toReversed()) {
    if (line.matches("dd, .fold")) {
      const names = [...line.querySelectorAll(line.matches("dd") ? "code" : "h3, h4")]
      line.hidden = !names.some((name) => name.textContent.toLowerCase().includes(wanted))
      isShown ||= !line.hidden
    } else if (line.matches("dt, h2")) {
      line.hidden = !isShown
      isShown = false
    } else {
      line.hidden = wanted !== ""
    }
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
