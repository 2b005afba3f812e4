// The program that a reader has changed: its editor, and what compiles it. No page loads this before a reader edits.
import { createEditor } from "prism-code-editor"
import layout from "prism-code-editor/layout.css?inline"
import "prism-code-editor/prism/languages/typescript"
import { transform } from "sucrase"
import style from "./edited.css?inline"
import { guarded, guardName, guardOf } from "./loops.js"
import { keptName, type Program, type Run } from "./program.js"
import { processOfPage } from "./services.js"

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

/** The program that a reader has written. A mistake in it is the error that its run ends with. */
const programOf = async (source: string): Promise<Program> => {
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
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
}

/** Changes what is above an element. The element stays where it is in the window. */
const keepInPlace = (element: Element, change: () => void): void => {
  const top = element.getBoundingClientRect().top
  change()
  scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" })
}

/** An open editor. */
export interface Editor {
  /** The program as it is in the editor. */
  readonly program: () => Promise<Program>
  /** Drops what a reload would show again. */
  readonly forget: () => void
  /** Shows the original program again. */
  readonly close: () => void
}

/**
 * Turns the program above an element into an editor. Tab leaves it, as it leaves any field. What was changed before a reload is
 * in it; with `kept`, a program that was not changed stays as it is.
 */
export const edit = (element: Element, onChange: () => void, only?: "kept"): Editor | undefined => {
  const block = blockBefore(element)
  if (block === undefined) {
    return undefined
  }
  const source = sourceOf(block)
  const name = keptName(source)
  const kept = sessionStorage.getItem(name)
  if (only === "kept" && kept === null) {
    return undefined
  }
  addStyle()
  const editor = createEditor(null, {
    language: "typescript",
    wordWrap: true,
    value: kept ?? source,
    onUpdate: (value) => {
      if (value !== (sessionStorage.getItem(name) ?? source)) {
        sessionStorage.setItem(name, value)
      }
      onChange()
    }
  })
  editor.textarea.setAttribute("aria-label", "Program")
  editor.textarea.addEventListener("keydown", ({ ctrlKey, key, metaKey }) => {
    const button = element.querySelector("button")
    if (key === "Escape") {
      button?.focus()
    } else if (key === "Enter" && (ctrlKey || metaKey)) {
      button?.click()
    }
  })
  const show = () => {
    // A second block moves up to the first.
    block.before(editor.container)
    block.hidden = true
  }
  if (only === undefined) {
    keepInPlace(element, show)
    editor.textarea.focus({ preventScroll: true })
  } else {
    show()
  }
  return {
    program: () => programOf(editor.value),
    forget: () => sessionStorage.removeItem(name),
    close: () =>
      keepInPlace(element, () => {
        editor.remove()
        block.hidden = false
      })
  }
}
