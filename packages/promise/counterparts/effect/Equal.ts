/**
 * Values of Effect compare themselves; nothing here compares other values by their members.
 */
export const symbol = "~effect/Equal"

export const isEqual = (value: unknown): value is { readonly [symbol]: (that: object) => boolean } =>
  typeof value === "object" && value !== null && symbol in value

export const equals = (self: unknown, that: unknown): boolean =>
  Object.is(self, that) || (isEqual(self) && isEqual(that) && self[symbol](that))

export const asEquivalence = () => equals
