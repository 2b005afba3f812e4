/**
 * Writes the headers that contain credentials (`Authorization`, for example) and other secrets.
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Secret } from "../common/secret.js"
import type { CallState } from "../declaration/call.js"
import { addedByProxy, type SlotName, slotNames } from "../settings/slots.js"
import type { CatalogSettings } from "../settings/settings.js"
import { reveal } from "./credentials.js"

/**
 * The only place where credentials are unwrapped to be sent. A credential that was copied with its scheme already includes
 * the prefix.
 */
export const toHeaders = (
  credentials: CallState["credentials"],
  { profile }: CatalogSettings
): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const slot of slotNames) {
    const credential = credentials[slot]
    if (Option.isSome(credential) && credential.value !== addedByProxy) {
      const { header, prefix } = profile[slot]
      const value = Redacted.value(credential.value)
      const hasScheme = prefix.endsWith(" ") && value.toLowerCase().startsWith(prefix.toLowerCase())
      headers[header.toLowerCase()] = prefix + (hasScheme ? value.slice(prefix.length).trimStart() : value)
    }
  }
  return headers
}

export const extraHeaders = ({ headers }: Pick<CatalogSettings, "headers">): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Redacted.isRedacted(value) ? reveal(value) : value])
  )

/** Whether a call sends a credential of some slots, or a custom header in its place. */
export const sendsAny = (slots: ReadonlyArray<SlotName>, { settings, credentials }: CallState): boolean =>
  slots.some(
    (slot) => Option.isSome(credentials[slot]) || settings.profile[slot].header.toLowerCase() in settings.headers
  )

export const secretHeaders = ({ headers }: CatalogSettings): ReadonlyArray<readonly [string, Secret]> =>
  Object.entries(headers).flatMap(([name, value]) => (Redacted.isRedacted(value) ? [[name, value] as const] : []))

export const secretHeaderNames = (settings: CatalogSettings): ReadonlyArray<string> => [
  settings.profile.accessToken.header,
  settings.profile.clientId.header,
  ...secretHeaders(settings).map(([name]) => name)
]
