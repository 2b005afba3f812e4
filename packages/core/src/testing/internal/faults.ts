/** Carries out the faults of the options. */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Fault, ReceivedRequest } from "../Options.js"
import { json } from "./response.js"

/** The connection broke off: before the headers as the app's failure, later as the failure of the body's stream. */
export class ConnectionDropped extends Data.TaggedError("ConnectionDropped")<{
  readonly when: "before-headers" | "in-body"
}> {
  override get message(): string {
    return this.when === "before-headers"
      ? "The connection was closed without a response"
      : "The connection was closed within the body"
  }
}

/** Finds the fault that affects a request, and counts it. */
export const makeFaults = (faults: ReadonlyArray<Fault>): ((request: ReceivedRequest) => Fault | undefined) => {
  const left = faults.map(({ times = Number.POSITIVE_INFINITY }) => times)
  return (request) => {
    const index = faults.findIndex((fault, at) => (left[at] ?? 0) > 0 && befalls(fault, request))
    if (index >= 0) {
      left[index] = (left[index] ?? 0) - 1
    }
    return faults[index]
  }
}

const befalls = ({ on }: Fault, request: ReceivedRequest): boolean => {
  if (on === undefined) {
    return true
  }
  if (typeof on === "function") {
    return on(request)
  }
  const { operation } = request
  return operation !== undefined && (typeof on === "string" ? on === operation : on.includes(operation))
}

/** Statuses without a body. */
const bodiless = new Set([101, 204, 205, 304])

const replacement = ({ body, headers = {}, status = 200 }: Fault): HttpServerResponse.HttpServerResponse => {
  if (body === undefined || bodiless.has(status)) {
    return HttpServerResponse.empty({ status, headers })
  }
  if (typeof body !== "string") {
    return json(body, status, headers)
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]
  return HttpServerResponse.text(body, { status, headers, contentType: type ?? "text/html; charset=UTF-8" })
}

/** Waits, for ever if the time is infinite. */
export const pause = (time: Duration.DurationInput | undefined): Effect.Effect<void> => {
  if (time === undefined) {
    return Effect.void
  }
  const duration = Duration.decode(time)
  return Duration.isFinite(duration) ? Effect.sleep(duration) : Effect.never
}

const nothing = new Uint8Array()

/** The same response with its body in two halves, and the fault between them. */
const halved = (
  response: HttpServerResponse.HttpServerResponse,
  { bodyDelay, drop }: Fault
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  const bytes = body._tag === "Uint8Array" ? body.body : nothing
  const middle = Math.ceil(bytes.length / 2)
  const between = Effect.zipRight(
    pause(bodyDelay),
    drop === "in-body" ? Effect.fail(new ConnectionDropped({ when: "in-body" })) : Effect.void
  )
  const stream = Stream.make(bytes.subarray(0, middle)).pipe(
    Stream.concat(Stream.drain(Stream.fromEffect(between))),
    Stream.concat(Stream.make(bytes.subarray(middle)))
  )
  return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
}

/** Applies a fault to the service's response, or replaces it. */
export const applyFault = <E, R>(
  fault: Fault,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | ConnectionDropped, R> =>
  Effect.gen(function* () {
    const response =
      fault.status === undefined && fault.body === undefined
        ? HttpServerResponse.setHeaders(yield* answer, fault.headers ?? {})
        : replacement(fault)
    yield* pause(fault.delay)
    if (fault.drop === "before-headers") {
      return yield* new ConnectionDropped({ when: "before-headers" })
    }
    return fault.bodyDelay === undefined && fault.drop === undefined ? response : halved(response, fault)
  })
