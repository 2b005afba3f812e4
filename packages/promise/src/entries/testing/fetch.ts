/**
 * The subpath `testing` where there is only `fetch`: without a server and files.
 */
import { needs, needsLater } from "../../platform.js"
import type * as node from "./node.js"

export * from "../../testing.js"

export const serve: typeof node.serve = needsLater(
  "Node, Bun or Deno",
  "serve",
  "pass EmbeddedCatalog.fetch() as the option fetch"
)

export const recordingFile: typeof node.recordingFile = needs(
  "Node, Bun or Deno",
  "recordingFile",
  "pass a store with a name, read and write"
)
