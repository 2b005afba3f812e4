/**
 * What a sign-in gives.
 */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * The tokens of one user, as a sign-in or a refresh gave them.
 *
 * Encoded, they hold their secrets as plain texts: that is for a place where secrets may be. Printed, they are redacted.
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
  /** Gives new tokens once. Without it, the sign-in ends with the access token. */
  refreshToken: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true }),
  /** The client that they were given to. */
  clientId: Schema.String,
  /** When they came: milliseconds since 1970. */
  obtainedAt: Schema.Number,
  /** When the access token expires: milliseconds since 1970. Without it, that is not known beforehand. */
  expiresAt: Schema.optionalWith(Schema.Number, { exact: true })
}) {}

/** The texts of tokens that tell them from others. */
const textsOf = (tokens: Tokens | undefined): string =>
  tokens === undefined
    ? ""
    : JSON.stringify([
        Redacted.value(tokens.accessToken),
        tokens.refreshToken === undefined ? "" : Redacted.value(tokens.refreshToken)
      ])

/**
 * Whether two are the same tokens.
 *
 * @internal
 */
export const areSame = (one: Tokens | undefined, other: Tokens | undefined): boolean => textsOf(one) === textsOf(other)
