/**
 * Where the service is, how the client talks to it, and the defaults of a call's options.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { checked, optional, readMembers } from "./internal/common/config.js"
import { isNamed, isPresent, nsfwOf, show, signalOf, strangeIn, urlIn } from "./internal/common/mistakes.js"
import { isSecret } from "./internal/common/secret.js"
import { checkNames, type Known } from "./internal/common/options.js"
import { type Limit, limitOf, limits } from "./limits.js"
import { ServiceProfile } from "./ServiceProfile.js"

export { DEFAULT_MAX_RESPONSE_BYTES, DEFAULT_REQUEST_TIMEOUT } from "./limits.js"

/** The options of a call that can have a default. */
export interface CallDefaults {
  /**
   * How long one exchange may take, to the last byte of the body: a number of milliseconds, or a duration like
   * `"5 seconds"`. 30 000 by default, `0` and `Infinity` for no limit.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * Bytes that the body of a response may have after decompression: 8 MiB by default, `Infinity` for no limit but
   * that of a string (512 MiB in V8). Reading stops at a larger body, and the exchange fails with `ClientNetworkError`,
   * `reason: "ResponseTooLarge"`.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * How long the whole call may take, with every exchange and wait that its policies cause: a number of milliseconds, or
   * a duration like `"1 minute"`. No limit by default, nor with `0` or `Infinity`.
   */
  readonly totalTimeout?: DurationInput | undefined
  /**
   * Cancels the call when it is aborted, with `reason: "Cancelled"`. This holds for `AbortSignal.timeout(ms)` too, whereas
   * `totalTimeout: ms` fails with a `Timeout`. A call's own signal replaces the default one; use `AbortSignal.any([…])` for
   * both.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether to include works that are marked gray or black in searches, rankings, seasons, suggestions and lists. Without it,
   * the service leaves them out, even from a user's own list.
   */
  readonly nsfw?: boolean | undefined
}

/** Changes to a configuration; omitted options keep their value. */
export interface CatalogConfigOptions {
  /**
   * An absolute `http:` or `https:` URL, with or without a path or a slash at its end. In a browser it can be a path of the
   * page's own origin, for example `/api/catalog`; outside a page, for example on a server, that is a `TypeError`. A
   * function that returns one of these is called when the URL is needed, at the latest by the first call.
   */
  readonly baseUrl?: string | URL | (() => string | URL) | undefined
  /**
   * Extra headers to send; they never replace the header of a credential. The values of `authorization`,
   * `proxy-authorization`, `cookie`, `x-api-key` and the profile's own headers for credentials are redacted like
   * credentials, and so is any value that is `Redacted`.
   */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /** The deployment of the service. */
  readonly profile?: ServiceProfile | undefined
  /** Default options for calls that do not set their own. */
  readonly defaults?: CallDefaults | undefined
  /**
   * Whether to send trace headers to the service; not by default. In a browser they cause a CORS preflight.
   */
  readonly tracePropagation?: boolean | undefined
  /**
   * What to do where an optional part of a reply has another type than expected, since the service changes without notice.
   * `omit`, the default, leaves it out, like a null: the rest of the reply arrives. The client logs a warning, counts it,
   * and calls the hook `onMismatch`; `withResponse` returns the `raw` body. `fail` makes the call fail with `InvalidBody`:
   * for tests, and for programs that need to know first. Where a required member is missing or has another type, and with
   * more than 1 000 mismatches at one path, the call always fails.
   */
  readonly mismatch?: "omit" | "fail" | undefined
}

/**
 * Options for `layerConfig`: a plain value or a `Config` for each option, or one `Config` for all of them. Like
 * `Config.Wrap`, but plain values are allowed too.
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
        // Nested options objects.
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
  /** `undefined` when not set: then no trace headers are sent, unless the client propagates traces. */
  readonly tracePropagation: boolean | undefined
  /** `undefined` when not set: then it is `omit`. */
  readonly mismatch: "omit" | "fail" | undefined
}

/** @internal */
export const initial: CatalogSettings = {
  baseUrl: undefined,
  headers: {},
  profile: ServiceProfile.default,
  defaults: {},
  tracePropagation: undefined,
  mismatch: undefined
}

/**
 * The names of the options that can have a default.
 *
 * @internal
 */
export const ofDefaults: Known<CallDefaults> = { ...limits, signal: 1, nsfw: 1 }

const { defaults: _, ...ofConfig } = initial

/**
 * The names of a client's options.
 *
 * @internal
 */
export const ofClient: Known<ClientOptions> = { ...ofConfig, ...ofDefaults }

/** A base URL without the slash at its end. A path is relative to the page's own origin, as in a link. */
const checkBaseUrl = (value: string | URL): string => {
  // Two slashes, forward or backward, would mean another origin.
  const isPath = typeof value === "string" && /^\/(?![/\\])/.test(value)
  const { location }: { readonly location?: { readonly href: string } } = globalThis
  const page = isPath ? location?.href : undefined
  const url = urlIn(value, page)
  const text = String(value)
  // Text before an @ can be a password, even if the whole is not a valid URL.
  const isShown = !text.includes("@")
  if (isPath && url === undefined) {
    throw new TypeError(
      `baseUrl${isShown ? ` ${show(text)}` : ""} is relative to the page's origin, and there is no page here. Set an absolute URL, or call from a page.`
    )
  }
  if (url?.username || url?.password) {
    throw new TypeError(
      "baseUrl must not contain a user name or password: use the option headers for a proxy's credentials"
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
    const isHidden = isSecret(given)
    const text: unknown = isHidden ? Redacted.value(given) : given
    // A key that was read from a file ends with a line break.
    const value = String(text).trim()
    const found = typeof text === "string" ? strangeIn(value) : "no string"
    // A value can be a secret, so the message shows only the name.
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw new TypeError(`headers: ${show(name)} is not a valid header name`)
    }
    if (found !== undefined) {
      throw new TypeError(`headers: the value of ${show(name)} cannot be sent in a header: found ${found}`)
    }
    const key = name.toLowerCase()
    checked[key] = isHidden && value === text ? given : isHidden || secret.includes(key) ? Redacted.make(value) : value
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
  // Settings that did not come through an option were not validated.
  return url.endsWith("/") ? url.replace(/\/+$/, "") : url
}

/** Merges one object over another; `undefined` (and `null`, for untyped callers) keeps the existing value. */
const over = <A extends object>(base: A, changes: { readonly [K in keyof A]?: A[K] | undefined }): A => {
  const merged = { ...base }
  for (const key in changes) {
    const value = changes[key]
    if (isPresent(value)) {
      merged[key] = value
    }
  }
  return merged
}

const checkProfile = (profile: ServiceProfile): ServiceProfile => {
  for (const [name, usual] of Object.entries(ServiceProfile.default)) {
    const given = profile[name as keyof ServiceProfile] ?? undefined
    if (typeof given !== typeof usual) {
      throw new TypeError(
        `profile must be a ServiceProfile, for example { ...ServiceProfile.default, baseUrl }, but ${show(profile)} has no ${name}`
      )
    }
  }
  return { ...profile, baseUrl: checkBaseUrl(profile.baseUrl) }
}

/**
 * Merges options over a configuration. Throws a `TypeError` that names an invalid option.
 *
 * @internal
 */
export const merge = (base: CatalogSettings, options: CatalogConfigOptions): CatalogSettings => {
  const { baseUrl, defaults: given = {} } = over<CatalogConfigOptions>({}, options)
  const defaults: { [name: string]: unknown } = {}
  for (const name in ofDefaults) {
    const value = given[name as keyof CallDefaults]
    if (isPresent(value)) {
      // A limit is stored as a number, since each call reads it.
      defaults[name] = name in limits ? limitOf(name as Limit, value) : value
    }
  }
  signalOf(given.signal)
  nsfwOf(given.nsfw)
  const profile = isPresent(options.profile) ? checkProfile(options.profile) : undefined
  if (!/^(omit|fail)$/.test(options.mismatch ?? "omit")) {
    throw new TypeError(`mismatch must be "omit" or "fail", but it is ${show(options.mismatch)}`)
  }
  return over(base, {
    baseUrl: baseUrl === undefined ? undefined : checkBaseUrl(typeof baseUrl === "function" ? baseUrl() : baseUrl),
    // Which headers are secret depends on the profile.
    headers: (options.headers ?? profile) && checkHeaders(base.headers, options.headers ?? {}, profile ?? base.profile),
    profile,
    defaults: over(base.defaults, defaults),
    tracePropagation: options.tracePropagation,
    mismatch: options.mismatch
  })
}

/** Options of a client: the defaults of calls stand beside the others. */
type ClientOptions = Omit<CatalogConfigOptions, "defaults"> & CallDefaults

const toConfigOptions = (options: ClientOptions): CatalogConfigOptions => ({ ...options, defaults: options })

/**
 * Merges options of a client over a configuration. Throws a `TypeError` that names an invalid option.
 *
 * @internal
 */
export const mergeClient = (base: CatalogSettings, options: ClientOptions): CatalogSettings =>
  merge(base, toConfigOptions(options))

/** The members that differ from those of another object. */
const changesOf = <A extends object>(from: A, to: A): Partial<A> => {
  const changes = { ...to }
  for (const name in changes) {
    if (Equal.equals(from[name], changes[name])) {
      delete changes[name]
    }
  }
  return changes
}

/**
 * Merges the configuration around a call over that of a client. Settings the client already saw when built are ignored: its
 * own options override them. Base URL and profile say where its credentials may be sent, so they are taken only if it has
 * neither.
 *
 * @internal
 */
export const mergeAround = (
  client: CatalogSettings,
  within: CatalogSettings,
  around: CatalogSettings
): CatalogSettings => {
  if (around === within) {
    return client
  }
  const { baseUrl, profile, ...changes }: Partial<CatalogSettings> = changesOf(within, around)
  const hasPlace = client.baseUrl !== undefined || client.profile !== initial.profile
  return merge(client, {
    ...changes,
    ...(!hasPlace && { baseUrl, profile }),
    defaults: changesOf(within.defaults, around.defaults),
    headers: changesOf(within.headers, around.headers) as CatalogSettings["headers"]
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
 * A configuration whose base URL is resolved when it is first needed.
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
  Effect.map(CatalogConfig, (base) => {
    checkNames("CatalogConfig", options, initial)
    checkNames("CatalogConfig", options.defaults ?? {}, ofDefaults)
    return merge(base, options)
  })

/**
 * The tag of {@link CatalogConfig} without its Layers, which bundle Effect's `Config`: 1 kB that most pages do not need.
 */
export const CatalogConfigTag = /*#__PURE__*/ Context.Reference<CatalogConfig>()("@catalog-client/core/CatalogConfig", {
  defaultValue: () => initial
})

const readOptions = <O extends Pick<CatalogConfigOptions, "baseUrl">>(
  given: FromConfig<O>,
  place: (options: O) => CatalogConfigOptions
): Effect.Effect<O, ConfigError> => {
  const check = (options: unknown) => merge(initial, place(options as O))
  const usual = checked(Config.string("CATALOG_BASE_URL"), (baseUrl) => check({ baseUrl }))
  const options = Config.isConfig(given) ? given : { ...given, baseUrl: given.baseUrl ?? optional(usual) }
  return readMembers(options, check, ["headers", "defaults"]) as Effect.Effect<O, ConfigError>
}

/**
 * Reads the options of a client.
 *
 * @internal
 */
export const readClientOptions = <O extends ClientOptions>(given: FromConfig<O>): Effect.Effect<O, ConfigError> =>
  readOptions(given, toConfigOptions)

const provideMerged = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options: CatalogConfigOptions
): Effect.Effect<A, E, R> => Effect.provideServiceEffect(effect, CatalogConfig, mergeInContext(options))

/**
 * The configuration that operations use. It has a default, so it is never a requirement of an operation. A
 * `CatalogClient` merges the one around a call over its own, but keeps its base URL and profile.
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
export class CatalogConfig extends CatalogConfigTag {
  /**
   * A Layer that merges the options over the current configuration when it is built. An invalid option, for example a
   * malformed base URL, is a bug in the program: the Layer dies with a `TypeError` that names the option.
   *
   * Two such Layers side by side do not see each other, and only one of them takes effect. To merge one over another,
   * provide the first to the second: `Layer.provideMerge(second, first)`.
   */
  static layer(options: CatalogConfigOptions): Layer.Layer<never> {
    return Layer.effect(CatalogConfig, mergeInContext(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`. Without `baseUrl`, it is read from `CATALOG_BASE_URL`, if that is
   * set. Fails with a `ConfigError` if a value cannot be read or is not a valid option.
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
    return Layer.effect(
      CatalogConfig,
      Effect.flatMap(
        readOptions(options, (options: CatalogConfigOptions) => options),
        mergeInContext
      )
    )
  }

  /**
   * Merges the options over the configuration for one Effect. It can be called with the Effect first, or in a `pipe`. An
   * invalid option is a defect, as with `layer`.
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
