/** Credentials with unique markers, a search that finds them in any encoding, and every way to print a value. */
import { ClientError } from "@catalog-client/core"
import { Cause, Exit, Inspectable, Schema } from "effect"

/** With characters that JSON, HTML and URLs escape. */
export const token = `TokenCanary7f3a/+="&<'>~TokenTail91`
export const clientId = "IdCanary77c1/+=%;IdTail52"
/** Secrets in the configuration's headers. */
export const key = "KeyCanary5e0b"
export const session = "SessionCanary66d2"
export const password = "PassCanary19aa"

export const credentials = { accessToken: token, clientId }
export const headers = {
  "x-api-key": key,
  cookie: `theme=dark; session=${session}`,
  "proxy-authorization": `Basic ${btoa(`proxy:${password}`)}`
}

/** Pieces of the credentials: one is left when a credential is escaped or cut. */
const marks = ["TokenCana", "TokenTail9", "IdCanary7", "IdTail5", "KeyCanary", "SessionCan", "PassCanary"]

/** The parts of a text's base64 that do not depend on the text around it, for each of three alignments. */
const base64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) =>
    btoa("-".repeat(before) + text).slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))
  )

const written = [
  new RegExp(marks.join("|"), "i"),
  new RegExp(
    marks
      .flatMap(base64)
      .map((text) => text.replace(/\+/g, "[+-]").replace(/\//g, "[/_]"))
      .join("|")
  )
]

/** Where a text shows a credential: what stands around each place. */
export const search = (text: string): ReadonlyArray<string> =>
  written.flatMap((pattern) => {
    const at = text.search(pattern)
    return at < 0 ? [] : [text.slice(Math.max(0, at - 120), at + 80)]
  })

const attempt = (print: () => unknown): string => {
  try {
    return String(print())
  } catch (error) {
    return `${String(error)} ${(error as Error).stack}`
  }
}

/** Every text that can be reached from a value by hand: keys, hidden and inherited members, causes. */
const walk = (value: unknown): string => {
  const texts: Array<string> = []
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) {
      texts.push(String(value))
      return
    }
    if (seen.has(value)) {
      return
    }
    seen.add(value)
    if (value instanceof Map || value instanceof Set) {
      visit([...value])
    }
    // What is inherited is read from the value itself, down to what every object has.
    for (let owner: object | null = value; owner !== null && owner !== Object.prototype;) {
      for (const name of Reflect.ownKeys(owner)) {
        texts.push(String(name))
        const { get, value: member } = Reflect.getOwnPropertyDescriptor(owner, name) ?? {}
        if (get !== undefined) {
          texts.push(attempt(() => visit(get.call(value))))
        } else if (typeof member !== "function") {
          visit(member)
        }
      }
      owner = value instanceof Error ? (Object.getPrototypeOf(owner) as object | null) : null
    }
  }
  visit(value)
  return texts.join("\n")
}

type Printer = (value: unknown) => unknown

/** What prints a value, in Node and in a browser. */
const printers: Readonly<Record<string, Printer>> = {
  String,
  "JSON.stringify": (value) => JSON.stringify(value, undefined, 1),
  toStringUnknown: (value) => Inspectable.toStringUnknown(value),
  structuredClone: (value) => walk(structuredClone(value)),
  walk
}

const ofErrors: Readonly<Record<string, Printer>> = {
  stack: (error) => `${(error as Error).message}\n${(error as Error).stack}`,
  "Schema.encode": (error) =>
    Schema.is(ClientError)(error) ? JSON.stringify(Schema.encodeSync(ClientError)(error)) : "",
  "Cause.pretty": (error) =>
    [
      Cause.fail(error),
      Cause.die(error),
      Cause.parallel(Cause.fail(error), Cause.die(new Error("x", { cause: error })))
    ]
      .map((cause) => Cause.pretty(cause, { renderErrorCause: true }))
      .join("\n"),
  Exit: (error) => `${String(Exit.fail(error))} ${JSON.stringify(Exit.fail(error))}`
}

/** What each way to print a value prints; `platform` are the ways of one platform. */
export const printings = (value: unknown, platform: Readonly<Record<string, Printer>>) =>
  Object.entries({ ...printers, ...platform, ...(value instanceof Error ? ofErrors : {}) }).map(
    ([name, print]) => [name, attempt(() => print(value))] as const
  )

/** Counts what was printed, and collects where a credential was in it. */
export class Evidence {
  readonly found: Array<string> = []
  /** Names and URLs of the spans that ended. */
  readonly spans: Array<string> = []
  printed = 0

  /** `platform` are the printers that only one platform has, the plainest one first. */
  constructor(
    private readonly platform: Readonly<Record<string, Printer>>,
    private readonly isThorough = false
  ) {}

  see(where: string, text: string): void {
    this.printed++
    this.found.push(...search(text).map((found) => `${where}: ${found}`))
  }

  /** For values around an error: prints them in every way only if `isThorough`, to save time. */
  glance(where: string, value: unknown): void {
    if (this.isThorough) {
      this.show(where, value)
    } else {
      const [, print = String] = Object.entries(this.platform)[0] ?? []
      this.see(
        where,
        attempt(() => `${String(value)} ${JSON.stringify(value)} ${String(print(value))}`)
      )
    }
  }

  show(where: string, value: unknown): void {
    for (const [name, text] of printings(value, this.platform)) {
      this.see(`${where}, ${name}`, text)
    }
  }
}
