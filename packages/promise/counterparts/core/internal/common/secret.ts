/**
 * What a credential can be: no `Redacted` of Effect, nor of another copy of this package, whose value cannot be read here.
 */
import * as Redacted from "effect/Redacted"

export type Secret = Redacted.Redacted<string>

/** Whether a value is a `Redacted` string that can be read. */
export const isSecret = (value: unknown): value is Secret => {
  try {
    return Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
  } catch {
    return false
  }
}
