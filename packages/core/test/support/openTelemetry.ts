/**
 * A tracer and a meter, as `@opentelemetry/api` has them.
 */

/** A span, as it is when it ends. */
export interface Span {
  readonly name: string
  readonly attributes: Map<string, unknown>
  readonly events: Array<unknown>
  readonly errors: ReadonlyArray<Error>
}

/** A measurement: 1 of what is counted, a value of what is distributed. */
export interface Measurement {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A meter that passes on each measurement. */
export const meterTo = (measured: (measurement: Measurement) => void) => {
  const instrument = (name: string) => (value: number, labels: Readonly<Record<string, string>>) =>
    measured({ name, labels, value })
  return {
    createCounter: (name: string) => ({ add: instrument(name) }),
    createHistogram: (name: string) => ({ record: instrument(name) })
  }
}

/** A tracer that passes on each span when it begins, and when it ends. */
export const tracerTo = (began: (span: Span) => void, ended: (span: Span) => void) => {
  let spans = 0
  return {
    startSpan: (name: string) => {
      const span: Span = { name, attributes: new Map(), events: [], errors: [] }
      const spanId = (++spans).toString(16).padStart(16, "0")
      began(span)
      return {
        spanContext: () => ({ traceId: "1".repeat(32), spanId, traceFlags: 1 }),
        setAttribute: (key: string, value: unknown) => void span.attributes.set(key, value),
        addEvent: (event: string, attributes?: object) => void span.events.push([event, "0", attributes]),
        setStatus: () => {},
        end: () => ended(span)
      }
    }
  }
}
