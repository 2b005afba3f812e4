/**
 * Runs the calls of a catalog of promises: each is a fiber of one runtime.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { ManagedRuntime } from "effect/ManagedRuntime"
import type { ClientError, ClientNetworkError } from "#core/CatalogError.js"
import type { Credentials } from "#core/Credentials.js"
import { isClientError } from "#core/guards.js"
import type { HttpClient } from "#core/platform/httpClient.js"
import { withFiber } from "#core/internal/common/fiber.js"
import { withTimeLimits } from "#core/internal/call/timeout.js"
import { afterBuild, forkIn, hasEnded, type Runtime, runtime, withServices } from "#core/internal/common/run.js"
import { tryOr } from "#core/internal/common/values.js"
import { isMistake } from "#core/internal/common/mistakes.js"
import { CallState, type CallTracker } from "#core/internal/declaration/call.js"
import type { Declaration, Inputs } from "#core/internal/declaration/declaration.js"
import * as Request from "#core/internal/declaration/request.js"
import { networkError } from "#core/internal/reply/errors.js"
import { noSlots, withCredentials } from "#core/internal/settings/slots.js"
import { CatalogConfigTag } from "#core/internal/settings/settings.js"
import { rejectWithStack, addLines } from "./stack.js"

const closed = { name: "AbortError", message: "the catalog was closed" }
const interrupted = { name: "AbortError", message: "the transport interrupted itself" }

type Running<A, R> = Effect.Effect<A, ClientError, R>

/** In its own fiber: metrics read its services after the call has ended. */
const inOwnFiber = <A, R>(effect: Running<A, R>): Running<A, R> =>
  Effect.flatMap(runtime<R>(), (services) =>
    Effect.async((resume) => {
      const fiber = forkIn(services, effect)
      fiber.addObserver(resume)
      return Effect.asVoid(Fiber.interrupt(fiber))
    })
  )

/**
 * A fiber in flight, and nothing at its end: V8 keeps the tables that a Set has outgrown until the next full garbage collection, with what
 * they held then. A fiber has the reply.
 */
interface Kept {
  fiber: Fiber.RuntimeFiber<unknown, ClientError> | undefined
}

export class Runner {
  /** This runner and its ancestors. */
  readonly #selfAndParents: ReadonlyArray<Runner>
  readonly #inFlight = new Set<Kept>()
  #runtime: Runtime<HttpClient | Credentials> | undefined
  #closing: Promise<void> | undefined

  constructor(
    /** The transport with its connections, loggers and tracers. The first call builds its Layer. */
    readonly transport: ManagedRuntime<HttpClient, never>,
    /** The services of a call, besides the transport. */
    private readonly services: Context.Context<Credentials>,
    parent: Runner | undefined
  ) {
    this.#selfAndParents = parent === undefined ? [this] : [this, ...parent.#selfAndParents]
  }

  /** Runs an effect of a call, which `tracker` gets, at once if the Layer is built or can be built synchronously. */
  start<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Running<A, HttpClient | Credentials>,
    tracker: CallTracker,
    onStart?: (fiber: Fiber.RuntimeFiber<A, ClientError>) => void
  ): Promise<A> {
    if (this.isClosed) {
      return rejectWithStack(this.cancelled(declaration, inputs))
    }
    this.#runtime ??= this.#build()
    const fiber =
      this.#runtime === undefined
        ? Effect.runFork(this.#afterBuild(declaration, inputs, effect, tracker))
        : forkIn(this.#runtime, effect)
    const release = this.#keep(fiber)
    onStart?.(fiber)
    const atOnce = hasEnded(fiber)
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        release()
        if (Exit.isSuccess(exit)) {
          return resolve(exit.value)
        }
        const error = Cause.isInterruptedOnly(exit.cause)
          ? this.cancelled(declaration, inputs, this.isClosed ? closed : interrupted, tracker)
          : Cause.originalError(Cause.squash(exit.cause))
        if (atOnce && isMistake(error) && onStart === undefined) {
          // The caller's lines are still on the stack. For a list, those of its loop are.
          // oxlint-disable-next-line typescript/unbound-method -- not called: it marks the line from which the stack is shown
          addLines(error, this.start)
          return reject(error)
        }
        // After close() it is too late to capture the stack of a call.
        if ((isClientError(error) || isMistake(error)) && !this.isClosed) {
          return resolve(rejectWithStack(error))
        }
        reject(error)
      })
    })
  }

  /** The runtime of calls; `undefined` while the transport's Layer is still being built. */
  #build(): Runtime<HttpClient | Credentials> | undefined {
    // Begins the build, also if it cannot end now.
    this.transport.runFork(Effect.void)
    const built = this.transport.runSyncExit(runtime<HttpClient>())
    return Exit.isSuccess(built) ? withServices(built.value, this.services) : undefined
  }

  #afterBuild<A>(
    declaration: Declaration,
    inputs: Inputs,
    effect: Running<A, HttpClient | Credentials>,
    tracker: CallTracker
  ) {
    const built = afterBuild(this.transport, this.services, inOwnFiber(effect))
    return Effect.suspend(() => withTimeLimits(this.#callOf(declaration, inputs), inputs, built, tracker))
  }

  #callOf(declaration: Declaration, inputs: Inputs): CallState {
    const settings = Context.get(this.services, CatalogConfigTag)
    const call = new CallState(declaration, settings, this.services)
    call.slots = tryOr(() => withCredentials(noSlots, inputs.options, declaration.name), noSlots)
    call.request = { url: Request.plainUrlOf(declaration, inputs, settings), form: undefined }
    return call
  }

  /** The error of a call that was cancelled, by default because the catalog was closed. */
  cancelled(
    declaration: Declaration,
    inputs: Inputs,
    reason: unknown = closed,
    tracker?: CallTracker
  ): ClientNetworkError {
    return networkError(tracker?.last ?? this.#callOf(declaration, inputs), "Cancelled", reason)
  }

  /** Runs an effect that `close` ends too, in the fiber that reads a list ahead. Only while it runs is the fiber kept. */
  untilClosed<A, R>(effect: Running<A, R>): Running<A, R> {
    return withFiber((fiber) => {
      if (this.isClosed) {
        return Effect.interrupt
      }
      return Effect.ensuring(effect, Effect.sync(this.#keep(fiber as Fiber.RuntimeFiber<unknown, ClientError>)))
    })
  }

  /** Keeps a fiber for `close`, until the function that this returns is called. */
  #keep(fiber: Fiber.RuntimeFiber<unknown, ClientError>): () => void {
    const kept: Kept = { fiber }
    for (const runner of this.#selfAndParents) {
      runner.#inFlight.add(kept)
    }
    return () => {
      kept.fiber = undefined
      for (const runner of this.#selfAndParents) {
        runner.#inFlight.delete(kept)
      }
    }
  }

  get isClosed(): boolean {
    return this.#selfAndParents.some((runner) => runner.#closing !== undefined)
  }

  /** Ends the calls of this view and of the views made from it, and what their lists read ahead. The transport belongs to the catalog itself. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  async #end(): Promise<void> {
    // Deferred: a transport can close the catalog while a call begins, before the call is in `#inFlight`.
    await Promise.resolve()
    await Effect.runPromise(Fiber.interruptAll([...this.#inFlight].flatMap(({ fiber }) => fiber ?? [])))
    if (this.#selfAndParents.length === 1) {
      await this.transport.dispose()
    }
  }
}
