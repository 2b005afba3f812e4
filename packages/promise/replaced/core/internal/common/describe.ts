import { isPromise } from "#core/internal/common/values.js"

/** Effects, Layers, Schemas, `Redacted` and the like: of any version of Effect, and those in another copy of this package. */
export const isOfEffect = (value: unknown): boolean => {
  try {
    for (let part = Object(value); part !== null; part = Object.getPrototypeOf(part)) {
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

/** How a message describes a value that is neither a string nor a number. */
export const describeValue = (value: unknown): string =>
  isOfEffect(value)
    ? "a value of Effect (those are for @catalog-client/core) or of another copy of catalog-client"
    : isPromise(value)
      ? "a promise (await it)"
      : `a value of type ${typeof value}`

/** Whether an object passes `isOptionsObject` although it is a promise or a value of Effect. */
export const isNotOptions = (value: object): boolean => isPromise(value) || isOfEffect(value)
