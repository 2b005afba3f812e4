/**
 * Spans and metrics of calls, for programs with OpenTelemetry.
 */
export {
  type Meter,
  type Telemetry,
  telemetry,
  type TelemetryAttributes,
  type TelemetryOptions,
  type TelemetrySpan,
  type Tracer
} from "../telemetry.js"
