/**
 * Makes an operation from its declaration.
 */
import type { HttpClient } from "../../platform/httpClient.js"
import type * as Effect from "effect/Effect"
import { isNamed } from "../common/validate.js"
import type { Credentials } from "../../Credentials.js"
import type { FieldsByRecord, FieldsDefault } from "../../Face.js"
import {
  type Declaration,
  type Errors,
  hasParams,
  type Inputs,
  type Params,
  type Reply
} from "../operation/declaration.js"
import { interpret } from "./interpreter.js"

/** An operation with params takes params and options, any other takes only options. */
export type Arguments<D extends Declaration> = D extends
  | { readonly path: `${string}{${string}` }
  | { readonly query: ReadonlyArray<string> }
  ? [params: object | undefined, options?: object]
  : [options?: object]

/** An operation; `paged` adds the methods that read whole lists. */
export type Operation<D extends Declaration> = (
  ...inputs: Arguments<D>
) => Effect.Effect<Reply<D>, Errors<D>, HttpClient | Credentials>

const declarations = new WeakMap<object, Declaration>()

/** The declaration that an operation was made from. */
const declarationOf = (operation: object): Declaration => {
  const declaration = declarations.get(operation)
  if (declaration === undefined) {
    throw new Error("This is not an operation")
  }
  return declaration
}

const prototypeOf: (value: object) => object | null = Object.getPrototypeOf

/**
 * Copies the inputs, so that later changes to the object or its arrays have no effect. Accessors of a class are read like
 * members. A value that is not an object is rejected later.
 */
const copied = (given: object = {}): Params => {
  if (!isNamed(given)) {
    return given as Params
  }
  const copy: Record<string, unknown> = { ...given }
  let type = prototypeOf(given ?? copy)
  for (; type !== null && type !== Object.prototype; type = prototypeOf(type)) {
    // The copy inherits from `Object.prototype`, too.
    for (const name of Object.getOwnPropertyNames(type)) {
      if (!(name in copy)) {
        copy[name] = given[name]
      }
    }
  }
  for (const name in copy) {
    const value = copy[name]
    if (Array.isArray(value)) {
      copy[name] = [...(value as ReadonlyArray<unknown>)]
    }
  }
  return copy
}

/** The inputs of an operation's call. */
export const inputsOf = (declaration: Declaration, inputs: ReadonlyArray<object | undefined>): Inputs => {
  const [params, options] = hasParams(declaration) ? inputs : [undefined, inputs[0]]
  return { params: copied(params), options: copied(options) }
}

/** The default selector for a record. */
const defaultFields = (fields: FieldsDefault | undefined, record: Declaration["fields"]): unknown =>
  record &&
  (typeof fields === "string" || Array.isArray(fields) ? fields : (fields as FieldsByRecord | undefined)?.[record])

const mapped = (record: object, map: (value: object, name: string) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, object]) => [name, map(value, name)]))

/**
 * The operations of all domains on another face: `make` gets each declaration, and a function that turns the caller's
 * arguments into inputs, with the default selector if the call gives none.
 */
export const onFace = <Operations>(
  domains: object,
  fields: FieldsDefault | undefined,
  make: (declaration: Declaration, read: (given: ReadonlyArray<object | undefined>) => Inputs) => object
): Operations =>
  mapped(domains, (operations) =>
    mapped(operations, (operation, name) => {
      const declaration = declarationOf(operation)
      const inherited = defaultFields(fields, declaration.fields)
      const made = make(declaration, (given) => {
        const { params, options } = inputsOf(declaration, given)
        return {
          params,
          options:
            inherited === undefined || !isNamed(options)
              ? options
              : { ...options, fields: options["fields"] ?? inherited }
        }
      })
      // Named like the operation, for a readable printout of a catalog.
      return Object.defineProperty(made, "name", { value: name })
    })
  ) as Operations

/** Makes an operation. The declaration decides its inputs, its reply and its errors. */
export const operation = <const D extends Declaration>(declaration: D): Operation<D> => {
  const call = (...inputs: ReadonlyArray<object | undefined>) => {
    return interpret(declaration, inputsOf(declaration, inputs))
  }
  Object.defineProperty(call, "name", { value: declaration.name })
  declarations.set(call, declaration)
  // The interpreter is untyped; the declaration's reply type is asserted here.
  return call as Operation<D>
}
