/**
 * Who calls: an access token, a client identifier, both or neither.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ParentSpan } from "effect/Tracer"
import { type CatalogSettings, CatalogConfigTag, type FromConfig } from "./CatalogConfig.js"
import { optional, readMembers } from "./internal/common/config.js"
import { chosenIn } from "./internal/common/fiber.js"
import { show } from "./internal/common/mistakes.js"
import { isSecret } from "./internal/common/secret.js"
import { CatalogPolicy } from "./CatalogPolicy.js"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"

/**
 * Where a credential comes from: an Effect that runs on each call, so that a replaced or refreshed token is used at once.
 * `None` means that there is no credential now. If the Effect fails, the call fails with the same error.
 *
 * It runs under the call's `signal` and `totalTimeout`, and not under its `timeout`. An operation that it calls needs other
 * credentials, for example {@link Credentials.none}: with its own, it would run the same slot again, which is a
 * `TypeError`. Any result other than `None`, or `Some` of a `Redacted` string, is a `TypeError` too.
 */
export type CredentialSlot<R = never> = Effect.Effect<
  Option.Option<Redacted.Redacted<string>>,
  ClientRestError | ClientNetworkError,
  R
>

/** A credential as a string, or as a `Redacted` string. A blank one counts as not configured. */
export type CredentialValue = string | Redacted.Redacted<string>

/**
 * An access token that a proxy adds: the page's own server keeps the user's tokens, knows the user by a cookie, and sets the
 * header. The client sends none, and calls that need a token are sent, such as those for `@me`. If no user is signed in, the
 * call fails with what the proxy responds, a `ClientRestError` with status 401 for example.
 *
 * @example
 * ```ts
 * import { addedByProxy } from "@catalog-client/core"
 * import { createCatalog } from "@catalog-client/browser"
 *
 * const catalog = createCatalog({ baseUrl: "/catalog", accessToken: addedByProxy })
 *
 * export const name = async () => (await catalog.user.me()).name
 * ```
 *
 * @example
 * ```ts
 * import { addedByProxy, Credentials } from "@catalog-client/core"
 *
 * // With Effect:
 * export const Live = Credentials.layer({ accessToken: addedByProxy })
 * ```
 */
export const addedByProxy: Redacted.Redacted<string> = /*#__PURE__*/ Redacted.make("<added by a proxy>")

/**
 * A credential, a promise of one, or a function that returns either: it is called for each request, and `undefined` means no
 * credential. It runs under the call's `signal` and `totalTimeout`. A call that it makes needs other credentials, for example those of a
 * separate catalog, or it would wait for itself. If it throws, the call is rejected with that error.
 */
export type CredentialSource =
  | CredentialValue
  | Promise<CredentialValue | undefined>
  | (() => CredentialValue | undefined | Promise<CredentialValue | undefined>)

/** Credentials as values or as functions that return them. */
export interface CredentialValues {
  /** An OAuth 2.0 access token, with its scheme (`Bearer`) or without, or {@link addedByProxy}. */
  readonly accessToken?: CredentialSource | undefined
  /** A client identifier. */
  readonly clientId?: CredentialSource | undefined
}

/**
 * Returns the access token to use after the service has refused one (401 `invalid_token`): a new one, the one that has
 * already replaced it, or none. The call is then sent once more, whatever its method, since a request refused with 401 had
 * no effect. It runs under the call's `signal` and `totalTimeout`, outside its policies, and if it fails, the call fails
 * with the same error.
 */
export type CredentialRenewal<R = never> = (refused: Redacted.Redacted<string>) => CredentialSlot<R>

/** Credentials from Effects that run on each call; a slot that is left out is empty. */
export interface CredentialSlots<R1 = never, R2 = never, R3 = never> {
  /** An OAuth 2.0 access token. */
  readonly accessToken?: CredentialSlot<R1> | undefined
  /** A client identifier. */
  readonly clientId?: CredentialSlot<R2> | undefined
  /** Replaces an access token that the service refuses. If it is set, a missing token is `SignedOut`, not `Missing`. */
  readonly renew?: CredentialRenewal<R3> | undefined
  /** Changes the configuration of each call that uses these credentials. */
  readonly configure?: CredentialsService["configure"]
}

/** What {@link Credentials} contains. */
export interface CredentialsService {
  readonly accessToken: CredentialSlot
  readonly clientId: CredentialSlot
  readonly renew?: CredentialRenewal | undefined
  /**
   * Takes the configuration of a call that uses these credentials, and returns the one to use. A session gives calls its
   * profile, and throws a `TypeError` where they would send its token to another origin.
   */
  readonly configure?: ((config: CatalogSettings, operation: string) => CatalogSettings) | undefined
}

/**
 * A credential in its stored form; `None` for `undefined` (and `null`, for untyped callers).
 *
 * @internal
 */
export const toRedacted = (
  slot: keyof CredentialValues,
  value: CredentialValue | undefined
): Option.Option<Redacted.Redacted<string>> => {
  if (value === undefined || value === null) {
    return Option.none()
  }
  if (typeof value === "string") {
    return Option.some(Redacted.make(value))
  }
  if (!isSecret(value)) {
    throw new TypeError(`${slot} must be a string or a Redacted of a string, but it is ${show(value)}`)
  }
  return Option.some(value)
}

const isSlotError = (error: unknown): error is ClientRestError | ClientNetworkError =>
  /^Client(Rest|Network)Error$/.test((error as { readonly _tag?: string } | undefined)?._tag ?? "")

const givenBy = (slot: keyof CredentialValues, give: () => unknown): CredentialSlot =>
  Effect.tryPromise({
    try: async () => toRedacted(slot, (await give()) as CredentialValue),
    catch: (error) => error
  }).pipe(Effect.catchAll((error) => (isSlotError(error) ? Effect.fail(error) : Effect.die(error))))

/**
 * A slot for a credential, or for a function that returns one.
 *
 * @internal
 */
export const toSlot = (slot: keyof CredentialValues, source: CredentialSource | undefined): CredentialSlot => {
  if (typeof source === "function") {
    return givenBy(slot, source)
  }
  if (source instanceof Promise) {
    // The calls are rejected. Without a call, it must not end the process.
    source.catch(constVoid)
    return givenBy(slot, () => source)
  }
  return Effect.succeed(toRedacted(slot, source))
}

/**
 * A slot gets its requirements, for example its transport, from where the Layer was built, even if the call has others.
 * Span, configuration and policies are those of the call.
 */
const within = <R>(slot: CredentialSlot<R>, context: Context.Context<R>): CredentialSlot => {
  const required = chosenIn(Context.omit(ParentSpan, CatalogConfigTag, CatalogPolicy)(context) as Context.Context<R>)
  return Effect.mapInputContext(slot, (call: Context.Context<never>) => Context.merge(call, required))
}

/**
 * The tag of {@link Credentials} without its Layers, which bundle Effect's `Config`: 1 kB that most pages do not need.
 */
export const CredentialsTag = /*#__PURE__*/ Context.Tag("@catalog-client/core/Credentials")<
  Credentials,
  CredentialsService
>()

const readSlots = (values: FromConfig<CredentialValues>): Effect.Effect<CredentialValues, ConfigError> =>
  readMembers(
    Config.isConfig(values)
      ? values
      : {
          accessToken: values.accessToken ?? optional(Config.string("CATALOG_ACCESS_TOKEN")),
          clientId: values.clientId ?? optional(Config.string("CATALOG_CLIENT_ID"))
        },
    constVoid
  ) as Effect.Effect<CredentialValues, ConfigError>

const nothing: Layer.Layer<Credentials> = /*#__PURE__*/ Layer.sync(CredentialsTag, () => Credentials.make({}))

/**
 * The service that provides each call with its access token and its client identifier.
 *
 * Every operation needs it, so a program that forgets it does not compile; `Credentials.none` says that there are none.
 * Each call sends every credential that is configured. By the contract public reads need none, but the live service
 * requires one.
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
  /** The service itself, from Effects that run on each call, from values or from functions. */
  static make(
    slots: {
      readonly [Slot in keyof CredentialValues]?: CredentialSlot | CredentialSource | undefined
    } & Pick<CredentialsService, "renew" | "configure">
  ): CredentialsService {
    const slot = (name: keyof CredentialValues) => {
      const given = slots[name]
      return Effect.isEffect(given) ? given : toSlot(name, given)
    }
    return {
      accessToken: slot("accessToken"),
      clientId: slot("clientId"),
      renew: slots.renew,
      configure: slots.configure
    }
  }

  /** Credentials as strings, as `Redacted`, or from functions that are called for each request. */
  static layer(values: CredentialValues): Layer.Layer<Credentials> {
    return Layer.sync(Credentials, () => Credentials.make(values))
  }

  /**
   * Credentials from Effects that run on each call. Their requirements are taken from where the Layer is built. A slot that
   * calls an operation has to provide other credentials to it, for example `Credentials.none`: under its own, it would
   * call itself without end.
   *
   * @example
   * ```ts
   * import { Credentials } from "@catalog-client/core"
   * import { Effect, Option, Redacted, Ref } from "effect"
   *
   * export const program = Effect.gen(function* () {
   *   const token = yield* Ref.make(Option.some(Redacted.make("first")))
   *   return Credentials.layerEffect({ accessToken: Ref.get(token) })
   * })
   * ```
   */
  static layerEffect<R1 = never, R2 = never, R3 = never>(
    slots: CredentialSlots<R1, R2, R3>
  ): Layer.Layer<Credentials, never, R1 | R2 | R3> {
    return Layer.effect(
      Credentials,
      Effect.map(Effect.context<R1 | R2 | R3>(), (context) => {
        const { renew } = slots
        return Credentials.make({
          accessToken: slots.accessToken && within(slots.accessToken, context),
          clientId: slots.clientId && within(slots.clientId, context),
          renew: renew && ((refused) => within(renew(refused), context)),
          configure: slots.configure
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
   * export const usual = Credentials.layerConfig()
   *
   * export const mine = Credentials.layerConfig({
   *   clientId: Config.string("MY_CLIENT_ID"),
   *   accessToken: Config.withDefault(Config.redacted("MY_TOKEN"), undefined)
   * })
   * ```
   */
  static layerConfig(values: FromConfig<CredentialValues> = {}): Layer.Layer<Credentials, ConfigError> {
    return Layer.unwrapEffect(Effect.map(readSlots(values), (values) => Credentials.layer(values)))
  }

  /** No credentials: for public reads. For a proxy that adds the user's access token, pass {@link addedByProxy}. */
  static readonly none: Layer.Layer<Credentials> = nothing
}
