/**
 * The work in flight of a session. Callers that need the same work at the same time share it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { ParentSpan } from "effect/Tracer"
import { ClientNetworkError } from "@catalog-client/core"
import { type AttemptError, inSpanOf } from "@catalog-client/core/internal"
import type { HttpClient } from "@effect/platform/HttpClient"
import type { SessionEnvironment } from "./environment.js"
import { exitWithin } from "./exitWithin.js"

type Work<A> = Fiber.RuntimeFiber<Exit.Exit<A, AttemptError>>

/** The error of a session that could not send. */
export const sessionNetworkError = (
  operation: string,
  rest: Pick<ClientNetworkError, "reason" | "cause"> & { readonly timeoutMs?: number }
) =>
  new ClientNetworkError({
    operation,
    method: "POST",
    url: "the token endpoint",
    attempts: 0,
    about: "session",
    ...rest
  })

/** The error of a closed session. */
export const closedError = (calledAs: string): ClientNetworkError =>
  sessionNetworkError(calledAs, {
    reason: "Cancelled",
    cause: { name: "AbortError", message: "the session was closed" }
  })

export class SharedWork {
  readonly #byName = new Map<string, Work<unknown>>()
  isClosed = false

  constructor(private readonly environment: Pick<SessionEnvironment, "calledAs" | "fork">) {}

  get isEmpty(): boolean {
    return this.#byName.size === 0
  }

  /**
   * Shares one run of an effect between all concurrent callers, in a fiber that belongs to none of them. Its spans are
   * children of the first caller's.
   */
  share<A>(name: string, effect: Effect.Effect<A, AttemptError, HttpClient>): Effect.Effect<A, AttemptError> {
    return Effect.contextWithEffect((context: Context.Context<never>) => {
      // Safe cast: one effect type per name.
      let work = this.#byName.get(name) as Work<A> | undefined
      if (work === undefined) {
        if (this.isClosed) {
          return Effect.fail(closedError(this.environment.calledAs))
        }
        const span = Context.getOption(context, ParentSpan)
        const traced = Option.isSome(span) ? inSpanOf(span.value, effect) : effect
        // `Effect.exit`, because Effect logs a fiber that fails.
        work = this.environment.fork(Effect.exit(traced))
        this.#byName.set(name, work)
        work.addObserver(() => this.#byName.delete(name))
      }
      return Effect.flatMap(Fiber.await(work), (ended) => {
        const exit = Exit.flatten(ended)
        return Exit.isInterrupted(exit) ? Effect.fail(closedError(this.environment.calledAs)) : exit
      })
    })
  }

  /** Waits for work in flight, for at most some milliseconds. */
  close(millis: number): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      this.isClosed = true
      const running = [...this.#byName.values()]
      yield* exitWithin(Effect.forEach(running, Fiber.await, { discard: true }), millis)
      yield* Effect.forEach(running, Fiber.interruptFork, { discard: true })
    })
  }
}
