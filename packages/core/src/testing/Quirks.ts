/**
 * Unusual behaviour that an embedded catalog service can have.
 *
 * @since 0.2.0
 */

import type * as Duration from "effect/Duration"

/** The members of a reply of the token endpoint. */
export interface TokenReply {
  readonly token_type: "Bearer"
  /** Seconds until the access token expires. */
  readonly expires_in: number
  readonly access_token: string
  /** Missing if the refresh token stays the same (`unlikeLive.keepRefreshToken`). */
  readonly refresh_token?: string
}

/**
 * Unusual behaviour of the service's pages, of its forum and of its token endpoint. With `shortPages`, `longPages` and `emptyPage`, a
 * walk along `next` (with one `limit`) still gets each entry exactly once.
 */
export interface Quirks {
  /** A page that is not the last contains one entry fewer than `limit` (a `limit` of 1 stays). */
  readonly shortPages?: boolean
  /** A page that is not the last contains one entry more than `limit`. */
  readonly longPages?: boolean
  /** The second page is empty and has a `next`: a gap of `limit` places follows the first `limit` entries. */
  readonly emptyPage?: boolean
  /** Parameters that `next` leaves out, for example `["fields", "nsfw"]`. */
  readonly nextWithout?: ReadonlyArray<string>
  /** Where `next` leads: to its own page, to the first page, or to its own page under a URL that is new each time. */
  readonly nextLeadsTo?: "itself" | "first" | "same-page"
  /** Another origin for `next` and `previous`, for example `https://elsewhere.example`. */
  readonly nextOrigin?: string
  /** No page has `paging`, so every list ends with its first page. */
  readonly omitPaging?: boolean
  /**
   * How long `forum.topics` with neither a board nor `q` waits before it ends with 504, as live. By default it responds with
   * the topics of all boards.
   */
  readonly topicsTimeout?: Duration.DurationInput
  /**
   * Changes the reply of the token endpoint, for example `(reply) => ({ ...reply, expires_in: undefined })`.
   * The tokens of the original reply are valid.
   */
  readonly tokenReply?: (reply: TokenReply) => unknown
}

/**
 * Differences from the live service. Each is off by default.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/core/testing"
 *
 * // The manga that an anime was adapted from is in its `related_manga`.
 * export const fetch = EmbeddedCatalog.fetch({ unlikeLive: { crossKindRelations: true } })
 * ```
 */
export interface UnlikeLive {
  /**
   * `related_manga` of an anime and `related_anime` of a manga hold the relations of the data set. Live, they are always
   * empty.
   */
  readonly crossKindRelations?: boolean
  /** Some entries of a ranking have a `previous_rank`. Live, none has. */
  readonly previousRank?: boolean
  /** A season has only the anime that began in it. Live, it also has those that began before and are still running. */
  readonly onlyNewInSeason?: boolean
  /** The sign-in accepts the challenge method `S256` besides `plain`. Live, `plain` is the only one. */
  readonly s256?: boolean
  /** The `iss` of redirects to the client, for example `http://localhost:4010`. Live, they have none. */
  readonly issuer?: string
  /**
   * A refresh token can be redeemed once. Live, it stays valid until its end. Set it to test what must not happen with a
   * service that revokes: two processes that redeem the same token, or a response that is lost.
   */
  readonly strictRotation?: boolean
  /** A refresh returns only an access token, and the refresh token stays valid. Live, the refresh token is replaced. */
  readonly keepRefreshToken?: boolean
}
