/**
 * A rate limit that several processes share in a SQL database.
 *
 * Needs a driver for `@effect/sql`, for example `@effect/sql-pg`.
 *
 * @since 0.2.0
 */
import { Resilience } from "@catalog-client/core"
import { Databases } from "@catalog-client/core/internal"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { columns, makeSqlBucket, table } from "./sqlBucket.js"

/** Options of {@link layer}. */
export interface RateLimitStoreOptions {
  /**
   * The name of the quota: stores with the same name, `limit` and `interval` share it.
   *
   * @default "quota"
   */
  readonly key?: string | undefined
  /**
   * How long to wait for the database before the store fails.
   *
   * @default "5 seconds"
   */
  readonly timeout?: DurationInput | undefined
}

/**
 * A `Resilience.RateLimitStore` that keeps the tokens in a row of a SQL database: all processes share one quota.
 *
 * Takes SQLite (3.42 or later) and PostgreSQL, through the program's own `SqlClient`: for example `PgClient.layer` of
 * `@effect/sql-pg`. Any other is a defect. It creates the table `catalog_client_quota` if there is none.
 *
 * The store fails if the database does, and if it does not respond within `timeout`. Then the rate limit's `onStoreFailure`
 * decides. A client for SQLite has one connection: the store fails for a call inside `withTransaction`.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import * as SqlStore from "@catalog-client/node/sql"
 * import { Layer } from "effect"
 *
 * // Needs a SqlClient.
 * export const Shared = CatalogPolicy.layer(Resilience.sharedRateLimit({ limit: 1, interval: "1 second" })).pipe(
 *   Layer.provide(SqlStore.layer({ key: "my-client-id" }))
 * )
 * ```
 */
export const layer = (
  options: RateLimitStoreOptions = {}
): Layer.Layer<Resilience.RateLimitStore, SqlError, SqlClient> => Layer.effect(Resilience.RateLimitStore, make(options))

const make = (options: RateLimitStoreOptions): Effect.Effect<Resilience.RateLimitStore.Service, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const { key, timeout = "5 seconds" } = options
    const client = yield* SqlClient
    const sql = Databases.sqlOf(client, TransactionConnection, "rateLimitStore")
    yield* Databases.createTable((statement) => client.unsafe(statement), table, columns)
    const within = <A>(asked: Effect.Effect<A, unknown>) =>
      asked.pipe(
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new Error("rateLimitStore: the database did not respond in time.")
        }),
        Effect.mapError((cause) => new Resilience.RateLimitStoreError({ cause }))
      )
    const { hold, take } = makeSqlBucket(sql, table, key)
    return { take: (bucket) => within(take(bucket)), hold: (bucket, millis) => within(hold(bucket, millis)) }
  })
