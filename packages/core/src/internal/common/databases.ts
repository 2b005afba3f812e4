/**
 * Databases that processes share, for the stores of rate limits and of tokens: connections by their shape, so that no driver is
 * imported.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

type Value = string | number

/** Runs one statement outside of the program's transactions. `?` stands for a value. */
type Run = (statement: string, ...values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<unknown>, unknown>

/** A SQL database. */
export interface Sql extends Dialect {
  readonly run: Run
}

interface Dialect {
  /** The database's current time in milliseconds, not the time at which a transaction began. */
  readonly now: string
  /** Its name for the greater of two numbers. */
  readonly greatest: string
}

/**
 * Milliseconds by which a stored time may be in the future: of two statements, one can read the clock first and the other lock
 * the row first. A time that is further in the future shows that the clock was set back.
 */
export const maxAhead = 5_000

/** SQLite 3.42 or later. */
export const sqlite: Dialect = { now: "unixepoch('now', 'subsec') * 1000.0", greatest: "MAX" }

/** PostgreSQL. */
export const postgres: Dialect = {
  now: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION)",
  greatest: "GREATEST"
}

/** PostgreSQL's numbered placeholders in place of `?`. */
export const numbered = (statement: string): string => {
  let count = 0
  return statement.replaceAll("?", () => `$${++count}`)
}

/** A client of Effect's SQL. */
interface SqlClient {
  readonly withoutTransforms: () => SqlClient
  readonly onDialectOrElse: <A>(dialects: { sqlite: () => A; pg: () => A; orElse: () => A }) => A
  readonly unsafe: (statement: string, values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<unknown>, unknown>
}

type Transaction = Context.Tag<object, object>

/** The database of a client. Its transactions have the tag of Effect 3; on Effect 4, each client has its own. */
export const sqlOf = (given: SqlClient, tag: object, calledAs: string): Sql => {
  const client = given.withoutTransforms()
  const { transactionService = tag } = client as { readonly transactionService?: object }
  const transaction = transactionService as Transaction
  const dialect = client.onDialectOrElse({
    sqlite: () => sqlite,
    pg: () => postgres,
    orElse: () => {
      throw new TypeError(`${calledAs}: the SqlClient must be one for SQLite or PostgreSQL`)
    }
  })
  const isSqlite = dialect === sqlite
  const run: Run = (statement, ...values) => client.unsafe(isSqlite ? statement : numbered(statement), values)
  // A client for SQLite has one connection, which the transaction keeps.
  const runUnlessInTransaction: Run = (...statement) =>
    Effect.flatMap(Effect.serviceOption(transaction), (found) =>
      Option.isNone(found)
        ? run(...statement)
        : Effect.fail(
            // A session shows no more of a store's error than its code.
            Object.assign(
              new Error(`${calledAs}: the call is inside a transaction. Move it before or after the transaction.`),
              {
                code: "InsideTransaction"
              }
            )
          )
    )
  const runOutsideTransaction: Run = (...statement) =>
    Effect.mapInputContext(run(...statement), (context: Context.Context<never>) => Context.omit(transaction)(context))
  return { ...dialect, run: isSqlite ? runUnlessInTransaction : runOutsideTransaction }
}

/**
 * Creates a table unless it exists. PostgreSQL refuses all but one of the processes that create it at the same time, and a role
 * that may not create any: then it is enough that the table exists.
 */
export const createTable = <E>(
  run: (statement: string) => Effect.Effect<unknown, E>,
  name: string,
  columns: string
): Effect.Effect<unknown, E> => {
  const statement = `CREATE TABLE IF NOT EXISTS ${name} (${columns})`
  return Effect.catchAll(run(statement), (refused) =>
    Effect.mapError(run(`SELECT 1 FROM ${name} LIMIT 0`), () => refused)
  )
}

/** Runs a script on a connection of Redis, with one key. */
export type Evaluate = (script: string, key: string, args: ReadonlyArray<string>) => Promise<unknown>

/** A connection of ioredis. */
interface Redis {
  readonly eval: (script: string, keys: number, ...args: Array<string>) => Promise<unknown>
  readonly quit: () => Promise<unknown>
  readonly disconnect: () => void
}

/** A connection that is made when it is first used, and closed once. */
export const redisOver = (connect: () => Redis) => {
  let redis: Redis | undefined
  let closing: Promise<void> | undefined
  const evaluate: Evaluate = async (script, key, args) => {
    if (closing !== undefined) {
      throw new Error("the store was closed")
    }
    redis ??= connect()
    return redis.eval(script, 1, key, ...args)
  }
  const close = () =>
    (closing ??= (async () => {
      try {
        await redis?.quit()
      } catch {
        // The server may be gone.
        redis?.disconnect()
      }
    })())
  return { close, evaluate }
}
