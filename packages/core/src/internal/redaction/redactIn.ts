/**
 * Redacts the secrets of a call.
 */
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import { memoize } from "../common/memoize.js"
import type { Secret } from "../common/secret.js"
import { secretsInContext, constantSecretsOf, reveal } from "../credentials/credentials.js"
import { secretHeaderNames, secretHeaders } from "../credentials/headers.js"
import { type CallState, noCredentials } from "../declaration/call.js"
import { settingsIn } from "../settings/settings.js"
import { noSlots } from "../settings/slots.js"
import { finderOf, redact } from "./redact.js"

/** How many characters of a URL or of a cause are shown. */
export const maxShown = 2048

/** Made once for each secret: every traced call has a URL to search. */
const finderIn = /*#__PURE__*/ memoize((secret: Secret) => finderOf(reveal(secret)))

/** The members of a call in which secrets are looked for. */
interface SecretsOfCall extends Pick<CallState, "settings" | "context" | "credentials" | "secrets" | "slots"> {
  readonly progress: Pick<CallState["progress"], "headers">
}

/**
 * Finds all secrets of a call: sent and known credentials, recent credentials of the context's service, secret headers, and
 * further secrets. If one was wiped after it was sent, its value is read from the sent headers.
 */
const redactorOf = ({
  settings,
  context,
  credentials,
  progress,
  secrets,
  slots
}: SecretsOfCall): ((text: string) => string) => {
  const all = [
    ...secretsInContext(context),
    ...constantSecretsOf(slots),
    ...Arr.getSomes(Object.values(credentials)),
    ...secrets,
    ...secretHeaders(settings).map(([, value]) => value)
  ]
  const finders = Arr.dedupe(all).map(finderIn)
  if (all.some((secret) => reveal(secret) === "")) {
    finders.push(...secretHeaderNames(settings).map((name) => finderOf(progress.headers[name.toLowerCase()] ?? "")))
  }
  return (text) => redact(text, finders)
}

/**
 * Redacts the call's secrets in a string, and cuts it after `maxLength` characters. Call it only when the credentials are
 * known, or if nothing will be sent.
 */
export const redactIn = (call: CallState, text: string, maxLength = Infinity): string => {
  const redact = (call.progress.redact ??= redactorOf(call))
  const redacted = redact(text.slice(0, 2 * maxLength))
  return redacted.length > maxLength ? `${redacted.slice(0, maxLength)}…` : redacted
}

/** Redacts the secrets that a context has, and further ones, in a string that belongs to no call. */
export const redactSecrets = (context: Context.Context<never>, secrets: ReadonlyArray<Secret>, text: string): string =>
  redactorOf({
    settings: settingsIn(context),
    context,
    credentials: noCredentials,
    secrets,
    slots: noSlots,
    progress: { headers: {} }
  })(text)

/**
 * The URL of a call, redacted, because inputs and links can contain credentials. The origin is not redacted, because a short
 * secret may also be a word of the host name.
 */
export const redactedUrlOf = (call: CallState, maxLength?: number): string => {
  const { url } = call.request
  const [origin = ""] = /^\w+:\/\/[^/?]*/.exec(url) ?? []
  return origin + redactIn(call, url.slice(origin.length), maxLength)
}

/** How errors and hooks name a call. */
export const callNames = (call: CallState) => {
  const { method, name: operation } = call.declaration
  return { operation, method, url: redactedUrlOf(call, maxShown) }
}
