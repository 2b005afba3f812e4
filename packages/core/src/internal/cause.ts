/**
 * What is at the bottom of a failure, as a plain record that can travel.
 */

/** The record that `ClientNetworkError.cause` holds. */
export interface CauseRecord {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** Causes can form a circle; nobody nests them deeper than this. */
const deepest = 16

/** A member of something foreign, whose getters can throw. */
const member = (value: object, key: string): unknown => {
  try {
    return (value as { readonly [key: string]: unknown })[key]
  } catch {
    return undefined
  }
}

/** An `AggregateError`, as from a host with several addresses, says nothing itself. */
const below = (value: object): unknown => {
  const errors = member(value, "errors")
  return member(value, "cause") ?? (Array.isArray(errors) ? errors[0] : undefined)
}

/** What lies at the bottom of a chain of causes. */
export const innermost = (value: unknown): unknown => {
  let found = value
  for (let depth = 0; depth < deepest && typeof found === "object" && found !== null; depth++) {
    const next = below(found)
    if (next === undefined || next === null) {
      break
    }
    found = next
  }
  return found
}

/** Anything that was thrown or given as a reason. */
export const toRecord = (cause: unknown, cut: (text: string) => string): CauseRecord => {
  if (typeof cause !== "object" || cause === null) {
    return { name: "Error", message: cut(String(cause)) }
  }
  const name = member(cause, "name")
  const message = member(cause, "message")
  const code = member(cause, "code")
  return {
    name: typeof name === "string" ? cut(name) : "Error",
    message: typeof message === "string" ? cut(message) : "",
    ...(typeof code === "string" && { code: cut(code) })
  }
}
