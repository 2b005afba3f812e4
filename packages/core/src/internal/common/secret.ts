/**
 * Recognizes secrets.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/common/secret.ts
import * as Redacted from "effect/Redacted"

export type Secret = Redacted.Redacted<string>

/** Whether a value is a `Redacted` string. A wiped `Redacted` counts as blank. */
export const isSecret = (value: unknown): value is Secret => {
  try {
    return Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
  } catch {
    return true
  }
}
