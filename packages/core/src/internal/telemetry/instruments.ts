/**
 * Counters and histograms over Effect's metrics.
 */
// Counterpart for Effect 4: effect4/core/src/internal/telemetry/instruments.ts
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as MetricLabel from "effect/MetricLabel"
import { memoize } from "../common/memoize.js"
import type { Instrument } from "./recorder.js"

type Update = (value: number) => void

/** Metrics are labelled once: labelling at each update would need a look-up of the whole set of labels. */
const instrument = (key: MetricKey.MetricKey<MetricKeyType.MetricKeyType<number, unknown>>, label = ""): Instrument => {
  /** By the program's own labels, then by operation, then by the other label. */
  const updates = memoize((_own: ReadonlyArray<MetricLabel.MetricLabel>) => new Map<string, Map<string, Update>>())
  return (fiber, value, operation, labelled = "") => {
    const own = fiber.getFiberRef(FiberRef.currentMetricLabels)
    const byOperation = updates(own)
    let update = byOperation.get(operation)?.get(labelled)
    if (update === undefined) {
      const labels = [...own, MetricLabel.make("operation", operation)]
      const all = label === "" ? labels : [...labels, MetricLabel.make(label, labelled)]
      const metric = Metric.fromMetricKey(MetricKey.taggedWithLabels(key, all))
      update = (value) => metric.unsafeUpdate(value, [])
      const byLabel = byOperation.get(operation) ?? new Map<string, Update>()
      byOperation.set(operation, byLabel.set(labelled, update))
    }
    update(value)
  }
}

export const counter = (name: string, description: string, label?: string): Instrument =>
  instrument(MetricKey.counter(name, { description, incremental: true }), label)

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

export const histogram = (name: string, description: string): Instrument =>
  instrument(MetricKey.histogram(name, MetricBoundaries.fromIterable(boundaries), description))
