/**
 * What telemetry reports of a call: its name, duration and outcome.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type { ClientError } from "../../CatalogError.js"
import { isInputTypeError } from "../../guards.js"
import { errorOf } from "../common/cause.js"
import { type AnyFiber, clockOf, ticksOf } from "../common/fiber.js"

/** Starts a stopwatch; returns a function that returns the seconds passed. Not by the wall clock, which can be set. */
export const stopwatch = (fiber: AnyFiber): (() => number) => {
  const clock = clockOf(fiber)
  const started = ticksOf(clock)
  // Never negative, even if fake timers replace the clock in between.
  return () => Math.max(0, Number(ticksOf(clock) - started) / 1e9)
}

export const outcomeOfError = ({ reason, status }: ClientError): string =>
  reason === "Status" ? String(status) : reason

export const outcomeOf = (exit: Exit.Exit<unknown, ClientError>): string => {
  if (Exit.isSuccess(exit)) {
    return "Success"
  }
  const error = errorOf(exit)
  if (error !== undefined) {
    return outcomeOfError(error)
  }
  // A server passes on what its visitors send, so an invalid input need not be a defect of the program.
  return isInputTypeError(Cause.squash(exit.cause))
    ? "Invalid"
    : Cause.isInterrupted(exit.cause)
      ? "Interrupted"
      : "Defect"
}
