/**
 * One exchange over whatever transport there is: headers, body, judgement.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import { ClientNetworkError, type ClientRestError } from "../CatalogError.js"
import { toRecord } from "./cause.js"
import type { Declaration } from "./declaration.js"
import { judge, type Subject } from "./reply.js"

/** By itself a fetch that is brought along follows redirects, and carries the client identifier to another origin. */
const withoutRedirects = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>) =>
    Context.add(context, FetchHttpClient.RequestInit, {
      ...Option.getOrUndefined(Context.getOption(context, FetchHttpClient.RequestInit)),
      redirect: "manual"
    })
  )

/** The transport's own spans and trace headers are off: the operation has its span, and decides what is sent. */
const withoutTransportTracing = Effect.locally(HttpClient.currentTracerDisabledWhen, constTrue)

/** A client that somebody has made to fail on a status has an answer all the same. */
const answered = (error: HttpClientError): Effect.Effect<HttpClientResponse, HttpClientError> =>
  error._tag === "ResponseError" && error.reason === "StatusCode" ? Effect.succeed(error.response) : Effect.fail(error)

/** Sends a request, reads the answer to its end and judges it. */
export const exchange = (
  operation: Declaration,
  subject: Subject,
  client: HttpClient.HttpClient,
  request: HttpClientRequest,
  cut: (text: string) => string
): Effect.Effect<unknown, ClientRestError | ClientNetworkError> =>
  client.execute(request).pipe(
    Effect.catchAll(answered),
    Effect.flatMap(({ status, headers, text }) => {
      const ignored = operation.reply === undefined && status >= 200 && status < 300
      return Effect.map(ignored ? Effect.orElseSucceed(text, () => "") : text, (body) => ({ status, headers, body }))
    }),
    withoutRedirects,
    withoutTransportTracing,
    Effect.mapError(
      (error) => new ClientNetworkError({ ...subject, reason: "Transport", attempts: 1, cause: toRecord(error, cut) })
    ),
    Effect.flatMap((answer) => judge(operation, subject, answer, cut))
  )
