/**
 * Who calls: an access token, a client ID, both or neither.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { type FromConfig, optionalConfig, readMembers } from "./internal/common/config.js"
import { provideFrom } from "./internal/settings/provide.js"
import {
  addedByProxy,
  type CredentialOptions,
  type CredentialSlot,
  type CredentialSource,
  type CredentialsService,
  CredentialsTag,
  slotOf
} from "./internal/settings/slots.js"

// TypeScript writes these names into declarations of programs. In code, they are members of the class: `Credentials.Service`.
export type {
  CredentialOptions,
  CredentialSlot,
  CredentialSource,
  CredentialsService
} from "./internal/settings/slots.js"

/** Credential options whose Effects need services. */
interface CredentialOptionsWith<R1, R2, R3> {
  readonly accessToken?: CredentialSource | CredentialSlot<R1> | undefined
  readonly clientId?: CredentialSource | CredentialSlot<R2> | undefined
  readonly renew?: ((refused: Redacted.Redacted<string>) => CredentialSlot<R3>) | undefined
}

const readConfig = (options: FromConfig<CredentialOptions>): Effect.Effect<CredentialOptions, ConfigError> =>
  readMembers(
    Config.isConfig(options)
      ? options
      : {
          accessToken: options.accessToken ?? optionalConfig(Config.string("CATALOG_ACCESS_TOKEN")),
          clientId: options.clientId ?? optionalConfig(Config.string("CATALOG_CLIENT_ID"))
        },
    constVoid
  ) as Effect.Effect<CredentialOptions, ConfigError>

const emptyCredentials: Layer.Layer<Credentials> = /*#__PURE__*/ Layer.sync(CredentialsTag, () => Credentials.make({}))

/**
 * The service that provides each call with its access token and its client ID.
 *
 * Every operation needs it; `Credentials.layerNone` says that there are none. Each call sends every credential that is
 * configured. Public reads need none by the documentation, but the live service requires a client ID.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const Live = Layer.merge(FetchHttpClient.layer, Credentials.layer({ clientId: "my-client-id" }))
 *
 * export const title = Catalog.anime.get({ id: 30230 }).pipe(
 *   Effect.map((anime) => anime.title),
 *   Effect.provide(Live)
 * )
 * ```
 */
export class Credentials extends CredentialsTag {
  /** The service itself: the credentials of one user, for `Effect.provideService`. */
  static make(options: CredentialOptions & Pick<CredentialsService, "renew">): CredentialsService {
    return {
      accessToken: slotOf("accessToken", options.accessToken),
      clientId: slotOf("clientId", options.clientId),
      renew: options.renew
    }
  }

  /**
   * Credentials as strings, as `Redacted`, or from functions or Effects that run on each call. The requirements of an Effect
   * come from the context in which the Layer is built.
   *
   * @example
   * ```ts
   * import { Credentials } from "@catalog-client/core"
   * import { type Option, type Redacted, Ref } from "effect"
   *
   * export const layer = (token: Ref.Ref<Option.Option<Redacted.Redacted<string>>>) =>
   *   Credentials.layer({ accessToken: Ref.get(token), clientId: "my-client-id" })
   * ```
   */
  static layer(options: CredentialOptions & Pick<CredentialsService, "renew">): Layer.Layer<Credentials>
  static layer<R1 = never, R2 = never, R3 = never>(
    options: CredentialOptionsWith<R1, R2, R3>
  ): Layer.Layer<Credentials, never, R1 | R2 | R3>
  static layer<R1, R2, R3>({
    accessToken,
    clientId,
    renew
  }: CredentialOptionsWith<R1, R2, R3>): Layer.Layer<Credentials, never, R1 | R2 | R3> {
    return Layer.effect(
      Credentials,
      Effect.map(Effect.context<R1 | R2 | R3>(), (context) => {
        const provide = provideFrom(context)
        return Credentials.make({
          accessToken: Effect.isEffect(accessToken) ? provide(accessToken) : accessToken,
          clientId: Effect.isEffect(clientId) ? provide(clientId) : clientId,
          renew: renew && ((refused) => provide(renew(refused)))
        })
      })
    )
  }

  /**
   * Credentials from Effect's `Config`, read where the Layer is built. Omitted credentials are read from
   * `CATALOG_ACCESS_TOKEN` and `CATALOG_CLIENT_ID`, both optional; pass `""` for none. Fails with a `ConfigError` if a
   * `Config` that you pass fails.
   *
   * @example
   * ```ts
   * import { Credentials } from "@catalog-client/core"
   * import { Config } from "effect"
   *
   * export const mine = Credentials.layerConfig({ clientId: Config.string("MY_CLIENT_ID"), accessToken: "" })
   * ```
   */
  static layerConfig(options: FromConfig<CredentialOptions> = {}): Layer.Layer<Credentials, ConfigError> {
    return Layer.effect(
      Credentials,
      Effect.map(readConfig(options), (options) => Credentials.make(options))
    )
  }

  /**
   * No credentials, for the embedded service and for calls that pass their own: the live service requires one. For a proxy that
   * adds the user's access token, pass {@link Credentials.addedByProxy}.
   */
  static readonly layerNone: Layer.Layer<Credentials> = emptyCredentials

  /**
   * An access token that a proxy adds, for a page whose own server keeps the user's tokens. The client sends none, and calls
   * that need a token are sent.
   *
   * @example
   * ```ts
   * import { CatalogConfig, Credentials } from "@catalog-client/core"
   * import { Layer } from "effect"
   *
   * export const Proxied = Layer.merge(
   *   CatalogConfig.layer({ baseUrl: "https://app.example/catalog" }),
   *   Credentials.layer({ accessToken: Credentials.addedByProxy })
   * )
   * ```
   */
  static readonly addedByProxy: Redacted.Redacted<string> = addedByProxy
}

export declare namespace Credentials {
  export {
    type CredentialOptions as Options,
    type CredentialSlot as Slot,
    type CredentialSource as Source,
    type CredentialsService as Service
  }
}
