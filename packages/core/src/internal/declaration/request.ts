/**
 * Makes the request of an operation from its inputs: `inputs.ts` writes each of them. Pure; throws a `TypeError` for a bug in
 * the program.
 */
import { identity } from "effect/Function"
import type { ItemsOptions, WholeListOptions } from "../../Face.js"
import { forCall, hasProperties, show } from "../common/mistakes.js"
import { tryOr } from "../common/values.js"
import { memoize } from "../common/memoize.js"
import { checkKnown, type NamesOf, suggestion, unknownIn } from "../common/options.js"
import { baseUrlOf, type CatalogSettings } from "../settings/settings.js"
import type { Declaration, Inputs, Params } from "./declaration.js"
import {
  encode,
  type Input,
  inputMistake,
  invalidInput,
  type InputsByName,
  nsfw,
  query,
  queryOf,
  selector
} from "./inputs.js"

/** The part of a request that depends on the inputs; its method and headers are added when it is sent. */
export interface PreparedRequest {
  readonly url: string
  readonly form: string | undefined
}

const callOptionNames: NamesOf<ItemsOptions<unknown>> = {
  timeout: 1,
  totalTimeout: 1,
  maxResponseBytes: 1,
  signal: 1,
  nsfw: 1,
  accessToken: 1,
  clientId: 1,
  headers: 1,
  policies: 1,
  fields: 1
}

const listOptionNames: NamesOf<WholeListOptions> = { prefetch: 1, distinct: 1, after: 1, onPage: 1 }

/** Throws a `TypeError` for params or options that are not an object, because their values would be ignored. */
export const checkInputs = (declaration: Declaration, inputs: Inputs): void => {
  for (const name of ["params", "options"] as const) {
    const values: unknown = inputs[name]
    if (!hasProperties(values)) {
      const [example] = Object.keys((name === "params" && declaration.inputs) || callOptionNames)
      throw invalidInput(declaration.name, name, `an object such as { ${example}: … }`, values)
    }
  }
}

export const nameOf = ({ profile }: CatalogSettings, input: string, { isFixed, wire = input } = query): string =>
  (isFixed ? undefined : profile.names[input]) ?? wire

/** The part of a declaration that has the inputs. */
type DeclaredInputs = Partial<Pick<Declaration, "inputs" | "fields" | "limit" | "nsfw">>

/** The inputs of an operation, by the object that contains them. */
export const declaredIn = /*#__PURE__*/ memoize(({ fields, inputs, limit, nsfw: hasNsfw }: DeclaredInputs) => {
  const pages = limit && {
    limit: { ...queryOf(`a limit of 1 to ${limit.maximum}`), default: limit.default },
    offset: query
  }
  const params: InputsByName = { ...inputs, ...(inputs && pages) }
  const options: InputsByName = { ...(!inputs && pages), ...(fields && { fields: selector }), ...(hasNsfw && { nsfw }) }
  const known: object = { ...callOptionNames, ...(limit && listOptionNames), ...options }
  return { params, options, known }
})

/** Throws a `TypeError` for an unknown option. The options are a copy that `checkInputs` has seen. */
export const checkOptionNames = (declaration: Declaration, { options }: Inputs): void => {
  const { known, params } = declaredIn(declaration)
  checkKnown(declaration.name, options, known, params)
}

/** A name among the params that would be ignored, preferably one with a hint at what was meant. */
export const ignoredIn = (declaration: Declaration, params: Params): readonly [name?: string, hint?: string] => {
  const declared = declaredIn(declaration)
  // A method of a class is no input.
  const unknown = unknownIn(params, declared.params).filter((input) => typeof params[input] !== "function")
  for (const input of unknown) {
    // A record can have a member `nsfw`, which not every operation takes.
    const known = input === "nsfw" ? declared.options : declared.known
    const hint =
      input in known ? ": pass it in the options, the second object" : suggestion(input, declared.params, params)
    if (hint !== "") {
      return [input, hint]
    }
  }
  return unknown.slice(0, 1) as [string?]
}

/**
 * Throws a `TypeError` for a name that would be ignored. A write refuses any. `params` of a read may be a whole record, as in
 * `get(anime)`, so it refuses only an option, or what looks like a misspelt name of an input that is not set.
 */
export const checkParamNames = (declaration: Declaration, { params }: Inputs): void => {
  const { method, name } = declaration
  const [input, hint] = ignoredIn(declaration, params)
  // A deletion sends nothing that could be lost.
  if (input !== undefined && (hint || !/GET|DELETE/.test(method))) {
    const known = Object.keys(declaredIn(declaration).params)
    throw inputMistake(`${name} has no input ${show(input)}${hint ?? `: it takes ${known.join(", ")}`}`)
  }
}

/** What the service takes for an input, by its name in the request. */
export const takenFor = (declaration: DeclaredInputs, settings: CatalogSettings, wire: string): string | undefined => {
  const { options, params } = declaredIn(declaration)
  return Object.entries({ ...options, ...params }).find(([name, input]) => nameOf(settings, name, input) === wire)?.[1]
    .takes
}

/** The URL of a call that was never sent, or the path of its declaration if no request can be made. */
export const plainUrlOf = (
  declaration: Declaration,
  inputs: Inputs,
  settings: CatalogSettings,
  follow?: Follow
): string =>
  tryOr(
    () => makeRequest(declaration, inputs, settings, follow).url,
    tryOr(() => baseUrlOf(settings), "") + declaration.path
  )

/** Turns the URL of a call into the URL of another page of its list. */
export type Follow = (url: string) => string

/** The request of a call, or of another page of its list. */
export const makeRequest = (
  declaration: Declaration,
  { params, options }: Inputs,
  settings: CatalogSettings,
  follow: Follow = identity
): PreparedRequest => {
  const { name: operation } = declaration
  const declared = declaredIn(declaration)
  // A relative base URL is resolved here, so it may fail here.
  const baseUrl = forCall(operation, () => baseUrlOf(settings))
  let path = declaration.path
  let search = ""
  let body: URLSearchParams | undefined
  const append = (name: string, input: Input, value: unknown): void => {
    const text = input.write(value, name, operation)
    if (input.place === "path") {
      // Encoded, so it contains neither braces nor a dollar sign.
      path = path.replace(`{${name}}`, String(text))
    } else if (input.place === "form") {
      body ??= new URLSearchParams()
      if (text !== undefined) {
        body.append(nameOf(settings, name, input), text)
      }
    } else if (text !== undefined) {
      search += `${search && "&"}${encode(nameOf(settings, name, input))}=${encode(text)}`
    }
  }
  const appendAll = (inputs: InputsByName, values: Params, defaults: Params = {}): void => {
    // Faster than `Object.entries`: every call runs this.
    for (const name in inputs) {
      const input = inputs[name] as Input
      const value = values[name]
      // `null` stays `null`, for the message.
      append(name, input, value ?? input.default ?? defaults[name] ?? value)
    }
  }
  appendAll(declared.params, params)
  appendAll(declared.options, options, { nsfw: settings.nsfw })
  return { url: follow(baseUrl + path + (search && `?${search}`)), form: body?.toString() }
}
