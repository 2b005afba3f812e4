/**
 * An operation that has pages: promises read whole lists by the walk itself, without a Stream.
 */
import { operation } from "#core/internal/call/interpreter.js"
import type { Declaration } from "#core/internal/declaration/declaration.js"
import { withWalks } from "#core/internal/lists/walk.js"

export const pagedOf = (declaration: Declaration) => withWalks(operation(declaration))

export { pagedOf as paged }
