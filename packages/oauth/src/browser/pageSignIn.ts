/**
 * The sign-in of a page: its storage while the user is away, and the redirect back.
 *
 * @since 0.2.0
 */
import { type ClientAuthError, ClientNetworkError, type ClientRestError } from "@catalog-client/core"
import type { AuthorizationRequest } from "../OAuth.js"
import type { OAuthSession } from "../OAuthSession.js"
import { PendingAuthorization } from "../PendingAuthorization.js"
import type { Tokens } from "../Tokens.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

type LoginError = ClientAuthError | ClientRestError | ClientNetworkError

type Result = Exit.Exit<Option.Option<Tokens>, LoginError>

/** The part of a session that a sign-in uses. */
type SignInSession = Pick<OAuthSession.Service, "authorizationRequest" | "exchange" | "tokens" | "signIn">

/** Options of a sign-in in a page. */
export interface LoginOptions<E = never, R = never> {
  /**
   * Goes to the authorization page. The URL is a secret until the user is back. The user must come back to this tab.
   *
   * @default location.assign
   */
  readonly navigate?: ((url: URL) => Effect.Effect<void, E, R>) | undefined
}

const optionNames: ReadonlyArray<string> = ["navigate"] satisfies ReadonlyArray<keyof LoginOptions>

/** Whether this is a page, and neither a server that renders one nor a worker. */
export const isPage = (): boolean => typeof document !== "undefined"

/** The parameters of a redirect, by the RFCs and in the service's errors. */
const parameters = ["code", "state", "iss", "error", "error_description", "error_uri", "message", "hint"]

const clientIdOf = ({ url }: AuthorizationRequest): string => Redacted.value(url).searchParams.get("client_id") ?? ""

/** The key in `sessionStorage` of a sign-in that was started in this tab. */
const storageKey = (clientId: string): string => `catalog-client.sign-in.${clientId}`

/** The stored sign-in. Throws if there is none. */
const readPending = (key: string): PendingAuthorization =>
  PendingAuthorization.decode(sessionStorage.getItem(key) ?? "")

const findPending = (key: string): PendingAuthorization | undefined => {
  try {
    return readPending(key)
  } catch {
    return undefined
  }
}

/** Keeps a sign-in until the user is back. Reads it again, because some frames have a storage that stays empty. */
const keep = (request: AuthorizationRequest): Effect.Effect<void, ClientNetworkError> =>
  Effect.try({
    try: () => {
      const key = storageKey(clientIdOf(request))
      sessionStorage.setItem(key, PendingAuthorization.encode(request))
      readPending(key)
    },
    catch: (error) => {
      const { origin, pathname } = Redacted.value(request.url)
      return new ClientNetworkError({
        operation: "Login.redirect",
        method: "GET",
        url: origin + pathname,
        reason: "Transport",
        attempts: 0,
        about: "login",
        cause: {
          name: error instanceof DOMException ? error.name : "Error",
          message: "sessionStorage, where the page keeps the sign-in, cannot be used. Allow this site to store data"
        }
      })
    }
  })

/** Starts a sign-in, and goes to the authorization page. `others`: options that a face also takes, which a page ignores. */
export const redirect = <E = never, R = never>(
  { authorizationRequest }: Pick<SignInSession, "authorizationRequest">,
  options: LoginOptions<E, R>,
  others: ReadonlyArray<string> = []
): Effect.Effect<void, ClientNetworkError | E, R> =>
  Effect.suspend(() => {
    const { navigate = (url) => Effect.sync(() => location.assign(url)) } = options
    // A misspelt option would be ignored.
    const names = [...optionNames, ...others]
    const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !names.includes(name))
    if (unknown !== undefined) {
      return Effect.die(new TypeError(`Login.redirect has no option ${JSON.stringify(unknown[0])}: it takes navigate`))
    }
    if (!isPage()) {
      return Effect.die(
        new TypeError("Login.redirect needs a page. On a server, use authorizationRequest and exchange of the session.")
      )
    }
    return Effect.flatMap(Effect.tap(authorizationRequest, keep), ({ url }) => navigate(new URL(Redacted.value(url))))
  })

const isCallback = ({ origin, pathname, searchParams }: URL, redirectUri: string | undefined, isStarted: boolean) => {
  const target = redirectUri === undefined ? undefined : new URL(redirectUri)
  const isAtRedirectUri = target === undefined || (target.origin === origin && target.pathname === pathname)
  const has = (name: string) => searchParams.has(name)
  const hasResult = has("code") || has("error")
  // A page can have parameters of the same names for its own purposes.
  return isAtRedirectUri && (isStarted ? has("state") || hasResult : has("state") && hasResult)
}

/** Takes the redirect from the page's address, and what was kept for it from the storage, and redeems it. */
const redeem = (
  session: SignInSession,
  request: AuthorizationRequest
): Effect.Effect<Option.Option<Tokens>, LoginError> =>
  Effect.suspend(() => {
    const { href } = location
    const url = new URL(href)
    const key = storageKey(clientIdOf(request))
    const pending = findPending(key)
    if (!isCallback(url, request.redirectUri, pending !== undefined)) {
      return Effect.succeedNone
    }
    if (pending !== undefined && url.searchParams.get("state") === Redacted.value(pending.state)) {
      sessionStorage.removeItem(key)
    }
    parameters.forEach((name) => url.searchParams.delete(name))
    try {
      history.replaceState(history.state, "", url)
    } catch {
      // A browser can refuse it, for example after too many changes. The code stays in the address, and is redeemed once.
    }
    return pending !== undefined
      ? session.exchange(pending, href)
      : // Already redeemed, or started in another tab. `exchange` will refuse its state.
        Effect.flatMap(session.tokens, (tokens) =>
          Option.isSome(tokens) ? Effect.succeedNone : session.exchange(request, href)
        )
  })

/** The redirects that are being redeemed, by client ID, each with the session that redeems it. */
const redemptions = new Map<string, { readonly by: SignInSession; readonly result: Promise<Result> }>()

/** The tokens of a sign-in that another session of the page has redeemed. */
const adoptTokens = (session: SignInSession, tokens: Tokens): Effect.Effect<Option.Option<Tokens>> =>
  Effect.flatMap(Effect.orElseSucceed(session.tokens, Option.none), (own) =>
    Option.isSome(own) ? Effect.succeed(own) : Effect.as(session.signIn(tokens), Option.some(tokens))
  )

/**
 * Finishes the sign-in if the page's address is a redirect. A page that is mounted twice asks twice, often with two sessions:
 * both get the same result. A caller can leave at any time.
 */
export const resume = (session: SignInSession): Effect.Effect<Option.Option<Tokens>, LoginError> =>
  Effect.suspend(() => {
    if (!isPage()) {
      return Effect.succeedNone
    }
    const { searchParams } = new URL(location.href)
    if (redemptions.size === 0 && !parameters.some((name) => searchParams.has(name))) {
      return Effect.succeedNone
    }
    return Effect.flatMap(session.authorizationRequest, (request) => {
      const clientId = clientIdOf(request)
      let redemption = redemptions.get(clientId)
      if (redemption === undefined) {
        const result = Effect.runPromiseExit(redeem(session, request)).finally(() => redemptions.delete(clientId))
        redemption = { by: session, result }
        redemptions.set(clientId, redemption)
      }
      const { by, result } = redemption
      return Effect.flatMap(
        Effect.promise(() => result),
        (exit): Effect.Effect<Option.Option<Tokens>, LoginError> =>
          by !== session && Exit.isSuccess(exit) && Option.isSome(exit.value)
            ? adoptTokens(session, exit.value.value)
            : exit
      )
    })
  })
