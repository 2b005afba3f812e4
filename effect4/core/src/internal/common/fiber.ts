/**
 * Reads the parts of a fiber: context, clock, span, log level.
 */
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as Tracer from "effect/Tracer"

export type AnyFiber = Fiber.Fiber<unknown, unknown>

/** Makes an effect for the fiber that runs it. Effect 4 has no flags that a child would need. */
export const withFiber = <A, E, R>(
  make: (fiber: AnyFiber, flags: undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.withFiber((fiber) => make(fiber, undefined))

export const contextOf = (fiber: AnyFiber): Context.Context<never> => fiber.context

export const clockOf = (fiber: AnyFiber): Clock => fiber.getRef(Clock)

const liveClock = /*#__PURE__*/ Context.get(/*#__PURE__*/ Context.empty(), Clock)

/** Whether a clock is the platform's. */
export const isLive = (clock: Clock): boolean => clock === liveClock

/** The time of a clock: milliseconds since 1970. */
export const nowOf = (clock: Clock): number => clock.currentTimeMillisUnsafe()

/** The time of a clock: nanoseconds since 1970, as spans need them. */
export const nanosOf = (clock: Clock): bigint => clock.currentTimeNanosUnsafe()

/** The time of a clock, to measure how long something takes: nanoseconds since an arbitrary time. */
export const ticksOf = (clock: Clock): bigint => clock.monotonicTimeNanosUnsafe()

/** A service of a context by its key. Unlike `Context.getOption`, it knows whether a reference was set. */
export const serviceAt = (context: Context.Context<never>, key: string): unknown => context.mapUnsafe.get(key)

/** All services of a context, in the order in which they were added. */
export const servicesIn = (context: Context.Context<never>): ReadonlyArray<unknown> => [...context.mapUnsafe.values()]

/** Clock, tracer, loggers and other defaults that Effect keeps in the context of each fiber. */
const isOfFiber = (key: string): boolean => /^effect\/(Clock|Console|Logger|References|Scheduler|Tracer)\b/.test(key)

/** A context without the services that Effect 4 keeps there for the fiber. */
export const withoutDefaults = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !isOfFiber(key))))

export const spanOf = (fiber: AnyFiber): Tracer.AnySpan | undefined => fiber.cache.span

/** Runs an effect in a span that another function ends. Captures no stack: it would show lines of this package. */
export const inSpanOf = <A, E, R>(span: Tracer.AnySpan, effect: Effect.Effect<A, E, R>) =>
  Effect.withParentSpan(effect, span, { captureStackTrace: false })

/** Whether the spans of a fiber are recorded. The default tracer, which records none, is in no context. */
export const isTraced = ({ cache: { span, tracer } }: AnyFiber): boolean => tracer !== undefined || span !== undefined

export const isDebugLogged = ({ cache: { minimumLogLevel } }: AnyFiber): boolean =>
  minimumLogLevel === "Debug" || minimumLogLevel === "Trace" || minimumLogLevel === "All"
