/**
 * Helpers for selectors.
 */
export { all, unchecked, type Unchecked } from "#core/Fields.js"
