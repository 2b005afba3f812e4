/**
 * Selects the secrets to redact in the errors and telemetry of a call.
 */
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type { CatalogCall } from "../../CatalogPolicy.js"
import { memoize } from "../common/memoize.js"
import { knownIn, valueOf } from "../credentials/credentials.js"
import { secretHeaderNames, secretHeaders } from "../credentials/headers.js"
import type { CatalogSettings } from "../services/settings.js"
import { finderOf, redact } from "./redact.js"

/** Made once for each secret: every traced call has a URL to search. */
const finderIn = /*#__PURE__*/ memoize((secret: Redacted.Redacted<string>) => finderOf(valueOf(secret)))

/**
 * Redacts credentials in a string: those that were sent, those that the context's service returned recently or has as known
 * values, and those among the extra headers. A secret that was wiped after the headers were written is taken from these.
 */
export const redactorOf = (
  context: Context.Context<never>,
  sent: CatalogCall["credentials"],
  settings: CatalogSettings,
  written: Readonly<Record<string, string>>,
  others: ReadonlyArray<Redacted.Redacted<string>> = []
): ((text: string) => string) => {
  const secrets = [
    ...knownIn(context),
    ...Arr.getSomes(Object.values(sent)),
    ...others,
    ...secretHeaders(settings).map(([, value]) => value)
  ]
  const all = Arr.dedupe(secrets).map(finderIn)
  if (secrets.some((secret) => valueOf(secret) === "")) {
    all.push(...secretHeaderNames(settings).map((name) => finderOf(written[name.toLowerCase()] ?? "")))
  }
  return (text) => redact(text, all)
}

/** A URL without credentials. The origin is left as it is: a short credential can be a word in the host name. */
export const redactUrl = (url: string, redact: (text: string) => string): string => {
  const [origin = ""] = /^\w+:\/\/[^/?]*/.exec(url) ?? []
  return origin + redact(url.slice(origin.length))
}
