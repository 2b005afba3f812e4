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
  otherSite,
  respond,
  responseTo,
  signInFirst
} from "./responses.js"
import { isThisMachine, pathOn } from "./urls.js"

/** The paths of a site, and its proxy. */
export interface SiteOptions<Operation extends string> {
  /**
   * The path that starts a sign-in, for `handle`.
   *
   * @default "/login"
   */
  readonly loginPath?: string | undefined
  /**
   * The path to which a form posts to sign out, for `handle`.
   *
   * @default "/logout"
   */
  readonly logoutPath?: string | undefined
  /**
   * Where a visitor goes after a sign-in that was started without `?return=`.
   *
   * @default "/"
   */
  readonly afterSignIn?: string | undefined
  /**
   * Where a visitor goes after signing out.
   *
   * @default "/"
   */
  readonly afterSignOut?: string | undefined
  /**
   * Where a visitor goes whose sign-in failed.
   *
   * @default "/?failed"
   */
  readonly failed?: string | undefined
  /** A proxy that calls the service with the token of the page's visitor. */
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

/** A route for requests of one method. Other requests get the response of `otherwise`. */
const route =
  <R>(
    method: "GET" | "POST",
    isMeant: (request: Request) => boolean,
    otherwise: () => Response,
    handler: Handler<R>
  ): Handler<R> =>
  (request) =>
    Effect.suspend(() =>
      request.method !== method
        ? Effect.succeed(notAllowed(method))
        : isMeant(request)
          ? handler(request)
          : Effect.succeed(otherwise())
    )

const noContent = () => respond(204)

/** The routes of a site. Throws a `TypeError` for an invalid option. */
export class Site<R> {
  readonly proxy: Handler<R>
  readonly #proxyStart: string | undefined
  readonly #loginPath: string
  readonly #logoutPath: string
  readonly #afterSignIn: string
  readonly #afterSignOut: string
  readonly #failed: string
  #cachedPlace: ReturnType<typeof siteAt> | undefined

  constructor(
    private readonly sessions: SiteSessions<R>,
    options: SiteOptions<string>
  ) {
    const { calledAs } = sessions
    /** A path as browsers send it: encoded. */
    const pathFrom = (name: Exclude<keyof SiteOptions<string>, "proxy">, otherwise: string) =>
      checkPath(calledAs, name, options[name] ?? otherwise)
    this.#loginPath = pathFrom("loginPath", "/login")
    this.#logoutPath = pathFrom("logoutPath", "/logout")
    this.#afterSignIn = pathFrom("afterSignIn", "/")
    this.#afterSignOut = pathFrom("afterSignOut", "/")
    this.#failed = pathFrom("failed", "/?failed")
    if (options.proxy !== undefined) {
      checkNames(`${calledAs}: proxy`, options.proxy, { prefix: 1, operations: 1, writes: 1 })
    }
    const calls: ProxyCalls<R> = {
      calledAs: `${calledAs}: proxy`,
      operations: sessions.operations,
      call: (operation, args, request) => {
        const visitor = this.visitorIn(request)
        return visitor === undefined ? Effect.fail(signInFirst()) : sessions.call(visitor, operation, args, request)
      }
    }
    const proxy = options.proxy && makeProxy(calls, options.proxy, (request) => this.#isSameOrigin(request))
    this.proxy = proxy?.proxy ?? (() => Effect.sync(notFound))
    this.#proxyStart = proxy?.start
  }

  readonly login: Handler<R> = route("GET", isVisit, noContent, (request) =>
    Effect.gen(this, function* () {
      const path = new URL(request.url).searchParams.get("return") ?? ""
      const { cookies, origin } = this.#place
      // Each sign-in has a new id, so that an id that another person knows is never signed in.
      const visitor = randomString(32)
      const location = yield* this.sessions.begin(visitor)
      const state = new URL(location).searchParams.get("state") ?? ""
      const pending = { visitor, path: path === "" ? "" : (pathOn(origin, path) ?? "") }
      // A visitor who is signed in stays so until the new sign-in succeeds.
      return respond(
        303,
        { location },
        yield* cookies.setPending(request, state, pending, yield* Clock.currentTimeMillis)
      )
    }).pipe(Effect.catchAll(responseTo))
  )

  readonly callback: Handler<R> = route("GET", isVisit, noContent, (request) =>
    Effect.gen(this, function* () {
      const { pathname, search, searchParams } = new URL(request.url)
      const { cookies, origin } = this.#place
      const [pending, removed] = yield* cookies.pendingIn(request, searchParams.get("state") ?? "")
      // The sign-in belongs to another browser, or has expired.
      if (pending === undefined) {
        return this.#goTo(this.#failed)
      }
      const { path, visitor } = pending
      return yield* Effect.matchEffect(this.sessions.finish(visitor, pathname + search), {
        onFailure: (error) =>
          // If the store failed, a reload helps. Otherwise it does not, because the code may have been used.
          isClientError(error) && !isCredentialsUnavailable(error)
            ? Effect.as(logProblem(error), this.#goTo(this.#failed, [removed]))
            : responseTo(error),
        onSuccess: (isNew) =>
          Effect.map(this.#welcome(visitor, isNew, request), () =>
            this.#goTo(pathOn(origin, path || this.#afterSignIn) ?? this.#afterSignIn, [
              removed,
              cookies.setVisitor(visitor)
            ])
          )
      })
    })
  )

  readonly logout: Handler<R> = route(
    "POST",
    (request) => this.#isSameOrigin(request),
    otherSite,
    (request) =>
      Effect.gen(this, function* () {
        const visitor = this.visitorIn(request)
        if (visitor !== undefined) {
          // If the store fails, too, the browser forgets the id.
          yield* this.#signOut(visitor)
        }
        return this.#goTo(this.#afterSignOut, [this.#place.cookies.removeVisitor])
      })
  )

  /** The route of a request; `undefined` if its path is another one. */
  routeOf(request: Request): Handler<R> | undefined {
    const { pathname } = new URL(request.url)
    if (this.#proxyStart !== undefined && pathname.startsWith(this.#proxyStart)) {
      return this.proxy
    }
    const { callback, login, logout } = this.paths
    const byPath = { [login]: this.login, [logout]: this.logout, [callback]: this.callback }
    return Object.hasOwn(byPath, pathname) ? byPath[pathname] : undefined
  }

  /** The visitor of a request; none in a write that a page of another site has sent. */
  visitorIn(request: Request): string | undefined {
    return /^(GET|HEAD)$/.test(request.method) || this.#isSameOrigin(request)
      ? this.#place.cookies.visitorIn(request)
      : undefined
  }

  /** Where the site is. Not read at once: a build can load a module of the program, and has no environment. */
  get #place(): ReturnType<typeof siteAt> {
    return (this.#cachedPlace ??= siteAt(this.sessions.calledAs, this.sessions.redirectUri()))
  }

  /** The response to a request that has no visitor: another site has sent it, or the visitor is not signed in. */
  refusalOf(request: Request): Response {
    return this.#place.cookies.visitorIn(request) === undefined ? signInFirst() : otherSite()
  }

  /** The paths of the routes, and the one below which the proxy is. */
  get paths() {
    const { callbackPath } = this.#place
    return { login: this.#loginPath, callback: callbackPath, logout: this.#logoutPath, proxy: this.#proxyStart }
  }

  #isSameOrigin({ headers }: Request): boolean {
    const from = headers.get("sec-fetch-site")
    return from === null ? headers.get("origin") === this.#place.origin : from === "same-origin"
  }

  /** Sends a visitor to a path of the site. */
  #goTo(path: string, cookies?: ReadonlyArray<string>): Response {
    return respond(303, { location: this.#place.origin + path }, cookies)
  }

  /** Runs the program's `onSignIn`, and signs out whoever was signed in with this browser. */
  #welcome(visitor: string, isNew: boolean, request: Request): Effect.Effect<void, never, R> {
    return Effect.gen(this, function* () {
      if (isNew) {
        const signedIn = this.sessions.onSignIn(visitor, request)
        yield* Effect.orDie(Effect.onError(signedIn, () => this.#signOut(visitor)))
      }
      const former = this.visitorIn(request)
      if (former !== undefined && former !== visitor) {
        yield* this.#signOut(former)
      }
    })
  }

  /** Signs a visitor out whose id no browser has any longer. */
  #signOut(visitor: string): Effect.Effect<void> {
    return Effect.catchAll(this.sessions.signOut(visitor), (error) =>
      isClientError(error) ? logProblem(error) : Effect.die(error)
    )
  }
}
