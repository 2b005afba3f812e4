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
import { Finder, long, redact } from "./redact.js"

const decoded = (base64: string): string => {
  try {
    return atob(base64)
  } catch {
    return ""
  }
}

/** The secret parts of a header's value, besides the whole: without the scheme, and without the names of cookies. */
const partsOf = (value: string, header: string | undefined): ReadonlyArray<string> => {
  if (header === "cookie") {
    return value
      .split(";")
      .map((cookie) => cookie.slice(cookie.indexOf("=") + 1).trim())
      .filter((part) => part.length >= long)
  }
  // A slot's credential is not a header's value, but may have been copied from one.
  const scheme = header === undefined ? "basic|bearer" : "\\S+"
  const [, name = "", credential = ""] = new RegExp(`^(${scheme}) +(\\S+)$`, "i").exec(value) ?? []
  const pair = name.toLowerCase() === "basic" ? decoded(credential) : ""
  return [credential, pair, pair.slice(pair.indexOf(":") + 1)]
}

const finders = /*#__PURE__*/ memoize((_secret: Redacted.Redacted<string>) => new Map<string | undefined, Finder>())

const finderIn = (value: string, header: string | undefined): Finder => new Finder([value, ...partsOf(value, header)])

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
