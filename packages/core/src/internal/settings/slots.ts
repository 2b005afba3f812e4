/**
 * Turns a program's credentials into slots, which each call runs.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AttemptError } from "../../CatalogError.js"
import type {
  Credentials,
  CredentialOptions,
  CredentialSlot,
  CredentialSource,
  CredentialsService
} from "../../Credentials.js"
import { forCall, show } from "../common/mistakes.js"
import { isSecret, type Secret } from "../common/secret.js"
import { isPresent } from "../common/values.js"

/** The tag of `Credentials` without its Layers, which bundle Effect's `Config`: 1 kB that most pages do not need. */
export const CredentialsTag = /*#__PURE__*/ Context.Tag("@catalog-client/core/Credentials")<
  Credentials,
  CredentialsService
>()

/**
 * An access token that a proxy adds: the page's own server keeps the user's tokens, knows the user by a cookie, and sets the
 * header. The client sends none, and calls that need a token are sent.
 *
 * @example
 * ```ts
 * import { addedByProxy, CatalogConfig, Credentials } from "@catalog-client/core"
 * import { Layer } from "effect"
 *
 * export const Proxied = Layer.merge(
 *   CatalogConfig.layer({ baseUrl: "https://app.example/catalog" }),
 *   Credentials.layer({ accessToken: addedByProxy })
 * )
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
  return Effect.tryPromise({
    try: async () => returnFor(name, await source()),
    catch: (error) => error
  }).pipe(Effect.catchAll((error) => (isSlotError(error) ? Effect.fail(error) : Effect.die(error))))
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
    missing: hasToken ? undefined : credentials.missing,
    configure: hasToken ? undefined : credentials.configure
  }
}
