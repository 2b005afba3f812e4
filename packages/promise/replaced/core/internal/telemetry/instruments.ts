/**
 * Counters and histograms over the meter of a catalog.
 */
import * as Context from "effect/Context"
import { type AnyFiber, contextOf } from "#core/internal/common/fiber.js"
import { memoize } from "#core/internal/common/memoize.js"
import { quietly } from "#core/internal/common/values.js"
import type { Instrument } from "#core/internal/telemetry/instruments.js"
import { type Meter, MeterTag } from "#promise/telemetry.js"

const meterOf = (fiber: AnyFiber): Meter | undefined => Context.get(contextOf(fiber), MeterTag)

export const counter = (name: string, description: string, label = ""): Instrument => {
  const counterOf = memoize((meter: Meter) => quietly(() => meter.createCounter(name, { description })))
  return (fiber, value, operation, labelled = "") => {
    const meter = meterOf(fiber)
    if (meter !== undefined) {
      quietly(() => counterOf(meter)?.add(value, { operation, ...(label !== "" && { [label]: labelled }) }))
    }
  }
}

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

export const histogram = (name: string, description: string): Instrument => {
  const options = { description, unit: "s", advice: { explicitBucketBoundaries: boundaries } }
  const histogramOf = memoize((meter: Meter) => quietly(() => meter.createHistogram(name, options)))
  return (fiber, value, operation) => {
    const meter = meterOf(fiber)
    if (meter !== undefined) {
      quietly(() => histogramOf(meter)?.record(value, { operation }))
    }
  }
}

export const isMetered = (fiber: AnyFiber): boolean => meterOf(fiber) !== undefined
