/**
 * Shows the program's lines in the stack of an error, instead of the library's.
 */
import { tryOr } from "#core/internal/common/values.js"
import { setOwn } from "#core/internal/errors/TaggedError.js"

/** Most engines have it, but it is not standardized. */
const engine = Error as { readonly captureStackTrace?: (holder: object, above: unknown) => void }

const shown = new WeakSet<Error>()

/**
 * Adds the lines of the program to the stack of an error, in V8 only: stacks of other engines do not show the awaiting
 * code. An error that several callers share gets no lines, nor where a program prepares stacks that are no strings.
 */
export const addLines = (error: Error, above: unknown): void => {
  const captured = tryOr(() => {
    // V8 prints the captured line for uncaught errors, so capture again.
    if (Object.isExtensible(error)) {
      engine.captureStackTrace?.(error, above)
    }
    const holder = { stack: "" }
    engine.captureStackTrace?.(holder, above)
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
