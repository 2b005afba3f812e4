/**
 * Steps of a schedule. `Schedule.driver` would add the whole module of Effect to each bundle that retries.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Schedule } from "effect/Schedule"
import type { ScheduleDecision } from "effect/ScheduleDecision"

/** For messages. */
export const must = "must be an Effect Schedule, without attempts, baseDelay or maxDelay"

/** Whether a value is a schedule. */
export const isSchedule = (value: Schedule<unknown, never>): boolean => typeof value.step === "function"

/** The state before the first step. */
export const initialOf = (schedule: Schedule<unknown, never>): unknown => schedule.initial

/** The delay of the next step in milliseconds, and the state after it; `undefined` at the end. */
export const stepOf = <In>(
  schedule: Schedule<unknown, In>,
  input: In,
  state: unknown
): Effect.Effect<readonly [delay: number, state: unknown] | undefined> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.map(
      schedule.step(now, input, state),
      ([next, , decision]: readonly [unknown, unknown, ScheduleDecision]) => {
        if (decision._tag === "Done") {
          return undefined
        }
        const [first] = decision.intervals.intervals
        return [Math.max(0, Math.round((first?.startMillis ?? now) - now)), next] as const
      }
    )
  )
