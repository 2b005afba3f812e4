/**
 * The error of a failure, and its root cause as a plain serializable record.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { isPresent, member, stringIn } from "./values.js"

/** The error of an exit; `undefined` if it succeeded, was interrupted or died. */
export const errorOf = <E>(exit: Exit.Exit<unknown, E>): E | undefined =>
  Exit.isSuccess(exit) ? undefined : Option.getOrUndefined(Cause.failureOption(exit.cause))

/** The record that `ClientNetworkError.cause` contains. */
export interface CauseRecord {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** The maximum number of causes to follow, because they can form a circle. */
const maxCauses = 16

/** The next cause. An `AggregateError`, as of a host with several addresses, says nothing itself: its first error does. */
const nextCause = (value: unknown): unknown => {
  const errors = member(value, "errors")
  return member(value, "cause") ?? (Array.isArray(errors) ? errors[0] : undefined)
}

export const innermost = (value: unknown): unknown => {
  let found = value
  for (let depth = 0; depth < maxCauses; depth++) {
    const next = nextCause(found)
    if (!isPresent(next)) {
      break
    }
    found = next
  }
  return found
}

/** The record of any thrown value or abort reason. */
export const toRecord = (cause: unknown, cut: (text: string) => string): CauseRecord => {
  if (typeof cause !== "object" || cause === null) {
    return { name: "Error", message: cut(String(cause)) }
  }
  const code = stringIn(cause, "code")
  return {
    name: cut(stringIn(cause, "name") ?? stringIn(cause, "_tag") ?? "Error"),
    message: cut(stringIn(cause, "message") ?? ""),
    ...(code !== undefined && { code: cut(code) })
  }
}

/** The error for a program's own `fetch` or transport that does not behave like one. */
export const invalidTransport = (message: string): TypeError =>
  Object.assign(new TypeError(message), { code: "ERR_INVALID_TRANSPORT" })
