/**
 * Databases in WebAssembly, which need no compiler and no server: SQLite in a file, and PostgreSQL in memory.
 */
import { PGlite } from "@electric-sql/pglite"
import type { SqlClient } from "@effect/sql/SqlClient"
import { defaultEscape, makeCompiler, makeCompilerSqlite } from "@effect/sql/Statement"
import sqlite from "node-sqlite3-wasm"
import type { PostgresPool } from "catalog-client/postgres"
import type { SqliteDatabase } from "catalog-client/sqlite"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { newFolder } from "../../../core/test/support/newFolder.js"
import { clientOver, unused } from "./sqlClient.js"

export interface Database {
  /** A client of Effect's SQL, as one process has it. */
  readonly connect: () => Promise<SqlClient>
  /** What a program without Effect has: a pool, or the driver of a file. */
  readonly driver: () => { readonly pool: PostgresPool } | { readonly file: SqliteDatabase }
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
  const open = () => {
    const database = new sqlite.Database(path)
    onTestFinished(() => database.close())
    return database
  }
  return {
    connect: () => {
      const database = open()
      return clientOver(makeCompilerSqlite(), (sql, params) =>
        database.all(sql, [...params] as Array<string | number | null>)
      )
    },
    driver: () => {
      const database = open()
      return {
        file: {
          prepare: (statement) => ({ get: (...values) => database.get(statement, values) }),
          exec: (statement) => database.exec(statement),
          get inTransaction() {
            return database.inTransaction
          }
        }
      }
    }
  }
}

/** One for all tests, since it takes seconds to start. */
let postgres: PGlite | undefined

const newPostgres = async (): Promise<Database> => {
  const database = (postgres ??= new PGlite())
  await database.exec("DROP TABLE IF EXISTS catalog_client_quota; DROP TABLE IF EXISTS catalog_client_tokens")
  return {
    connect: () => clientOver(pgCompiler, async (sql, params) => (await database.query<object>(sql, [...params])).rows),
    driver: () => ({ pool: database })
  }
}

export const closePostgres = async (): Promise<void> => postgres?.close()

export const databases = [
  ["SQLite", newSqlite],
  ["PostgreSQL", newPostgres]
] as const
