/**
 * A service of a few prepared answers, on the fiber's clock.
 */
import { Credentials } from "@catalog-client/core"
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Clock, Effect, Layer } from "effect"

/** What happens to a request. */
export interface Answer {
  /** 200 unless given; 0 where a browser hides a redirect. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An anime unless given. */
  readonly body?: unknown
  /** Milliseconds until it comes. */
  readonly after?: number
  /** The connection breaks instead. */
  readonly drops?: true
}

/** A request as the transport got it, and when. */
export interface Asked {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** What an operation requires. */
export type Services = HttpClient.HttpClient | Credentials

export const anime = { id: 1, title: "One" }

/** Answers each request in turn, the last response again and again; knows when each came, and how many were interrupted. */
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

/** When requests came. */
export const times = (asked: ReadonlyArray<Asked>): ReadonlyArray<number> => asked.map(({ at }) => at)
