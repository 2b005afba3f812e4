/**
 * Where the service is, how the client talks to it, and the defaults of a call's options.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isHeaderValue, isNamed, limitOf, show, signalOf } from "./internal/common/validate.js"
import { ServiceProfile } from "./ServiceProfile.js"

export { DEFAULT_MAX_RESPONSE_BYTES, DEFAULT_REQUEST_TIMEOUT } from "./internal/common/validate.js"

/** The options of a call that can have a default. */
export interface CallDefaults {
  /**
   * How long one exchange may take, to the last byte of the body: a number of milliseconds, or a `Duration` like
   * `"5 seconds"`. 30 000 by default, `0` and `Infinity` for no limit.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * Bytes that the body of a response may have after decompression: 64 MiB by default, `Infinity` for no limit but
   * that of a string (512 MiB in V8). Reading stops at a larger body, and the exchange fails with `ClientNetworkError`,
   * `reason: "ResponseTooLarge"`.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * How long the whole call may take, with every exchange and wait that its policies cause: a number of milliseconds, or
   * a `Duration` like `"1 minute"`. No limit by default, nor with `0` or `Infinity`.
   */
  readonly totalTimeout?: DurationInput | undefined
  /**
   * Cancels the call when it is aborted, with `reason: "Cancelled"`. This holds for `AbortSignal.timeout(ms)` too,
   * where `totalTimeout: ms` would be a `Timeout`. A call's own signal replaces the default one; `AbortSignal.any([…])`
   * heeds both.
   */
  readonly signal?: AbortSignal | undefined
  /** Whether works that are marked gray or black are part of searches, rankings, seasons, suggestions and lists. */
  readonly nsfw?: boolean | undefined
}

/** Changes to a configuration; what is left out stays as it is. */
export interface CatalogConfigOptions {
  /**
   * An absolute `http:` or `https:` URL, with or without a path or a slash at its end. In a browser it can be a path of
   * the page's own origin, for example `/api/catalog`; where there is no page, as on a server, that is a `TypeError`. A
   * function that gives one of these is called when it is needed: by the first call of a promise catalog, or where a
   * Layer is built.
   */
  readonly baseUrl?: string | URL | (() => string | URL) | undefined
  /**
   * Extra headers to send; they never replace the header of a credential. The values of `authorization`,
   * `proxy-authorization`, `cookie`, `x-api-key` and the profile's own headers for credentials stay out of sight as
   * credentials do, and so does any value that is `Redacted`.
   */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /** The deployment of the service. */
  readonly profile?: ServiceProfile | undefined
  /** Default options, for every call that does not give its own. */
  readonly defaults?: CallDefaults | undefined
  /**
   * Whether to send trace headers to the service. By default they are sent only over a client of the platform that was
   * wrapped in `HttpClient.withTracerPropagation(true)`, in calls that are traced. In a browser they cause a CORS preflight.
   */
  readonly tracePropagation?: boolean | undefined
}

/**
 * Options for `layerConfig`: each stands as it is or is read with Effect's `Config`, and so can all of them in one
 * `Config`. What `Config.Wrap` takes, and plain values besides.
 *
 * @example
 * ```ts
 * import type { CredentialValues, FromConfig } from "@catalog-client/core"
 * import { Config } from "effect"
 *
 * export const values: FromConfig<CredentialValues> = { clientId: Config.string("MY_CLIENT_ID"), accessToken: "" }
 * ```
 */
export type FromConfig<O> =
  | Config.Config<O>
  | {
      readonly [K in keyof O]:
        | O[K]
        | Config.Config<O[K]>
        // These hold options of their own.
        | (K extends "headers" | "defaults" ? FromConfig<NonNullable<O[K]>> : never)
    }

/** A whole configuration. */
export interface CatalogSettings {
  /** Without a slash at its end; `undefined` means the profile's. */
  readonly baseUrl: string | undefined
  /** Names in lower case; secret values are `Redacted`. */
  readonly headers: Readonly<Record<string, string | Redacted.Redacted<string>>>
  readonly profile: ServiceProfile
  readonly defaults: CallDefaults
  /** `undefined` where nothing was said: then no trace headers are sent, unless the client propagates traces. */
  readonly tracePropagation: boolean | undefined
}

/** @internal */
export const initial: CatalogSettings = {
  baseUrl: undefined,
  headers: {},
  profile: ServiceProfile.default,
  defaults: {},
  tracePropagation: undefined
}

/** A base URL without the slash at its end. A path is one of the page's own origin, as in a link. */
const checkBaseUrl = (value: string | URL): string => {
  // Two slashes, of whatever kind, would begin another origin.
  const isPath = typeof value === "string" && /^\/(?![/\\])/.test(value)
  const { location }: { readonly location?: { readonly href: string } } = globalThis
  const page = isPath ? location?.href : undefined
  const url = URL.canParse(value, page) ? new URL(value, page) : undefined
  const text = String(value)
  // What stands before an @ can be a password, also in what is no URL.
  const isShown = !text.includes("@")
  if (isPath && url === undefined) {
    throw new TypeError(
      `baseUrl${isShown ? ` ${show(text)}` : ""} is a path of the page's own origin, and there is no page here. Give an absolute URL, or call where the page is.`
    )
  }
  if (url?.username || url?.password) {
    throw new TypeError(
      "baseUrl must not hold a user name or password: use the option headers for a proxy's credentials"
    )
  }
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) {
    const shown = isShown ? `, but it is ${show(text)}` : ""
    throw new TypeError(`baseUrl must be an absolute http: or https: URL without a query or fragment${shown}`)
  }
  return url.href.replace(/\/+$/, "")
}

const secretHeaders = ["authorization", "proxy-authorization", "cookie", "x-api-key"]

const checkHeaders = (
  base: CatalogSettings["headers"],
  headers: NonNullable<CatalogConfigOptions["headers"]>,
  { accessToken, clientId }: ServiceProfile
): CatalogSettings["headers"] => {
  const secret = [...secretHeaders, accessToken.header.toLowerCase(), clientId.header.toLowerCase()]
  const checked: Record<string, string | Redacted.Redacted<string>> = {}
  if (!isNamed(headers)) {
    throw new TypeError("headers must be an object")
  }
  for (const [name, given] of [...Object.entries(base), ...Object.entries(headers)]) {
    const value: unknown = Redacted.isRedacted(given) ? Redacted.value(given) : given
    // A value can be a secret, so a message holds the name alone.
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw new TypeError(`headers: ${JSON.stringify(name)} cannot be the name of a header`)
    }
    if (typeof value !== "string" || !isHeaderValue(value)) {
      throw new TypeError(`headers: the value of ${JSON.stringify(name)} cannot be sent in a header`)
    }
    const key = name.toLowerCase()
    checked[key] = Redacted.isRedacted(given) ? given : secret.includes(key) ? Redacted.make(value) : value
  }
  return checked
}

/**
 * Where the service is, without a slash at the end.
 *
 * @internal
 */
export const baseUrlOf = ({ baseUrl, profile }: CatalogSettings): string => {
  const url = baseUrl ?? profile.baseUrl
  // Settings made by hand were not checked.
  return url.endsWith("/") ? url.replace(/\/+$/, "") : url
}

/** One object over another, where `undefined` (and `null`, for callers without types) leaves what is there. */
const over = <A extends object>(base: A, changes: { readonly [K in keyof A]?: A[K] | undefined }): A => {
  const merged = { ...base }
  for (const key in changes) {
    const value = changes[key]
    if (value !== undefined && value !== null) {
      merged[key] = value
    }
  }
  return merged
}

/**
 * Options over a configuration. Throws a `TypeError` that names what cannot be.
 *
 * @internal
 */
export const merge = (base: CatalogSettings, options: CatalogConfigOptions): CatalogSettings => {
  const { baseUrl, defaults: given } = over<CatalogConfigOptions>({}, options)
  const defaults: { -readonly [K in keyof CallDefaults]: CallDefaults[K] } | undefined = given && over({}, given)
  for (const name of ["timeout", "totalTimeout", "maxResponseBytes"] as const) {
    if (defaults?.[name] !== undefined) {
      // As a number: each call reads it.
      defaults[name] = limitOf(name, defaults[name])
    }
  }
  signalOf(defaults?.signal)
  return over(base, {
    baseUrl: baseUrl === undefined ? undefined : checkBaseUrl(typeof baseUrl === "function" ? baseUrl() : baseUrl),
    // Another profile has other headers that hold a secret.
    headers:
      (options.headers ?? options.profile) &&
      checkHeaders(base.headers, options.headers ?? {}, options.profile ?? base.profile),
    profile: options.profile && { ...options.profile, baseUrl: checkBaseUrl(options.profile.baseUrl) },
    defaults: defaults && over(base.defaults, defaults),
    tracePropagation: options.tracePropagation
  })
}

/**
 * A configuration with more headers.
 *
 * @internal
 */
export const withHeaders = (
  settings: CatalogSettings,
  headers: NonNullable<CatalogConfigOptions["headers"]>
): CatalogSettings => ({ ...settings, headers: checkHeaders(settings.headers, headers, settings.profile) })

/**
 * A configuration whose base URL is asked for when it is first needed.
 *
 * @internal
 */
export const withLateBaseUrl = (settings: CatalogSettings, baseUrl: () => string | URL): CatalogSettings => {
  let known: string | undefined
  return {
    ...settings,
    get baseUrl() {
      return (known ??= checkBaseUrl(baseUrl()))
    }
  }
}

const mergeInContext = (options: CatalogConfigOptions): Effect.Effect<CatalogSettings> =>
  Effect.map(CatalogConfig, (base) => merge(base, options))

/**
 * The configuration by itself: what only reads it carries none of the ways to change it.
 */
export const Settings = /*#__PURE__*/ Context.Reference<CatalogConfig>()("@catalog-client/core/CatalogConfig", {
  defaultValue: () => initial
})

/** Where a value stands in the options. */
type Place = (value: unknown) => CatalogConfigOptions

const whole: Place = (options) => options as CatalogConfigOptions

/** What is read is checked on the spot, so that the error names its variable. */
const checked = (config: Config.Config<unknown>, place: Place): Config.Config<unknown> =>
  Config.mapAttempt(config, (value) => {
    merge(initial, place(value))
    return value
  })

/**
 * A variable that need not be there.
 *
 * @internal
 */
export const optional = <A>(config: Config.Config<A>): Config.Config<A | undefined> =>
  Config.withDefault(config, undefined)

const readOne = (given: unknown, place: Place): Effect.Effect<unknown, ConfigError> =>
  Config.isConfig(given) ? checked(given, place) : Effect.succeed(given)

/** Each member by itself, as an Effect: to combine them as one `Config` would cost a page more. */
const readMembers = (given: unknown, place: Place): Effect.Effect<unknown, ConfigError> =>
  Config.isConfig(given) || !isNamed(given) || given === null
    ? readOne(given, place)
    : Effect.map(
        Effect.forEach(Object.entries(given), ([name, value]) => {
          const read = place === whole && (name === "headers" || name === "defaults") ? readMembers : readOne
          return Effect.map(
            read(value, (value) => place({ [name]: value })),
            (value) => [name, value]
          )
        }),
        Object.fromEntries
      )

const readOptions = (given: FromConfig<CatalogConfigOptions>): Effect.Effect<CatalogConfigOptions, ConfigError> => {
  const inBaseUrl: Place = (baseUrl) => ({ baseUrl: baseUrl as string })
  const options = Config.isConfig(given)
    ? given
    : { ...given, baseUrl: given.baseUrl ?? optional(checked(Config.string("CATALOG_BASE_URL"), inBaseUrl)) }
  return Effect.map(readMembers(options, whole), whole)
}

const provideMerged = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options: CatalogConfigOptions
): Effect.Effect<A, E, R> => Effect.provideServiceEffect(effect, CatalogConfig, mergeInContext(options))

/**
 * The configuration that operations use. It has a default, so it never shows among the requirements of an operation.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum.boards().pipe(
 *   CatalogConfig.with({ defaults: { timeout: 5_000 } }),
 *   Effect.provide(CatalogConfig.layer({ baseUrl: "http://localhost:8080/catalog" }))
 * )
 * ```
 */
export class CatalogConfig extends Settings {
  /**
   * A Layer that merges the options over the configuration that is there where it is built. An invalid option, for
   * example a malformed base URL, is a mistake of the program: the Layer dies with a `TypeError` that names the option.
   *
   * Two such Layers side by side do not see each other, and only one of them counts. To merge one over another, provide
   * the first to the second: `Layer.provideMerge(second, first)`.
   */
  static layer(options: CatalogConfigOptions): Layer.Layer<never> {
    return Layer.effect(CatalogConfig, mergeInContext(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`. A `baseUrl` that is not given is read from `CATALOG_BASE_URL`, if
   * that is there. Fails with a `ConfigError` for what cannot be read, and for what is read and is no valid option.
   *
   * @example
   * ```ts
   * import { CatalogConfig } from "@catalog-client/core"
   * import { Config } from "effect"
   *
   * export const usual = CatalogConfig.layerConfig()
   *
   * export const mine = CatalogConfig.layerConfig({
   *   baseUrl: Config.string("MY_PROXY"),
   *   headers: { "x-proxy-key": Config.redacted("MY_PROXY_KEY") },
   *   defaults: { timeout: Config.duration("MY_TIMEOUT"), totalTimeout: "1 minute" }
   * })
   * ```
   */
  static layerConfig(options: FromConfig<CatalogConfigOptions> = {}): Layer.Layer<never, ConfigError> {
    return Layer.effect(CatalogConfig, Effect.flatMap(readOptions(options), mergeInContext))
  }

  /**
   * Merges the options over the configuration for one Effect, which stands first or, in a `pipe`, last. An invalid option
   * is a defect, as with `layer`.
   *
   * @example
   * ```ts
   * import { Catalog, CatalogConfig } from "@catalog-client/core"
   *
   * const boards = Catalog.forum.boards()
   * export const patient = CatalogConfig.with(boards, { defaults: { timeout: "1 minute" } })
   * export const same = boards.pipe(CatalogConfig.with({ defaults: { timeout: "1 minute" } }))
   * ```
   */
  static with(options: CatalogConfigOptions): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  static with<A, E, R>(effect: Effect.Effect<A, E, R>, options: CatalogConfigOptions): Effect.Effect<A, E, R>
  static with<A, E, R>(...given: [CatalogConfigOptions] | [Effect.Effect<A, E, R>, CatalogConfigOptions]) {
    return given.length === 2
      ? provideMerged(...given)
      : <A, E, R>(effect: Effect.Effect<A, E, R>) => provideMerged(effect, given[0])
  }
}
