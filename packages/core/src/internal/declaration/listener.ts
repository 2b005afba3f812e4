/**
 * The listener of a call, which makes its spans, its metrics and its debug log.
 */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import type { ClientError } from "../../CatalogError.js"
import type { HookEvents } from "../policies/hookEvents.js"
import type { AnyFiber } from "../common/fiber.js"
import type { CallState } from "./call.js"

/** What an event says, besides the members that name its call. */
export type EventDetails<Name extends keyof HookEvents> = Omit<HookEvents[Name], "operation" | "method" | "url">

/** Handles an event of a call. `span` is that of the call, if it has one. */
type Handler<Event> = (event: Event, operation: string, fiber: AnyFiber, span?: SpanOfCall) => void

/** Handlers of the events for which hooks are called, too. */
export type HookHandlers = { readonly [Name in "onRetry" | "onWait" | "onMismatch"]: Handler<EventDetails<Name>> }

export type SpanKind = Extract<Tracer.SpanKind, "internal" | "client">

/** What a call needs of its span. */
export type SpanOfCall = Pick<Tracer.Span, "attribute" | "event" | "status">

export interface Listener {
  /** Runs a call, or one of its attempts. */
  readonly around: <A, E extends ClientError, R>(
    run: () => Effect.Effect<A, E, R>,
    part: "call" | "attempt",
    fiber: AnyFiber,
    call: CallState
  ) => Effect.Effect<A, E, R>
  /** The handlers of events. Nothing is timed for a listener without them. */
  readonly handlers?: HookHandlers & {
    /** A reply came from a cache. */
    readonly onCacheHit: Handler<object>
    /** The rate limit let an exchange begin, or the wait was interrupted. */
    readonly onWaitEnd: Handler<{ readonly seconds: number }>
    readonly onCallEnd: Handler<{
      readonly attempts: number
      readonly exit: Exit.Exit<unknown, ClientError>
      readonly seconds: number
    }>
  }
  /** Makes the function that sends a request run in the span of a fiber. */
  readonly bindToSpan?: <Send extends (...inputs: never) => unknown>(send: Send, fiber: AnyFiber) => Send
}

/** A listener that does nothing. */
export const noListener: Listener = { around: (run) => run() }
