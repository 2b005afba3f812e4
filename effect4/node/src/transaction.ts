/**
 * The tag of the transaction that a statement would be part of.
 */
import type { SqlClient } from "effect/sql/SqlClient"

export const transactionOf = (sql: SqlClient) => sql.transactionService
