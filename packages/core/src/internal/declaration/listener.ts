/**
 * What hears a call.
 */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import type { ClientError } from "../../CatalogError.js"
import type { HookEvents } from "../policies/hookEvents.js"
import type { AnyFiber } from "../common/fiber.js"
import type { CallState } from "./call.js"

/** An event, without what names its call. */
export type Details<Name extends keyof HookEvents> = Omit<HookEvents[Name], "operation" | "method" | "url">

/** Takes an event of a call: with the name of its operation, and its span. */
type Hears<Event> = (event: Event, operation: string, fiber: AnyFiber, span?: SpanOfCall) => void

/** What hooks hear, too. */
export type Notices = { readonly [Name in "onRetry" | "onWait" | "onMismatch"]: Hears<Details<Name>> }

export type SpanKind = Extract<Tracer.SpanKind, "internal" | "client">

/** What a call needs of its span. */
export type SpanOfCall = Pick<Tracer.Span, "attribute" | "event" | "status">

/** Hears calls: records their spans and metrics, and writes the debug log. */
export interface Listener {
  /** Runs a call, or one of its attempts. */
  readonly around: <A, E extends ClientError, R>(
    run: () => Effect.Effect<A, E, R>,
    part: "call" | "attempt",
    fiber: AnyFiber,
    call: CallState
  ) => Effect.Effect<A, E, R>
  /** What it is told. Nothing is timed for a listener without it. */
  readonly on?: Notices & {
    /** A reply came from a cache. */
    readonly hit: Hears<object>
    /** The rate limit let an exchange begin. */
    readonly waited: Hears<{ readonly seconds: number }>
    /** The call has ended. */
    readonly end: Hears<{
      readonly attempts: number
      readonly exit: Exit.Exit<unknown, ClientError>
      readonly seconds: number
    }>
  }
  /** The function that sends a request, as one that runs in the span of a fiber. */
  readonly inside?: <Send extends (...inputs: never) => unknown>(send: Send, fiber: AnyFiber) => Send
}

/** Hears nothing. */
export const silent: Listener = { around: (run) => run() }
