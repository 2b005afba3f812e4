/**
 * The tag of the current transaction.
 */
// Counterpart for Effect 4: effect4/node/src/transaction.ts
import { type SqlClient, TransactionConnection } from "@effect/sql/SqlClient"

export const transactionOf = (_sql: SqlClient) => TransactionConnection
