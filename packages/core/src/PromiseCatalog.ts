/**
 * The operations as promises.
 *
 * @since 0.1.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type { HttpClient } from "./platform/httpClient.js"
import type * as Layer from "effect/Layer"
import type { CatalogOperations } from "./Catalog.js"
import type { CallDefaults, CatalogConfigOptions } from "./CatalogConfig.js"
import type { Hooks } from "./CatalogHooks.js"
import type { Policy } from "./CatalogPolicy.js"
import type { CredentialSource, CredentialsService, CredentialValues } from "./Credentials.js"
import type { CatalogResponse, FieldsDefault, PromiseFace } from "./Face.js"

/** Which lines a catalog of promises logs: those of this level and above; `none` for no line at all. */
export type CatalogLogLevel = "none" | "error" | "warn" | "info" | "debug"

/**
 * Where a catalog of promises logs: an object like `console`, whose functions are each given one line of text. A
 * function that is missing leaves its lines out. One that throws breaks no call.
 *
 * @example
 * ```ts
 * import { type CatalogLogger, createCatalog } from "@catalog-client/core"
 *
 * const toStandardError = (line: string) => console.error(line)
 * const logger: CatalogLogger = { debug: toStandardError, warn: toStandardError }
 *
 * export const catalog = createCatalog({ fetch, logger, logLevel: "debug" })
 * ```
 */
export interface CatalogLogger {
  readonly debug?: ((line: string) => void) | undefined
  readonly info?: ((line: string) => void) | undefined
  readonly warn?: ((line: string) => void) | undefined
  readonly error?: ((line: string) => void) | undefined
}

/** What keeps a user signed in, as a catalog takes it. */
export interface CatalogSession {
  /** What each call asks for credentials. */
  readonly credentials: CredentialsService
}

/** What `createCatalog` takes besides a transport: credentials, where the service is, and defaults of the calls' options. */
export interface CatalogOptions<D extends FieldsDefault | undefined = FieldsDefault | undefined>
  extends CredentialValues, Omit<CatalogConfigOptions, "defaults">, CallDefaults {
  /**
   * What keeps a user signed in, in place of `accessToken` and `clientId`: a session of `@catalog-client/core/oauth`. A
   * credential that is given or assigned besides comes first, until it is unset. In `withOptions`, a session replaces the
   * credentials of the catalog. The session is not closed with the catalog: several can use it.
   */
  readonly session?: CatalogSession | undefined
  /** The selector of every call that does not give its own: one for all records, or one for each. */
  readonly fields?: D | FieldsDefault | undefined
  /**
   * Policies around every exchange, for example those that `Resilience` makes; none by default. They take their places
   * in whatever order they are listed.
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /** Functions that are told of requests, responses, retries, waits and replies from a cache; none by default. */
  readonly hooks?: Hooks | undefined
  /**
   * Where lines are logged: `console` by default, unless the transport's Layer brings loggers of its own. No line holds a
   * credential.
   */
  readonly logger?: CatalogLogger | undefined
  /**
   * Which lines are logged: warnings by default, with `debug` also one for each exchange. On Node, Deno and Bun the environment
   * variable `CATALOG_LOG` sets it where neither `logger` nor `logLevel` is given.
   */
  readonly logLevel?: CatalogLogLevel | undefined
}

/** What `withOptions` takes: all that `createCatalog` takes but what the views of a catalog share. */
export interface ViewOptions<
  D extends FieldsDefault | undefined = FieldsDefault | undefined
> extends CatalogOptions<D> {}

/** How requests are sent: a Layer, or a function like the web's `fetch` in its place. */
export type TransportOptions =
  | {
      /**
       * A transport, for example `FetchHttpClient.layer` of `@effect/platform`. Tracers and loggers that come with it
       * see the calls. Configuration, credentials and policies come from the other options alone.
       */
      readonly transport?: Layer.Layer<HttpClient> | undefined
      readonly fetch?: undefined
    }
  | {
      /** A function like the web's `fetch`, called with a URL and a `RequestInit`. */
      readonly fetch: (input: URL, init: RequestInit) => Promise<Response>
      readonly transport?: undefined
    }

/** What {@link createCatalog} takes. */
export type CreateCatalogOptions<D extends FieldsDefault | undefined = FieldsDefault | undefined> = CatalogOptions<D> &
  (
    | Extract<TransportOptions, { readonly fetch: unknown }>
    | { readonly transport: Layer.Layer<HttpClient>; readonly fetch?: undefined }
  )

/**
 * The operations as promises, with the two credential slots.
 *
 * A call that fails is rejected with the very error object (`instanceof ClientRestError`, `_tag`), or with a
 * `TypeError` for a mistake of the program.
 *
 * `D` is the option `fields` of `createCatalog`. Replies follow it, so a catalog with such a default has another type
 * than one without. A function that takes either is generic.
 *
 * @example
 * ```ts
 * import type { FieldsDefault, PromiseCatalog } from "@catalog-client/core"
 *
 * export const boardsOf = (catalog: PromiseCatalog) => catalog.forum.boards()
 *
 * export const endAll = <D extends FieldsDefault | undefined>(catalogs: ReadonlyArray<PromiseCatalog<D>>) =>
 *   Promise.all(catalogs.map((catalog) => catalog.close()))
 * ```
 */
export interface PromiseCatalog<D extends FieldsDefault | undefined = never>
  extends CatalogOperations<PromiseFace, D>, AsyncDisposable {
  /**
   * The access token that the next call sends; `undefined` also where a function gives it. A whole list is read with what
   * was assigned when it began, and a function is called anew for each page. With a session, what is assigned comes first, and
   * `undefined` leads back to the session, whose token is not shown here. A program that acts for several users makes
   * a view for each, with {@link withOptions}: assigning would change the token under the calls of others.
   */
  get accessToken(): string | undefined
  set accessToken(source: CredentialSource | undefined)
  /** The client identifier that the next call sends, with the same rules. */
  get clientId(): string | undefined
  set clientId(source: CredentialSource | undefined)
  /**
   * A view of this catalog with other options: for a user, for example. It shares connections, limits and caches, and starts
   * with the options and credentials that this catalog has now. Headers are merged, policies replace those of the same stage,
   * and `accessToken` or `clientId` count also where they are `undefined`: then none is sent.
   *
   * Closing a view ends its own calls, closing the catalog ends all. A view need not be closed.
   *
   * @example
   * ```ts
   * import type { PromiseCatalog } from "@catalog-client/core"
   *
   * export const profileOf = (catalog: PromiseCatalog, user: { readonly token: string | undefined }) =>
   *   catalog.withOptions({ accessToken: user.token }).user.me()
   * ```
   */
  withOptions<const D2 extends FieldsDefault | undefined = D>(options: ViewOptions<D2>): PromiseCatalog<D2>
  /**
   * Gives the reply of a call together with status, headers and URL of its response; of a `collect`, those of the page that was
   * read last. Takes the very promise that an operation has returned, and throws a `TypeError` for any other.
   *
   * @example
   * ```ts
   * import type { PromiseCatalog } from "@catalog-client/core"
   *
   * export const requestId = async (catalog: PromiseCatalog) => {
   *   const { data, headers } = await catalog.withResponse(catalog.anime.get({ id: 30230 }))
   *   return `${data.title}: ${headers["x-request-id"]}`
   * }
   * ```
   */
  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>>
  /**
   * Ends the calls in flight, also one that is just being sent, and releases what the catalog holds. These calls, and
   * later ones, are rejected with `ClientNetworkError`, `reason: "Cancelled"`. Closing twice is fine, and a program that
   * forgets to close still ends.
   */
  close(): Promise<void>
}
