/**
 * A service with a few prepared responses, on the fiber's clock.
 */
import { Credentials } from "@catalog-client/core"
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Clock, Effect, Layer } from "effect"

/** The response to a request. */
export interface Answer {
  /** 200 by default; 0 as for a redirect that a browser hides. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An anime by default. */
  readonly body?: unknown
  /** Milliseconds until the response. */
  readonly after?: number
  /** The connection breaks instead. */
  readonly drops?: true
}

/** A request as the transport got it, with its time. */
export interface Asked {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** What an operation requires. */
export type Services = HttpClient.HttpClient | Credentials

export const anime = { id: 1, title: "One" }

/** Responds to requests in turn and repeats the last response; records times and counts interruptions. */
export const answering = (...answers: ReadonlyArray<Answer | ((asked: Asked) => Answer)>) => {
  const asked: Array<Asked> = []
  const state = { interrupted: 0 }
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const { headers, method } = request
        const one = { at, method, path: url.pathname.replace("/v2", "") + url.search, headers: { ...headers } }
        asked.push(one)
        const next = answers[Math.min(asked.length, answers.length) - 1] ?? {}
        const answer = typeof next === "function" ? next(one) : next
        yield* Effect.sleep(answer.after ?? 0)
        if (answer.drops) {
          const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
          return yield* new HttpClientError.RequestError({ request, reason: "Transport", cause })
        }
        const { body = anime, headers: sent = {}, status = 200 } = answer
        const text = typeof body === "string" ? body : JSON.stringify(body)
        const response = status === 0 ? Response.error() : new Response(text, { status, headers: sent })
        return HttpClientResponse.fromWeb(request, response)
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => state.interrupted++)))
    )
  )
  return { asked, state, layer: Layer.merge(layer, Credentials.layer({ accessToken: "token", clientId: "client" })) }
}

/** The times of requests. */
export const times = (asked: ReadonlyArray<Asked>): ReadonlyArray<number> => asked.map(({ at }) => at)
