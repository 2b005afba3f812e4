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

  test("is an Error, one of the four, and can be yielded", () => {
    expect(error).toBeInstanceOf(Error)
    expect(isClientError(error)).toBe(true)
    expect(isClientError(Schema.encodeSync(ClientError)(error))).toBe(false)
    const failing: Effect.Effect<never, ClientError> = error
    expect(Effect.runSyncExit(failing)).toEqual(Exit.fail(error))
  })
})
