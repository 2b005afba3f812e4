// Counterpart for catalog-client: packages/promise/replaced/core/internal/common/kind.ts

/** How a message names a value that is neither a text nor a number. */
export const kindOf = (value: unknown): string =>
  value instanceof Promise ? "a promise (await it)" : `a value of type ${typeof value}`

/** What passes for an object of options, and is none. */
export const isNotOptions = (value: object): boolean => value instanceof Promise
