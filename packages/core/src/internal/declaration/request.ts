/**
 * Makes the request of an operation from its inputs. Pure; throws a `TypeError` for a bug in the program.
 */
import { identity } from "effect/Function"
import type { CollectOptions, ItemsOptions, WholeListOptions } from "../../Face.js"
import { isNamed, isPresent, mistake, show } from "../common/mistakes.js"
import { attempt, textIn } from "../common/cause.js"
import { memoize } from "../common/memoize.js"
import { checkKnown, type Known, suggestion, unknownIn } from "../common/options.js"
import { baseUrlOf, type CatalogSettings } from "../services/settings.js"
import type { Declaration, Inputs, Params } from "./declaration.js"
import { encode, form, type Input, inputMistake, invalidInput, type Kinds, nsfw, query, selector } from "./inputs.js"

/** A request without credentials. */
export interface Request {
  readonly url: string
  /** A form, encoded. */
  readonly form: string | undefined
}

/** The names of the options that calls and catalogs take. */
export const ofAll: Known<Omit<ItemsOptions<unknown>, "extra">> = {
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

/** What an input is called on the wire. */
export const nameOf = ({ profile }: CatalogSettings, input: string, { isFixed, wire = input } = query): string =>
  (isFixed ? undefined : profile.names[input]) ?? wire

/** The inputs of an operation, by the object that contains them. */
const declaredIn = /*#__PURE__*/ memoize(({ fields, inputs, limit, nsfw: hasNsfw }: Declaration) => {
  const pages = limit && { limit: { ...query, usual: limit.usual }, offset: query }
  const params: Kinds = { ...inputs, ...(inputs && pages) }
  const options: Kinds = { ...(!inputs && pages), ...(fields && { fields: selector }), ...(hasNsfw && { nsfw }) }
  return { params, options }
})

/**
 * Throws a `TypeError` for a name that would be ignored. Params can be a record with other members, as in `get(anime)`: only
 * an option, or a name that is nearly that of an absent input, is a mistake.
 */
export const checkNames = (operation: Declaration, { params, options }: Inputs): void => {
  const { inputs, name } = operation
  const declared = declaredIn(operation)
  // A call's options are a copy that `checkInputs` has seen.
  checkKnown(name, options, inputs ? ofCalls : ofCallsWithoutParams)
  for (const input of unknownIn(params, declared.params)) {
    const hint =
      input in declared.options
        ? ": pass it in the options, the second object"
        : suggestion(input, declared.params, params)
    if (hint !== "") {
      throw inputMistake(`${name} has no input ${show(input)}${hint}`)
    }
  }
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

/** Names under which a service may take credentials, which the client sends as headers. */
const credential = /^((access|refresh)_token|client_(id|secret))$/i

/** The inputs of a call that its operation does not know. They override nothing. */
const extraIn = (
  { method, name }: Declaration,
  extra: Params,
  place: string,
  known: ReadonlyArray<string>
): ReadonlyArray<[string, unknown]> => {
  const given = extra[place] ?? {}
  checkInputs(name, { extra, [`extra.${place}`]: given })
  const inputs = Object.entries(given)
  for (const [input] of inputs) {
    const what = known.includes(input)
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
  return inputs.filter(([, value]) => isPresent(value))
}

/** The request of a call, or of another page of its list. */
export const make = (
  operation: Declaration,
  { params, options }: Inputs,
  config: CatalogSettings,
  follow: Follow = identity
): Request => {
  const { name } = operation
  const declared = declaredIn(operation)
  const origin = base(name, config)
  let path = operation.path
  let search = ""
  let body: URLSearchParams | undefined
  const append = (input: string, kind: Input, value: unknown, wire?: string): void => {
    const text = kind.text(value, input, name)
    if (kind.place === "path") {
      // Encoded, so it contains neither braces nor a dollar sign.
      path = path.replace(`{${input}}`, String(text))
    } else if (kind.place === "form") {
      body ??= new URLSearchParams()
      if (text !== undefined) {
        body.append(wire ?? nameOf(config, input, kind), text)
      }
    } else if (text !== undefined) {
      search += `${search && "&"}${encode(wire ?? nameOf(config, input, kind))}=${encode(text)}`
    }
  }
  const appendAll = (kinds: Kinds, values: Params, defaults: Params = {}): void => {
    // Faster than `Object.entries`: every call runs this.
    for (const input in kinds) {
      const kind = kinds[input] as Input
      const value = values[input]
      append(input, kind, value ?? kind.usual ?? defaults[input] ?? value)
    }
  }
  appendAll(declared.params, params)
  appendAll(declared.options, options, { nsfw: config.nsfw })
  if (isPresent(options["extra"])) {
    const known = Object.entries({ ...declared.params, ...declared.options }).map(([input, kind]) =>
      nameOf(config, input, kind)
    )
    for (const kind of [query, form]) {
      for (const [input, value] of extraIn(operation, options["extra"], kind.place, known)) {
        append(input, kind, value, input)
      }
    }
  }
  return { url: follow(origin + path + (search && `?${search}`)), form: body?.toString() }
}
