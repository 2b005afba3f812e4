/**
 * One exchange over whatever transport there is: headers, body, judgement, within a time and a number of bytes.
 */
import * as Headers from "@effect/platform/Headers"
import * as HttpBody from "@effect/platform/HttpBody"
import type { HttpClient } from "@effect/platform/HttpClient"
import { type HttpClientError, isHttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import * as Client from "../platform/httpClient.js"
import { type Receiver, type Send, sendOf, type TransportRequest } from "../platform/transport.js"
import { startTimer, withTimeout } from "./bounded.js"
import type { Call } from "./call.js"
import { innermost } from "./cause.js"
import { type Answer, isSuccess, judge } from "./reply.js"
import * as Secrets from "./secrets.js"

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

type Outcome = Effect.Effect<unknown, ClientRestError | ClientNetworkError>

/** Milliseconds that are spent at most on a body which is ignored; reading it lets the connection be used again. */
const drain = ({ timeout }: Call): number => Math.min(500, timeout / 2 || 500)

const isIgnored = ({ operation }: Call, status: number): boolean => operation.reply === undefined && isSuccess(status)

/** What a body that cannot be taken fails with. */
const refused = (call: Call, cause: Error): ClientNetworkError =>
  call.networkError(cause instanceof RangeError ? "ResponseTooLarge" : "Transport", cause)

const traceHeaders = (fiber: AnyFiber): Readonly<Record<string, string>> =>
  // A tracer that is switched off has spans without an identity.
  fiber.currentSpan?._tag === "Span" && /^[0-9a-f]{32}$/.test(fiber.currentSpan.traceId)
    ? HttpTraceContext.toHeaders(fiber.currentSpan)
    : {}

const requestOf = (call: Call, fiber: AnyFiber): TransportRequest => {
  const { operation, url, form, config, credentials } = call
  const headers = {
    accept: "application/json",
    ...Secrets.extraHeaders(config),
    ...(config.tracePropagation && traceHeaders(fiber)),
    ...Secrets.toHeaders(credentials, config),
    ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
  }
  call.wrote(headers)
  return { method: operation.method, url, headers, body: form }
}

const utf8 = /*#__PURE__*/ new TextDecoder()

/** A body as it comes, up to a number of bytes. */
class Body {
  private readonly parts: Array<Uint8Array> = []
  private size = 0

  constructor(private readonly most: number) {}

  /** Takes a part, or gives back why it cannot. */
  add(part: Uint8Array): Error | undefined {
    // A transport that a user brings can give anything.
    if (!ArrayBuffer.isView(part)) {
      return new TypeError(`the body has a part of type ${typeof part}, where a Uint8Array should be`)
    }
    this.size += part.byteLength
    if (this.size > this.most) {
      return new RangeError(`the body has more than ${this.most} bytes`)
    }
    this.parts.push(part)
    return undefined
  }

  /** The text, or why there is none: a string of V8 has less than 512 MiB. */
  text(): string | Error {
    try {
      if (this.parts.length === 1) {
        return utf8.decode(this.parts[0])
      }
      const all = new Uint8Array(this.size)
      let offset = 0
      for (const part of this.parts) {
        all.set(part, offset)
        offset += part.byteLength
      }
      return utf8.decode(all)
    } catch {
      return new RangeError(`the body has ${this.size} bytes, more than a string can hold`)
    }
  }
}

/** The short way: what happens on the wire is heard in the fiber of the call, and one timer ends it. */
class Exchange implements Receiver {
  private readonly body: Body
  private status = 0
  private header: Answer["header"] = () => undefined
  private cancel: (() => void) | undefined
  private stopTimer: () => void
  private isOver = false

  constructor(
    private readonly call: Call,
    private readonly fiber: AnyFiber,
    timeout: number,
    private readonly resume: (outcome: Outcome) => void
  ) {
    this.body = new Body(call.maxResponseBytes)
    this.stopTimer = startTimer(fiber, timeout, () => this.end(() => Effect.fail(call.timedOut(timeout))))
  }

  begin(send: Send): void {
    try {
      this.cancel = send(requestOf(this.call, this.fiber), this, this.fiber.currentContext)
    } catch (cause) {
      this.onError(cause)
    }
    if (this.isOver) {
      this.giveUp()
    }
  }

  /** Nobody waits for it any more. */
  readonly stop = (): void => this.end(() => Effect.interrupt)

  // Properties, so that whoever sends can hand them on by themselves.
  readonly onHeaders: Receiver["onHeaders"] = (status, header) => {
    if (this.isOver) {
      return
    }
    this.call.status = this.status = status
    this.header = header
    if (isIgnored(this.call, status)) {
      this.stopTimer()
      this.stopTimer = startTimer(this.fiber, drain(this.call), () => this.end(() => this.answer("")))
    }
  }

  readonly onData: Receiver["onData"] = (part) => {
    const refusal = this.isOver ? undefined : this.body.add(part)
    if (refusal) {
      this.end(() => this.unless((call) => refused(call, refusal)))
    }
  }

  readonly onEnd: Receiver["onEnd"] = () => {
    this.give(() => {
      const text = this.body.text()
      return typeof text === "string" ? this.answer(text) : this.unless((call) => refused(call, text))
    })
  }

  readonly onError: Receiver["onError"] = (cause) => {
    this.give(() => this.unless((call) => call.networkError("Transport", innermost(cause))))
  }

  private answer(body: string): Outcome {
    const { status, header } = this
    return judge(this.call, { status, header, body })
  }

  /** A failure, unless nothing more is needed. */
  private unless(failure: (call: Call) => ClientNetworkError): Outcome {
    return isIgnored(this.call, this.status) ? this.answer("") : Effect.fail(failure(this.call))
  }

  private give(outcome: () => Outcome): void {
    if (!this.isOver) {
      this.isOver = true
      this.stopTimer()
      this.resume(Effect.suspend(outcome))
    }
  }

  /** Whether the transport can cancel is not for the call to know, which has its outcome. */
  private giveUp(): void {
    try {
      this.cancel?.()
    } catch {
      // Nothing is left to be done.
    }
  }

  /** Ends an exchange that is still going on. */
  private end(outcome: () => Outcome): void {
    if (!this.isOver) {
      this.give(outcome)
      this.giveUp()
    }
  }
}

/**
 * By itself a fetch follows redirects, and carries the client identifier to another origin.
 *
 * What somebody has said of a fetch can stand in the context of the call or in that of the client's Layer. Both are
 * together only where the client runs, so that is where it is added to.
 */
const withoutRedirects = (context: Context.Context<never>): Context.Context<never> =>
  Context.add(context, Client.RequestInit, {
    ...Option.getOrUndefined(Context.getOption(context, Client.RequestInit)),
    redirect: "manual"
  })

/** A client that somebody has made to fail on a status has an answer all the same. */
const answered = (error: HttpClientError): Effect.Effect<HttpClientResponse, HttpClientError> =>
  error._tag === "ResponseError" && error.reason === "StatusCode" ? Effect.succeed(error.response) : Effect.fail(error)

/** What the transport failed with, also where it died of it: its errors hold the request with its headers. */
const failureOf = <E>(cause: Cause.Cause<E | HttpClientError>): Option.Option<E | HttpClientError> =>
  Option.orElse(Cause.failureOption(cause), () => Option.filter(Cause.dieOption(cause), isHttpClientError))

/** Read part by part, since a text that a client gives has no bound. A body that is not there is empty. */
const textOf = (
  call: Call,
  { stream }: HttpClientResponse
): Effect.Effect<string, HttpClientError | ClientNetworkError> =>
  Effect.suspend(() => {
    const body = new Body(call.maxResponseBytes)
    const read = (
      pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<HttpClientError>>
    ): Effect.Effect<never, Option.Option<HttpClientError | ClientNetworkError>> =>
      Effect.flatMap(pull, (parts) => {
        for (const part of parts) {
          const refusal = body.add(part)
          if (refusal) {
            return Effect.fail(Option.some(refused(call, refusal)))
          }
        }
        return read(pull)
      })
    return Stream.toPull(stream).pipe(
      Effect.flatMap(read),
      Effect.scoped,
      Effect.catchAll((end) => {
        const error = Option.getOrUndefined(end)
        if (error !== undefined && (error._tag !== "ResponseError" || error.reason !== "EmptyBody")) {
          return Effect.fail(error)
        }
        const text = body.text()
        return typeof text === "string" ? Effect.succeed(text) : Effect.fail(refused(call, text))
      })
    )
  })

/** The way over a client that somebody brings. */
const through = (call: Call, client: HttpClient, fiber: AnyFiber): Outcome => {
  const { method, url, headers, body } = requestOf(call, fiber)
  const request = HttpClientRequest.make(method as "PATCH")(url, {
    headers,
    ...(body !== undefined && { body: HttpBody.text(body, headers["content-type"]) })
  })
  return Client.executeIn(client, request, withoutRedirects).pipe(
    Effect.catchAll(answered),
    Effect.flatMap((response) => {
      const { status, headers } = response
      call.status = status
      const text = textOf(call, response)
      const body = isIgnored(call, status)
        ? Effect.catchAll(
            withTimeout(text, drain(call), () => undefined),
            () => Effect.succeed("")
          )
        : text
      return Effect.map(body, (body): Answer => ({ status, header: (name) => headers[name], body }))
    }),
    // What was added to the context goes no further.
    Effect.mapInputContext(identity<Context.Context<never>>),
    // The operation has its span, and decides which trace headers are sent.
    Effect.locally(Client.currentTracerDisabledWhen, constTrue),
    Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...Secrets.secretHeaderNames(call.config)]),
    Effect.matchCauseEffect({
      onFailure: (cause) =>
        Option.match(failureOf(cause), {
          onNone: () => Effect.failCause(cause as Cause.Cause<never>),
          onSome: (error) =>
            Effect.fail(error._tag === "ClientNetworkError" ? error : call.networkError("Transport", innermost(error)))
        }),
      onSuccess: (answer) => judge(call, answer)
    })
  )
}

/**
 * Sends the request of a call, reads the answer to its end and judges it. Where it is all that there is of the call, it ends
 * with the call: watching for an interruption twice would cost every call.
 */
export const exchange = (call: Call, client: HttpClient, endsWithCall: boolean): Outcome =>
  Effect.withFiberRuntime((fiber) => {
    const { timeout } = call
    const send = sendOf(client)
    if (send !== undefined) {
      return Effect.async((resume) => {
        const exchange = new Exchange(call, fiber, timeout, resume)
        exchange.begin(send)
        if (endsWithCall) {
          call.stop = exchange.stop
          return undefined
        }
        return Effect.sync(exchange.stop)
      })
    }
    return withTimeout(through(call, client, fiber), timeout, () => call.timedOut(timeout))
  })
