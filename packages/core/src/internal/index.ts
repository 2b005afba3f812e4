/**
 * The subpath `internal`, for the packages that are released with this one, which need exactly this version. A program must not
 * import it: its names change with any version.
 *
 * Each group says why other packages need it. When the last importer of a name is gone, remove the name: a test says so.
 */

// Checks of options, so that a mistake reads the same in every package. Mistakes are recognized by identity, so a copy of these
// functions would not do.
export { acceptedDurations, millisOf, showTime } from "./common/duration.js"
export { forCall, mistake, show, unsendableIn } from "./common/mistakes.js"
export { checkNames, isOptions, suggestion } from "./common/options.js"
export { millis } from "./settings/limits.js"

// Sign-in: it reads its options as `CatalogConfig.layerConfig` does, and sends requests for tokens with the program's
// configuration, without its credentials.
export type { AttemptError } from "../CatalogError.js"
export { receivedOperations } from "./call/received.js"
export { sendForm } from "./call/sendForm.js"
export { type FromConfig, readMembers } from "./common/config.js"
export { memoize } from "./common/memoize.js"
export { reveal, trimSecret, warnOnce } from "./credentials/credentials.js"
export {
  baseUrlOf,
  CatalogConfigTag,
  type CatalogSettings,
  currentSettings,
  initialSettings,
  mergeOptions,
  settingsIn
} from "./settings/settings.js"
export { CredentialsTag } from "./settings/slots.js"

// Redaction: sign-in and the recorder remove secrets from what they show or write.
export { isSecret, type Secret } from "./common/secret.js"
export { finderOf, redact } from "./redaction/redact.js"
export { redactSecrets } from "./redaction/redactIn.js"

// A list is synchronized with a policy of its own, which takes the place of a cache.
export { inStage } from "./policies/apply.js"

// What Effect 3 and Effect 4 do differently: these modules have counterparts, so that other packages need none.
export { startTimer } from "./call/timeout.js"
export { inSpanOf, nowOf, withFiber } from "./common/fiber.js"
export { forkApart, forkFrom, interrupt, runtime } from "./common/run.js"

// Whole modules. Core does not use `Databases` itself: node and oauth share it.
export * as Databases from "./common/databases.js"
export * as Values from "./common/values.js"
