/**
 * Habits that an embedded catalog service can have.
 *
 * @since 0.1.0
 */

/**
 * Habits of the service's pages. With `shortPages`, `longPages` and `emptyPage`, a walk along `next` (with one `limit`)
 * still meets each entry exactly once.
 */
export interface Quirks {
  /** A page that is not the last holds one entry fewer than `limit` (a `limit` of 1 stays). */
  readonly shortPages?: boolean
  /** A page that is not the last holds one entry more than `limit`. */
  readonly longPages?: boolean
  /** The second page is empty and has a `next`: a gap of `limit` places follows the first `limit` entries. */
  readonly emptyPage?: boolean
  /** Parameters that `next` leaves out, for example `["fields", "nsfw"]`. */
  readonly nextWithout?: ReadonlyArray<string>
  /** Where `next` leads: to its own page, to the first page, or to its own page under a URL that is new each time. */
  readonly nextLeadsTo?: "itself" | "first" | "same-page"
  /** Another origin, which `next` (and `previous`) name, for example `https://elsewhere.example`. */
  readonly nextOrigin?: string
  /** No page has `paging`, so every list ends with its first page. */
  readonly omitPaging?: boolean
}

/**
 * Where the service can do other than the live one. Each is off by default.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/core/testing"
 *
 * // The manga that an anime was adapted from is in its `related_manga`.
 * export const layer = EmbeddedCatalog.layer({ unlikeLive: { crossKindRelations: true } })
 * ```
 */
export interface UnlikeLive {
  /** `related_manga` of an anime and `related_anime` of a manga hold what the data set has. Live, they are always empty. */
  readonly crossKindRelations?: boolean
  /** Some entries of a ranking have a `previous_rank`. Live, it never comes. */
  readonly previousRank?: boolean
  /** A season has only the anime that began in it. Live, it also has those that began before and are still running. */
  readonly onlyNewInSeason?: boolean
}
