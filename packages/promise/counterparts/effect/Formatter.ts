/**
 * How Effect prints its values: as JSON.
 */
import { redact } from "effect/Redactable"

export const formatJson = (value: unknown, options?: { readonly space?: string | number | undefined }): string => {
  try {
    return JSON.stringify(value, (_, member: unknown) => redact(member), options?.space) ?? String(value)
  } catch {
    return String(value)
  }
}

export { formatJson as format }

export const formatPropertyKey = (key: PropertyKey): string =>
  typeof key === "string" ? JSON.stringify(key) : String(key)

export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `[${formatPropertyKey(key)}]`).join("")
