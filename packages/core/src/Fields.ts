/**
 * The selector of what a reply holds.
 *
 * @since 0.1.0
 */

/**
 * Names of fields, as one comma-separated string or as an array; a name can be narrowed in braces.
 *
 * `"mean, genres"`, `["mean", "genres"]` and `["my_list_status{tags,comments}"]` are selectors. Names that the service does
 * not know are ignored there. Contract: Common options object, `fields`.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 *
 * export const scored = Catalog.anime.get({ id: 30230 }, { fields: ["mean", "my_list_status{tags,comments}"] })
 * ```
 */
export type Selector = string | ReadonlyArray<string>

/**
 * A selector as it goes on the wire: one string without blanks around names and without empty names.
 *
 * @internal
 */
export const toWire = (selector: string): string =>
  selector
    .replace(/\s*([,{}])\s*/g, "$1")
    .replace(/,{2,}/g, ",")
    .replace(/(^|\{),/g, "$1")
    .replace(/,(\}|$)/g, "$1")
    .trim()
