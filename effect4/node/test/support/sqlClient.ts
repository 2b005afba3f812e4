/**
 * A SqlClient of Effect 4 over any function.
 */
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { make, type SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type { Compiler } from "effect/sql/Statement"
import * as Stream from "effect/Stream"

export const unused = (): never => {
  throw new Error("rateLimitStore has no use for this")
}

type Query = (sql: string, params: ReadonlyArray<unknown>) => ReadonlyArray<object> | Promise<ReadonlyArray<object>>

const connectionOver = (query: Query): Connection => {
  const execute = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: async () => query(sql, params),
      catch: (cause) => new SqlError({ reason: new UnknownError({ cause }) })
    })
  return {
    execute,
    executeRaw: execute,
    executeUnprepared: execute,
    executeValues: () => Effect.sync(unused),
    executeValuesUnprepared: () => Effect.sync(unused),
    executeStream: () => Stream.sync(unused)
  }
}

/** A client of one connection, and of another one for its transactions if there is a query for it. */
export const clientOver = (compiler: Compiler, query: Query, inTransaction = query): Promise<SqlClient> => {
  const acquirer = Effect.succeed(connectionOver(query))
  const transactionAcquirer = Effect.succeed(connectionOver(inTransaction))
  return Effect.runPromise(
    Effect.provide(
      make({ acquirer, transactionAcquirer, compiler, driver: "test", spanAttributes: [] }),
      Reactivity.layer
    )
  )
}

/** What a query threw, in the error of a client. */
export const thrownIn = (error: unknown): unknown => error instanceof SqlError && error.reason.cause
