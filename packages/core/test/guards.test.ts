import {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError,
  createCatalog,
  isClientError,
  isInputMistake
} from "@catalog-client/core"
import * as guards from "@catalog-client/core/guards"
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/core/testing"
import { Schema } from "effect"
import { describe, expect, test } from "vitest"

const subject = { operation: "catalog.anime.get", method: "GET", url: "https://x.example/anime/1", attempts: 1 }

const answer = (status: number) => new ClientRestError({ ...subject, status, reason: "Status", body: "" })
const failure = (reason: ClientNetworkError["reason"]) => new ClientNetworkError({ ...subject, reason })

/** Every guard, with the errors that it accepts. */
const accepted = {
  isClientError: [
    new ClientAuthError({ operation: "catalog.user.me", reason: "Missing" }),
    new ClientValidationError({ operation: "catalog.anime.search", rule: 1, field: "q" }),
    answer(500),
    failure("Transport")
  ],
  isUnauthorized: [answer(401)],
  isForbidden: [answer(403)],
  isNotFound: [answer(404)],
  isRateLimited: [answer(429)],
  isTimeout: [failure("Timeout")],
  isCancelled: [failure("Cancelled")]
} satisfies Record<Exclude<keyof typeof guards, "isInputMistake">, ReadonlyArray<ClientError>>

const all = Object.values(accepted).flat()

type Named = [keyof typeof accepted, (value: unknown) => boolean]

const { isInputMistake: _, ...ofClientErrors } = guards

describe.each(Object.entries(ofClientErrors) as Array<Named>)("%s", (name, guard) => {
  test("accepts its own errors, and no others of the four", () => {
    const expected = name === "isClientError" ? all : accepted[name]
    expect(expected.length).toBeGreaterThan(0)
    expect(all.filter(guard)).toEqual(expected)
  })

  test("accepts an error of another copy of the package", () => {
    for (const error of accepted[name]) {
      const copy = Object.assign(new Error(error.message), Schema.encodeSync(ClientError)(error))
      expect(guard(copy)).toBe(true)
    }
  })

  test("refuses values that are not errors, and other errors", () => {
    const [error] = accepted[name]
    const encoded = error && Schema.encodeSync(ClientError)(error)
    const values = [null, undefined, 0, 404, "ClientRestError", Symbol("tag"), {}, [], () => 404, new Error("404")]
    expect(values.concat(encoded, new DOMException("aborted", "AbortError")).filter(guard)).toEqual([])
  })

  test("never throws", () => {
    const refuse = (): never => {
      throw new Error("do not look at me")
    }
    const { proxy, revoke } = Proxy.revocable(new Error("gone"), {})
    revoke()
    const hostile = [
      Object.defineProperty(new Error("its tag throws"), "_tag", { get: refuse }),
      ...accepted[name].flatMap((error) =>
        ["status", "reason"].map((key) =>
          Object.defineProperty(Object.assign(new Error("its member throws"), { _tag: error._tag }), key, {
            get: refuse
          })
        )
      ),
      new Proxy(new Error("all throws"), { get: refuse, getPrototypeOf: refuse, has: refuse }),
      proxy
    ]
    for (const value of hostile) {
      expect(typeof guard(value)).toBe("boolean")
    }
  })
})

test("isInputMistake accepts only the TypeError for an input", () => {
  const mistake = Object.assign(new TypeError("no number"), { code: "ERR_INVALID_INPUT" })
  const others = [
    new TypeError("no number"),
    Object.assign(new Error("?"), { code: mistake.code }),
    { name: mistake.name, code: mistake.code },
    null
  ]
  expect([mistake, ...others, ...all].filter(guards.isInputMistake)).toEqual([mistake])
  expect(isInputMistake).toBe(guards.isInputMistake)
})

test("isClientError of the main entry is the same function", () => {
  expect(isClientError).toBe(guards.isClientError)
})

describe("errors of calls", () => {
  const rejected = async (options: EmbeddedCatalogOptions, signal?: AbortSignal, accessToken = "embedded-token") => {
    const { handler } = EmbeddedCatalog.toWebHandler(options)
    const catalog = createCatalog({ fetch: (url, init) => handler(new Request(url, init)), accessToken, timeout: 50 })
    return catalog.anime.get({ id: 999_999 }, { signal }).catch((error: unknown) => error)
  }
  const namesFor = (error: unknown) => Object.entries(guards).flatMap(([name, guard]) => (guard(error) ? [name] : []))

  test.each([
    ["isNotFound", rejected({})],
    ["isUnauthorized", rejected({}, undefined, "no-longer-valid")],
    ["isForbidden", rejected({ faults: [{ status: 403 }] })],
    ["isRateLimited", rejected({ faults: [{ status: 429 }] })],
    ["isTimeout", rejected({ faults: [{ delay: Number.POSITIVE_INFINITY }] })],
    ["isCancelled", rejected({}, AbortSignal.abort())]
  ])("%s", async (name, error) => {
    expect(namesFor(await error)).toEqual(["isClientError", name].toSorted())
  })

  test("isCancelled: the signal's reason is in the cause", async () => {
    class LeftPage extends Error {
      override readonly name = "LeftPage"
      readonly code = "LEFT"
    }
    const error = await rejected({}, AbortSignal.abort(new LeftPage("the user has left the page")))
    expect(guards.isCancelled(error) && error.cause).toEqual({
      name: "LeftPage",
      message: "the user has left the page",
      code: "LEFT"
    })
    const text = await rejected({}, AbortSignal.abort("enough"))
    expect(guards.isCancelled(text) && text.cause).toEqual({ name: "Error", message: "enough" })
  })
})
