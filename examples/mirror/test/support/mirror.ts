/**
 * The program in processes of its own, a service that counts, and the tables as they are.
 */
import {
  type AnimeRecord,
  type EmbeddedCatalogOptions,
  generatedAnime,
  generatedManga,
  type MangaRecord,
  type ReceivedRequest,
  sample
} from "@catalog-client/testing"
import { EmbeddedServer } from "@catalog-client/testing/node"
import Sqlite from "better-sqlite3"
import { ManagedRuntime } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { run as cli } from "../../src/cli.js"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { onTestFinished } from "vitest"
import { unlock } from "./wasm.js"

/** Whether this is the soak: larger data, more kills, real time. */
export const isSoak = process.env["MIRROR_SOAK"] !== undefined

/** Whether this is the sample of plain `npm test`, over a SQLite that needs no compiler. */
export const isQuick = process.env["MIRROR_QUICK"] !== undefined

/** A size in the tests, in the soak, and in its long form. */
export const sizeOf = (test: number, soak: number, long: number): number =>
  process.env["MIRROR_SOAK"] === "long" ? long : isSoak ? soak : test

/** A number between two others that looks random and is the same in each run. */
export const randomOf = (seed: number) => {
  let state = seed
  return (from: number, to: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from + (state % (to - from + 1))
  }
}

export interface Items {
  readonly anime: ReadonlyArray<AnimeRecord>
  readonly manga: ReadonlyArray<MangaRecord>
}

/** So many items that no list shows all at once. */
export const items = (anime: number, manga: number): Items => ({
  anime: generatedAnime(anime),
  manga: generatedManga(manga)
})

export const keysOf = ({ anime, manga }: Items): ReadonlyArray<string> =>
  [...anime.map(({ id }) => `anime/${id}`), ...manga.map(({ id }) => `manga/${id}`)].sort()

interface Request {
  readonly at: number
  /** `anime/900001` for an item, `page` for a page of a list. */
  readonly what: string
}

/** A service that knows what it was asked. */
export const serviceOf = async ({ anime, manga }: Items, options: EmbeddedCatalogOptions = {}) => {
  const requests: Array<Request> = []
  let heard = (): void => {}
  const onRequest = (request: ReceivedRequest): void => {
    const { operation, path } = request
    requests.push({
      at: performance.now(),
      what: operation?.endsWith(".get") ? path.split("/").slice(-2).join("/") : "page"
    })
    options.onRequest?.(request)
    heard()
  }
  const dataset = { ...sample(), anime, manga }
  const runtime = ManagedRuntime.make(EmbeddedServer.layer({ anonymousReads: false, ...options, dataset, onRequest }))
  onTestFinished(() => runtime.dispose())
  const service = await runtime.runPromise(EmbeddedServer)
  /** How often each item was asked for. */
  const asked = (from = 0): ReadonlyMap<string, number> => {
    const times = new Map<string, number>()
    for (const { what } of requests.slice(from)) {
      if (what !== "page") {
        times.set(what, (times.get(what) ?? 0) + 1)
      }
    }
    return times
  }
  return {
    url: service.url,
    requests,
    pages: () => requests.filter(({ what }) => what === "page").length,
    asked,
    /** How many requests asked for an item once more. */
    repeated: () => [...asked().values()].reduce((sum, times) => sum + times - 1, 0),
    /** Waits until so many more requests have come in, or until something else happens. */
    more: async (count: number, or: Promise<unknown>) => {
      const wanted = requests.length + count
      const enough = new Promise<void>((resolve) => {
        heard = () => {
          if (requests.length >= wanted) {
            resolve()
          }
        }
        heard()
      })
      await Promise.race([enough, or])
      heard = () => {}
    }
  }
}

export type Service = Awaited<ReturnType<typeof serviceOf>>

/** A directory that ends with the test. */
export const directory = (): string => {
  const path = mkdtempSync(join(tmpdir(), "mirror-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const bundle = (path: string) => fileURLToPath(new URL(`../../dist/${isQuick ? "wasm/" : ""}${path}`, import.meta.url))
const program = bundle("src/main.js")
const traced = bundle("test/support/traced.js")

export interface Options {
  readonly database: string
  readonly url: string
  /** Whether waits are shorter, in this process. */
  readonly isFast?: boolean
  /** False leaves the arguments as they are: one request a second. */
  readonly isPaced?: boolean
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/** Quick, unless a test says otherwise. */
const quick = ["--interval", "2 millis", "--hold", "50 millis", "--report", "200 millis"]

const paced = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [command = ""] = args
  const isPaced = command === "sync" || command === "resume"
  return [...args, ...(isPaced ? quick.filter((_, i) => !args.includes(quick[i - (i % 2)] ?? "")) : [])]
}

/** Starts the program; `sync` and `resume` at a quick pace. */
export const start = (args: ReadonlyArray<string>, { database, env = {}, isPaced = true, url }: Options) => {
  const main = env["MIRROR_KILL"] === undefined ? program : traced
  const child = spawn(process.execPath, [main, ...(isPaced ? paced(args) : args)], {
    env: {
      ...process.env,
      MIRROR_DATABASE: database,
      CATALOG_BASE_URL: url,
      CATALOG_CLIENT_ID: "embedded-client",
      ...env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let errors = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
  const ended = once(child, "close").then(([code, signal]: ReadonlyArray<unknown>) => {
    if (isQuick) {
      unlock(database)
    }
    return { code, signal, output, errors }
  })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  return {
    child,
    ended,
    kill: async (signal: NodeJS.Signals = "SIGKILL") => {
      child.kill(signal)
      return ended
    },
    output: () => output
  }
}

/** A clock on which time passes 30 times as fast: a response still has a second, also on a machine under load. */
const fast = (): Clock.Clock => {
  const factor = 30
  const clock = Clock.make()
  const begun = clock.unsafeCurrentTimeMillis()
  const now = () => begun + (clock.unsafeCurrentTimeMillis() - begun) * factor
  return Object.assign(clock, {
    sleep: (
      (sleep) => (time: Duration.Duration) =>
        sleep(Duration.times(time, 1 / factor))
    )(clock.sleep.bind(clock)),
    currentTimeMillis: Effect.sync(now)
  })
}

/** Runs a command line to its end, in this process: a new one would spend most of its time loading the libraries. */
export const run = async (args: ReadonlyArray<string>, { database, isFast = false, url }: Options) => {
  const printed = { output: "", errors: "" }
  const printer = (to: keyof typeof printed) => (text: unknown) =>
    Effect.sync(() => void (printed[to] += `${String(text)}\n`))
  const console = { ...Effect.runSync(Effect.console), log: printer("output"), error: printer("errors") }
  const environment = { MIRROR_DATABASE: database, CATALOG_BASE_URL: url, CATALOG_CLIENT_ID: "embedded-client" }
  const code = await cli(["node", "mirror", ...paced(args)]).pipe(
    isFast ? Effect.withClock(fast()) : (effect) => effect,
    Effect.withConsole(console),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    Effect.runPromise
  )
  return { code, ...printed }
}

/** Reads and changes the tables of a SQLite file from outside. */
export const query = (database: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const file = new Sqlite(database, { fileMustExist: true, timeout: 10_000 })
  try {
    const statement = file.prepare<[], Record<string, unknown>>(sql)
    if (statement.reader) {
      return statement.all()
    }
    statement.run()
    return []
  } finally {
    file.close()
  }
}

/** The items that the mirror has, whole. */
export const mirrored = (database: string): ReadonlyArray<string> =>
  query(database, "SELECT kind, id FROM mirror_item WHERE body IS NOT NULL AND state = 'live'")
    .map(({ id, kind }) => `${String(kind)}/${String(id)}`)
    .sort()
