import {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError,
  isClientError
} from "@catalog-client/core"
import { Cause, Effect, Exit, Schema } from "effect"
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"

const subject = { operation: "catalog.anime.get", method: "GET", url: "https://x.example/anime/1" }

const errors = [
  new ClientAuthError({ operation: "catalog.user.me", reason: "Missing" }),
  new ClientValidationError({ operation: "catalog.anime.search", rule: 1, field: "q" }),
  new ClientRestError({
    ...subject,
    status: 404,
    reason: "Status",
    code: "not_found",
    body: { error: "not_found" },
    retryAfter: 1000,
    path: ["data", 0],
    attempts: 2
  }),
  new ClientNetworkError({
    ...subject,
    reason: "Transport",
    attempts: 1,
    cause: { name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }
  })
]

describe.each(errors.map((error) => [error._tag, error] as const))("%s", (tag, error) => {
  test("travels: what is written can be read, by itself and as one of the four", () => {
    const json = Schema.parseJson(ClientError)
    const read = Schema.decodeSync(json)(Schema.encodeSync(json)(error))
    expect(read).toBeInstanceOf(error.constructor)
    expect(read).toEqual(error)
    expect(read.message).toBe(error.message)
  })

  test("prints its encoded form and its message", () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      ...Schema.encodeSync(ClientError)(error),
      message: error.message
    })
    expect(String(error)).toBe(`${tag}: ${error.message}`)
    expect(error.stack).toBe(String(error))
    expect(inspect(error)).toContain(error.message)
    expect(Cause.pretty(Cause.fail(error))).toContain(error.message)
  })

  // Engines other than V8 show what they clone, and no getter is asked then.
  test("keeps its message where it is cloned, for another window or a worker", () => {
    expect(structuredClone(error).message).toBe(error.message)
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining([expect.stringMatching(/name|message|stack/)]))
  })

  test("is an Error, one of the four, and can be yielded", () => {
    expect(error).toBeInstanceOf(Error)
    expect(isClientError(error)).toBe(true)
    expect(isClientError(Schema.encodeSync(ClientError)(error))).toBe(false)
    const failing: Effect.Effect<never, ClientError> = error
    expect(Effect.runSyncExit(failing)).toEqual(Exit.fail(error))
  })
})

describe("what a message advises when there was no whole answer", () => {
  const message = (reason: ClientNetworkError["reason"], more: object = {}) =>
    new ClientNetworkError({ ...subject, reason, attempts: 1, ...more }).message

  test("after a timeout: both that there are", () => {
    expect(message("Timeout", { timeoutMs: 200 })).toMatch(/within 200 ms\. .*timeout .*totalTimeout/)
  })

  test("without a connection: where to look, and in a page where else", () => {
    const refused = { name: "Error", message: "connect ECONNREFUSED 127.0.0.1:1", code: "ECONNREFUSED" }
    expect(message("Transport", { cause: refused })).toMatch(/ECONNREFUSED 127\.0\.0\.1:1\. Check .* baseUrl\.$/)
    expect(message("Transport", { cause: { name: "TypeError", message: "Failed to fetch" } })).toContain("CORS")
  })

  test("the cause in one line, or what there is of it", () => {
    expect(message("Transport", { cause: { name: "Error", message: "wrong version number\n" } })).toContain(
      ": wrong version number. Check"
    )
    expect(message("Transport", { cause: { name: "Error", message: " ", code: "ETIMEDOUT" } })).toContain(
      ": ETIMEDOUT."
    )
    expect(message("Transport", { cause: { name: "AbortError", message: "" } })).toContain(": AbortError.")
    expect(message("Cancelled", { cause: { name: "AbortError", message: "It was aborted." } })).toMatch(
      /[^.]: It was aborted\.$/
    )
  })
})
