/**
 * The routes of a server whose visitors sign in, from a web `Request` to a `Response`. Both faces run them.
 *
 * Nothing is read from `Host`, from `X-Forwarded-*`, or from the origin of the request's URL: the redirect URI says where the
 * site is.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isCredentialsUnavailable } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { checkNames, mistake, show, Values } from "@catalog-client/core/internal"
import { cookiesOf } from "./cookies.js"
import { checkPath, makeProxy, type ProxyCalls, type ProxyOptions } from "./proxy.js"
import { randomString } from "./random.js"
import {
  type Handler,
  logProblem,
  notAllowed,
  notFound,
  refuse,
  respond,
  responseTo,
  signInFirst
} from "./responses.js"
import { isThisMachine, pathOn } from "./urls.js"

/** The paths of a site, and its proxy. */
export interface SiteOptions<Operation extends string> {
  /** The path that starts a sign-in, for `handle`: `/login` by default. */
  readonly loginPath?: string | undefined
  /** The path to which a form posts to sign out, for `handle`: `/logout` by default. */
  readonly logoutPath?: string | undefined
  /** Where a visitor goes after a sign-in that was started without `?return=`: `/` by default. */
  readonly afterSignIn?: string | undefined
  /** Where a visitor goes after signing out: `/` by default. */
  readonly afterSignOut?: string | undefined
  /** Where a visitor goes whose sign-in failed: `/?failed` by default. */
  readonly failed?: string | undefined
  /** A proxy that calls the service with the token of the page's visitor: none by default. */
  readonly proxy?: ProxyOptions<Operation> | undefined
}

/** The names of the options. */
export const siteNames: Record<keyof SiteOptions<string>, unknown> = {
  loginPath: 1,
  logoutPath: 1,
  afterSignIn: 1,
  afterSignOut: 1,
  failed: 1,
  proxy: 1
}

/** What the routes call: the sessions of a face. */
export interface SiteSessions<R> extends Omit<ProxyCalls<R>, "call"> {
  readonly redirectUri: () => string | undefined
  readonly begin: (visitor: string) => Effect.Effect<string, unknown>
  /** Whether the visitor was signed in now, and not before. */
  readonly finish: (visitor: string, url: string) => Effect.Effect<boolean, unknown>
  readonly signOut: (visitor: string) => Effect.Effect<void, unknown>
  /** Calls an operation with the token of a visitor. */
  readonly call: (visitor: string, ...call: Parameters<ProxyCalls<R>["call"]>) => Effect.Effect<unknown, unknown, R>
  readonly onSignIn: (visitor: string, request: Request) => Effect.Effect<unknown, unknown, R>
}

/** Whether a browser shows the response to a person: it neither loads ahead, nor embeds, nor fetches. */
const isVisit = ({ headers }: Request): boolean =>
  !/prefetch|prerender|preview/i.test(
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => headers.get(name) ?? "").join()
  ) &&
  !headers.has("next-router-prefetch") &&
  /^(document)?$/.test(headers.get("sec-fetch-dest") ?? "")

const siteAt = (calledAs: string, redirectUri: string | undefined) => {
  const url = Values.urlIn(redirectUri ?? "")
  const isSecure = url?.protocol === "https:"
  if (url === undefined || !(isSecure || (url.protocol === "http:" && isThisMachine(url.hostname)))) {
    throw mistake(
      `${calledAs}: the client of the sessions needs a redirectUri with https:, or on this machine with http:, but it is ${show(redirectUri)}`
    )
  }
  return { callbackPath: url.pathname, cookies: cookiesOf({ isSecure }), origin: url.origin }
}

/** The routes of a site. Throws a `TypeError` for an invalid option. */
export const makeSite = <R>(sessions: SiteSessions<R>, options: SiteOptions<string>) => {
  const { calledAs } = sessions
  /** A path as browsers send it: encoded. */
  const pathFrom = (name: Exclude<keyof SiteOptions<string>, "proxy">, otherwise: string) =>
    checkPath(calledAs, name, options[name] ?? otherwise)
  const loginPath = pathFrom("loginPath", "/login")
  const logoutPath = pathFrom("logoutPath", "/logout")
  const afterSignIn = pathFrom("afterSignIn", "/")
  const afterSignOut = pathFrom("afterSignOut", "/")
  const failed = pathFrom("failed", "/?failed")
  // Not at once: a module can be loaded by a build, which has no environment.
  let known: ReturnType<typeof siteAt> | undefined
  const site = () => (known ??= siteAt(calledAs, sessions.redirectUri()))

  /** Sends a visitor to a path of the site. */
  const goTo = (path: string, cookies?: ReadonlyArray<string>) =>
    respond(303, { location: site().origin + path }, cookies)

  const isSameOrigin = ({ headers }: Request): boolean => {
    const from = headers.get("sec-fetch-site")
    return from === null ? headers.get("origin") === site().origin : from === "same-origin"
  }

  /** The visitor; none in a write that a page of another site has sent. */
  const visitorIn = (request: Request): string | undefined =>
    /^(GET|HEAD)$/.test(request.method) || isSameOrigin(request) ? site().cookies.visitorIn(request) : undefined

  /** Signs a visitor out whose id no browser has any longer. */
  const forget = (visitor: string) =>
    Effect.catchAll(sessions.signOut(visitor), (error) =>
      isClientError(error) ? logProblem(error) : Effect.die(error)
    )

  const call: ProxyCalls<R>["call"] = (operation, args, request) => {
    const visitor = visitorIn(request)
    return visitor === undefined ? Effect.fail(signInFirst()) : sessions.call(visitor, operation, args, request)
  }
  if (options.proxy !== undefined) {
    checkNames(`${calledAs}: proxy`, options.proxy, { prefix: 1, operations: 1, writes: 1 })
  }
  const proxied =
    options.proxy && makeProxy({ ...sessions, call, calledAs: `${calledAs}: proxy` }, options.proxy, isSameOrigin)

  const login: Handler<R> = (request) =>
    Effect.gen(function* () {
      const path = new URL(request.url).searchParams.get("return") ?? ""
      const { cookies, origin } = site()
      // A new one each time, so that an id that another person knows is never signed in.
      const visitor = randomString(32)
      const location = yield* sessions.begin(visitor)
      const state = new URL(location).searchParams.get("state") ?? ""
      const pending = { visitor, path: path === "" ? "" : (pathOn(origin, path) ?? "") }
      // A visitor who is signed in stays so until the new sign-in succeeds.
      return respond(
        303,
        { location },
        yield* cookies.setPending(request, state, pending, yield* Clock.currentTimeMillis)
      )
    }).pipe(Effect.catchAll(responseTo))

  const callback: Handler<R> = (request) =>
    Effect.gen(function* () {
      const { pathname, search, searchParams } = new URL(request.url)
      const { cookies, origin } = site()
      const [pending, removed] = yield* cookies.pendingIn(request, searchParams.get("state") ?? "")
      // Of another browser, or too late.
      if (pending === undefined) {
        return goTo(failed)
      }
      const { path, visitor } = pending
      return yield* Effect.matchEffect(sessions.finish(visitor, pathname + search), {
        onFailure: (error) =>
          // If the store failed, a reload helps. Otherwise it does not, since the code may have been used.
          isClientError(error) && !isCredentialsUnavailable(error)
            ? Effect.as(logProblem(error), goTo(failed, [removed]))
            : responseTo(error),
        onSuccess: (isNew) =>
          Effect.gen(function* () {
            if (isNew) {
              const signedIn = sessions.onSignIn(visitor, request)
              yield* Effect.orDie(Effect.onError(signedIn, () => forget(visitor)))
            }
            const former = visitorIn(request)
            if (former !== undefined && former !== visitor) {
              yield* forget(former)
            }
            return goTo(pathOn(origin, path || afterSignIn) ?? afterSignIn, [removed, cookies.setVisitor(visitor)])
          })
      })
    })

  const logout: Handler<R> = (request) =>
    Effect.gen(function* () {
      const visitor = visitorIn(request)
      if (visitor !== undefined) {
        // If the store fails, too, the browser forgets the id.
        yield* forget(visitor)
      }
      return goTo(afterSignOut, [site().cookies.removeVisitor])
    })

  /** A route for requests of one method; those that do not mean it get the response of `otherwise`. */
  const route =
    (
      method: "GET" | "POST",
      handler: Handler<R>,
      isMeant: (request: Request) => boolean,
      otherwise: () => Response
    ): Handler<R> =>
    (request) =>
      Effect.suspend(() =>
        request.method !== method
          ? Effect.succeed(notAllowed(method))
          : isMeant(request)
            ? handler(request)
            : Effect.succeed(otherwise())
      )

  const nothing = () => respond(204)
  const routes = {
    login: route("GET", login, isVisit, nothing),
    callback: route("GET", callback, isVisit, nothing),
    logout: route("POST", logout, isSameOrigin, () => refuse(403, "other_site", "Sign out on the site itself.")),
    proxy: proxied?.proxy ?? (() => Effect.sync(notFound))
  }
  return {
    ...routes,
    /** The route of a request; `undefined` if its path is another one. */
    routeOf: (request: Request): Handler<R> | undefined => {
      const { pathname } = new URL(request.url)
      if (proxied !== undefined && pathname.startsWith(proxied.start)) {
        return routes.proxy
      }
      const byPath = { [loginPath]: routes.login, [logoutPath]: routes.logout, [site().callbackPath]: routes.callback }
      return Object.hasOwn(byPath, pathname) ? byPath[pathname] : undefined
    },
    /** The visitor of a request; `undefined` if none is signed in. */
    visitorIn
  }
}
