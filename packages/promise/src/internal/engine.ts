/**
 * Code for one JavaScript engine, V8 (Node, Deno, Chrome): stacks and memory. All of it runs in the others too, JavaScriptCore
 * (Bun, Safari) and SpiderMonkey (Firefox); where it does less there, its comment says so.
 */
import { tryOr } from "#core/internal/common/values.js"
import { setOwn } from "#core/internal/errors/TaggedError.js"

/** V8 and the newest of the other engines have it, but it is not standardized. */
const engine = Error as { readonly captureStackTrace?: (holder: object, callee: unknown) => void }

const shown = new WeakSet<Error>()

/**
 * Adds the lines of the program to the stack of an error. An error that several callers share gets none, and neither does one
 * where the program prepares stacks that are no strings.
 *
 * `callee` is a function that is running. V8 leaves out its line and the lines of what it has called, so that the lines begin
 * with its caller. In other engines the stack is the message: they do not show the awaiting code.
 */
export const addLines = (error: Error, callee: unknown): void => {
  const captured = tryOr(() => {
    // V8 prints the captured line for uncaught errors, so capture again.
    if (Object.isExtensible(error)) {
      engine.captureStackTrace?.(error, callee)
    }
    const holder = { stack: "" }
    engine.captureStackTrace?.(holder, callee)
    return holder.stack.slice(holder.stack.search(/\n {4}at |$/))
  }, "")
  const lines = shown.has(error) ? "" : captured
  shown.add(error)
  setOwn(error, "stack", `${error.name}: ${error.message}${lines}`)
}

/**
 * Rejects with an error whose stack shows where it is awaited. V8 finds the awaiting code two microtasks later: the caller
 * first resolves its promise with this one, and then the program awaits that. Elsewhere, the wait has no effect.
 */
export const rejectWithStack = async (failure: Error): Promise<never> => {
  const turn = Promise.resolve()
  await turn
  await turn
  addLines(failure, rejectWithStack)
  throw failure
}

/** The constructor of a class that extends it works on `value`, so that its private members are those of `value`. */
class ReturnOverride {
  constructor(value: object) {
    return value
  }
}

/**
 * Attaches a value to an object that the program gets, for example to a promise: in a private member, which is never printed.
 *
 * A `WeakMap` would add 56 to 78 % to the CPU of a call, in V8's garbage collector: see docs/decisions/performance.md.
 */
export class Attached extends ReturnOverride {
  readonly #value: unknown

  constructor(object: object, value: unknown) {
    super(object)
    this.#value = value
  }

  /** The value that is attached; `undefined` if there is none. */
  static to(object: unknown): unknown {
    const holder = Object(object) as object
    return #value in holder ? holder.#value : undefined
  }
}

/**
 * An element of a Set, whose value is cleared when it is removed. V8 keeps the tables that a Set has outgrown until the next full
 * garbage collection, with the elements that they had then.
 */
export interface Clearable<A> {
  value: A | undefined
}
