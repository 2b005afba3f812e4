/** `effect/Cause` with the names of Effect 3. */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import { identity } from "effect/Function"

export * from "effect/Cause"
export {
  findErrorOption as failureOption,
  hasInterrupts as isInterrupted,
  hasInterruptsOnly as isInterruptedOnly
} from "effect/Cause"

export const isEmpty = (cause: Cause.Cause<unknown>): boolean => cause.reasons.length === 0

export const dieOption = (cause: Cause.Cause<unknown>): Option.Option<unknown> =>
  Option.map(Option.fromUndefinedOr(cause.reasons.find(Cause.isDieReason)), ({ defect }) => defect)

/** Errors are not wrapped. */
export const originalError: <E>(error: E) => E = identity
