/**
 * Redacts secrets in a string: 12 characters in a row of a secret, or the whole of a shorter one, become `<redacted>`, also
 * where they are escaped (in URLs, JSON and HTML) or in base64.
 */
import { tryOr } from "../common/values.js"

const minimumRun = 12

/** Minimum match at the end, where a secret may be cut. A shorter secret is redacted only as a separate word. */
const minimumAtEnd = 8

/** Secrets are indexed by 5-character pieces: testing every 4th position meets every run of 8. */
const gramLength = 5
const stride = minimumAtEnd - gramLength + 1

/** How often a string is decoded: escapes can be nested. */
const maxDecodings = 4

/** The escapes of URLs, JSON and HTML, or the beginning of one at the end of a string. */
const escapes =
  /%([\da-f]{2})|\\u([\da-f]{4})|\\([bfnrt"\\/])|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);|[%\\&][\w#]{0,8}$/gi

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The character of an escape; empty if it is cut off. */
const charOf = (
  ...[, byte, unit, char, decimal, hex = byte ?? unit, name]: ReadonlyArray<string | undefined>
): string => {
  const code = decimal ?? (hex && `0x${hex}`)
  // A line break counts as a blank.
  return code
    ? String.fromCharCode(Number(code))
    : (char?.replace(/\w/, " ") ?? entities[name?.toLowerCase() ?? ""] ?? "")
}

const decode = (text: string): string => text.replace(escapes, charOf)

/** Where each character of the decoded string begins, and where the string ends. */
const placesIn = (text: string): Uint32Array => {
  const places = new Uint32Array(text.length + 1)
  let read = 0
  let at = 0
  const until = (end: number) => {
    while (at < end) {
      places[read++] = at++
    }
  }
  for (const match of text.matchAll(escapes)) {
    until(match.index)
    if (charOf(...match) !== "") {
      places[read++] = at
    }
    at += match[0].length
  }
  until(text.length)
  places[read] = at
  return places
}

type Add = (from: number, to: number) => void

export type Finder = (text: string, add: Add) => void

/** Finds ranges in a string and in its decoded forms. */
const find = (text: string, finders: ReadonlyArray<Finder>, level: number, add: Add): void => {
  for (const finder of finders) {
    finder(text, add)
  }
  const decoded = level < maxDecodings ? decode(text) : text
  if (decoded !== text) {
    let places: Uint32Array | undefined
    find(decoded, finders, level + 1, (from, to) => {
      places ??= placesIn(text)
      add(places[from] ?? 0, places[to] ?? 0)
    })
  }
}

/** The part of a string's base64 that does not depend on other bytes; it begins `before` bytes after a 3-byte boundary. */
const base64 = (text: string, before: number): string =>
  btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))

/** A secret unchanged, as UTF-8 bytes, form-encoded, and in base64 of both alphabets. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  // Not every engine has a TextEncoder.
  const bytes = encodeURIComponent(secret.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(/%(..)/g, (_, byte) =>
    String.fromCharCode(Number(`0x${byte}`))
  )
  // The base64 of a short secret is too short to be recognized.
  const coded = secret.length < minimumAtEnd ? [] : [0, 1, 2].map((before) => base64(bytes, before))
  return [
    secret,
    bytes,
    secret.replaceAll(" ", "+"),
    ...coded,
    ...coded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
}

/** The secret parts of a credential or a header: what follows the scheme, a Basic pair, its password, a cookie's value. */
const partsOf = (value: string): ReadonlyArray<string> => {
  const [, basic, credential = ""] = /^(?:(basic)|bearer|\S+(?= +\S{8})) +(\S+)$/i.exec(value) ?? []
  const pair = basic ? tryOr(() => atob(credential), "") : ""
  return [
    credential,
    pair,
    pair.slice(pair.indexOf(":") + 1),
    ...Array.from(value.matchAll(/=\s*([^;\s]{8,})/g), ([, cookie = ""]) => cookie)
  ]
}

/** Makes a function that finds a credential or a header's value, or the secret parts of it. */
export const finderOf = (value: string): Finder => {
  /** Each piece of the longer forms, and how long a run must be to be redacted. */
  const pieces = new Map<string, number>()
  const words: Array<string> = []
  for (let form of new Set([value, ...partsOf(value)].flatMap(formsOf))) {
    // A secret can contain an escape, which is decoded together with the text.
    for (let before = ""; form !== "" && form !== before; form = decode(`${form} `).slice(0, -1)) {
      if (form.length < minimumAtEnd) {
        words.push(form)
        break
      }
      for (let at = 0; at + gramLength <= form.length; at++) {
        const key = form.slice(at, at + gramLength)
        // 12 escaped characters decode to fewer, so a shorter run counts.
        pieces.set(key, Math.min(form.length, before === "" ? minimumRun : minimumAtEnd, pieces.get(key) ?? minimumRun))
      }
      before = form
    }
  }
  return (text, add) => {
    const enoughAt = (at: number) => pieces.get(text.slice(at, at + gramLength))
    for (let at = 0; at < text.length; at += stride) {
      const enough = enoughAt(at)
      if (enough) {
        let from = at
        while (enoughAt(from - 1)) {
          from--
        }
        while (enoughAt(++at)) {
          // The run continues.
        }
        const to = at + gramLength - 1
        if (to - from >= (to < text.length ? enough : minimumAtEnd)) {
          // The blank after a scheme is not secret.
          add(text[from] === " " ? from + 1 : from, to)
        }
      }
    }
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        // Not within another word: a token `token` must not change `invalid_token`.
        if (!/\w/.test(text.charAt(at - 1) + text.charAt(at + word.length))) {
          add(at, at + word.length)
        }
      }
    }
  }
}

export const redact = (text: string, finders: ReadonlyArray<Finder>): string => {
  if (finders.length === 0) {
    return text
  }
  const ranges: Array<readonly [from: number, to: number]> = []
  find(text, finders, 0, (from, to) => ranges.push([from, to]))
  let redacted = ""
  let done = 0
  for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
    if (from >= done) {
      redacted += `${text.slice(done, from)}<redacted>`
    }
    done = Math.max(done, to)
  }
  return redacted + text.slice(done)
}
