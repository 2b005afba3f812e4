/**
 * The tokens of signed-in users in a SQL database, for sessions of several processes.
 *
 * Needs a driver for `@effect/sql`, for example `@effect/sql-pg`.
 *
 * @since 0.2.0
 */
import { Databases } from "@catalog-client/core/internal"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { TokenStoreService } from "../TokenStore.js"
import { columns, sqlTokenStores, table } from "./sqlTokens.js"

/**
 * Keeps the tokens of users in a SQL database, for sessions of several processes: a function from a user to the user's store. If
 * the process of a refresh is killed, another one takes over within 8 seconds.
 *
 * Takes SQLite (3.42 or later) and PostgreSQL, through the program's own `SqlClient`: for example `PgClient.layer` of
 * `@effect/sql-pg`. Any other is a defect. It creates the table `catalog_client_tokens` if there is none. Its rows contain
 * secrets. A change is never part of a transaction of the caller. A client for SQLite has one connection: inside a transaction,
 * a sign-in or sign-out is not stored, and a call that has to read the store waits for its timeout. Make them before or after
 * it.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import { tokenStores } from "@catalog-client/oauth/sql"
 * import { Effect, Layer } from "effect"
 *
 * // Needs a SqlClient and an HttpClient.
 * export const layer = Layer.unwrapEffect(
 *   Effect.map(tokenStores, (store) =>
 *     OAuthSessions.layer({
 *       client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *       store
 *     })
 *   )
 * )
 * ```
 */
export const tokenStores: Effect.Effect<(user: string) => TokenStoreService<"processes">, SqlError, SqlClient> =
  Effect.gen(function* () {
    const client = yield* SqlClient
    const sql = Databases.sqlOf(client, TransactionConnection, "tokenStores")
    yield* Databases.createTable((statement) => client.unsafe(statement), table, columns)
    return sqlTokenStores(sql, table)
  })
