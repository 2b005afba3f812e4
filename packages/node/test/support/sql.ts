/**
 * Databases in WebAssembly, which need no compiler and no server: SQLite in a file, and PostgreSQL in memory.
 */
import { PGlite } from "@electric-sql/pglite"
import * as Reactivity from "@effect/experimental/Reactivity"
import { make, type SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { type Compiler, defaultEscape, makeCompiler, makeCompilerSqlite } from "@effect/sql/Statement"
import { Effect, Stream } from "effect"
import sqlite from "node-sqlite3-wasm"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { newFolder } from "./signIn.js"

type Rows = ReadonlyArray<object>

export interface Database {
  /** A client, as one process has it. */
  readonly connect: () => Promise<SqlClient>
}

const unused = (): never => {
  throw new Error("rateLimitStore has no use for this")
}

const pgCompiler = makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: defaultEscape('"'),
  onRecordUpdate: unused,
  onCustom: unused
})

/** A client of one connection. */
export const clientOver = (
  compiler: Compiler,
  query: (sql: string, params: ReadonlyArray<unknown>) => Rows | Promise<Rows>
): Promise<SqlClient> => {
  const execute = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({ try: async () => query(sql, params), catch: (cause) => new SqlError({ cause }) })
  const connection: Connection = {
    execute,
    executeRaw: execute,
    executeUnprepared: execute,
    executeValues: () => Effect.sync(unused),
    executeStream: () => Stream.sync(unused)
  }
  return Effect.runPromise(
    Effect.provide(make({ acquirer: Effect.succeed(connection), compiler, spanAttributes: [] }), Reactivity.layer)
  )
}

const newSqlite = async (): Promise<Database> => {
  const path = join(newFolder(), "quota.db")
  return {
    connect: () => {
      const database = new sqlite.Database(path)
      onTestFinished(() => database.close())
      return clientOver(makeCompilerSqlite(), (sql, params) =>
        database.all(sql, [...params] as Array<string | number | null>)
      )
    }
  }
}

/** One for all tests, since it takes seconds to start. */
let postgres: PGlite | undefined

const newPostgres = async (): Promise<Database> => {
  const database = (postgres ??= new PGlite())
  await database.exec("DROP TABLE IF EXISTS catalog_client_quota")
  return {
    connect: () => clientOver(pgCompiler, async (sql, params) => (await database.query<object>(sql, [...params])).rows)
  }
}

export const closePostgres = async (): Promise<void> => postgres?.close()

export const databases = [
  ["SQLite", newSqlite],
  ["PostgreSQL", newPostgres]
] as const
