/**
 * Credentials on their way: from a slot to a header, and out of everything that an error shows.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type CatalogSettings, isHeaderValue } from "../CatalogConfig.js"
import { lookInCredential } from "../CatalogError.js"
import type { CatalogCall } from "../CatalogPolicy.js"
import { type Credentials, type CredentialSlot, Slots } from "../Credentials.js"

/** What is sent, and whether a slot held something that cannot be. */
export interface Present {
  readonly credentials: CatalogCall["credentials"]
  readonly unusableToken: boolean
}

/** Nothing to send. */
export const none: CatalogCall["credentials"] = /*#__PURE__*/ (() => ({
  accessToken: Option.none(),
  clientId: Option.none()
}))()

type Slot = keyof CatalogCall["credentials"]

/** Which slots of which service were warned of. */
const warned = new WeakMap<object, Set<Slot>>()

const isUnusable = (credential: Redacted.Redacted<string>): boolean => !isHeaderValue(Redacted.value(credential))

const isPresent = (credential: Redacted.Redacted<string>): boolean => Redacted.value(credential) !== ""

/** Blanks around a credential are not part of it. */
const trimmed = (credential: Redacted.Redacted<string>): Redacted.Redacted<string> => {
  const value = Redacted.value(credential)
  return value === value.trim() ? credential : Redacted.make(value.trim())
}

const presentIn = (credential: Option.Option<Redacted.Redacted<string>>): Option.Option<Redacted.Redacted<string>> =>
  Option.filter(Option.map(credential, trimmed), isPresent)

const warnOnce = (service: object, slot: Slot): Effect.Effect<void> =>
  Effect.suspend(() => {
    const slots = warned.get(service) ?? new Set()
    warned.set(service, slots)
    if (slots.has(slot)) {
      return Effect.void
    }
    slots.add(slot)
    return Effect.logWarning(
      `catalog: ${slot} cannot stand in a header and counts as not configured. ${lookInCredential}`
    )
  })

/** Asks both slots. */
export const ask = (service: Credentials["Type"]): Effect.Effect<Present, Effect.Effect.Error<CredentialSlot>> =>
  Effect.flatMap(service.accessToken, (accessToken) =>
    Effect.flatMap(service.clientId, (clientId) => {
      const held = { accessToken: presentIn(accessToken), clientId: presentIn(clientId) }
      const unusableToken = Option.exists(held.accessToken, isUnusable)
      const unusableId = Option.exists(held.clientId, isUnusable)
      const present: Present = {
        credentials: {
          accessToken: unusableToken ? Option.none() : held.accessToken,
          clientId: unusableId ? Option.none() : held.clientId
        },
        unusableToken
      }
      return unusableToken || unusableId
        ? Effect.as(
            Effect.zipRight(
              unusableToken ? warnOnce(service, "accessToken") : Effect.void,
              unusableId ? warnOnce(service, "clientId") : Effect.void
            ),
            present
          )
        : Effect.succeed(present)
    })
  )

/** The one place where credentials are unwrapped to be sent. */
export const toHeaders = (
  { accessToken, clientId }: CatalogCall["credentials"],
  { profile }: CatalogSettings
): Record<string, string> => {
  const headers: Record<string, string> = {}
  if (Option.isSome(accessToken)) {
    headers[profile.accessToken.header.toLowerCase()] = profile.accessToken.prefix + Redacted.value(accessToken.value)
  }
  if (Option.isSome(clientId)) {
    headers[profile.clientId.header.toLowerCase()] = profile.clientId.prefix + Redacted.value(clientId.value)
  }
  return headers
}

/** Extra headers that hold a secret too. */
const secretHeaders = ["authorization", "proxy-authorization", "cookie"]

/** The names of the headers that nobody is to print. */
export const secretHeaderNames = ({ profile }: CatalogSettings): ReadonlyArray<string> => [
  profile.accessToken.header,
  profile.clientId.header,
  ...secretHeaders
]

/** How a text can come back: as it is, within JSON, within a URL. */
const forms = (secret: string): ReadonlyArray<string> => [
  secret,
  secret.replaceAll("/", "\\/"),
  encodeURIComponent(secret.replace(/\p{Surrogate}/gu, ""))
]

/**
 * Cuts credentials out of a text. A short one is cut only where it stands alone: a token `token` in a test must not turn
 * the service's `invalid_token` into something else.
 */
export const cutFrom = (
  credentials: CatalogCall["credentials"],
  { headers }: CatalogSettings
): ((text: string) => string) => {
  const sent = [credentials.accessToken, credentials.clientId].flatMap((credential) =>
    Option.isSome(credential) ? [Redacted.value(credential.value)] : []
  )
  const extra = secretHeaders.flatMap((name) => headers[name] ?? [])
  // One can be the beginning of another.
  const secrets = [...sent, ...extra].flatMap(forms).sort((one, other) => other.length - one.length)
  const patterns = secrets
    .filter((secret) => secret !== "")
    .map((secret) => {
      const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      return new RegExp(secret.length < 8 ? `(?<!\\w)${literal}(?!\\w)` : literal, "g")
    })
  return (text) => patterns.reduce((cut, pattern) => cut.replace(pattern, "<redacted>"), text)
}

/** What cuts the credentials of now out of a text. */
export const cutter = (
  settings: CatalogSettings
): Effect.Effect<(text: string) => string, Effect.Effect.Error<CredentialSlot>, Credentials> =>
  Effect.flatMap(Slots, (service) => Effect.map(ask(service), ({ credentials }) => cutFrom(credentials, settings)))
