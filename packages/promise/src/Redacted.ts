/**
 * Values that printing does not show.
 */
import { make, value } from "effect/Redacted"

export const Redacted = { make, value }
