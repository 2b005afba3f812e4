/**
 * The command line: `catalog-mirror sync`, `status`, `resume`, `export`, `doctor`, `delete`.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Cron from "effect/Cron"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { assign, clientOf, type Database, databaseOf, deleteAll, isMirror, isOf, locked, readerOf } from "./Database.js"
import { databaseFailed, type DatabaseFailed, Locked } from "./DatabaseFailed.js"
import { examine } from "./Doctor.js"
import { ExportFailed, exportTo, filesOf, formats } from "./Export.js"
import { duration as timeOf, failuresIn, jsonOf, lineOf, paceOf } from "./Progress.js"
import { isList, Service, Stopped } from "./Service.js"
import { elapsed } from "./Quota.js"
import { Breakdown, Held, work } from "./Run.js"
import { type Progress, type Run, Store, version } from "./Store.js"

/** Ends the program with a message and an exit code. */
export class Exit extends Data.TaggedError("Exit")<{ readonly code: number; readonly message: string }> {}

/** What the exit codes mean; 0 is success, 130 and 143 a signal. */
const code = { unexpected: 1, usage: 2, stopped: 3, locked: 4, unwell: 5, database: 6, failed: 7, superseded: 8 }

/** The errors that say all themselves. */
const endings = [
  [Locked, code.locked],
  [Stopped, code.stopped],
  [ExportFailed, code.usage]
] as const

/** How the program ends for a cause. */
const exitOf = (cause: Cause.Cause<unknown>): Exit => {
  const failed = databaseFailed(cause)
  if (failed !== undefined) {
    return new Exit({ code: code.database, message: failed.message })
  }
  const error = Cause.squash(cause)
  const [, known] = endings.find(([type]) => error instanceof type) ?? []
  return error instanceof Exit
    ? error
    : ValidationError.isValidationError(error)
      ? // It has said what is wrong with the arguments.
        new Exit({ code: code.usage, message: "" })
      : known !== undefined && error instanceof Error
        ? new Exit({ code: known, message: error.message })
        : new Exit({ code: code.unexpected, message: Cause.pretty(cause) })
}

/** Takes only what is right. */
const only = <A>(isRight: (value: A) => boolean, message: string) =>
  Options.filterMap<A, A>(Option.liftPredicate(isRight), message)

const database = Options.text("database").pipe(
  Options.withAlias("d"),
  Options.withFallbackConfig(Config.string("MIRROR_DATABASE")),
  Options.withDefault("mirror.db"),
  Options.filterMap(
    // SQLite would take these for a database that ends with the process.
    (text) => (text.trim() === "" || text === ":memory:" ? Option.none() : Option.some(databaseOf(text))),
    "--database (MIRROR_DATABASE) must be a file, or the URL of a PostgreSQL database"
  ),
  Options.withDescription("A SQLite file, or the URL of a PostgreSQL database for a fleet. Or MIRROR_DATABASE.")
)

const duration = (name: string, byDefault: string, description: string) =>
  Options.text(name).pipe(
    Options.withDefault(byDefault),
    Options.filterMap(
      (text) => Option.filter(Duration.decodeUnknown(text), Duration.greaterThan(Duration.zero)),
      `--${name} must be a duration of more than 0, for example "${byDefault}"`
    ),
    Options.withDescription(`${description} Default: ${byDefault}.`)
  )

const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text)) {
    return false
  }
  const { hash, password, protocol, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ""
}

const pace = {
  interval: duration("interval", "1 second", "The time between two requests, of all processes together."),
  hold: duration("hold", "1 minute", "How long to be silent when the service refuses without saying for how long."),
  patience: duration(
    "patience",
    "15 minutes",
    "How long the service may refuse, or be out of reach, before the run stops."
  ),
  report: duration("report", "10 seconds", "The time between two lines of JSON, where there is no terminal."),
  serve: Options.text("serve").pipe(
    Options.withFallbackConfig(Config.string("MIRROR_SERVE")),
    Options.filterMap((text) => {
      const [, host = "127.0.0.1", port] = /^(?:([^:]+|\[.+\]):)?(\d{1,5})$/.exec(text) ?? []
      return port !== undefined && Number(port) < 65_536 ? Option.some({ host, port: Number(port) }) : Option.none()
    }, "--serve (MIRROR_SERVE) must be a port, or host:port"),
    Options.optional,
    Options.withDescription("Serves /health and /metrics there: a port of this machine, or host:port. Or MIRROR_SERVE.")
  ),
  log: Options.choice("log", ["text", "json"]).pipe(
    Options.withDefault("text"),
    Options.withDescription("How warnings and errors are written.")
  ),
  otlp: Options.text("otlp").pipe(
    only(isBaseUrl, "--otlp must be the http: or https: URL of a collector"),
    Options.optional,
    Options.withDescription(
      "Sends traces, metrics and logs to this collector of OpenTelemetry, for example http://127.0.0.1:4318."
    )
  ),
  baseUrl: Options.text("base-url").pipe(
    Options.withFallbackConfig(Config.string("CATALOG_BASE_URL")),
    only(
      isBaseUrl,
      "--base-url (CATALOG_BASE_URL) must be an http: or https: URL without user name, password, query and fragment"
    ),
    Options.optional,
    Options.withDescription("Another deployment of the service. Or CATALOG_BASE_URL.")
  )
}

/** A process always looks for so many shares: those that a run does not have are asleep. */
const maxShares = 16

type Pace = Command.Command.ParseConfig<typeof pace>

const byDefault = "anime/bypopularity,anime/all,anime/upcoming,manga/bypopularity,manga/all"

const scope = {
  lists: Options.text("lists").pipe(
    Options.withDefault(byDefault),
    only(
      (text) => text.split(",").every(isList),
      "--lists must be rankings and seasons, for example anime/bypopularity,anime/2017/winter"
    ),
    Options.withDescription(`The lists to read, separated by commas. Default: ${byDefault}.`)
  ),
  shares: Options.integer("shares").pipe(
    Options.withDefault(8),
    only((shares) => shares >= 1 && shares <= maxShares, `--shares must be a number from 1 to ${maxShares}`),
    Options.withDescription("Into how many shares, for processes to work on, a new run is divided. Default: 8.")
  ),
  depth: Options.choice("depth", ["list", "detail"]).pipe(
    Options.withDefault("detail"),
    Options.withDescription("list: only what lists show. detail, the default: each item by itself, too.")
  )
}

const serviceOf = ({ baseUrl, hold, interval, patience }: Pace) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const clientId = yield* Config.option(Config.string("CATALOG_CLIENT_ID"))
      const accessToken = yield* Config.option(Config.string("CATALOG_ACCESS_TOKEN"))
      if (Option.isNone(clientId) && Option.isNone(accessToken)) {
        const message = "No credential. Set CATALOG_CLIENT_ID to the client ID of your application."
        return yield* new Exit({ code: code.usage, message })
      }
      return Service.layer({ baseUrl: Option.getOrUndefined(baseUrl), hold, interval, patience })
    })
  )

/** The mirror and the service, for the one process that may work on them. */
const opened = (database: Database, pace: Pace) =>
  Layer.merge(Store.layer, serviceOf(pace)).pipe(
    Layer.provide(Layer.effectDiscard(Store.migrate)),
    Layer.provideMerge(clientOf(database)),
    Layer.provide(locked(database))
  )

/** Shows how a run is, again and again on one line of a terminal. */
const show = (progress: Progress) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const pace = paceOf(progress, now)
    if (!process.stdout.isTTY) {
      return yield* Console.log(jsonOf(progress, pace, now))
    }
    const line = lineOf(progress, pace).slice(0, (process.stdout.columns || 80) - 1)
    process.stdout.write(
      `\r${line}\u001B[K${progress.phase === "finished" || progress.phase === "stopped" ? "\n" : ""}`
    )
  })

const superseded = "A newer version of the program works on this mirror. Start that version in place of this one."

/** How long a run may stand still before the process gives up, so that its supervisor starts it anew. */
const stillness = Duration.toMillis("5 minutes")

/** Shows a run until it ends. Our tables say when: a process of a fleet may not be the one that ended it. */
const watch = (id: string, { patience, report }: Pace) =>
  Effect.gen(function* () {
    const store = yield* Store
    const between = process.stdout.isTTY ? 1_000 : Duration.toMillis(report)
    let shown = -Infinity
    let moved = { at: yield* elapsed, by: "" }
    while (true) {
      const now = yield* elapsed
      const run = yield* store.run(id)
      if (run !== undefined && run.version > version) {
        return yield* new Exit({ code: code.superseded, message: superseded })
      }
      // To count is dearer than to look.
      if (run?.state !== "running" || now - shown >= between) {
        yield* store.report(id)
        const progress = yield* store.progress(id)
        if (progress === undefined) {
          return yield* Effect.dieMessage(`the run ${id} is gone`)
        }
        yield* show(progress)
        shown = now
        const by = `${progress.pages} ${progress.answered} ${progress.planned} ${progress.requests}`
        if (by !== moved.by) {
          moved = { at: now, by }
        }
      }
      if (run?.state === "finished") {
        const failures = yield* store.failures
        return failures.length === 0 ? undefined : yield* new Exit({ code: code.failed, message: failuresIn(failures) })
      }
      if (run?.state === "stopped") {
        return yield* new Exit({
          code: code.stopped,
          message: `The run stopped: ${run.reason ?? ""}\nNothing is lost. \`catalog-mirror resume\` goes on from here.`
        })
      }
      if (now - moved.at > Duration.toMillis(patience) + stillness) {
        return yield* new Exit({
          code: code.stopped,
          message: "The run stands still. `catalog-mirror resume` starts it anew."
        })
      }
      yield* Effect.sleep(250)
    }
  })

/** Leaves out what the engine says, unless `--log-level` asks for more than warnings: it comes before the message that helps. */
const quiet = (logger: Logger.Logger<unknown, string>) => {
  const written = Logger.withConsoleError(logger)
  return Logger.make<unknown, void>((options) => {
    const least = FiberRefs.getOrDefault(options.context, FiberRef.currentMinimumLogLevel)
    const from = Option.getOrElse(HashMap.get(options.annotations, "package"), () => "")
    if (LogLevel.lessThan(least, LogLevel.Warning) || !String(from).startsWith("@effect/")) {
      written.log(options)
    }
  })
}
const logger = quiet(Logger.logfmtLogger)

/** How a process says what it does. */
const loggingOf = ({ log, otlp }: Pace) =>
  Layer.merge(
    log === "text" ? Layer.empty : Logger.replace(logger, quiet(Logger.jsonLogger)),
    Option.match(otlp, {
      onNone: () => Layer.empty,
      onSome: (url) =>
        Layer.merge(
          Layer.setTracerEnabled(true),
          Layer.unwrapEffect(Effect.map(operating, ({ collector }) => collector(url)))
        )
    })
  )

/** The part that only an operator needs. */
const operating = Effect.promise(() => import("./Operate.js"))

type Settings = Parameters<Store["Type"]["openRun"]>[0]

/** Works on each run that is under way, and begins one at each time of a schedule. A run that stops or leaves items ends nothing. */
const attend = (settings: Settings, schedule: Cron.Cron, pace: Pace) =>
  Effect.gen(function* () {
    const store = yield* Store
    const opening = Effect.gen(function* () {
      const next = Cron.next(schedule, new Date(yield* Clock.currentTimeMillis))
      // The clock can be set, and a timer of JavaScript ends at 24 days.
      for (let left = 1; left > 0; left = next.getTime() - (yield* Clock.currentTimeMillis)) {
        yield* Effect.sleep(Math.min(left, 10_000))
      }
      yield* store.openRun(settings, next.toISOString())
    })
    const watching = Effect.gen(function* () {
      const run = yield* store.unfinished
      if (run?.state !== "running") {
        return yield* Effect.sleep(250)
      }
      yield* Effect.catchTag(watch(run.id, pace), "Exit", (exit) =>
        Effect.flatMap(store.run(run.id), (now) =>
          exit.code === code.superseded || now?.state === "running" ? exit : Effect.logError(exit.message)
        )
      )
    })
    yield* store.takeOver
    yield* Effect.raceFirst(Effect.forever(opening), Effect.forever(watching))
  })

/** Works on what is under way until the process is to end. */
const drive = (database: Database, pace: Pace, until: Effect.Effect<void, DatabaseFailed | Exit, Store>) =>
  Effect.gen(function* () {
    if (Option.isSome(pace.serve)) {
      yield* Effect.catchTag((yield* operating).serve(pace.serve.value), "ServeError", ({ cause }) =>
        Effect.fail(new Exit({ code: code.usage, message: `Nothing can be served there (--serve): ${String(cause)}` }))
      )
    }
    yield* assign(database, maxShares, work)
    yield* Effect.raceFirst(until, Effect.flatMap(Breakdown, Deferred.await))
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(opened(database, pace), Breakdown.layer, Held.layer)),
    Effect.catchAllCause((cause) => {
      const exit = exitOf(cause)
      return pace.log === "text"
        ? exit
        : Effect.zipRight(Effect.logError(exit.message), new Exit({ code: exit.code, message: "" }))
    }),
    Effect.provide(loggingOf(pace))
  )

const dryRun = Options.boolean("dry-run").pipe(
  Options.withDescription("Reads the lists and says what a run would ask for, and how long that takes. Keeps nothing.")
)

/** What a run would do: the lists are read, and nothing is kept. */
const rehearse = (database: Database, pace: Pace, settings: Pick<Run, "lists" | "depth">) =>
  Effect.gen(function* () {
    const store = yield* Store
    const service = yield* Service
    const reasons = new Map<string, string>()
    let pages = 0
    for (const list of settings.lists.split(",")) {
      let from: string | undefined
      do {
        const page = yield* service.page(list, from)
        pages += 1
        for (const { id, kind, reason } of yield* store.lookIn(list, page)) {
          if (reason !== undefined && settings.depth === "detail") {
            reasons.set(`${kind}/${id}`, reason)
          }
        }
        from = page.next
      } while (from !== undefined)
    }
    const items: Record<string, number> = {}
    for (const reason of reasons.values()) {
      items[reason] = (items[reason] ?? 0) + 1
    }
    if (settings.depth === "detail") {
      items["due"] = yield* store.due(settings.lists)
    }
    const count = Object.values(items).reduce((sum, n) => sum + n, 0)
    const seconds = Math.round(((pages + count) * Duration.toMillis(pace.interval)) / 1000)
    const why = Object.entries(items).map(([reason, n]) => `${n} ${reason}`)
    yield* Console.log(
      process.stdout.isTTY
        ? `${pages} pages and ${count} items (${why.join(", ")}): ${pages + count} requests, ${timeOf(seconds)}`
        : JSON.stringify({ pages, items, requests: pages + count, seconds })
    )
  }).pipe(Effect.provide(opened(database, pace)))

/** Begins or continues a run, and shows it until it ends. */
const open = (settings: Settings, pace: Pace) =>
  Effect.gen(function* () {
    const run = yield* (yield* Store).openRun(settings)
    if (run === undefined) {
      const message = "Another process has just ended the run. Start it again."
      return yield* new Exit({ code: code.unexpected, message })
    }
    const { depth, lists } = run
    if (lists !== settings.lists || depth !== settings.depth) {
      yield* Console.error(
        `The run of ${run.id} has not ended. It goes on with its own settings: --lists ${lists} --depth ${depth}. ` +
          "Those of this command are for the next run."
      )
    }
    yield* watch(run.id, pace)
  })

const schedule = Options.text("schedule").pipe(
  Options.filterMap(
    (text) => Either.getRight(Cron.parse(text)),
    '--schedule must be a time of cron, for example "0 3 * * *"'
  ),
  Options.optional,
  Options.withDescription(
    'Stays, and begins a run at each time of cron, for example "0 3 * * *", once for all processes.'
  )
)

const sync = Command.make("sync", { database, dryRun, schedule, ...scope, ...pace }, (options) => {
  const { database, depth, dryRun, lists, schedule, shares, ...pace } = options
  const settings = { depth, lists, shares, interval_ms: Duration.toMillis(pace.interval) }
  return dryRun
    ? rehearse(database, pace, settings)
    : drive(
        database,
        pace,
        Option.match(schedule, {
          onNone: () => open(settings, pace),
          onSome: (schedule) => attend(settings, schedule, pace)
        })
      )
}).pipe(
  Command.withDescription(
    "Reads the lists, and each item that is new or has changed. Goes on with a run that has not ended."
  )
)

const resume = Command.make("resume", { database, ...pace }, ({ database, ...pace }) =>
  drive(
    database,
    pace,
    Effect.gen(function* () {
      const run = yield* (yield* Store).unfinished
      return run === undefined
        ? yield* new Exit({ code: code.usage, message: "There is no run to resume. `catalog-mirror sync` begins one." })
        : yield* open({ ...run, interval_ms: Duration.toMillis(pace.interval) }, pace)
    })
  )
).pipe(Command.withDescription("Goes on with the run that has stopped."))

/** The tables, for what only reads them. To open a SQLite file that is not there would make it. */
const reading = (database: Database) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      if (database._tag === "Sqlite" && !existsSync(database.filename)) {
        const message = `There is no mirror at ${database.filename}. \`catalog-mirror sync\` begins one.`
        return yield* new Exit({ code: code.usage, message })
      }
      return Store.layer.pipe(Layer.provideMerge(readerOf(database)))
    })
  )

const status = Command.make(
  "status",
  { database, watch: Options.boolean("watch").pipe(Options.withAlias("w")) },
  ({ database, watch }) =>
    Effect.gen(function* () {
      const store = yield* Store
      while (true) {
        const progress = yield* store.progress()
        if (progress === undefined) {
          return yield* Console.log("No run yet. `catalog-mirror sync` begins one.")
        }
        yield* show(progress)
        if (!watch || progress.phase === "finished" || progress.phase === "stopped") {
          break
        }
        yield* Effect.sleep(process.stdout.isTTY ? "1 second" : "10 seconds")
      }
      if (process.stdout.isTTY) {
        yield* Console.log("")
      }
    }).pipe(Effect.provide(reading(database)))
).pipe(Command.withDescription("Shows how the last run is, from beside it."))

/** Why an export cannot be written there: it never overwrites a mirror. */
const unfit = (database: Database, file: string): string | undefined => {
  const own = filesOf(file).find((each) => isOf(database, each))
  return own !== undefined
    ? `${own} is the mirror itself, or one of its files. Give the export another name.`
    : isMirror(file)
      ? `${file} is a mirror. Give the export another name.`
      : existsSync(dirname(file))
        ? undefined
        : `The export cannot be written: there is no folder ${dirname(file)}. Make it, or name another one.`
}

const exporting = Command.make(
  "export",
  {
    format: Args.choice(
      formats.map((name) => [name, name] as const),
      { name: formats.join("|") }
    ),
    file: Args.file({ name: "file" }),
    database,
    since: Options.integer("since").pipe(
      Options.withDefault(0),
      only((seq) => seq >= 0, "--since must be the seq of a manifest"),
      Options.withDescription("Only what changed after this: the seq of an earlier export's manifest.")
    )
  },
  ({ database, file, format, since }) =>
    Effect.gen(function* () {
      const message = unfit(database, file)
      if (message !== undefined) {
        return yield* new Exit({ code: code.usage, message })
      }
      yield* Console.log(JSON.stringify(yield* Effect.provide(exportTo(file, format, since), reading(database))))
    })
).pipe(Command.withDescription("Writes the mirror to a file, with a manifest beside it."))

const deletion = Command.make("delete", { database, yes: Options.boolean("yes") }, ({ database, yes }) =>
  Effect.gen(function* () {
    if (!yes) {
      return yield* new Exit({ code: code.usage, message: "This deletes all that the mirror has. Add --yes." })
    }
    yield* deleteAll(database)
    yield* Console.log("The mirror is deleted. Exports, and copies of the database, are yours to delete.")
  })
).pipe(Command.withDescription("Deletes all that the mirror has."))

const doctor = Command.make("doctor", { database, ...pace }, ({ database, ...pace }) =>
  Effect.gen(function* () {
    const findings = yield* Effect.provide(examine, serviceOf(pace).pipe(Layer.provide(clientOf(database))))
    for (const { isWell, what } of findings) {
      yield* Console.log(`${isWell ? "✓" : "✗"} ${what}`)
    }
    if (findings.some(({ isWell }) => !isWell)) {
      return yield* new Exit({ code: code.unwell, message: "Something is wrong: see the lines with ✗." })
    }
  }).pipe(Effect.provide(reading(database)))
).pipe(Command.withDescription("Checks the database, the engine, the credential and the service. Sends one request."))

const mirror = Command.make("catalog-mirror").pipe(
  Command.withDescription("Keeps a copy of the catalog's anime and manga."),
  Command.withSubcommands([sync, status, resume, exporting, doctor, deletion])
)

const cli = Command.run(mirror, { name: "catalog-mirror", version: "0.1.0" })

/** Runs a command line and returns the exit code. */
export const run = (argv: ReadonlyArray<string>): Effect.Effect<number> =>
  cli(argv).pipe(
    Effect.as(0),
    Effect.catchAllCause((cause) => {
      const { code, message } = exitOf(cause)
      return Effect.as(message === "" ? Effect.void : Console.error(message), code)
    }),
    Effect.provide([
      NodeContext.layer,
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.Warning)
    ])
  )
