import { layerClient } from "@catalog-client/node"
import { Config, Console, Effect, Layer } from "effect"
import { Shelf } from "./shelf.js"
import { layerTracer } from "./tracer.js"

const ClientLive = Layer.unwrap(
  Effect.gen(function* () {
    const accessToken = yield* Config.Redacted("CATALOG_ACCESS_TOKEN")
    const baseUrl = yield* Config.withDefault(Config.String("CATALOG_BASE_URL"), undefined)
    return layerClient({ accessToken, baseUrl })
  })
)

const program = Effect.gen(function* () {
  const shelf = yield* Shelf
  for (const { left = "?", title } of yield* shelf.unfinished) {
    yield* Console.log(`${title}: ${left} left`)
  }
})

await Effect.runPromise(
  program.pipe(
    Effect.provide(Shelf.layer.pipe(Layer.provide(ClientLive))),
    Effect.provide(layerTracer((line) => console.error(line)))
  )
)
