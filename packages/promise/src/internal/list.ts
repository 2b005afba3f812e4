/**
 * A whole list as an async iterable, on the promise face: each of its pulls runs like a call.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { ClientError } from "#core/CatalogError.js"
import type { AsyncList } from "../Face.js"
import type { CallServices } from "#core/internal/call/interpreter.js"
import type { AnyFiber } from "#core/internal/common/fiber.js"
import { interrupt } from "#core/internal/common/run.js"
import type { MakePull } from "#core/internal/lists/wholeLists.js"
import { type CallTracker, CallTrackerTag } from "#core/internal/declaration/call.js"
import type { Declaration, Inputs } from "#core/internal/declaration/declaration.js"
import type { Runner } from "./runner.js"
import { rejectWithStack } from "./stack.js"

/** The pull of a list, with what it needs to run. */
interface List {
  readonly declaration: Declaration
  readonly inputs: Inputs
  readonly makePull: MakePull<unknown>
  /** Also ends the requests of entries that were read ahead. */
  readonly signal: AbortSignal | undefined
  readonly runner: Runner
}

/** A whole list as an async iterable; each loop reads it from the beginning. */
export const iterable = (begin: () => List): AsyncList<unknown> => ({ [Symbol.asyncIterator]: () => loopOver(begin()) })

/** What a loop shares with what reads its entries. */
interface Progress {
  isLeft: boolean
  reading: AnyFiber | undefined
}

/**
 * The entries of a list. Outside of `loopOver`, because V8 keeps a generator function that is made for each loop, and its last page
 * with it, until the next full garbage collection.
 */
async function* read(list: List, progress: Progress): AsyncGenerator<unknown, void, undefined> {
  const { declaration, inputs, runner, signal, makePull } = list
  const tracker: CallTracker = { last: undefined }

  const run = <A>(effect: Effect.Effect<A, ClientError, CallServices>): Promise<A> =>
    runner.start(declaration, inputs, effect, tracker, (fiber) => {
      progress.reading = fiber
      if (progress.isLeft) {
        interrupt(fiber)
      }
    })

  const scope = Effect.runSync(Scope.make())
  try {
    const pull = await run(Effect.provideService(Scope.extend(makePull, scope), CallTrackerTag, tracker))
    while (!progress.isLeft) {
      const entries = await run(pull)
      if (Option.isNone(entries)) {
        return
      }
      for (const entry of entries.value) {
        if (signal?.aborted || runner.isClosed) {
          await rejectWithStack(
            runner.cancelled(declaration, inputs, signal?.aborted ? signal.reason : undefined, tracker)
          )
        }
        yield entry
      }
    }
  } catch (error) {
    if (!progress.isLeft) {
      throw error
    }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** One loop over a list. It begins when the first element is requested, and ends the list when the loop is left. */
const loopOver = (list: List): AsyncIterableIterator<unknown> => {
  const progress: Progress = { isLeft: false, reading: undefined }
  const entries = read(list, progress)
  // May be called while `next()` is pending: cancels its request and ends the list.
  const leave = () => {
    progress.isLeft = true
    interrupt(progress.reading)
    return entries.return()
  }
  const loop: AsyncIterableIterator<unknown> = {
    next: () => entries.next(),
    return: leave,
    throw: (thrown) =>
      leave().then(() => {
        throw thrown
      }),
    [Symbol.asyncIterator]: () => loop
  }
  return loop
}
