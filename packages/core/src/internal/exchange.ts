/**
 * One exchange over whatever transport there is: headers, body, judgement, within a time and a number of bytes.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Headers from "@effect/platform/Headers"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import { type HttpClientError, isHttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CatalogSettings } from "../CatalogConfig.js"
import { ClientNetworkError, type ClientRestError } from "../CatalogError.js"
import { type Receiver, type Send, sendOf, type TransportRequest, waitOf } from "../Transport.js"
import { startTimer, withTimeout } from "./bounded.js"
import { innermost, toRecord } from "./cause.js"
import type { Declaration } from "./declaration.js"
import { type Answer, judge, type Subject } from "./reply.js"
import { secretHeaderNames } from "./secrets.js"

/** What an exchange needs besides a client. */
export interface Exchange {
  readonly operation: Declaration
  readonly subject: Subject
  readonly request: TransportRequest
  readonly config: CatalogSettings
  /** Milliseconds. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Cuts what was sent in secret out of a text. */
  readonly cut: (text: string) => string
  /** Is told the status. */
  readonly sight: { status: number | undefined }
}

type Outcome = Effect.Effect<unknown, ClientRestError | ClientNetworkError>

/** Milliseconds that are spent at most on a body which is ignored; reading it lets the connection be used again. */
const drain = ({ timeout }: Exchange): number => Math.min(500, timeout / 2 || 500)

const isIgnored = ({ operation }: Exchange, status: number): boolean =>
  operation.reply === undefined && status >= 200 && status < 300

const timedOut = ({ subject, timeout }: Exchange) =>
  new ClientNetworkError({ ...subject, reason: "Timeout", timeoutMs: timeout })

const broken = ({ subject, cut }: Exchange, cause: unknown) =>
  new ClientNetworkError({ ...subject, reason: "Transport", cause: toRecord(innermost(cause), cut) })

const tooLarge = ({ subject, maxResponseBytes }: Exchange) =>
  new ClientNetworkError({
    ...subject,
    reason: "ResponseTooLarge",
    cause: { name: "RangeError", message: `the body has more than ${maxResponseBytes} bytes` }
  })

const utf8 = /*#__PURE__*/ new TextDecoder()

/** A body as it comes, up to a number of bytes. */
class Body {
  private readonly parts: Array<Uint8Array> = []
  private size = 0

  constructor(private readonly most: number) {}

  /** Whether there is still room. */
  add(part: Uint8Array): boolean {
    this.size += part.length
    if (this.size > this.most) {
      return false
    }
    this.parts.push(part)
    return true
  }

  text(): string {
    const [first, ...others] = this.parts
    if (first === undefined || others.length === 0) {
      return utf8.decode(first)
    }
    const all = new Uint8Array(this.size)
    let offset = 0
    for (const part of this.parts) {
      all.set(part, offset)
      offset += part.length
    }
    return utf8.decode(all)
  }
}

/** The short way: what happens on the wire is heard in this fiber, and one timer ends it. */
const direct = (exchange: Exchange, send: Send): Outcome =>
  Effect.withFiberRuntime((fiber) =>
    Effect.async((resume) => {
      const body = new Body(exchange.maxResponseBytes)
      let status = 0
      let header: Answer["header"] = () => undefined
      let cancel: (() => void) | undefined
      let isOver = false

      const over = (outcome: Outcome): void => {
        isOver = true
        stopTimer()
        resume(outcome)
      }
      const give = (outcome: () => Outcome): void => {
        if (!isOver) {
          over(Effect.suspend(outcome))
        }
      }
      /** Ends an exchange that is still going on. */
      const end = (outcome: () => Outcome): void => {
        if (!isOver) {
          give(outcome)
          cancel?.()
        }
      }
      const answer = (text: string) =>
        judge(exchange.operation, exchange.subject, { status, header, body: text }, exchange.cut)
      const ignore = () => end(() => answer(""))
      let stopTimer = startTimer(fiber, exchange.timeout, () => end(() => Effect.fail(timedOut(exchange))))

      const receiver: Receiver = {
        onHeaders: (answered, read) => {
          exchange.sight.status = status = answered
          header = read
          if (!isOver && isIgnored(exchange, status)) {
            stopTimer()
            stopTimer = startTimer(fiber, drain(exchange), ignore)
          }
        },
        onData: (part) => {
          if (!isOver && !body.add(part)) {
            end(() => (isIgnored(exchange, status) ? answer("") : Effect.fail(tooLarge(exchange))))
          }
        },
        onEnd: () => give(() => answer(body.text())),
        onError: (cause) =>
          give(() => (isIgnored(exchange, status) ? answer("") : Effect.fail(broken(exchange, cause))))
      }
      try {
        cancel = send(exchange.request, receiver, fiber.currentContext)
      } catch (cause) {
        receiver.onError(cause)
      }
      if (isOver) {
        cancel?.()
      }
      return Effect.sync(() => {
        isOver = true
        stopTimer()
        cancel?.()
      })
    })
  )

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
const failureOf = <E>(cause: Cause.Cause<E | HttpClientError>): Option.Option<E | HttpClientError> =>
  Option.orElse(Cause.failureOption(cause), () => Option.filter(Cause.dieOption(cause), isHttpClientError))

/** Read part by part, since a text that a client gives has no bound. A body that is not there is empty. */
const textOf = (
  exchange: Exchange,
  { stream }: HttpClientResponse
): Effect.Effect<string, HttpClientError | ClientNetworkError> =>
  Effect.suspend(() => {
    const body = new Body(exchange.maxResponseBytes)
    const read = (
      pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<HttpClientError>>
    ): Effect.Effect<never, Option.Option<HttpClientError | ClientNetworkError>> =>
      Effect.flatMap(pull, (parts) =>
        Chunk.every(parts, (part) => body.add(part)) ? read(pull) : Effect.fail(Option.some(tooLarge(exchange)))
      )
    return Stream.toPull(stream).pipe(
      Effect.flatMap(read),
      Effect.scoped,
      Effect.catchAll((end) => {
        const error = Option.getOrUndefined(end)
        return error === undefined || (error._tag === "ResponseError" && error.reason === "EmptyBody")
          ? Effect.sync(() => body.text())
          : Effect.fail(error)
      })
    )
  })

/** The way over a client that somebody brings. */
const through = (exchange: Exchange, client: HttpClient.HttpClient): Outcome => {
  const { method, url, headers, body } = exchange.request
  const request = HttpClientRequest.make(method as "PATCH")(url, {
    headers,
    ...(body !== undefined && { body: HttpBody.text(body, headers["content-type"]) })
  })
  return thatAnswers(client)
    .execute(request)
    .pipe(
      Effect.catchAll(answered),
      Effect.flatMap((response) => {
        exchange.sight.status = response.status
        const text = textOf(exchange, response)
        const body = isIgnored(exchange, response.status)
          ? Effect.catchAll(
              withTimeout(text, drain(exchange), () => undefined),
              () => Effect.succeed("")
            )
          : text
        return Effect.map(body, (body): Answer => ({
          status: response.status,
          header: (name) => response.headers[name],
          body
        }))
      }),
      // What was added to the context goes no further.
      Effect.mapInputContext(identity<Context.Context<never>>),
      // The operation has its span, and decides which trace headers are sent.
      Effect.locally(HttpClient.currentTracerDisabledWhen, constTrue),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...secretHeaderNames(exchange.config)]),
      Effect.matchCauseEffect({
        onFailure: (cause) =>
          Option.match(failureOf(cause), {
            onNone: () => Effect.failCause(cause as Cause.Cause<never>),
            onSome: (error) => Effect.fail(error._tag === "ClientNetworkError" ? error : broken(exchange, error))
          }),
        onSuccess: (answer) => judge(exchange.operation, exchange.subject, answer, exchange.cut)
      })
    )
}

/** Sends a request, reads the answer to its end and judges it. */
export const exchange = (exchange: Exchange, client: HttpClient.HttpClient): Outcome => {
  const send = sendOf(client)
  return send === undefined
    ? withTimeout(overAny(exchange, client), exchange.timeout, () => timedOut(exchange))
    : direct(exchange, send)
}

const overAny = (exchanged: Exchange, client: HttpClient.HttpClient): Outcome => {
  const building = waitOf(client)
  return building === undefined
    ? through(exchanged, client)
    : Effect.flatMap(building, (runtime) =>
        Effect.provide(
          exchange({ ...exchanged, timeout: 0 }, Context.get(runtime.context, HttpClient.HttpClient)),
          runtime
        )
      )
}
