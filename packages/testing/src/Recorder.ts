/**
 * Records exchanges with a service into a file, and replays them without a network.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { asyncDispose } from "@catalog-client/core/internal"
import { pairsOf } from "./internal/pairs.js"
import { bytesIn, changedTo, typeOf, wholeOf } from "./internal/platform.js"
import type { RecordingError } from "./internal/recording.js"
import type { Reply, Sent } from "./internal/rewriting.js"
import { open, type RecorderOptions, type Tape } from "./internal/tape.js"

export { RecordingError } from "./internal/recording.js"
export type { RecorderOptions, RecordingStore } from "./internal/tape.js"

/** Statuses that no body may follow. */
const bodiless = new Set([204, 205, 304])

const webResponse = ({ body, headers, status }: Reply): Response => {
  // A redirect that a browser hides.
  if (status === 0) {
    return Response.error()
  }
  const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) }
  return new Response(bodiless.has(status) ? null : body, init)
}

const clientOver = (client: HttpClient.HttpClient, tape: Tape): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    bytesIn(request, url).pipe(
      Effect.flatMap((body) =>
        tape.exchange(
          {
            method: request.method,
            url,
            headers: { "content-type": typeOf(request.body), ...request.headers },
            body
          },
          (changed) =>
            Effect.flatMap(client.execute(changedTo(request, changed)), (response) =>
              Effect.map(wholeOf(response), (body) => ({ status: response.status, headers: headersOf(response), body }))
            )
        )
      ),
      // Not a failure: a program could handle it, or send again, and the test would go on.
      Effect.catchTag("RecordingError", (error) => Effect.die(error)),
      Effect.map((reply) => HttpClientResponse.fromWeb(request, webResponse(reply)))
    )
  )

const headersOf = ({ cookies, headers }: HttpClientResponse.HttpClientResponse): Reply["headers"] => [
  ...Object.entries(headers),
  ...Object.values(cookies.cookies).map(({ name, value }) => ["set-cookie", `${name}=${value}`] as const)
]

/**
 * Records the exchanges of a test, and replays them.
 *
 * A request is compared by its method, path, query and form; the order of their members does not count, nor does the
 * host. The same request, made again, has the next recorded response. Every complete response is recorded, whatever its
 * status and its body. What had no complete response (a connection that broke, a timeout, a cancelled call) is not.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials, Transport } from "@catalog-client/core"
 * import { Recorder } from "@catalog-client/testing"
 * import { recordingFile } from "@catalog-client/testing/node"
 * import { Effect, Layer } from "effect"
 *
 * const recorded = Recorder.layer({
 *   store: recordingFile("test/recordings/title.json"),
 *   mode: process.env["RECORD"] === "1" ? "record" : "replay"
 * }).pipe(Layer.provide(Transport.layerFetch))
 *
 * export const program = Effect.gen(function* () {
 *   const { title } = yield* Catalog.anime.get({ id: 30230 })
 *   const { unused } = yield* Recorder
 *   return { title, unused: yield* unused }
 * }).pipe(Effect.provide([recorded, Credentials.layer({ clientId: process.env["CATALOG_CLIENT_ID"] ?? "none" })]))
 * ```
 */
export class Recorder extends Context.Tag("@catalog-client/core/Recorder")<
  Recorder,
  {
    /** The recorded requests that were not made yet, each as one line like `GET /v2/anime?q=one`. */
    readonly unused: Effect.Effect<ReadonlyArray<string>>
    /** The requests that had no recorded response. */
    readonly missed: Effect.Effect<ReadonlyArray<string>>
  }
>() {
  /**
   * A transport over the one that is there, which is not used in a replay. The recording is written when the Layer's scope
   * closes. A request that is not recorded is a `RecordingError` and a defect, so that no handler of the program hides it.
   */
  static layer(
    options: RecorderOptions
  ): Layer.Layer<Recorder | HttpClient.HttpClient, RecordingError, HttpClient.HttpClient> {
    return Layer.scopedContext(
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const tape = yield* Effect.acquireRelease(open(options), ({ save }) => Effect.orDie(save))
        return Context.make(HttpClient.HttpClient, clientOver(client, tape)).pipe(
          Context.add(Recorder, { unused: Effect.sync(() => tape.unused), missed: Effect.sync(() => [...tape.missed]) })
        )
      })
    )
  }
}

/** A recorder of a program with promises. */
export interface PromiseRecorder extends AsyncDisposable {
  /**
   * For `createCatalog({ fetch })`. Where a request is not recorded it rejects with a {@link RecordingError}, which is the
   * cause of the call's `ClientNetworkError`.
   */
  readonly fetch: (input: URL | string, init?: RequestInit) => Promise<Response>
  /** The recorded requests that were not made yet, each as one line like `GET /v2/anime?q=one`. */
  readonly unused: () => ReadonlyArray<string>
  /** The requests that had no recorded response. */
  readonly missed: () => ReadonlyArray<string>
  /** Writes the recording, if there is anything new. Rejects with a {@link RecordingError} if it cannot. */
  readonly close: () => Promise<void>
}

type Fetch = (input: URL, init: RequestInit) => Promise<Response>

const settled = async <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal | null): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal ? { signal } : undefined)
  if (Exit.isSuccess(exit)) {
    return exit.value
  }
  signal?.throwIfAborted()
  throw Cause.squash(exit.cause)
}

const overFetch =
  (fetch: Fetch, tape: Tape): PromiseRecorder["fetch"] =>
  async (input, init = {}) => {
    const { signal } = init
    signal?.throwIfAborted()
    const request = new Request(input, { ...init, signal: null })
    const body = new Uint8Array(await request.arrayBuffer())
    // A `Request` drops some headers in a browser, and they can contain a secret.
    const headers = {
      ...Headers.fromInput(init.headers as Headers.Input),
      ...Object.fromEntries(pairsOf(request.headers))
    }
    const sent = { method: request.method, url: new URL(request.url), headers, body }
    const send = (changed: Pick<Sent, "url" | "body"> | undefined) =>
      Effect.tryPromise({
        try: async (): Promise<Reply> => {
          const whole = changed?.body ?? body
          const response = await fetch(changed?.url ?? sent.url, {
            ...init,
            headers,
            ...(whole.length > 0 && { body: new Uint8Array(whole) })
          })
          return {
            status: response.status,
            headers: pairsOf(response.headers),
            body: new Uint8Array(await response.arrayBuffer())
          }
        },
        catch: (error) => error
      })
    return webResponse(await settled(tape.exchange(sent, send), signal))
  }

const platformFetch: Fetch = (input, init) => globalThis.fetch(input, init)

/**
 * A recorder for programs with promises: a `fetch`, over the platform's or over the one that is given. A request is compared by its method, path, query and form, whose
 * members can be in any order. The same request, made again, has the next recorded response.
 *
 * It rejects with a {@link RecordingError} if there is nothing to replay or the recording cannot be read, and with a
 * `TypeError` if an option is invalid.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/core"
 * import { createRecorder } from "@catalog-client/testing"
 * import { recordingFile } from "@catalog-client/testing/node"
 *
 * export const test = async () => {
 *   await using recorder = await createRecorder({ store: recordingFile("test/recordings/title.json") })
 *   const catalog = createCatalog({ fetch: recorder.fetch, clientId: "none" })
 *   const { title } = await catalog.anime.get({ id: 30230 })
 *   return { title, unused: recorder.unused() }
 * }
 * ```
 */
export const createRecorder = async (
  options: RecorderOptions & { readonly fetch?: Fetch | undefined }
): Promise<PromiseRecorder> => {
  const tape = await settled(open(options))
  const close = () => settled(tape.save)
  return {
    fetch: overFetch(options.fetch ?? platformFetch, tape),
    unused: () => tape.unused,
    missed: () => [...tape.missed],
    close,
    [asyncDispose]: close
  }
}
