/**
 * The operations as promises.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/Catalog.ts
/// <reference lib="esnext.disposable" preserve="true" />
import type { HttpClient } from "./platform/httpClient.js"
import type * as Layer from "effect/Layer"
import type { CatalogOperations } from "./Catalog.js"
import type { CatalogConfigOptions } from "./CatalogConfig.js"
import type { Hooks } from "./CatalogHooks.js"
import type { Policy } from "./CatalogPolicy.js"
import type { CredentialOptions, CredentialSource, CredentialsService } from "./Credentials.js"
import type { CatalogResponse, CheckedDefault, FieldsDefault, PromiseFace } from "./Face.js"
import type { Call } from "./Operation.js"

/** Which lines a catalog of promises logs: those of this level and above; `none` for no lines. */
export type CatalogLogLevel = "none" | "error" | "warn" | "info" | "debug"

/**
 * Where a catalog of promises logs: an object like `console`; each function receives one line. Lines of a missing
 * function are dropped. A function that throws does not break a call.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 *
 * export const catalog = createCatalog({ fetch, logger: { warn: (line) => console.error(line) } })
 * ```
 */
export interface CatalogLogger {
  readonly debug?: ((line: string) => void) | undefined
  readonly info?: ((line: string) => void) | undefined
  readonly warn?: ((line: string) => void) | undefined
  readonly error?: ((line: string) => void) | undefined
}

/** A session, as a catalog takes it. */
export interface CatalogSession {
  /** The credentials that each call uses. */
  readonly credentials: CredentialsService
}

/**
 * The options of a catalog of promises, or of a view of one: credentials, where the service is, and defaults of the calls'
 * options. A view shares the transport and the logger of its catalog. `D` is the type of `fields`; without it, there is no such
 * default.
 */
export interface CatalogOptions<D extends FieldsDefault | undefined = never>
  extends CredentialOptions, CatalogConfigOptions {
  /**
   * A session of `@catalog-client/oauth`, which keeps a user signed in. A credential that is also set or assigned
   * takes precedence until it is unset; in `withOptions`, a session replaces those of the catalog. A base URL of another
   * origin than the session's is a `TypeError`. Closing the catalog does not close the session.
   */
  readonly session?: CatalogSession | undefined
  /** The selector of calls that set no `fields`: one for all records, or an object with one for each. */
  readonly fields?: CheckedDefault<D> | undefined
  /** Policies around every exchange, for example those that `Resilience` makes; none by default. */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /**
   * Functions that are called for the events of calls; none by default. Those of a view are called after the catalog's.
   */
  readonly hooks?: Hooks | undefined
  /** Where lines are logged: `console` by default, unless the transport has its own loggers. */
  readonly logger?: CatalogLogger | undefined
  /**
   * Which lines are logged: warnings by default, with `debug` also one for each exchange. On Node, Deno and Bun the
   * environment variable `CATALOG_LOG` sets it if neither `logger` nor `logLevel` is set.
   */
  readonly logLevel?: CatalogLogLevel | undefined
}

/** How requests are sent, instead of the platform's own way: a Layer, or a function like the web's `fetch`. */
export type TransportOptions =
  | {
      /**
       * A transport, for example `FetchHttpClient.layer` of `@effect/platform`. Tracers and loggers that come with it see
       * the calls. Configuration, credentials and policies come only from the other options.
       */
      readonly transport?: Layer.Layer<HttpClient> | undefined
      readonly fetch?: undefined
    }
  | {
      /**
       * A function like the web's `fetch`, called with a URL and a `RequestInit`; or `"global"` for the global `fetch`, as it
       * is at each call, for example replaced by a mock.
       */
      readonly fetch: "global" | ((input: URL, init: RequestInit) => Promise<Response>)
      readonly transport?: undefined
    }

/**
 * The operations as promises, with the two credential slots.
 *
 * A call that fails is rejected with the error itself (`instanceof ClientRestError`, `_tag`), or with a `TypeError` for a
 * bug in the program, such as an invalid option.
 *
 * `D` is the option `fields` of `createCatalog`: replies follow it, so a function that takes any catalog is generic.
 *
 * @example
 * ```ts
 * import type { FieldsDefault, PromiseCatalog } from "@catalog-client/core"
 *
 * export const boardsOf = <D extends FieldsDefault | undefined>(catalog: PromiseCatalog<D>) => catalog.forum.boards()
 * ```
 */
export interface PromiseCatalog<D extends FieldsDefault | undefined = never>
  extends CatalogOperations<PromiseFace, D>, AsyncDisposable {
  /**
   * The access token that the next call sends; `undefined` if it comes from a function, a session or a proxy. With a
   * session, an assigned value takes precedence, and `undefined` switches back to the session. A program that acts for
   * several users makes a view for each, with {@link withOptions}.
   */
  get accessToken(): string | undefined
  set accessToken(source: CredentialSource | undefined)
  /** The client identifier that the next call sends, with the same rules. */
  get clientId(): string | undefined
  set clientId(source: CredentialSource | undefined)
  /**
   * A view of this catalog with other options: for a user, for example. It shares connections, limits and caches, and
   * starts with the options and credentials that this catalog has now. Headers are merged, and policies replace those of
   * the same stage. If `accessToken` or `clientId` is present but `undefined`, none is sent. A view need not be closed.
   *
   * @example
   * ```ts
   * import type { PromiseCatalog } from "@catalog-client/core"
   *
   * export const profileOf = (catalog: PromiseCatalog, accessToken: string | undefined) =>
   *   catalog.withOptions({ accessToken }).user.me()
   * ```
   */
  withOptions<const D2 extends FieldsDefault | undefined = D>(options: CatalogOptions<D2>): PromiseCatalog<D2>
  /**
   * Calls a custom operation, made by `Operation.make` or `Operation.paged`: `catalog.call(operation, params,
   * options)`, and `call.pages`, `call.items` and `call.collect` for whole lists.
   */
  readonly call: Call<PromiseFace>
  /**
   * Returns the reply of a call together with the status, headers and URL of its response; for `collect`, those of the last
   * page that was read. Takes the promise that an operation returned, and throws a `TypeError` for any other promise.
   *
   * @example
   * ```ts
   * import type { PromiseCatalog } from "@catalog-client/core"
   *
   * export const requestId = async (catalog: PromiseCatalog) =>
   *   (await catalog.withResponse(catalog.forum.boards())).headers["x-request-id"]
   * ```
   */
  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>>
  /**
   * Ends the calls in flight, of its views too, and releases the catalog's resources; a view ends only its own calls. These
   * calls, and later ones, are rejected with `ClientNetworkError`, `reason: "Cancelled"`. Closing twice is fine, and an
   * unclosed catalog does not keep the process alive.
   */
  close(): Promise<void>
}
