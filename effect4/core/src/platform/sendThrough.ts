/**
 * An exchange over any `HttpClient`, for clients without a `send`.
 */
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import { type HttpClientError, isHttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type AnyFiber, serviceAt } from "../internal/common/fiber.js"
import { forkFrom, interrupt } from "../internal/common/run.js"
import * as Client from "./httpClient.js"
import { type Receiver, reportByReader, type TransportRequest } from "./send.js"

/** The receiver of an exchange over an `HttpClient`. */
export interface ClientReceiver extends Receiver {
  /** Called if the client dies, or interrupts itself. */
  readonly onCause: (cause: Cause.Cause<never>) => void
}

/**
 * The context of an exchange. `fetch` would follow redirects by default, and send the client ID to another origin. The
 * operation has its own span and decides which trace headers are sent.
 */
const contextFor =
  (secretHeaders: ReadonlyArray<string>) =>
  (context: Context.Context<never>): Context.Context<never> =>
    context.pipe(
      Context.add(Client.RequestInit, {
        ...(serviceAt(context, Client.RequestInit.key) as RequestInit | undefined),
        redirect: "manual"
      }),
      Context.add(Client.currentTracerDisabledWhen, constTrue),
      Context.add(Headers.CurrentRedactedNames, [
        ...Context.get(context, Headers.CurrentRedactedNames),
        ...secretHeaders
      ])
    )

/** The response of a client that fails on a status. */
const responseOfFailure = (
  error: HttpClientError
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError> =>
  error.reason._tag === "StatusCodeError" ? Effect.succeed(error.reason.response) : Effect.fail(error)

/** The failure of a client, or an `HttpClientError` that it threw as a defect. */
const failureOf = (cause: Cause.Cause<unknown>): Option.Option<unknown> =>
  Option.orElse(Cause.findErrorOption(cause), () =>
    Option.filter(
      Option.map(Option.fromUndefinedOr(cause.reasons.find(Cause.isDieReason)), ({ defect }) => defect),
      isHttpClientError
    )
  )

/** The platform's own response of undici, or the wrapper that one of its clients puts around it. */
interface Own {
  readonly source?: { readonly body: unknown }
  readonly original?: Own
}

/** The name of a response's class, if the class defines `stream`: a wrapper of the program has its own. */
const typeOf = (response: unknown): string | undefined => {
  const type = Object.getPrototypeOf(response) as object
  return Object.hasOwn(type, "stream") ? type.constructor.name : undefined
}

/** The body of a response of the platform: of the web, or of undici, whose class is known here by its name only. */
const ownBodyOf = (response: HttpClientResponse.HttpClientResponse): unknown => {
  const outer = response as Own
  const own = typeOf(outer) === "InterruptibleResponse" ? outer.original : outer
  if (typeOf(own) === "UndiciResponse") {
    return own?.source?.body
  }
  return typeOf(outer) === undefined ? undefined : Option.getOrUndefined(HttpClientResponse.toWeb(response))?.body
}

/** Reports a body part by part. A missing body is empty. */
const report = (response: HttpClientResponse.HttpClientResponse, receiver: Receiver): Effect.Effect<void, unknown> =>
  reportByReader(ownBodyOf(response), response, receiver) ??
  Effect.catchIf(
    Stream.runForEachArray(response.stream, (parts) =>
      Effect.sync(() => parts.forEach((part) => receiver.onData(part)))
    ),
    (error: HttpClientError) => error.reason._tag === "EmptyBodyError",
    () => Effect.void
  )

/**
 * Sends over a client, in a child of the call's fiber, which has the call's context, loggers and tracers. `ended` waits for
 * the end of the child.
 */
export const sendThrough = (
  client: Client.HttpClient,
  fiber: AnyFiber,
  flags: undefined,
  secretHeaders: ReadonlyArray<string>
) => {
  let child: Fiber.Fiber<unknown> | undefined
  const send = ({ method, url, headers, body }: TransportRequest, receiver: ClientReceiver): (() => void) => {
    // `make` would bundle the code for every option.
    const bare = HttpClientRequest.makeWith(
      method,
      url,
      UrlParams.empty,
      Option.none(),
      Headers.fromInput(headers),
      HttpBody.empty
    )
    const request =
      body === undefined ? bare : HttpClientRequest.setBody(bare, HttpBody.text(body, headers["content-type"]))
    const exchange = client.execute(request).pipe(
      Effect.catch(responseOfFailure),
      Effect.flatMap((response) => {
        const { status, headers } = response
        receiver.onHeaders(
          status,
          (name) => headers[name],
          () => Object.keys(headers)
        )
        return report(response, receiver)
      }),
      Effect.updateContext(contextFor(secretHeaders))
    )
    // `Effect.exit`, because Effect logs a fiber that fails, and this failure is handled.
    const running = (child = forkFrom(fiber, flags)(Effect.exit(exchange)))
    running.addObserver((ended) => {
      const exit = Exit.isSuccess(ended) ? ended.value : ended
      Exit.match(exit, {
        onSuccess: receiver.onEnd,
        onFailure: (cause) =>
          Option.match(failureOf(cause), {
            onNone: () => receiver.onCause(cause as Cause.Cause<never>),
            onSome: receiver.onError
          })
      })
    })
    return () => interrupt(running)
  }
  const ended = Effect.suspend((): Effect.Effect<unknown> => (child === undefined ? Effect.void : Fiber.await(child)))
  return { send, ended, inherited: Effect.void }
}
