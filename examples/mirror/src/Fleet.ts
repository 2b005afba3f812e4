/**
 * The engine over PostgreSQL, for a fleet. A module of its own, so that a mirror in a SQLite file does not load it.
 */
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { PgClient } from "@effect/sql-pg"
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import type { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"

/** The database for the engine and the tables. */
export const client = (url: Redacted.Redacted) => PgClient.layer({ url, maxConnections: 10, applicationName: "mirror" })

/** The engine of one process, which the others reach at an address. */
export const engine = (host: string, port: number, common: Partial<ShardingConfig["Type"]>) => {
  const address = RunnerAddress.make(host, port)
  return ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      NodeClusterSocket.layer({
        storage: "sql",
        shardingConfig: {
          ...common,
          runnerAddress: Option.some(address),
          runnerListenAddress: Option.some(address),
          shardsPerGroup: 64
        }
      })
    )
  )
}
