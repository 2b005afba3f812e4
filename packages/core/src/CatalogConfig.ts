/**
 * Where the service is, how the client talks to it, and the defaults of a call's options.
 *
 * @since 0.2.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import { addTo } from "./internal/common/layers.js"
import { checkNames } from "./internal/common/options.js"
import type { FromConfig } from "./internal/common/config.js"
import {
  type CallDefaults,
  type CatalogConfigOptions,
  CatalogConfigTag,
  type CatalogSettings,
  type TakenElsewhere,
  optionChecks,
  mergeOptions,
  readOptions
} from "./internal/settings/settings.js"

export { DEFAULT_REQUEST_TIMEOUT } from "./internal/settings/limits.js"
// TypeScript writes these names into declarations of programs. In code, they are members of the class: `CatalogConfig.Options`.
export type { FromConfig } from "./internal/common/config.js"
export type {
  CallDefaults,
  CatalogConfigOptions,
  CatalogSettings,
  TakenBy,
  TakenElsewhere
} from "./internal/settings/settings.js"

const merge = (settings: CatalogSettings, options: CatalogConfigOptions): CatalogSettings => {
  checkNames("CatalogConfig", options, optionChecks)
  return mergeOptions(settings, options)
}

const withOptions = /*#__PURE__*/ dual(
  2,
  <A, E, R>(effect: Effect.Effect<A, E, R>, options: CatalogConfigOptions): Effect.Effect<A, E, R> =>
    Effect.flatMap(addTo(CatalogConfigTag, merge, Effect.succeed(options)), (context) =>
      Effect.provide(effect, context)
    )
)

/**
 * The configuration that operations use. It has a default, so it is never a requirement of an operation. A
 * `CatalogClient` merges the configuration in the context of a call over its own, but keeps a base URL or profile that it
 * was made with.
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
   * A Layer that merges the options over those of other Layers, around it or before it in `Layer.mergeAll`. An invalid option is
   * a defect: a `TypeError` that names it.
   */
  static layer(options: CatalogConfigOptions & TakenElsewhere): Layer.Layer<never> {
    return Layer.effectContext(addTo(CatalogConfigTag, merge, Effect.succeed(options)))
  }

  /**
   * Like `layer`, with options from Effect's `Config`. Without `baseUrl`, it is read from `CATALOG_BASE_URL`, if that is
   * set; without `profile`, `CATALOG_AUTHORIZE_URL` and `CATALOG_TOKEN_URL` say where users sign in. Fails with a
   * `ConfigError` if a value cannot be read or is not a valid option.
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
    return Layer.effectContext(addTo(CatalogConfigTag, merge, readOptions(options)))
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

export declare namespace CatalogConfig {
  export {
    type CatalogConfigOptions as Options,
    type CallDefaults as Defaults,
    type FromConfig,
    type CatalogSettings as Service
  }
}
