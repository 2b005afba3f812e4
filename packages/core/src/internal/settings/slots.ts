/**
 * Turns a program's credentials into slots, which each call runs.
 */
// Counterpart for the types of catalog-client: packages/promise/src/ownTypes.ts
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AttemptError, ClientAuthError } from "../../CatalogError.js"
import type { Credentials } from "../../Credentials.js"
import { forCall, show } from "../common/mistakes.js"
import { isSecret, type Secret } from "../common/secret.js"
import { isPresent } from "../common/values.js"
import type { CatalogSettings } from "./settings.js"

/**
 * Where a credential comes from: an Effect that runs on each call, so that a replaced or refreshed token is used at once. It
 * returns a string or a `Redacted` one, or an `Option`: `None` means that there is no credential now. If the Effect fails with
 * a `ClientRestError` or `ClientNetworkError`, the call fails with the same error. For any other error its reason is
 * `CredentialsUnavailable`, and its `cause` is a record of that error.
 *
 * It runs under the call's `signal` and `totalTimeout`, and not under its `timeout`. An operation that it calls needs other
 * credentials, for example `Credentials.layerNone`. Any other result is a `TypeError`.
 */
export type CredentialSlot<R = never, E = unknown> = Effect.Effect<
  string | Redacted.Redacted<string> | Option.Option<Redacted.Redacted<string>>,
  E,
  R
>

/**
 * A credential: a string, a `Redacted` string, or where it comes from. A blank one counts as not configured.
 *
 * A function is called once per call; what it throws is a defect, so pass an Effect if it can fail.
 */
export type CredentialSource =
  | string
  | Redacted.Redacted<string>
  | (() => string | Redacted.Redacted<string> | undefined | Promise<string | Redacted.Redacted<string> | undefined>)
  | CredentialSlot

/** The credentials among the options of a catalog, a client or a call. */
export interface CredentialOptions {
  /** A client ID. */
  readonly clientId?: CredentialSource | undefined
  /** An OAuth 2.0 access token, with its scheme (`Bearer`) or without, or `addedByProxy`. */
  readonly accessToken?: CredentialSource | undefined
}

/** What `Credentials` contains. */
export interface CredentialsService {
  /** An OAuth 2.0 access token. */
  readonly accessToken: CredentialSlot
  /** A client ID. */
  readonly clientId: CredentialSlot
  /**
   * Returns the access token to use after the service has refused one (401 `invalid_token`), or none. The call is then sent
   * once more, whatever its method. It runs outside the call's policies, and fails like a slot.
   */
  readonly renew?: ((refused: Redacted.Redacted<string>) => CredentialSlot) | undefined
  /** Why there is no access token. By default `SignedOut` with a `renew`, and `Missing` without. */
  readonly whyNoToken?: (() => Pick<ClientAuthError, "reason" | "cause">) | undefined
  /** Binds a call to the session's service. Throws a `TypeError` if the base URL has another origin. */
  readonly bindToService?: ((settings: CatalogSettings, operation: string) => CatalogSettings) | undefined
}

/** The tag of `Credentials` without its Layers, which bundle Effect's `Config`: 1 kB that most pages do not need. */
export const CredentialsTag = /*#__PURE__*/ Context.Tag("@catalog-client/core/Credentials")<
  Credentials,
  CredentialsService
>()

/**
 * An access token that a proxy adds, for a page whose own server keeps the user's tokens. The client sends none, and calls that
 * need a token are sent.
 *
 * @example
 * ```ts
 * import { addedByProxy, createCatalog } from "catalog-client"
 *
 * export const catalog = createCatalog({ baseUrl: "/catalog", accessToken: addedByProxy })
 * ```
 */
export const addedByProxy: Redacted.Redacted<string> = /*#__PURE__*/ Redacted.make("<added by a proxy>")

export const slotNames = ["accessToken", "clientId"] as const

export type SlotName = (typeof slotNames)[number]

export const noSlots: CredentialsService = /*#__PURE__*/ (() => ({
  accessToken: Effect.succeed(Option.none()),
  clientId: Effect.succeed(Option.none())
}))()

/** What a slot returns for a string, a `Redacted` or nothing (`null`, for untyped callers). */
const returnFor = (name: SlotName, given: unknown): Option.Option<Secret> => {
  if (!isPresent(given)) {
    return Option.none()
  }
  if (typeof given !== "string" && !isSecret(given)) {
    throw new TypeError(
      `${name} must be a string, a Redacted, or a function that returns one, but it is ${show(given)}`
    )
  }
  return Option.some(typeof given === "string" ? Redacted.make(given) : given)
}

/** Whether an error comes from a request that a slot has sent. Then the call fails with it unchanged. */
export const isSlotError = (error: unknown): error is AttemptError =>
  /^Client(Rest|Network)Error$/.test((error as { readonly _tag?: string } | undefined)?._tag ?? "")

export const slotOf = (name: SlotName, source: CredentialSource | undefined): CredentialSlot => {
  if (Effect.isEffect(source)) {
    return source
  }
  if (typeof source !== "function") {
    return Effect.succeed(returnFor(name, source))
  }
  const returned = async () => returnFor(name, await source())
  return Effect.async((resume) => {
    returned().then(
      (credential) => resume(Effect.succeed(credential)),
      (error: unknown) => resume(isSlotError(error) ? Effect.fail(error) : Effect.die(error))
    )
  })
}

/**
 * Replaces credentials by those in options. An option that is present but `undefined` is an empty slot: a user without a token
 * never acts with the token of another user.
 */
export const withCredentials = (
  credentials: CredentialsService,
  options: CredentialOptions,
  operation: string
): CredentialsService => {
  const hasToken = "accessToken" in options
  if (!hasToken && !("clientId" in options)) {
    return credentials
  }
  const slot = (name: SlotName) => {
    const source = name in options ? options[name] : credentials[name]
    return Effect.isEffect(source) ? source : forCall(operation, () => slotOf(name, source))
  }
  return {
    accessToken: slot("accessToken"),
    clientId: slot("clientId"),
    // A program's own token is never replaced by a session.
    renew: hasToken ? undefined : credentials.renew,
    whyNoToken: hasToken ? undefined : credentials.whyNoToken,
    bindToService: hasToken ? undefined : credentials.bindToService
  }
}
