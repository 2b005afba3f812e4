/**
 * The tokens of a sign-in.
 */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * The tokens of one user, as received from a sign-in or a refresh.
 *
 * The encoded form contains the secrets as plain text: keep it only in a safe place. Printed, they are redacted.
 *
 * @example
 * ```ts
 * import { Tokens } from "@catalog-client/core/oauth"
 * import { Redacted } from "effect"
 *
 * export const tokens = new Tokens({
 *   accessToken: Redacted.make("an access token"),
 *   refreshToken: Redacted.make("a refresh token"),
 *   clientId: "my-client-id",
 *   obtainedAt: Date.now(),
 *   expiresAt: Date.now() + 3_600_000
 * })
 * ```
 */
export class Tokens extends Schema.Class<Tokens>("Tokens")({
  accessToken: Schema.Redacted(Schema.String),
  /** Can be redeemed once for new tokens. Without it, the sign-in ends when the access token expires. */
  refreshToken: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true }),
  /** The client that the tokens were issued to. */
  clientId: Schema.String,
  /** When they were received: milliseconds since 1970. */
  obtainedAt: Schema.Number,
  /** When the access token expires: milliseconds since 1970. `undefined` if unknown. */
  expiresAt: Schema.optionalWith(Schema.Number, { exact: true })
}) {}

/** The strings that identify tokens. */
const textsOf = (tokens: Tokens | undefined): string =>
  tokens === undefined
    ? ""
    : JSON.stringify([
        Redacted.value(tokens.accessToken),
        tokens.refreshToken === undefined ? "" : Redacted.value(tokens.refreshToken)
      ])

/**
 * Whether two values are the same tokens.
 *
 * @internal
 */
export const areSame = (one: Tokens | undefined, other: Tokens | undefined): boolean => textsOf(one) === textsOf(other)

/**
 * What a session stores in place of tokens that the service has refused: a value without an access token, which names them by
 * their refresh token.
 *
 * @internal
 */
export const tombstoneOf = ({ clientId, obtainedAt, refreshToken }: Tokens): Tokens =>
  new Tokens({ accessToken: Redacted.make(""), ...(refreshToken && { refreshToken }), clientId, obtainedAt })

/** @internal */
export const isTombstone = (stored: Tokens): boolean => Redacted.value(stored.accessToken) === ""

/** @internal */
export const isTombstoneOf = (stored: Tokens | undefined, tokens: Tokens | undefined): boolean =>
  stored !== undefined && isTombstone(stored) && tokens !== undefined && areSame(stored, tombstoneOf(tokens))
