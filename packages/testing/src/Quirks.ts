/**
 * How the embedded service can differ from the live one.
 *
 * @since 0.2.0
 */
import type * as Duration from "effect/Duration"

/**
 * How an embedded service differs from the live one: in its pages, in records, and in the sign-in. With `shortPages`,
 * `longPages` and `emptyPage`, a walk along `next` (with one `limit`) still gets each entry exactly once.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 *
 * // To delete an entry that is not on the list is a 404, as in the service's reference.
 * const fetch = EmbeddedCatalog.fetch({ quirks: { deleteMissing: 404 } })
 * const headers = { authorization: `Bearer ${EmbeddedCatalog.credentials().accessToken}` }
 * const { status } = await fetch("https://api.myanimelist.net/v2/anime/1/my_list_status", { method: "DELETE", headers })
 * console.log(status)
 * ```
 *
 * ```text
 * 404
 * ```
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
  /**
   * How long `forum.topics` with neither a board nor `q` waits before it ends with 504, as live. By default it responds with
   * the topics of all boards.
   */
  readonly topicsTimeout?: Duration.DurationInput
  /**
   * The response to a DELETE of an entry that is not on the list: 200 as live, or 404 as in the reference.
   *
   * @default 200
   */
  readonly deleteMissing?: 404 | 200
  /**
   * With which status `finish_date` is written: any, or only `completed`, as one source says of the live service.
   *
   * @default "any"
   */
  readonly finishDate?: "any" | "completed"
  /** Whether a season is sorted by score with `sort: "anime_score"`, as in the reference. Live, by popularity (the default). */
  readonly scoreSort?: boolean
  /**
   * How a topic shows its poll: one object as live, or an array as in the reference.
   *
   * @default "object"
   */
  readonly poll?: "object" | "array"
  /** The sign-in accepts the challenge method `S256` besides `plain`. Live, `plain` is the only one. */
  readonly s256?: boolean
  /** The `iss` of redirects to the client, for example `http://localhost:4010`. Live, they have none. */
  readonly issuer?: string
  /** A refresh token can be redeemed once. Live, it stays valid until its end. */
  readonly strictRotation?: boolean
  /** Changes the reply of the token endpoint, for example `(reply) => ({ ...reply, expires_in: undefined })`. */
  readonly tokenReply?: (reply: TokenReply) => unknown
}

/** The members of a reply of the token endpoint. */
export interface TokenReply {
  readonly token_type: "Bearer"
  /** Seconds until the access token expires. */
  readonly expires_in: number
  readonly access_token: string
  readonly refresh_token: string
}
