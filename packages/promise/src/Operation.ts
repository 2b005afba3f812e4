/**
 * Custom operations.
 */
export { make, paged, type } from "#core/Operation.js"
export type {
  AnyPage,
  Arguments,
  Call,
  Declaration,
  Inputs,
  Method,
  Operation,
  PagedOperation,
  StandardSchema
} from "#core/Operation.js"
