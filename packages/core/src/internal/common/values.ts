/**
 * Reads values that may be anything.
 */

import { constVoid } from "effect/Function"

/** Whether an input is neither `undefined` nor `null`. */
export const isPresent = <A>(value: A): value is A & {} => value !== undefined && value !== null

/** Whether a value, which may be `undefined`, has a method. */
export const hasMethod = (value: unknown, name: string): boolean =>
  typeof (value as { readonly [name: string]: unknown } | null | undefined)?.[name] === "function"

/** A value, or `otherwise` if reading it throws. */
export const tryOr = <A>(get: () => A, otherwise: A): A => {
  try {
    return get()
  } catch {
    return otherwise
  }
}

/** `stackTraceLimit` is in many engines, but not in the standard. */
const engine = Error as { stackTraceLimit?: unknown }

/**
 * Makes errors without a stack, which takes longer to capture than an error to make, until the returned function is called.
 * Does nothing if a program has frozen `Error`.
 */
export const pauseStacks = (): (() => void) => {
  const limit = engine.stackTraceLimit
  return typeof limit === "number" && Reflect.set(engine, "stackTraceLimit", 0)
    ? () => void (engine.stackTraceLimit = limit)
    : constVoid
}

/**
 * Whether a value is a promise of any class: Zone.js and some libraries have their own. Adds a handler to the promise, because
 * nobody awaits it, and an unhandled rejection would end the process.
 */
export const isPromise = (value: unknown): boolean =>
  tryOr(() => {
    const isOne = hasMethod(value, "then")
    if (isOne) {
      ;(value as PromiseLike<unknown>).then(constVoid, constVoid)
    }
    return isOne
  }, false)

/** Calls a function of the program. Returns `undefined` if it throws, and handles the rejection of a promise. */
export const quietly = <A>(run: () => A): A | undefined =>
  tryOr<A | undefined>(() => {
    const returned = run()
    isPromise(returned)
    return returned
  }, undefined)

/** A member of a value; `undefined` if reading it throws. */
export const member = (value: unknown, key: string): unknown =>
  tryOr(() => (value as { readonly [key: string]: unknown })[key], undefined)

export const stringIn = (value: unknown, key: string): string | undefined => {
  const found = member(value, key)
  return typeof found === "string" ? found : undefined
}

/** The value of a JSON string; `undefined` if it is not JSON. */
export const jsonIn = (text: string): unknown => tryOr<unknown>(() => JSON.parse(text), undefined)

/** A valid URL, or `undefined`. `URL.canParse` is missing in some engines, or always false. */
export const urlIn = (text: string | URL, base?: string): URL | undefined =>
  tryOr<URL | undefined>(() => new URL(text, base), undefined)

/**
 * Escapes line breaks, control characters and direction marks: they could forge lines of a log, or change what a terminal
 * shows.
 */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
