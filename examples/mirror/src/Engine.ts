/**
 * The engine over SQLite in one process, or over PostgreSQL in several.
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import type { MessageStorage } from "@effect/cluster/MessageStorage"
import type { Sharding } from "@effect/cluster/Sharding"
import type { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as SingleRunner from "@effect/cluster/SingleRunner"
import type { SocketServerError } from "@effect/platform/SocketServer"
import { SqliteClient } from "@effect/sql-sqlite-node"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import Sqlite from "better-sqlite3"
import type { ConfigError } from "effect/ConfigError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { DatabaseFailed } from "./DatabaseFailed.js"

/** Where the mirror is: a SQLite file, or a PostgreSQL database of its own. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

export const databaseOf = (text: string): Database =>
  /^postgres(ql)?:\/\//.test(text) ? { _tag: "Postgres", url: Redacted.make(text) } : { _tag: "Sqlite", filename: text }

/** The part that only a fleet needs, loaded by it alone. */
const fleet = Effect.promise(() => import("./Fleet.js"))

type Client = Layer.Layer<SqlClient, ConfigError | SqlError>

/** The database for the engine and the tables. */
export const clientOf = (database: Database): Client =>
  database._tag === "Sqlite"
    ? SqliteClient.layer({ filename: database.filename })
    : Layer.unwrapEffect(Effect.map(fleet, ({ client }) => client(database.url)))

/** The database for `status` and `export`, which read beside a run. */
export const readerOf = (database: Database): Client =>
  database._tag === "Sqlite"
    ? SqliteClient.layer({ filename: database.filename, readonly: true, disableWAL: true })
    : clientOf(database)

/** Whether a path leads to a file: by its name, also where that differs in case, or by a link. */
const isSameFile = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return (
    targetOf(one).toLowerCase() === targetOf(other).toLowerCase() ||
    (a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino)
  )
}

/** Whether a file is one of those in which a mirror is: SQLite keeps some beside it, and so do we. */
export const isOf = (database: Database, path: string): boolean =>
  database._tag === "Sqlite" &&
  ["", "-wal", "-shm", "-journal", ".lock"].some((end) => isSameFile(`${targetOf(database.filename)}${end}`, path))

/** Whether there is a mirror in a file: another one, or a copy. */
export const isMirror = (path: string): boolean => {
  if (!existsSync(path)) {
    return false
  }
  try {
    const file = new Sqlite(path, { readonly: true, fileMustExist: true })
    try {
      return file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'mirror_item'").all().length > 0
    } finally {
      file.close()
    }
  } catch {
    // No database.
    return false
  }
}

/** Another process has the file. */
export class Locked extends Data.TaggedError("Locked")<{ readonly filename: string }> {}

/** The file that a path leads to, through symbolic links, also if it is not there yet. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
    return link === undefined
      ? join(existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path), basename(path))
      : targetOf(resolve(dirname(path), link))
  }
}

/**
 * Keeps other processes from the file: two engines on one SQLite file would disturb each other. The lock is SQLite's own, on a
 * file beside it, so that it ends with the process, however that ends.
 */
const lock = (filename: string) =>
  Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const lock = new Sqlite(`${targetOf(filename)}.lock`, { timeout: 0 })
          lock.pragma("locking_mode = EXCLUSIVE")
          lock.exec("BEGIN EXCLUSIVE")
          return lock
        },
        catch: (cause) =>
          cause instanceof Error && /database (table )?is locked/.test(cause.message)
            ? new Locked({ filename })
            : new DatabaseFailed({ cause })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )

/** Keeps other processes from a SQLite file; a fleet shares its database. It comes before all that opens the file. */
export const locked = (database: Database): Layer.Layer<never, DatabaseFailed | Locked> =>
  database._tag === "Sqlite" ? lock(database.filename) : Layer.empty

/** A process that is to end is killed, so it gets little time to say goodbye. */
const common: Partial<ShardingConfig["Type"]> = {
  entityMessagePollInterval: "2 seconds",
  entityTerminationTimeout: "1 second",
  refreshAssignmentsInterval: "1 second",
  // It would encode each message twice.
  simulateRemoteSerialization: false
}

/** One process, with the engine's storage in the file of the mirror. */
const embedded = ClusterWorkflowEngine.layer.pipe(
  // The number of shards says where an execution lives, so it is no option.
  Layer.provideMerge(SingleRunner.layer({ runnerStorage: "memory", shardingConfig: { ...common, shardsPerGroup: 32 } }))
)

/** The engine of a process. It needs the SqlClient of the same database. */
export const layer = (
  database: Database,
  runner: { readonly host: string; readonly port: number }
): Layer.Layer<WorkflowEngine | Sharding | MessageStorage, ConfigError | SocketServerError, SqlClient> =>
  database._tag === "Sqlite"
    ? embedded
    : Layer.unwrapEffect(Effect.map(fleet, ({ engine }) => engine(runner.host, runner.port, common)))
