// A program of a page: what runs it, and what it has printed.
import { computed, nextTick, ref, useTemplateRef } from "vue"
import { withBase } from "vitepress"
import { decoded, errorSectionOf } from "../urls.js"
import { inspect } from "./inspect.js"

/** A request that the program sent, and the status of its response; none if there was no response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number | undefined
}

/** What a program gets for one run. */
export interface Run {
  readonly console: Pick<Console, "debug" | "error" | "info" | "log" | "warn">
  readonly document: Document
  readonly exchanged: (exchange: Exchange) => void
}

/** The name of a program of this page in the session's storage, where it is once it was changed. */
export const keptName = (source: string): string => `catalog-program ${location.pathname}: ${source}`

/** Whether the storage has a changed program of this page. */
export const isKept = (): boolean => Object.keys(sessionStorage).some((name) => name.startsWith(keptName("")))

/** The module of a program. */
export interface Program {
  readonly default: (run: Run) => Promise<void>
}

interface Line {
  readonly isError: boolean
  /** Those with an address are links. */
  readonly parts: ReadonlyArray<{ readonly text: string; readonly href?: string }>
}

/** Where an address leads: the short one of an error leads to its section on this site. */
const hrefOf = (address: string): string => {
  const section = errorSectionOf(address)
  return section === undefined ? address : withBase(`/errors#${section}`)
}

const lineOf = (text: string, isError: boolean): Line => ({
  isError,
  parts: text
    .split(/(https?:\/\/[^\s"]*[^\s".,])/)
    .map((part, at) => (at % 2 === 1 ? { text: part, href: hrefOf(part) } : { text: part }))
})

/** How a run ended, in a line: how much it printed, or the first line of its error. */
const summaryOf = (lines: ReadonlyArray<Line>): string => {
  const [error] = lines.filter(({ isError }) => isError)
  const textOf = ({ parts }: Line) => parts.map(({ text }) => text).join("")
  if (error) {
    return textOf(error).split("\n")[0] ?? ""
  }
  const count = lines.flatMap((line) => textOf(line).split("\n")).length
  return count === 0 ? "Ran." : `Ran: ${count} ${count === 1 ? "line" : "lines"} printed.`
}

const uncaught = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)

/** An exchange as a line: `GET /v2/anime/1?fields=mean,rank`. */
export const requestLine = ({ method, url }: Exchange): string => `${method} ${decoded(url)}`

/**
 * The state of a program in the page.
 *
 * @param html the page that it is for
 */
export const useProgram = (load: () => Promise<Program>, html: string | undefined) => {
  const isRunning = ref(false)
  /** Whether the program could not be loaded. */
  const isMissing = ref(false)
  /** How often it was run. */
  const runs = ref(0)
  /** What it has printed; undefined before anything is. */
  const lines = ref<Array<Line>>()
  const exchanges = ref<Array<Exchange>>([])
  const page = ref<{ readonly html: string; readonly run: number }>()
  const frame = useTemplateRef<HTMLIFrameElement>("frame")
  /** What a screen reader is told of the last run. */
  const status = computed(() => (isRunning.value || runs.value === 0 ? "" : summaryOf(lines.value ?? [])))
  /** Identifies the last run: what an earlier one prints is not shown. */
  let latest = {}

  /** The document of a new page, for a program that needs one. */
  const newDocument = async (): Promise<Document> => {
    if (html === undefined) {
      return document
    }
    page.value = { html, run: runs.value }
    await nextTick()
    const element = frame.value
    if (element === null) {
      return document
    }
    await new Promise((resolve) => element.addEventListener("load", resolve, { once: true }))
    return element.contentDocument ?? document
  }

  const start = async (current: object): Promise<void> => {
    runs.value++
    exchanges.value = []
    if (lines.value !== undefined) {
      lines.value = []
    }
    // A program can go on after its end, until it is run again.
    const add = (line: Line) => {
      if (current === latest) {
        lines.value = [...(lines.value ?? []), line]
      }
    }
    const print =
      (isError: boolean) =>
      (...values: ReadonlyArray<unknown>): void =>
        add(lineOf(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "), isError))
    const [log, error] = [print(false), print(true)]
    isMissing.value = false
    const program = await load().catch(() => undefined)
    if (current !== latest) {
      return
    }
    if (program === undefined) {
      // Nothing ran.
      runs.value--
      isMissing.value = true
      return
    }
    try {
      await program.default({
        console: { debug: log, error, info: log, log, warn: error },
        document: await newDocument(),
        exchanged: (exchange) => {
          if (current === latest) {
            exchanges.value = [...exchanges.value, exchange]
          }
        }
      })
    } catch (thrown) {
      add(lineOf(`Uncaught ${uncaught(thrown)}`, true))
    }
    if (current === latest) {
      lines.value ??= []
    }
  }

  const run = async (): Promise<void> => {
    if (isRunning.value) {
      return
    }
    isRunning.value = true
    const current = (latest = {})
    await start(current)
    if (current === latest) {
      isRunning.value = false
    }
  }

  /** Waits for the program no more. */
  const abandon = (): void => {
    latest = {}
    isRunning.value = false
  }

  /** Shows what was there before a run. */
  const reset = (): void => {
    abandon()
    isMissing.value = false
    runs.value = 0
    lines.value = undefined
    exchanges.value = []
    page.value = undefined
  }

  return { abandon, exchanges, isMissing, isRunning, lines, page, reset, run, runs, status }
}
