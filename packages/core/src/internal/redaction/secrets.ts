/**
 * Selects the secrets to redact in the errors and telemetry of a call.
 */
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type { CatalogSettings } from "../../CatalogConfig.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import { memoize } from "../common/memoize.js"
import { knownIn, secretHeaderNames, secretHeaders, valueOf } from "../credentials/credentials.js"
import { type Finder, finderIn, redact } from "./redact.js"

const finders = /*#__PURE__*/ memoize((_secret: Redacted.Redacted<string>) => new Map<string | undefined, Finder>())

/** Made once for each secret and header: every traced call has a URL to search. */
const finderOf = (secret: Redacted.Redacted<string>, header?: string): Finder => {
  const known = finders(secret)
  let finder = known.get(header)
  if (finder === undefined) {
    finder = finderIn(valueOf(secret), header)
    known.set(header, finder)
  }
  return finder
}

/**
 * Redacts credentials in a text: those that were sent, those that the context's service gave recently or has as known
 * values, and those among the extra headers. A secret that was wiped after the headers were written is taken from these.
 */
export const redactorOf = (
  context: Context.Context<never>,
  sent: CatalogCall["credentials"],
  settings: CatalogSettings,
  written: Readonly<Record<string, string>>,
  others: ReadonlyArray<Redacted.Redacted<string>> = []
): ((text: string) => string) => {
  const credentials = Arr.dedupe([...knownIn(context), ...Arr.getSomes(Object.values(sent)), ...others])
  const extra = secretHeaders(settings)
  const isWiped = [...credentials, ...extra.map(([, value]) => value)].some((secret) => valueOf(secret) === "")
  const all = [
    ...credentials.map((secret) => finderOf(secret)),
    ...extra.map(([name, value]) => finderOf(value, name)),
    ...(isWiped ? secretHeaderNames(settings).map((name) => finderIn(written[name.toLowerCase()] ?? "", name)) : [])
  ]
  return (text) => redact(text, all)
}

/** A URL without credentials. The origin is left as it is: a short credential can be a word in the host name. */
export const redactUrl = (url: string, redact: (text: string) => string): string => {
  const [origin = ""] = /^\w+:\/\/[^/?]*/.exec(url) ?? []
  return origin + redact(url.slice(origin.length))
}
