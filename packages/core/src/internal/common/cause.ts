/**
 * The root cause of a failure as a plain serializable record, and foreign strings in a form that is safe to print.
 */

/**
 * Escapes line breaks, control characters and direction marks: they could forge lines of a log, or change what a terminal
 * shows.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** The record that `ClientNetworkError.cause` contains. */
export interface CauseRecord {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** The most causes to follow, since they can form a circle. */
const maxCauses = 16

/** A value, or `otherwise` if reading it throws. */
export const tryOr = <A>(get: () => A, otherwise: A): A => {
  try {
    return get()
  } catch {
    return otherwise
  }
}

const member = (value: unknown, key: string): unknown =>
  tryOr(() => (value as { readonly [key: string]: unknown })[key], undefined)

export const textIn = (value: unknown, key: string): string | undefined => {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

/** An `AggregateError`, for example from a host with several addresses, has no useful message itself. */
const below = (value: unknown): unknown => {
  const errors = member(value, "errors")
  return member(value, "cause") ?? (Array.isArray(errors) ? errors[0] : undefined)
}

export const innermost = (value: unknown): unknown => {
  let found = value
  for (let depth = 0; depth < maxCauses; depth++) {
    const next = below(found)
    if (next === undefined || next === null) {
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
  const code = textIn(cause, "code")
  return {
    name: cut(textIn(cause, "name") ?? textIn(cause, "_tag") ?? "Error"),
    message: cut(textIn(cause, "message") ?? ""),
    ...(code !== undefined && { code: cut(code) })
  }
}
