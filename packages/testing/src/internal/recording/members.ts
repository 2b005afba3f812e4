/**
 * Members of forms, queries and JSON that contain secrets, by their names: parsed, and in any string. Each search takes linear
 * time: repetitions are bounded, or cannot overlap.
 */

export const redacted = "<redacted>"

/** Members that contain a secret in every OAuth service. */
const inAll = [
  "access_token",
  "refresh_token",
  "id_token",
  "token",
  "client_id",
  "client_secret",
  "client_assertion",
  "assertion",
  "code_verifier",
  "code_challenge",
  "password",
  "api_key"
]

/** Names that are also words of prose, where the text after them is no secret. */
const words = new Set(["token", "assertion", "password"])

/** Names of secrets only in forms and queries: in JSON, they can mean anything. */
const inForms = ["code", "state"]

/** How a percent escape begins, in a URL in a query of another URL too: up to five levels. */
const percent = "%(?:25){0,4}"

/** Where a word begins: not after a letter, a digit, `_` or `-`, unless that is the end of an escape. */
export const wordBegin = `(?:(?<![\\p{L}\\p{N}_-])|(?<=${percent}[\\da-f]{2}|\\\\[bfnrt]|\\\\u[\\da-f]{4}))`

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

export const anyOf = (texts: ReadonlyArray<string>): string => texts.map(escaped).join("|")

/** `accessToken`, `access-token` and `ACCESS_TOKEN` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "")

/** Matches the ways to write one of some names. */
const namePattern = (names: ReadonlyArray<string>): string =>
  names
    .map((name) =>
      name
        .split(/[-_]|(?<=[a-z\d])(?=[A-Z])/)
        .map(escaped)
        .join("[-_]?")
    )
    .join("|")

/** Matches a quotation mark, plain or escaped, without the backslashes before it. */
const quote = `(?:["']|(?:${percent}|\\\\u00)2[27]|&(?:quot|apos|#3[49]|#x2[27]);)`

/** Matches the user name and password in a URL. The slashes before them show how often the URL is escaped. */
const userInfo = new RegExp(
  `((/|\\\\/|${percent}2f)\\2)(?:(?!\\2)[^/?#\\s"'<>\\\\]|'(?=[\\w%])){1,1000}(@|${percent}40)`,
  "gi"
)

/** Matches the end of a value in a query; the index is how often the query is percent-encoded. */
const valueEnds = [0, 1, 2, 3, 4, 5].map((level) => {
  const ends = `[&#\\s"<>]|'(?![\\w%])|\\\\(?:["'nrt]|u00(?:2[02367]|3[ce]))`
  return new RegExp(level === 0 ? ends : `${ends}|%(?:25){0,${level - 1}}(?:0[9ad]|2[02367]|3[ce])`, "gi")
})

const brackets = new RegExp(`([[{]|${percent}[57]b)|[\\]}]|${percent}[57]d`, "gi")

/** Where a pattern is found next, or the end of the text. */
const indexOf = (text: string, pattern: RegExp, from: number): number => {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** The end of an array or an object that begins at a bracket. */
const endOfBrackets = (text: string, from: number): number => {
  brackets.lastIndex = from
  let depth = 0
  for (let bracket = brackets.exec(text); bracket !== null; bracket = brackets.exec(text)) {
    depth += bracket[1] === undefined ? -1 : 1
    if (depth === 0) {
      return brackets.lastIndex
    }
  }
  return text.length
}

interface Value {
  readonly from: number
  readonly to: number
  readonly replacement: string
}

/** Replaces the value after each place where a pattern is found, and goes on after the value. */
const replaceValues = (
  text: string,
  pattern: RegExp,
  valueAfter: (groups: Readonly<Record<string, string | undefined>>, at: number) => Value
): string => {
  let replaced = ""
  let done = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { from, replacement, to } = valueAfter(match.groups ?? {}, pattern.lastIndex)
    if (to > from) {
      replaced += text.slice(done, from) + replacement
      done = to
    }
    pattern.lastIndex = to
  }
  return replaced + text.slice(done)
}

/** Where a member begins whose value is a secret: in JSON, in forms and queries, and in other strings. */
const patternsOf = (ofJson: ReadonlyArray<string>, ofForms: ReadonlyArray<string>) => {
  const colon = `(?:\\s|\\+|${percent}20)*(?::|=>|${percent}3a)(?:\\s|\\+|${percent}20)*`
  const jsonMember = new RegExp(
    `${quote}(?:${namePattern(ofJson)})(?<nameEnd>\\\\*${quote})${colon}(?:(?<open>\\\\*${quote})|(?<bracket>[[{]|${percent}[57]b)|(?<scalar>(?!true|false|null)[\\w.+-]+))`,
    "gi"
  )
  const index = `(?:(?:\\[|${percent}5b)\\w{0,32}(?:\\]|${percent}5d)){0,4}`
  const formMember = new RegExp(
    `${wordBegin}(?:${namePattern(ofForms)})(?:\\]|${percent}5d)?${index}(?<equals>=|${percent}3d|\\\\u003d)`,
    "giu"
  )

  const assigned = `["']?\\s{0,9}(?::|=>?)\\s{0,9}`
  const content = `(?<content>(?:\\s[^<>]{0,200}|["'])?(?:>|&gt;|\\\\u003e)(?:\\s|<!\\[CDATA\\[){0,9})`
  const attribute = `(?<attribute>["'][^<>]{0,100}?[\\s"'](?:value|content)${assigned})`
  const notClosing = `(?<!(?:<|&lt;|\\\\u003c)\\\\?/(?:[\\w.-]{1,32}:)?)`
  /** A member of XML, HTML, YAML, an object of JavaScript, or an assignment. */
  const otherMember = new RegExp(
    `${wordBegin}${notClosing}(?<name>${namePattern(ofJson)})(?:${assigned}|${content}|${attribute})["']?(?<value>(?<=["'])[^"'<>\n]+|(?!true|false|null)[^\\s<>"'&,;(){}[\\]\\\\]+)`,
    "giu"
  )
  return { formMember, jsonMember, otherMember }
}

/** A value with a replacement of each string and number in it. */
const replaced = (value: unknown, secret: (value: string) => string): unknown => {
  if (typeof value === "string" || typeof value === "number") {
    return secret(String(value))
  }
  if (typeof value !== "object" || value === null) {
    return value
  }
  return Array.isArray(value)
    ? value.map((element) => replaced(element, secret))
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, secret)]))
}

/** The members that contain secrets; `secret` receives each value and returns its replacement. */
export const makeMembers = (more: ReadonlyArray<string>, secret: (value: string) => string) => {
  const ofJson = [...inAll, ...more.filter((name) => plain(name) !== "")]
  const ofForms = [...ofJson, ...inForms]
  const jsonNames = new Set(ofJson.map(plain))
  const formNames = new Set(ofForms.map(plain))
  const { formMember, jsonMember, otherMember } = patternsOf(ofJson, ofForms)

  const withoutJson = (text: string): string =>
    replaceValues(text, jsonMember, ({ bracket, nameEnd = "", open, scalar = "" }, at) => {
      if (open !== undefined) {
        const end = new RegExp(`(?<!\\\\|${percent}5c)${escaped(open)}`, "gi")
        const to = indexOf(text, end, at)
        return { from: at, to, replacement: to > at ? secret(text.slice(at, to)) : "" }
      }
      const from = at - (bracket ?? scalar).length
      const to = bracket === undefined ? at : endOfBrackets(text, from)
      // The content of brackets is not searched for elsewhere, because it also contains names of members.
      return { from, to, replacement: nameEnd + (bracket === undefined ? secret(scalar) : redacted) + nameEnd }
    })

  const withoutForms = (text: string): string =>
    replaceValues(text, formMember, ({ equals = "" }, at) => {
      const level = equals.startsWith("%") ? (equals.length - 1) / 2 : 0
      const to = indexOf(text, valueEnds[level] ?? /$/g, at)
      return { from: at, to, replacement: to > at ? secret(text.slice(at, to)) : "" }
    })

  const withoutOthers = (text: string): string =>
    replaceValues(text, otherMember, ({ attribute, content, name = "", value = "" }, to) => {
      const from = to - value.length
      const isToken = /\d|.{20}/.test(value)
      if (!isToken && (attribute ?? content) === undefined && words.has(plain(name))) {
        return { from: to, to, replacement: "" }
      }
      // A plain word, as in "access_token: required", is not searched for elsewhere.
      return { from, to, replacement: isToken ? secret(value) : redacted }
    })

  const isInForm = (name: string): boolean =>
    formNames.has(plain(name)) || name.split(/[^\w-]+/).some((part) => formNames.has(plain(part)))

  return {
    /** A value of a form or query: `access_token`, `access_token[]` and `auth[access_token]` are secrets. */
    ofForm: (name: string, value: string): string => (isInForm(name) ? secret(value) : value),
    /** A member of parsed JSON: strings and numbers in it are secrets, too. */
    ofJson: (name: string, value: unknown): unknown => (jsonNames.has(plain(name)) ? replaced(value, secret) : value),
    /** A string without the secrets of members and URLs in it. */
    inText: (text: string): string =>
      withoutOthers(withoutForms(withoutJson(text.replace(userInfo, `$1${redacted}$3`))))
  }
}
