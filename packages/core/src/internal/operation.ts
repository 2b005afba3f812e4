/**
 * Makes an operation from its declaration.
 */
import type { HttpClient } from "@effect/platform/HttpClient"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Credentials } from "../Credentials.js"
import type { Declaration, Errors, Inputs, Reply } from "./declaration.js"
import { interpret } from "./interpreter.js"
import { collect, items, pages } from "./pages.js"

type Answer<D> = Effect.Effect<Reply<D>, Errors<D>, HttpClient | Credentials>

/** An operation that has inputs takes params and options, one that has none takes options alone. */
type Arguments<D extends Declaration> = D extends
  | { readonly path: `${string}{${string}` }
  | { readonly query: ReadonlyArray<string> }
  ? [params: object | undefined, options?: object]
  : [options?: object]

/** An operation with pages can read the whole list; what an entry holds is the signature's to say. */
interface WholeList<D extends Declaration> {
  readonly pages: (...inputs: Arguments<D>) => Stream.Stream<Reply<D>, Errors<D>, HttpClient | Credentials>
  readonly items: (...inputs: Arguments<D>) => Stream.Stream<never, Errors<D>, HttpClient | Credentials>
  readonly collect: (...inputs: Arguments<D>) => Effect.Effect<never, Errors<D>, HttpClient | Credentials>
}

type Operation<D extends Declaration> = ((...inputs: Arguments<D>) => Answer<D>) &
  (D extends { readonly limit: object } ? WholeList<D> : unknown)

const declarations = new WeakMap<object, Declaration>()

/** The declaration that an operation was made from. */
export const declarationOf = (operation: object): Declaration => {
  const declaration = declarations.get(operation)
  if (declaration === undefined) {
    throw new Error("This is not an operation")
  }
  return declaration
}

/** What an operation was called with. */
export const inputsOf = ({ path, query }: Declaration, inputs: ReadonlyArray<object | undefined>): Inputs => {
  const [params, options] = path.includes("{") || query !== undefined ? inputs : [undefined, inputs[0]]
  // Copied: an operation is a value, whatever becomes of what it was made from.
  return { params: { ...params }, options: { ...options } }
}

/** An operation. What the declaration says decides its inputs, its reply and its errors. */
export const operation = <const D extends Declaration>(declaration: D): Operation<D> => {
  const call = (...inputs: ReadonlyArray<object | undefined>) => {
    const { params, options } = inputsOf(declaration, inputs)
    return interpret(declaration, params, options)
  }
  Object.defineProperty(call, "name", { value: declaration.name })
  declarations.set(call, declaration)
  const wholeList = declaration.limit && {
    pages: (...inputs: ReadonlyArray<object | undefined>) => pages(declaration, inputsOf(declaration, inputs)),
    items: (...inputs: ReadonlyArray<object | undefined>) => items(declaration, inputsOf(declaration, inputs)),
    collect: (...inputs: ReadonlyArray<object | undefined>) => collect(declaration, inputsOf(declaration, inputs))
  }
  // The interpreter answers with what the declaration says; this is where that becomes a type.
  return Object.assign(call, wholeList) as unknown as Operation<D>
}
