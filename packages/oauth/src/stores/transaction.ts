/**
 * The tag of the current transaction. On Effect 4, each client has its own: asked at run time, so that no counterpart is needed.
 */
import { type SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type * as Context from "effect/Context"

type Transaction = Context.Tag<TransactionConnection, unknown>

export const transactionOf = (sql: SqlClient): Transaction =>
  (sql as object as { readonly transactionService?: Transaction }).transactionService ??
  (TransactionConnection as unknown as Transaction)
