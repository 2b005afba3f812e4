/**
 * The sign-in of a page, for both faces: what is kept while the user is away, and the redirect back.
 *
 * @since 0.2.0
 */
import { type ClientAuthError, ClientNetworkError, type ClientRestError } from "@catalog-client/core"
import { type OAuth, type OAuthSession, PendingAuthorization, type Tokens } from "@catalog-client/core/oauth"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

type LoginError = ClientAuthError | ClientRestError | ClientNetworkError

type Result = Exit.Exit<Option.Option<Tokens>, LoginError>

/** The part of a session that a sign-in uses. */
type SignInSession = Pick<
  typeof OAuthSession.Service,
  "authorizationRequest" | "exchange" | "tokens" | "signIn" | "credentials"
>

/** Options of a sign-in. */
export interface LoginOptions {
  /**
   * Goes to the authorization page: `location.assign` by default. The URL is a secret until the user is back. For a shell
   * around a page that opens it elsewhere, for example; the user must come back to this tab.
   */
  readonly navigate?: ((url: URL) => unknown) | undefined
}

/** False on a server that renders a page, and in a worker. */
export const isPage = (): boolean => typeof document !== "undefined"

/** The parameters of a redirect: those of the RFCs, and those of the service's errors. */
const parameters = ["code", "state", "iss", "error", "error_description", "error_uri", "message", "hint"]

const clientIdOf = ({ url }: OAuth.AuthorizationRequest): string =>
  Redacted.value(url).searchParams.get("client_id") ?? ""

/** The key in `sessionStorage` of a sign-in that was started in this tab. */
const keyOf = (clientId: string): string => `catalog-client.sign-in.${clientId}`

/** The stored sign-in. Throws if there is none. */
const keptIn = (key: string): PendingAuthorization => PendingAuthorization.decode(sessionStorage.getItem(key) ?? "")

const pendingIn = (key: string): PendingAuthorization | undefined => {
  try {
    return keptIn(key)
  } catch {
    return undefined
  }
}

/** Keeps a sign-in until the user is back. Some frames have a storage that is always empty. */
const keep = (request: OAuth.AuthorizationRequest): Effect.Effect<void, ClientNetworkError> =>
  Effect.try({
    try: () => {
      const key = keyOf(clientIdOf(request))
      sessionStorage.setItem(key, PendingAuthorization.encode(request))
      keptIn(key)
    },
    catch: (error) => {
      const { origin, pathname } = Redacted.value(request.url)
      return new ClientNetworkError({
        operation: "Login.redirect",
        method: "GET",
        url: origin + pathname,
        reason: "Transport",
        attempts: 0,
        cause: {
          name: error instanceof DOMException ? error.name : "Error",
          message: "sessionStorage, where the page keeps the sign-in, cannot be used. Allow this site to store data"
        }
      })
    }
  })

/** Starts a sign-in, and goes to the authorization page. */
export const redirect = (
  { authorizationRequest }: Pick<SignInSession, "authorizationRequest">,
  { navigate = (url) => location.assign(url) }: LoginOptions = {}
): Effect.Effect<void, ClientNetworkError> =>
  Effect.suspend(() => {
    if (!isPage()) {
      return Effect.die(
        new TypeError("Login.redirect needs a page. On a server, use authorizationRequest and exchange of the session.")
      )
    }
    arrivals.delete(document)
    return Effect.flatMap(Effect.tap(authorizationRequest, keep), ({ url }) =>
      Effect.promise(async () => navigate(new URL(Redacted.value(url))))
    )
  })

/** A redirect that has arrived in a page. */
interface Arrival {
  readonly clientId: string
  /** The page's address as it was, and without the parameters. */
  readonly from: string
  readonly left: string
  readonly redeem: (session: SignInSession) => Effect.Effect<Option.Option<Tokens>, LoginError>
  /** The session that redeems it, the result, and when that came. */
  redemption: { readonly by: SignInSession; readonly result: Promise<Result>; endedAt: number } | undefined
}

/** Milliseconds for which a result is reused: a page that is mounted twice calls again at once. */
const resultLife = 5_000

/** The last arrival of each page, so that a second start of the page gets the same result. */
const arrivals = new WeakMap<Document, Arrival>()

const isCallback = ({ origin, pathname, searchParams }: URL, redirectUri: string | undefined, isStarted: boolean) => {
  const target = redirectUri === undefined ? undefined : new URL(redirectUri)
  const isThere = target === undefined || (target.origin === origin && target.pathname === pathname)
  const has = (name: string) => searchParams.has(name)
  const isAnswer = has("code") || has("error")
  // A page can have parameters of the same names for its own purposes.
  return isThere && (isStarted ? has("state") || isAnswer : has("state") && isAnswer)
}

/** Takes the redirect from the page's address, and what was kept for it from the storage. */
const arrivalOf = (href: string, request: OAuth.AuthorizationRequest): Arrival | undefined => {
  const clientId = clientIdOf(request)
  const known = arrivals.get(document)
  const isKnown = known?.clientId === clientId && (known.from === href || known.left === href)
  if (isKnown && performance.now() < (known.redemption?.endedAt ?? Infinity) + resultLife) {
    return known
  }
  const key = keyOf(clientId)
  const pending = pendingIn(key)
  const url = new URL(href)
  if (!isCallback(url, request.redirectUri, pending !== undefined)) {
    return undefined
  }
  if (pending !== undefined && url.searchParams.get("state") === Redacted.value(pending.state)) {
    sessionStorage.removeItem(key)
  }
  parameters.forEach((name) => url.searchParams.delete(name))
  if (location.href === href) {
    try {
      history.replaceState(history.state, "", url)
    } catch {
      // A browser can refuse it, for example after too many changes. The code stays in the address, and is redeemed once.
    }
  }
  const arrival: Arrival = {
    clientId,
    from: href,
    left: url.href,
    redeem: (session) =>
      pending === undefined
        ? // It was redeemed before, or belongs to no sign-in of this tab: then its state is not that of a new one.
          Effect.flatMap(session.tokens, (tokens) =>
            Option.isSome(tokens) ? Effect.succeedNone : session.exchange(request, href)
          )
        : session.exchange(pending, href),
    redemption: undefined
  }
  arrivals.set(document, arrival)
  return arrival
}

const isCancelled = (result: Result): boolean => {
  const error = Exit.isFailure(result) ? Cause.squash(result.cause) : undefined
  return error instanceof ClientNetworkError && error.reason === "Cancelled"
}

/** Takes over the tokens of another session, if that session still has them. */
const adopt = (session: SignInSession, by: SignInSession, tokens: Tokens): Effect.Effect<void> =>
  Effect.gen(function* () {
    const held = Option.flatten(yield* Effect.option(by.credentials.accessToken))
    const isHeld = Option.isSome(held) && Redacted.value(held.value) === Redacted.value(tokens.accessToken)
    if (isHeld && Option.isNone(Option.flatten(yield* Effect.option(session.tokens)))) {
      yield* session.signIn(tokens)
    }
  })

/** Redeems a redirect once, in its own fiber: all callers get the same result, and can leave at any time. */
const redeem = (arrival: Arrival, session: SignInSession): Effect.Effect<Option.Option<Tokens>, LoginError> =>
  Effect.suspend(() => {
    const redemption = (arrival.redemption ??= {
      by: session,
      result: Effect.runPromiseExit(arrival.redeem(session)).finally(() => {
        redemption.endedAt = performance.now()
      }),
      endedAt: Infinity
    })
    const { by, result } = redemption
    return Effect.flatMap(
      Effect.promise(() => result),
      (exit): Effect.Effect<Option.Option<Tokens>, LoginError> => {
        // A page that is mounted twice can have closed the first session.
        if (by !== session && isCancelled(exit)) {
          if (arrival.redemption === redemption) {
            arrival.redemption = undefined
          }
          return redeem(arrival, session)
        }
        return Exit.isFailure(exit) || Option.isNone(exit.value)
          ? exit
          : Effect.zipRight(by === session ? Effect.void : adopt(session, by, exit.value.value), session.tokens)
      }
    )
  })

/** Finishes the sign-in if the page's address is a redirect. */
export const resume = (session: SignInSession): Effect.Effect<Option.Option<Tokens>, LoginError> =>
  Effect.suspend(() => {
    if (!isPage()) {
      return Effect.succeedNone
    }
    const { href } = location
    const { searchParams } = new URL(href)
    if (arrivals.get(document)?.left !== href && !parameters.some((name) => searchParams.has(name))) {
      return Effect.succeedNone
    }
    return Effect.flatMap(session.authorizationRequest, (request) => {
      const arrival = arrivalOf(href, request)
      return arrival === undefined ? Effect.succeedNone : redeem(arrival, session)
    })
  })
