/** A recording in one test: the responses, what is sent, and what is written in the end. */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { isSecret, show } from "@catalog-client/core/internal"
import { checkTypes, type OptionTypes } from "../optionTypes.js"
import { credential, makeSecrets } from "./recordedSecrets.js"
import {
  RecordedExchanges,
  bytesOf,
  isCompressed,
  nearest,
  parse,
  print,
  RecordingError,
  shown,
  type StoredRequest
} from "../recording/recording.js"
import { makeRewriting, type Reply, type Sent } from "../recording/rewriting.js"

/**
 * Where a recording is kept: functions that read and write one string, and can return a promise. `recordingFile` of
 * `@catalog-client/testing/node` is one over a file.
 *
 * @example
 * ```ts
 * import type { RecordingStore } from "@catalog-client/testing"
 *
 * // In a page, from a bundler: import text from "../recordings/search.json?raw"
 * export const bundled = (text: string): RecordingStore => ({ name: "recordings/search.json", read: () => text })
 * ```
 */
export interface RecordingStore {
  /** What messages call it, for example the path of its file. */
  readonly name: string
  /** `null` and `undefined` mean that there is no recording yet. */
  readonly read: () => string | null | undefined | Promise<string | null | undefined>
  /** Replaces the text. Not needed to replay. */
  readonly write?: (text: string) => void | PromiseLike<unknown>
}

/** Options of a recorder. An invalid one is a `TypeError`. */
export interface RecorderOptions {
  /** Where the recording is kept: use one for each test. */
  readonly store: RecordingStore
  /**
   * What the recorder does with a request:
   *
   * - `replay`: responds from the recording, and never sends it
   * - `record`: sends it, and makes the recording anew
   * - `auto`: responds from the recording, and sends and adds what is not there
   * - `live`: sends it; there is no recording
   *
   * @default "replay"
   */
  readonly mode?: "replay" | "record" | "auto" | "live" | undefined
  /**
   * The response to a request that is repeated more often than it was recorded: an error (`fail`), or the last recorded
   * response (`repeat`).
   *
   * @default "fail"
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

/** `createRecorder` of catalog-client passes all of its options. */
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
  if (typeof (store as Partial<RecordingStore> | null | undefined)?.read !== "function") {
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
  private readonly rewriting
  private readonly mode: NonNullable<RecorderOptions["mode"]>
  /** In the order in which they were sent, which is also the order of the replay. */
  private readonly sendings: Array<Sending> = []
  readonly missed: Array<string> = []

  constructor(
    private readonly options: RecorderOptions,
    private readonly recorded: RecordedExchanges
  ) {
    this.mode = options.mode ?? "replay"
    this.secrets = makeSecrets(options.redact)
    const headers = options.headers?.map((name) => name.toLowerCase())
    this.rewriting = makeRewriting({ ...options, headers }, this.secrets)
  }

  get unused(): ReadonlyArray<string> {
    return this.recorded.unused()
  }

  /** Responds to a request; `send` sends it, with another URL and body. */
  exchange<E>(
    sent: Sent,
    send: (changed: Pick<Sent, "url" | "body"> | undefined) => Effect.Effect<Reply, E>
  ): Effect.Effect<Reply, E | RecordingError> {
    if (isCompressed(sent.body)) {
      return this.compressed(sent)
    }
    this.secrets.ofHeaders(sent)
    const request = this.rewriting.request(sent)
    const recorded = this.recorded.take(request)
    if (recorded !== undefined) {
      return Effect.succeed({
        status: recorded.status,
        headers: Object.entries(recorded.headers ?? {}),
        body: bytesOf(recorded)
      })
    }
    if (this.mode === "replay") {
      return this.miss(request)
    }
    const sending: Sending = { sent }
    if (this.mode !== "live") {
      this.sendings.push(sending)
    }
    return Effect.map(send(this.rewriting.outgoing(sent)), (reply) => {
      sending.reply = reply
      return this.rewriting.incoming(reply)
    })
  }

  private compressed(sent: Sent): Effect.Effect<never, RecordingError> {
    const request = shown(this.rewriting.request({ ...sent, body: new Uint8Array() }))
    const message = `${request} cannot be recorded in ${this.options.store.name}: a body is compressed by itself, so that it cannot be searched for secrets. Make this request without the recorder.`
    return Effect.fail(new RecordingError({ reason: "Compressed", message }))
  }

  private miss(request: StoredRequest): Effect.Effect<never, RecordingError> {
    const { name } = this.options.store
    const times = this.recorded.count(request)
    this.missed.push(shown(request))
    return Effect.fail(
      times > 0
        ? new RecordingError({
            reason: "UsedUp",
            message: `${shown(request)} was recorded ${times === 1 ? "once" : `${times} times`} in ${name}, and is requested once more. Record it again with the mode "record", add what is missing with "auto", or set whenUsedUp: "repeat".`
          })
        : new RecordingError({
            reason: "NotRecorded",
            message: `${shown(request)} is not in ${name}. ${nearest(request, this.recorded.exchanges)} To add it, run the test with the mode "auto"; to record all again, with "record".`
          })
    )
  }

  /** Writes the complete exchanges that were sent, if there are any. */
  get save(): Effect.Effect<void, RecordingError> {
    return Effect.suspend(() => {
      const { name, write } = this.options.store
      const complete = this.sendings.flatMap(({ reply, sent }) => (reply === undefined ? [] : [{ reply, sent }]))
      if (this.mode !== "record" && complete.length === 0) {
        return Effect.void
      }
      const unsearchable = complete.find(({ reply }) => isCompressed(reply.body))
      if (unsearchable !== undefined) {
        return this.compressed(unsearchable.sent)
      }
      const stored = () =>
        complete.map(({ reply, sent }) => ({
          request: this.rewriting.request(sent),
          response: this.rewriting.response(reply)
        }))
      // The first run only learns secrets: an earlier exchange can contain a secret that only a later one reveals.
      stored()
      if (write === undefined) {
        const message = `${name} cannot be written: its store has no function write. Add one, or use the mode "replay".`
        return Effect.fail(new RecordingError({ reason: "Store", message }))
      }
      const text = print([...this.recorded.exchanges, ...stored()])
      return storing(name, "written", async () => write(text))
    })
  }
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
      return new Tape(options, new RecordedExchanges([], whenUsedUp))
    }
    const text = yield* storing(store.name, "read", async () => store.read())
    if (typeof text === "string") {
      const exchanges = parse(text, store.name)
      if (exchanges instanceof RecordingError) {
        return yield* exchanges
      }
      return new Tape(options, new RecordedExchanges(exchanges, whenUsedUp))
    }
    if (mode === "auto") {
      return new Tape(options, new RecordedExchanges([], whenUsedUp))
    }
    const message = `there is no recording ${store.name}. Run the test once with the mode "record", and commit what it writes.`
    return yield* new RecordingError({ reason: "NoRecording", message })
  })

/** Statuses that no body may follow. */
const bodiless = new Set([204, 205, 304])

/** The response of an exchange that was recorded. */
export const webResponse = ({ body, headers, status }: Reply): Response => {
  // The browser of the recorder has hidden where the redirect leads.
  if (status === 0) {
    return Response.error()
  }
  const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) }
  return new Response(bodiless.has(status) ? null : body, init)
}
