/**
 * Makes the request of an operation from its inputs. Pure; throws a `TypeError` for a bug in the program.
 */
import { identity } from "effect/Function"
import { baseUrlOf, type CatalogSettings, ofDefaults } from "../../CatalogConfig.js"
import type { CollectOptions, ItemsOptions, WholeListOptions } from "../../Face.js"
import type { InputMistake } from "../../guards.js"
import { isNamed, isPresent, mistake, nsfwOf, show } from "../common/mistakes.js"
import { toWire } from "../../Selector.js"
import { attempt, textIn } from "../common/cause.js"
import { memoize } from "../common/memoize.js"
import { checkNames as checkOptions, type Known, suggestion, unknownIn } from "../common/options.js"
import { type Declaration, hasParams, type Input, type Inputs, type Params } from "./declaration.js"
import { isMe, me } from "./rules.js"

/** A request without credentials. */
export interface Request {
  readonly url: string
  /** A form, encoded. */
  readonly form: string | undefined
}

/** An error that guards find by its code. */
const inputMistake = (message: string): TypeError =>
  Object.assign(mistake(message), { code: "ERR_INVALID_INPUT" satisfies InputMistake["code"] })

/** The error for an invalid input. */
export const invalidInput = (operation: string, input: string, must: string, value: unknown): TypeError =>
  inputMistake(`${operation}: ${show(input)} must be ${must}, but it is ${show(value)}`)

/** The names of the options that calls and catalogs take. */
export const ofAll: Known<Omit<ItemsOptions<unknown>, "extra">> = {
  ...ofDefaults,
  accessToken: 1,
  clientId: 1,
  headers: 1,
  policies: 1,
  fields: 1
}

const ofCalls: Known<ItemsOptions<unknown> & WholeListOptions & CollectOptions> = {
  ...ofAll,
  extra: 1,
  prefetch: 1,
  distinct: 1,
  from: 1,
  max: 1
}

const ofCallsWithoutParams = { ...ofCalls, limit: 1, offset: 1 }

/** A number or a string in place of an inputs object would be ignored. */
export const checkInputs = (operation: string, inputs: Inputs | Params): void => {
  // Faster than `Object.entries`: every call runs this.
  for (const name in inputs) {
    const values: unknown = inputs[name as keyof typeof inputs]
    if (!isNamed(values)) {
      throw invalidInput(operation, name, "an object", values)
    }
  }
}

/**
 * Half of a surrogate pair cannot be encoded; it becomes U+FFFD, as everywhere on the web. Plain
 * words are not encoded.
 */
const encode = (text: string): string =>
  /^\w*$/.test(text) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

/** What an input is called on the wire. */
export const nameOf = ({ profile }: CatalogSettings, input: string): string => profile.names[input as Input] ?? input

const text = (operation: string, input: string, value: unknown): string => {
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
    `a string${isSelector ? "" : ", a finite number, a boolean"} or an array of strings`,
    value
  )
}

const segment = ({ encode: own, name, limit }: Declaration, input: string, given: unknown): string => {
  const value = own ? text(name, input, given) : given
  if (!own && (input === "id" || input === "year")) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw invalidInput(name, input, "a finite number", value)
    }
    return encode(String(value))
  }
  // Rule 5: only lists accept `@me` in any case and with blanks.
  if (!own && input === "username" && (limit === undefined ? value === me : isMe(value))) {
    return me
  }
  // A URL normalizes "." and ".." away even when they are encoded, which would change the path.
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw invalidInput(name, input, 'a string other than "", "." and ".."', value)
  }
  return encode(value)
}

/** The parts of an operation's path: strings and, at the odd places, names of inputs. */
const partsOf = /*#__PURE__*/ memoize(({ path }: Declaration) => path.split(/\{(\w+)\}/))

/** The names of the params that an operation takes. */
const inputsIn = /*#__PURE__*/ memoize((operation: Declaration): Params => {
  const { form = [], inputs, limit, query = [] } = operation
  const names = inputs ?? [...partsOf(operation).filter((_, index) => index % 2), ...query, ...form]
  return Object.fromEntries([...names, ...(limit ? ["limit", "offset"] : [])].map((name) => [name, 1]))
})

/**
 * Throws a `TypeError` for a name that would be ignored. Params can be a record with other members, as in `get(anime)`: only
 * an option, or a name that is nearly that of an absent input, is a mistake.
 */
export const checkNames = (operation: Declaration, { params, options }: Inputs): void => {
  const { fields, name, nsfw } = operation
  const inputs = inputsIn(operation)
  checkOptions(name, options, hasParams(operation) ? ofCalls : ofCallsWithoutParams)
  for (const input of unknownIn(params, inputs)) {
    const isOption = (input === "fields" && fields) || (input === "nsfw" && nsfw)
    const hint = isOption ? ": pass it in the options, the second object" : suggestion(input, inputs, params)
    if (hint !== "") {
      throw inputMistake(`${name} has no input ${show(input)}${hint}`)
    }
  }
}

const path = (operation: Declaration, params: Params): string => {
  let path = ""
  let isInput = false
  for (const part of partsOf(operation)) {
    path += isInput ? segment(operation, part, params[part]) : part
    isInput = !isInput
  }
  return path
}

/** The base URL of a call; one that is resolved only now can be invalid. */
const base = (operation: string, config: CatalogSettings): string => {
  try {
    return baseUrlOf(config)
  } catch (error) {
    throw mistake(`${operation}: ${textIn(error, "message")}`, { cause: error })
  }
}

/** The URL of a call that was never sent: that of its request, or the contract's path if it has none. */
export const urlOf = (operation: Declaration, inputs: Inputs, config: CatalogSettings, follow?: Follow): string =>
  attempt(() => make(operation, inputs, config, follow).url, attempt(() => baseUrlOf(config), "") + operation.path)

/** Changes the URL of a call to that of another page of its list. */
export type Follow = (url: string) => string

const places = ["query", "form"] as const

type Place = (typeof places)[number]

/** Names under which a service may take credentials, which the client sends as headers. */
const credential = /^((access|refresh)_token|client_(id|secret))$/i

/** The inputs of a call that its operation does not know. They override nothing. */
const extraIn = (
  { method, name, path }: Declaration,
  extra: Params,
  place: Place,
  known: ReadonlyArray<string>
): ReadonlyArray<[string, unknown]> => {
  const given = extra[place] ?? {}
  checkInputs(name, { extra, [`extra.${place}`]: given })
  const inputs = Object.entries(given)
  for (const [input] of inputs) {
    const what =
      known.includes(input) || path.includes(`{${input}}`)
        ? "an input of the operation: pass it in params or options"
        : credential.test(input)
          ? "a credential: pass it as accessToken or clientId"
          : place === "form" && (method === "GET" || method === "DELETE")
            ? `in a form, which ${method} does not send: put it into extra.query`
            : undefined
    if (what) {
      throw mistake(`${name}: ${show(input)} in extra.${place} is ${what}`)
    }
  }
  return inputs
}

/** The request of a call, or of another page of its list. */
export const make = (
  operation: Declaration,
  { params: given, options }: Inputs,
  config: CatalogSettings,
  follow: Follow = identity
): Request => {
  const { encode: own, name } = operation
  const params = own ? own(given) : given
  const { extra } = options
  /** The names on the wire, where there are more. */
  const known: Array<string> | undefined = isPresent(extra) ? [] : undefined
  let form = operation.form && new URLSearchParams()
  let url = base(name, config) + path(operation, params)
  let separator = "?"
  const append = (place: Place, input: string, value: unknown, wire = nameOf(config, input)): void => {
    known?.push(wire)
    if (isPresent(value)) {
      const sent = text(name, input, value)
      if (place === "form") {
        form ??= new URLSearchParams()
        form.append(wire, sent)
      } else if (input !== "fields" || sent !== "") {
        url += `${separator}${encode(wire)}=${encode(sent)}`
        separator = "&"
      }
    }
  }
  for (const place of places) {
    for (const input of operation[place] ?? []) {
      append(place, input, params[input], own && input)
    }
  }
  if (operation.limit !== undefined) {
    const values = hasParams(operation) ? params : options
    append("query", "limit", values["limit"] ?? operation.limit.usual)
    append("query", "offset", values["offset"])
  }
  if (operation.fields !== undefined) {
    append("query", "fields", options["fields"])
  }
  if (operation.nsfw) {
    append("query", "nsfw", nsfwOf(options["nsfw"], operation.name) ?? config.defaults.nsfw)
  }
  if (known !== undefined) {
    const declared = [...known]
    for (const place of places) {
      for (const [input, value] of extraIn(operation, extra as Params, place, declared)) {
        append(place, input, value, input)
      }
    }
  }
  return { url: follow(url), form: form?.toString() }
}
