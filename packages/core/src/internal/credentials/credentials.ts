/**
 * The credentials of a call: runs its slots, and validates what they return.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { ClientAuthError, ClientError } from "../../CatalogError.js"
import type { Credentials } from "../../Credentials.js"
import type { CredentialSlot, CredentialsService } from "../settings/slots.js"
import { printable, tryOr } from "../common/values.js"
import { memoize } from "../common/memoize.js"
import { mistake, unsendableIn } from "../common/mistakes.js"
import { isSecret, type Secret } from "../common/secret.js"
import type { CallState } from "../declaration/call.js"
import { lookInCredential } from "../errors/messages.js"
import { addedByProxy, CredentialsTag, slotNames } from "../settings/slots.js"
import { baseUrlOf, type CatalogSettings } from "../settings/settings.js"

/** Why there is no access token to send; `undefined` if there is one. */
export type WhyNoToken = Pick<ClientAuthError, "reason" | "found" | "cause"> | undefined

/** The credentials that a call sends, and why there is no access token among them. */
interface SlotResults {
  readonly credentials: SentCredentials
  readonly whyNoToken: WhyNoToken
}

type SentCredentials = CallState["credentials"]

type Credential = SentCredentials[keyof SentCredentials]

/** The string of a secret; empty if it was wiped. */
export const reveal = (secret: Secret): string => tryOr(() => Redacted.value(secret), "")

/** A secret without surrounding white space, for example from a line of a file. */
export const trimSecret = (secret: Secret): Secret => {
  const value = reveal(secret)
  const text = value.trim()
  return text === value ? secret : Redacted.make(text)
}

/** A credential, or the character that prevents sending it. */
interface CheckedCredential {
  readonly usable: Credential
  readonly unsendable?: string | undefined
}

const absent: CheckedCredential = /*#__PURE__*/ (() => ({ usable: Option.none() }))()

/** Checks each secret once: most slots return the same one each time. */
const checkedSecret = /*#__PURE__*/ memoize((secret: Secret): CheckedCredential => {
  const usable = trimSecret(secret)
  const unsendable = unsendableIn(reveal(usable))
  return unsendable === undefined ? { usable: Option.some(usable) } : { ...absent, unsendable }
})

/** What a slot returned, as an Option; `undefined` if it is no credential. */
const credentialIn = (returned: unknown): Credential | undefined => {
  if (Option.isOption(returned)) {
    return Option.isNone(returned) || isSecret(returned.value) ? (returned as Credential) : undefined
  }
  const secret = typeof returned === "string" ? Redacted.make(returned) : returned
  return isSecret(secret) ? Option.some(secret) : undefined
}

/** Checks a credential. A blank or wiped one counts as missing. */
const checkCredential = (credential: Credential): CheckedCredential =>
  Option.isNone(credential) || reveal(credential.value).trim() === "" ? absent : checkedSecret(credential.value)

/** Checks what the slot of a call returned. An invalid result is not shown. */
const checkReturned = (operation: string, slot: keyof SentCredentials, returned: unknown): CheckedCredential => {
  const credential = credentialIn(returned)
  if (credential === undefined) {
    const kind = Option.isOption(returned)
      ? "an Option of something else, or of another copy of the package"
      : typeof returned
    throw mistake(
      `${operation}: the credential slot ${slot} must return a string, a Redacted or an Option of one, but it returned ${kind}`
    )
  }
  return checkCredential(credential)
}

/** The state kept for each credentials service. */
interface Memory {
  readonly warned: Set<string>
  /**
   * The credentials that the service returned recently. They are redacted too, because a call can end before it runs the slots,
   * and a response can contain an older credential.
   */
  recent: ReadonlyArray<Secret>
}

const memories = /*#__PURE__*/ new WeakMap<object, Memory>()

const memoryOf = /*#__PURE__*/ memoize((_service: object): Memory => ({ warned: new Set(), recent: [] }), memories)

/** Makes a service that stands for another one remember what that one does. */
export const shareMemory = (service: object, original: object): void => {
  memories.set(service, memoryOf(original))
}

const remember = (memory: Memory, { usable }: CheckedCredential): void => {
  if (Option.isNone(usable) || memory.recent.includes(usable.value)) {
    return
  }
  const others = memory.recent.filter((known) => !Equal.equals(known, usable.value))
  memory.recent = [usable.value, ...others].slice(0, 4)
}

/** Logs a warning once for each subject, `about`. */
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

export const isLoopback = (hostname: string): boolean => loopbackHost.test(hostname)

/** The origin, if a token would be sent to it unencrypted. */
const exposedTo = /*#__PURE__*/ memoize((settings: CatalogSettings): string | undefined => {
  const { hostname, origin, protocol } = new URL(baseUrlOf(settings))
  return protocol === "http:" && !isLoopback(hostname) ? origin : undefined
})

/** Validates what the slots of a call returned, and logs warnings. */
const checkSlots = (
  { settings, context, declaration }: CallState,
  { whyNoToken: why, renew }: CredentialsService,
  returned: Readonly<Record<keyof SentCredentials, unknown>>
): Effect.Effect<SlotResults> => {
  const memory = memoryOf(Context.unsafeGet(context as Context.Context<Credentials>, CredentialsTag))
  const warnings: Array<Effect.Effect<void>> = []
  const read = (slot: keyof SentCredentials): CheckedCredential => {
    const found = checkReturned(declaration.name, slot, returned[slot])
    remember(memory, found)
    if (found.unsendable !== undefined) {
      const message = `${slot} is ignored: it cannot be sent in a header.${lookInCredential(found.unsendable)}`
      warnings.push(warnOnce(memory, slot, message))
    }
    return found
  }
  const { unsendable, usable: accessToken } = read("accessToken")
  const { usable: clientId } = read("clientId")
  const isExposed = Option.isSome(accessToken) && accessToken.value !== addedByProxy
  const origin = isExposed ? exposedTo(settings) : undefined
  if (origin !== undefined) {
    warnings.push(
      warnOnce(
        memory,
        origin,
        `the access token is sent to ${origin} without encryption, and anyone on the network can read it. Set baseUrl to an https: URL.`
      )
    )
  }
  const whyNoToken: WhyNoToken = Option.isSome(accessToken)
    ? undefined
    : unsendable === undefined
      ? (why?.() ?? { reason: renew ? "SignedOut" : "Missing" })
      : { reason: "Unusable", found: unsendable }
  const valid = Effect.succeed<SlotResults>({ credentials: { accessToken, clientId }, whyNoToken })
  return warnings.reduceRight<Effect.Effect<SlotResults>>((after, warning) => Effect.zipRight(warning, after), valid)
}

type KnownSlot = Exit.Success<unknown, unknown>

/** Whether a slot is an `Effect.succeed`, as it is for a string: its value is known without running it. */
const isKnown = (slot: CredentialSlot | KnownSlot): slot is KnownSlot => Exit.isExit(slot) && Exit.isSuccess(slot)

/** What a slot with a known value returns; `None` for any other slot. */
export const constantCredentialOf = (slot: CredentialSlot): Credential =>
  (isKnown(slot) && credentialIn(slot.value)) || absent.usable

export const runSlots = (
  call: CallState,
  slots: CredentialsService,
  toClientError: (error: unknown) => ClientError
): Effect.Effect<SlotResults, ClientError> => {
  const { accessToken, clientId } = slots
  if (isKnown(accessToken) && isKnown(clientId)) {
    return checkSlots(call, slots, { accessToken: accessToken.value, clientId: clientId.value })
  }
  call.progress.waitsForCredentials = true
  const both = Effect.flatMap(accessToken, (accessToken) =>
    Effect.map(clientId, (clientId) => ({ accessToken, clientId }))
  )
  return Effect.flatMap(Effect.mapError(both, toClientError), (returned) => {
    call.progress.waitsForCredentials = false
    return checkSlots(call, slots, returned)
  })
}

/** The slots to send a call again after its access token was refused; `undefined` if there is no other token. */
export const renewSlots = (
  { credentials }: CallState,
  { renew }: CredentialsService
): Effect.Effect<CredentialsService | undefined, unknown> => {
  const refused = Option.getOrUndefined(credentials.accessToken)
  if (renew === undefined || refused === undefined) {
    return Effect.succeed(undefined)
  }
  return Effect.map(
    Effect.suspend(() => renew(refused)),
    (returned) => {
      const token = credentialIn(returned)
      return token && Option.exists(token, (token) => reveal(token) === reveal(refused))
        ? undefined
        : { accessToken: Effect.succeed(returned), clientId: Effect.succeed(credentials.clientId), renew }
    }
  )
}

export const constantSecretsOf = (slots: CredentialsService): ReadonlyArray<Secret> =>
  Arr.getSomes(slotNames.map((name) => checkCredential(constantCredentialOf(slots[name])).usable))

/**
 * The credentials that are known without running slots: recently returned by the context's service, or known values.
 */
export const secretsInContext = (context: Context.Context<never>): ReadonlyArray<Secret> => {
  const service = Option.getOrUndefined(Context.getOption(context, CredentialsTag))
  return service === undefined ? [] : [...memoryOf(service).recent, ...constantSecretsOf(service)]
}
