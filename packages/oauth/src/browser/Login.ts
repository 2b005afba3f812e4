/**
 * Signing in by redirect: the page goes to the service, and starts again when the user comes back.
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "@catalog-client/core"
import { OAuthSession } from "../OAuthSession.js"
import type { Tokens } from "../Tokens.js"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Page from "./pageSignIn.js"

/**
 * Goes to the authorization page. The effect does not end, because the page goes away.
 *
 * Until the user is back, `sessionStorage` contains state and verifier of the sign-in. If the page cannot use it, this
 * fails with `ClientNetworkError` (`Transport`). A program without a page is a defect.
 *
 * @example
 * ```ts
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { layerSessionStorage, Login, OAuthSession } from "@catalog-client/oauth/browser"
 * import { Effect, Layer } from "effect"
 *
 * const Live = OAuthSession.layer({ clientId: "my-client-id", redirectUri: "https://app.example/" }).pipe(
 *   Layer.provide(layerSessionStorage()),
 *   Layer.provide(CatalogBrowser.layer)
 * )
 *
 * // For the button "Sign in".
 * export const signIn = Login.redirect().pipe(Effect.provide(Live))
 * ```
 */
export const redirect = <E = never, R = never>(
  options: Page.LoginOptions<E, R> = {}
): Effect.Effect<never, ClientNetworkError | E, OAuthSession | R> =>
  Effect.flatMap(OAuthSession, (session) => Effect.zipRight(Page.redirect(session, options), Effect.never))

/**
 * Finishes a sign-in, for the start of the page: it returns the tokens if the user has come back, and `None` if not. A second
 * call meanwhile, for example if a framework mounts twice, gets the same result. Set the session's `redirectUri`, so that
 * parameters of other pages are ignored.
 *
 * Fails with `ClientAuthError`: `Denied` if the user denied access, `State` if the redirect does not belong to a sign-in of
 * this tab, `Callback` if it has no usable code; with `ClientRestError` if the service refuses the code, and with
 * `ClientNetworkError`.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { layerSessionStorage, Login, OAuthSession } from "@catalog-client/oauth/browser"
 * import { Effect, Layer } from "effect"
 *
 * const Live = OAuthSession.layer({ clientId: "my-client-id", redirectUri: "https://app.example/" }).pipe(
 *   Layer.provide(layerSessionStorage()),
 *   Layer.provideMerge(CatalogBrowser.layer)
 * )
 *
 * export const name = Login.resume.pipe(
 *   Effect.zipRight(Catalog.user.me()),
 *   Effect.map((user) => user.name),
 *   Effect.catchTag("ClientAuthError", () => Effect.succeed("a guest")),
 *   Effect.provide(Live)
 * )
 * ```
 */
export const resume: Effect.Effect<
  Option.Option<Tokens>,
  ClientAuthError | ClientRestError | ClientNetworkError,
  OAuthSession
> = /*#__PURE__*/ Effect.flatMap(OAuthSession, Page.resume)
