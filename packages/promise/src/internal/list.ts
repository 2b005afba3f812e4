/**
 * A whole list as an async iterable, on the promise face: each of its pulls runs like a call.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { ClientError } from "#core/CatalogError.js"
import type { AsyncList } from "../Face.js"
import type { CallServices } from "#core/internal/call/interpreter.js"
import type { AnyFiber } from "#core/internal/common/fiber.js"
import { interrupt } from "#core/internal/common/run.js"
import type { MakePull, Pull } from "#core/internal/lists/wholeLists.js"
import { CallTrackerTag } from "#core/internal/declaration/call.js"
import { rejectWithStack } from "./engine.js"
import type { Runner, TrackedCall } from "./runner.js"

/** The pull of a list, with what it needs to run. */
interface List {
  readonly call: TrackedCall
  readonly makePull: MakePull<unknown>
  /** Ends the list, and the requests that read ahead. */
  readonly signal: AbortSignal | undefined
  readonly runner: Runner
}

/** A whole list as an async iterable; each loop reads it from the beginning. */
export const iterable = (begin: () => List): AsyncList<unknown> => ({ [Symbol.asyncIterator]: () => loopOver(begin()) })

type Step = IteratorResult<unknown, undefined>

const done = { done: true, value: undefined } as const

/**
 * One loop over a list. It begins when the first element is requested, and ends the list when the loop is left. Not a
 * generator: each entry would take several times as long.
 */
const loopOver = ({ call, makePull, runner, signal }: List): AsyncIterableIterator<unknown> => {
  const scope = Effect.runSync(Scope.make())
  let pull: Pull<ReadonlyArray<unknown>> | undefined
  let reading: AnyFiber | undefined
  /** The entries of the current page that are left. */
  let entries: Iterator<unknown, undefined> = [].values()
  /** How many steps wait for a page. */
  let waiting = 0
  /** The last of them, which the next one waits for. */
  let lastStep: Promise<Step> | undefined
  let isOver = false

  const run = <A>(effect: Effect.Effect<A, ClientError, CallServices>): Promise<A> =>
    runner.runStep(call, effect, (fiber) => {
      reading = fiber
      if (isOver) {
        interrupt(fiber)
      }
    })

  // May be called while `next()` is pending: cancels its request and ends the list.
  const end = async () => {
    isOver = true
    interrupt(reading)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }

  const isCancelled = () => isOver || signal?.aborted || runner.isClosed

  /** One step. Steps that are requested at the same time return in their order. */
  const read = async (before: Promise<Step> | undefined): Promise<Step> => {
    await before?.catch(constVoid)
    try {
      while (!isOver) {
        const step = entries.next()
        if (!step.done) {
          return isCancelled() ? await rejectWithStack(runner.cancelled(call, signal?.reason)) : step
        }
        pull ??= await run(Effect.provideService(Scope.extend(makePull, scope), CallTrackerTag, call))
        const found = await run(pull)
        if (Option.isNone(found)) {
          await end()
        } else {
          entries = found.value.values()
        }
      }
    } catch (error) {
      if (!isOver) {
        await end()
        throw error
      }
    } finally {
      waiting--
    }
    return done
  }

  const leave = async () => {
    await end()
    await lastStep?.catch(constVoid)
    return done
  }

  const loop: AsyncIterableIterator<unknown> = {
    next: () => {
      const step = waiting === 0 && !isCancelled() ? entries.next() : done
      if (!step.done) {
        return Promise.resolve(step)
      }
      waiting++
      return (lastStep = read(lastStep))
    },
    return: leave,
    throw: async (thrown) => {
      await leave()
      throw thrown
    },
    [Symbol.asyncIterator]: () => loop
  }
  return loop
}
