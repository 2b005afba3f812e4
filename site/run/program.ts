// A program of a page, and what a run of it has shown.
import { computed, nextTick, ref, shallowRef, useTemplateRef } from "vue"
import { readable, targetOf } from "../urls.js"
import type { Coloured } from "./colours.js"

/** A request that the program sent, and the status of its response; none if there was no response. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number | undefined
}

/** What a program gets for one run. */
export interface Run {
  readonly console: Readonly<
    Record<"debug" | "dir" | "error" | "info" | "log" | "table" | "warn", (...values: ReadonlyArray<unknown>) => void>
  >
  readonly document: Document
  readonly exchanged: (exchange: Exchange) => void
  readonly isLatest: () => boolean
}

/** The name of a program of this page in the session's storage, where it is once it was changed. */
export const keptName = (source: string): string => `catalog-program ${location.pathname}: ${source}`

/** What a link to a program has before it. */
export const linkStart = "#code="

/** Whether the page's address has a program. */
export const hasLink = (): boolean => location.hash.startsWith(linkStart)

/** Whether the storage, or the address, has a changed program of this page. */
export const isKept = (): boolean =>
  hasLink() || Object.keys(sessionStorage).some((name) => name.startsWith(keptName("")))

/** The module of a program. */
export interface Program {
  readonly default: (run: Run) => Promise<void>
  /** The name of its file in the stacks of errors, if their lines are those that a reader sees. */
  readonly name?: string
}

/** What a program has printed at a time. */
export interface Line {
  /** A note is not from the program. */
  readonly kind: "error" | "log" | "note" | "table"
  /** Those with an address are links. */
  readonly parts: ReadonlyArray<Coloured & { readonly href?: string }>
}

/** What was printed at a time, without colors. */
export const textOf = ({ parts }: Line): string => parts.map(({ text }) => text).join("")

/** What was printed, line by line. */
export const linesIn = (printed: ReadonlyArray<Line>): ReadonlyArray<string> =>
  printed.flatMap((line) => textOf(line).split("\n"))

/** An exchange as a line: `GET /v2/anime/1?fields=mean,genres{name}`. */
export const requestLine = ({ method, url }: Exchange): string => `${method} ${readable(targetOf(url))}`

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
  const lines = shallowRef<ReadonlyArray<Line>>()
  /** The same in one line. */
  const summary = ref("")
  const exchanges = ref<Array<Exchange>>([])
  const page = ref<{ readonly html: string; readonly run: number }>()
  const frame = useTemplateRef<HTMLIFrameElement>("frame")
  /** What a screen reader is told of the last run. */
  const status = computed(() => (isRunning.value ? "Running…" : runs.value === 0 ? "" : summary.value))
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
    isMissing.value = false
    const loaded = await Promise.all([load(), import("./execute.js")]).catch(() => undefined)
    if (current !== latest) {
      return
    }
    if (loaded === undefined) {
      // Nothing ran.
      runs.value--
      isMissing.value = true
      return
    }
    const [program, { execute }] = loaded
    // A program can go on after its end, until it is run again.
    await execute(program, {
      document: await newDocument(),
      exchanged: (exchange) => {
        if (current === latest) {
          exchanges.value = [...exchanges.value, exchange]
        }
      },
      isLatest: () => current === latest,
      show: (printed, line) => {
        if (current === latest) {
          lines.value = printed
          summary.value = line
        }
      }
    })
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

  /** The same for a reader. What the program goes on to print is not shown. */
  const stop = (): void => {
    abandon()
    summary.value = "Stopped."
    lines.value = [...(lines.value ?? []), { kind: "note", parts: [{ text: summary.value }] }]
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

  return { abandon, exchanges, isMissing, isRunning, lines, page, reset, run, runs, status, stop }
}
