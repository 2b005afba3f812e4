/**
 * The subpath `sync` where there is no file.
 */
import { needs } from "../../platform.js"
import type * as node from "./node.js"

export * from "../../sync.js"

export const fileJournal: typeof node.fileJournal = needs(
  "Node, Bun or Deno",
  "fileJournal",
  "pass functions: { read, append }"
)
