/**
 * Cuts secrets out of a text, however it writes them.
 */

/** From so many characters on a text is a secret wherever it stands; a shorter one can be a part of a word. */
export const long = 8

/** What JSON, URLs and HTML write in place of a character, and one of them that the end of a text cuts off. */
const escapes =
  /%([\da-f]{2})|\\u([\da-f]{4})|\\(["\\/])|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|lt|gt|quot|apos);|[%\\&][\w#]{0,8}$/gi

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

type Groups = ReadonlyArray<string | undefined>

const charOf = (...[, byte, unit, char, decimal, hexadecimal, name]: Groups): string => {
  const hex = byte ?? unit ?? hexadecimal
  const code = hex === undefined ? decimal : `0x${hex}`
  return code === undefined ? (char ?? entities[name?.toLowerCase() ?? ""] ?? "") : String.fromCharCode(Number(code))
}

/** Where in a text each character of its reading begins, and where the reading ends. */
const placesIn = (text: string, reading: string): Uint32Array => {
  const places = new Uint32Array(reading.length + 1)
  let read = 0
  let written = 0
  for (const match of text.matchAll(escapes)) {
    while (written < match.index) {
      places[read++] = written++
    }
    if (charOf(...match) !== "") {
      places[read++] = written
    }
    written += match[0].length
  }
  while (read < reading.length) {
    places[read++] = written++
  }
  places[read] = text.length
  return places
}

/** The base64 of a text, as far as it is the same whatever stands around the text, which is `before` bytes from a border. */
const base64 = (text: string, before: number): string =>
  btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))

/** A secret in what is no matter of single characters: as UTF-8 or in a form that is not read as such, and in base64. */
export const writingsOf = (secret: string): ReadonlyArray<string> => {
  // Of a short one, base64 has too little by which it could be told.
  const coded = secret.length < long ? [] : [0, 1, 2].map((before) => base64(secret, before))
  return [
    ...new Set([
      secret,
      String.fromCharCode(...new TextEncoder().encode(secret)),
      secret.replaceAll(" ", "+"),
      secret.replaceAll("+", " "),
      ...coded,
      ...coded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
    ])
  ]
}

type Range = readonly [from: number, to: number]

/** A short one counts where it stands alone: a token `token` in a test must not turn `invalid_token` into something else. */
const isAlone = (text: string, [from, to]: Range): boolean => !/\w/.test(text.charAt(from - 1) + text.charAt(to))

/** Where a secret is in a text as it is. */
const rangesOf = (text: string, secret: string): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    ranges.push([at, at + secret.length])
  }
  if (secret.length < long) {
    return ranges.filter((range) => isAlone(text, range))
  }
  // A text can end within it.
  const last = text.lastIndexOf(secret.slice(0, long))
  return last >= 0 && secret.startsWith(text.slice(last)) ? [...ranges, [last, text.length]] : ranges
}

/** Where secrets are in a text: as it is, as it is read, and as what is read then is, a few times. */
const rangesIn = (text: string, secrets: ReadonlyArray<string>, times = 4): ReadonlyArray<Range> => {
  const ranges = secrets.flatMap((secret) => rangesOf(text, secret))
  const reading = times === 0 ? text : text.replace(escapes, charOf)
  if (reading === text) {
    return ranges
  }
  const read = rangesIn(reading, secrets, times - 1)
  if (read.length === 0) {
    return ranges
  }
  const places = placesIn(text, reading)
  return [...ranges, ...read.map(([from, to]): Range => [places[from] ?? 0, places[to] ?? 0])]
}

/** What cuts secrets, given in all their writings, out of a text. */
export const cutterOf =
  (written: ReadonlyArray<string>) =>
  (text: string): string => {
    let cut = ""
    let kept = 0
    for (const [from, to] of [...rangesIn(text, written)].sort(([one], [other]) => one - other)) {
      if (from >= kept) {
        cut += `${text.slice(kept, from)}<redacted>`
      }
      kept = Math.max(kept, to)
    }
    return cut + text.slice(kept)
  }
