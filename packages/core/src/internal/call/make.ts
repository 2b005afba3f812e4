/**
 * Makes an operation from its declaration.
 */
import type { HttpClient } from "../../platform/httpClient.js"
import type * as Effect from "effect/Effect"
import { isNamed, mistake } from "../common/mistakes.js"
import type { Credentials } from "../../Credentials.js"
import type { FieldsByRecord, FieldsDefault } from "../../Face.js"
import type { Declaration, Errors, Inputs, Params, Reply } from "../declaration/declaration.js"
import { interpret } from "./interpreter.js"

/** An operation with params takes params and options, any other takes only options. */
export type Arguments<D extends Declaration> = D extends { readonly inputs: object }
  ? [params: object | undefined, options?: object]
  : [options?: object]

/** An operation; `paged` adds the methods that read whole lists. */
export type Operation<D extends Declaration> = (
  ...inputs: Arguments<D>
) => Effect.Effect<Reply<D>, Errors<D>, HttpClient | Credentials>

const declarations = new WeakMap<object, Declaration>()

/** The declaration that an operation was made from. */
const declarationOf = (operation: unknown): Declaration => {
  const declaration = declarations.get(operation as object)
  if (declaration === undefined) {
    throw mistake("call takes an operation that Operation.make or Operation.paged returned")
  }
  return declaration
}

const prototypeOf: (value: object) => object | null = Object.getPrototypeOf

/**
 * Copies the inputs, so that later changes to the object or its arrays have no effect. Accessors of a class are read like
 * members. A value that is not an object is rejected later.
 */
const copied = (values: object = {}): Params => {
  if (!isNamed(values)) {
    return values as Params
  }
  const copy: Record<string, unknown> = { ...values }
  let type = prototypeOf(values ?? copy)
  for (; type !== null && type !== Object.prototype; type = prototypeOf(type)) {
    // The copy inherits from `Object.prototype`, too.
    for (const name of Object.getOwnPropertyNames(type)) {
      if (!(name in copy)) {
        copy[name] = values[name]
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
  const [params, options] = declaration.inputs ? inputs : [undefined, inputs[0]]
  return { params: copied(params), options: copied(options) }
}

/** The default selector for a record. */
const defaultFields = (fields: FieldsDefault | undefined, record: Declaration["fields"]): unknown =>
  record &&
  (typeof fields === "string" || Array.isArray(fields) ? fields : (fields as FieldsByRecord | undefined)?.[record])

/** The arguments of a call. */
type Args = ReadonlyArray<object | undefined>

/** Makes an operation as promises or client methods, from its declaration and a function that turns arguments into inputs. */
export type Make = (declaration: Declaration, read: (args: Args) => Inputs, operation: object) => object

const mapped = (record: object, map: (value: object, name: string) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, object]) => [name, map(value, name)]))

/**
 * The operations of all domains as promises or client methods, and `call` for custom operations. `make` gets each declaration,
 * and a function that turns the caller's arguments into inputs, with the default selector if the call has none.
 */
export const onFace = <Operations>(domains: object, fields: FieldsDefault | undefined, make: Make): Operations => {
  const faced = (operation: object): object => {
    const declaration = declarationOf(operation)
    const inherited = defaultFields(fields, declaration.fields)
    const read = (args: Args): Inputs => {
      const { params, options } = inputsOf(declaration, args)
      return {
        params,
        options:
          inherited === undefined || !isNamed(options)
            ? options
            : { ...options, fields: options["fields"] ?? inherited }
      }
    }
    return make(declaration, read, operation)
  }
  const through =
    (method?: string) =>
    (operation: object, ...args: Args): unknown => {
      const made = faced(operation) as { readonly [name: string]: unknown }
      const call = method === undefined ? made : made[method]
      if (typeof call !== "function") {
        throw mistake(`${declarationOf(operation).name} has no ${method}: declare it with Operation.paged`)
      }
      return call(...args) as unknown
    }
  return {
    ...mapped(domains, (operations) =>
      mapped(operations, (operation, name) =>
        // Named like the operation, for a readable printout of a catalog.
        Object.defineProperty(faced(operation), "name", { value: name })
      )
    ),
    call: Object.assign(through(), {
      pages: through("pages"),
      items: through("items"),
      collect: through("collect")
    })
  } as Operations
}

/** Makes an operation from any declaration; the interpreter is untyped. */
export const made = (declaration: Declaration) => {
  const call = (...inputs: Args) => {
    return interpret(declaration, inputsOf(declaration, inputs))
  }
  Object.defineProperty(call, "name", { value: declaration.name })
  declarations.set(call, declaration)
  return call
}

/** Makes an operation. The declaration decides its inputs, its reply and its errors. */
export const operation = <const D extends Declaration>(declaration: D): Operation<D> =>
  // The declaration's reply type is asserted here.
  made(declaration) as Operation<D>
