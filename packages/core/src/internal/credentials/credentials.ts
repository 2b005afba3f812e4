/**
 * The credentials of a call: its slots are run, and what they return is validated.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { baseUrlOf, type CatalogSettings } from "../../CatalogConfig.js"
import { forCall, mistake, strangeIn } from "../common/mistakes.js"
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import {
  addedByProxy,
  type CredentialSlot,
  type CredentialsService,
  type CredentialValues,
  type Credentials,
  CredentialsTag,
  toSlot
} from "../../Credentials.js"
import { printable } from "../common/cause.js"
import { memoize } from "../common/memoize.js"
import { isSecret } from "../common/secret.js"
import { lookInCredential } from "../errors/messages.js"

/** What a call sends, and why it sends no access token. */
interface Resolved {
  readonly credentials: Values
  readonly missing: Missing
}

/** Why there is no access token to send, if there is none. */
export type Missing = Pick<ClientAuthError, "reason" | "found"> | undefined

type Values = CatalogCall["credentials"]

/** The part of a call that decides about its credentials. */
interface AuthorizedCall {
  readonly operation: { readonly name: string }
  readonly config: CatalogSettings
  readonly context: Context.Context<never>
  /** Credentials of the last attempt. */
  readonly credentials: Values
}

/** Nothing to send. */
export const none: Values = /*#__PURE__*/ (() => ({
  accessToken: Option.none(),
  clientId: Option.none()
}))()

/** The string of a secret; empty where it was wiped. */
export const valueOf = (secret: Redacted.Redacted<string>): string => {
  try {
    return Redacted.value(secret)
  } catch {
    return ""
  }
}

/** A secret without the white space around it, as of a line of a file. */
export const trimmed = (secret: Redacted.Redacted<string>): Redacted.Redacted<string> => {
  const value = valueOf(secret)
  const text = value.trim()
  return text === value ? secret : Redacted.make(text)
}

/** What a slot returned: the credential, if it can be sent, and what is strange in it. A blank one counts as missing. */
const readIn = (
  returned: Values[keyof Values]
): { readonly usable: typeof returned; readonly strange?: string | undefined } => {
  const credential = Option.map(returned, trimmed)
  const text = Option.match(credential, { onNone: () => "", onSome: valueOf })
  const strange = strangeIn(text)
  return { usable: text !== "" && strange === undefined ? credential : Option.none(), strange }
}

/** The state kept for each credentials service. */
interface Memory {
  /** The warnings already logged. */
  readonly warned: Set<string>
  /**
   * The credentials that it returned recently, to be redacted. A call can end before it has run the slots, and a response can
   * hold an older credential.
   */
  recent: ReadonlyArray<Redacted.Redacted<string>>
  /** The last result: most slots return the same credentials each time. */
  last?: Values & {
    readonly config: CatalogSettings
    readonly renew: CredentialsService["renew"]
    readonly resolved: Effect.Effect<Resolved>
  }
}

const memoryOf = /*#__PURE__*/ memoize((_service: object): Memory => ({
  warned: new Set(),
  recent: []
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

export const slots = ["accessToken", "clientId"] as const

const isCredential = (given: unknown): given is Values[keyof Values] =>
  Option.isOption(given) && Option.getOrElse(Option.map(given, isSecret), () => true)

/** Rejects an invalid result of a slot, without showing its value. */
const check = (operation: string, slot: keyof Values, given: unknown): void => {
  if (!isCredential(given)) {
    const kind = Option.isOption(given) ? "an Option of something else" : typeof given
    throw mistake(
      `${operation}: the credential slot ${slot} must return Option.none() or Option.some(Redacted.make(token)), but it returned ${kind}`
    )
  }
}

/** Validates what the slots returned, and logs warnings. */
const validated = (
  { config, operation }: AuthorizedCall,
  renew: CredentialsService["renew"],
  memory: Memory,
  returned: Values
): Effect.Effect<Resolved> => {
  for (const slot of slots) {
    check(operation.name, slot, returned[slot])
  }
  const read = { accessToken: readIn(returned.accessToken), clientId: readIn(returned.clientId) }
  const credentials: Values = { accessToken: read.accessToken.usable, clientId: read.clientId.usable }
  memory.recent = Arr.dedupe([...Arr.getSomes(Object.values(credentials)), ...memory.recent]).slice(0, 4)
  const warnings = slots.flatMap((slot) => {
    const { strange } = read[slot]
    return strange
      ? warnOnce(memory, slot, `${slot} is ignored: it cannot be sent in a header.${lookInCredential(strange)}`)
      : []
  })
  const isSent = Option.isSome(credentials.accessToken)
  const isExposed = Option.exists(credentials.accessToken, (token) => token !== addedByProxy)
  const origin = isExposed ? exposedTo(config) : undefined
  if (origin !== undefined) {
    warnings.push(
      warnOnce(
        memory,
        origin,
        `the access token is sent to ${origin} without encryption, and anyone on the network can read it. Set baseUrl to an https: URL.`
      )
    )
  }
  const found = read.accessToken.strange
  const absent: Missing = found ? { reason: "Unusable", found } : { reason: renew ? "SignedOut" : "Missing" }
  const valid = Effect.succeed<Resolved>({ credentials, missing: isSent ? undefined : absent })
  // Each call runs what is returned here.
  return warnings.length === 0 ? valid : Effect.zipRight(Effect.all(warnings, { discard: true }), valid)
}

const isWiped = (credential: Values[keyof Values]): boolean =>
  Option.exists(credential, (credential) => valueOf(credential) === "")

type SlotError = ClientRestError | ClientNetworkError

/** Validates what the slots returned, unless it is what they returned for the last call. */
const resolved = (
  call: AuthorizedCall,
  renew: CredentialsService["renew"],
  returned: Values
): Effect.Effect<Resolved> => {
  const { config } = call
  const memory = memoryOf(Context.unsafeGet(call.context as Context.Context<Credentials>, CredentialsTag))
  const { last } = memory
  if (
    last !== undefined &&
    last.accessToken === returned.accessToken &&
    last.clientId === returned.clientId &&
    last.config === config &&
    last.renew === renew &&
    !isWiped(returned.accessToken) &&
    !isWiped(returned.clientId)
  ) {
    return last.resolved
  }
  memory.last = { ...returned, config, renew, resolved: validated(call, renew, memory, returned) }
  return memory.last.resolved
}

/** Runs slots for a call, and validates what they return. */
export const resolve = (
  call: AuthorizedCall,
  { accessToken, clientId, renew }: CredentialsService
): Effect.Effect<Resolved, SlotError> =>
  isValue(accessToken) && isValue(clientId)
    ? resolved(call, renew, { accessToken: accessToken.value, clientId: clientId.value })
    : Effect.flatMap(
        Effect.zipWith(accessToken, clientId, (accessToken, clientId) => ({ accessToken, clientId })),
        (returned) => resolved(call, renew, returned)
      )

/** The slots with which to send a call once more after its access token was refused; `undefined` without another token. */
export const renewed = (
  { credentials }: AuthorizedCall,
  { renew }: CredentialsService
): Effect.Effect<CredentialsService | undefined, SlotError> => {
  const refused = Option.getOrUndefined(credentials.accessToken)
  if (renew === undefined || refused === undefined) {
    return Effect.succeed(undefined)
  }
  return Effect.map(
    Effect.suspend(() => renew(refused)),
    (token) =>
      Option.exists(token, (token) => valueOf(token) === valueOf(refused))
        ? undefined
        : { accessToken: Effect.succeed(token), clientId: Effect.succeed(credentials.clientId), renew }
  )
}

/**
 * The slots of a call: those of its options, or else the other ones. An option that is present but `undefined` counts as an
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
  return forCall(operation, () => ({
    accessToken: "accessToken" in options ? toSlot("accessToken", options.accessToken) : slots.accessToken,
    clientId: "clientId" in options ? toSlot("clientId", options.clientId) : slots.clientId,
    // A call's own token is never replaced by a session.
    ...(!("accessToken" in options) && { renew: slots.renew, configure: slots.configure })
  }))
}

type SlotValue = Exit.Success<Option.Option<Redacted.Redacted<string>>, SlotError>

/** The type of `Effect.succeed`, which `Credentials.layer` and `createCatalog` use for known values. */
const isValue = (slot: CredentialSlot | SlotValue): slot is SlotValue => Exit.isExit(slot) && Exit.isSuccess(slot)

/** The value of a slot, if it is known without running it. */
const atOnce = (slot: CredentialSlot): Option.Option<Redacted.Redacted<string>> =>
  isValue(slot) && isCredential(slot.value) ? readIn(slot.value).usable : Option.none()

/**
 * The credentials that are known without running slots: those that the context's service returned recently or has as known
 * values.
 */
export const knownIn = (context: Context.Context<never>): ReadonlyArray<Redacted.Redacted<string>> =>
  Option.match(Context.getOption(context, CredentialsTag), {
    onNone: () => [],
    onSome: (service) => [
      ...memoryOf(service).recent,
      ...Arr.getSomes([atOnce(service.accessToken), atOnce(service.clientId)])
    ]
  })
