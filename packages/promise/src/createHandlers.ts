/**
 * The routes of a server whose visitors sign in, and proxies for its pages.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Catalog as operations } from "#core/Catalog.js"
import type { FieldsDefault } from "#core/Face.js"
import { mistake, show } from "#core/internal/common/mistakes.js"
import { checkNames, checkObject, type NamesOf } from "#core/internal/common/options.js"
import { hasMethod } from "#core/internal/common/values.js"
import { logging } from "./internal/log.js"
import { makeProxy, type ProxyOptions } from "#oauth/internal/proxy.js"
import { Site, siteNames, type SiteOptions } from "#oauth/internal/site.js"
import type { CatalogFor, CatalogOperations, CatalogWith } from "./Catalog.js"
import type { CatalogOptions } from "./CatalogOptions.js"
import type { SessionsWith } from "./createSessions.js"

/** The name of an operation, for example `anime.get`. */
export type OperationName = {
  readonly [Domain in keyof CatalogOperations]: `${Domain}.${keyof CatalogOperations[Domain] & string}`
}[keyof CatalogOperations]

/** Where failed sign-ins and calls are logged. */
type LogOptions = Pick<CatalogOptions, "logger" | "logLevel">

/** What {@link createHandlers} takes. */
export interface HandlersOptions<D extends FieldsDefault | undefined = never>
  extends SiteOptions<OperationName>, LogOptions {
  /** The sessions of the visitors. Their client needs a redirect URI, which says where the site is. */
  readonly sessions: SessionsWith<D>
  /** Called before the visitor gets the cookie. If it fails, so does the route, and the visitor is not signed in. */
  readonly onSignIn?: ((signedIn: { readonly visitor: string; readonly request: Request }) => unknown) | undefined
}

/** What {@link createProxy} takes. */
export interface ProxyHandlerOptions extends Pick<ProxyOptions<OperationName>, "prefix" | "operations">, LogOptions {
  /** The catalog that sends the calls, with its credentials and policies. */
  readonly catalog: Pick<CatalogWith<never>, "withOptions">
}

/** A route: a function from a web request to its response. It rejects with the errors of the program's own functions. */
export type Handler = (request: Request) => Promise<Response>

/** The routes of a site. */
export interface Handlers<D extends FieldsDefault | undefined = never> {
  /** `GET`: sends the visitor to the sign-in page of the service. `?return=/path` says where to go afterwards. */
  readonly login: Handler
  /** `GET`, at the redirect URI: signs the visitor in, as a new visitor with a cookie. */
  readonly callback: Handler
  /** `POST`, by a page of the site: removes the visitor's tokens and cookie. The tokens are not revoked. */
  readonly logout: Handler
  /** Calls an operation for a page of the site, with the token of its visitor, and returns the reply as JSON. */
  readonly proxy: Handler
  /** Runs the route of a request; `undefined` if its path is none of these. */
  readonly handle: (request: Request) => Promise<Response> | undefined
  /** The visitor of a request, from its cookie; `undefined` if there is none, or if another site has sent a write. */
  readonly visitorOf: (request: Request) => string | undefined
  /** The catalog of the visitor of a request, whose calls end with the request; `undefined` if there is no visitor. */
  readonly catalogOf: (request: Request) => CatalogFor<D> | undefined
  /** The response to a request without a visitor: 401, or 403 if another site has sent a write. */
  readonly refusalOf: (request: Request) => Response
}

const logNames: NamesOf<LogOptions> = { logger: 1, logLevel: 1 }

type Called = (...args: ReadonlyArray<object>) => Promise<unknown>

/** Calls an operation of a catalog. */
const callOf = (catalog: object, operation: string, args: ReadonlyArray<object>): Promise<unknown> => {
  const [domain = "", name = ""] = operation.split(".")
  const called = (catalog as Readonly<Record<string, Readonly<Record<string, Called>>>>)[domain]?.[name] as Called
  return called(...args)
}

const promised = <A>(run: () => A | PromiseLike<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error })

/** Runs routes, with the program's logger. */
const runner = (options: LogOptions, calledAs: string) => {
  const logger = logging(options, calledAs)
  return async (response: Effect.Effect<Response>): Promise<Response> => {
    const exit = await Effect.runPromiseExit(Effect.provide(response, logger))
    if (Exit.isFailure(exit)) {
      throw Cause.squash(exit.cause)
    }
    return exit.value
  }
}

/** `createHandlers`, which is the same on every platform. */
export const createHandlers = <const D extends FieldsDefault | undefined = never>(
  options: HandlersOptions<D>
): Handlers<D> => {
  const calledAs = "createHandlers"
  checkObject(calledAs, options)
  checkNames(calledAs, options, { ...siteNames, sessions: 1, onSignIn: 1, ...logNames })
  const { logger, logLevel, onSignIn, sessions, ...siteOptions } = options
  const run = runner({ logger, logLevel }, calledAs)
  if (!hasMethod(sessions, "finish")) {
    throw mistake(`${calledAs}: sessions must come from createSessions, but it is ${show(sessions)}`)
  }
  const site = new Site<never>(
    {
      calledAs,
      operations,
      redirectUri: () => sessions.redirectUri,
      begin: (visitor) => promised(() => sessions.begin(visitor)),
      finish: (visitor, url) => promised(async () => (await sessions.finish(visitor, url)) !== undefined),
      signOut: (visitor) => promised(() => sessions.signOut(visitor)),
      call: (visitor, operation, args, { signal }) =>
        promised(() => callOf(sessions.catalogOf(visitor).withOptions({ signal }), operation, args)),
      onSignIn: (visitor, request) => promised(() => onSignIn?.({ visitor, request }))
    },
    siteOptions
  )
  return {
    login: (request) => run(site.login(request)),
    callback: (request) => run(site.callback(request)),
    logout: (request) => run(site.logout(request)),
    proxy: (request) => run(site.proxy(request)),
    handle: (request) => {
      const route = site.routeOf(request)
      return route && run(route(request))
    },
    visitorOf: (request) => site.visitorIn(request),
    catalogOf: (request) => {
      const visitor = site.visitorIn(request)
      return visitor === undefined ? undefined : sessions.catalogOf(visitor).withOptions<D>({ signal: request.signal })
    },
    refusalOf: (request) => site.refusalOf(request)
  }
}

/** `createProxy`, which is the same on every platform. */
export const createProxy = (options: ProxyHandlerOptions): Handler => {
  const calledAs = "createProxy"
  checkObject(calledAs, options)
  checkNames(calledAs, options, { catalog: 1, prefix: 1, operations: 1, ...logNames })
  const { catalog, logger, logLevel, operations: names, prefix } = options
  const run = runner({ logger, logLevel }, calledAs)
  if (!hasMethod(catalog, "withOptions")) {
    throw mistake(`${calledAs}: catalog must come from createCatalog, but it is ${show(catalog)}`)
  }
  const { proxy } = makeProxy<never>(
    {
      calledAs,
      operations,
      call: (operation, args, { signal }) => promised(() => callOf(catalog.withOptions({ signal }), operation, args))
    },
    { prefix, operations: names },
    () => false
  )
  return (request) => run(proxy(request))
}
