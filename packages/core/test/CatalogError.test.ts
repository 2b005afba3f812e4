// Not over the bundle: errors and operations have Schemas of Effect.
import { createCatalog } from "catalog-client"
import {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { EmbeddedCatalog, TestError } from "@catalog-client/testing"
import { Cause, Effect, Exit, Schema } from "effect"
import { inspect } from "node:util"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { jsonOf } from "./support/schemas.js"

const subject = { operation: "catalog.anime.get", method: "GET", url: "https://x.example/anime/1" }

const errors = [
  new ClientAuthError({ operation: "catalog.user.me", reason: "Missing" }),
  new ClientValidationError({ operation: "catalog.anime.search", reason: "EmptyKeyword", field: "q" }),
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
  // What it says depends on what was sent.
  new ClientRestError({ ...subject, status: 401, reason: "Status", body: "", attempts: 1, credentialSent: false }),
  new ClientNetworkError({
    ...subject,
    reason: "Transport",
    attempts: 1,
    cause: { name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }
  })
]

describe.each(errors.map((error) => [error._tag, error] as const))("%s", (tag, error) => {
  test("can be encoded and decoded, by its own Schema and as one of the four", () => {
    const json = jsonOf(ClientError)
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
  test("keeps its message when it is cloned, for another window or a worker", () => {
    expect(structuredClone(error).message).toBe(error.message)
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining([expect.stringMatching(/name|message|stack/)]))
  })

  test("is an Error, one of the four, and can be yielded", () => {
    expect(error).toBeInstanceOf(Error)
    expect(isClientError(error)).toBe(true)
    expect(isClientError(Schema.encodeSync(ClientError)(error))).toBe(true)
    const failing: Effect.Effect<never, ClientError> = error
    expect(Effect.runSyncExit(failing)).toEqual(Exit.fail(error))
  })
})

/** The text of a message before the address of its section. */
const withoutAddress = ({ message }: Error): string => message.replace(/ See https:\S+$/, "")

test("the classes themselves can be printed and mocked", async () => {
  const mocked = await vi.importMock<Readonly<Record<string, unknown>>>("@catalog-client/core")
  for (const type of [ClientAuthError, ClientValidationError, ClientRestError, ClientNetworkError]) {
    const prototype: Error = type.prototype
    expect(prototype.message).toBe("")
    expect((Object.create(prototype) as Error).message).toBe("")
    expect(inspect(type, { getters: true, showHidden: true })).toContain(type.name)
    expect(mocked[type.name]).toBeTypeOf("function")
  }
})

test.each([
  ["The user said no", "The user said no."],
  ["The user said no.", "The user said no."],
  ["Why?", "Why?"]
])("the sentence of a service ends before the address: %s", (serviceMessage, sentence) => {
  const error = new ClientAuthError({ operation: "OAuth.authorizationResponse", reason: "Denied", serviceMessage })
  expect(error.message).toContain(` The service said: ${sentence} See https://`)
})

describe("the whole message of a response", () => {
  const message = (more: object) =>
    withoutAddress(
      new ClientRestError({ ...subject, status: 200, reason: "InvalidBody", body: "No.", attempts: 1, ...more })
    )

  test("that is no reply: the path of the invalid member, if there is one", () => {
    const what = "catalog.anime.get failed: GET https://x.example/anime/1 returned 200 with a body that is not the"
    const advice = "Check baseUrl, or update the client."
    expect(message({})).toBe(`${what} operation's reply. ${advice}`)
    expect(message({ path: [] })).toBe(`${what} operation's reply. ${advice}`)
    expect(message({ path: ["data", 0] })).toBe(`${what} operation's reply (at data.0). ${advice}`)
    const headers = { "content-type": "text/html" }
    expect(message({ headers })).toBe(`${what} operation's reply (text/html). ${advice}`)
  })

  test("of another status: the service's message, if there is one", () => {
    const what = "catalog.anime.get failed: GET https://x.example/anime/1 returned 500"
    const advice = "The service is failing: try again later."
    const status = { reason: "Status", status: 500 }
    expect(message(status)).toBe(`${what}. ${advice}`)
    expect(message({ ...status, code: "oops" })).toBe(`${what} (oops). ${advice}`)
    expect(message({ ...status, serviceMessage: "Oh no" })).toBe(`${what} (Oh no). ${advice}`)
    expect(message({ ...status, code: "oops", serviceMessage: "Oh no", retryAfter: 1500 })).toBe(
      `${what} (oops: Oh no). ${advice} Retry after 2 s.`
    )
  })
})

test("topics without a board and a keyword say why they time out; a subboard or a keyword is one", async () => {
  const advice = "Pass boardId, subboardId or q: without one, the service does not respond in time."
  const messages = async (params: object, status = 504) => {
    const over = (fetch: typeof globalThis.fetch) =>
      createCatalog({ fetch })
        .forum.topics(params, { timeout: 5 })
        .then(() => "", String)
    return [
      await over(() => Promise.resolve(new Response("", { status }))),
      await over((_, init) => new Promise((_, reject) => init?.signal?.addEventListener("abort", reject)))
    ].map((message) => message.includes(advice))
  }
  for (const params of [{}, { limit: 10, offset: 0 }, { userName: "q=1", sort: "recent" }]) {
    expect(await messages(params)).toEqual([true, true])
  }
  for (const params of [{ boardId: 1 }, { limit: 10, subboardId: 2 }, { sort: "recent", q: "a" }]) {
    expect(await messages(params)).toEqual([false, false])
  }
  expect(await messages({}, 503)).toEqual([false, true])
})

test("a request for tokens names the address of the token endpoint, and looks for no record", () => {
  const error = new ClientRestError({
    ...subject,
    operation: "OAuth.refreshTokens",
    about: "tokens",
    status: 404,
    reason: "Status",
    body: "",
    attempts: 1
  })
  expect(error.message).toContain("Check the profile's tokenUrl: its server or path is wrong")
})

describe("the advice of a message without a complete response", () => {
  const message = (reason: ClientNetworkError["reason"], more: object = {}) =>
    withoutAddress(new ClientNetworkError({ ...subject, reason, attempts: 1, ...more }))

  test("after a timeout: both limits", () => {
    expect(message("Timeout", { timeoutMs: 200 })).toMatch(
      /^catalog\.anime\.get timed out after 200 ms \(GET .*\)\. .*timeout .*totalTimeout/
    )
    expect(message("Timeout")).toMatch(/^catalog\.anime\.get timed out \(GET /)
  })

  test("which attempt it was, and that a write may have been carried out", () => {
    const write = { method: "PATCH", operation: "catalog.anime.updateMyListStatus" }
    const uncertain = "The write may have been carried out: check before you repeat it."
    const breaker = { ...write, cause: { name: "Error", message: "the last call ended with Timeout" } }
    expect(message("Timeout", { ...write, attempts: 2, timeoutMs: 20 })).toBe(
      `catalog.anime.updateMyListStatus timed out after 20 ms on attempt 2 (PATCH https://x.example/anime/1). ${uncertain}`
    )
    expect(message("CircuitOpen", breaker)).toBe(
      `catalog.anime.updateMyListStatus was not sent again, because the circuit breaker is open (PATCH https://x.example/anime/1): the last call ended with Timeout. ${uncertain}`
    )
    const rest = { ...subject, ...write, status: 503, reason: "Status", body: "", attempts: 3 } as const
    expect(withoutAddress(new ClientRestError(rest))).toBe(
      `catalog.anime.updateMyListStatus failed on attempt 3: PATCH https://x.example/anime/1 returned 503. The service is failing: try again later. ${uncertain}`
    )
    expect(message("CircuitOpen", { ...breaker, attempts: 0 })).not.toMatch(/again|uncertain/)
    expect(message("Transport", { ...write, cause: { ...breaker.cause, code: "ECONNREFUSED" } })).not.toContain(
      uncertain
    )
    expect(message("Timeout", { method: "POST", about: "tokens" })).not.toContain(uncertain)
  })

  test("without a connection: what to check, and what else in a page", () => {
    const refused = { name: "Error", message: "connect ECONNREFUSED 127.0.0.1:1", code: "ECONNREFUSED" }
    expect(message("Transport", { cause: refused })).toBe(
      "catalog.anime.get received no complete response (GET https://x.example/anime/1): connect ECONNREFUSED 127.0.0.1:1. Check the network and baseUrl."
    )
    const failed = { cause: { name: "TypeError", message: "Failed to fetch" } }
    expect(message("Transport", failed)).not.toContain("CORS")
    vi.stubGlobal("document", {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(message("Transport", failed)).toContain("CORS")
  })

  test("the cause in one line, as far as it is known", () => {
    expect(message("Transport", { cause: { name: "Error", message: "wrong version number\n" } })).toContain(
      ": wrong version number. Check"
    )
    expect(message("Transport", { cause: { name: "Error", message: " ", code: "ETIMEDOUT" } })).toContain(
      ": ETIMEDOUT."
    )
    expect(message("Transport", { cause: { name: "Error", message: "\n  socket hang up\n" } })).toContain(
      ": socket hang up. "
    )
    // In no time, however much of it there is.
    const long = `x${" .".repeat(100_000)}y`
    expect(message("Transport", { cause: { name: "Error", message: long } })).toContain(`: ${long}. `)
    expect(message("Transport", { cause: { name: "AbortError", message: "" } })).toContain(": AbortError.")
    const cancelled = "catalog.anime.get was cancelled (GET https://x.example/anime/1)"
    expect(message("Cancelled")).toBe(`${cancelled}.`)
    expect(message("Cancelled", { cause: { name: "AbortError", message: "It was aborted." } })).toBe(
      `${cancelled}: It was aborted.`
    )
  })
})

test("errors for tests are valid, and have what the client's own have", async () => {
  const made = [
    TestError.rest(),
    ...[200, 400, 401, 403, 404, 429].map((status) => TestError.rest({ status })),
    ...(["Timeout", "Cancelled", "Transport", "ResponseTooLarge", "CircuitOpen"] as const).map((reason) =>
      TestError.network({ reason })
    ),
    TestError.auth(),
    ...(["EmptyKeyword", "NothingToChange", "EmptyUsername"] as const).map((reason) => TestError.validation({ reason }))
  ]
  for (const error of made) {
    expect(Schema.decodeSync(ClientError)(Schema.encodeSync(ClientError)(error))).toEqual(error)
  }
  expect(TestError.rest({ status: 429, retryAfter: 5 })).toMatchObject({ status: 429, reason: "Status", retryAfter: 5 })
  const { fetch, ...urls } = { fetch: EmbeddedCatalog.fetch(), profile: EmbeddedCatalog.profile() }
  const catalog = createCatalog({ fetch, ...urls, accessToken: "expired" })
  await expect(catalog.user.me()).rejects.toMatchObject({
    code: TestError.rest({ status: 401 }).code,
    credentialSent: true
  })
  const anonymous = createCatalog({ fetch, ...urls })
  const { code, expected } = TestError.rest({ status: 404 })
  await expect(anonymous.anime.get({ id: 999_999 })).rejects.toMatchObject({ code, expected })
  await expect(anonymous.anime.search({ q: "" })).rejects.toEqual(TestError.validation())
  await expect(anonymous.user.me()).rejects.toEqual(TestError.auth())
})
