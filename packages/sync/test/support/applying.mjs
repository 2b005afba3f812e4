// Applies a plan until it is killed: arguments are the URL of the service, and the paths of the plan and its journal.
import { CatalogClient, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { Sync } from "@catalog-client/sync"
import { fileJournal } from "@catalog-client/sync/node"
import { Effect, Layer, Stream } from "effect"
import { readFileSync } from "node:fs"

const [baseUrl = "", plan = "", journal = "", settle = ""] = process.argv.slice(2)

await Sync.apply(JSON.parse(readFileSync(plan, "utf8")), {
  journal: fileJournal(journal),
  settle: Number(settle)
}).pipe(
  Stream.runDrain,
  Effect.provide(
    Layer.provide(CatalogClient.layer({ baseUrl }), [
      CatalogNode.layer,
      CatalogPolicy.layer(Resilience.retry({ baseDelay: 10 })),
      Credentials.layer({ accessToken: "embedded-token" })
    ])
  ),
  Effect.runPromise
)
