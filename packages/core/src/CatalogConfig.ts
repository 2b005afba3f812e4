/**
 * Where the service is, how the client talks to it, and the defaults of a call's options.
 *
 * @since 0.2.0
 */
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { checkNames } from "./internal/common/options.js"
import {
  CatalogConfigTag,
  type CatalogSettings,
  optionChecks,
  mergeOptions,
  readOptions
} from "./internal/settings/settings.js"
import type { ServiceProfile } from "./ServiceProfile.js"

export { DEFAULT_REQUEST_TIMEOUT } from "./internal/settings/limits.js"

/** The options of a call that can have a default. */
export interface CallDefaults {
  /**
   * How long one exchange may take, to the last byte of the body: a number of milliseconds, or a duration like
   * `"5 seconds"`. 30 000 by default, `0` and `Infinity` for no limit.
   */
  readonly timeout?: DurationInput | undefined
  /**
   * Bytes that the body of a response may have after decompression: 8 MiB by default. `Infinity`: no limit except
   * the engine's maximum string length (512 MiB in V8). Reading stops at a larger body, and the exchange fails with `ClientNetworkError`,
   * `reason: "ResponseTooLarge"`.
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * How long the whole call may take, with every exchange and wait that its policies cause: a number of milliseconds, or
   * a duration like `"1 minute"`. No limit by default, nor with `0` or `Infinity`.
   */
  readonly totalTimeout?: DurationInput | undefined
  /**
   * Cancels the call when it is aborted, with `reason: "Cancelled"`, also for `AbortSignal.timeout(ms)`. A call's own signal
   * replaces the default one; use `AbortSignal.any([…])` for both.
   */
  readonly signal?: AbortSignal | undefined
  /** Include works marked gray or black. Off by default, even for your own list. */
  readonly nsfw?: boolean | undefined
}

/** Where the service is, how the client talks to it, and the defaults of its calls. Omitted options keep their value. */
export interface CatalogConfigOptions extends CallDefaults {
  /**
   * An absolute `http:` or `https:` URL, or, in a browser, a path of the page's own origin, for example `/api/catalog`. Where
   * there is no page, a call with such a path is a `TypeError`.
   */
  readonly baseUrl?: string | URL | undefined
  /**
   * Extra headers to send; they never replace the header of a credential. The values of `authorization`,
   * `proxy-authorization`, `cookie` and `x-api-key` are redacted like credentials, and so is every `Redacted` value.
   */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /** The deployment of the service: its URLs, and how it takes credentials. By default `ServiceProfile.default`. */
  readonly profile?: ServiceProfile | undefined
  /** Whether to send trace headers to the service; not by default. In a browser they cause a CORS preflight. */
  readonly tracePropagation?: boolean | undefined
  /**
   * What to do where an optional part of a reply has another type than expected. `omit`, the default, leaves it out, like a
   * null; the client logs a warning, counts it, and calls the hook `onMismatch`. `fail` makes the call fail with
   * `InvalidBody`. Without a required member, and with more than 1 000 mismatches at one path, the call always fails.
   */
  readonly mismatch?: "omit" | "fail" | undefined
}

/**
 * Options for `layerConfig`: a plain value or a `Config` for each option, or one `Config` for all of them. Like
 * `Config.Wrap`, but plain values are allowed too.
 */
export type FromConfig<O> =
  | Config.Config<O>
  | {
      readonly [K in keyof O]:
        | O[K]
        | Config.Config<O[K]>
        // A nested object.
        | (K extends "headers" ? FromConfig<NonNullable<O[K]>> : never)
    }

const mergeInContext = (options: CatalogConfigOptions): Effect.Effect<CatalogSettings> =>
  Effect.map(CatalogConfigTag, (settings) => {
    checkNames("CatalogConfig", options, optionChecks)
    return mergeOptions(settings, options)
  })

const withOptions = /*#__PURE__*/ dual(
  2,
  <A, E, R>(effect: Effect.Effect<A, E, R>, options: CatalogConfigOptions): Effect.Effect<A, E, R> =>
    Effect.provideServiceEffect(effect, CatalogConfigTag, mergeInContext(options))
)

/**
 * The configuration that operations use. It has a default, so it is never a requirement of an operation. A
 * `CatalogClient` merges the configuration in the context of a call over its own, but keeps its base URL and profile.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum.boards().pipe(
 *   CatalogConfig.with({ timeout: 5_000 }),
 *   Effect.provide(CatalogConfig.layer({ baseUrl: "http://localhost:8080/catalog" }))
 * )
 * ```
 */
export class CatalogConfig extends CatalogConfigTag {
  /**
   * A Layer that merges the options over the current configuration when it is built. An invalid option is a defect: a
   * `TypeError` that names it. Of two such Layers side by side only one takes effect: `Layer.provideMerge(second, first)`
   * merges them.
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
   * export const mine = CatalogConfig.layerConfig({
   *   baseUrl: Config.string("MY_PROXY"),
   *   headers: { "x-proxy-key": Config.redacted("MY_PROXY_KEY") },
   *   totalTimeout: "1 minute"
   * })
   * ```
   */
  static layerConfig(options: FromConfig<CatalogConfigOptions> = {}): Layer.Layer<never, ConfigError> {
    return Layer.effect(CatalogConfig, Effect.flatMap(readOptions(options), mergeInContext))
  }

  /**
   * Merges the options over the configuration for one Effect. An invalid option is a defect, as with `layer`.
   *
   * @example
   * ```ts
   * import { Catalog, CatalogConfig } from "@catalog-client/core"
   *
   * export const patient = Catalog.forum.boards().pipe(CatalogConfig.with({ timeout: "1 minute" }))
   * ```
   */
  static readonly with: {
    (options: CatalogConfigOptions): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    <A, E, R>(effect: Effect.Effect<A, E, R>, options: CatalogConfigOptions): Effect.Effect<A, E, R>
  } = withOptions
}
