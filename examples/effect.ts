import { Catalog, Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { Console, Effect } from "effect"

const program = Effect.gen(function* () {
  const anime = yield* Catalog.anime.get({ id: 30230 }, { fields: ["mean", "num_episodes"] })
  yield* Console.log(`${anime.title}: ${anime.num_episodes} episodes, ${anime.mean} of 10`)

  const page = yield* Catalog.anime.search({ q: "diamond", limit: 3 })
  yield* Console.log(page.data.map((entry) => entry.node.title))

  yield* Catalog.anime
    .get({ id: 999_999 })
    .pipe(Effect.catchTag("ClientRestError", (error) => Console.log(`${error.status} ${error.code}`)))
})

// For the real service: [CatalogNode.layer, Credentials.layerConfig()], with CATALOG_CLIENT_ID in the environment and
// import * as CatalogNode from "@catalog-client/node"
await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.none]))
