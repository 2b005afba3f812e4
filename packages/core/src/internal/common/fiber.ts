/**
 * Reads the parts of a fiber: context, clock, span, log level.
 */
// Counterpart for Effect 4: effect4/core/src/internal/common/fiber.ts
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import type { RuntimeFlags } from "effect/RuntimeFlags"
import * as Tracer from "effect/Tracer"

export type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

/** Makes an effect from the fiber that runs it, and from its flags, which a child needs. */
export const withFiber = <A, E, R>(
  make: (fiber: AnyFiber, flags: RuntimeFlags) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.withFiberRuntime((fiber, { runtimeFlags }) => make(fiber as AnyFiber, runtimeFlags))

export const contextOf = (fiber: AnyFiber): Context.Context<never> => fiber.currentContext

export const clockOf = (fiber: AnyFiber): Clock.Clock => Context.get(fiber.currentDefaultServices, Clock.Clock)

const liveClock = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Clock.Clock)

/** Whether a clock is the platform's. */
export const isLive = (clock: Clock.Clock): boolean => clock === liveClock

/** The time of a clock: milliseconds since 1970. */
export const nowOf = (clock: Clock.Clock): number => clock.unsafeCurrentTimeMillis()

/** The time of a clock: nanoseconds since 1970, as spans need them. */
export const nanosOf = (clock: Clock.Clock): bigint => clock.unsafeCurrentTimeNanos()

/** The time of a clock, to measure how long something takes: nanoseconds since an arbitrary time. */
export const ticksOf = (clock: Clock.Clock): bigint => clock.unsafeCurrentTimeNanos()

export const serviceAt = (context: Context.Context<never>, key: string): unknown => context.unsafeMap.get(key)

/** All services of a context, in the order in which they were added. */
export const servicesIn = (context: Context.Context<never>): ReadonlyArray<unknown> => [...context.unsafeMap.values()]

/** Effect 3: the context unchanged. The counterpart for Effect 4 removes clock, tracer and loggers. */
export const withoutDefaults = <R>(context: Context.Context<R>): Context.Context<R> => context

export const spanOf = (fiber: AnyFiber): Tracer.AnySpan | undefined => fiber.currentSpan

/** Runs an effect in a span that another function ends. */
export const inSpanOf = <A, E, R>(span: Tracer.AnySpan, effect: Effect.Effect<A, E, R>) =>
  Effect.withParentSpan(effect, span)

const liveTracer = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Whether the spans of a fiber are recorded: the default tracer is always there and records none. */
export const isTraced = (fiber: AnyFiber): boolean =>
  fiber.currentTracer !== liveTracer || fiber.currentSpan !== undefined

export const isDebugLogged = (fiber: AnyFiber): boolean =>
  fiber.getFiberRef(FiberRef.currentMinimumLogLevel).ordinal <= LogLevel.Debug.ordinal
