/**
 * Makes a face: all operations, in the form in which a client or a catalog has them.
 */
import type { FieldsByRecord, FieldsDefault } from "../../Face.js"
import { hasProperties, mistake } from "../common/mistakes.js"
import { checkNames, type NamesOf } from "../common/options.js"
import type { Declaration, Inputs } from "../declaration/declaration.js"
import { copyInputs, declarationOf, type UntypedArguments } from "./interpreter.js"

/** Makes an operation of a face. `inputsOf` turns the arguments of a call into inputs. */
type MakeOperation = (
  declaration: Declaration,
  inputsOf: (args: UntypedArguments) => Inputs,
  operation: object
) => object

const recordNames: NamesOf<FieldsByRecord> = {
  anime: 1,
  manga: 1,
  user: 1,
  listStatus: 1,
  animeListEntry: 1,
  mangaListEntry: 1
}

const mapMembers = (record: object, map: (value: object, name: string) => object): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]: [string, object]) => [name, map(value, name)]))

/**
 * The operations of all domains on a face, and `call` for custom operations. Calls without a selector get the default
 * `fields`.
 */
export const makeFace = <Operations>(
  domains: object,
  fields: FieldsDefault | undefined,
  makeOperation: MakeOperation
): Operations => {
  const isForAll = typeof fields === "string" || Array.isArray(fields)
  if (!isForAll) {
    checkNames("fields", fields ?? {}, recordNames)
  }
  const operationFor = (operation: object): object => {
    const declaration = declarationOf(operation)
    if (declaration === undefined) {
      throw mistake("call takes an operation that Operation.make or Operation.paged returned")
    }
    const defaultSelector: unknown =
      declaration.fields && (isForAll ? fields : (fields as FieldsByRecord | undefined)?.[declaration.fields])
    const inputsOf = (args: UntypedArguments): Inputs => {
      const inputs = copyInputs(declaration, args)
      const { options, params } = inputs
      return defaultSelector === undefined || !hasProperties(options)
        ? inputs
        : { params, options: { ...options, fields: options["fields"] ?? defaultSelector } }
    }
    return makeOperation(declaration, inputsOf, operation)
  }
  const callThrough =
    (method?: string) =>
    (operation: object, ...args: UntypedArguments): unknown => {
      const made = operationFor(operation) as { readonly [name: string]: unknown }
      const call = method === undefined ? made : made[method]
      if (typeof call !== "function") {
        throw mistake(`${declarationOf(operation)?.name} has no ${method}: declare it with Operation.paged`)
      }
      return call(...args) as unknown
    }
  return {
    ...mapMembers(domains, (operations) =>
      mapMembers(operations, (operation, name) =>
        // Named like the operation, for a readable printout of a catalog.
        Object.defineProperty(operationFor(operation), "name", { value: name })
      )
    ),
    call: Object.assign(callThrough(), {
      pages: callThrough("pages"),
      items: callThrough("items"),
      collect: callThrough("collect")
    })
  } as Operations
}
