/**
 * An operation that has pages: promises read whole lists by the walk itself, without a Stream.
 */
import { made } from "#core/internal/call/make.js"
import type { Declaration } from "#core/internal/declaration/declaration.js"
import { withWalks } from "#core/internal/lists/walk.js"

export const madeWithPages = (declaration: Declaration) => withWalks(made(declaration))

export { madeWithPages as paged }
