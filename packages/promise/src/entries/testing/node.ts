/**
 * The catalog service for tests and demonstrations, and a recorder of exchanges with a real one.
 */
export { recordingFile, serve, type Served, type ServedCatalog, type ServeOptions } from "#testing/node/index.js"
export * from "../../testing.js"
