/**
 * What telemetry tells of a call: who it is, how long it took, how it ended.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { ClientError } from "../../CatalogError.js"
import { type AnyFiber, clockOf } from "../common/fiber.js"

/** What is told of a call. */
export interface Call {
  readonly operation: { readonly name: string; readonly method: "GET" | "PATCH" | "DELETE" | "POST" }
  readonly config: { readonly tracePropagation: boolean | undefined }
  /** How many exchanges it was given so far. */
  readonly attempts: number
  /** What the last of them was answered with, once that is known. */
  readonly status: number | undefined
  /** Without secrets. */
  readonly shownUrl: string
  readonly redact: (text: string) => string
  /** The first one: its own, around those of its exchanges. */
  span: Tracer.Span | undefined
}

/** Begins to measure; gives back what says how many seconds have passed. The wall clock can be set meanwhile. */
export const stopwatch = (fiber: AnyFiber): (() => number) => {
  const clock = clockOf(fiber)
  const started = clock.unsafeCurrentTimeNanos()
  // Not below zero, also where fake timers replace the clock in between.
  return () => Math.max(0, Number(clock.unsafeCurrentTimeNanos() - started) / 1e9)
}

/** A word for an error. */
export const outcomeOfError = (error: ClientError): string => {
  switch (error._tag) {
    case "ClientValidationError":
      return "Invalid"
    case "ClientRestError":
      return error.reason === "Status" ? String(error.status) : error.reason
    default:
      return error.reason
  }
}

/** The error that something ended with; none where it succeeded, was interrupted or died. */
export const errorOf = <E>(exit: Exit.Exit<unknown, E>): E | undefined =>
  Exit.isSuccess(exit) ? undefined : Option.getOrUndefined(Cause.failureOption(exit.cause))

/** A word for how something ended. */
export const outcomeOf = (exit: Exit.Exit<unknown, ClientError>): string => {
  if (Exit.isSuccess(exit)) {
    return "Success"
  }
  const error = errorOf(exit)
  return error === undefined ? (Cause.isInterrupted(exit.cause) ? "Interrupted" : "Defect") : outcomeOfError(error)
}
