/**
 * Redacts the secrets of a call.
 */
import * as Arr from "effect/Array"
import type * as Redacted from "effect/Redacted"
import { memoize } from "../common/memoize.js"
import { knownIn, knownSecrets, valueOf } from "../credentials/credentials.js"
import { secretHeaderNames, secretHeaders } from "../credentials/headers.js"
import type { Call } from "../declaration/call.js"
import { finderOf, redact } from "./redact.js"

/** Characters of a URL or of a cause that are shown. */
export const mostShown = 2048

/** Made once for each secret: every traced call has a URL to search. */
const finderIn = /*#__PURE__*/ memoize((secret: Redacted.Redacted<string>) => finderOf(valueOf(secret)))

/**
 * Finds the credentials that are sent or have known values, those that the context's service returned recently, the secret
 * headers, and the further secrets. A secret that was wiped after the headers were sent is taken from these.
 */
const redactorOf = ({ config, context, credentials, progress, secrets, slots }: Call): ((text: string) => string) => {
  const all = [
    ...knownIn(context),
    ...knownSecrets(slots),
    ...Arr.getSomes(Object.values(credentials)),
    ...secrets,
    ...secretHeaders(config).map(([, value]) => value)
  ]
  const finders = Arr.dedupe(all).map(finderIn)
  if (all.some((secret) => valueOf(secret) === "")) {
    finders.push(...secretHeaderNames(config).map((name) => finderOf(progress.headers[name.toLowerCase()] ?? "")))
  }
  return (text) => redact(text, finders)
}

/**
 * Redacts the call's secrets in a string, and cuts it after so many characters. Not called before the credentials are known,
 * unless nothing will be sent.
 */
export const redactIn = (call: Call, text: string, most = Infinity): string => {
  const redact = (call.progress.redact ??= redactorOf(call))
  const redacted = redact(text.slice(0, 2 * most))
  return redacted.length > most ? `${redacted.slice(0, most)}…` : redacted
}

/** The URL of a call, since an input or a link can contain a credential. Not its origin: a short one can be a word there. */
export const urlOf = (call: Call, most?: number): string => {
  const { url } = call.request
  const [origin = ""] = /^\w+:\/\/[^/?]*/.exec(url) ?? []
  return origin + redactIn(call, url.slice(origin.length), most)
}

/** How errors and hooks name a call. */
export const namesOf = (call: Call) => {
  const { method, name: operation } = call.operation
  return { operation, method, url: urlOf(call, mostShown) }
}
