/**
 * Redacts secrets in a text: any run of 12 or more characters of a secret, even with white space or the escapes of JSON,
 * URLs and HTML inside.
 */

/** The shortest run of a secret that is redacted. A shorter secret is redacted only as a whole. */
const least = 12

/** The block size: every run of `least` characters holds a whole block, aligned to a multiple of this. */
const blockSize = 6

/** A secret with fewer characters is redacted only as a separate word, since it can be part of another word. */
const long = 8

/** Separates the forms of a secret: no credential holds this character, so no run spans two forms. */
const separator = "\n"

/** A decoded text: its characters, and where each of them begins and ends in the original. */
interface Reading {
  readonly codes: Uint16Array
  readonly begins: Uint32Array
  readonly ends: Uint32Array
}

const readingOf = (text: string): Reading => {
  const codes = new Uint16Array(text.length)
  const begins = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  for (let at = 0; at < text.length; at++) {
    codes[at] = text.charCodeAt(at)
    begins[at] = at
    ends[at] = at + 1
  }
  return { codes, begins, ends }
}

const percent = 0x25
const ampersand = 0x26
const backslash = 0x5c

/** The longest escape that is decoded. */
const widest = 10

const entity = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/i

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The JSON escapes of control characters, which count as white space here. */
const controls = "bfnrt"

/** The beginning of an escape that is cut off by the end of a text. */
const cutOff = /^[%\\&][\w#]*$/

const textOf = (codes: Iterable<number>): string => {
  let text = ""
  for (const code of codes) {
    text += String.fromCharCode(code)
  }
  return text
}

/** A hexadecimal number with a given count of digits, or NaN. */
const hexAt = (codes: Uint16Array, at: number, digits: number): number => {
  let value = 0
  for (let index = at; index < at + digits; index++) {
    const code = codes[index] ?? 0
    const letter = code | 0x20
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN
    value = value * 16 + digit
  }
  return value
}

type Escape = readonly [code: number, width: number]

/** The character of the escape at a position, and the length of the escape. */
const escapeAt = (codes: Uint16Array, at: number): Escape | undefined => {
  const code = codes[at]
  if (code === ampersand) {
    const match = entity.exec(textOf(codes.subarray(at, at + widest)))
    if (match === null) {
      return undefined
    }
    const [{ length }, decimal, hexadecimal, name = ""] = match
    const known = decimal ?? (hexadecimal && `0x${hexadecimal}`)
    return [known ? Number(known) : (entities[name.toLowerCase()] ?? "").charCodeAt(0), length]
  }
  const kind = String.fromCharCode(codes[at + 1] ?? 0)
  const isUnit = code === backslash && kind === "u"
  if (code === percent || isUnit) {
    const hex = isUnit ? hexAt(codes, at + 2, 4) : hexAt(codes, at + 1, 2)
    return Number.isNaN(hex) ? undefined : [hex, isUnit ? 6 : 3]
  }
  return controls.includes(kind) ? [0x20, 2] : `"\\/`.includes(kind) ? [kind.charCodeAt(0), 2] : undefined
}

/** White space, a form's encoded blank, or an invisible character. */
const isSkipped = (code: number): boolean =>
  code <= 0x20 || code === 0x2b || (code > 0x7f && /[\s\u00ad\u200b-\u200d\u2060]/.test(String.fromCharCode(code)))

/** Decodes one more level of escapes and removes white space. */
const readDeeper = ({ codes, begins, ends }: Reading): Reading => {
  const deeper = {
    codes: new Uint16Array(codes.length),
    begins: new Uint32Array(codes.length),
    ends: new Uint32Array(codes.length)
  }
  let size = 0
  for (let at = 0, width = 1; at < codes.length; at += width) {
    let code = codes[at] ?? 0
    width = 1
    if (code === percent || code === backslash || code === ampersand) {
      const escape = escapeAt(codes, at)
      if (escape !== undefined) {
        ;[code, width] = escape
      } else if (at + widest >= codes.length && cutOff.test(textOf(codes.subarray(at)))) {
        // It belongs to the character before it.
        deeper.ends[size - 1] = ends.at(-1) ?? 0
        break
      }
    }
    if (!isSkipped(code)) {
      deeper.codes[size] = code
      deeper.begins[size] = begins[at] ?? 0
      deeper.ends[size++] = ends[at + width - 1] ?? 0
    }
  }
  return {
    codes: deeper.codes.subarray(0, size),
    begins: deeper.begins.subarray(0, size),
    ends: deeper.ends.subarray(0, size)
  }
}

type Range = readonly [from: number, to: number]

const isAt = (codes: Uint16Array, at: number, text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    if (codes[at + index] !== text.charCodeAt(index)) {
      return false
    }
  }
  return true
}

/** The most levels of escapes that are decoded. */
const deepest = 4

/** A text as it is, and after each level of decoding. */
const readingsOf = (text: string): ReadonlyArray<Reading> => {
  let reading = readingOf(text)
  const readings = [reading]
  for (let level = 1; level <= deepest; level++) {
    const deeper = readDeeper(reading)
    // The first level removes white space; the others differ only if there are escapes.
    if (level > 1 && deeper.codes.length === reading.codes.length) {
      break
    }
    readings.push((reading = deeper))
  }
  return readings
}

/**
 * The part of a text's base64 that does not depend on the surrounding bytes, if the text begins `before` bytes after a
 * 3-byte boundary.
 */
const base64 = (text: string, before: number): string =>
  btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))

/** The forms of a secret in a text: as it is, as UTF-8 bytes, in base64, and each of them decoded. */
const writingsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = textOf(new TextEncoder().encode(secret))
  // The base64 of a short secret is too short to be recognized.
  const coded = secret.length < long ? [] : [0, 1, 2].map((before) => base64(secret, before))
  const plain = [secret, bytes, ...coded, ...coded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))]
  const read = plain.flatMap((text) => readingsOf(text).map(({ codes }) => textOf(codes)))
  // The rest of a secret that is mostly white space could be part of any word.
  return [...new Set([...plain, ...read.filter((text) => text.length >= Math.min(long, secret.length))])]
}

const isWordCode = (code: number | undefined): boolean => code !== undefined && /\w/.test(String.fromCharCode(code))

/** A short secret matches only as a separate word: a token `token` must not change `invalid_token`. */
const isAlone = ({ codes, begins, ends }: Reading, from: number, to: number): boolean => {
  const isJoined = (at: number) => begins[at] === ends[at - 1]
  for (let at = from + 1; at < to; at++) {
    if (!isJoined(at)) {
      return false
    }
  }
  return !(isJoined(from) && isWordCode(codes[from - 1])) && !(isJoined(to) && isWordCode(codes[to]))
}

/** The most positions with the same block that are tried: more would be slow for a secret of one repeated letter. */
const mostPlaces = 8

/** The weight of the first character of a block in the block's hash. */
const firstWeight = 31 ** (blockSize - 1)

/** Finds one secret in a decoded text. */
export class Finder {
  /** The shortest text that can hold the secret. */
  readonly shortest: number
  /** All of its longer forms, concatenated. */
  private readonly codes: Uint16Array
  /** The positions of each block in these, by the block's hash. */
  private readonly places = new Map<number, Array<number>>()
  /** A bitmap of the hashes' last bits: much cheaper to check than the map. */
  private readonly has = new Uint8Array(1 << 14)
  private readonly short: ReadonlyArray<string>
  /** The beginnings of its longer forms. */
  private readonly beginnings: ReadonlyArray<string>

  /** `secrets`: the secret parts of the value. */
  constructor(secrets: ReadonlyArray<string>) {
    const writings = [...new Set(secrets.filter((secret) => secret !== "").flatMap(writingsOf))]
    this.short = writings.filter(({ length }) => length < least)
    this.shortest = Math.min(long, ...writings.map(({ length }) => length))
    this.beginnings = writings.flatMap((text) =>
      [8, 9, 10, 11].filter((size) => size < text.length).map((size) => text.slice(0, size))
    )
    const { codes } = readingOf(writings.filter(({ length }) => length >= least).join(separator))
    this.codes = codes
    for (let place = 0, hash = 0; place < codes.length; place++) {
      hash = (Math.imul(hash, 31) + (codes[place] ?? 0)) | 0
      if (place % blockSize === blockSize - 1) {
        this.has[hash & (this.has.length - 1)] = 1
        const places = this.places.get(hash)
        if (places === undefined) {
          this.places.set(hash, [place - blockSize + 1])
        } else if (places.length < mostPlaces) {
          places.push(place - blockSize + 1)
        }
        hash = 0
      }
    }
  }

  /** Adds the ranges of the secret in a text, found in one of its decoded forms. */
  find({ codes, begins, ends }: Reading, ranges: Array<Range>): void {
    const add = (from: number, to: number) => ranges.push([begins[from] ?? 0, ends[to - 1] ?? 0])
    this.findRuns(codes, add)
    for (const writing of this.short) {
      for (let from = 0; from + writing.length <= codes.length; from++) {
        const to = from + writing.length
        if (isAt(codes, from, writing) && (writing.length >= long || isAlone({ codes, begins, ends }, from, to))) {
          add(from, to)
        }
      }
    }
    for (const beginning of this.beginnings) {
      if (isAt(codes, codes.length - beginning.length, beginning)) {
        add(codes.length - beginning.length, codes.length)
      }
    }
  }

  private findRuns(codes: Uint16Array, add: (from: number, to: number) => void): void {
    for (let at = 0, hash = 0, known = 0; at < codes.length; at++) {
      const first = at - blockSize + 1
      hash = (Math.imul(hash - Math.imul(codes[first - 1] ?? 0, firstWeight), 31) + (codes[at] ?? 0)) | 0
      // Skip blocks inside a run that was already found.
      if (at < known || this.has[hash & (this.has.length - 1)] === 0) {
        continue
      }
      let from = 0
      let to = 0
      for (const place of this.places.get(hash) ?? []) {
        const [begin, end] = this.runAround(codes, first, place)
        if (end - begin > to - from) {
          from = begin
          to = end
        }
      }
      if (to - from >= least) {
        // The blank after a scheme is not secret.
        add((codes[from] ?? 0) > 0x20 ? from : from + 1, to)
        known = to
      }
    }
  }

  /** The range in which a text equals the secret, around a position in each. */
  private runAround(codes: Uint16Array, at: number, place: number): Range {
    let before = 0
    while (before < Math.min(at, place) && codes[at - before - 1] === this.codes[place - before - 1]) {
      before++
    }
    let after = 0
    while (at + after < codes.length && codes[at + after] === this.codes[place + after]) {
      after++
    }
    return [at - before, at + after]
  }
}

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

/** Finds the value of a header, or a credential if no header is named, and the secret parts of it. */
export const finderIn = (value: string, header: string | undefined): Finder =>
  new Finder([value, ...partsOf(value, header)])

/** Redacts what the finders find in all decoded forms of a text. */
export const redact = (text: string, finders: ReadonlyArray<Finder>): string => {
  const able = finders.filter(({ shortest }) => text.length >= shortest)
  if (able.length === 0) {
    return text
  }
  const ranges: Array<Range> = []
  for (const reading of readingsOf(text)) {
    for (const finder of able) {
      finder.find(reading, ranges)
    }
  }
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
