/**
 * One exchange over whatever transport there is: headers, body, judgement.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import { type HttpClientError, isHttpClientError } from "@effect/platform/HttpClientError"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import { ClientNetworkError, type ClientRestError } from "../CatalogError.js"
import { withTimeout } from "./bounded.js"
import { innermost, toRecord } from "./cause.js"
import type { Declaration } from "./declaration.js"
import { judge, type Subject } from "./reply.js"

const withoutRedirects = (context: Context.Context<never>): Context.Context<never> =>
  Context.add(context, FetchHttpClient.RequestInit, {
    ...Option.getOrUndefined(Context.getOption(context, FetchHttpClient.RequestInit)),
    redirect: "manual"
  })

const answering = new WeakMap<HttpClient.HttpClient, HttpClient.HttpClient>()

/**
 * The client, told not to follow redirects: by itself a fetch follows, and carries the client identifier to another origin.
 *
 * What somebody has said of a fetch can stand in the context of the call or in that of the client's Layer. Both are
 * together only where the client runs, so that is where it is added to.
 */
const thatAnswers = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let told = answering.get(client)
  if (told === undefined) {
    told = HttpClient.mapRequestEffect(client, (request) =>
      Effect.as(FiberRef.update(FiberRef.currentContext, withoutRedirects), request)
    )
    answering.set(client, told)
  }
  return told
}

/** A client that somebody has made to fail on a status has an answer all the same. */
const answered = (error: HttpClientError): Effect.Effect<HttpClientResponse, HttpClientError> =>
  error._tag === "ResponseError" && error.reason === "StatusCode" ? Effect.succeed(error.response) : Effect.fail(error)

/** What the transport failed with, also where it died of it: its errors hold the request with its headers. */
const failureOf = (cause: Cause.Cause<HttpClientError>): Option.Option<HttpClientError> =>
  Option.orElse(Cause.failureOption(cause), () => Option.filter(Cause.dieOption(cause), isHttpClientError))

/** Milliseconds that are spent at most on a body which is ignored; reading it lets the connection be used again. */
const drain = 500

/** Sends a request, reads the answer to its end and judges it. */
export const exchange = (
  operation: Declaration,
  subject: Subject,
  client: HttpClient.HttpClient,
  request: HttpClientRequest,
  timeout: number,
  cut: (text: string) => string,
  secretHeaders: ReadonlyArray<string>
): Effect.Effect<unknown, ClientRestError | ClientNetworkError> =>
  thatAnswers(client)
    .execute(request)
    .pipe(
      Effect.catchAll(answered),
      Effect.flatMap(({ status, headers, text }) => {
        const ignored = operation.reply === undefined && status >= 200 && status < 300
        const body = ignored
          ? Effect.orElseSucceed(
              withTimeout(text, Math.min(drain, timeout / 2 || drain), () => undefined),
              () => ""
            )
          : text
        return Effect.map(body, (body) => ({ status, headers, body }))
      }),
      // What was added to the context goes no further.
      Effect.mapInputContext(identity<Context.Context<never>>),
      // The operation has its span, and decides which trace headers are sent.
      Effect.locally(HttpClient.currentTracerDisabledWhen, constTrue),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...secretHeaders]),
      Effect.matchCauseEffect({
        onFailure: (cause) =>
          Option.match(failureOf(cause), {
            onNone: () => Effect.failCause(cause as Cause.Cause<never>),
            onSome: (error) =>
              Effect.fail(
                new ClientNetworkError({
                  ...subject,
                  reason: "Transport",
                  cause: toRecord(innermost(error), cut)
                })
              )
          }),
        onSuccess: (answer) => judge(operation, subject, answer, cut)
      })
    )
