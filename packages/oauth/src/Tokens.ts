/**
 * The tokens of a sign-in.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import { mistake } from "@catalog-client/core/internal"
import { readTokens } from "./internal/tokenReply.js"

/** Tokens in the words of OAuth 2.0: what a token endpoint responds with, and what other libraries store. */
export interface TokenResponse {
  readonly access_token: string
  /** Redeemed for new tokens. Without it, the sign-in ends when the access token expires. */
  readonly refresh_token?: string | null | undefined
  /** The lifetime of the access token in seconds. Without it, the access token is used until the service refuses it. */
  readonly expires_in?: number | string | null | undefined
  /** `Bearer`, in any case. */
  readonly token_type?: string | undefined
}

/** Options of `Tokens.from`. */
export interface TokensFromOptions {
  /** The client that the tokens were issued to. By default, the client of the session that signs in with them. */
  readonly clientId?: string | undefined
  /** When they were received: milliseconds since 1970. Now by default. */
  readonly obtainedAt?: number | undefined
}

/**
 * The tokens of one user, as received from a sign-in or a refresh.
 *
 * The encoded form contains the secrets as plain text: keep it only in a safe place. Printed, they are redacted.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig } from "@catalog-client/core"
 * import { OAuthSession, Tokens, TokenStore } from "@catalog-client/oauth"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect, Layer } from "effect"
 *
 * const Session = OAuthSession.layer({ clientId: "embedded-client" }).pipe(
 *   Layer.provide([CatalogConfig.layer({ profile: EmbeddedCatalog.profile() }), TokenStore.layerMemory]),
 *   Layer.provideMerge(EmbeddedCatalog.layer({ tokens: { "stored-token": "sample_reader" } }))
 * )
 * const program = Effect.gen(function* () {
 *   const { signIn } = yield* OAuthSession
 *   // Keeps a user signed in whose tokens another library has stored.
 *   yield* signIn(Tokens.from({ access_token: "stored-token", refresh_token: "stored", expires_in: 3600 }))
 *   return yield* Catalog.user.me()
 * })
 *
 * console.log((await Effect.runPromise(Effect.provide(program, Session))).name)
 * ```
 *
 * ```text
 * sample_reader
 * ```
 */
export class Tokens extends Schema.Class<Tokens>("Tokens")({
  /** What calls send. */
  accessToken: Schema.Redacted(Schema.String),
  /** Redeemed for new tokens. Without it, the sign-in ends when the access token expires. */
  refreshToken: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true }),
  /**
   * The client that the tokens were issued to; `""` if unknown: then it is the client of the session that signs in with them.
   */
  clientId: Schema.String,
  /** When they were received: milliseconds since 1970. */
  obtainedAt: Schema.Number,
  /** When the access token expires: milliseconds since 1970. `undefined` if unknown. */
  expiresAt: Schema.optionalWith(Schema.Number, { exact: true })
}) {
  /**
   * Tokens from plain strings, in the words of OAuth 2.0. Throws a `TypeError` that names an invalid member.
   *
   * @example
   * ```ts
   * import { Tokens, TokenStore } from "catalog-client/oauth"
   *
   * // What another program has stored becomes a row of a session's store.
   * const reply = { access_token: "my-access-token", refresh_token: "my-refresh-token", expires_in: 3600 }
   * const row = TokenStore.encode(Tokens.from(reply, { clientId: "my-client-id", obtainedAt: Date.UTC(2026, 2, 1) }))
   * const { version, tokens } = JSON.parse(row)
   * console.log(version, new Date(tokens.expiresAt).toISOString())
   * ```
   *
   * ```text
   * 1 2026-03-01T01:00:00.000Z
   * ```
   */
  static from(response: TokenResponse, options: TokensFromOptions = {}): Tokens {
    const { clientId = "", obtainedAt = Date.now() } = options
    const members = readTokens(response, clientId, obtainedAt)
    if ("invalid" in members) {
      // Without the value, which can be a secret.
      throw mistake(`Tokens.from: ${members.invalid[0] ?? "access_token"} is missing or invalid`)
    }
    return new Tokens(members)
  }
}
