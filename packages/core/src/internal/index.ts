/**
 * The subpath `internal`, for the packages that are released with this one, which need exactly this version. A program must not
 * import it: its names change with any version. At most 40 names.
 *
 * Checks of options are here because they are known by identity, and because some have counterparts.
 */
export { isNotOptions } from "./common/describe.js"
export { acceptedDurations, millisOf, showTime } from "./common/duration.js"
export { isOptionsObject, show } from "./common/mistakes.js"
export { checkNames, suggestion } from "./common/options.js"
export { isSecret, type Secret } from "./common/secret.js"
export { hasMethod } from "./common/values.js"
export { asyncDispose } from "./promise/dispose.js"
export { type Finder, finderOf, redact } from "./redaction/redact.js"
