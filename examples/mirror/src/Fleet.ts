/**
 * The engine over PostgreSQL, for a fleet. A module of its own, so that a mirror in a SQLite file does not load it.
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import { MessageStorage } from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as ShardId from "@effect/cluster/ShardId"
import { Sharding } from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { PgClient } from "@effect/sql-pg"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"

/** What a frozen or dead process holds is free after so long. */
const expiration = Duration.seconds(10)

/**
 * Rows as locks, which expire: PostgreSQL's advisory locks would last as long as a frozen process has its connection. So would the
 * transaction in which it froze, and the row of the run that this has locked, so PostgreSQL is to end it.
 */
const locks: Partial<ShardingConfig.ShardingConfig["Type"]> = {
  shardLockDisableAdvisory: true,
  shardLockExpiration: expiration,
  shardLockRefreshInterval: "3 seconds",
  runnerHealthCheckInterval: "10 seconds"
}
const limit = `idle_in_transaction_session_timeout=${Duration.toMillis(expiration)}`

/** The database for the engine and the tables. */
export const client = (url: Redacted.Redacted) => {
  const text = Redacted.value(url)
  return PgClient.layer({
    url: Redacted.make(`${text}${text.includes("?") ? "&" : "?"}${limit}`),
    maxConnections: 10,
    applicationName: "mirror"
  })
}

/** The number of shards says where an execution lives, so it is no option. */
const shardsPerGroup = 64

/**
 * The engine's messages, without interrupts. When a shard moves, its old process interrupts what it executes there, and the engine
 * would keep that as a message: the new process would begin an activity, interrupt it and begin it again. Nothing else needs one: a
 * page that is being read while another list fails is read to its end.
 */
const messages = Layer.effect(
  MessageStorage,
  Effect.map(MessageStorage, (storage) =>
    MessageStorage.of({
      ...storage,
      saveEnvelope: (message) => (message.envelope._tag === "Interrupt" ? Effect.void : storage.saveEnvelope(message))
    })
  )
).pipe(Layer.provide(SqlMessageStorage.layer))

/** PostgreSQL can refuse one of two processes that create the same table at the same time, which is a defect of these layers. */
const storage = Layer.merge(messages, Layer.orDie(SqlRunnerStorage.layer)).pipe(
  Layer.catchAllCause(Layer.fail),
  Layer.retry(Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(3))),
  Layer.catchAll(Layer.failCause)
)

/**
 * Lets the engine read the messages of its shards again. It marks a message when it reads it, can drop it while shards move, and
 * would read it again only after ten minutes. What it executes already it skips.
 */
const rereading = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sharding = yield* Sharding
    const storage = yield* MessageStorage
    const shards = Array.from({ length: shardsPerGroup }, (_, n) => ShardId.make("default", n + 1))
    yield* Effect.suspend(() => storage.resetShards(shards.filter((shard) => sharding.hasShardId(shard)))).pipe(
      Effect.ignore,
      Effect.repeat(Schedule.spaced("10 seconds")),
      Effect.forkScoped
    )
  })
)

/** The engine of one process, which the others reach at an address. */
export const engine = (host: string, port: number, common: Partial<ShardingConfig.ShardingConfig["Type"]>) => {
  const address = Option.some(RunnerAddress.make(host, port))
  const shardingConfig = { ...common, ...locks, runnerAddress: address, runnerListenAddress: address, shardsPerGroup }
  return Layer.merge(ClusterWorkflowEngine.layer, rereading).pipe(
    Layer.provideMerge(NodeClusterSocket.layer({ storage: "byo", shardingConfig })),
    Layer.provideMerge(storage),
    Layer.provide(ShardingConfig.layerFromEnv(shardingConfig))
  )
}
