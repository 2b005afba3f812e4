/**
 * Records requests to a service and their responses into a file, and replays them without a network.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { pairsOf } from "#testing/internal/pairs.js"
import type { Reply, Sent } from "#testing/internal/recording/rewriting.js"
import { open, type RecorderOptions, type Tape, webResponse } from "#testing/internal/recorder/tape.js"
import { asyncDispose } from "./internal/dispose.js"

/** What {@link createRecorder} returns. */
export interface PromiseRecorder extends AsyncDisposable {
  /**
   * The option `fetch` of a catalog. It rejects with a {@link RecordingError} if the request is not recorded; that error is the
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
      ...Object.fromEntries(pairsOf(new Headers(init.headers))),
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
 * Makes a recorder: a `fetch` over that of the platform, or over the option `fetch`. Two requests are the same if their method,
 * path, query and form are, with members in any order. A request that is repeated gets the next recorded response.
 *
 * It rejects with a {@link RecordingError} if there is nothing to replay or the recording cannot be read, and with a
 * `TypeError` if an option is invalid.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { createRecorder, recordingFile } from "catalog-client/testing"
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
