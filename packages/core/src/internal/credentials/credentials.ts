/**
 * Credentials on their way from a slot to a header.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { baseUrlOf, type CatalogSettings } from "../../CatalogConfig.js"
import { isHeaderValue, mistake } from "../common/validate.js"
import { lookInCredential } from "../../CatalogError.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import {
  Asking,
  type CredentialRenewal,
  type CredentialSlot,
  type CredentialsService,
  type CredentialValues,
  isSecret,
  CredentialsTag,
  toSlot
} from "../../Credentials.js"
import { printable, textIn } from "../common/cause.js"
import { memoize } from "../common/memoize.js"

/** Why there is no access token to send. */
export type Lack = "Missing" | "Unusable" | undefined

/** The credentials to send. */
export interface Present {
  readonly credentials: Held
  readonly lack: Lack
}

/** Nothing to send. */
export const none: CatalogCall["credentials"] = /*#__PURE__*/ (() => ({
  accessToken: Option.none(),
  clientId: Option.none()
}))()

/** The text of a secret; empty where it was wiped. */
export const valueOf = (secret: Redacted.Redacted<string>): string => {
  try {
    return Redacted.value(secret)
  } catch {
    return ""
  }
}

/** Trims a credential; a blank one counts as missing. */
const presentIn = (credential: Option.Option<Redacted.Redacted<string>>): Option.Option<Redacted.Redacted<string>> =>
  Option.flatMap(credential, (credential) => {
    const value = valueOf(credential)
    const trimmed = value.trim()
    return trimmed === "" ? Option.none() : Option.some(trimmed === value ? credential : Redacted.make(trimmed))
  })

/** A slot's credential, if it can be sent. */
const usableIn = (credential: Option.Option<Redacted.Redacted<string>>): Option.Option<Redacted.Redacted<string>> =>
  Option.filter(presentIn(credential), (credential) => isHeaderValue(valueOf(credential)))

/** Why the slots gave no usable access token; `undefined` if they gave one. */
const lackOf = ({ accessToken }: Held): Lack =>
  Option.isSome(usableIn(accessToken)) ? undefined : Option.isSome(presentIn(accessToken)) ? "Unusable" : "Missing"

/** The state kept for each credentials service. */
interface Memory {
  /** The warnings already logged. */
  readonly warned: Set<string>
  /**
   * The credentials that it gave recently, to be redacted. A call can end before it has run the slots, and a response can
   * hold an older credential.
   */
  given: ReadonlyArray<Redacted.Redacted<string>>
  /** The last result: most services give the same credentials each time. */
  last?: { readonly settings: CatalogSettings; readonly held: Held; readonly present: Effect.Effect<Present> }
}

const memoryOf = /*#__PURE__*/ memoize((_service: object): Memory => ({
  warned: new Set(),
  given: []
}))

/** Logs a warning unless its subject is among those already logged. */
export const warnOnce = (
  { warned }: { readonly warned: Set<string> },
  about: string,
  message: string
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (warned.has(about)) {
      return Effect.void
    }
    warned.add(about)
    return Effect.logWarning(`catalog: ${printable(message)}`)
  })

const loopbackHost = /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost\.?)$/

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => loopbackHost.test(hostname)

/** The origin, if a token would be sent to it unencrypted. */
const exposedTo = (settings: CatalogSettings): string | undefined => {
  const { hostname, origin, protocol } = new URL(baseUrlOf(settings))
  return protocol === "http:" && !isLoopback(hostname) ? origin : undefined
}

/** The results of the slots. */
export type Held = CatalogCall["credentials"]

const slots = ["accessToken", "clientId"] as const

const isCredential = (given: unknown): given is Held[keyof Held] =>
  Option.isOption(given) && Option.getOrElse(Option.map(given, isSecret), () => true)

/** Rejects an invalid result of a slot, without showing its value. */
const check = (operation: string, slot: keyof Held, given: unknown): void => {
  if (!isCredential(given)) {
    const kind = Option.isOption(given) ? "an Option of something else" : typeof given
    throw mistake(
      `${operation}: the credential slot ${slot} must give Option.none(), or Option.some(Redacted.make(text)), but it gave ${kind}`
    )
  }
}

/** The results of both slots, validated, with warnings logged. */
const lookAt = (memory: Memory, settings: CatalogSettings, held: Held, operation: string): Effect.Effect<Present> => {
  for (const slot of slots) {
    check(operation, slot, held[slot])
  }
  const credentials: Held = { accessToken: usableIn(held.accessToken), clientId: usableIn(held.clientId) }
  memory.given = Arr.dedupe([...Arr.getSomes(Object.values(credentials)), ...memory.given]).slice(0, 4)
  const unusable = slots.filter((slot) => Option.isNone(credentials[slot]) && Option.isSome(presentIn(held[slot])))
  const warnings = unusable.map((slot) =>
    warnOnce(memory, slot, `${slot} cannot be sent in a header and counts as not configured. ${lookInCredential}`)
  )
  const origin = Option.isSome(credentials.accessToken) ? exposedTo(settings) : undefined
  if (origin !== undefined) {
    warnings.push(
      warnOnce(
        memory,
        origin,
        `the access token is sent to ${origin} without encryption, and anyone on the way can read it. Give an https: URL as baseUrl.`
      )
    )
  }
  return warnings.reduceRight<Effect.Effect<Present>>(
    (then, warning) => Effect.zipRight(warning, then),
    Effect.succeed({ credentials, lack: lackOf(held) })
  )
}

/** The deepest nesting of slots whose calls run slots again; a deeper one would not end. */
const deepest = 8

/** Runs both slots. */
export const ask = (
  { accessToken, clientId }: CredentialsService,
  operation: string
): Effect.Effect<Held, Effect.Effect.Error<CredentialSlot>> => {
  // Fast path for slots with a known value.
  if (isValue(accessToken) && isValue(clientId)) {
    return Effect.succeed({ accessToken: accessToken.value, clientId: clientId.value })
  }
  const both = Effect.zipWith(accessToken, clientId, (accessToken, clientId) => ({ accessToken, clientId }))
  return guarded(both, operation)
}

/** The token that replaces a refused one. */
export const renewed = (
  renew: CredentialRenewal,
  refused: Redacted.Redacted<string>,
  operation: string
): CredentialSlot =>
  guarded(
    Effect.suspend(() => renew(refused)),
    operation
  )

/** Runs slots, unless too many are nested. */
const guarded = <A, E>(asked: Effect.Effect<A, E>, operation: string): Effect.Effect<A, E> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    let outer = Context.get(context, Asking)
    // A fiber that a slot has started can outlive the slot.
    while (outer.isOver && outer.outer !== undefined) {
      outer = outer.outer
    }
    if (outer.level === deepest) {
      throw mistake(
        `${operation}: a credential slot calls it under its own credentials, which ask the slot again. Give it others there, for example Effect.provide(Credentials.none)`
      )
    }
    const asking: Asking = { level: outer.level + 1, outer, isOver: false }
    return Effect.ensuring(
      Effect.provideService(asked, Asking, asking),
      Effect.sync(() => {
        asking.isOver = true
      })
    )
  })

/**
 * The slots of a call: those of its options, or else the given ones. An option that is present but `undefined` counts as an
 * empty slot: a user without a token never acts with the token of another user.
 */
export const slotsOf = (
  slots: CredentialsService,
  options: CredentialValues,
  operation: string
): CredentialsService => {
  if (!("accessToken" in options || "clientId" in options)) {
    return slots
  }
  try {
    return {
      accessToken: "accessToken" in options ? toSlot("accessToken", options.accessToken) : slots.accessToken,
      clientId: "clientId" in options ? toSlot("clientId", options.clientId) : slots.clientId,
      // A call's own token is never replaced by a session.
      ...(!("accessToken" in options) && { renew: slots.renew, configure: slots.configure })
    }
  } catch (error) {
    throw mistake(`${operation}: ${textIn(error, "message")}`)
  }
}

const isWiped = (credential: Held[keyof Held]): boolean =>
  Option.exists(credential, (credential) => valueOf(credential) === "")

/** The credentials to send of those that a service's slots gave, for a call with these settings. */
export const present = (
  service: CredentialsService,
  settings: CatalogSettings,
  held: Held,
  operation: string
): Effect.Effect<Present> => {
  const { accessToken, clientId } = held
  const memory = memoryOf(service)
  const { last } = memory
  if (
    last !== undefined &&
    last.held.accessToken === accessToken &&
    last.held.clientId === clientId &&
    last.settings === settings &&
    !isWiped(accessToken) &&
    !isWiped(clientId)
  ) {
    return last.present
  }
  const present = lookAt(memory, settings, held, operation)
  memory.last = { settings, held, present }
  return present
}

/**
 * The only place where credentials are unwrapped to be sent. A credential that was copied with its scheme already includes
 * the prefix.
 */
export const toHeaders = (
  credentials: CatalogCall["credentials"],
  { profile }: CatalogSettings
): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const slot of slots) {
    const credential = credentials[slot]
    if (Option.isSome(credential)) {
      const { header, prefix } = profile[slot]
      const value = Redacted.value(credential.value)
      const hasScheme = prefix.endsWith(" ") && value.toLowerCase().startsWith(prefix.toLowerCase())
      headers[header.toLowerCase()] = prefix + (hasScheme ? value.slice(prefix.length).trimStart() : value)
    }
  }
  return headers
}

/** The extra headers that are sent. */
export const extraHeaders = ({ headers }: CatalogSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Redacted.isRedacted(value) ? valueOf(value) : value])
  )

/** Whether a call sends an access token, or a custom header in its place. */
export const sendsToken = ({
  config: { headers, profile },
  credentials
}: {
  readonly config: CatalogSettings
  readonly credentials: Held
}): boolean => Option.isSome(credentials.accessToken) || profile.accessToken.header.toLowerCase() in headers

/** The extra headers whose values are secret. */
export const secretHeaders = ({
  headers
}: CatalogSettings): ReadonlyArray<readonly [string, Redacted.Redacted<string>]> =>
  Object.entries(headers).flatMap(([name, value]) => (Redacted.isRedacted(value) ? [[name, value] as const] : []))

/** The names of all headers whose values are secret. */
export const secretHeaderNames = (settings: CatalogSettings): ReadonlyArray<string> => [
  settings.profile.accessToken.header,
  settings.profile.clientId.header,
  ...secretHeaders(settings).map(([name]) => name)
]

type SlotValue = Exit.Success<Effect.Effect.Success<CredentialSlot>, Effect.Effect.Error<CredentialSlot>>

/** The type of `Effect.succeed`, which `Credentials.layer` and `createCatalog` use for known values. */
const isValue = (slot: CredentialSlot | SlotValue): slot is SlotValue => Exit.isExit(slot) && Exit.isSuccess(slot)

/** The value of a slot, if it is known without running it. */
const atOnce = (slot: CredentialSlot): Option.Option<Redacted.Redacted<string>> =>
  isValue(slot) && isCredential(slot.value) ? usableIn(slot.value) : Option.none()

/**
 * The credentials that are known without running slots: those that the context's service gave recently or has as known
 * values.
 */
export const knownIn = (context: Context.Context<never>): ReadonlyArray<Redacted.Redacted<string>> =>
  Option.match(Context.getOption(context, CredentialsTag), {
    onNone: () => [],
    onSome: (service) => [
      ...memoryOf(service).given,
      ...Arr.getSomes([atOnce(service.accessToken), atOnce(service.clientId)])
    ]
  })
