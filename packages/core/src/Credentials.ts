/**
 * Who calls: an access token, a client identifier, both or neither.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/instead.ts
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { FromConfig } from "./CatalogConfig.js"
import type { ClientAuthError } from "./CatalogError.js"
import { optionalConfig, readMembers } from "./internal/common/config.js"
import { CredentialsTag, slotOf } from "./internal/settings/slots.js"
import { provideFrom } from "./internal/settings/provide.js"
import type { CatalogSettings } from "./internal/settings/settings.js"

export { addedByProxy } from "./internal/settings/slots.js"

/**
 * Where a credential comes from: an Effect that runs on each call, so that a replaced or refreshed token is used at once. It
 * returns a string or a `Redacted` one, or an `Option`: `None` means that there is no credential now. If the Effect fails with a `ClientRestError` or `ClientNetworkError`, the
 * call fails with the same error. For any other error its reason is `CredentialsUnavailable`, and its `cause` is a record
 * of that error: the `name` (the `_tag` of a tagged error), the `message` and a `code`.
 *
 * It runs under the call's `signal` and `totalTimeout`, and not under its `timeout`. An operation that it calls needs other
 * credentials, for example {@link Credentials.none}. Any other result is a `TypeError`.
 */
export type CredentialSlot<R = never, E = unknown> = Effect.Effect<
  string | Redacted.Redacted<string> | Option.Option<Redacted.Redacted<string>>,
  E,
  R
>

/**
 * A credential: a string, a `Redacted` string, or where it comes from. A blank one counts as not configured.
 *
 * A function is called for each request, and returns a credential, a promise of one, or `undefined` for none. A call that it
 * makes needs other credentials, or it would wait for itself. If it throws, a promise is rejected with that error; with
 * Effect it is a defect.
 */
export type CredentialSource =
  | string
  | Redacted.Redacted<string>
  | (() => string | Redacted.Redacted<string> | undefined | Promise<string | Redacted.Redacted<string> | undefined>)
  | CredentialSlot

/** The credentials among the options of a catalog, a client or a call. */
export interface CredentialOptions {
  /** An OAuth 2.0 access token, with its scheme (`Bearer`) or without, or {@link addedByProxy}. */
  readonly accessToken?: CredentialSource | undefined
  /** A client identifier. */
  readonly clientId?: CredentialSource | undefined
}

/** What {@link Credentials} contains. */
export interface CredentialsService {
  /** An OAuth 2.0 access token. */
  readonly accessToken: CredentialSlot
  /** A client identifier. */
  readonly clientId: CredentialSlot
  /**
   * Returns the access token to use after the service has refused one (401 `invalid_token`), or none. The call is then sent
   * once more, whatever its method. It runs outside the call's policies, and fails like a slot.
   */
  readonly renew?: ((refused: Redacted.Redacted<string>) => CredentialSlot) | undefined
  /** Why there is no access token. By default `SignedOut` with a `renew`, and `Missing` without. */
  readonly missing?: (() => Pick<ClientAuthError, "reason" | "cause">) | undefined
  /**
   * Takes the configuration of a call that uses these credentials, and returns the one to use: with the profile of a session,
   * which throws a `TypeError` where its token would be sent to another origin.
   */
  readonly configure?: ((settings: CatalogSettings, operation: string) => CatalogSettings) | undefined
}

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
 * The service that provides each call with its access token and its client identifier.
 *
 * Every operation needs it; `Credentials.none` says that there are none. Each call sends every credential that is
 * configured. By the contract public reads need none, but the live service requires one.
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

  /** No credentials: for public reads. For a proxy that adds the user's access token, pass {@link addedByProxy}. */
  static readonly none: Layer.Layer<Credentials> = emptyCredentials
}
