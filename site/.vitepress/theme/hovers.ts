// The hovers of code, for a mouse, a finger and a keyboard. A block is one Tab stop; arrow keys move between its names. What a hover
// shows is a file (../../hovers.ts), which is loaded when it is first opened.
import { withBase } from "vitepress"

/** Milliseconds in which a mouse can go on: over a name, and from a name to its hover. */
const pauses = { open: 100, close: 300 }

/** The names of a block that have a hover, or of a line of it. */
const namesIn = (part: Element): ReadonlyArray<HTMLElement> => [...part.querySelectorAll<HTMLElement>("[data-hover]")]

/** The name around an element. */
const nameAround = (element: unknown): HTMLElement | undefined =>
  (element instanceof Element && element.closest<HTMLElement>("[data-hover]")) || undefined

/** What hovers show, by their files. */
const contents = new Map<string, Promise<string>>()

const contentOf = ({ dataset: { hover = "" } }: HTMLElement): Promise<string> => {
  const content =
    contents.get(hover) ??
    fetch(withBase(`/hovers/${hover}.txt`)).then((response) =>
      response.ok ? response.text() : Promise.reject(new Error(response.statusText))
    )
  contents.set(hover, content)
  return content
}

/** The open hover, the name that it is for, and the name that a keyboard is on. */
let popup: HTMLElement | undefined
let shown: HTMLElement | undefined
let current: HTMLElement | undefined
/** Where the name was as its hover was placed. */
let placedAt = 0

/** Below its name, or above, where there is more room. */
const place = (): void => {
  if (popup === undefined || shown === undefined) {
    return
  }
  const name = shown.getBoundingClientRect()
  const { height, width } = popup.getBoundingClientRect()
  placedAt = name.top
  const isAbove = name.bottom + height + 8 > innerHeight && name.top > innerHeight - name.bottom
  const left = Math.max(8, Math.min(name.left, document.documentElement.clientWidth - width - 8))
  popup.style.translate = `${left}px ${isAbove ? name.top - height - 4 : name.bottom + 4}px`
}

export const closeHover = (): void => {
  popup?.remove()
  shown?.removeAttribute("aria-describedby")
  current?.setAttribute("aria-expanded", "false")
  popup = shown = undefined
}

/** On a phone, a hover would move along, over what is read next. */
const closeMoved = (): void => {
  if (popup && shown && Math.abs(shown.getBoundingClientRect().top - placedAt) > 8) {
    closeHover()
  }
}

const open = async (name: HTMLElement): Promise<void> => {
  closeHover()
  shown = name
  // Without a connection, names have no hovers.
  const content = await contentOf(name).catch(() => undefined)
  if (content === undefined) {
    contents.delete(name.dataset["hover"] ?? "")
  }
  if (content === undefined || shown !== name) {
    return
  }
  popup = document.createElement("div")
  popup.id = "hover"
  popup.className = "twoslash-floating vp-code"
  popup.innerHTML = content
  document.querySelector("main, [role=main]")?.append(popup)
  name.setAttribute("aria-describedby", popup.id)
  place()
}

/** Opens or closes the hover of the name that has the focus. */
const toggle = (name: HTMLElement, isOpen: boolean): void => {
  if (isOpen) {
    void open(name)
  } else {
    closeHover()
  }
  name.setAttribute("aria-expanded", String(isOpen))
}

/** The first name of the nearest line above or below that has one. */
const nameInLine = (name: Element, next: "nextElementSibling" | "previousElementSibling"): HTMLElement | undefined => {
  let line = name.closest(".line")?.[next] ?? null
  while (line !== null && namesIn(line).length === 0) {
    line = line[next]
  }
  return line === null ? undefined : namesIn(line)[0]
}

/** The name to which a key moves in a block, from a name or from the block itself. */
const targetOf = (key: string, block: Element, from: HTMLElement | undefined): HTMLElement | undefined => {
  const names = namesIn(block)
  if (from === undefined) {
    return key === "ArrowRight" || key === "Enter" ? names[0] : undefined
  }
  const at = names.indexOf(from)
  const moves = new Map<string, HTMLElement | undefined>([
    ["ArrowRight", names[at + 1]],
    ["ArrowLeft", names[at - 1]],
    ["ArrowDown", nameInLine(from, "nextElementSibling")],
    ["ArrowUp", nameInLine(from, "previousElementSibling")],
    ["Home", names[0]],
    ["End", names.at(-1)]
  ])
  return moves.get(key)
}

const isMove = (key: string) => /^(Arrow|Home$|End$)/.test(key)

/** What keys do in a block and on its names: they move, open and close, and Tab leads to the link of an open hover. */
const inBlock = (event: KeyboardEvent, block: Element): void => {
  const name = nameAround(event.target)
  const target = targetOf(event.key, block, name)
  const link = event.key === "Tab" && !event.shiftKey && name === shown ? popup?.querySelector("a") : undefined
  if (target) {
    // Only the name with the focus is a button: a screen reader would read a line of code as many of them.
    target.setAttribute("role", "button")
    target.tabIndex = -1
    target.focus()
    current = target
    toggle(target, true)
  } else if (link) {
    link.focus()
  } else if (name && (event.key === "Escape" || event.key === "Enter" || event.key === " ")) {
    toggle(name, event.key !== "Escape" && name !== shown)
  } else if (!name || !isMove(event.key)) {
    return
  }
  event.preventDefault()
}

/** What keys do in a hover: Escape leads back to its name, and Tab too, from the last link and to what follows the name. */
const inHover = (event: KeyboardEvent, hover: Element, name: HTMLElement): void => {
  const links = [...hover.querySelectorAll("a")]
  const isAtEnd = event.target === (event.shiftKey ? links[0] : links.at(-1))
  if (event.key === "Escape" || (event.key === "Tab" && isAtEnd)) {
    name.focus()
  }
  if (event.key === "Escape" || (event.key === "Tab" && isAtEnd && event.shiftKey)) {
    event.preventDefault()
  }
}

const followMouse = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener("mouseover", ({ target }) => {
    clearTimeout(timer)
    const name = nameAround(target)
    if (name && name !== shown) {
      timer = setTimeout(() => void open(name), pauses.open)
    } else if (!name && shown !== current && target instanceof Node && popup?.contains(target) !== true) {
      timer = setTimeout(closeHover, pauses.close)
    }
  })
}

const followFinger = (): void => {
  document.addEventListener("click", ({ target }) => {
    const name = nameAround(target)
    if (name && name !== shown) {
      void open(name)
    } else if (target instanceof Node && popup?.contains(target) !== true) {
      closeHover()
    }
  })
}

const onKey = (event: KeyboardEvent): void => {
  const { altKey, ctrlKey, key, metaKey, target } = event
  if (!(target instanceof Element) || altKey || ctrlKey || metaKey) {
    return
  }
  const block = target.closest("pre.twoslash")
  if (block) {
    inBlock(event, block)
  } else if (current && popup?.contains(target) === true) {
    inHover(event, popup, current)
  }
  if (key === "Escape") {
    closeHover()
  }
}

const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
  const isInHover = relatedTarget instanceof Node && popup?.contains(relatedTarget) === true
  if (!current || relatedTarget === current || isInHover) {
    return
  }
  closeHover()
  for (const attribute of ["role", "tabindex", "aria-expanded"]) {
    current.removeAttribute(attribute)
  }
  current = undefined
}

export const installHovers = (): void => {
  // Whether there is no pointer that can be held over a name.
  const isTouch = matchMedia("(hover: none)").matches
  const follow = isTouch ? followFinger : followMouse
  follow()
  addEventListener("scroll", isTouch ? closeMoved : place, { passive: true })
  document.addEventListener("keydown", onKey)
  document.addEventListener("focusout", onFocusOut)
}
