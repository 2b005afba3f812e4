/**
 * An exchange over any `HttpClient`, for clients without a `send`.
 */
// Counterpart for Effect 4: effect4/core/src/platform/sendThrough.ts
// Counterpart for catalog-client: packages/promise/counterparts/core/platform/sendThrough.ts
import * as Headers from "@effect/platform/Headers"
import * as HttpBody from "@effect/platform/HttpBody"
import { type HttpClientError, isHttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constTrue } from "effect/Function"
import * as Option from "effect/Option"
import type { RuntimeFlags } from "effect/RuntimeFlags"
import * as Stream from "effect/Stream"
import type { AnyFiber } from "../internal/common/fiber.js"
import { forkFrom, interrupt } from "../internal/common/run.js"
import * as Client from "./httpClient.js"
import { type Receiver, reportByReader, type TransportRequest } from "./send.js"

/** The receiver of an exchange over an `HttpClient`. */
export interface ClientReceiver extends Receiver {
  /** Called if the client dies, or interrupts itself. */
  readonly onCause: (cause: Cause.Cause<never>) => void
}

/** `fetch` would follow redirects by default, and send the client ID to another origin. */
const withoutRedirects = (context: Context.Context<never>): Context.Context<never> =>
  Context.add(context, Client.RequestInit, {
    ...Option.getOrUndefined(Context.getOption(context, Client.RequestInit)),
    redirect: "manual"
  })

/** The response of a client that fails on a status. */
const responseOfFailure = (
  error: HttpClientError
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError> =>
  error._tag === "ResponseError" && error.reason === "StatusCode" ? Effect.succeed(error.response) : Effect.fail(error)

/** The failure of a client, or an `HttpClientError` that it threw as a defect. */
const failureOf = (cause: Cause.Cause<unknown>): Option.Option<unknown> =>
  Option.orElse(Cause.failureOption(cause), () => Option.filter(Cause.dieOption(cause), isHttpClientError))

/** The platform's own response, or the wrapper that one of its clients puts around it. */
interface Own {
  readonly request: HttpClientRequest.HttpClientRequest
  readonly source?: { readonly body: unknown }
  readonly original?: Own
}

/**
 * The body of a response of the platform: of the web, or of undici, whose class is known here by its name only. The members
 * that this reads are private. A wrapper of the program can have another body, so only the platform's own wrapper is opened.
 * Any other response, for example of a later version of the platform, is read by its `stream`, which takes longer.
 */
const ownBodyOf = (response: unknown): unknown => {
  const outer = response as Own
  const own = Object.keys(outer).join() === "original,controller" ? outer.original : outer
  const { body } = own?.source ?? {}
  if (!body) {
    return undefined
  }
  const type = Object.getPrototypeOf(own) as object
  const isWeb = type === Object.getPrototypeOf(HttpClientResponse.fromWeb(outer.request, own?.source as Response))
  return isWeb || (Object.hasOwn(type, "stream") && type.constructor.name === "ClientResponseImpl") ? body : undefined
}

/** Reports a body part by part. A missing body is empty. */
const report = (response: HttpClientResponse.HttpClientResponse, receiver: Receiver): Effect.Effect<void, unknown> => {
  // Without the registry the platform ends a request whose body it has not begun to read for five seconds.
  const body = "FinalizationRegistry" in globalThis ? ownBodyOf(response) : undefined
  const reported = reportByReader(body, response, receiver)
  if (reported !== undefined) {
    return reported
  }
  const read = (
    pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<HttpClientError>>
  ): Effect.Effect<never, Option.Option<HttpClientError>> =>
    Effect.flatMap(pull, (parts) => {
      for (const part of parts) {
        receiver.onData(part)
      }
      return read(pull)
    })
  return Stream.toPull(response.stream).pipe(
    Effect.flatMap(read),
    Effect.scoped,
    Effect.catchAll((end) => {
      const error = Option.getOrUndefined(end)
      return error === undefined || (error._tag === "ResponseError" && error.reason === "EmptyBody")
        ? Effect.void
        : Effect.fail(error)
    })
  )
}

/**
 * Sends over a client, in a child of the call's fiber, which has the call's context, loggers and tracers. `ended` waits
 * for the end of the child; `inherited` passes its parent the FiberRefs that the client has changed.
 */
export const sendThrough = (
  client: Client.HttpClient,
  fiber: AnyFiber,
  flags: RuntimeFlags,
  secretHeaders: ReadonlyArray<string>
) => {
  let child: Fiber.RuntimeFiber<unknown> | undefined
  const send = ({ method, url, headers, body }: TransportRequest, receiver: ClientReceiver): (() => void) => {
    const request = HttpClientRequest.make(method as "PATCH")(url, {
      headers,
      ...(body !== undefined && { body: HttpBody.text(body, headers["content-type"]) })
    })
    const exchange = client.execute(request).pipe(
      Effect.catchAll(responseOfFailure),
      Effect.flatMap((response) => {
        const { status, headers } = response
        receiver.onHeaders(
          status,
          (name) => headers[name],
          () => Object.keys(headers)
        )
        return report(response, receiver)
      }),
      Effect.mapInputContext(withoutRedirects),
      // The operation has its own span and decides which trace headers are sent.
      Effect.locally(Client.currentTracerDisabledWhen, constTrue),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, ...secretHeaders])
    )
    // `Effect.exit`, because Effect logs a fiber that fails, and this failure is handled.
    const running = (child = forkFrom(fiber, flags)(Effect.exit(exchange)))
    running.addObserver((exit) =>
      Exit.match(Exit.flatten(exit), {
        onSuccess: receiver.onEnd,
        onFailure: (cause) =>
          Option.match(failureOf(cause), {
            onNone: () => receiver.onCause(cause as Cause.Cause<never>),
            onSome: receiver.onError
          })
      })
    )
    return () => interrupt(running)
  }
  const ofChild = (read: (child: Fiber.RuntimeFiber<unknown>) => Effect.Effect<unknown>) =>
    Effect.suspend(() => (child === undefined ? Effect.void : read(child)))
  return { send, ended: ofChild(Fiber.await), inherited: ofChild(Fiber.inheritAll) }
}
