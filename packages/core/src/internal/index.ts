/**
 * The subpath `internal`, for the packages that are released with this one, which need exactly this version. A program must not
 * import it: its names change with any version. At most 40 names and
 * two namespaces.
 *
 * Checks of options are here because they are known by identity, and because some have counterparts.
 */
export type { AttemptError } from "../CatalogError.js"
export { receivedOperations } from "./call/received.js"
export { sendForm } from "./call/sendForm.js"
export { startTimer } from "./call/timeout.js"
export * as Databases from "./common/databases.js"
export { type FromConfig, readMembers } from "./common/config.js"
export { acceptedDurations, millisOf, showTime } from "./common/duration.js"
export { inSpanOf, nowOf, withFiber } from "./common/fiber.js"
export { memoize } from "./common/memoize.js"
export { forCall, mistake, show, unsendableIn } from "./common/mistakes.js"
export { checkNames, isOptions, suggestion } from "./common/options.js"
export { forkApart, forkFrom, interrupt, runtime } from "./common/run.js"
export { isSecret, type Secret } from "./common/secret.js"
export * as Values from "./common/values.js"
export { trimSecret, reveal, warnOnce } from "./credentials/credentials.js"
export { inStage } from "./policies/apply.js"
export { finderOf, redact } from "./redaction/redact.js"
export { redactSecrets } from "./redaction/redactIn.js"
export { millis } from "./settings/limits.js"
export {
  baseUrlOf,
  CatalogConfigTag,
  type CatalogSettings,
  initialSettings,
  mergeOptions
} from "./settings/settings.js"
export { CredentialsTag } from "./settings/slots.js"
