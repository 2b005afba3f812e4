/**
 * Custom operations.
 */
import type { StandardSchema } from "./StandardSchema.js"

export { make, paged } from "#core/Operation.js"
export type {
  AnyPage,
  Arguments,
  Call,
  Declaration,
  InputSchemas,
  Method,
  Operation,
  PagedOperation
} from "#core/Operation.js"
export type { StandardSchema } from "./StandardSchema.js"

const anything: StandardSchema<never> = {
  "~standard": { version: 1, vendor: "catalog-client", validate: (value) => ({ value: value as never }) }
}

/**
 * A Schema that accepts any value: for programs without a Schema library. The type is the program's word; the reply is only
 * parsed, and an input is sent unchanged.
 *
 * @example
 * ```ts
 * import { Operation } from "catalog-client"
 *
 * export const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   inputs: { id: Operation.type<number>() },
 *   reply: Operation.type<{ readonly name: string }>()
 * })
 * ```
 */
export const type = <A>(): StandardSchema<A> => anything
