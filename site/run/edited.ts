// The program that a reader has changed: its editor, and what compiles it. No page loads this before a reader edits.
import { createEditor } from "prism-code-editor"
import { insertLineAndIndent } from "prism-code-editor/commands"
import "prism-code-editor/languages/clike"
import layout from "prism-code-editor/layout.css?inline"
import "prism-code-editor/prism/languages/typescript"
import { insertText } from "prism-code-editor/utils"
import { transform } from "sucrase"
import { size } from "virtual:types"
import { type Component, h, reactive } from "vue"
import type { Mistake } from "./checker.js"
import style from "./edited.css?inline"
import EditorPopup from "./EditorPopup.vue"
import EditorTools from "./EditorTools.vue"
import { headingAbove, headingOf } from "../.vitepress/theme/headingAbove.js"
import { dropLink, linkedPlace, linkedProgram, linkTo } from "./links.js"
import { guarded, guardName, guardOf } from "./loops.js"
import { keptName, type Program, type Run } from "./program.js"
import { processOfPage } from "./services.js"
import { ask, type Checked } from "./types.js"

type Modules = Readonly<Record<string, object>>

/** What programs can import, by the name of the module, for one run. */
export type Registry = (run: Run) => Modules

/** What a program becomes: a function of what it does not declare. */
type Main = (
  console: Run["console"],
  document: Document,
  require: (name: string) => object,
  exports: object,
  guard: () => true
) => Promise<void>

const mistake = (message: string, line: number, column?: number): SyntaxError =>
  new SyntaxError(`${message} (line ${line}${column === undefined ? "" : `, column ${column}`})`)

const javascriptOf = (source: string): string => {
  try {
    return guarded(transform(source, { transforms: ["typescript", "imports"], disableESTransforms: true }).code)
  } catch (error) {
    const { loc, message } = error as Error & { readonly loc?: { readonly line: number; readonly column: number } }
    throw loc === undefined ? error : mistake(message.replace(/ \(\d+:\d+\)$/, ""), loc.line, loc.column)
  }
}

/** Evaluates a program as an inline script. VitePress writes such scripts into each page, so a policy has to allow them anyway. */
const mainOf = (code: string, source: string, name: string): Main => {
  const script: HTMLScriptElement & { main?: Main } = document.createElement("script")
  // The lines of the script are those of the program.
  script.textContent = `"use strict"; document.currentScript.main = async (console, document, require, exports, ${guardName}) => { const process = ${processOfPage}; {${code}
} }
//# sourceURL=${name}`
  let thrown: Error | undefined
  // What the compiler does not see, such as a name that is declared twice. It is not an error of a program that runs.
  const onError = (event: ErrorEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const line = event.lineno
    const isUnchanged = code.split("\n")[line - 1] === source.split("\n")[line - 1]
    const message = event.message.replace(/^.*?SyntaxError: (Failed to .*?: )?/, "")
    thrown = mistake(message, line, isUnchanged ? event.colno : undefined)
  }
  addEventListener("error", onError, { capture: true })
  document.head.append(script)
  script.remove()
  removeEventListener("error", onError, { capture: true })
  if (script.main === undefined) {
    throw thrown ?? new Error("This site does not let a page run a changed program: see its content security policy.")
  }
  return script.main
}

/** A module whose unknown exports are errors, as in an import. */
const strict = (name: string, module: object): object =>
  new Proxy(module, {
    get: (target, key) => {
      if (key !== "__esModule" && typeof key === "string" && !(key in target)) {
        throw new SyntaxError(`"${name}" has no export "${key}" in this page.`)
      }
      return key === "__esModule" || (Reflect.get(target, key) as unknown)
    }
  })

const requireFrom = (modules: Modules) => (name: string) => {
  const module = modules[name]
  if (module === undefined) {
    const known = Object.keys(modules).sort().join(", ")
    throw new Error(`Cannot find the module "${name}". In this page, a program can import: ${known}.`)
  }
  return strict(name, module)
}

/** How many programs were compiled. */
let compiled = 0

/** The program that a reader has written, or that Explore shows. A mistake in it is the error that its run ends with. */
export const programOf = async (source: string): Promise<Program> => {
  const name = `changed-${++compiled}.ts`
  let code: string
  let main: Main
  try {
    code = javascriptOf(source)
    main = mainOf(code, source, name)
  } catch (error) {
    return { default: () => Promise.reject(error) }
  }
  // Imports of types alone are gone from it.
  const names = [...code.matchAll(/\brequire\('([^']*)'\)/g)].map(([, imported = ""]) => imported)
  const isPromise = (imported: string) => imported.split("/")[0] === "catalog-client"
  const isEffect = (imported: string) => /^(@catalog-client|@?effect)\b/.test(imported)
  // With a name that no package has, the error lists all that there are.
  const [catalog, effect] = await Promise.all([
    names.every(isEffect) ? undefined : import("./registry/catalog.js"),
    names.every(isPromise) ? undefined : import("./registry/effect.js")
  ])
  const modules = (run: Run): Modules => ({ ...effect?.registry(run), ...catalog?.registry(run) })
  return { default: (run) => main(run.console, run.document, requireFrom(modules(run)), {}, guardOf(run)), name }
}

/** The program above an element: the block before it, or the block in view of the tabs before it. */
const blockBefore = (element: Element): HTMLElement | undefined => {
  const before = element.previousElementSibling
  const blocks = [before, ...(before?.querySelectorAll(".language-ts") ?? [])]
  return blocks.findLast(
    (block) => block instanceof HTMLElement && block.matches(".language-ts") && block.checkVisibility()
  ) as HTMLElement | undefined
}

/** The code of a block, without what shows its types. */
const sourceOf = (block: HTMLElement): string => {
  const code = block.querySelector("code")?.cloneNode(true) as HTMLElement | undefined
  for (const hover of code?.querySelectorAll(".vp-copy-ignore") ?? []) {
    hover.remove()
  }
  return code?.textContent ?? ""
}

let hasStyle = false

/** The style of the editor is not part of the site's, which all pages load. */
const addStyle = (): void => {
  if (!hasStyle) {
    hasStyle = true
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(layout + style)
    if (marks !== undefined) {
      CSS.highlights.set("type-mistake", marks)
    }
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
}

/** Changes what is above an element. What a reader sees stays: the first line, or the element if that line is out of sight. */
const keepInPlace = (element: Element, first: Element, change: () => void): void => {
  const top = element.getBoundingClientRect().top
  const isSeen = first.getBoundingClientRect().top >= 0
  change()
  if (!isSeen) {
    scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" })
  }
}

/** The address whose program is open. */
let opened = ""

const programsOfPage = (): ReadonlyArray<Element> => [...document.querySelectorAll(".program")]

/** Whether the address has a program for this place, or for one that is not in view, whose part the first takes. */
const isLinked = (element: Element): boolean => {
  const place = linkedPlace()
  if (location.hash === opened) {
    return false
  }
  const programs = programsOfPage()
  const inView = (program: Element | undefined) => program !== undefined && blockBefore(program) !== undefined
  return place !== undefined && element === (inView(programs[place]) ? programs[place] : programs.find(inView))
}

/** The marks of mistakes. A browser without them has the list. */
const marks = typeof Highlight === "undefined" ? undefined : new Highlight()

/** A part of a program in the page, up to the end of its line. */
const rangeOf = (line: Element | undefined, column: number, length: number): Range | undefined => {
  const texts = line === undefined ? undefined : document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let before = 0
  let isOpen = false
  for (let text = texts?.nextNode(); text; text = texts?.nextNode()) {
    const { length: letters } = text as Text
    if (!isOpen && column < before + letters) {
      range.setStart(text, column - before)
      isOpen = true
    }
    if (isOpen) {
      range.setEnd(text, Math.min(letters, column + length - before))
      if (column + length <= before + letters) {
        break
      }
    }
    before += letters
  }
  return isOpen ? range : undefined
}

/** An open editor. */
export interface Editor {
  /** The program as it is in the editor. */
  readonly program: () => Promise<Program>
  /** What stands beside its buttons. */
  readonly Tools: Component
  /** Drops what a reload would show again. Returns what keeps it for the next editor after all, if it was changed. */
  readonly forget: () => (() => void) | undefined
  /** Shows the original program again. */
  readonly close: () => void
}

/** Milliseconds without a change before types are checked. */
const pause = 400

/** Whether the connection is to be spared what the reader did not ask for. */
const savesData = (): boolean =>
  (navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/** What is before a bracket that ends a block, in a line that is still indented as far as the one before it, or farther. */
const inBlock = /(?:^|\n)( *)\S.*\n+\1 *(?<= {2})$/

/** How many editors were opened. */
let count = 0

/**
 * Turns the program above an element into an editor. Tab leaves it, as it leaves any field. What was changed before a reload is
 * in it, or the program of the page's address; with `kept`, a program that has neither stays as it is.
 */
export const edit = (element: Element, onChange: () => void, only?: "kept"): Editor | undefined => {
  const block = blockBefore(element)
  if (block === undefined) {
    return undefined
  }
  const source = sourceOf(block)
  const name = keptName(source)
  const kept = sessionStorage.getItem(name)
  const hasLink = only === "kept" && isLinked(element)
  if (only === "kept" && kept === null && !hasLink) {
    return undefined
  }
  addStyle()
  let last = kept ?? source
  const state = reactive<{ isOld: boolean; mistakes: Checked; note: string; program: string }>({
    isOld: false,
    mistakes: "unchecked",
    note: "",
    program: last
  })
  /** Whose output is shown, unless the page's own is shown below another program. */
  let ran = last === source ? source : undefined
  let ranges: ReadonlyArray<Range> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Whether names are suggested for what is half written: its mistakes are not shown. */
  let isSuggesting = false
  const unmark = () => ranges.forEach((range) => marks?.delete(range))

  /** The lines up to a place. */
  const linesTo = (at: number) => editor.value.slice(0, at).split("\n")

  const rangeIn = (start: number, length: number): Range | undefined => {
    const lines = linesTo(start)
    return rangeOf(editor.lines[lines.length], lines.at(-1)?.length ?? 0, length)
  }

  const changeTo = (program: string): void => {
    last = program
    state.program = program
    state.isOld = ran !== undefined && ran !== program && element.querySelector(".language-text, iframe") !== null
    if (state.isOld) {
      element.setAttribute("data-output", "old")
    } else if (ran === undefined) {
      element.setAttribute("data-output", "other")
    } else {
      element.removeAttribute("data-output")
    }
  }

  const check = async (): Promise<void> => {
    const checked = editor.value
    state.mistakes = "checking"
    const found = await ask("mistakes", checked, 0, () => editor.value === checked).catch(() => "unknown" as const)
    // Those of an older text are elsewhere by now.
    if (editor.value !== checked || found === undefined || isSuggesting) {
      return
    }
    unmark()
    if (found === "unknown") {
      state.mistakes = found
      return
    }
    state.mistakes = found.map((mistake) => ({ ...mistake, line: linesTo(mistake.start).length }))
    ranges = found.flatMap(({ length, start }) => rangeIn(start, length) ?? [])
    ranges.forEach((range) => marks?.add(range))
  }

  const checkSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => isSuggesting || void check(), pause)
  }

  /** Whether the compiler can be asked: not before the first check. */
  const wake = (isAskedFor: boolean): boolean => {
    if (state.mistakes === "unchecked" && size !== "" && (isAskedFor || !savesData())) {
      void check()
    }
    return state.mistakes !== "unchecked"
  }

  const openLink = async (): Promise<void> => {
    const linked = await linkedProgram()
    state.note =
      linked === undefined
        ? "The program of this link could not be read: part of the link is missing."
        : "This program is from a link. Read it before you run it."
    if (linked !== undefined) {
      ran = undefined
      changeTo(linked)
      editor.setOptions({ value: linked })
    }
    // The heading says what the program is of, where there is room for both.
    const heading = headingOf(element)
    const top = editor.container.getBoundingClientRect().top - (heading?.getBoundingClientRect().top ?? 0)
    const place = top < innerHeight / 2 ? heading : editor.container
    place?.scrollIntoView({ block: "start" })
  }

  const editor = createEditor(null, {
    language: "typescript",
    // On a phone, few words of a program fit on a line.
    wordWrap: !matchMedia("(pointer: coarse)").matches,
    value: last,
    onUpdate: (value) => {
      if (value !== last) {
        changeTo(value)
        sessionStorage.setItem(name, value)
        dropLink()
        unmark()
        if (state.mistakes !== "unchecked" || (size !== "" && !savesData())) {
          state.mistakes = "checking"
          checkSoon()
        }
      }
      onChange()
    }
  })
  changeTo(last)
  const id = `editor-${++count}`
  editor.textarea.setAttribute("aria-label", `Program: ${headingAbove(element)}`)
  editor.textarea.setAttribute("aria-describedby", id)
  for (const bracket of [")", "]", "}"]) {
    editor.inputCommandMap[bracket] = (_, [start, end], value) => {
      const isOutdented = inBlock.test(value.slice(0, start))
      if (isOutdented) {
        insertText(editor, bracket, start - 2, end)
      }
      return isOutdented
    }
  }
  editor.textarea.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, isComposing, key, metaKey, shiftKey } = event
    const button = element.querySelector("button")
    if (key === "Escape") {
      button?.focus()
    } else if (key === "Enter" && (ctrlKey || metaKey)) {
      button?.click()
    } else if (key === "Enter" && !altKey && !isComposing && !shiftKey && insertLineAndIndent(editor)) {
      event.preventDefault()
    }
  })
  const show = () => {
    // A second block moves up to the first.
    block.before(editor.container)
    block.hidden = true
  }
  if (only === undefined) {
    keepInPlace(element, block, show)
    editor.textarea.focus({ preventScroll: true })
    if (size !== "" && !savesData()) {
      // The compiler is ready when the reader has written something.
      void ask("known", last, 0, () => true).catch(() => {})
    }
  } else {
    show()
  }
  if (hasLink) {
    opened = location.hash
    void openLink()
  }
  return {
    program: () => {
      ran = editor.value
      changeTo(ran)
      if (editor.value !== source && size !== "") {
        void check()
      }
      return programOf(editor.value)
    },
    Tools: () => [
      h(EditorTools, {
        ...state,
        id,
        isLoadedByRun: savesData(),
        size,
        link: () => linkTo(editor.value, programsOfPage().indexOf(element)),
        onSelect: ({ length, start }: Mistake) => {
          editor.textarea.focus()
          editor.textarea.setSelectionRange(start, start + length)
        }
      }),
      h(EditorPopup, {
        editor,
        id: `${id}-names`,
        messagesAt: (at: number) =>
          typeof state.mistakes === "string"
            ? []
            : state.mistakes.flatMap(({ length, message, start }) =>
                start <= at && at < start + length ? message : []
              ),
        onSuggest: (isOpen: boolean) => {
          isSuggesting = isOpen
          if (!isOpen && state.mistakes === "checking") {
            checkSoon()
          }
        },
        rangeOf: rangeIn,
        wake
      })
    ],
    forget: () => {
      sessionStorage.removeItem(name)
      dropLink()
      return last === source ? undefined : () => sessionStorage.setItem(name, last)
    },
    close: () => {
      opened = ""
      clearTimeout(timer)
      unmark()
      element.removeAttribute("data-output")
      keepInPlace(element, editor.container, () => {
        editor.remove()
        block.hidden = false
      })
    }
  }
}
