/**
 * What is at the bottom of a failure, as a plain record that can travel.
 */

/** The record that `ClientNetworkError.cause` holds. */
export interface CauseRecord {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** Causes can form a circle; real ones are not nested deeper than this. */
const deepest = 16

/** A member of something foreign, whose getters can throw. */
const member = (value: unknown, key: string): unknown => {
  try {
    return (value as { readonly [key: string]: unknown })[key]
  } catch {
    return undefined
  }
}

/** A text that is a member of something foreign. */
export const textIn = (value: unknown, key: string): string | undefined => {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

/** An `AggregateError`, as from a host with several addresses, says nothing itself. */
const below = (value: unknown): unknown => {
  const errors = member(value, "errors")
  return member(value, "cause") ?? (Array.isArray(errors) ? errors[0] : undefined)
}

/** What lies at the bottom of a chain of causes. */
export const innermost = (value: unknown): unknown => {
  let found = value
  for (let depth = 0; depth < deepest; depth++) {
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
  const code = textIn(cause, "code")
  return {
    name: cut(textIn(cause, "name") ?? "Error"),
    message: cut(textIn(cause, "message") ?? ""),
    ...(code !== undefined && { code: cut(code) })
  }
}
