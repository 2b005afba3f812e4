/**
 * Recognizes values of Effect, which programs of promises pass by mistake.
 */

/** Whether a value is an Effect, a Layer, a Schema, a `Redacted` or the like: of any version of Effect, or of another copy of this package. */
export const isOfEffect = (value: unknown): boolean => {
  try {
    for (
      let part = Object(value) as object | null;
      part !== null;
      part = Object.getPrototypeOf(part) as object | null
    ) {
      if (
        Reflect.ownKeys(part).some((key) =>
          /^~?effect[/]/.test(typeof key === "symbol" ? (key.description ?? "") : key)
        )
      ) {
        return true
      }
    }
  } catch {
    // A proxy can throw.
  }
  return false
}

/** Whether a value is an Effect: of any version, and of any copy of Effect. */
export const isEffect = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Symbol.for("effect/Effect") in value || "~effect/Effect" in value)
