/** The secrets that a recorder has seen, and how it removes them from what it writes. */
import * as Redacted from "effect/Redacted"
import { finderOf, redact, type Secret } from "@catalog-client/core/internal"
import { redacted } from "../recording/members.js"
import type { Secrets, Sent } from "../recording/rewriting.js"

/** Headers whose value is a secret whatever its length. */
export const credential = /auth|token|secret|key|client-?id|session|credential|cookie/i

/** Request headers that contain no secret. */
const harmless =
  /^(?:accept(?:-.*)?|content-.*|user-agent|host|connection|origin|referer|traceparent|tracestate|baggage|b3|x-b3-.*|(?:x-)?(?:request|correlation)-id)$/

/** The length from which a string is searched for everywhere: a shorter one can be part of other words. */
const long = 8

/** Matches a token, an identifier or an address, without a dot at the end. */
const word = /[\w@~+-]+(?:\.[\w@~+-]+)*/g

/** The maximum number of finders, because each of them searches all bodies. All values beyond it share one search, by their words. */
const maxFinders = 32

export const makeSecrets = (
  moreSecrets: ReadonlyArray<string | Secret> = []
): Secrets & { readonly ofHeaders: (sent: Sent) => void } => {
  const seen = new Set<string>()
  const all: Array<ReturnType<typeof finderOf>> = []
  const longer: Array<ReturnType<typeof finderOf>> = []
  /** Words of the values that have no finder. */
  const words = new Set<string>()
  const add = (value: string, most = Infinity): void => {
    const [, ofScheme = value] = /^[\w-]+ +(\S+)$/.exec(value) ?? []
    if (ofScheme === "" || ofScheme === redacted || seen.has(value)) {
      return
    }
    seen.add(value)
    if (all.length >= most) {
      for (const [part] of value.matchAll(word)) {
        if (part.length >= long) {
          words.add(part)
        }
      }
      return
    }
    const finder = finderOf(value)
    all.push(finder)
    if (ofScheme.length >= long) {
      longer.push(finder)
    }
  }
  const named = moreSecrets
    .map((text) => (typeof text === "string" ? text : Redacted.value(text)))
    .filter((text) => text !== "")
  for (const text of named) {
    add(text)
  }
  const without = (text: string): string => {
    const rest = named.reduce((rest, value) => rest.replaceAll(value, redacted), text)
    return words.size === 0 ? rest : rest.replace(word, (part) => (words.has(part) ? redacted : part))
  }
  const learn = (value: string): void => {
    if (value.length >= long) {
      add(value, maxFinders)
    }
  }
  return {
    learn,
    redact: (text) => redact(without(text), all),
    redactLong: (text) => redact(without(text), longer),
    ofHeaders: ({ headers }) => {
      for (const [name, value = ""] of Object.entries(headers)) {
        if (credential.test(name)) {
          add(value)
        } else if (!harmless.test(name)) {
          learn(value)
        }
      }
    }
  }
}
