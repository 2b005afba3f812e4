/**
 * Custom operations.
 */
export { make, paged, type } from "#core/Operation.js"
