/**
 * `@catalog-client/testing/node` for the tests that run against `catalog-client`.
 */
export { EmbeddedServer } from "@catalog-client/testing/node"
export { recordingFile, serve } from "catalog-client/testing"
export * from "./testing.js"
