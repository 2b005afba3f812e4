/**
 * A catalog without telemetry only logs.
 */
export { logListener as defaultListener } from "#core/internal/telemetry/log.js"
