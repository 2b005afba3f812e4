/**
 * Shows the program's lines in the stack of an error, instead of the library's.
 */
import { tryOr } from "#core/internal/common/values.js"
import { setOwn } from "#core/internal/errors/TaggedError.js"

/** Most engines have it, but it is not standardized. */
const engine = Error as { readonly captureStackTrace?: (holder: object, callee: unknown) => void }

const shown = new WeakSet<Error>()

/**
 * Adds the lines of the program to the stack of an error, in V8 only: stacks of other engines do not show the awaiting
 * code. An error that several callers share gets no lines, nor where a program prepares stacks that are no strings.
 *
 * `callee` is a function that is running: V8 leaves out its line and those of what it has called, so that the lines begin with
 * its caller.
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
 * Rejects with an error whose stack shows where it is awaited. It waits for two microtasks, until the awaiting code is on
 * the stack.
 */
export const rejectWithStack = async (failure: Error): Promise<never> => {
  const turn = Promise.resolve()
  await turn
  await turn
  addLines(failure, rejectWithStack)
  throw failure
}
