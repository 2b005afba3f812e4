/**
 * One exchange over any transport: headers, body and validation, limited in time and size.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type { AttemptError, ClientNetworkError } from "../../CatalogError.js"
import { type ClientReceiver, sendThrough } from "../../platform/sendThrough.js"
import type { HttpClient } from "../../platform/httpClient.js"
import { type Receiver, sendOf, type TransportRequest } from "../../platform/send.js"
import { innermost, invalidTransport } from "../common/cause.js"
import { quietly, stringIn, tryOr } from "../common/values.js"
import { type AnyFiber, contextOf, withFiber } from "../common/fiber.js"
import { extraHeaders, secretHeaderNames, toHeaders } from "../credentials/headers.js"
import type { CallState } from "../declaration/call.js"
import { isSuccess, networkError, timedOut, knownHeaders } from "../reply/errors.js"
import { traceHeaders } from "../telemetry/traceHeaders.js"
import { startTimer } from "./timeout.js"

/**
 * The longest time to read a body that the operation ignores, so that the connection can be reused. A shorter call reads for
 * half of its `timeout`, because the timeout itself would fail a call that has succeeded.
 */
const maxDrainMillis = 500

type Outcome = Effect.Effect<unknown, AttemptError>

type ValidateResponse = (call: CallState, status: number, body: string) => Outcome

const transportRequest = (call: CallState, fiber: AnyFiber): TransportRequest => {
  const { settings, credentials, declaration, request } = call
  const { form, url } = request
  const headers = {
    accept: "application/json",
    ...extraHeaders(settings),
    ...(settings.tracePropagation && traceHeaders(call, fiber)),
    ...toHeaders(credentials, settings),
    ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
  }
  call.progress.headers = headers
  return { method: declaration.method, url, headers, body: form }
}

const utf8 = /*#__PURE__*/ new TextDecoder()

/** Collects a body, up to a number of bytes. Throws a `RangeError` for a longer one. */
class Body {
  /** The only chunk, or a buffer. Keeping many small chunks costs more than their bytes. */
  #bytes: Uint8Array = new Uint8Array()
  #size = 0
  /** Two chunks, as a page of a list often has, get a buffer of their size; with more, it doubles. */
  #growth = 1

  constructor(private readonly maxBytes: number) {}

  add(part: Uint8Array): void {
    // A custom transport can pass anything.
    if (!ArrayBuffer.isView(part)) {
      throw invalidTransport(`the body has a chunk of type ${typeof part} instead of Uint8Array`)
    }
    const start = this.#size
    this.#size += part.byteLength
    if (this.#size > this.maxBytes) {
      throw new RangeError(`the body has more than ${this.maxBytes} bytes`)
    }
    if (start === 0) {
      this.#bytes = part
      return
    }
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(this.#growth * this.#size)
      this.#growth = 2
      larger.set(this.#bytes.subarray(0, start))
      this.#bytes = larger
    }
    this.#bytes.set(part, start)
  }

  /** Throws if the body is longer than any string can be: 512 MiB in V8. */
  text(): string {
    const bytes = this.#bytes
    return utf8.decode(bytes.byteLength === this.#size ? bytes : bytes.subarray(0, this.#size))
  }
}

/** An exchange in progress: collects what the transport reports, has the only timer, and resumes the call's fiber. */
class Exchange implements ClientReceiver {
  readonly #call: CallState
  readonly #fiber: AnyFiber
  readonly #validate: ValidateResponse
  readonly #body: Body
  /** This exchange's response: a policy can run several exchanges at once. */
  #response: CallState["progress"]["response"]
  #cancel: (() => void) | undefined
  #stopTimer: () => void = constVoid
  #resume: (outcome: Outcome) => void = constVoid
  #isOver = false

  constructor(call: CallState, fiber: AnyFiber, validate: ValidateResponse) {
    this.#call = call
    this.#fiber = fiber
    this.#validate = validate
    this.#body = new Body(call.maxResponseBytes)
    this.#response = call.progress.response
  }

  start(
    send: (...inputs: [TransportRequest, ClientReceiver, Context.Context<never>]) => () => void,
    resume: (outcome: Outcome) => void
  ): void {
    const { timeout } = this.#call
    this.#resume = resume
    this.#startTimer(timeout, () => Effect.fail(timedOut(this.#call, timeout)))
    try {
      const sending = this.#call.listener.bindToSpan?.(send, this.#fiber) ?? send
      this.#cancel = sending(transportRequest(this.#call, this.#fiber), this, contextOf(this.#fiber))
    } catch (cause) {
      this.onError(cause)
    }
    // The transport may have reported the end before `send` returned.
    if (this.#isOver) {
      this.#cancelRequest()
    }
  }

  readonly stop = (): void => this.#cancelWith(() => Effect.interrupt)

  // Arrow functions: a transport may pass them unbound.
  readonly onHeaders: Receiver["onHeaders"] = (status, header, names = () => knownHeaders) => {
    if (this.#isOver) {
      return
    }
    this.#call.progress.response = this.#response = {
      status,
      // A transport of the program can return anything.
      headers: {
        get: (name) => tryOr(() => header(name)?.toString(), undefined),
        names: () => tryOr<Iterable<string>>(() => [...names()], knownHeaders)
      },
      body: undefined
    }
    if (this.#ignoresBody()) {
      this.#stopTimer()
      // A timeout of 0 means no limit.
      const millis = Math.min(maxDrainMillis, this.#call.timeout / 2 || maxDrainMillis)
      this.#startTimer(millis, () => this.#validated(""))
    }
  }

  readonly onData: Receiver["onData"] = (part) => {
    try {
      if (!this.#isOver) {
        this.#body.add(part)
      }
    } catch (error) {
      this.#cancelWith(() =>
        this.#outcomeOfFailure(error instanceof RangeError ? "ResponseTooLarge" : "Transport", error)
      )
    }
  }

  readonly onEnd: Receiver["onEnd"] = () => {
    this.#resumeWith(() => {
      let text: string
      try {
        text = this.#body.text()
      } catch (error) {
        return this.#outcomeOfFailure("ResponseTooLarge", error)
      }
      return this.#validated(text)
    })
  }

  readonly onText: Receiver["onText"] = (text) => {
    if (typeof text !== "string") {
      this.onError(invalidTransport(`the body is of type ${typeof text} instead of string`))
      return
    }
    // In UTF-8, each unit of a string takes at most three bytes.
    if (text.length * 3 > this.#call.maxResponseBytes) {
      this.onData(new TextEncoder().encode(text))
    }
    this.#resumeWith(() => this.#validated(text))
  }

  readonly onError: Receiver["onError"] = (error) => {
    this.#resumeWith(() => {
      const cause = innermost(error)
      // undici's client is destroyed with its Layer: a retry would fail as well.
      return /^UND_ERR_(DESTROYED|CLOSED)$/.test(stringIn(cause, "code") ?? "")
        ? this.#outcomeOfFailure("Cancelled", {
            name: "AbortError",
            message: "the Layer or the dispatcher of its transport was closed"
          })
        : this.#outcomeOfFailure("Transport", cause)
    })
  }

  readonly onCause: ClientReceiver["onCause"] = (cause) => {
    this.#resumeWith(() => Effect.failCause(cause))
  }

  #ignoresBody(): boolean {
    return this.#call.declaration.reply === undefined && isSuccess(this.#response.status ?? 0)
  }

  #validated(body: string): Outcome {
    this.#call.progress.response = this.#response
    return this.#validate(this.#call, this.#response.status ?? 0, body)
  }

  #outcomeOfFailure(reason: ClientNetworkError["reason"], cause: unknown): Outcome {
    return this.#ignoresBody() ? this.#validated("") : Effect.fail(networkError(this.#call, reason, cause))
  }

  #startTimer(millis: number, outcome: () => Outcome): void {
    this.#stopTimer = startTimer(this.#fiber, millis, () => this.#cancelWith(outcome))
  }

  #resumeWith(outcome: () => Outcome, isCancelled = false): void {
    if (!this.#isOver) {
      this.#isOver = true
      this.#stopTimer()
      if (isCancelled) {
        this.#cancelRequest()
      }
      this.#resume(Effect.suspend(outcome))
    }
  }

  /** Cancels the request. Errors of the transport are ignored, because the call already has its outcome. */
  #cancelRequest(): void {
    quietly(() => this.#cancel?.())
  }

  /** Ends a running exchange. The request ends first, because resuming can continue the call at once. */
  #cancelWith(outcome: () => Outcome): void {
    this.#resumeWith(outcome, true)
  }
}

/**
 * Sends the request of a call, reads the response to its end and validates it. With `stopsWithCall`, `interpret`
 * stops the exchange by `progress.stop`, because an `onInterrupt` here would slow down every call.
 */
export const exchange = (
  call: CallState,
  client: HttpClient,
  stopsWithCall: boolean,
  validate: ValidateResponse
): Outcome =>
  withFiber((fiber, flags) => {
    const running = new Exchange(call, fiber, validate)
    const send = sendOf(client)
    if (send === undefined) {
      const child = sendThrough(client, fiber, flags, secretHeaderNames(call.settings))
      return Effect.onInterrupt(
        Effect.async((resume) =>
          running.start(child.send, (outcome) => resume(Effect.zipRight(child.inherited, outcome)))
        ),
        () => Effect.zipRight(Effect.sync(running.stop), child.ended)
      )
    }
    const sent: Outcome = Effect.async((resume) => running.start(send, resume))
    if (stopsWithCall) {
      call.progress.stop = running.stop
      return sent
    }
    return Effect.onInterrupt(sent, () => Effect.sync(running.stop))
  })
