/**
 * What can fail besides the calls: a journal, and the file of an export.
 *
 * @since 0.2.0
 */
import * as Data from "effect/Data"

/**
 * A journal could not be read, written or locked.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { fileJournal } from "@catalog-client/sync/node"
 * import { Console, Effect, Stream } from "effect"
 *
 * export const run = (plan: Sync.Plan) =>
 *   Sync.apply(plan, { journal: fileJournal("import.journal") }).pipe(
 *     Stream.runDrain,
 *     Effect.catchTag("JournalError", ({ message }) => Console.error(message))
 *   )
 * ```
 */
export class JournalError
  extends /*#__PURE__*/ Data.TaggedError("JournalError")<{
    /** What the file system or the database reported. */
    readonly cause: unknown
  }>
{
  override get message(): string {
    return `the journal failed: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/**
 * A string is not the export of a list, or is cut off.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Effect } from "effect"
 *
 * const statusOf = (upload: string) =>
 *   Sync.fromXml(upload).pipe(
 *     Effect.as(200),
 *     Effect.catchTag("InvalidExport", ({ message }) => Effect.as(Effect.logDebug(message), 400))
 *   )
 *
 * console.log(await Effect.runPromise(statusOf("<html></html>")))
 * ```
 *
 * ```text
 * 400
 * ```
 */
export class InvalidExport
  extends /*#__PURE__*/ Data.TaggedError("InvalidExport")<{
    /** What is wrong with the file. */
    readonly message: string
  }> {}
