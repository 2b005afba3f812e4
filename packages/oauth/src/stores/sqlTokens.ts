/**
 * Tokens in a SQL database: the statements of a row that a lease protects.
 */
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import { type LeasedRow, leasedStores, leaseMillis } from "./lease.js"

/** The table of tokens. */
export const table = "catalog_client_tokens"

export const columns = `
  name TEXT PRIMARY KEY,
  value TEXT,
  lease_owner TEXT,
  lease_until DOUBLE PRECISION NOT NULL
`

/** The string of a row, if there is a row. */
const valueIn = (rows: ReadonlyArray<unknown>) => {
  const [row] = rows as ReadonlyArray<{ readonly value: string | null }>
  return row && { text: row.value ?? undefined }
}

/** The stores of users, by their names. Each statement returns its row, and stands alone. */
export const sqlTokenStores = ({ now, run }: Databases.Sql, table: string) => {
  const owned = "WHERE name = ? AND lease_owner = ?"
  // Without an owner, `lease_until` is when the last step ended.
  const free = `lease_owner = NULL, lease_until = ${now}`
  // The second case: the clock was set back.
  const acquire = `
    INSERT INTO ${table} AS tokens (name, lease_owner, lease_until)
    SELECT ?, ?, clock.now + ${leaseMillis} FROM (SELECT ${now} AS now) AS clock WHERE true
    ON CONFLICT (name) DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
    WHERE tokens.lease_until <= excluded.lease_until - ${leaseMillis} OR tokens.lease_until > excluded.lease_until + ${Databases.maxAhead}
    RETURNING value`
  return leasedStores((user): LeasedRow => {
    const isWritten = (rows: ReadonlyArray<unknown>) => rows.length === 1
    const remove = `DELETE FROM ${table} ${owned}`
    return {
      get: Effect.map(run(`SELECT value FROM ${table} WHERE name = ?`, user), (rows) => valueIn(rows)?.text),
      keep: (text) =>
        run(`INSERT INTO ${table} (name, value, lease_until) VALUES (?, ?, ${now}) RETURNING name`, user, text),
      acquire: (owner) => Effect.map(run(acquire, user, owner), valueIn),
      renew: (owner) =>
        run(`UPDATE ${table} SET lease_until = ${now} + ${leaseMillis} ${owned} RETURNING name`, user, owner),
      write: (owner, text) =>
        Effect.map(
          text === undefined
            ? run(`${remove} RETURNING name`, user, owner)
            : run(`UPDATE ${table} SET value = ?, ${free} ${owned} RETURNING name`, text, user, owner),
          isWritten
        ),
      release: (owner) =>
        Effect.zipRight(
          run(`${remove} AND value IS NULL RETURNING name`, user, owner),
          run(`UPDATE ${table} SET ${free} ${owned} RETURNING name`, user, owner)
        )
    }
  })
}
