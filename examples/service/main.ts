import { layerClient } from "@catalog-client/node"
import { HttpApiBuilder, HttpServer } from "@effect/platform"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import { createServer } from "node:http"
import { ServiceLive } from "./service.js"

const ClientLive = Layer.unwrapEffect(
  Config.all({
    clientId: Config.string("CATALOG_CLIENT_ID"),
    baseUrl: Config.withDefault(Config.string("CATALOG_BASE_URL"), undefined)
  }).pipe(Effect.map(layerClient))
)

const ServerLive = Layer.unwrapEffect(
  Effect.map(Config.withDefault(Config.port("PORT"), 3000), (port) =>
    NodeHttpServer.layer(createServer, { port, host: "127.0.0.1" })
  )
)

HttpApiBuilder.serve().pipe(
  HttpServer.withLogAddress,
  Layer.provide(ServiceLive),
  // Before the client: what is provided last is released last, and the server waits for the requests that use the client.
  Layer.provide(ServerLive),
  Layer.provide(ClientLive),
  Layer.launch,
  NodeRuntime.runMain
)
