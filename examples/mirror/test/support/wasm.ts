/**
 * better-sqlite3 as far as the mirror and its tests use it, over SQLite in WebAssembly, where nothing is compiled. It is for tests:
 * it is slower, has no write-ahead log, and its locks outlive a process that is killed.
 */
import fs from "node:fs"
import driver, { type BindValues, type Database, type Statement } from "node-sqlite3-wasm"

type Params = ReadonlyArray<unknown>

/** The driver locks a database by a directory of this name, which the mirror has for a file of its own. */
const placeOf = (filename: string): string => filename.replace(/\.lock$/, ".exclusive")

/**
 * The driver has one kind of lock, and takes its own for that of another writer. It would then leave what a killed process had
 * written of a transaction, and the database would be malformed.
 */
const { accessSync } = fs
fs.accessSync = (path, mode) => {
  if (String(path).endsWith(".db.lock")) {
    throw new Error("No other process writes.")
  }
  accessSync(path, mode)
}

/** Releases what a killed process had locked. */
export const unlock = (filename: string): void => {
  for (const locked of [filename, placeOf(`${filename}.lock`)]) {
    fs.rmSync(`${locked}.lock`, { recursive: true, force: true })
  }
}

class Prepared {
  readonly reader: boolean
  #isRaw = false
  #isSafe = false

  constructor(
    readonly statement: Statement,
    sql: string
  ) {
    this.reader = /^\s*(SELECT|WITH|PRAGMA)\b|\bRETURNING\b/i.test(sql)
  }

  safeIntegers(isSafe: boolean): this {
    this.#isSafe = isSafe
    return this
  }

  raw(isRaw: boolean): this {
    this.#isRaw = isRaw
    return this
  }

  run(...params: Params) {
    return this.statement.run(params.flat() as BindValues)
  }

  all(...params: Params): ReadonlyArray<unknown> {
    const rows = this.statement.all(params.flat() as BindValues)
    const entries = rows.map((row) =>
      Object.entries(row).map(([name, value]): [string, unknown] => [
        name,
        this.#isSafe && Number.isInteger(value) ? BigInt(Number(value)) : value
      ])
    )
    return entries.map((row) => (this.#isRaw ? row.map(([, value]) => value) : Object.fromEntries(row)))
  }
}

export default class Sqlite {
  readonly #database: Database

  constructor(filename: string, options: { readonly readonly?: boolean; readonly fileMustExist?: boolean } = {}) {
    // A connection that only reads could not take back what a killed process has half written.
    this.#database = new driver.Database(placeOf(filename), { fileMustExist: options.fileMustExist ?? false })
    // A killed process loses nothing by it, only a machine without power would.
    this.#database.exec("PRAGMA synchronous = OFF")
  }

  prepare(sql: string): Prepared {
    return new Prepared(this.#database.prepare(sql), sql)
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  pragma(pragma: string): unknown {
    return this.#database.all(`PRAGMA ${pragma}`)
  }

  transaction<A>(work: (argument: A) => void): (argument: A) => void {
    return (argument) => {
      this.exec("BEGIN")
      work(argument)
      this.exec("COMMIT")
    }
  }

  close(): void {
    this.#database.close()
  }
}
