/**
 * A fleet on PostgreSQL. A module of its own, so that a mirror in a SQLite file does not load it.
 */
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as Reactivity from "@effect/experimental/Reactivity"
import { PgClient } from "@effect/sql-pg"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { randomUUID } from "node:crypto"
import { DatabaseFailed, isLasting, Locked } from "./DatabaseFailed.js"
import { Breakdown } from "./Run.js"

/** What a frozen or dead process has is free after so long. PostgreSQL ends the transaction in which it froze, too. */
const expiration = Duration.seconds(10)
const limit = `idle_in_transaction_session_timeout=${Duration.toMillis(expiration)}`

/** The database for a run. */
export const client = (url: Redacted.Redacted) => {
  const text = Redacted.value(url)
  return PgClient.layer({
    url: Redacted.make(`${text}${text.includes("?") ? "&" : "?"}${limit}`),
    maxConnections: 10,
    applicationName: "mirror"
  })
}

/** The same database for the engine, which repeats what fails and tells nobody. An error that waiting does not mend ends the process. */
const heard = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const breakdown = yield* Breakdown
    const hear = <A>(result: Effect.Effect<A, SqlError>) =>
      Effect.tapErrorCause(result, (cause) =>
        isLasting(cause) ? Deferred.fail(breakdown, new DatabaseFailed({ cause })) : Effect.void
      )
    const connection = (inner: Connection): Connection => ({
      executeStream: (...args) => inner.executeStream(...args),
      execute: (...args) => hear(inner.execute(...args)),
      executeRaw: (...args) => hear(inner.executeRaw(...args)),
      executeValues: (...args) => hear(inner.executeValues(...args)),
      executeUnprepared: (...args) => hear(inner.executeUnprepared(...args))
    })
    return yield* SqlClient.make({
      acquirer: Effect.map(sql.reserve, connection),
      compiler: PgClient.makeCompiler(),
      spanAttributes: []
    })
  })
).pipe(Layer.provide(Reactivity.layer))

/**
 * The engine: which process works on which share, and which one after that has died or frozen. Its locks are rows that expire:
 * PostgreSQL's own would last as long as a frozen process has its connection. No process connects to another, so an address is a name:
 * a new one for each start, since two processes of one name would share their locks.
 */
const engine = Sharding.layer.pipe(
  Layer.provide([
    Runners.layerNoop,
    RunnerHealth.layerNoop,
    // PostgreSQL can refuse one of two processes that create the same table at the same time.
    Layer.retry(SqlRunnerStorage.layer, Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(3)))
  ]),
  Layer.provide(MessageStorage.layerNoop),
  Layer.provide(heard),
  Layer.provide(
    Layer.unwrapEffect(
      Effect.sync(() =>
        ShardingConfig.layer({
          runnerAddress: Option.some(RunnerAddress.make(randomUUID(), 1)),
          shardLockDisableAdvisory: true,
          shardLockExpiration: expiration,
          shardLockRefreshInterval: "3 seconds",
          refreshAssignmentsInterval: "1 second",
          entityMessagePollInterval: "2 seconds",
          shardsPerGroup: 64
        })
      )
    )
  )
)

/** Works on the shares that the engine assigns to this process. */
export const assign = <R>(shares: number, work: (share: number) => Effect.Effect<void, never, R>) =>
  Effect.asVoid(
    Layer.build(
      Layer.mergeAll(
        Layer.empty,
        ...Array.from({ length: shares }, (_, share) => Singleton.make(`share/${share}`, work(share)))
      ).pipe(Layer.provide(engine))
    )
  )

/** Deletes what a mirror has, unless a process has locks. */
export const deleteTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = current_schema() AND (tablename LIKE 'mirror\\_%' OR tablename LIKE 'cluster\\_%' OR tablename = 'catalog_client_quota')`
  if (tables.some(({ name }) => name === "cluster_locks")) {
    const since = sql.literal(`NOW() - INTERVAL '${Duration.toSeconds(expiration)} seconds'`)
    const held = yield* sql`SELECT 1 FROM cluster_locks WHERE acquired_at > ${since} LIMIT 1`
    if (held.length > 0) {
      return yield* new Locked({ what: "the database" })
    }
  }
  yield* sql`DROP VIEW IF EXISTS anime, manga`
  for (const { name } of tables) {
    yield* sql`DROP TABLE ${sql(name)}`
  }
})
