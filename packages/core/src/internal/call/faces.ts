/**
 * Makes the operations of a catalog of promises and of a client, over the interpreter.
 */
import type { FieldsByRecord, FieldsDefault } from "../../Face.js"
import { isOptionsObject, mistake } from "../common/mistakes.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { declarationOf, copyInputs } from "./interpreter.js"

export type UntypedArguments = ReadonlyArray<object | undefined>

/** Makes an operation of a face. `read` turns the arguments of a call into inputs. */
type MakeOperation = (declaration: Declaration, read: (args: UntypedArguments) => Inputs, operation: object) => object

const defaultFields = (fields: FieldsDefault | undefined, record: Declaration["fields"]): unknown =>
  record &&
  (typeof fields === "string" || Array.isArray(fields) ? fields : (fields as FieldsByRecord | undefined)?.[record])

const mapped = (record: object, map: (value: object, name: string) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, object]) => [name, map(value, name)]))

/**
 * The operations of all domains on a face, and `call` for custom operations. Calls without a selector get the default
 * `fields`.
 */
export const onFace = <Operations>(
  domains: object,
  fields: FieldsDefault | undefined,
  makeOperation: MakeOperation
): Operations => {
  const faced = (operation: object): object => {
    const declaration = declarationOf(operation)
    if (declaration === undefined) {
      throw mistake("call takes an operation that Operation.make or Operation.paged returned")
    }
    const defaultSelector = defaultFields(fields, declaration.fields)
    const read = (args: UntypedArguments): Inputs => {
      const inputs = copyInputs(declaration, args)
      const { options, params } = inputs
      return defaultSelector === undefined || !isOptionsObject(options)
        ? inputs
        : { params, options: { ...options, fields: options["fields"] ?? defaultSelector } }
    }
    return makeOperation(declaration, read, operation)
  }
  const callThrough =
    (method?: string) =>
    (operation: object, ...args: UntypedArguments): unknown => {
      const made = faced(operation) as { readonly [name: string]: unknown }
      const call = method === undefined ? made : made[method]
      if (typeof call !== "function") {
        throw mistake(`${declarationOf(operation)?.name} has no ${method}: declare it with Operation.paged`)
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
    call: Object.assign(callThrough(), {
      pages: callThrough("pages"),
      items: callThrough("items"),
      collect: callThrough("collect")
    })
  } as Operations
}
