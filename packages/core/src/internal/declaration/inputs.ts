/**
 * The kinds of inputs: where each goes in a request, and what is sent for its value. `selector` writes `fields`.
 */
import { mistake, nsfwOf, show } from "../common/mistakes.js"
import { isPresent } from "../common/values.js"

export interface Input {
  readonly place: "path" | "query" | "form"
  /** What is sent for a value, `undefined` for nothing. Throws a `TypeError` for an invalid value. */
  readonly write: (value: unknown, input: string, operation: string) => string | undefined
  readonly default?: unknown
  /** Its name in a query or form, if it differs. */
  readonly wire?: string
  /** Whether a profile cannot rename it, as in a custom operation. */
  readonly isFixed?: true
}

export interface InputsByName {
  readonly [input: string]: Input
}

const ownName = "@me"

/** Whether a user name is `@me`, in any case and with blanks around it. */
export const isMe = (username: unknown): boolean =>
  typeof username === "string" && username.trim().toLowerCase() === ownName

/** An error that `isInputMistake` finds by its code. */
export const inputMistake = (message: string): TypeError =>
  Object.assign(mistake(message), { code: "ERR_INVALID_INPUT" })

export const invalidInput = (operation: string, input: string, must: string, value: unknown): TypeError =>
  inputMistake(`${operation}: ${show(input)} must be ${must}, but it is ${show(value)}`)

/** Percent-encodes a string. Half a surrogate pair cannot be encoded and becomes U+FFFD, as everywhere on the web. */
export const encode = (text: string): string =>
  /^\w*$/.test(text) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

const joinStrings = (value: unknown): unknown =>
  Array.isArray(value) && value.every((part) => typeof part === "string") ? value.join(",") : value

export const plain = (given: unknown, input: string, operation: string): string => {
  const value = joinStrings(given)
  if (typeof value === "string") {
    return value
  }
  if (Number.isFinite(value) || typeof value === "boolean" || typeof value === "bigint") {
    return String(value)
  }
  throw invalidInput(operation, input, "a string, a finite number, a boolean or an array of strings", given)
}

const optionalText: Input["write"] = (value, ...names) => (isPresent(value) ? plain(value, ...names) : undefined)

export const query: Input = { place: "query", write: optionalText }

export const queryAs = (wire: string): Input => ({ ...query, wire })

/** Whether a reply may contain works that are not safe for work. */
export const nsfw: Input = {
  place: "query",
  write: (value, _, operation) => nsfwOf(value, operation)?.toString()
}

export const form: Input = { place: "form", write: optionalText }

/** Fast path: a selector without these needs no normalizing. */
const untidy = /\s|,,|,}|{,|^,|,$/

/** Normalizes a selector: no blanks around names, no empty names. */
const toWire = (selector: string): string =>
  untidy.test(selector)
    ? selector
        .replace(/[^,{}]+/g, (name) => name.trim())
        .replace(/,(?=[,}]|$)/g, "")
        .replace(/(^|\{),/g, "$1")
    : selector

/** A selector: an empty one is not sent. */
export const selector: Input = {
  place: "query",
  write: (given, input, operation) => {
    const value = joinStrings(given ?? "")
    if (typeof value !== "string") {
      throw invalidInput(operation, input, "a string or an array of strings", given)
    }
    return toWire(value) || undefined
  }
}

/** An input that the operation needs. */
const requiredInput = (place: "path" | "query", must: string, isValid: (value: unknown) => boolean): Input => ({
  place,
  write: (value, input, operation) => {
    if (!isValid(value)) {
      throw invalidInput(operation, input, must, value)
    }
    const text = String(value)
    return place === "path" ? encode(text) : text
  }
})

/** A URL normalizes "." and ".." away even when they are encoded, which would change the path. */
const isSegment = (value: unknown): boolean => typeof value === "string" && !/^\.{0,2}$/.test(value)

/** In the path: any text. */
export const segment = /*#__PURE__*/ requiredInput("path", 'a string other than "", "." and ".."', isSegment)

/** In the path: a word. Which words there are, the service decides. */
export const season = /*#__PURE__*/ requiredInput("path", 'a string, for example "winter"', isSegment)

/** In the path: an id or a year. */
export const idOrYear = /*#__PURE__*/ requiredInput("path", "a finite number", Number.isFinite)

/** A word in the query. Which words there are, the service decides. */
export const wordAs = (wire: string): Input => ({
  ...requiredInput("query", 'a string, for example "all"', (value) => typeof value === "string"),
  wire
})

/** In the path: a user name, or exactly `@me`. */
export const username: Input = {
  place: "path",
  write: (value, ...names) => (value === ownName ? ownName : segment.write(value, ...names))
}

/** In the path: the user name of a list's owner. Only lists accept `@me` in any case and with blanks around it. */
export const listOwner: Input = {
  place: "path",
  write: (value, ...names) => (isMe(value) ? ownName : segment.write(value, ...names))
}
