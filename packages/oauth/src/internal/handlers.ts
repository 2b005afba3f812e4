/**
 * The routes of a server whose visitors sign in, from a web `Request` to a `Response`. Both faces run them.
 *
 * Nothing is read from `Host`, from `X-Forwarded-*`, or from the origin of the request's URL: the redirect URI says where the site is.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  isCancelled,
  isCredentialsUnavailable,
  isForbidden,
  isInvalidInput,
  isNotFound,
  isPolicyRefusal,
  isRateLimited,
  isSignInRequired,
  isTimeout
} from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { checkNames, mistake, passedOf, show } from "@catalog-client/core/internal"
import { cookiesOf } from "./cookies.js"
import { randomString } from "./random.js"
import { urlIn } from "./values.js"

/** A proxy for the pages of a site. */
export interface ProxyOptions<Operation extends string> {
  /** The path that pages use as `baseUrl`, for example `/catalog`. */
  readonly prefix: string
  /** The reads that pass. */
  readonly operations: ReadonlyArray<Operation>
  /** The writes that pass: none by default. */
  readonly writes?: ReadonlyArray<Operation> | undefined
}

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

/** What a proxy calls. */
export interface ProxyHost<R> {
  readonly where: string
  /** The operations by domain, which may be those of any face. */
  readonly operations: object
  /** Calls an operation for a request. It can fail with a response. */
  readonly call: (
    operation: string,
    args: ReadonlyArray<object>,
    request: Request
  ) => Effect.Effect<unknown, unknown, R>
}

/** What the routes call: the sessions of a face. */
export interface SiteHost<R> extends Omit<ProxyHost<R>, "call"> {
  readonly redirectUri: () => string | undefined
  readonly begin: (visitor: string) => Effect.Effect<string, unknown>
  /** Whether the visitor was signed in now, and not before. */
  readonly finish: (visitor: string, url: string) => Effect.Effect<boolean, unknown>
  readonly signOut: (visitor: string) => Effect.Effect<void, unknown>
  /** Calls an operation with the token of a visitor. */
  readonly call: (visitor: string, ...call: Parameters<ProxyHost<R>["call"]>) => Effect.Effect<unknown, unknown, R>
  readonly onSignIn: (visitor: string, request: Request) => Effect.Effect<unknown, unknown, R>
}

type Handler<R> = (request: Request) => Effect.Effect<Response, never, R>

/** The authorization URL contains the verifier, and replies are of one user: no cache keeps them, and no header passes them on. */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin"
}

const respond = (status: number, more: Readonly<Record<string, string>> = {}, cookies: ReadonlyArray<string> = []) => {
  const all = new Headers({ ...headers, ...more })
  cookies.forEach((cookie) => all.append("set-cookie", cookie))
  return new Response(null, { status, headers: all })
}

const json = (value: unknown, status = 200, more: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...headers, ...more, "content-type": "application/json" }
  })

const refuse = (status: number, error: string, message: string, more?: Readonly<Record<string, string>>) =>
  json({ error, message }, status, more)

const notFound = () => refuse(404, "not_found", "There is nothing at this path.")

const notAllowed = (allow: string) => refuse(405, "method_not_allowed", `Use ${allow}.`, { allow })

const signInFirst = () => refuse(401, "sign_in_required", "Sign in.")

/** The response to an error of a call: without its message, which is for the program. */
export const errorResponse = (error: unknown): Response | undefined => {
  const rest = isClientError(error) && error._tag === "ClientRestError" ? error : undefined
  const seconds = rest?.retryAfter === undefined ? {} : { "retry-after": `${Math.ceil(rest.retryAfter / 1000)}` }
  if (isSignInRequired(error)) {
    return signInFirst()
  }
  if (isInvalidInput(error)) {
    return refuse(400, "bad_request", "The request has an invalid value.")
  }
  if (isNotFound(error)) {
    return refuse(404, "not_found", "There is no such item.")
  }
  if (isForbidden(error)) {
    return refuse(403, "forbidden", "The list is private, or the service refuses the request.", seconds)
  }
  if (isRateLimited(error)) {
    return refuse(429, "too_many_requests", "Too many requests.", seconds)
  }
  if (isCredentialsUnavailable(error) || isPolicyRefusal(error) || isCancelled(error)) {
    return refuse(503, "unavailable", "Try again later.", seconds)
  }
  if (isTimeout(error)) {
    return refuse(504, "timeout", "The catalog takes too long.")
  }
  return isClientError(error)
    ? refuse(502, "bad_gateway", "The catalog did not answer as expected.", seconds)
    : undefined
}

/** Whether a browser shows the response to a person: it neither loads ahead, nor embeds, nor fetches. */
const isVisit = ({ headers }: Request): boolean =>
  !/prefetch|prerender|preview/i.test(
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].map((name) => headers.get(name) ?? "").join()
  ) &&
  !headers.has("next-router-prefetch") &&
  /^(document)?$/.test(headers.get("sec-fetch-dest") ?? "")

const maxFormBytes = 65_536

/** The form of a request; fails with a response for a body that is no form. */
const formIn = (request: Request): Effect.Effect<URLSearchParams, Response> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: async () => {
        const reader = request.body?.getReader()
        const decoder = new TextDecoder()
        let text = ""
        for (let bytes = 0; reader !== undefined;) {
          const { done, value } = (await reader.read()) as ReadableStreamReadResult<Uint8Array>
          if (done) {
            break
          }
          bytes += value.length
          if (bytes > maxFormBytes) {
            await reader.cancel()
            return undefined
          }
          text += decoder.decode(value, { stream: true })
        }
        return text
      },
      catch: () => refuse(400, "bad_request", "The request was cut off.")
    })
    if (text === undefined) {
      return yield* Effect.fail(refuse(413, "too_large", "The request is too large."))
    }
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get("content-type") ?? "")
    return text === "" || isForm
      ? new URLSearchParams(text)
      : yield* Effect.fail(refuse(415, "not_a_form", "Send a form: application/x-www-form-urlencoded."))
  })

/** A path of the site with its query, resolved as a browser would; `undefined` if it leads elsewhere. */
const pathOn = (origin: string, path: string): string | undefined => {
  const url = urlIn(path, origin)
  const found = url?.origin === origin ? url.pathname + url.search : undefined
  // A path that begins with two slashes is another origin, for the next program that reads it.
  return found === undefined || found.startsWith("//") ? undefined : found
}

const checkPath = (where: string, name: string, path: string): string => {
  const found = typeof path === "string" && path.startsWith("/") ? pathOn("http://localhost", path) : undefined
  if (found === undefined) {
    throw mistake(`${where}: ${name} must be a path of the site, for example "/", but it is ${show(path)}`)
  }
  return found
}

const thisMachine = /^(?:localhost|127(?:[.]\d+){3}|\[::1\])$/

const siteAt = (where: string, redirectUri: string | undefined) => {
  const url = urlIn(redirectUri ?? "")
  const isSecure = url?.protocol === "https:"
  if (url === undefined || !(isSecure || (url.protocol === "http:" && thisMachine.test(url.hostname)))) {
    throw mistake(
      `${where}: the client of the sessions needs a redirectUri with https:, or on this machine with http:, but it is ${show(redirectUri)}`
    )
  }
  return { callbackPath: url.pathname, cookies: cookiesOf({ isSecure }), origin: url.origin }
}

/** For the program: the visitor does not see the cause. No message contains a secret. */
const report = ({ message, name }: Error) => Effect.logWarning(`${name}: ${message}`)

/** The response to a failure; a defect for an error that is not the client's. */
const responseTo = (error: unknown): Effect.Effect<Response> => {
  const response = error instanceof Response ? error : errorResponse(error)
  if (response === undefined) {
    return Effect.die(error)
  }
  // A visitor who has left is no problem of the program, and other refusals can be understood by the visitor.
  const isProblem = response.status >= 500 && !isCancelled(error)
  return isProblem ? Effect.as(report(error as Error), response) : Effect.succeed(response)
}

/** A request that no page of another site has made: its pages say so, or there is no page. */
const isOwnRead = ({ headers }: Request): boolean => /^(same-origin|none)?$/.test(headers.get("sec-fetch-site") ?? "")

/** A proxy: the path below which it is, and its route. `isOwnWrite`: whether a page of the site has sent a write. */
export const makeProxy = <R>(
  host: ProxyHost<R>,
  options: ProxyOptions<string>,
  isOwnWrite: (request: Request) => boolean
): { readonly start: string; readonly proxy: Handler<R> } => {
  const { where } = host
  const { operations: reads, prefix, writes = [] } = options
  const start = `${checkPath(where, "prefix", prefix).replace(/\/+$/, "")}/`
  const passed = passedOf(host.operations, [...reads, ...writes], where)
  passed.forEach(({ method, name }) => {
    if (!(method === "GET" ? reads : writes).includes(name)) {
      const [list, other] = method === "GET" ? ["operations", "writes"] : ["writes", "operations"]
      throw mistake(`${where}: ${name} belongs to ${list}, not to ${other}`)
    }
  })
  const proxy: Handler<R> = (request) =>
    Effect.gen(function* () {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.startsWith(start) ? pathname.slice(start.length) : ""
      const found = passed.flatMap((operation) => {
        const params = operation.paramsIn(path)
        return params === undefined ? [] : [{ ...operation, params }]
      })
      if (found.length === 0) {
        return notFound()
      }
      const operation = found.find(({ method }) => method === request.method)
      if (operation === undefined) {
        return notAllowed(found.map(({ method }) => method).join(", "))
      }
      const isRead = operation.method === "GET"
      if (!(isRead ? isOwnRead : isOwnWrite)(request)) {
        return refuse(403, "other_site", "Only pages of this site may call this.")
      }
      const form = isRead ? new URLSearchParams() : yield* formIn(request)
      const args = yield* Effect.try({
        try: () => operation.argsOf(operation.params, searchParams, form),
        catch: (error) => error
      })
      const reply = yield* host.call(operation.name, args, request)
      return reply === undefined ? respond(204) : json(reply)
    }).pipe(Effect.catchAll(responseTo))
  return { start, proxy: (request) => Effect.suspend(() => proxy(request)) }
}

/** The routes of a site. Throws a `TypeError` for an invalid option. */
export const makeSite = <R>(host: SiteHost<R>, options: SiteOptions<string>) => {
  const { where } = host
  const {
    loginPath = "/login",
    logoutPath = "/logout",
    afterSignIn = "/",
    afterSignOut = "/",
    failed = "/?failed"
  } = options
  const paths = { loginPath, logoutPath, afterSignIn, afterSignOut, failed }
  Object.entries(paths).forEach(([name, path]) => checkPath(where, name, path))
  // Not at once: a module can be loaded by a build, which has no environment.
  let known: ReturnType<typeof siteAt> | undefined
  const site = () => (known ??= siteAt(where, host.redirectUri()))

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
    Effect.catchAll(host.signOut(visitor), (error) => (isClientError(error) ? report(error) : Effect.die(error)))

  const call: ProxyHost<R>["call"] = (operation, args, request) => {
    const visitor = visitorIn(request)
    return visitor === undefined ? Effect.fail(signInFirst()) : host.call(visitor, operation, args, request)
  }
  if (options.proxy !== undefined) {
    checkNames(`${where}: proxy`, options.proxy, { prefix: 1, operations: 1, writes: 1 })
  }
  const proxied = options.proxy && makeProxy({ ...host, call, where: `${where}: proxy` }, options.proxy, isSameOrigin)

  const login: Handler<R> = (request) =>
    Effect.gen(function* () {
      const path = new URL(request.url).searchParams.get("return") ?? ""
      const { cookies, origin } = site()
      // A new one each time, so that an id that another person knows is never signed in.
      const visitor = randomString(32)
      const location = yield* host.begin(visitor)
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
      return yield* Effect.matchEffect(host.finish(visitor, pathname + search), {
        onFailure: (error) =>
          // If the store failed, a reload helps. Otherwise it does not, since the code may have been used.
          isClientError(error) && !isCredentialsUnavailable(error)
            ? Effect.as(report(error), goTo(failed, [removed]))
            : responseTo(error),
        onSuccess: (isNew) =>
          Effect.gen(function* () {
            if (isNew) {
              const signedIn = host.onSignIn(visitor, request)
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

  /** A route for requests of one method. */
  const only =
    (method: "GET" | "POST", isMeant: (request: Request) => boolean, otherwise: () => Response, handler: Handler<R>) =>
    (request: Request): Effect.Effect<Response, never, R> =>
      Effect.suspend(() =>
        request.method !== method
          ? Effect.succeed(notAllowed(method))
          : isMeant(request)
            ? handler(request)
            : Effect.succeed(otherwise())
      )

  const nothing = () => respond(204)
  const routes = {
    login: only("GET", isVisit, nothing, login),
    callback: only("GET", isVisit, nothing, callback),
    logout: only("POST", isSameOrigin, () => refuse(403, "other_site", "Sign out on the site itself."), logout),
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
