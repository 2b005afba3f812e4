/**
 * A SqlClient over any function. Tests make one through this module alone, so that another line of Effect changes one place.
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import { make, type SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import type { Compiler } from "@effect/sql/Statement"
import { Effect, Stream } from "effect"

export const unused = (): never => {
  throw new Error("rateLimitStore has no use for this")
}

type Query = (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<object> | Promise<ReadonlyArray<object>>

const connectionOver = (query: Query): Connection => {
  const execute = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({ try: async () => query(sql, params), catch: (cause) => new SqlError({ cause }) })
  return {
    execute,
    executeRaw: execute,
    executeUnprepared: execute,
    executeValues: () => Effect.sync(unused),
    executeStream: () => Stream.sync(unused)
  }
}

/** A client of one connection, and of another one for its transactions if there is a query for it. */
export const clientOver = (compiler: Compiler, query: Query, inTransaction = query): Promise<SqlClient> => {
  const acquirer = Effect.succeed(connectionOver(query))
  const transactionAcquirer = Effect.succeed(connectionOver(inTransaction))
  return Effect.runPromise(
    Effect.provide(make({ acquirer, transactionAcquirer, compiler, spanAttributes: [] }), Reactivity.layer)
  )
}

/** What a query threw, in the error of a client. */
export const thrownIn = (error: unknown): unknown => error instanceof SqlError && error.cause
