/**
 * Makes the request of an operation from its inputs. Pure; throws a `TypeError` for a bug in the program.
 */
import { identity } from "effect/Function"
import { baseUrlOf, type CatalogSettings } from "../../CatalogConfig.js"
import { isNamed, show, mistake } from "../common/validate.js"
import { toWire } from "../../Selector.js"
import { textIn } from "../common/cause.js"
import { type Declaration, hasParams, type Input, type Inputs, type Params } from "./declaration.js"
import { isGiven, isMe, me } from "./rules.js"

/** A request without credentials. */
export interface Request {
  readonly url: string
  /** A form, encoded. */
  readonly form: string | undefined
}

/** The error for an invalid input. */
export const invalidInput = (operation: string, input: string, must: string, value: unknown): TypeError =>
  mistake(`${operation}: "${input}" must be ${must}, but it is ${show(value)}`)

/** A number or a text in place of an inputs object would be ignored. */
export const checkInputs = (operation: string, inputs: Inputs): void => {
  for (const [name, given] of Object.entries(inputs)) {
    if (!isNamed(given)) {
      throw invalidInput(operation, name, "an object", given)
    }
  }
}

/** Half of a surrogate pair cannot be encoded; it becomes U+FFFD, as everywhere on the web. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

/** What an input is called on the wire. */
export const nameOf = ({ profile }: CatalogSettings, input: Input): string => profile.names[input] ?? input

const segment = ({ name, limit }: Declaration, input: string, value: unknown): string => {
  if (input === "id" || input === "year") {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw invalidInput(name, input, "a finite number", value)
    }
    return encode(String(value))
  }
  // Rule 5: only lists accept `@me` in any case and with blanks.
  if (input === "username" && (limit === undefined ? value === me : isMe(value))) {
    return me
  }
  // A URL normalizes "." and ".." away even when they are encoded, which would change the path.
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw invalidInput(name, input, 'a text other than "", "." and ".."', value)
  }
  return encode(value)
}

const path = (operation: Declaration, params: Params): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, input: string) => segment(operation, input, params[input]))

const text = (operation: string, input: Input, value: unknown): string => {
  const joined = Array.isArray(value) && value.every((part) => typeof part === "string") ? value.join(",") : value
  const isSelector = input === "fields"
  if (typeof joined === "string") {
    return isSelector ? toWire(joined) : joined
  }
  if (!isSelector && (Number.isFinite(value) || typeof value === "boolean" || typeof value === "bigint")) {
    return String(value)
  }
  throw invalidInput(
    operation,
    input,
    `a text${isSelector ? "" : ", a finite number, a boolean"} or an array of texts`,
    value
  )
}

/** The base URL of a call; one that is resolved only now can be invalid. */
const base = (operation: string, config: CatalogSettings): string => {
  try {
    return baseUrlOf(config)
  } catch (error) {
    throw mistake(`${operation}: ${textIn(error, "message")}`, { cause: error })
  }
}

const attempt = <A>(get: () => A, otherwise: A): A => {
  try {
    return get()
  } catch {
    return otherwise
  }
}

/** The URL of a call that was never sent: that of its request, or the contract's path if it has none. */
export const urlOf = (operation: Declaration, inputs: Inputs, config: CatalogSettings, follow?: Follow): string =>
  attempt(() => make(operation, inputs, config, follow).url, attempt(() => baseUrlOf(config), "") + operation.path)

/** Changes the URL of a call to that of another page of its list. */
export type Follow = (url: string) => string

/** The request of a call, or of another page of its list. */
export const make = (
  operation: Declaration,
  { params, options }: Inputs,
  config: CatalogSettings,
  follow: Follow = identity
): Request => {
  const { name } = operation
  let url = base(name, config) + path(operation, params)
  let separator = "?"
  const append = (input: Input, value: unknown): void => {
    if (isGiven(value)) {
      const sent = text(name, input, value)
      if (input !== "fields" || sent !== "") {
        url += `${separator}${encode(nameOf(config, input))}=${encode(sent)}`
        separator = "&"
      }
    }
  }
  for (const input of operation.query ?? []) {
    append(input, params[input])
  }
  if (operation.limit !== undefined) {
    const given = hasParams(operation) ? params : options
    append("limit", given["limit"] ?? operation.limit.usual)
    append("offset", given["offset"])
  }
  if (operation.fields !== undefined) {
    append("fields", options["fields"])
  }
  if (operation.nsfw) {
    append("nsfw", options["nsfw"] ?? config.defaults.nsfw)
  }
  if (operation.form === undefined) {
    return { url: follow(url), form: undefined }
  }
  const form = new URLSearchParams()
  for (const input of operation.form) {
    if (isGiven(params[input])) {
      form.append(nameOf(config, input), text(name, input, params[input]))
    }
  }
  return { url, form: form.toString() }
}
