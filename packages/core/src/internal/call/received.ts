/**
 * Turns a request that a proxy received into a call of an operation: the reverse of `declaration/request.ts`. A proxy forwards
 * nothing else: a request for no operation, or with an input that the operation does not declare, is refused.
 */
import { mistake, show } from "../common/mistakes.js"
import { suggestion } from "../common/options.js"
import { tryOr } from "../common/values.js"
import { argumentsOf, type Declaration, type Method, type Params } from "../declaration/declaration.js"
import { type Input, inputMistake, invalidInput } from "../declaration/inputs.js"
import { declaredIn, nameOf } from "../declaration/request.js"
import { initialSettings } from "../settings/settings.js"
import { declarationOf } from "./interpreter.js"

/** An operation as a server receives its calls. */
export interface ReceivedOperation {
  /** For example `anime.get`. */
  readonly name: string
  readonly method: Method
  /** The inputs in a path without its first slash; `undefined` if it is not the operation's path. */
  readonly paramsIn: (path: string) => Params | undefined
  /** The arguments of a call. Throws a `TypeError` with a code for an input that the operation does not have. */
  readonly argsOf: (inPath: Params, query: URLSearchParams, form: URLSearchParams) => ReadonlyArray<Params>
}

/** A part of a path, decoded once; `undefined` if another program could take it for more than one part. */
const partIn = (encoded: string): string | undefined => {
  const part = tryOr(() => decodeURIComponent(encoded), "")
  return /^\.{0,2}$|[/\\%\p{Cc}]/u.test(part) ? undefined : part
}

/** The types of inputs: how a value is sent, how it is read, and what messages call it. */
const types = {
  string: { sent: /^/, read: String, must: "a string" },
  number: { sent: /^\d{1,15}$/, read: Number, must: "a whole number" },
  boolean: { sent: /^(true|false)$/, read: (sent: string) => sent === "true", must: "true or false" }
}

const typeOf = (input: Input | undefined) => types[input?.type ?? "string"]

/** The value of an input that was received; `undefined` if it is not valid. */
const valueIn = (received: string, input: Input | undefined): unknown => {
  const { read, sent } = typeOf(input)
  return sent.test(received) ? read(received) : undefined
}

/** The inputs in the parts of a path; `undefined` if it is not the operation's path. */
const paramsIn = ({ inputs, path }: Declaration, parts: ReadonlyArray<string | undefined>): Params | undefined => {
  const params: Record<string, unknown> = {}
  const declared = path.slice(1).split("/")
  const isIts = declared.every((template, index) => {
    const part = parts[index]
    const [, name] = /^\{(\w+)\}$/.exec(template) ?? []
    if (name === undefined || part === undefined) {
      return template === part
    }
    const value = valueIn(part, inputs?.[name])
    params[name] = value
    return value !== undefined
  })
  return isIts && parts.length === declared.length ? params : undefined
}

const receivedOperation = (name: string, declaration: Declaration): ReceivedOperation => {
  const declared = declaredIn(declaration)
  const inputs = (["params", "options"] as const).flatMap((argument) =>
    Object.entries(declared[argument]).map(([input, how]) => ({
      argument,
      input,
      how,
      wire: nameOf(initialSettings, input, how)
    }))
  )
  return {
    name,
    method: declaration.method,
    paramsIn: (path) => paramsIn(declaration, path.split("/").map(partIn)),
    argsOf: (inPath, query, form) => {
      const args: Record<"params" | "options", Record<string, unknown>> = { params: { ...inPath }, options: {} }
      for (const [place, values] of Object.entries({ query, form })) {
        values.forEach((value, wire) => {
          const found = inputs.find((input) => input.wire === wire && input.how.place === place)
          if (found === undefined || values.getAll(wire).length > 1) {
            throw inputMistake(`${name}: ${show(wire)} is not an input of its ${place}, or is there twice`)
          }
          const given = valueIn(value, found.how)
          if (given === undefined) {
            throw invalidInput(name, found.input, typeOf(found.how).must, value)
          }
          args[found.argument][found.input] = given
        })
      }
      return argumentsOf(declaration, args)
    }
  }
}

/** The operations with these names, in the order in which paths are tried. Throws a `TypeError` for an unknown name. */
export const receivedOperations = (
  domains: object,
  names: ReadonlyArray<string>,
  calledAs: string
): ReadonlyArray<ReceivedOperation> => {
  const known = new Map(
    Object.entries(domains).flatMap(([domain, operations]: [string, object]) =>
      Object.entries(operations).map(([name, operation]: [string, object]): [string, object] => [
        `${domain}.${name}`,
        operation
      ])
    )
  )
  const declarations = names.map((name) => {
    const declaration = declarationOf(known.get(name) ?? {})
    if (declaration === undefined) {
      throw mistake(`${calledAs}: ${show(name)} is not an operation${suggestion(name, Object.fromEntries(known))}`)
    }
    return [name, declaration] as const
  })
  const inputsIn = ({ path }: Declaration) => path.split("{").length
  // `/users/@me` comes before `/users/{username}`.
  return declarations
    .sort(([, one], [, other]) => inputsIn(one) - inputsIn(other))
    .map(([name, declaration]) => receivedOperation(name, declaration))
}
