export { recordingFile, serve, type Served, type ServedCatalog, type ServeOptions } from "#node/testing.js"
export * from "../../testing.js"
