/**
 * The tag of the transaction that a statement would be part of.
 */
import { type SqlClient, TransactionConnection } from "@effect/sql/SqlClient"

export const transactionOf = (_sql: SqlClient) => TransactionConnection
