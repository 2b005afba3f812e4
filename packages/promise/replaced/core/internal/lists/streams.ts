/**
 * An operation that has pages: promises read whole lists by the walk itself, without a Stream.
 */
export { made as madeWithPages, operation as paged } from "#core/internal/call/make.js"
