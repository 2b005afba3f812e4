/**
 * Where a mirror is, and who works on it: one process on a SQLite file, or several on a PostgreSQL database.
 */
import { SqliteClient } from "@effect/sql-sqlite-node"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { existsSync, lstatSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import Sqlite from "better-sqlite3"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { DatabaseFailed, Locked } from "./DatabaseFailed.js"
import type { Breakdown } from "./Run.js"

/** Where the mirror is: a SQLite file, or a PostgreSQL database of its own. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

export const databaseOf = (text: string): Database =>
  /^postgres(ql)?:\/\//.test(text) ? { _tag: "Postgres", url: Redacted.make(text) } : { _tag: "Sqlite", filename: text }

/** The part that only a fleet needs, loaded by it alone. */
const fleet = Effect.promise(() => import("./Fleet.js"))

type Client = Layer.Layer<SqlClient, ConfigError | SqlError>

/** The database for a run. */
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

/** The files in which a mirror is: SQLite keeps some beside its own, and so do we. */
const filesOf = (database: Database): ReadonlyArray<string> =>
  database._tag === "Sqlite"
    ? ["", "-wal", "-shm", "-journal", ".lock"].map((end) => `${targetOf(database.filename)}${end}`)
    : []

/** Whether a file is one of those in which a mirror is. */
export const isOf = (database: Database, path: string): boolean =>
  filesOf(database).some((file) => isSameFile(file, path))

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
 * Keeps other processes from the file: two processes on one SQLite file would do the same work. The lock is SQLite's own, on a
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
            ? new Locked({ what: filename })
            : new DatabaseFailed({ cause })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )

/** Keeps other processes from a SQLite file; a fleet shares its database. It comes before all that opens the file. */
export const locked = (database: Database): Layer.Layer<never, DatabaseFailed | Locked> =>
  database._tag === "Sqlite" ? lock(database.filename) : Layer.empty

/**
 * Works on shares in the background: on all of them in a process that has its file for itself, and in a fleet on those that the engine
 * assigns to this process.
 */
export const assign = <R>(
  database: Database,
  shares: number,
  work: (share: number) => Effect.Effect<void, never, R>
): Effect.Effect<void, SqlError, Breakdown | Scope.Scope | SqlClient | R> =>
  database._tag === "Sqlite"
    ? Effect.forEach(
        Array.from({ length: shares }, (_, share) => Effect.forkScoped(work(share))),
        (fork) => fork,
        {
          discard: true
        }
      )
    : Effect.flatMap(fleet, ({ assign }) => assign(shares, work))

/** Deletes a mirror, unless a process works on it. */
export const deleteAll = (database: Database): Effect.Effect<void, ConfigError | DatabaseFailed | Locked | SqlError> =>
  database._tag === "Sqlite"
    ? Effect.sync(() => filesOf(database).forEach((file) => rmSync(file, { force: true }))).pipe(
        Effect.provide(locked(database))
      )
    : Effect.flatMap(fleet, ({ deleteTables }) => deleteTables).pipe(Effect.provide(clientOf(database)))
