// A run of a program: its console, the links in what it prints, and its errors. No page loads this before a reader runs one.
import { withBase } from "vitepress"
import { addressOfLink } from "../urls.js"
import { coloured } from "./colours.js"
import { inspect, table } from "./inspect.js"
import { type Exchange, type Line, linesIn, type Program, type Run, textOf } from "./program.js"

/** What shows a run, until the reader has another. */
export interface Shown {
  readonly document: Document
  readonly exchanged: (exchange: Exchange) => void
  readonly isLatest: () => boolean
  /** Shows what was printed until now, and announces a summary of it once the program has ended. */
  readonly show: (lines: ReadonlyArray<Line>, summary: string) => void
}

/** Where the end of an error leads: to its page on this site. */
const hrefOf = (address: string): string | undefined => {
  const page = addressOfLink(address)
  return page && withBase(page)
}

/** The address at the end of an error: other addresses are data. */
const address = /(?<=\bSee )(https?:\/\/\S*\w)/

const lineOf = (text: string, kind: Line["kind"]): Line => ({
  kind,
  parts:
    kind === "log" && isJson(text)
      ? coloured(text, "json")
      : text.split(address).map((part, at) => {
          const href = at % 2 === 1 ? hrefOf(part) : undefined
          return href === undefined ? { text: part } : { text: part, href }
        })
})

const isJson = (text: string): boolean => {
  try {
    return /^[[{]/.test(text) && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

const stackOf = (error: unknown): string => {
  try {
    return error instanceof Error ? (error.stack ?? "") : ""
  } catch {
    // A program can throw what cannot be read.
    return ""
  }
}

/** An error that a program does not catch, with the innermost line of the program that it went through. */
const uncaught = (error: unknown, { name }: Program): string => {
  const [, line] = name === undefined ? [] : (new RegExp(`${name}:(\\d+)`).exec(stackOf(error)) ?? [])
  // Its members are last.
  return `Uncaught ${inspect(error).replace(/(?= \{\n|$)/, line === undefined ? "" : ` (line ${line})`)}`
}

/** The console of a program. Methods that it does not know are logs. */
const consoleOf = (add: (line: Line) => void): Run["console"] => {
  const printing =
    (kind: Line["kind"]) =>
    (...values: ReadonlyArray<unknown>): void =>
      add(lineOf(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "), kind))
  const [log, error] = [printing("log"), printing("error")]
  const methods = {
    assert: (isTrue: unknown, ...values: ReadonlyArray<unknown>) => isTrue || error("Assertion failed", ...values),
    debug: log,
    dir: (value: unknown) => log(inspect(value)),
    error,
    info: log,
    log,
    table: (data: unknown, columns?: unknown) => {
      const text = table(data, columns)
      return text === undefined ? log(data) : add(lineOf(text, "table"))
    },
    warn: error
  }
  return new Proxy(methods, {
    get: (target, key): unknown =>
      Reflect.get(target, key) ?? (typeof Reflect.get(console, key) === "function" ? log : undefined)
  })
}

interface Running {
  readonly fail: (error: unknown) => void
  readonly isLatest: () => boolean
  readonly program: Program
}

/** The runs that are shown, the last one last. A program can fail after its end: in a timer, or a promise that it does not await. */
let runs: ReadonlyArray<Running> = []

/** Shows an error in the run that it is from: the last one, unless its stack says another. */
const showLate = (event: Event, error: unknown): void => {
  runs = runs.filter(({ isLatest }) => isLatest())
  const stack = stackOf(error)
  const run = runs.find(({ program: { name } }) => name !== undefined && stack.includes(name)) ?? runs.at(-1)
  if (run !== undefined) {
    event.preventDefault()
    run.fail(error)
  }
}

addEventListener("unhandledrejection", (event) => showLate(event, event.reason))
addEventListener("error", (event) => {
  // The browser has messages that are no errors of a program, such as those of a ResizeObserver.
  if (event.error !== null && event.error !== undefined) {
    showLate(event, event.error)
  }
})

/** How long a program that has printed nothing is waited for, in milliseconds: it may not await its last promise. */
const patience = 200

/** What is shown of a program that printed nothing. */
const nothing = lineOf("The program printed nothing.", "note")

/** How a run ended, in a line: how much it printed, or the first line of its error. */
const summaryOf = (lines: ReadonlyArray<Line>): string => {
  const special = lines.find(({ kind }) => kind === "error" || kind === "note")
  if (special !== undefined) {
    return textOf(special).split(/ \{\n|\n/)[0] ?? ""
  }
  const count = linesIn(lines).length
  return count === 0 ? "Ran." : `Ran: ${count} ${count === 1 ? "line" : "lines"} printed.`
}

/** Runs a program, and shows what it does. */
export const execute = async (program: Program, { document, exchanged, isLatest, show }: Shown): Promise<void> => {
  const lines: Array<Line> = []
  let hasPrinted: (value?: unknown) => void = () => {}
  const printed = new Promise((resolve) => (hasPrinted = resolve))
  const add = (line: Line) => {
    lines.push(line)
    show([...lines], summaryOf(lines))
    hasPrinted()
  }
  const fail = (error: unknown) => add(lineOf(uncaught(error, program), "error"))
  runs = [...runs, { fail, isLatest, program }]
  try {
    await program.default({ console: consoleOf(add), document, exchanged, isLatest })
  } catch (error) {
    fail(error)
  }
  // A page has other things to show than lines.
  const isPage = document !== globalThis.document
  if (!isPage) {
    await Promise.race([printed, new Promise((resolve) => setTimeout(resolve, patience))])
  }
  if (lines.length === 0) {
    const shown = isPage ? [] : [nothing]
    show(shown, summaryOf(shown))
  }
}
