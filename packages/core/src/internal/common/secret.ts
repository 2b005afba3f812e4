/**
 * Recognizes secrets.
 */
// Counterpart for catalog-client: packages/promise/replaced/core/internal/common/secret.ts
import * as Redacted from "effect/Redacted"

/** Whether a value is a `Redacted` string. A wiped one no longer contains a value and counts as blank. */
export const isSecret = (value: unknown): value is Redacted.Redacted<string> => {
  try {
    return Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
  } catch {
    return true
  }
}
