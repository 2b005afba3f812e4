/** A recording in one test: the responses, what is sent, and what is written in the end. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { hasMethod, show } from "../../internal/common/mistakes.js"
import { type Finder, finderOf, redact } from "../../internal/redaction/redact.js"
import { encodeBase64 } from "./base64.js"
import { redacted } from "./members.js"
import { isSecret } from "../../internal/common/secret.js"
import { checkTypes, type OptionTypes } from "./optionTypes.js"
import { isPacked, pack, type Packing, unpack, type Unpacked } from "./packed.js"
import {
  Answers,
  bytesOf,
  type Exchange,
  nearest,
  parse,
  print,
  RecordingError,
  shown,
  type StoredRequest
} from "./recording.js"
import { makeRules, type Reply, type Secrets, type Sent } from "./rules.js"

/**
 * Where a recording is kept: functions that read and write one string, and can return a promise. `recordingFile` of
 * `@catalog-client/node/testing` is one over a file.
 *
 * @example
 * ```ts
 * import type { RecordingStore } from "@catalog-client/core/testing"
 *
 * // In a page, from a bundler: import text from "./recordings/search.json?raw"
 * export const bundled = (text: string): RecordingStore => ({ name: "recordings/search.json", read: () => text })
 * ```
 */
export interface RecordingStore {
  /** What messages call it, for example the path of its file. */
  readonly name: string
  /** `null` and `undefined` mean that there is no recording yet. */
  readonly read: () => string | null | undefined | Promise<string | null | undefined>
  /** Replaces the text. Not needed to replay. */
  readonly write?: (text: string) => unknown
}

/** Options of a recorder. An invalid one is a `TypeError`. */
export interface RecorderOptions {
  /** Where the recording is kept: use one for each test. */
  readonly store: RecordingStore
  /**
   * What the recorder does with a request:
   *
   * - `replay`, the default: responds from the recording, and never sends it
   * - `record`: sends it, and makes the recording anew
   * - `auto`: responds from the recording, and sends and adds what is not there
   * - `live`: sends it; there is no recording
   */
  readonly mode?: "replay" | "record" | "auto" | "live" | undefined
  /**
   * The response to a request that is repeated more often than it was recorded: by default an error (`fail`), or the last
   * recorded response (`repeat`).
   */
  readonly whenUsedUp?: "fail" | "repeat" | undefined
  /**
   * Names of users, and other names for them: `{ realName: "user1" }`. The service is asked with the real name, and the
   * recording and the program have the other one, whichever the program asks with. The other names are of letters,
   * digits, `_` and `-`.
   */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Further strings that must not be in the recording. Credentials in headers and what OAuth sends need not be named. */
  readonly redact?: ReadonlyArray<string | Redacted.Redacted<string>> | undefined
  /** Further members of queries, forms and JSON whose values must not be in the recording. */
  readonly redactMembers?: ReadonlyArray<string> | undefined
  /**
   * Further response headers to record. By default `content-type`, `location`, `retry-after` and `www-authenticate`. No
   * header of a request is recorded.
   */
  readonly headers?: ReadonlyArray<string> | undefined
}

const mistake = (what: string): TypeError => new TypeError(`options of a recorder: ${what}`)

/** Headers whose value is a secret whatever its length. */
const credential = /auth|token|secret|key|client-?id|session|credential|cookie/i

/** Request headers that contain no secret. */
const harmless =
  /^(?:accept(?:-.*)?|content-.*|user-agent|host|connection|origin|referer|traceparent|tracestate|baggage|b3|x-b3-.*|(?:x-)?(?:request|correlation)-id)$/

/** Shorter strings can be part of other words. */
const long = 8

/** A token, an identifier or an address: a dot at the end is not part of it. */
const word = /[\w@~+-]+(?:\.[\w@~+-]+)*/g

/** Each finder searches all bodies once more. Beyond this number, only the words of a value are searched for, all at once. */
const mostFinders = 32

const makeSecrets = (given: RecorderOptions["redact"] = []): Secrets & { readonly ofHeaders: (sent: Sent) => void } => {
  const known = new Set<string>()
  const all: Array<Finder> = []
  const longer: Array<Finder> = []
  /** Words of the values that have no finder. */
  const words = new Set<string>()
  const add = (value: string, most = Infinity): void => {
    const [, ofScheme = value] = /^[\w-]+ +(\S+)$/.exec(value) ?? []
    if (ofScheme === "" || ofScheme === redacted || known.has(value)) {
      return
    }
    known.add(value)
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
  const named = given
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
      add(value, mostFinders)
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

/** `createRecorder` passes all of its options. */
const ofRecorder: OptionTypes<RecorderOptions & { readonly fetch: unknown }> = {
  store: "object",
  mode: ["replay", "record", "auto", "live"],
  whenUsedUp: ["fail", "repeat"],
  names: "object",
  redact: "array",
  redactMembers: "array",
  headers: "array",
  fetch: "function"
}

const ofStore: OptionTypes<RecordingStore> = { name: "string", read: "function", write: "function" }

const checked = (options: RecorderOptions): RecorderOptions => {
  checkTypes("a recorder", options, ofRecorder)
  const { headers = [], names = {}, redact = [], store } = options
  if (!hasMethod(store, "read")) {
    throw mistake("store must have a function read")
  }
  const { name, read, write } = store
  checkTypes("the store of a recorder", { name, read, write }, ofStore)
  const noText = redact.find((text) => typeof text !== "string" && !isSecret(text))
  if (noText !== undefined) {
    throw mistake(`redact must contain strings, but one is ${show(noText)}`)
  }
  const others = Object.values(names)
  const wrong = others.find((name, at) => !/^[\w-]+$/.test(name) || others.indexOf(name) !== at)
  if (wrong !== undefined || "" in names) {
    throw mistake(`names must map each name to another of letters, digits, _ and -, but one is "${wrong ?? ""}"`)
  }
  const secretHeader = headers.find((name) => credential.test(name) && name.toLowerCase() !== "www-authenticate")
  if (secretHeader !== undefined) {
    throw mistake(`the header ${secretHeader} can contain a credential and is not recorded`)
  }
  return options
}

/** A request that was sent, and its response when it has come. */
interface Sending {
  readonly sent: Sent
  reply?: Reply
}

/** One recording, and what happens to it in one test. */
export class Tape {
  private readonly secrets
  private readonly rules
  private readonly mode: NonNullable<RecorderOptions["mode"]>
  /** In the order in which they were sent: in this order they are replayed. */
  private readonly sendings: Array<Sending> = []
  readonly missed: Array<string> = []

  constructor(
    private readonly options: RecorderOptions,
    private readonly answers: Answers
  ) {
    this.mode = options.mode ?? "replay"
    this.secrets = makeSecrets(options.redact)
    const headers = options.headers?.map((name) => name.toLowerCase())
    this.rules = makeRules({ ...options, headers }, this.secrets)
  }

  get unused(): ReadonlyArray<string> {
    return this.answers.unused()
  }

  /** Responds to a request; `send` sends it, with another URL and body. */
  exchange<E>(
    sent: Sent,
    send: (changed: Pick<Sent, "url" | "body"> | undefined) => Effect.Effect<Reply, E>
  ): Effect.Effect<Reply, E | RecordingError> {
    return Effect.flatMap(
      searchable(this.rules, this.options.store.name, sent, sent.body),
      ({ bytes }): Effect.Effect<Reply, E | RecordingError> => {
        this.secrets.ofHeaders(sent)
        const known = { ...sent, body: bytes }
        const asked = this.rules.request(known)
        const found = this.answers.take(asked)
        if (found !== undefined) {
          return Effect.succeed({
            status: found.status,
            headers: Object.entries(found.headers ?? {}),
            body: bytesOf(found)
          })
        }
        if (this.mode === "replay") {
          return this.miss(asked)
        }
        const sending: Sending = { sent: known }
        if (this.mode !== "live") {
          this.sendings.push(sending)
        }
        return Effect.map(send(this.rules.outgoing(sent)), (reply) => {
          sending.reply = reply
          return this.rules.incoming(reply)
        })
      }
    )
  }

  private miss(asked: StoredRequest): Effect.Effect<never, RecordingError> {
    const { name } = this.options.store
    const times = this.answers.count(asked)
    this.missed.push(shown(asked))
    return Effect.fail(
      times > 0
        ? new RecordingError({
            reason: "UsedUp",
            message: `${shown(asked)} was recorded ${times === 1 ? "once" : `${times} times`} in ${name}, and is requested once more. Record it again with the mode "record", add what is missing with "auto", or set whenUsedUp: "repeat".`
          })
        : new RecordingError({
            reason: "NotRecorded",
            message: `${shown(asked)} is not in ${name}. ${nearest(asked, this.answers.exchanges)} To add it, run the test with the mode "auto"; to record all again, with "record".`
          })
    )
  }

  /** Writes the complete exchanges that were sent, if there are any. */
  get save(): Effect.Effect<void, RecordingError> {
    const { answers, mode, options, rules, sendings } = this
    const { name, write } = options.store
    return Effect.gen(function* () {
      const complete = sendings.flatMap(({ reply, sent }) => (reply === undefined ? [] : { reply, sent }))
      if (mode !== "record" && complete.length === 0) {
        return
      }
      const found = yield* Effect.forEach(complete, ({ reply, sent }) =>
        Effect.map(searchable(rules, name, sent, reply.body), ({ bytes, packing }) => ({
          sent,
          reply: { ...reply, body: bytes },
          packing
        }))
      )
      const stored = () =>
        found.map(({ packing, reply, sent }) => ({
          request: rules.request(sent),
          response: rules.response(reply),
          packing
        }))
      // Once only to learn secrets: a later exchange can contain one that an earlier one contains.
      stored()
      const exchanges = yield* Effect.forEach(stored(), packedAgain)
      if (write === undefined) {
        const message = `${name} cannot be written: its store has no function write. Add one, or use the mode "replay".`
        return yield* new RecordingError({ reason: "Store", message })
      }
      const text = print([...answers.exchanges, ...exchanges])
      yield* storing(name, "written", async () => write(text))
    })
  }
}

/** A body as it is searched for secrets: unpacked, if it is compressed by itself. */
const searchable = (
  rules: ReturnType<typeof makeRules>,
  name: string,
  sent: Sent,
  body: Uint8Array
): Effect.Effect<Unpacked, RecordingError> => {
  const bytes = new Uint8Array(body)
  return isPacked(bytes)
    ? Effect.tryPromise({
        try: () => unpack(bytes),
        catch: (cause) => {
          const why = cause instanceof Error ? cause.message : String(cause)
          const asked = shown(rules.request({ ...sent, body: new Uint8Array() }))
          const message = `${asked} cannot be recorded in ${name}: a body is compressed and cannot be unpacked (${why}), so that it cannot be searched for secrets. Make this request without the recorder.`
          return new RecordingError({ reason: "Compressed", cause, message })
        }
      })
    : Effect.succeed({ bytes, packing: [] })
}

/** An exchange as it is kept, whose response is compressed again. */
const packedAgain = ({
  packing,
  request,
  response
}: Exchange & { readonly packing: Packing }): Effect.Effect<Exchange> => {
  const { headers, status, ...body } = response
  return packing.length === 0
    ? Effect.succeed({ request, response })
    : Effect.map(
        Effect.promise(() => pack(bytesOf(body), packing)),
        (bytes) => ({
          request,
          response: { status, headers, base64: encodeBase64(bytes) }
        })
      )
}

const storing = <A>(name: string, done: string, run: () => Promise<A>): Effect.Effect<A, RecordingError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      return new RecordingError({ reason: "Store", cause, message: `${name} cannot be ${done}: ${why}.` })
    }
  })

/** Reads the recording, if the mode needs it. */
export const open = (options: RecorderOptions): Effect.Effect<Tape, RecordingError> =>
  Effect.gen(function* () {
    const { mode = "replay", store, whenUsedUp = "fail" } = yield* Effect.sync(() => checked(options))
    if (mode === "record" || mode === "live") {
      return new Tape(options, new Answers([], whenUsedUp))
    }
    const text = yield* storing(store.name, "read", async () => store.read())
    if (typeof text === "string") {
      const exchanges = parse(text, store.name)
      if (exchanges instanceof RecordingError) {
        return yield* exchanges
      }
      return new Tape(options, new Answers(exchanges, whenUsedUp))
    }
    if (mode === "auto") {
      return new Tape(options, new Answers([], whenUsedUp))
    }
    const message = `there is no recording ${store.name}. Run the test once with the mode "record", and commit what it writes.`
    return yield* new RecordingError({ reason: "NoRecording", message })
  })
