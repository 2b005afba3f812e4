/**
 * Databases in WebAssembly, which need no compiler and no server: SQLite in a file, and PostgreSQL in memory.
 */
import { PGlite } from "@electric-sql/pglite"
import type { SqlClient } from "@effect/sql/SqlClient"
import { defaultEscape, makeCompiler, makeCompilerSqlite } from "@effect/sql/Statement"
import sqlite from "node-sqlite3-wasm"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { newFolder } from "../../../core/test/support/newFolder.js"
import { clientOver, unused } from "./sqlClient.js"

export interface Database {
  /** A client, as one process has it. */
  readonly connect: () => Promise<SqlClient>
}

export const pgCompiler = makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: defaultEscape('"'),
  onRecordUpdate: unused,
  onCustom: unused
})

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
  await database.exec("DROP TABLE IF EXISTS catalog_client_quota; DROP TABLE IF EXISTS catalog_client_tokens")
  return {
    connect: () => clientOver(pgCompiler, async (sql, params) => (await database.query<object>(sql, [...params])).rows)
  }
}

export const closePostgres = async (): Promise<void> => postgres?.close()

export const databases = [
  ["SQLite", newSqlite],
  ["PostgreSQL", newPostgres]
] as const
