/**
 * Recognizes values of Effect, which programs of promises pass by mistake.
 */

/** Effects, Layers, Schemas, `Redacted` and the like: of any version of Effect, and those in another copy of this package. */
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
    // A proxy.
  }
  return false
}

/** Effects of any version, and of any copy of it. */
export const isEffect = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Symbol.for("effect/Effect") in value || "~effect/Effect" in value)
