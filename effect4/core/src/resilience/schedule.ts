/**
 * Steps of a schedule.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** For messages. */
export const must = "must be an Effect Schedule, without attempts, baseDelay or maxDelay"

/** Whether a value is a schedule. */
export const isSchedule: (value: unknown) => boolean = Schedule.isSchedule

/** A step of a schedule contains its state. */
type Step<In> = (now: number, input: In) => Effect.Effect<[unknown, Duration.Duration], unknown>

/** The state before the first step. */
export const initialOf = (schedule: Schedule.Schedule<unknown, never>): unknown => Schedule.toStep(schedule)

/** The delay of the next step in milliseconds, and the state after it; `undefined` at the end. */
export const stepOf = <In>(
  _schedule: Schedule.Schedule<unknown, In>,
  input: In,
  state: unknown
): Effect.Effect<readonly [delay: number, state: unknown] | undefined> =>
  Effect.flatMap(state as Effect.Effect<Step<In>>, (step) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.match(step(now, input), {
        onFailure: () => undefined,
        onSuccess: ([, delay]) => [Math.max(0, Math.round(Duration.toMillis(delay))), Effect.succeed(step)] as const
      })
    )
  )
