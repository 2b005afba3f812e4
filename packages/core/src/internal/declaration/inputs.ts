/**
 * The kinds of inputs: where each goes in a request, and what is sent for its value. Modules of operations import them as
 * `Input`: `Input.date`.
 *
 * A module of operations has each input twice: in a `…Params` with its Schema, from which its type comes, and in `inputs` of
 * a declaration, with its kind. With Schemas in declarations, each page would bundle them. The compiler compares the names.
 */
import { mistake, checkNsfw, show } from "../common/mistakes.js"
import { isPresent } from "../common/values.js"

export interface Input {
  readonly place: "path" | "query" | "form"
  /** What is sent for a value, `undefined` for nothing. Throws a `TypeError` for an invalid value. */
  readonly write: (value: unknown, input: string, operation: string) => string | undefined
  /** What the service takes, for messages: "a score of 0 to 10". */
  readonly takes?: string | undefined
  readonly default?: unknown
  /** How a proxy reads what it has received: by default as a string, which is sent unchanged. */
  readonly type?: "number" | "boolean"
  /** Its name in a query or form, if it differs. */
  readonly wire?: string | undefined
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

/** An error that `isInputTypeError` finds by its code. */
export const inputMistake = (message: string): TypeError =>
  Object.assign(mistake(message), { code: "ERR_INVALID_INPUT" })

export const invalidInput = (operation: string, input: string, must: string, value: unknown): TypeError =>
  inputMistake(`${operation}: ${show(input)} must be ${must}, but it is ${show(value)}`)

/** Percent-encodes a string. Half a surrogate pair cannot be encoded and becomes U+FFFD, as everywhere on the web. */
export const encode = (text: string): string =>
  /^\w*$/.test(text) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

const joinStrings = (value: unknown): unknown =>
  Array.isArray(value) && value.every((part) => typeof part === "string") ? value.join(",") : value

export const plain = (
  given: unknown,
  input: string,
  operation: string,
  takes = "a string, a finite number, a boolean or an array of strings"
): string => {
  const value = joinStrings(given)
  if (typeof value === "string") {
    return value
  }
  if (Number.isFinite(value) || typeof value === "boolean" || typeof value === "bigint") {
    return String(value)
  }
  throw invalidInput(operation, input, takes, given)
}

const optionalText: Input["write"] = (value, ...names) => (isPresent(value) ? plain(value, ...names) : undefined)

export const query: Input = { place: "query", write: optionalText }

export const queryOf = (takes: string | undefined, wire?: string): Input => ({ ...query, takes, wire })

export const keyword = /*#__PURE__*/ queryOf("a keyword (q) of 3 to 64 characters")

/** Whether a reply may contain works that are not safe for work. */
export const nsfw: Input = {
  place: "query",
  type: "boolean",
  write: (value, _, operation) => checkNsfw(value, operation)?.toString()
}

/** A field that a write changes, and the value that removes it. Not `null`, which would leave it as it is. */
export const form = (takes: string, removal = ""): Input => ({
  place: "form",
  takes,
  write: (value, ...names) =>
    value === undefined ? value : plain(value, ...names, takes + (removal && `, or ${removal} to remove it`))
})

/** The words of a list's entries, for messages. */
export const animeStatuses = "watching, completed, on_hold, dropped or plan_to_watch"
export const mangaStatuses = "reading, completed, on_hold, dropped or plan_to_read"

export const listSort = /*#__PURE__*/ queryOf("a sort such as list_updated_at")

export const count = /*#__PURE__*/ form("a whole number")

export const score = /*#__PURE__*/ form("a score of 0 to 10", "0")

export const comments = /*#__PURE__*/ form("a string", '""')

export const yesOrNo = /*#__PURE__*/ form("true or false")

export const rewatchValue = /*#__PURE__*/ form("0 to 5")

export const priority = /*#__PURE__*/ form("a priority of 0 to 2")

export const tags = /*#__PURE__*/ form("an array of strings", "[]")

export const date = /*#__PURE__*/ form("a date such as 2026-04-03", '""')

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
const requiredInput = (
  place: "path" | "query",
  must: string,
  isValid: (value: unknown) => boolean,
  more?: Pick<Input, "takes" | "type" | "wire">
): Input => ({
  place,
  ...more,
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
export const season = /*#__PURE__*/ requiredInput("path", 'a string, for example "winter"', isSegment, {
  takes: "winter, spring, summer or fall"
})

/** In the path: an id or a year. */
export const finiteNumber = /*#__PURE__*/ requiredInput("path", "a finite number", Number.isFinite, { type: "number" })

/** A word in the query. Which words there are, the service decides. */
export const wordAs = (wire: string, takes: string): Input =>
  requiredInput("query", 'a string, for example "all"', (value) => typeof value === "string", { wire, takes })

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
