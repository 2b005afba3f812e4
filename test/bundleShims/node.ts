/**
 * `@catalog-client/node` for the tests that run against `catalog-client`.
 */
export { layer, layerClient, layerDispatcher } from "@catalog-client/node"
export * from "./core.js"
