/**
 * Validates the options of an OAuth client, and where its tokens may be sent.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Credentials, ServiceProfile } from "@catalog-client/core"
import {
  baseUrlOf,
  type CatalogSettings,
  checkNames,
  forCall,
  initialSettings,
  isSecret,
  memoize,
  mergeOptions,
  millis,
  mistake,
  reveal,
  show,
  trimSecret,
  unsendableIn,
  Values
} from "@catalog-client/core/internal"
import type { OAuthClient } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"

/** The default timeout of a request for tokens: milliseconds. */
export const defaultTimeout = 10_000

/** The names of a client's options. */
export const clientNames: Record<keyof OAuthClient, unknown> = {
  clientId: 1,
  clientSecret: 1,
  redirectUri: 1,
  headers: 1,
  timeout: 1,
  storeMaxAge: 1
}

/** Throws a `TypeError` that names an option and an invisible character in its value. */
const checkSendable = (calledAs: string, name: string, text: string): void => {
  const character = unsendableIn(text)
  if (character !== undefined) {
    throw mistake(
      `${calledAs}: ${name} contains ${character}. Copy it again, without line breaks and invisible characters`
    )
  }
}

/** Validates a redirect URI, and returns it without the white space around it. */
const checkRedirectUri = (redirectUri: string | URL, calledAs: string): string => {
  const text = String(redirectUri).trim()
  // Letters of any language are allowed, in host and path.
  checkSendable(calledAs, "redirectUri", text.replace(/\p{L}/gu, ""))
  if (Values.urlIn(text) === undefined) {
    throw mistake(`${calledAs}: redirectUri must be an absolute URL, exactly as it is registered`)
  }
  return text
}

/**
 * Validates a client. Returns it without the white space around its values, and without a blank secret. Throws a `TypeError`
 * that names an invalid option.
 */
export const checkClient = (client: OAuthClient, calledAs: string) => {
  const { clientId, clientSecret = "", redirectUri, storeMaxAge = 5_000 } = client
  if (typeof clientId !== "string" || clientId.trim() === "") {
    throw mistake(
      `${calledAs}: clientId must be the client ID that is registered with the service, for example from CATALOG_CLIENT_ID, but it is ${show(clientId)}`
    )
  }
  if (typeof clientSecret !== "string" && !isSecret(clientSecret)) {
    throw mistake(
      `${calledAs}: clientSecret must be a string or a Redacted of a string, but it is ${show(clientSecret)}`
    )
  }
  const secret = trimSecret(typeof clientSecret === "string" ? Redacted.make(clientSecret) : clientSecret)
  checkSendable(calledAs, "clientId", clientId.trim())
  checkSendable(calledAs, "clientSecret", reveal(secret))
  const timeout = millis(calledAs, "timeout", client.timeout ?? defaultTimeout)
  return {
    clientId: clientId.trim(),
    clientSecret: reveal(secret) === "" ? undefined : secret,
    redirectUri: redirectUri === undefined ? undefined : checkRedirectUri(redirectUri, calledAs),
    headers: forCall(calledAs, () => mergeOptions(initialSettings, { headers: client.headers }).headers),
    timeout,
    /** For one use of the store, and for closing: limited even if requests are not. */
    storeTimeout: timeout === 0 || timeout === Infinity ? defaultTimeout : timeout,
    storeMaxAge: millis(calledAs, "storeMaxAge", storeMaxAge)
  }
}

/** A client whose options are valid. */
export type CheckedClient = ReturnType<typeof checkClient>

/** `checkClient`, which also refuses an option with another name. */
export const checkOptions: typeof checkClient = (client, calledAs) => {
  checkNames(calledAs, client, clientNames)
  return checkClient(client, calledAs)
}

/**
 * `checkClient` for promises. Modules of a program make sessions while they load, even at build time, when there is no
 * environment: a missing client ID is a `TypeError` only where it is used.
 */
export const checkClientLate: typeof checkClient = (client, calledAs) => {
  const { clientId } = client as Partial<OAuthClient>
  if (clientId !== undefined && (typeof clientId !== "string" || clientId.trim() !== "")) {
    return checkClient(client, calledAs)
  }
  return {
    // A dummy completes the client, so that its other options are validated now.
    ...checkClient({ ...client, clientId: "-" }, calledAs),
    get clientId() {
      return checkClient(client, calledAs).clientId
    }
  }
}

/**
 * The client ID of a checked client as a slot. An `Exit` is an Effect whose value core knows without running it (`isKnown` of
 * its `credentials.ts`). If the client ID is missing, the `Exit` is a defect, and so is each call.
 */
export const clientIdSlot = (client: CheckedClient): Credentials.Slot =>
  Effect.runSyncExit(Effect.sync(() => Option.some(Redacted.make(client.clientId))))

/** Validates a sign-in that was started. Throws a `TypeError` for anything else, for example one that went through JSON. */
export const checkPending = (pending: PendingAuthorization, calledAs: string): PendingAuthorization => {
  const { codeVerifier, redirectUri, state } = (pending as Partial<PendingAuthorization> | null | undefined) ?? {}
  const isValid = isSecret(state) && isSecret(codeVerifier) && /^(undefined|string)$/.test(typeof redirectUri)
  if (!isValid) {
    throw mistake(
      `${calledAs} takes a PendingAuthorization: what authorizationRequest returned, or what PendingAuthorization.decode returned`
    )
  }
  return pending
}

const originOf = (settings: CatalogSettings): string => new URL(baseUrlOf(settings)).origin

/**
 * Gives calls the profile of a session, unless their configuration has one. Throws a `TypeError` where they would send
 * its token to another origin.
 */
export const bindTo = (profile: ServiceProfile) => {
  const origin = originOf({ ...initialSettings, profile })
  const bind = memoize((settings: CatalogSettings) => {
    const bound = settings.profile === initialSettings.profile ? mergeOptions(settings, { profile }) : settings
    return { bound, to: originOf(bound) }
  })
  return (settings: CatalogSettings, operation: string): CatalogSettings => {
    const { bound, to } = bind(settings)
    if (to !== origin) {
      throw mistake(
        `${operation}: the access token belongs to ${origin} and must not be sent to ${to}. Use the same profile for the session and the catalog`
      )
    }
    return bound
  }
}
