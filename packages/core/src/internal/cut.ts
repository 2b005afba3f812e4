/**
 * Cuts a secret out of a text, however it is written there.
 */

/** From so many characters on a text is a secret wherever it stands; a shorter one can be a part of a word. */
export const long = 8

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const codeUnit = (code: number): string => code.toString(16).padStart(4, "0")

const hexOf = (byte: number): string => anyCase(byte.toString(16).padStart(2, "0"))

/** What HTML does not write as it is. */
const entities: { readonly [char: string]: string } = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }

/** How often a text is written within another at most: without an end, one could be made that takes long to search. */
const levels = [0, 1, 2, 3, 4]

/** Patterns for the ways to write a character: in JSON, in a URL or a form, in HTML, and in one within another. */
const writings = (char: string): ReadonlyArray<string> => {
  if (/\w/.test(char)) {
    return [char]
  }
  const code = char.charCodeAt(0)
  const hex = hexOf(code)
  const entity = [entities[char], `#0{0,4}${code}`, `#[xX]0{0,4}${anyCase(code.toString(16))}`]
    .filter(Boolean)
    .join("|")
  const utf8 = Array.from(new TextEncoder().encode(char), hexOf)
  return [
    ...(char === "\\" ? [1, 2, 4, 8].map((times) => `\\\\{${times}}`) : [`\\\\{0,8}\\u${codeUnit(code)}`]),
    `\\\\{1,8}u${anyCase(codeUnit(code))}`,
    ...levels.flatMap((level) => [
      `%${"25".repeat(level)}${hex}`,
      utf8.map((byte) => `%${"25".repeat(level)}${byte}`).join(""),
      `&${"amp;".repeat(level)}(?:${entity});`
    ]),
    // What a form writes for a blank, and what becomes of a byte that is read as something else.
    char === " " ? "\\+" : "\\uFFFD"
  ]
}

/** The same for a character of base64, of which URLs have an alphabet of their own. */
const writingsInBase64 = (char: string): ReadonlyArray<string> =>
  char === "+" ? ["-", ...writings(char)] : char === "/" ? ["_", ...writings(char)] : [char]

/** The base64 of a text, as far as it is the same whatever stands around the text, for each place to begin. */
const inBase64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) =>
    btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))
  )

const redacted = "<redacted>"

const oneOf = (patterns: ReadonlyArray<string>): string => `(?:${patterns.join("|")})`

/** Cuts a long secret out of a text, also where the text breaks off within it. */
const cutLong = (secret: string, writings: (char: string) => ReadonlyArray<string>): ((text: string) => string) => {
  const chars = Array.from(secret)
  // A pattern of the whole could be longer than an engine takes, so it finds where one can begin; then it is followed.
  const beginning = new RegExp(
    chars
      .slice(0, long)
      .map((char) => oneOf(writings(char)))
      .join(""),
    "g"
  )
  const patterns = new Map(
    Array.from(new Set(chars), (char) => [char, writings(char).map((pattern) => new RegExp(pattern, "y"))])
  )
  /** Where it ends, or the text within it: a character can be a whole one and the beginning of another's writing. */
  const endOf = (text: string, start: number): number => {
    let places = [start]
    let breaksOff = false
    for (const char of chars) {
      const next = new Set<number>()
      for (const place of places) {
        breaksOff ||= place + 10 > text.length && /^(?:[\\%&][\w#]*)?$/.test(text.slice(place))
        for (const pattern of patterns.get(char) ?? []) {
          pattern.lastIndex = place
          if (pattern.test(text)) {
            next.add(pattern.lastIndex)
          }
        }
      }
      places = [...next]
    }
    return places.length === 0 && breaksOff ? text.length : Math.max(0, ...places)
  }
  return (text) => {
    let cut = ""
    let kept = 0
    beginning.lastIndex = 0
    for (let found = beginning.exec(text); found !== null; found = beginning.exec(text)) {
      const end = endOf(text, found.index)
      if (end === 0) {
        beginning.lastIndex = found.index + 1
      } else {
        cut += text.slice(kept, found.index) + redacted
        beginning.lastIndex = kept = end
      }
    }
    return cut + text.slice(kept)
  }
}

/** Cuts one secret out of a text. */
export interface Cut {
  readonly length: number
  readonly from: (text: string) => string
}

/**
 * What cuts a secret out of a text: as it is, and as JSON, URLs, HTML and base64 write it.
 *
 * A short one is cut only where it stands alone: a token `token` in a test must not turn the service's `invalid_token`
 * into something else.
 */
export const cutOf = (secret: string): Cut => {
  const { length } = secret
  if (length < long) {
    const alone = new RegExp(`(?<!\\w)${Array.from(secret, (char) => oneOf(writings(char))).join("")}(?!\\w)`, "g")
    return { length, from: (text) => text.replace(alone, redacted) }
  }
  const forms = [cutLong(secret, writings), ...inBase64(secret).map((base64) => cutLong(base64, writingsInBase64))]
  return { length, from: (text) => forms.reduce((cut, form) => form(cut), text) }
}
