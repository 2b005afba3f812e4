/**
 * The options of a catalog.
 *
 * @since 0.2.0
 */
import type { CatalogConfigOptions } from "#core/internal/settings/settings.js"
import type { Hooks } from "#core/internal/policies/hookEvents.js"
import type { Policy } from "#core/internal/policies/policy.js"
import type { CredentialOptions, CredentialsService } from "#core/internal/settings/slots.js"
import type { CheckedDefault, FieldsDefault } from "#core/Face.js"
import type { NamesOf } from "#core/internal/common/options.js"
import { optionChecks } from "#core/internal/settings/settings.js"

/** A level of logging: a catalog logs the lines of this level and above, and with `none` nothing. */
export type CatalogLogLevel = "none" | "error" | "warn" | "info" | "debug"

/**
 * Where a catalog logs: an object like `console`. Each function receives a message, and its facts as fields, if it has any.
 * Lines of a missing function are dropped. A function that throws does not break a call.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 *
 * export const catalog = createCatalog({ logger: { warn: (message) => console.error(message) } })
 * ```
 */
export interface CatalogLogger {
  readonly debug?: ((message: string, fields?: LogFields) => void) | undefined
  readonly info?: ((message: string, fields?: LogFields) => void) | undefined
  readonly warn?: ((message: string, fields?: LogFields) => void) | undefined
  readonly error?: ((message: string, fields?: LogFields) => void) | undefined
}

/** The facts of a line: for a request, its `operation`, `attempt` and `outcome`. */
export type LogFields = Readonly<Record<string, unknown>>

/** A session, as a catalog takes it. */
export interface CatalogSession {
  /** The credentials that each call uses. */
  readonly credentials: CredentialsService
}

/**
 * The options of a catalog, or of a view of one: credentials, where the service is, and defaults of the calls' options.
 * `createCatalog` also takes `fetch`, `dispatcher` and `telemetry` ({@link TransportOptions}). A view shares them, and the logger.
 */
export interface CatalogOptions<D extends FieldsDefault | undefined = never>
  extends CredentialOptions, CatalogConfigOptions {
  /**
   * A session of `catalog-client/oauth`, which keeps a user signed in. A credential that is also set or assigned
   * takes precedence until it is unset; in `withOptions`, a session replaces those of the catalog. A base URL of another
   * origin than the session's is a `TypeError`. Closing the catalog does not close the session.
   */
  readonly session?: CatalogSession | undefined
  /** The selector of calls that set no `fields`: one for all records, or an object with one for each. */
  readonly fields?: CheckedDefault<D> | undefined
  /**
   * Policies around every request, for example those that `Resilience` makes.
   *
   * @default []
   */
  readonly policies?: ReadonlyArray<Policy> | undefined
  /** Functions that are called for the events of calls. Those of a view are called after the catalog's. */
  readonly hooks?: Hooks | undefined
  /**
   * Where lines are logged.
   *
   * @default console
   */
  readonly logger?: CatalogLogger | undefined
  /**
   * Which lines are logged; with `debug`, also one for each request. On Node, Deno and Bun the environment variable
   * `CATALOG_LOG` sets it if neither `logger` nor `logLevel` is set.
   *
   * @default "warn"
   */
  readonly logLevel?: CatalogLogLevel | undefined
}

/** The names of {@link CatalogOptions}. */
export const optionNames: NamesOf<CatalogOptions> = {
  ...optionChecks,
  accessToken: 1,
  clientId: 1,
  session: 1,
  fields: 1,
  policies: 1,
  hooks: 1,
  logger: 1,
  logLevel: 1
}
