/** What a recording is made of: its text, how requests are compared, and how bodies are kept. */
import * as Data from "effect/Data"
import { type Bytes, decodeBase64, encodeBase64 } from "../base64.js"
import { array, is, optional, record, type Shape, string, struct } from "./shape.js"

/**
 * A recording, or one of its responses, cannot be used. The message names the recording and says what to do.
 *
 * - `NoRecording`: there is nothing to replay yet
 * - `Corrupt`: the text is no recording, for example after a merge conflict
 * - `Version`: it has a format version that this library does not know
 * - `NotRecorded`: a request has no recorded response; the message shows the nearest recorded request
 * - `UsedUp`: a request was made more often than it was recorded
 * - `Compressed`: a body is compressed by itself, so that it cannot be searched for secrets
 * - `Store`: the store failed; `cause` is its error
 *
 * @example
 * ```ts
 * import { Transport } from "@catalog-client/core"
 * import { Recorder, type RecordingError } from "@catalog-client/testing"
 * import { Effect, Layer } from "effect"
 *
 * const empty = Recorder.layer({ store: { name: "empty", read: () => undefined } }).pipe(Layer.provide(Transport.layerFetch))
 * const error: RecordingError = await Effect.runPromise(Effect.flip(Layer.launch(empty)))
 * console.log(error.reason)
 * ```
 *
 * ```text
 * NoRecording
 * ```
 */
export class RecordingError extends Data.TaggedError("RecordingError")<{
  /** What happened: one of the names above. */
  readonly reason: "NoRecording" | "Corrupt" | "Version" | "NotRecorded" | "UsedUp" | "Compressed" | "Store"
  readonly message: string
  readonly cause?: unknown
}> {}

type Values = Readonly<Record<string, string | ReadonlyArray<string>>>

/** The body of an exchange: it has at most one member, and none if it is empty. */
export interface Body {
  readonly json?: unknown
  readonly text?: string | undefined
  readonly base64?: string | undefined
}

export interface StoredRequest extends Body {
  readonly method: string
  readonly path: string
  readonly query?: Values | undefined
  readonly form?: Values | undefined
}

export interface StoredResponse extends Body {
  /** 0 for a redirect that a browser hides. */
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Exchange {
  readonly request: StoredRequest
  readonly response: StoredResponse
}

interface Recording {
  readonly exchanges: ReadonlyArray<Exchange>
}

const isStatus = (status: unknown): boolean =>
  status === 0 || (typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599)

const strings = array(string)
const values = record((value, path) => (Array.isArray(value) ? strings : string)(value, path))

const body = {
  text: optional(string),
  base64: optional(is("base64", (text) => typeof text === "string" && decodeBase64(text) !== undefined))
}

const version = 1

const recording: Shape = struct({
  version: is(String(version), (value) => value === version),
  exchanges: array(
    struct({
      request: struct({ method: string, path: string, query: optional(values), form: optional(values), ...body }),
      response: struct({ status: is("a status", isStatus), headers: optional(record(string)), ...body })
    })
  )
})

const again = 'Restore it from version control, or record it again with the mode "record"'

/** The exchanges of a string that {@link print} returned. */
export const parse = (text: string, name: string): ReadonlyArray<Exchange> | RecordingError => {
  const corrupt = (why: string) =>
    new RecordingError({ reason: "Corrupt", message: `${name} is not a recording: ${why}. ${again}.` })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return corrupt((error as Error).message)
  }
  const formatVersion = typeof json === "object" && json !== null && "version" in json ? json.version : undefined
  if (typeof formatVersion === "number" && formatVersion !== version) {
    const message = `${name} has the format version ${formatVersion}, and this library reads version ${version}. Update it, or record it again with the mode "record".`
    return new RecordingError({ reason: "Version", message })
  }
  const mistake = recording(json)
  return mistake === undefined ? (json as Recording).exchanges : corrupt(mistake)
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const sortedEntries = <A>(entries: Iterable<readonly [string, A]>): ReadonlyArray<readonly [string, A]> =>
  [...entries].sort(([one], [other]) => byText(one, other))

/** The same JSON with its members in the order of their names. */
const sorted = (json: unknown): unknown => {
  if (typeof json !== "object" || json === null) {
    return json
  }
  return Array.isArray(json)
    ? json.map(sorted)
    : Object.fromEntries(sortedEntries(Object.entries(json)).map(([name, member]) => [name, sorted(member)]))
}

const present = <A extends object>(members: A): A =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as A

const isEmpty = (members: object | undefined): boolean => members === undefined || Object.keys(members).length === 0

const printedBody = ({ base64, json, text }: Body): Body => present({ json: sorted(json), text, base64 })

/** A request as it is written and compared: its members are in one order. */
const canonical = (request: StoredRequest): StoredRequest =>
  present({
    method: request.method,
    path: request.path,
    query: isEmpty(request.query) ? undefined : (sorted(request.query) as Values),
    form: isEmpty(request.form) ? undefined : (sorted(request.form) as Values),
    ...printedBody(request)
  })

/** The key of a request: requests with the same key have the same response. */
const keyOf = (request: StoredRequest): string => {
  const { method, path, ...rest } = canonical(request)
  // The path is first, so that the order of the keys is that of the paths.
  return JSON.stringify([path, method, rest])
}

/** The text of a recording. Exchanges of one request stay in their order. */
export const print = (exchanges: ReadonlyArray<Exchange>): string => {
  const inOrder = sortedEntries(exchanges.map((exchange) => [keyOf(exchange.request), exchange] as const))
  const printed = inOrder.map(([, { request, response }]) => ({
    request: canonical(request),
    response: present({
      status: response.status,
      headers: isEmpty(response.headers) ? undefined : sorted(response.headers),
      ...printedBody(response)
    })
  }))
  return `${JSON.stringify({ version, exchanges: printed }, undefined, 2)}\n`
}

/** The values of a query or form by their names; those of one name in the order in which they are sent. */
export const valuesOf = (pairs: Iterable<readonly [string, string]>): Values => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of pairs) {
    const previous = values.get(name)
    if (previous === undefined) {
      values.set(name, [value])
    } else {
      previous.push(value)
    }
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all] as const))
}

/** The maximum depth of JSON that is kept as JSON: to walk deeper JSON could overflow the stack, so it is kept as a string. */
const deepest = 500

const isDeeperThan = (levels: number, json: unknown): boolean =>
  typeof json === "object" &&
  json !== null &&
  (levels === 0 || Object.values(json).some((member) => isDeeperThan(levels - 1, member)))

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** `undefined` if the string is not JSON. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A body as it is kept: JSON as JSON, other text as text, anything else in base64. */
export const bodyOf = (bytes: Uint8Array, contentType: string | undefined): Body => {
  if (bytes.length === 0) {
    return {}
  }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { base64: encodeBase64(bytes) }
  }
  const json = jsonIn(text)
  const isJson = json !== undefined && (typeof json === "object" || /\bjson\b/i.test(contentType ?? ""))
  return isJson && !isDeeperThan(deepest, json) ? { json } : { text }
}

/** The bytes of a kept body. */
export const bytesOf = (kept: Body): Bytes => {
  if (kept.base64 !== undefined) {
    return decodeBase64(kept.base64) ?? new Uint8Array()
  }
  const text = "json" in kept ? JSON.stringify(kept.json) : (kept.text ?? "")
  return new Uint8Array(new TextEncoder().encode(text))
}

/** Whether a body is compressed by itself, with gzip or zlib. Text can begin like zlib. */
export const isCompressed = (bytes: Uint8Array): boolean => {
  const [first = 0, second = 0] = bytes
  const isZlib = first === 0x78 && (first * 256 + second) % 31 === 0
  return (first === 0x1f && second === 0x8b) || (isZlib && bodyOf(bytes, undefined).base64 !== undefined)
}

/** The strings of JSON, keys among them, changed; `member` may return a value instead of a member of an object. */
export const mapJson = (
  json: unknown,
  map: (text: string) => string,
  member: (name: string, value: unknown) => unknown = (_, value) => value
): unknown => {
  if (typeof json === "string") {
    return map(json)
  }
  if (typeof json !== "object" || json === null) {
    return json
  }
  if (Array.isArray(json)) {
    return json.map((element) => mapJson(element, map, member))
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [map(name), mapJson(member(name, value), map, member)])
  )
}

/** Recorded exchanges by their requests, with their responses in the order in which they were recorded. */
export class RecordedExchanges {
  private readonly kept = new Map<string, { readonly exchanges: Array<Exchange>; used: number }>()

  constructor(
    readonly exchanges: ReadonlyArray<Exchange>,
    private readonly whenUsedUp: "fail" | "repeat"
  ) {
    for (const exchange of exchanges) {
      const key = keyOf(exchange.request)
      const entry = this.kept.get(key)
      if (entry === undefined) {
        this.kept.set(key, { exchanges: [exchange], used: 0 })
      } else {
        entry.exchanges.push(exchange)
      }
    }
  }

  /** The next response to a request, if there is one. */
  take(request: StoredRequest): StoredResponse | undefined {
    const entry = this.kept.get(keyOf(request))
    if (entry === undefined) {
      return undefined
    }
    const last = this.whenUsedUp === "repeat" ? entry.exchanges.length - 1 : Number.POSITIVE_INFINITY
    return entry.exchanges[Math.min(entry.used++, last)]?.response
  }

  /** How often a request was recorded. */
  count(request: StoredRequest): number {
    return this.kept.get(keyOf(request))?.exchanges.length ?? 0
  }

  unused(): ReadonlyArray<string> {
    return [...this.kept.values()].flatMap(({ exchanges, used }) =>
      exchanges.slice(used).map(({ request }) => shown(request))
    )
  }
}

const most = 120

const cut = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The parts of a request, by their names, for comparison. */
const factsOf = (request: StoredRequest): ReadonlyMap<string, string> => {
  const named = (kind: string, values: Values = {}) =>
    Object.entries(values).map(([name, value]) => [`${kind} ${name}`, JSON.stringify(value)] as const)
  const { json, text, base64 } = request
  const content = "json" in request ? JSON.stringify(sorted(json)) : (text ?? base64)
  return new Map([
    ["method", request.method],
    ["path", request.path],
    ...named("query", request.query),
    ...named("form", request.form),
    ...(content === undefined ? [] : [["body", content] as const])
  ])
}

const pairsOf = (values: Values): string =>
  Object.entries(values)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}=${each}`))
    .join("&")

/** A request in one line. */
export const shown = (request: StoredRequest): string => {
  const { form, method, path, query } = canonical(request)
  const search = query === undefined ? "" : `?${pairsOf(query)}`
  return cut(`${method} ${path}${search}${form === undefined ? "" : ` with the form ${pairsOf(form)}`}`)
}

/** How different two requests are. Segments of the path count most. */
const distance = (request: StoredRequest, recorded: StoredRequest): number => {
  const [one, other] = [request.path.split("/"), recorded.path.split("/")]
  const segments = Math.max(one.length, other.length)
  const apart = Array.from({ length: segments }, (_, at) => one[at] === other[at]).filter((isSame) => !isSame).length
  return apart * 4 + differences(request, recorded).length
}

const differences = (request: StoredRequest, recorded: StoredRequest): ReadonlyArray<string> => {
  const [one, other] = [factsOf(request), factsOf(recorded)]
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [is, was] = [one.get(name), other.get(name)]
    if (is === was) {
      return []
    }
    return `${name} is ${cut(is ?? "missing")}, recorded ${was === undefined ? "without" : cut(was)}`
  })
}

/** Says what the nearest recorded request is, and how it differs. */
export const nearest = (target: StoredRequest, exchanges: ReadonlyArray<Exchange>): string => {
  const [closest] = exchanges
    .map(({ request }) => ({ request, far: distance(target, request) }))
    .sort((one, other) => one.far - other.far)
  if (closest === undefined) {
    return "The recording is empty."
  }
  return `The nearest is ${shown(closest.request)}: ${differences(target, closest.request).slice(0, 8).join("; ")}.`
}
