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

/** A client of one connection. */
export const clientOver = (
  compiler: Compiler,
  query: (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<object> | Promise<ReadonlyArray<object>>
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

/** What a query threw, in the error of a client. */
export const thrownIn = (error: unknown): unknown => error instanceof SqlError && error.cause
