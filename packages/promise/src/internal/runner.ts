/**
 * Runs the calls of a catalog of promises, and the steps of its lists: each is a fiber of one runtime.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { ManagedRuntime } from "effect/ManagedRuntime"
import type { ClientError, ClientNetworkError } from "#core/CatalogError.js"
import type { Credentials } from "#core/Credentials.js"
import { isClientError } from "#core/guards.js"
import type { HttpClient } from "#core/platform/httpClient.js"
import type { CallServices } from "#core/internal/call/interpreter.js"
import { withFiber } from "#core/internal/common/fiber.js"
import { withTimeLimits } from "#core/internal/call/timeout.js"
import { afterBuild, forkIn, hasEnded, type Runtime, runtime, withServices } from "#core/internal/common/run.js"
import { tryOr } from "#core/internal/common/values.js"
import { isMistake } from "#core/internal/common/mistakes.js"
import { CallState, type CallTracker } from "#core/internal/declaration/call.js"
import type { Declaration, Inputs } from "#core/internal/declaration/declaration.js"
import { plainUrlOf } from "#core/internal/declaration/request.js"
import { networkError } from "#core/internal/reply/errors.js"
import { noSlots, withCredentials } from "#core/internal/settings/slots.js"
import { settingsIn } from "#core/internal/settings/settings.js"
import { addLines, type Clearable, rejectWithStack } from "./engine.js"

const closed = { name: "AbortError", message: "the catalog was closed" }
const interrupted = { name: "AbortError", message: "the transport interrupted itself" }

type Running<A, R = CallServices> = Effect.Effect<A, ClientError, R>

type CallFiber<A> = Fiber.RuntimeFiber<A, ClientError>

/** A call of an operation, or the calls of a list. `last` is the call that was made last. */
export interface TrackedCall extends CallTracker {
  readonly declaration: Declaration
  readonly inputs: Inputs
}

/**
 * Runs an effect in a fiber of its own, whose context contains the services that it needs: `interpret` observes the end of that
 * fiber, and reads them then. Services that are only provided around the effect would be gone by that time.
 */
const inOwnFiber = <A, R>(effect: Running<A, R>): Running<A, R> =>
  Effect.flatMap(runtime<R>(), (services) =>
    Effect.async((resume) => {
      const fiber = forkIn(services, effect)
      fiber.addObserver(resume)
      return Effect.asVoid(Fiber.interrupt(fiber))
    })
  )

/** A fiber in flight. Cleared when it ends: a fiber has the reply, which the Set would keep in memory. */
type InFlight = Clearable<CallFiber<unknown>>

export class Runner {
  /** The transport with its connections, loggers and tracers. The first call builds its Layer. */
  readonly #transport: ManagedRuntime<HttpClient, never>
  /** The services of a call, besides the transport. */
  readonly #services: Context.Context<Credentials>
  /** This runner and its ancestors. */
  readonly #selfAndParents: ReadonlyArray<Runner>
  readonly #inFlight = new Set<InFlight>()
  #runtime: Runtime<CallServices> | undefined
  #closing: Promise<void> | undefined

  constructor(transport: ManagedRuntime<HttpClient, never>, services: Context.Context<Credentials>, parent?: Runner) {
    this.#transport = transport
    this.#services = services
    this.#selfAndParents = parent === undefined ? [this] : [this, ...parent.#selfAndParents]
  }

  /** The runner of a view, over the same transport. */
  forView(services: Context.Context<Credentials>): Runner {
    return new Runner(this.#transport, services, this)
  }

  /** Runs the effect of a call. `callee` is the function that the program called, which is running. */
  run<A>(call: TrackedCall, effect: Running<A>, callee: unknown): Promise<A> {
    if (this.isClosed) {
      return rejectWithStack(this.cancelled(call))
    }
    const fiber = this.#fork(call, effect)
    // If the fiber has ended already, the program's lines are still on the stack.
    return this.#settle(call, fiber, hasEnded(fiber) ? callee : undefined)
  }

  /** Runs one step of a list. `onStart` receives its fiber. */
  runStep<A>(call: TrackedCall, effect: Running<A>, onStart: (fiber: CallFiber<A>) => void): Promise<A> {
    if (this.isClosed) {
      return rejectWithStack(this.cancelled(call))
    }
    const fiber = this.#fork(call, effect)
    onStart(fiber)
    return this.#settle(call, fiber)
  }

  /** Starts the fiber of a call: at once if the transport's Layer is built, or can be built synchronously. */
  #fork<A>(call: TrackedCall, effect: Running<A>): CallFiber<A> {
    this.#runtime ??= this.#build()
    return this.#runtime === undefined ? Effect.runFork(this.#afterBuild(call, effect)) : forkIn(this.#runtime, effect)
  }

  /**
   * Returns what a fiber returns, or rejects with an error that shows the lines of the program: the caller of `callee`, or
   * without it the code that awaits the promise.
   */
  #settle<A>(call: TrackedCall, fiber: CallFiber<A>, callee?: unknown): Promise<A> {
    const release = this.#keep(fiber)
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        release()
        if (Exit.isSuccess(exit)) {
          return resolve(exit.value)
        }
        const { isClosed } = this
        const error = Cause.isInterruptedOnly(exit.cause)
          ? this.cancelled(call, isClosed ? closed : interrupted)
          : Cause.originalError(Cause.squash(exit.cause))
        if (callee !== undefined && isMistake(error)) {
          addLines(error, callee)
        } else if ((isClientError(error) || isMistake(error)) && !isClosed) {
          return resolve(rejectWithStack(error))
        }
        // After `close`, too: then it is too late to capture the stack of the awaiting code.
        reject(error)
      })
    })
  }

  /** The runtime of calls; `undefined` while the transport's Layer is still being built. */
  #build(): Runtime<CallServices> | undefined {
    // Starts the build, even if it cannot end now.
    this.#transport.runFork(Effect.void)
    const built = this.#transport.runSyncExit(runtime<HttpClient>())
    return Exit.isSuccess(built) ? withServices(built.value, this.#services) : undefined
  }

  /** The limits of the call include the time that the build takes. */
  #afterBuild<A>(call: TrackedCall, effect: Running<A>): Running<A, never> {
    const built = afterBuild(this.#transport, this.#services, inOwnFiber(effect))
    return Effect.suspend(() => withTimeLimits(this.#unsent(call), call.inputs, built, call))
  }

  /** A call that has not begun, for its errors. */
  #unsent({ declaration, inputs }: TrackedCall): CallState {
    const settings = settingsIn(this.#services)
    const call = new CallState(declaration, settings, this.#services)
    call.slots = tryOr(() => withCredentials(noSlots, inputs.options, declaration.name), noSlots)
    call.request = { url: plainUrlOf(declaration, inputs, settings), form: undefined }
    return call
  }

  /** The error of a call that was cancelled, by default because the catalog was closed. */
  cancelled(call: TrackedCall, reason: unknown = closed): ClientNetworkError {
    return networkError(call.last ?? this.#unsent(call), "Cancelled", reason)
  }

  /**
   * Runs an effect that `close` ends too: one page, in the fiber that reads a list ahead. That fiber is in flight only while
   * the effect runs, so a loop that the program let go of is collected.
   */
  untilClosed<A, R>(effect: Running<A, R>): Running<A, R> {
    return withFiber((fiber) => {
      if (this.isClosed) {
        return Effect.interrupt
      }
      return Effect.ensuring(effect, Effect.sync(this.#keep(fiber as CallFiber<unknown>)))
    })
  }

  /** Keeps a fiber for `close`, until the function that this returns is called. */
  #keep(fiber: CallFiber<unknown>): () => void {
    const kept: InFlight = { value: fiber }
    for (const runner of this.#selfAndParents) {
      runner.#inFlight.add(kept)
    }
    return () => {
      kept.value = undefined
      for (const runner of this.#selfAndParents) {
        runner.#inFlight.delete(kept)
      }
    }
  }

  get isClosed(): boolean {
    return this.#selfAndParents.some((runner) => runner.#closing !== undefined)
  }

  /**
   * Ends the calls of this view and of the views made from it, and what their lists read ahead. The transport belongs to the
   * catalog itself.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    // Deferred: a transport can close the catalog while a call begins, before the call is in `#inFlight`.
    await Promise.resolve()
    await Effect.runPromise(Fiber.interruptAll([...this.#inFlight].flatMap(({ value }) => value ?? [])))
    if (this.#selfAndParents.length === 1) {
      await this.#transport.dispose()
    }
  }
}
