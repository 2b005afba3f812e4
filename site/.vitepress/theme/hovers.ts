// The hovers of code, for a mouse, a finger and a keyboard. A block is one Tab stop; arrow keys move between its names.
// Only browsers load this, on pages with hovers (Hover.ts).
import Hovers from "@shikijs/vitepress-twoslash/client"
import type { App } from "vue"

/** Whether there is no pointer that can be held over a name. */
const isTouch = matchMedia("(hover: none)").matches

/** The names of a block that have a hover, or of a line of it. */
const namesIn = (part: Element): ReadonlyArray<HTMLElement> => [
  ...part.querySelectorAll<HTMLElement>(".twoslash-hover > span")
]

const nameAt = (element: unknown): HTMLElement | undefined =>
  element instanceof HTMLElement && element.matches(".twoslash-hover > span") ? element : undefined

/** The hover that a name shows. */
const hoverOf = (name: Element | undefined): HTMLElement | undefined =>
  document.getElementById(name?.getAttribute("aria-describedby") ?? "") ?? undefined

const isOpen = (name: Element): boolean => name.hasAttribute("data-popper-shown")

/** The name whose hover a keyboard has opened last. */
let current: HTMLElement | undefined

/** Opens or closes a hover by the event that does so for a pointer. */
const show = (name: HTMLElement, open: boolean): void => {
  if (!open) {
    // A mouse that is still on the name would keep it open.
    dispatchEvent(new MouseEvent("mousemove", { clientX: -1, clientY: -1 }))
  }
  if (!isTouch) {
    name.dispatchEvent(new MouseEvent(open ? "mouseenter" : "mouseleave"))
  } else if (open !== isOpen(name)) {
    name.click()
  }
}

/** The same for the name that has the focus. */
const toggle = (name: HTMLElement, open: boolean): void => {
  name.setAttribute("aria-expanded", String(open))
  show(name, open)
}

/** Closes what a pointer has opened, unless it is on the name or its hover. */
const closeAll = (pointed?: Element): void => {
  for (const name of document.querySelectorAll<HTMLElement>(".twoslash-hover > [data-popper-shown]")) {
    if (name !== current && !(pointed && (name.contains(pointed) || hoverOf(name)?.contains(pointed)))) {
      show(name, false)
    }
  }
}

/** Milliseconds in which a mouse can go from a name to its hover. */
const pause = 300

/** floating-vue takes a fast exit for a move to the hover, and leaves it open. */
const closeWhatTheMouseLeft = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener("mousemove", ({ target }) => {
    clearTimeout(timer)
    timer = setTimeout(() => closeAll(target instanceof Element ? target : undefined), pause)
  })
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
  const name = nameAt(event.target)
  const target = targetOf(event.key, block, name)
  const link = event.key === "Tab" && !event.shiftKey ? hoverOf(name)?.querySelector("a") : undefined
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
    toggle(name, event.key !== "Escape" && !isOpen(name))
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
  if (event.key === "Escape") {
    toggle(name, false)
  }
  if (event.key === "Escape" || (event.key === "Tab" && isAtEnd && event.shiftKey)) {
    event.preventDefault()
  }
}

export const installHovers = (app: App): void => {
  app.use(Hovers, {
    themes: {
      twoslash: {
        triggers: [isTouch ? "click" : "hover"],
        popperTriggers: isTouch ? [] : ["hover"],
        // In the main landmark, and above the name where there is more room.
        container: "main, [role=main]",
        flip: true
      }
    }
  })
  if (isTouch) {
    // It would move along, over what is read next.
    addEventListener("scroll", () => closeAll(), { passive: true })
  } else {
    closeWhatTheMouseLeft()
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      closeAll()
    }
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) {
      return
    }
    const block = event.target.closest("pre.twoslash")
    const hover = hoverOf(current)
    if (block) {
      inBlock(event, block)
    } else if (current && hover?.contains(event.target)) {
      inHover(event, hover, current)
    }
  })
  document.addEventListener("focusout", ({ relatedTarget }) => {
    if (
      !current ||
      relatedTarget === current ||
      (relatedTarget instanceof Node && hoverOf(current)?.contains(relatedTarget))
    ) {
      return
    }
    toggle(current, false)
    for (const attribute of ["role", "tabindex", "aria-expanded"]) {
      current.removeAttribute(attribute)
    }
    current = undefined
  })
}
