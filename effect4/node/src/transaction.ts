/**
 * The tag of the current transaction.
 */
import type { SqlClient } from "effect/sql/SqlClient"

export const transactionOf = (sql: SqlClient) => sql.transactionService
