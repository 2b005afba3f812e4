/** The service as a function from a web request to its response. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { App } from "./app.js"
import { pairsOf } from "../pairs.js"
import type { ConnectionDropped, ServiceResponse } from "./response.js"

/** The body in two halves, with what runs between them. */
export const streamOf = (
  body: Uint8Array,
  halfway: Effect.Effect<void, ConnectionDropped>
): Stream.Stream<Uint8Array, ConnectionDropped> => {
  const middle = Math.ceil(body.length / 2)
  return Stream.make(body.subarray(0, middle)).pipe(
    Stream.concat(Stream.drain(Stream.fromEffect(halfway))),
    Stream.concat(Stream.make(body.subarray(middle)))
  )
}

/** Fails when the signal aborts, so that a body which ends then does not look complete. */
const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.async((resume) => {
    const onAbort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) {
      return onAbort()
    }
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

/** A streamed body uses the clock of the requesting fiber, and ends when the signal aborts. */
const webResponse = (
  { body, halfway, headers, status }: ServiceResponse,
  signal: AbortSignal,
  ended: Effect.Effect<void>
): Effect.Effect<Response> => {
  if (body === undefined || halfway === undefined) {
    return Effect.zipRight(
      ended,
      Effect.sync(() => new Response(body, { status, headers }))
    )
  }
  const stream = streamOf(body, halfway).pipe(Stream.interruptWhen(aborted(signal)), Stream.ensuring(ended))
  return Effect.map(Stream.toReadableStreamEffect(stream), (streamed) => new Response(streamed, { status, headers }))
}

/** The maximum length of a body, in bytes: no form of a client is nearly as long. */
const maxBodyBytes = 1_048_576

/** Collects the text of a body, which is `undefined` if the body is too long. */
const collector = () => {
  const decoder = new TextDecoder()
  let size = 0
  let text = ""
  return {
    /** Whether the body is short enough so far. A part beyond that is not kept. */
    add: (part: Uint8Array): boolean => {
      size += part.length
      text = size > maxBodyBytes ? "" : text + decoder.decode(part, { stream: true })
      return size <= maxBodyBytes
    },
    text: (): string | undefined => (size > maxBodyBytes ? undefined : text + decoder.decode())
  }
}

/**
 * The text of a body; `undefined` if it is too long. Then it is read to its end all the same: a server may close the
 * connection otherwise, before the response.
 */
export const textIn = (body: Stream.Stream<Uint8Array, unknown>): Effect.Effect<string | undefined> =>
  Effect.suspend(() => {
    const { add, text } = collector()
    return Stream.runForEach(body, (part) => Effect.sync(() => add(part))).pipe(
      Effect.map(text),
      Effect.orElseSucceed(() => "")
    )
  })

const readText = async (request: Request): Promise<string | undefined> => {
  // Firefox has no `body` of a request.
  const body: typeof request.body | undefined = request.body
  const collected = collector()
  if (body === undefined) {
    collected.add(new Uint8Array(await request.arrayBuffer()))
    return collected.text()
  }
  const reader = body?.getReader()
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    if (!collected.add(next.value)) {
      await reader?.cancel()
      break
    }
  }
  return collected.text()
}

const textOf = (request: Request): Effect.Effect<string | undefined> =>
  request.body === null
    ? Effect.succeed("")
    : Effect.orElseSucceed(
        Effect.tryPromise(() => readText(request)),
        () => ""
      )

/** Runs `ended` when the response is complete or has failed: the signal is not needed any more. */
export const respond = (
  app: App,
  request: Request,
  signal: AbortSignal,
  ended: Effect.Effect<void> = Effect.void
): Effect.Effect<Response, ConnectionDropped> =>
  textOf(request).pipe(
    Effect.flatMap((body) =>
      app({ method: request.method, url: request.url, headers: Object.fromEntries(pairsOf(request.headers)), body })
    ),
    Effect.flatMap((response) => webResponse(response, signal, ended)),
    Effect.onError(() => ended)
  )
