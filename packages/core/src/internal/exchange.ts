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
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { constTrue, identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ClientNetworkError, ClientRestError } from "../CatalogError.js"
import * as Client from "../platform/httpClient.js"
import { type Receiver, type Send, sendOf, type TransportRequest } from "../Transport.js"
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

const tooLarge = (call: Call) =>
  call.networkError("ResponseTooLarge", new RangeError(`the body has more than ${call.maxResponseBytes} bytes`))

const traceHeaders = (fiber: AnyFiber): Readonly<Record<string, string>> =>
  // A tracer that is switched off has spans without an identity.
  fiber.currentSpan?._tag === "Span" && /^[0-9a-f]{32}$/.test(fiber.currentSpan.traceId)
    ? HttpTraceContext.toHeaders(fiber.currentSpan)
    : {}

const requestOf = ({ operation, url, form, config, credentials }: Call, fiber: AnyFiber): TransportRequest => ({
  method: operation.method,
  url,
  headers: {
    accept: "application/json",
    ...Secrets.extraHeaders(config),
    ...(config.tracePropagation && traceHeaders(fiber)),
    ...Secrets.toHeaders(credentials, config),
    ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
  },
  body: form
})

const utf8 = /*#__PURE__*/ new TextDecoder()

/** A body as it comes, up to a number of bytes. */
const bodyUpTo = (most: number) => {
  const parts: Array<Uint8Array> = []
  let size = 0
  return {
    /** Whether there is still room. */
    add: (part: Uint8Array): boolean => {
      size += part.length
      if (size > most) {
        return false
      }
      parts.push(part)
      return true
    },
    text: (): string => {
      if (parts.length === 1) {
        return utf8.decode(parts[0])
      }
      const all = new Uint8Array(size)
      let offset = 0
      for (const part of parts) {
        all.set(part, offset)
        offset += part.length
      }
      return utf8.decode(all)
    }
  }
}

/**
 * The short way: what happens on the wire is heard in the fiber of the call, and one timer ends it. Gives back what stops it
 * when nobody waits for it any more.
 */
const begin = (call: Call, fiber: AnyFiber, send: Send, resume: (outcome: Outcome) => void): (() => void) => {
  const { timeout } = call
  const body = bodyUpTo(call.maxResponseBytes)
  let status = 0
  let header: Answer["header"] = () => undefined
  let cancel: (() => void) | undefined
  let isOver = false

  const answer = (body: string): Outcome => judge(call, { status, header, body })

  /** A failure, unless nothing more is needed. */
  const unless = (failure: (call: Call) => ClientNetworkError): Outcome =>
    isIgnored(call, status) ? answer("") : Effect.fail(failure(call))

  const give = (outcome: () => Outcome): void => {
    if (!isOver) {
      isOver = true
      stopTimer()
      resume(Effect.suspend(outcome))
    }
  }

  /** Whether the transport can cancel is not for the call to know, which has its outcome. */
  const giveUp = (): void => {
    try {
      cancel?.()
    } catch {
      // Nothing is left to be done.
    }
  }

  /** Ends an exchange that is still going on. */
  const end = (outcome: () => Outcome): void => {
    if (!isOver) {
      give(outcome)
      giveUp()
    }
  }

  const receiver: Receiver = {
    onHeaders: (answered, read) => {
      if (!isOver) {
        call.status = status = answered
        header = read
        if (isIgnored(call, status)) {
          stopTimer()
          stopTimer = startTimer(fiber, drain(call), () => end(() => answer("")))
        }
      }
    },
    onData: (part) => {
      if (!isOver && !body.add(part)) {
        end(() => unless(tooLarge))
      }
    },
    onEnd: () => give(() => answer(body.text())),
    onError: (cause) => give(() => unless((call) => call.networkError("Transport", innermost(cause))))
  }

  let stopTimer = startTimer(fiber, timeout, () => end(() => Effect.fail(call.timedOut(timeout))))
  try {
    cancel = send(requestOf(call, fiber), receiver, fiber.currentContext)
  } catch (cause) {
    receiver.onError(cause)
  }
  if (isOver) {
    giveUp()
  }
  return () => end(() => Effect.interrupt)
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
    const body = bodyUpTo(call.maxResponseBytes)
    const read = (
      pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<HttpClientError>>
    ): Effect.Effect<never, Option.Option<HttpClientError | ClientNetworkError>> =>
      Effect.flatMap(pull, (parts) =>
        Chunk.toReadonlyArray(parts).every((part) => body.add(part))
          ? read(pull)
          : Effect.fail(Option.some(tooLarge(call)))
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
        const stop = begin(call, fiber, send, resume)
        if (endsWithCall) {
          call.stop = stop
          return undefined
        }
        return Effect.sync(stop)
      })
    }
    return withTimeout(through(call, client, fiber), timeout, () => call.timedOut(timeout))
  })
