/**
 * The subpath `sync`, with a journal in a file.
 */
import { journalFile } from "#sync/node/journalFile.js"
import type { Journal } from "../../sync.js"

export * from "../../sync.js"

/**
 * Keeps a journal in a file, for `apply`. A second run of the same file fails while the first one runs; a killed one
 * does not stop the next.
 *
 * @example
 * ```ts
 * import type { Catalog } from "catalog-client"
 * import { apply, fileJournal, type Plan } from "catalog-client/sync"
 *
 * export const run = (catalog: Catalog, plan: Plan) => apply(catalog, plan, { journal: fileJournal("import.journal") })
 * ```
 */
export const fileJournal = (path: string): Journal => journalFile(path)
