/** Carries out the faults of the options. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { millisOf } from "@catalog-client/core/internal"
import type { Fault, ReceivedRequest } from "../../Options.js"
import { ConnectionDropped, empty, json, type ServiceResponse, text, withHeaders } from "./response.js"

/** Finds the fault that affects a request, and counts it. */
export const makeFaults = (faults: ReadonlyArray<Fault>): ((request: ReceivedRequest) => Fault | undefined) => {
  const left = faults.map(({ times = Number.POSITIVE_INFINITY }) => times)
  return (request) => {
    const index = faults.findIndex((fault, at) => (left[at] ?? 0) > 0 && affects(fault, request))
    if (index >= 0) {
      left[index] = (left[index] ?? 0) - 1
    }
    return faults[index]
  }
}

const affects = ({ on }: Fault, request: ReceivedRequest): boolean => {
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

const replacement = ({ body, headers = {}, status = 200 }: Fault): ServiceResponse => {
  if (body === undefined || bodiless.has(status)) {
    return empty(status, headers)
  }
  if (typeof body !== "string") {
    return json(body, status, headers)
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]
  return text(body, type ?? "text/html; charset=UTF-8", status, headers)
}

/** Waits, forever if the time is infinite. */
export const pause = (time: Duration.DurationInput | undefined): Effect.Effect<void> => {
  if (time === undefined) {
    return Effect.void
  }
  const millis = millisOf(time) ?? 0
  return millis === Infinity ? Effect.never : Effect.sleep(millis)
}

/** Applies a fault to the service's response, or replaces it. */
export const applyFault = (
  fault: Fault,
  respond: Effect.Effect<ServiceResponse>
): Effect.Effect<ServiceResponse, ConnectionDropped> =>
  Effect.gen(function* () {
    const { body, bodyDelay, delay, drop, executesAfter, headers = {}, status } = fault
    if (executesAfter !== undefined) {
      // In a separate fiber, which continues when the client has gone.
      const executed = yield* Effect.forkDaemon(Effect.zipRight(pause(executesAfter), respond))
      yield* millisOf(executesAfter) === 0 ? Fiber.join(executed) : Effect.void
    }
    const isReplaced = executesAfter !== undefined || status !== undefined || body !== undefined
    const response = isReplaced ? replacement(fault) : withHeaders(yield* respond, headers)
    yield* pause(delay)
    if (drop === "before-headers") {
      return yield* new ConnectionDropped({ when: "before-headers" })
    }
    if (bodyDelay === undefined && drop === undefined) {
      return response
    }
    const end = drop === "in-body" ? Effect.fail(new ConnectionDropped({ when: "in-body" })) : Effect.void
    return { ...response, halfway: Effect.zipRight(pause(bodyDelay), end) }
  })

/** Whether topics of no board are requested, and no words of their titles: live, the request times out. */
export const isUnbounded = ({ operation, query }: ReceivedRequest): boolean =>
  operation === "forum.topics" && !["board_id", "subboard_id", "q"].some((name) => query.get(name))
