import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "@catalog-client/core"
import * as guards from "@catalog-client/core/guards"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { Cause, Effect, Exit, Redacted, Schema } from "effect"
import { describe, expect, test } from "vitest"
import { runInNewContext } from "node:vm"
import { rejection } from "./support/eventually.js"
import { onlyEffect, onlyEffect3 } from "./support/only.js"

const subject = { operation: "catalog.anime.get", method: "GET", url: "https://x.example/anime/1", attempts: 1 }

const answer = (status: number) => new ClientRestError({ ...subject, status, reason: "Status", body: "" })
const failure = (reason: ClientNetworkError["reason"]) => new ClientNetworkError({ ...subject, reason })

const ofGrant = (operation: string, status: number, code: string) =>
  new ClientRestError({
    ...subject,
    operation,
    method: "POST",
    status,
    reason: "Status",
    body: "",
    code,
    about: "tokens"
  })

const [transport, timeout] = [failure("Transport"), failure("Timeout")]
const [circuitOpen, storeFailed] = [failure("CircuitOpen"), failure("RateLimitStore")]
const unavailable = failure("CredentialsUnavailable")
const noToken = new ClientAuthError({ operation: "catalog.user.me", reason: "CredentialsUnavailable" })
const forbidden = new ClientRestError({ ...subject, status: 403, reason: "Status", body: "", retryAfter: 1000 })
const [failing, throttled, busy] = [answer(500), answer(429), ofGrant("OAuth.refreshTokens", 503, "server_error")]

const reasons = ["Missing", "Unusable", "SignedOut", "Denied", "State", "Callback"] as const
const unauthorized = answer(401)
const unknownClient = ofGrant("OAuth.exchangeCode", 401, "invalid_client")
const deadToken = ofGrant("OAuth.refreshTokens", 401, "invalid_request")

/** Every guard, with the errors that it accepts. */
const accepted = {
  isClientError: [
    failure("ResponseTooLarge"),
    // Mistakes of the program: a new sign-in would fail as well.
    unknownClient,
    ofGrant("OAuth.refreshTokens", 400, "unauthorized_client")
  ],
  isUnauthorized: [unauthorized, unknownClient, deadToken],
  isForbidden: [answer(403), forbidden],
  isNotFound: [answer(404)],
  isRateLimited: [throttled],
  isTimeout: [timeout],
  isCancelled: [failure("Cancelled")],
  isPolicyRefusal: [failure("Policy"), circuitOpen, storeFailed],
  isCredentialsUnavailable: [unavailable, noToken],
  isRetryable: [
    failing,
    throttled,
    busy,
    answer(0),
    answer(307),
    forbidden,
    timeout,
    transport,
    circuitOpen,
    storeFailed,
    unavailable,
    noToken
  ],
  isSignInRequired: [
    unauthorized,
    ...reasons.map((reason) => new ClientAuthError({ operation: "catalog.user.me", reason })),
    ofGrant("OAuth.exchangeCode", 400, "invalid_request"),
    ofGrant("OAuth.exchangeCode", 400, "invalid_grant"),
    deadToken
  ],
  isInvalidInput: [
    new ClientValidationError({ operation: "catalog.anime.search", reason: "EmptyKeyword", field: "q" }),
    answer(400),
    answer(413),
    answer(414),
    answer(422)
  ]
} satisfies Record<Exclude<keyof typeof guards, "isInputTypeError">, ReadonlyArray<ClientError>>

const all = [...new Set<ClientError>(Object.values(accepted).flat())]

type Named = [keyof typeof accepted, (value: unknown) => boolean]

const { isInputTypeError: _, ...ofClientErrors } = guards

describe.each(Object.entries(ofClientErrors) as Array<Named>)("%s", (name, guard) => {
  test("accepts its own errors, and no others of the four", () => {
    const own: ReadonlyArray<ClientError> = accepted[name]
    const expected = name === "isClientError" ? all : all.filter((error) => own.includes(error))
    expect(expected.length).toBeGreaterThan(0)
    expect(all.filter(guard)).toEqual(expected)
  })

  onlyEffect(test)("accepts an error of another copy of the package", () => {
    for (const error of accepted[name]) {
      const copy = Object.assign(new Error(error.message), Schema.encodeSync(ClientError)(error))
      expect(guard(copy)).toBe(true)
    }
  })

  onlyEffect(test)("accepts an error that crossed a thread, IPC or JSON", () => {
    for (const error of accepted[name]) {
      const encoded = Schema.encodeSync(ClientError)(error)
      const crossed = [
        JSON.parse(JSON.stringify(error)),
        structuredClone(encoded),
        runInNewContext("(x) => x")(encoded),
        Object.assign({}, error)
      ]
      expect(crossed.map(guard)).toEqual(crossed.map(() => true))
    }
  })

  test("refuses values that are not errors, and other errors", () => {
    const [error] = accepted[name]
    const values = [null, undefined, 0, 404, "ClientRestError", Symbol("tag"), {}, [], () => 404, new Error("404")]
    expect(values.concat(error?.message, new DOMException("aborted", "AbortError")).filter(guard)).toEqual([])
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
        ["status", "reason", "operation", "code"].map((key) =>
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

test("isRetryable and the message agree on what each status means", () => {
  const statuses = [0, ...Array.from({ length: 300 }, (_, index) => 300 + index)]
  const temporary = [0, 302, 307, 408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530]
  expect(statuses.filter((status) => guards.isRetryable(answer(status)))).toEqual(temporary)
  // A 403 can mean too many requests, or what no wait helps: its message says both, and it is not sent again.
  const waiting = statuses.filter((status) => /again later|wait before/.test(answer(status).message))
  expect(waiting.filter((status) => status !== 403)).toEqual(temporary)
  expect(waiting).toContain(403)
})

test("isInputTypeError accepts only the TypeError for an input", () => {
  const mistake = Object.assign(new TypeError("no number"), { code: "ERR_INVALID_INPUT" })
  const others = [
    new TypeError("no number"),
    Object.assign(new Error("?"), { code: mistake.code }),
    { name: mistake.name, code: mistake.code },
    null
  ]
  expect([mistake, ...others, ...all].filter(guards.isInputTypeError)).toEqual([mistake])
  expect([mistake, ...others].filter(guards.isInvalidInput)).toEqual([mistake])
})

test("isInvalidInput and isSignInRequired: what the client refuses, and what the service refuses", async () => {
  const namesFor = (error: unknown) => Object.entries(guards).flatMap(([name, guard]) => (guard(error) ? [name] : []))
  const send = EmbeddedCatalog.fetch()
  const client = { clientId: "embedded-client", redirectUri: "http://localhost:8080/callback" }
  const catalog = createCatalog({ fetch: send, clientId: client.clientId })
  const session = createSession({ fetch: send, ...client })
  const stranger = createSession({ fetch: send, ...client, clientId: "no-such-client" })
  const signedIn = async (by: typeof session) => {
    const pending = await by.authorizationRequest()
    const url = `${client.redirectUri}?state=${Redacted.value(pending.state)}&code=spent`
    return by.exchange(pending, url)
  }
  const write = (change: object) =>
    catalog.anime.updateMyListStatus({ id: 1, ...change }, { accessToken: "embedded-token" })
  const calls: Readonly<Record<string, readonly [Promise<unknown>, ...names: ReadonlyArray<string>]>> = {
    "a blank keyword": [catalog.anime.search({ q: " " }), "isInvalidInput"],
    "a keyword that is too short": [catalog.anime.search({ q: "ab" }), "isInvalidInput"],
    "no number": [catalog.anime.get({ id: Number.NaN }), "isInputTypeError", "isInvalidInput"],
    "nothing to change": [write({}), "isInvalidInput"],
    "a score of 11": [write({ score: 11 }), "isInvalidInput"],
    "no token": [catalog.user.me(), "isSignInRequired"],
    "a token that is not valid": [catalog.user.me({ accessToken: "expired" }), "isSignInRequired"],
    "a code that was redeemed": [signedIn(session), "isSignInRequired"],
    "nobody is signed in": [createCatalog({ fetch: send, session }).user.me(), "isSignInRequired"],
    // Mistakes of the program, not of its caller.
    "an unknown option": [catalog.anime.get({ id: 1 }, { feilds: "mean" } as object)],
    "an unknown client": [catalog.anime.get({ id: 1 }, { clientId: "no-such-client" })],
    "a sign-in of an unknown client": [signedIn(stranger)]
  }
  await Promise.all(Object.values(calls).map(([call]) => call.catch(() => {})))
  for (const [name, [call, ...expected]] of Object.entries(calls)) {
    const names = namesFor(await rejection(call))
    expect(
      names.filter((name) => name !== "isClientError" && name !== "isUnauthorized"),
      name
    ).toEqual(expected)
  }
})

onlyEffect3(onlyEffect(test))(
  "do not recognize what Effect 3's runPromise rejects with, but what Cause.squash finds in an Exit",
  async () => {
    const failing = Effect.fail(answer(404))
    expect(guards.isClientError(await rejection(Effect.runPromise(failing)))).toBe(false)
    const exit = await Effect.runPromiseExit(failing)
    expect(Exit.isFailure(exit) && guards.isNotFound(Cause.squash(exit.cause))).toBe(true)
  }
)
