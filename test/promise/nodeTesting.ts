/**
 * `@catalog-client/node/testing` for the tests that run against `catalog-client`.
 */
export { EmbeddedServer } from "@catalog-client/node/testing"
export { recordingFile, serve } from "catalog-client/testing"
export * from "./testing.js"
