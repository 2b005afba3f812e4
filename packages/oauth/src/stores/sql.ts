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
import * as Layer from "effect/Layer"
import { TokenStores } from "../TokenStores.js"
import { columns, sqlTokenStores, table } from "./sqlTokens.js"

/**
 * `TokenStores` in a SQL database, for sessions of several processes. If the process of a refresh is killed, another one takes
 * over within 8 seconds.
 *
 * Takes SQLite (3.42 or later) and PostgreSQL, through the program's own `SqlClient`: for example `PgClient.layer` of
 * `@effect/sql-pg`. Any other is a defect. It creates the table `catalog_client_tokens` if there is none. Its rows contain
 * secrets. A change is never part of a transaction of the caller. Over SQLite, make no calls inside a transaction.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import * as SqlTokenStores from "@catalog-client/oauth/sql"
 * import { Layer } from "effect"
 *
 * // Needs a SqlClient and an HttpClient.
 * export const Sessions = OAuthSessions.layerConfig().pipe(Layer.provide(SqlTokenStores.layer))
 * ```
 */
export const layer: Layer.Layer<TokenStores, SqlError, SqlClient> = Layer.effect(
  TokenStores,
  Effect.gen(function* () {
    const client = yield* SqlClient
    const sql = Databases.sqlOf(client, TransactionConnection, "tokenStores")
    yield* Databases.createTable((statement) => client.unsafe(statement), table, columns)
    return { storeOf: sqlTokenStores(sql, table) }
  })
)
