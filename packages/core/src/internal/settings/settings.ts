/**
 * The configuration of calls: options that were validated, and merged.
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { identity } from "effect/Function"
import * as Redacted from "effect/Redacted"
import type { DurationInput } from "effect/Duration"
import type { CatalogConfig } from "../../CatalogConfig.js"
import type { FromConfig } from "../common/config.js"
import { checkLimit } from "./limits.js"
import type { ServiceProfile } from "../../ServiceProfile.js"
import { optionalConfig, readMembers } from "../common/config.js"
import { valueIn } from "../common/layers.js"
import { hasProperties, checkNsfw, show, checkSignal, unsendableIn } from "../common/mistakes.js"
import { isPresent, stringIn, urlIn } from "../common/values.js"
import { isSecret, type Secret } from "../common/secret.js"

/** The options of a call that can have a default. */
export interface CallDefaults {
  /**
   * How long one request may take, to the last byte of the body: milliseconds, or a duration like `"5 seconds"`; `0` and
   * `Infinity` mean no limit.
   *
   * @default 30_000
   */
  readonly timeout?: DurationInput | undefined
  /**
   * Bytes that the body of a response may have after decompression. `Infinity` means no limit but the engine's (512 MiB in V8).
   * A larger body fails with `ClientNetworkError`, `reason: "ResponseTooLarge"`.
   *
   * @default 8 * 1024 * 1024
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * How long the whole call may take, retries and waits included: milliseconds, or a duration like `"1 minute"`.
   *
   * @default Infinity
   */
  readonly totalTimeout?: DurationInput | undefined
  /**
   * Cancels the call when it is aborted, with `reason: "Cancelled"`, even for `AbortSignal.timeout(ms)`. A call's own signal
   * replaces the default one; use `AbortSignal.any([…])` for both.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Include titles marked gray or black, even on your own list.
   *
   * @default false
   */
  readonly nsfw?: boolean | undefined
}

/** Where the service is, how the client talks to it, and the defaults of its calls. Omitted options keep their value. */
export interface CatalogConfigOptions extends CallDefaults {
  /**
   * An absolute `http:` or `https:` URL, or, in a browser, a path of the page's own origin, for example `/api/catalog`. Where
   * there is no page, a call with such a path is a `TypeError`.
   *
   * @default profile.baseUrl
   */
  readonly baseUrl?: string | URL | undefined
  /**
   * Extra headers to send; they never replace the header of a credential. The values of `authorization`,
   * `proxy-authorization`, `cookie` and `x-api-key` are redacted like credentials, and so is every `Redacted` value.
   */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /**
   * The deployment of the service, its URLs and how it takes credentials.
   *
   * @default ServiceProfile.default
   */
  readonly profile?: ServiceProfile | undefined
  /**
   * Whether to send trace headers to the service. In a browser they cause a CORS preflight.
   *
   * @default false
   */
  readonly tracePropagation?: boolean | undefined
  /**
   * What to do where an optional part of a reply has another type than expected. `omit` leaves it out, logs a warning and calls
   * the hook `onMismatch`. `fail` makes the call fail with `InvalidBody`, as a missing required member always does.
   *
   * @default "omit"
   */
  readonly mismatch?: "omit" | "fail" | undefined
}

/** The type of an option that another function takes; an error of the compiler shows which. */
export interface TakenBy<Other extends string> {
  readonly "is taken by": Other
}

/** Options of a catalog of promises that are no configuration with Effect. */
export interface TakenElsewhere {
  /** Provide `Credentials.layer`, or use `layerClient` of `@catalog-client/node` or `/browser`. */
  readonly clientId?:
    | TakenBy<"Credentials.layer({ clientId }), or layerClient of @catalog-client/node or /browser">
    | undefined
  /** Provide `Credentials.layer`. */
  readonly accessToken?: TakenBy<"Credentials.layer({ accessToken })"> | undefined
  /** Provide `CatalogPolicy.layer`. */
  readonly policies?: TakenBy<"CatalogPolicy.layer(...policies)"> | undefined
  /** Provide `CatalogHooks.layer`. */
  readonly hooks?: TakenBy<"CatalogHooks.layer(hooks)"> | undefined
  /** Make the client with `CatalogClient.make`. */
  readonly fields?: TakenBy<"CatalogClient.make({ fields })"> | undefined
}

/** The configuration of a call: options that were validated. */
export interface CatalogSettings extends Omit<CatalogConfigOptions, "baseUrl"> {
  /** Without a slash at its end. A path stays a path while there is no page. If `undefined`, the profile has the URL. */
  readonly baseUrl?: string | undefined
  /** Names in lower case; secret values are `Redacted`. */
  readonly headers: NonNullable<CatalogConfigOptions["headers"]>
  readonly profile: ServiceProfile
}

export const publicService: ServiceProfile = {
  baseUrl: "https://api.myanimelist.net/v2",
  accessToken: { header: "authorization", prefix: "Bearer " },
  clientId: { header: "x-mal-client-id", prefix: "" },
  names: {},
  oauth: {
    authorizeUrl: "https://myanimelist.net/v1/oauth2/authorize",
    tokenUrl: "https://myanimelist.net/v1/oauth2/token",
    codeChallengeMethod: "plain"
  }
}

export const initialSettings: CatalogSettings = { headers: {}, profile: publicService }

/** The tag of `CatalogConfig` without its Layers, which bundle Effect's `Config`: 1 kB that most pages do not need. */
export const CatalogConfigTag = /*#__PURE__*/ Context.Reference<CatalogConfig>()("@catalog-client/core/CatalogConfig", {
  defaultValue: () => initialSettings
})

/** The configuration in a context, merged from its Layers. */
export const settingsIn = (context: Context.Context<never>): CatalogSettings => valueIn(context, CatalogConfigTag)

export const currentSettings: Effect.Effect<CatalogSettings> = /*#__PURE__*/ Effect.map(
  /*#__PURE__*/ Effect.context<never>(),
  settingsIn
)

/** Whether a URL is a path of the page. Two slashes, forward or backward, would mean another origin. */
const isPath = (url: string | URL): url is `/${string}` =>
  typeof url === "string" && url.startsWith("/") && !/^\/[/\\]/.test(url)

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

/** The end of a message that shows a URL. Text before an @ can be a password, even if the whole is not a valid URL. */
const shown = (before: string, url: string | URL): string => {
  const text = String(url)
  return text.includes("@") ? "" : before + show(text)
}

/** A base URL without a slash at the end. */
const parseBaseUrl = (given: string | URL, url = urlIn(given)): string => {
  if (url?.username || url?.password) {
    throw new TypeError("baseUrl must not contain a user name or password: use headers for a proxy's credentials")
  }
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) {
    throw new TypeError(
      `baseUrl must be a URL such as "http://localhost:4010" without query or fragment${shown(", but it is ", given)}`
    )
  }
  return withoutSlash(url.href)
}

/** Where the page is; undefined if there is none. */
const pageUrl = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href

/** A path as an absolute base URL, on the page's origin. */
const resolveOnPage = (path: string): string => {
  const url = urlIn(path, pageUrl())
  if (url === undefined) {
    throw new TypeError(
      `baseUrl${shown(" ", path)} is relative to the page's origin, but there is no page: set an absolute URL.`
    )
  }
  return parseBaseUrl(path, url)
}

/**
 * Validates a base URL. With server rendering, the catalog is created on the server and used in the browser: without a page, a
 * path is kept, and resolved by the first call.
 */
const checkBaseUrl = (given: string | URL): string => {
  if (isPath(given)) {
    return pageUrl() === undefined ? given : resolveOnPage(given)
  }
  return parseBaseUrl(given)
}

/** The base URL, without a slash at the end. Throws a `TypeError` for a path if there is no page. */
export const baseUrlOf = ({ baseUrl, profile }: CatalogSettings): string => {
  const url = baseUrl ?? profile.baseUrl
  // The base URL of an option has lost the slash at its end, but that of a profile may still have one.
  return isPath(url) ? resolveOnPage(url) : url.endsWith("/") ? withoutSlash(url) : url
}

/** Whether the base URL is absolute. A path cannot be resolved before there is a page. */
export const hasBaseUrl = ({ baseUrl, profile }: CatalogSettings): boolean => !isPath(baseUrl ?? profile.baseUrl)

const knownSecretHeaders = ["authorization", "proxy-authorization", "cookie", "x-api-key"]

/** Adds headers to the settings. The profile decides which headers are secret. */
const checkHeaders = (
  headers: NonNullable<CatalogConfigOptions["headers"]>,
  { headers: base, profile: { accessToken, clientId } }: CatalogSettings
): CatalogSettings["headers"] => {
  const secret = [...knownSecretHeaders, accessToken.header.toLowerCase(), clientId.header.toLowerCase()]
  const checked: Record<string, string | Secret> = {}
  if (!hasProperties(headers)) {
    throw new TypeError("headers must be a plain object, such as Object.fromEntries(headers)")
  }
  for (const [name, given] of [...Object.entries(base), ...Object.entries(headers)]) {
    const isHidden = isSecret(given)
    const text: unknown = isHidden ? Redacted.value(given) : given
    // A key that was read from a file ends with a line break.
    const value = String(text).trim()
    const found = typeof text === "string" ? unsendableIn(value) : "no string"
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

const checkProfile = (profile: ServiceProfile): ServiceProfile => {
  for (const [name, example] of Object.entries(publicService)) {
    const given = profile[name as keyof ServiceProfile] ?? undefined
    if (typeof given !== typeof example) {
      throw new TypeError(
        `profile must be a ServiceProfile, for example { ...ServiceProfile.default, baseUrl }, but ${show(profile)} has no ${name}`
      )
    }
  }
  return { ...profile, baseUrl: checkBaseUrl(profile.baseUrl) }
}

const checkMismatch = (given: "omit" | "fail"): "omit" | "fail" => {
  if (!/^(omit|fail)$/.test(given)) {
    throw new TypeError(`mismatch must be "omit" or "fail", but it is ${show(given)}`)
  }
  return given
}

type OptionChecks = {
  readonly [Name in keyof CatalogConfigOptions]-?: (
    given: NonNullable<CatalogConfigOptions[Name]>,
    settings: CatalogSettings
  ) => CatalogSettings[Name]
}

/** How each option is validated, in this order. A limit becomes a number, because each call reads it. */
export const optionChecks: OptionChecks = {
  baseUrl: checkBaseUrl,
  profile: checkProfile,
  headers: checkHeaders,
  tracePropagation: identity,
  mismatch: checkMismatch,
  timeout: (given) => checkLimit("timeout", given),
  totalTimeout: (given) => checkLimit("totalTimeout", given),
  maxResponseBytes: (given) => checkLimit("maxResponseBytes", given),
  signal: (given) => checkSignal(given),
  nsfw: (given) => checkNsfw(given)
}

/**
 * Merges options over a configuration; `undefined` (and `null`, for untyped callers) keeps the existing value. Throws a
 * `TypeError` that names an invalid option.
 */
export const mergeOptions = (settings: CatalogSettings, options: CatalogConfigOptions): CatalogSettings => {
  // In older versions of React Native its members throw, and a slash follows the query.
  if (stringIn(urlIn("http://a?b"), "search") !== "?b") {
    throw new TypeError("URL does not follow the standard here: first load react-native-url-polyfill")
  }
  // Headers are always checked again: which are secret depends on the profile.
  const given: CatalogConfigOptions = { ...options, headers: options.headers ?? {} }
  const merged: { [name: string]: unknown } & CatalogSettings = { ...settings }
  for (const [name, check] of Object.entries<(given: never, settings: CatalogSettings) => unknown>(optionChecks)) {
    const value = given[name as keyof CatalogConfigOptions]
    if (isPresent(value)) {
      merged[name] = check(value as never, merged)
    }
  }
  return merged
}

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
 * The settings of a call: the client's, changed by those around the call. What was already around the client when it was built
 * is no change. A client that has a base URL or a profile keeps both, because they decide where credentials are sent.
 */
export const mergeAround = (
  client: CatalogSettings,
  builtWithin: CatalogSettings,
  around: CatalogSettings
): CatalogSettings => {
  const { baseUrl, profile, ...changes } = changesOf(builtWithin, around)
  const hasAddress = client.baseUrl !== undefined || client.profile !== initialSettings.profile
  return mergeOptions(client, {
    ...changes,
    ...(!hasAddress && { baseUrl, profile }),
    headers: changesOf(builtWithin.headers, around.headers) as CatalogSettings["headers"]
  })
}

/** Where users sign in, as the environment names it. */
export interface SignInUrls {
  readonly authorizeUrl?: string | undefined
  readonly tokenUrl?: string | undefined
}

/** The public service with the addresses of the environment; `undefined` if it names none for a sign-in. */
export const profileAt = (
  baseUrl: string | URL | undefined,
  { authorizeUrl, tokenUrl }: SignInUrls
): ServiceProfile | undefined => {
  const { baseUrl: usual, oauth } = publicService
  return (authorizeUrl ?? tokenUrl) === undefined
    ? undefined
    : {
        ...publicService,
        baseUrl: String(baseUrl ?? usual),
        oauth: { ...oauth, authorizeUrl: authorizeUrl ?? oauth.authorizeUrl, tokenUrl: tokenUrl ?? oauth.tokenUrl }
      }
}

/** Reads options from Effect's `Config`; the addresses are read from the environment if they are missing. */
export const readOptions = (
  given: FromConfig<CatalogConfigOptions>
): Effect.Effect<CatalogConfigOptions, ConfigError> => {
  const check = (member: unknown) => {
    const { authorizeUrl, tokenUrl, ...options } = member as CatalogConfigOptions & SignInUrls
    const url = authorizeUrl ?? tokenUrl
    if (url !== undefined && urlIn(url) === undefined) {
      throw new TypeError("it must be an absolute URL")
    }
    baseUrlOf(mergeOptions(initialSettings, options))
  }
  const read = (options: object) =>
    readMembers(options, check, ["headers"]) as Effect.Effect<CatalogConfigOptions & SignInUrls, ConfigError>
  if (Config.isConfig(given)) {
    return read(given)
  }
  const variable = (name: string) => optionalConfig(Config.string(name))
  const members = {
    ...given,
    baseUrl: given.baseUrl ?? variable("CATALOG_BASE_URL"),
    authorizeUrl: variable("CATALOG_AUTHORIZE_URL"),
    tokenUrl: variable("CATALOG_TOKEN_URL")
  }
  return Effect.map(read(members), ({ authorizeUrl, tokenUrl, ...options }) => ({
    ...options,
    profile: options.profile ?? profileAt(options.baseUrl, { authorizeUrl, tokenUrl })
  }))
}
