/**
 * Signing in with the user's browser, which comes back to a port of this machine (RFC 8252).
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "@catalog-client/core"
import { OAuthSession } from "../OAuthSession.js"
import type { Tokens } from "../Tokens.js"
import * as Effect from "effect/Effect"
import * as Loopback from "./loopback.js"

/**
 * Signs the user of the session in: opens the browser, and waits on a port of this machine until it comes back.
 *
 * The session's `redirectUri` decides host, port and path. Only a redirect with the `state` of this sign-in ends it.
 *
 * Fails with `ClientAuthError` (`Denied`) if the user denies access, with `ClientRestError` if the service does not
 * redeem the code, and with `ClientNetworkError`: `Timeout` after 5 minutes, `Transport` if it cannot listen, for
 * example because another program uses the port (`cause.code` is `EADDRINUSE`). An invalid option is a defect.
 *
 * @example
 * ```ts
 * import * as CatalogNode from "@catalog-client/node"
 * import { layerFile, Login, OAuthSession } from "@catalog-client/oauth/node"
 * import { Effect, Layer } from "effect"
 *
 * const client = { clientId: "my-client-id", redirectUri: "http://localhost:8080/callback" }
 * const Live = OAuthSession.layer(client).pipe(
 *   Layer.provide(layerFile()),
 *   Layer.provideMerge(CatalogNode.layer)
 * )
 *
 * export const signIn = Login.loopback().pipe(Effect.provide(Live))
 * ```
 */
export const loopback = <E = never, R = never>(
  options: Loopback.LoginOptions<E, R> = {}
): Effect.Effect<Tokens, ClientAuthError | ClientRestError | ClientNetworkError | E, OAuthSession | R> =>
  Effect.flatMap(OAuthSession, (session) => Loopback.loopback(session, options, { as: "Login.loopback", names: [] }))
