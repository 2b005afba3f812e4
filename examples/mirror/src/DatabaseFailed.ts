/**
 * What a database says when it fails, and what to do about it.
 */
import { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"

interface Trouble {
  /** SQLite's words, or PostgreSQL's code. */
  readonly sign: RegExp
  readonly advice: string
}

/** What waiting does not mend. */
const lasting: ReadonlyArray<Trouble> = [
  { sign: /disk is full|^53100$|ENOSPC/, advice: "The disk is full. Make space, and start again." },
  {
    sign: /readonly database|^25006$|EROFS/,
    advice: "The database is read-only. Make it, and its folder, writable, and start again."
  },
  {
    sign: /malformed|not a database|^XX00[12]$/,
    advice: "The database is damaged. Restore a copy of it, or start again with another one."
  },
  { sign: /disk I\/O error/, advice: "The disk does not read or write. Check it, and start again." },
  {
    sign: /(unable to|could not) open (the )?database|directory does not exist|ENOENT|EACCES|^42501$/i,
    advice: "Check that the folder of the database exists, and that this user may write there."
  },
  { sign: /^3D000$/, advice: "There is no such database. Make one for the mirror, for example with `createdb`." },
  { sign: /^28(000|P01)$/, advice: "The database rejects the user or the password of --database." }
]

const passing: ReadonlyArray<Trouble> = [
  {
    sign: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|^57P0[123]$/,
    advice: "Check that the database runs, and the host and port of --database."
  }
]

/** An error, or those of a cause, with the errors that caused them, and theirs. */
const causes = (error: unknown): ReadonlyArray<Error> => {
  const found: Array<Error> = []
  const first = Cause.isCause(error) ? [...Cause.failures(error), ...Cause.defects(error)] : [error]
  for (let at of first) {
    for (; at instanceof Error && !found.includes(at); at = at.cause) {
      found.push(at)
    }
  }
  return found
}

/** PostgreSQL's codes for values that a column cannot hold, and SQLite's words. */
const ofData = /^(22|54)[0-9A-Z]{3}$|^23502$|string or blob too big|datatype mismatch/

/** Whether it is a value that the database does not take. It takes others. */
export const isOfData = (error: unknown): boolean =>
  causes(error).some((cause) => ofData.test("code" in cause ? String(cause.code) : "") || ofData.test(cause.message))

const find = (troubles: ReadonlyArray<Trouble>, error: unknown): Trouble | undefined => {
  const words = causes(error).flatMap((cause) => [cause.message, "code" in cause ? String(cause.code) : ""])
  return troubles.find(({ sign }) => words.some((word) => sign.test(word)))
}

/** Whether waiting does not help: the run is to end at once. */
export const isLasting = (error: unknown): boolean => find(lasting, error) !== undefined

/** What the database did, if that is the reason of a cause. The engine wraps its errors. */
export const databaseFailed = (cause: Cause.Cause<unknown>): DatabaseFailed | undefined => {
  const all = causes(cause)
  const first = all.find((error) => isLasting(error)) ?? all.find((error) => error instanceof SqlError)
  return (
    all.find((error) => error instanceof DatabaseFailed) ??
    (first === undefined ? undefined : new DatabaseFailed({ cause: first }))
  )
}

/** The database did not do what it was asked to: for two minutes, or in a way that waiting does not mend. */
export class DatabaseFailed extends Data.TaggedError("DatabaseFailed")<{ readonly cause: unknown }> {
  override get message(): string {
    const advice = find([...lasting, ...passing], this.cause)?.advice
    const words = [...new Set(causes(this.cause).map(({ message }) => message.trim()))].filter((word) => word !== "")
    return `The database failed: ${words.join(": ") || String(this.cause)}.${advice === undefined ? "" : ` ${advice}`}`
  }
}

/** Another process has the file, or the database. */
export class Locked extends Data.TaggedError("Locked")<{ readonly what: string }> {
  override get message(): string {
    return `Another process works on ${this.what}. \`catalog-mirror status --watch\` shows it.`
  }
}
