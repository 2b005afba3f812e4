/**
 * Cuts secrets out of a text, however it writes them.
 */

/** From so many characters on a text is a secret wherever it stands; a shorter one can be a part of a word. */
export const long = 8

type Write = (text: string) => string

const json: Write = (text) => JSON.stringify(text).slice(1, -1)

const form: Write = (text) => new URLSearchParams({ "": text }).toString().slice(1)

const names: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const html: Write = (text) => text.replace(/[&<>"']/g, (char) => names[char] ?? char)

/** What is no letter or digit as a number. */
const coded =
  (code: (number: number) => string): Write =>
  (text) =>
    text.replace(/\W/g, (char) => code(char.charCodeAt(0)))

const decimal = coded((code) => `&#${code};`)

/** The base64 of a text, as far as it is the same whatever stands around the text, which is `before` bytes from a border. */
const base64 =
  (before: number): Write =>
  (text) =>
    btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))

/** How a text is written by those who send it back; in one way, or in one within another. */
const writings: ReadonlyArray<Write> = [
  (text) => text,
  json,
  (text) => json(text).replaceAll("/", "\\/"),
  coded((code) => `\\u${code.toString(16).padStart(4, "0")}`),
  html,
  decimal,
  coded((code) => `&#x${code.toString(16)};`),
  (text) => html(json(text)),
  (text) => html(html(text)),
  (text) => html(decimal(text)),
  encodeURI,
  encodeURIComponent,
  form,
  // Read from a URL that was not encoded.
  (text) => form(text.replaceAll("+", " ")),
  (text) => encodeURIComponent(encodeURIComponent(text))
]

/** Of a short text it could be a part of any word. */
const writingsOfLong: ReadonlyArray<Write> = [base64(0), base64(1), base64(2)]

/** The same in other letters: the digits of a number, the alphabet that base64 has in URLs. */
const variants: ReadonlyArray<Write> = [
  (text) => text,
  (text) => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
  (text) => text.replace(/(?<=\\u|&#x)[0-9a-f]+/g, (digits) => digits.toUpperCase()),
  (text) => text.replaceAll("+", "-").replaceAll("/", "_")
]

/** All writings of a secret. */
export const writingsOf = (secret: string): ReadonlyArray<string> => {
  const all = secret.length < long ? writings : [...writings, ...writingsOfLong]
  return [...new Set(all.flatMap((write) => variants.map((vary) => vary(write(secret)))))]
}

const redacted = "<redacted>"

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** A short one counts where it stands alone: a token `token` in a test must not turn `invalid_token` into something else. */
const cutOne = (text: string, secret: string): string => {
  if (secret.length < long) {
    return text.replace(new RegExp(`(?<!\\w)${literal(secret)}(?!\\w)`, "g"), redacted)
  }
  const cut = text.replaceAll(secret, redacted)
  // A text can end within it.
  const last = cut.lastIndexOf(secret.slice(0, long))
  return last >= 0 && secret.startsWith(cut.slice(last)) ? cut.slice(0, last) + redacted : cut
}

/** What cuts secrets, given in all their writings, out of a text. */
export const cutterOf = (written: ReadonlyArray<string>): ((text: string) => string) => {
  if (written.length === 0) {
    return (text) => text
  }
  // A body can have many texts, and few of them or none hold how one begins.
  const beginnings = new Set(written.map((secret) => literal(secret.slice(0, long))))
  const some = new RegExp([...beginnings].join("|"))
  // One can be the beginning of another.
  const sorted = [...written].sort((one, other) => other.length - one.length)
  return (text) => (some.test(text) ? sorted.reduce(cutOne, text) : text)
}
