/**
 * Custom operations.
 */
export { make, paged } from "#core/Operation.js"

const anything = {
  "~standard": { version: 1 as const, vendor: "catalog-client", validate: (value: unknown) => ({ value }) }
}

/** A Schema that accepts any value. */
export const type = () => anything
