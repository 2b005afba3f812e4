/**
 * Counters and histograms over Effect's metrics.
 */
import * as Metric from "effect/Metric"
import { contextOf } from "../common/fiber.js"
import type { Instrument } from "./recorder.js"

/** Metrics are labelled once; the program's own labels are in the context. */
const instrument = (metric: Metric.Metric<number, unknown>, label = ""): Instrument => {
  const byOperation = new Map<string, Map<string, typeof metric>>()
  return (fiber, value, operation, labelled = "") => {
    let found = byOperation.get(operation)?.get(labelled)
    if (found === undefined) {
      found = Metric.withAttributes(metric, { operation, ...(label !== "" && { [label]: labelled }) })
      const byLabel = byOperation.get(operation) ?? new Map<string, typeof metric>()
      byOperation.set(operation, byLabel.set(labelled, found))
    }
    found.updateUnsafe(value, contextOf(fiber))
  }
}

export const counter = (name: string, description: string, label?: string): Instrument =>
  instrument(Metric.counter(name, { description, incremental: true }), label)

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

export const histogram = (name: string, description: string): Instrument =>
  instrument(Metric.histogram(name, { description, boundaries }))
