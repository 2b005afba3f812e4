/**
 * `@effect/platform-node/NodeHttpClient` with the names of Effect 3 that tests use.
 */
export { layerNodeHttp as layer, layerUndici } from "@effect/platform-node/NodeHttpClient"
