/**
 * Records requests to a service and their responses into a file, and replays them without a network.
 *
 * @since 0.2.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { bytesIn, changedTo, typeOf, wholeOf } from "./internal/platform.js"
import type { RecordingError } from "./internal/recording/recording.js"
import type { Reply } from "./internal/recording/rewriting.js"
import { open, type RecorderOptions, type Tape, webResponse } from "./internal/recorder/tape.js"

export { RecordingError } from "./internal/recording/recording.js"
export type { RecorderOptions, RecordingStore } from "./internal/recorder/tape.js"

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
      // A defect, not a failure: a program could handle a failure or send again, and the test would continue.
      Effect.catchTag("RecordingError", (error) => Effect.die(error)),
      Effect.map((reply) => HttpClientResponse.fromWeb(request, webResponse(reply)))
    )
  )

const headersOf = ({ cookies, headers }: HttpClientResponse.HttpClientResponse): Reply["headers"] => [
  ...Object.entries(headers),
  ...Object.values(cookies.cookies).map(({ name, value }) => ["set-cookie", `${name}=${value}`] as const)
]

/**
 * Records the requests of a test and their responses, and replays them.
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
export class Recorder extends Context.Tag("@catalog-client/testing/Recorder")<
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
