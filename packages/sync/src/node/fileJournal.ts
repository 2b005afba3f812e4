/**
 * A journal in a file.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import { type Journal, journalOver } from "../journal.js"
import { JournalError } from "../SyncError.js"
import { journalFile } from "./journalFile.js"

const ask = <A>(run: () => Promise<A>): Effect.Effect<A, JournalError> =>
  Effect.tryPromise({ try: run, catch: (cause) => new JournalError({ cause }) })

/**
 * Keeps a journal in a file, for `apply`. A second run of the same file fails while the first one runs; a killed one
 * does not stop the next.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { fileJournal } from "@catalog-client/sync/node"
 *
 * export const run = (plan: Sync.Plan) => Sync.apply(plan, { journal: fileJournal("import.journal") })
 * ```
 */
export const fileJournal = (path: string): Journal<JournalError> => journalOver(journalFile(path), ask)
