/**
 * An operation that has pages: promises read whole lists by its pull itself, without a Stream.
 */
import { operation } from "#core/internal/call/interpreter.js"
import type { Declaration } from "#core/internal/declaration/declaration.js"
import { withWholeLists } from "#core/internal/lists/wholeLists.js"

export const makePaged = (declaration: Declaration) => withWholeLists(operation(declaration))

export { makePaged as paged }
