/**
 * `@effect/platform-node/NodeHttpClient` with the names of Effect 3 that tests use.
 */
export { Dispatcher, layerNodeHttp as layer, layerUndici } from "@effect/platform-node/NodeHttpClient"
