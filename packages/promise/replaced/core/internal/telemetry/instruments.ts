/**
 * Counters and histograms over the meter of a catalog.
 */
import * as Context from "effect/Context"
import { type AnyFiber, contextOf } from "#core/internal/common/fiber.js"
import { Instruments } from "../../../../src/telemetry.js"

type Instrument = (fiber: AnyFiber, value: number, operation: string, label?: string) => void

const instrumentsOf = (fiber: AnyFiber): Instruments | undefined => Context.get(contextOf(fiber), Instruments)

export const counter =
  (name: string, description: string, label = ""): Instrument =>
  (fiber, value, operation, labelled = "") =>
    instrumentsOf(fiber)?.count(name, description, value, { operation, ...(label !== "" && { [label]: labelled }) })

export const histogram =
  (name: string, description: string): Instrument =>
  (fiber, value, operation) =>
    instrumentsOf(fiber)?.record(name, description, value, { operation })

export const isMetered = (fiber: AnyFiber): boolean => instrumentsOf(fiber) !== undefined
