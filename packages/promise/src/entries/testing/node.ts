/**
 * The catalog service for tests and demonstrations, and a recorder of requests to a real one.
 */
export { recordingFile } from "#testing/node/index.js"
export type { Served, ServeOptions } from "#testing/node/server.js"
export { serve, type ServedCatalog } from "../../serve.js"
export * from "../../testing.js"
