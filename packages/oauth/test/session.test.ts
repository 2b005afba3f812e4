/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createCatalog, type CatalogOptions } from "catalog-client"
import { createSession, type Session } from "catalog-client/oauth"
import {
  Catalog,
  CatalogConfig,
  ClientAuthError,
  ClientNetworkError,
  Operation,
  Resilience
} from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { OAuthSession, Tokens, TokenStore } from "@catalog-client/oauth"
import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { eventually, hurry, rejection, sleep } from "../../core/test/support/eventually.js"
import { failure, gate, policyOf, value } from "../../core/test/support/faces.js"
import { isFull } from "../../core/test/support/full.js"
import { recordingTracer, withSpan } from "../../core/test/support/telemetry.js"
import {
  access,
  type Authority,
  authority,
  decoded,
  clientId,
  dead,
  expired,
  sessionFaces,
  holding,
  type Opened,
  type OpenOptions,
  profile,
  put,
  refresh,
  refusedToken,
  rowOf,
  type SharedStore,
  type Store,
  type TextStore,
  tokensOf
} from "../../core/test/support/oauth.js"
import { onlyEffect } from "../../core/test/support/only.js"

afterEach(() => void vi.useRealTimers())

const crowd = isFull ? 256 : 64

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

const stored = async (store: Store) => decoded(await store.get())

/** A store over a row, whose steps wait for each other. */
const inTurn = (row: ReturnType<typeof rowOf>): SharedStore => {
  let last = Promise.resolve()
  return {
    get: () => row.text,
    update: async (step) => {
      const before = last
      const { open, promise } = gate()
      last = promise
      await before
      try {
        row.text = await step(row.text)
      } finally {
        open()
      }
    }
  }
}

const accessOf = (tokens: Tokens | undefined) => tokens && Redacted.value(tokens.accessToken)

const status = (code: number, body: unknown = { error: "server_error" }) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status: code })

describe.each(sessionFaces)("a session (%s)", (face, open) => {
  /** A session whose user is signed in; it is closed with the test. */
  const signedIn = async (
    tokens = tokensOf(1),
    options: Partial<OpenOptions> & { readonly store?: TextStore } = {}
  ) => {
    const { service = authority(), store = rowOf().store() } = options
    const session = await open({ ...options, service, store })
    onTestFinished(() => session.close())
    await session.signIn(tokens)
    return { service, session, store }
  }

  test("6: many calls with an expired token refresh it once", async () => {
    const { service, session } = await signedIn(tokensOf(1, expired))
    const outcomes = await Promise.all(many(crowd).map(() => session.call("user.me")))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(crowd)
    expect(service.tokenRequests).toHaveLength(1)
    expect(service.apiCalls).toHaveLength(crowd)
    expect(new Set(service.apiCalls.map(({ headers }) => headers["authorization"]))).toEqual(
      new Set([`Bearer ${access(2)}`])
    )
    expect(session.changes).toEqual(["SignedIn", "Refreshed"])
  })

  test("7: many calls with a 401 for one token refresh it once, and are sent again", async () => {
    const { service, session } = await signedIn()
    service.accessTokens.clear()
    const outcomes = await Promise.all(many(crowd).map(() => session.call("user.me")))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(crowd)
    expect(service.tokenRequests).toHaveLength(1)
    expect(service.apiCalls).toHaveLength(2 * crowd)
  })

  test("7: policies see a call with the old token, and then one with the new token", async () => {
    const seen: Array<string> = []
    const policy = policyOf(
      ({ credentials }, attempt) => {
        seen.push(Option.match(credentials.accessToken, { onNone: () => "", onSome: Redacted.value }))
        return attempt
      },
      (_, next) => next()
    )
    const policies = [policy, Resilience.retry({ attempts: 3, baseDelay: 1 })]
    const { service, session } = await signedIn(tokensOf(1), { policies })
    service.accessTokens.clear()
    expect((await session.call("user.me")).ok).toBe(true)
    // A call of promises has no credentials.
    expect(seen).toEqual(face === "Effect" ? [access(1), access(2)] : [])
    expect(service.apiCalls).toHaveLength(2)
  })

  test("8: a call whose 401 is for an older token than the current one is sent again without a refresh", async () => {
    const { service, session } = await signedIn()
    const wait = gate()
    service.onApi = async ({ headers }) => {
      if (headers["authorization"]?.endsWith(access(1))) {
        await wait.promise
        return refusedToken()
      }
      return undefined
    }
    const calls = many(3).map(() => session.call("user.me"))
    await eventually("the calls are sent", () => service.apiCalls.length === 3)
    service.n = 8
    service.accessTokens.add(access(9))
    await session.signIn(tokensOf(9))
    wait.open()
    expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, true])
    expect(service.tokenRequests).toHaveLength(0)
  })

  test.each([
    [401, { error: "unauthorized" }],
    [403, { error: "invalid_token" }]
  ])("9: a %i for another reason is returned unchanged", async (code, body) => {
    const { service, session } = await signedIn()
    service.onApi = () => status(code, body)
    expect(failure(await session.call("user.me"))).toMatchObject({ status: code, attempts: 1 })
    expect(service.tokenRequests).toHaveLength(0)
  })

  test("9: a service that refuses each new token gets one refresh in a minute, and a newer token of the store is used", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const began = Date.now()
    const { service, session, store } = await signedIn()
    service.onApi = ({ headers }) => (headers["authorization"]?.endsWith(access(9)) ? undefined : refusedToken())
    const refused = async (calls: number, requests: number) => {
      for (const _ of many(calls)) {
        expect(failure(await session.call("user.me"))).toMatchObject({ status: 401, code: "invalid_token" })
      }
      expect(service.tokenRequests).toHaveLength(requests)
    }
    // Its call was repeated, and failed again.
    expect(failure(await session.call("user.me"))).toMatchObject({ status: 401, attempts: 2 })
    await refused(19, 1)
    expect(service.apiCalls).toHaveLength(21)
    vi.setSystemTime(began + 59_999)
    await refused(1, 1)
    vi.setSystemTime(began + 60_000)
    await refused(2, 2)
    service.accessTokens.add(access(9))
    await put(store, tokensOf(9))
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(2)
  })

  test("10: a PATCH with a 401 is sent again with a new token", async () => {
    const { service, session } = await signedIn()
    service.accessTokens.clear()
    expect(value(await session.call("anime.updateMyListStatus", { id: 1, score: 7 }))).toEqual({ score: 7 })
    expect(service.apiCalls.map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", "score=7"],
      ["PATCH", "score=7"]
    ])
  })

  test("11: a refresh continues if the caller that started it is cancelled or times out", async () => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    const held = holding(service)
    const controller = new AbortController()
    const first = session.call("user.me", { signal: controller.signal })
    const second = session.call("user.me", { totalTimeout: 20 })
    const third = session.call("user.me")
    await eventually("the refresh has begun", () => service.tokenRequests.length === 1)
    controller.abort()
    expect(failure(await first)).toMatchObject({ reason: "Cancelled" })
    expect(failure(await second)).toMatchObject({ reason: "Timeout" })
    held.open()
    expect((await third).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(1)
    expect(accessOf(await stored(store))).toBe(access(2))
  })

  test("12: a refresh that all callers have left completes and stores its tokens", async () => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    const held = holding(service)
    expect(failure(await session.call("user.me", { totalTimeout: 20 }))).toMatchObject({
      reason: "Timeout",
      message: expect.stringMatching(/timed out after 20 ms before it sent .*: it waited for its credentials\. Try/)
    })
    held.open()
    await eventually("the tokens are stored", async () => accessOf(await stored(store)) === access(2))
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(1)
  })

  test("12: close waits for a refresh, but no longer than the timeout", async () => {
    const { service, session } = await signedIn(tokensOf(1, expired), { session: { timeout: 100 } })
    service.onToken = () => new Promise<undefined>(() => undefined)
    const call = session.call("user.me", { totalTimeout: 1000 })
    await eventually("the refresh has begun", () => service.tokenRequests.length === 1)
    const began = performance.now()
    await session.close()
    expect(performance.now() - began).toBeLessThan(3000)
    await call
  })

  test("13: a dead refresh token signs the user out for calls that need a token, and public reads continue", async () => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    service.refreshTokens.clear()
    const outcomes = await Promise.all(many(4).map(() => session.call("user.me")))
    for (const outcome of outcomes) {
      const error = failure(outcome)
      expect(error).toBeInstanceOf(ClientAuthError)
      expect(error).toMatchObject({ reason: "SignedOut", operation: "catalog.user.me" })
      expect((error as ClientAuthError).message).toMatch(/sign in again/i)
    }
    expect((await session.call("anime.get", { id: 1 })).ok).toBe(true)
    expect(service.apiCalls.map(({ headers }) => headers["authorization"])).toEqual([undefined])
    expect(service.tokenRequests).toHaveLength(1)
    // The tokens stay: another session can have redeemed it, and store new tokens.
    expect(accessOf(await stored(store))).toBe(access(1))
    await using next = await open({ service, store })
    expect(failure(await next.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect(session.warnings).toHaveLength(1)
    expect(session.changes).toEqual(["SignedIn", "SignedOut"])
  })

  test("13: a refused access token signs the user out if the refresh token is dead", async () => {
    const { service, session } = await signedIn()
    service.refreshTokens.clear()
    service.accessTokens.clear()
    expect(failure(await session.call("user.me"))).toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
    await session.signIn(tokensOf(1))
    expect((await session.call("anime.get", { id: 1 })).ok).toBe(true)
  })

  test("14: a session uses newer tokens of its store if another process has redeemed its token", async () => {
    const row = rowOf()
    const { service, session } = await signedIn(tokensOf(1, expired), { store: row.store() })
    // Another process redeems the token while this one does.
    service.onToken = () => {
      service.accessTokens.add(access(5))
      row.set(tokensOf(5))
      return dead()
    }
    expect((await session.call("user.me")).ok).toBe(true)
    expect(accessOf(await stored(row.store()))).toBe(access(5))
    expect(service.tokenRequests).toHaveLength(1)
    expect(session.warnings).toEqual([])
  })

  test("14: of two sessions without a common lock, the refused one keeps the tokens that the other one stores later", async () => {
    const service = authority()
    const row = rowOf(tokensOf(1, expired))
    await using one = await open({ service, store: row.store() })
    await using other = await open({ service, store: row.store() })
    const late = gate()
    service.after = async (response) => {
      if (response.ok) {
        await late.promise
      }
      return response
    }
    const calls = [one, other].map(async (session) => ({ session, outcome: await session.call("user.me") }))
    const first = await Promise.race(calls)
    expect(failure(first.outcome)).toMatchObject({ reason: "SignedOut" })
    late.open()
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter(({ outcome }) => outcome.ok)).toHaveLength(1)
    expect(accessOf(await stored(row.store()))).toBe(access(2))
    for (const session of [one, other]) {
      expect((await session.call("user.me")).ok).toBe(true)
    }
    expect(service.tokenRequests).toHaveLength(2)
    expect(first.session.changes).toEqual(["SignedOut", "SignedIn"])
    const winner = first.session === one ? other : one
    expect(winner.changes).toEqual(["Refreshed"])
  })

  test.each([
    ["of one process", (row: ReturnType<typeof rowOf>): Store => row.store()],
    ["with exclusive steps", inTurn]
  ])(
    "14: sessions that share a store %s refresh in turn, and the second one uses the tokens of the first",
    async (_, over) => {
      const service = authority()
      const store = over(rowOf(tokensOf(1, expired)))
      await using one = await open({ service, store })
      await using other = await open({ service, store })
      const outcomes = await Promise.all([one, other, one, other].map((session) => session.call("user.me")))
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true])
      expect(service.tokenRequests).toHaveLength(1)
      expect(await other.tokens()).toEqual(await one.tokens())
    }
  )

  const passing: ReadonlyArray<readonly [string, () => Response | Promise<Response>, object]> = [
    ["500", () => status(500), { _tag: "ClientRestError", status: 500 }],
    ["HTML", () => status(503, "<html>down</html>"), { _tag: "ClientRestError", status: 503 }],
    ["429", () => status(429), { status: 429 }],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://x.test" } }), { status: 302 }],
    ["a cut body", () => status(200, '{"access_token": "AccessCanary-7-abcdef'), { reason: "InvalidBody" }],
    ["no network", () => Promise.reject(new Error("ECONNREFUSED")), { reason: "Transport" }],
    ["a hang", () => new Promise<Response>(() => undefined), { reason: "Timeout", timeoutMs: 30 }],
    ["invalid_client", () => status(401, { error: "invalid_client" }), { status: 401, code: "invalid_client" }],
    ["a bad request", () => status(400, { error: "invalid_request" }), { status: 400 }]
  ]

  test.each(passing)(
    "15: keeps the tokens after %s, and the call fails with that error if its access token has expired",
    async (_, respond, error) => {
      const { service, session, store } = await signedIn(tokensOf(1, expired), { session: { timeout: 30 } })
      service.onToken = respond
      const failed = failure(await session.call("user.me"))
      expect(failed).toMatchObject({ operation: "OAuth.refreshTokens", ...error })
      expect(accessOf(await stored(store))).toBe(access(1))
      service.onToken = undefined
      expect((await session.call("user.me")).ok).toBe(true)
      expect(service.tokenRequests).toHaveLength(2)
      expect(session.changes).toEqual(["SignedIn", "Refreshed"])
    }
  )

  test("15: calls continue after a refresh that hangs, while the access token lasts, and use the tokens of the next refresh", async () => {
    const { service, session } = await signedIn(tokensOf(1, { age: 3_590_000 }), { session: { timeout: 30 } })
    service.onToken = () => new Promise<undefined>(() => undefined)
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(1)
    service.onToken = undefined
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.apiCalls.map(({ headers }) => headers["authorization"])).toEqual([
      `Bearer ${access(1)}`,
      `Bearer ${access(2)}`
    ])
  })

  test("15: a refresh that fails is tried again after 1, 2 and 4 seconds, with one warning", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const began = Date.now()
    const { service, session } = await signedIn(tokensOf(1, { age: 3_590_000 }))
    service.onToken = () => status(500)
    const requests: Array<number> = []
    for (const after of [0, 0, 0, 999, 1000, 2999, 3000, 6999, 7000]) {
      vi.setSystemTime(began + after)
      expect((await session.call("user.me")).ok).toBe(true)
      requests.push(service.tokenRequests.length)
    }
    expect(requests).toEqual([1, 2, 2, 2, 3, 3, 4, 4, 5])
    expect(session.warnings).toHaveLength(1)
    expect(session.warnings.join()).toMatch(/not be refreshed\. The access token is used until it expires\. .* 500/)
  })

  test("16: a connection that breaks after the service has replaced the tokens signs the user out", async () => {
    const { service, session } = await signedIn(tokensOf(1, expired))
    service.after = () => {
      throw new Error("ECONNRESET")
    }
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "Transport" })
    service.after = undefined
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect(service.tokenRequests).toHaveLength(2)
  })

  test.each([undefined, null, "", " "])("17: a reply whose refresh_token is %j keeps the old one", async (none) => {
    const { service, session } = await signedIn(tokensOf(1, expired))
    service.onToken = () =>
      status(200, { token_type: none, access_token: access(1), expires_in: 1, refresh_token: none })
    expect((await session.call("user.me")).ok).toBe(true)
    await session.refresh()
    expect(service.tokenRequests.map(({ form }) => form["refresh_token"])).toEqual([refresh(1), refresh(1)])
  })

  test.each([undefined, "3600", 0, -1, 1e12, 2_678_400, null, "soon"])(
    "18: expires_in %s leads to no refresh loop and no timer",
    async (expiresIn) => {
      const timers = vi.spyOn(globalThis, "setTimeout")
      const { service, session } = await signedIn(tokensOf(1, expired), { service: authority({ expiresIn }) })
      for (const _ of many(20)) {
        expect((await session.call("user.me")).ok).toBe(true)
      }
      expect(service.tokenRequests).toHaveLength(1)
      const longest = Math.max(...timers.mock.calls.map(([, millis = 0]) => millis))
      expect(longest).toBeLessThanOrEqual(30_000)
      timers.mockRestore()
      const { expiresAt, obtainedAt } = (await session.tokens()) ?? { expiresAt: 0, obtainedAt: 0 }
      const life = { "3600": 3_600_000, "1000000000000": 1e15, "2678400": 2_678_400_000 }[String(expiresIn)]
      expect(expiresAt === undefined ? undefined : expiresAt - obtainedAt).toBe(life)
    }
  )

  test.each([
    ["half of a short life", 30_000, 15_000],
    ["a minute before its end", 3_600_000, 3_540_000],
    ["half of a long life", 2_678_400_000, 1_339_200_000]
  ])("18: a token is refreshed after %s", async (_, life, due) => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const { service, session } = await signedIn(tokensOf(1, { life }))
    vi.setSystemTime(Date.now() + due - 1)
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(0)
    vi.setSystemTime(Date.now() + 1)
    expect((await session.call("user.me")).ok).toBe(true)
    expect(service.tokenRequests).toHaveLength(1)
  })

  test.each([
    ["no access_token", { token_type: "Bearer", refresh_token: refresh(7) }, ["access_token"]],
    ["an access_token of another type", { access_token: 42, refresh_token: refresh(7) }, ["access_token"]],
    ["a refresh_token of another type", { access_token: access(7), refresh_token: [refresh(7)] }, ["refresh_token"]],
    ["another token_type", { token_type: "mac", access_token: access(7), refresh_token: refresh(7) }, ["token_type"]],
    ["no object", [access(7)], []]
  ])("19: a token reply with %s is an InvalidBody, and the stored tokens stay", async (_, body, path) => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    service.onToken = () => status(200, body)
    const error = failure(await session.call("user.me"))
    expect(error).toMatchObject({ reason: "InvalidBody", status: 200, path })
    expect(`${JSON.stringify(error)} ${String(error)}`).not.toMatch(/Canary/)
    expect(accessOf(await stored(store))).toBe(access(1))
  })

  const unreadable: ReadonlyArray<readonly [string, string]> = [
    ["corrupt", `{"tokens": "${refresh(1)}`],
    ["of a foreign version", JSON.stringify({ version: 99, tokens: { accessToken: access(1) } })],
    ["of another client", TokenStore.encode(tokensOf(1, { of: "another" }))]
  ]

  test.each(unreadable)("20: a user counts as signed out while the store is %s", async (_, text) => {
    const service = authority()
    const values = new Map([["tokens", text]])
    const store: TextStore = {
      get: () => values.get("tokens"),
      set: (text) => values.set("tokens", text),
      remove: () => values.delete("tokens"),
      keep: (text, id) => values.set(`kept ${id}`, text)
    }
    await using session = await open({ service, store })
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect((await session.call("anime.get", { id: 1 })).ok).toBe(true)
    expect(session.warnings).toHaveLength(1)
    expect(session.warnings.join()).not.toMatch(/Canary/)
    expect(values.get("tokens")).toBe(text)
    // It is not this session's to remove.
    await session.signOut()
    expect([...values]).toEqual([["tokens", text]])
    await session.signIn(tokensOf(1))
    expect((await session.call("user.me")).ok).toBe(true)
    expect(values.get("tokens")).toContain(access(1))
    const [kept = ""] = [...values.keys()].filter((key) => key !== "tokens")
    expect(kept).toMatch(/^kept [\w-]{16}$/)
    expect(values.get(kept)).toBe(text)
  })

  test("20b: the store cannot be read", async () => {
    const service = authority()
    const store: TextStore = {
      ...rowOf().store(),
      get: () => Promise.reject(Object.assign(new Error(refresh(1)), { code: "EACCES" }))
    }
    await using session = await open({ service, store })
    const unavailable = {
      reason: "CredentialsUnavailable",
      cause: { name: "EACCES", message: "the token store could not be read" }
    }
    expect(failure(await session.call("user.me"))).toMatchObject(unavailable)
    await expect(session.refresh()).rejects.toMatchObject(unavailable)
    await expect(session.tokens()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(
        /^(OAuthSession|createSession).tokens failed: EACCES: the token store could not be read[.] Call it again[.]/
      )
    })
    expect((await session.call("anime.get", { id: 1 })).ok).toBe(true)
    expect(session.warnings).toHaveLength(1)
    expect(session.warnings.join()).toMatch(/EACCES/)
    expect(session.warnings.join()).not.toMatch(/Canary/)
  })

  /** A row whose writes fail while it is full. */
  const failingRow = (tokens: Tokens) => {
    const row = rowOf(tokens)
    const state = { row, isFull: false, writes: 0 }
    const write = (text?: string) => {
      state.writes++
      if (state.isFull) {
        throw new Error(refresh(2))
      }
      row.text = text
    }
    const store: TextStore = { get: () => row.text, set: write, remove: () => write() }
    return Object.assign(state, { store })
  }

  test("21: tokens that cannot be stored after a refresh stay in memory", async () => {
    const service = authority()
    const failing = failingRow(tokensOf(1, expired))
    await using session = await open({ service, store: failing.store })
    failing.isFull = true
    expect((await session.call("user.me")).ok).toBe(true)
    expect((await session.call("user.me")).ok).toBe(true)
    expect(failing.row.text).toContain(access(1))
    expect(session.warnings).toHaveLength(1)
    expect(session.warnings.join()).not.toMatch(/Canary/)
    failing.isFull = false
    expect((await session.call("user.me")).ok).toBe(true)
    expect(failing.row.text).toContain(access(2))
    expect(service.tokenRequests).toHaveLength(1)
  })

  test("21: a sign-out that cannot be stored counts for this session, and the next call stores it", async () => {
    const failing = failingRow(tokensOf(1))
    await using session = await open({ service: authority(), store: failing.store })
    failing.isFull = true
    await expect(session.signOut()).rejects.toMatchObject({
      reason: "CredentialsUnavailable",
      message: expect.stringMatching(
        /^(OAuthSession|createSession).signOut failed: the token store could not be written[.] Call it again[.]/
      )
    })
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect(failing.row.text).toContain(access(1))
    expect(session.warnings).toHaveLength(1)
    failing.isFull = false
    expect(await session.tokens()).toBeUndefined()
    expect(failing.row.text).toBeUndefined()
    expect(session.changes).toEqual(["SignedOut"])
  })

  test("21: tokens that could not be stored give way to a later sign-in or sign-out elsewhere", async () => {
    for (const later of [tokensOf(9), undefined]) {
      const service = authority()
      service.accessTokens.add(access(9))
      const failing = failingRow(tokensOf(1, expired))
      await using session = await open({ service, store: failing.store })
      failing.isFull = true
      expect((await session.call("user.me")).ok).toBe(true)
      failing.row.set(later)
      failing.isFull = false
      expect(accessOf(await session.tokens())).toBe(accessOf(later))
      expect(accessOf(await stored(failing.store))).toBe(accessOf(later))
    }
  })

  test("24: a session notices a change of another session within 5 seconds, without reading the store for each call", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const began = Date.now()
    const service = authority()
    service.accessTokens.add(access(9))
    const row = rowOf(tokensOf(1))
    let reads = 0
    const store = row.store()
    const counting: TextStore = {
      ...store,
      get: () => {
        reads++
        return store.get()
      }
    }
    await using session = await open({ service, store: counting })
    const nameAt = async (millis: number) => {
      vi.setSystemTime(began + millis)
      return (await session.call("user.me")).ok
    }
    for (const _ of many(20)) {
      expect(await nameAt(0)).toBe(true)
    }
    expect(reads).toBe(1)
    row.set()
    expect([await nameAt(4_999), reads]).toEqual([true, 1])
    expect([await nameAt(5_000), reads]).toEqual([false, 2])
    // While no user is signed in, each call reads.
    row.set(tokensOf(1))
    expect([await nameAt(5_001), reads]).toEqual([true, 3])
    row.set(tokensOf(9))
    expect([await nameAt(10_001), reads]).toEqual([true, 4])
    expect(service.apiCalls.at(-1)?.headers["authorization"]).toBe(`Bearer ${access(9)}`)
    // Also after the clock was set back.
    row.set()
    expect(await nameAt(-86_400_000)).toBe(false)
    expect(session.changes).toEqual(["SignedOut", "SignedIn", "Refreshed", "SignedOut"])
  })

  test("24: a session notices a change of another session within storeMaxAge, or at the next call", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    for (const [storeMaxAge, after] of [
      [0, 0],
      ["1 minute", 60_000]
    ] as const) {
      const row = rowOf(tokensOf(1))
      await using session = await open({ service: authority(), store: row.store(), session: { storeMaxAge } })
      expect(await session.tokens()).toBeDefined()
      row.set()
      if (after > 0) {
        vi.setSystemTime(Date.now() + after - 1)
        expect(await session.tokens()).toBeDefined()
        vi.setSystemTime(Date.now() + 1)
      }
      expect(await session.tokens()).toBeUndefined()
    }
  })

  test("24: a session that was suspended during its refresh overwrites nothing", async () => {
    for (const later of [tokensOf(9), undefined]) {
      const row = rowOf()
      const { service, session } = await signedIn(tokensOf(1, expired), { store: row.store() })
      const held = holding(service)
      const call = session.call("user.me")
      await eventually("the refresh has begun", () => service.tokenRequests.length === 1)
      service.accessTokens.add(access(9))
      row.set(later)
      held.open()
      expect((await call).ok).toBe(later !== undefined)
      expect(accessOf(await stored(row.store()))).toBe(accessOf(later))
      expect(service.apiCalls.map(({ headers }) => headers["authorization"])).toEqual(
        later === undefined ? [] : [`Bearer ${access(9)}`]
      )
      expect(session.warnings).toEqual([])
    }
  })

  /** Two stores over a row, whose uses end in an order that the seed decides, as do the replies of the service. */
  const shuffled = (service: Authority, isLocked: boolean, seed: number) => {
    const row = rowOf(tokensOf(1, expired))
    const waiting: Array<() => void> = []
    let random = seed
    let isOver = false
    const turn = () => new Promise<void>((resolve) => void waiting.push(resolve))
    const go = () => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31
      waiting.splice(Math.floor((random / 2 ** 31) * waiting.length), 1)[0]?.()
      if (!isOver) {
        setImmediate(go)
      }
    }
    setImmediate(go)
    service.after = async (response) => {
      await turn()
      return response
    }
    let lock = Promise.resolve()
    const store = (): SharedStore => ({
      get: async () => {
        await turn()
        return row.text
      },
      update: async (step) => {
        const before = lock
        const { open: release, promise } = gate()
        if (isLocked) {
          lock = promise
          await before
        }
        try {
          const text = row.text
          await turn()
          const next = await step(text)
          await turn()
          if (row.text !== text) {
            throw new Error("changed")
          }
          row.text = next
        } finally {
          release()
        }
      }
    })
    return { row, store, end: () => void (isOver = true) }
  }

  describe.each([
    ["a lock", true],
    ["a lock that does not hold", false]
  ] as const)("24: two sessions over one row, interleaved at each step, under %s:", (_, isLocked) => {
    const seeds = many(isFull ? 200 : 5)
    const ends: ReadonlyArray<readonly [string, (session: Opened) => Promise<unknown>, number | undefined]> = [
      ["both refresh", (session) => session.call("user.me"), 2],
      ["a refresh and a sign-in", (session) => session.signIn(tokensOf(9)), 9],
      ["a refresh and a sign-out", (session) => session.signOut(), undefined]
    ]

    test.each(ends)("%s", { timeout: 60_000 }, async (_, use, last) => {
      for (const seed of seeds) {
        const service = authority()
        service.onApi = () => Response.json({ name: "me" })
        const { end, row, store } = shuffled(service, isLocked, seed)
        const options = { service, session: { storeMaxAge: 0 } }
        await using one = await open({ ...options, store: store() })
        await using other = await open({ ...options, store: store() })
        await Promise.all([one.call("user.me"), use(other)])
        const expected = last && access(last)
        expect(accessOf(await one.tokens()), `seed ${seed}`).toBe(expected)
        expect(accessOf(await other.tokens()), `seed ${seed}`).toBe(expected)
        expect(accessOf(await stored(row.store())), `seed ${seed}`).toBe(expected)
        if (isLocked) {
          expect([service.spentTwice, one.warnings], `seed ${seed}`).toEqual([0, []])
        }
        await one.close()
        await other.close()
        end()
      }
    })
  })

  test("24: stores that hang delay neither calls nor closing for long", async () => {
    hurry()
    const service = authority()
    const row = rowOf()
    let stuck = ""
    const stuckIn = async (place: string) => {
      if (stuck === place) {
        await new Promise(() => {})
      }
    }
    const store: SharedStore = {
      get: async () => {
        await stuckIn("get")
        return row.text
      },
      update: async (step) => {
        await stuckIn("lock")
        const next = await step(row.text)
        await stuckIn("write")
        row.text = next
        await stuckIn("release")
        if (stuck === "a release that fails") {
          throw new Error("down")
        }
      }
    }
    const session = await open({ service, store, session: { timeout: 200 } })
    await session.signIn(tokensOf(1, expired))
    for (const [nth, place] of ["a release that fails", "release", "get", "lock", "write"].entries()) {
      stuck = place
      expect(accessOf(await session.refresh())).toBe(access(nth + 2))
      expect((await session.call("user.me")).ok).toBe(true)
    }
    stuck = ""
    expect(accessOf(await session.tokens())).toBe(access(6))
    expect(row.text).toContain(access(6))
    stuck = "lock"
    await expect(session.signOut()).rejects.toMatchObject({ reason: "CredentialsUnavailable" })
    const signingIn = session.signIn(tokensOf(4)).catch(() => undefined)
    await session.close()
    await signingIn
  })

  test("24: a session whose requests have no timeout waits for a store for 10 seconds, and to sign out for 15", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const never = () => new Promise<never>(() => {})
    const store: SharedStore = { get: never, update: never }
    const service = authority()
    const opening = Promise.all([1, 2].map(() => open({ service, store, session: { timeout: Infinity } })))
    await vi.advanceTimersByTimeAsync(10)
    const [reading, leaving] = await opening
    const refused = expect(reading?.tokens()).rejects.toMatchObject({ cause: { name: "no response after 10000 ms" } })
    let signedOut: unknown
    void leaving?.signOut().catch((error: unknown) => (signedOut = error))
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    await vi.advanceTimersByTimeAsync(5_000)
    expect(signedOut).toMatchObject({ cause: { name: "no response after 15000 ms" } })
    const closing = Promise.all([reading?.close(), leaving?.close()])
    await vi.advanceTimersByTimeAsync(10_000)
    await closing
  })

  test("24: a session with a short timeout waits for the lease of a dead process, and refreshes inside its step", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const service = authority()
    const row = rowOf(tokensOf(1, expired))
    const { open: acquire, promise } = gate()
    const store: SharedStore = {
      get: () => row.text,
      update: async (step) => {
        await promise
        row.text = await step(row.text)
      }
    }
    const opening = open({ service, store, session: { timeout: 1_000 } })
    await vi.advanceTimersByTimeAsync(10)
    const session = await opening
    const call = session.call("user.me")
    // A lease lasts for 8 seconds, and a Web Lock is waited for for 11.
    await vi.advanceTimersByTimeAsync(11_500)
    expect(service.tokenRequests).toHaveLength(0)
    acquire()
    await vi.advanceTimersByTimeAsync(10)
    expect((await call).ok).toBe(true)
    expect([service.tokenRequests.length, row.text?.includes(access(2))]).toEqual([1, true])
    vi.useRealTimers()
    await session.close()
  })

  test("24: a step that begins too late changes nothing, and the tokens are refreshed once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const service = authority()
    const { open: acquire, promise } = gate()
    const row = rowOf(tokensOf(1, expired))
    let steps = 0
    const store: SharedStore = {
      get: () => row.text,
      update: async (step) => {
        await promise
        row.text = await step(row.text)
        steps++
      }
    }
    const opening = open({ service, store })
    await vi.advanceTimersByTimeAsync(10)
    const session = await opening
    const call = session.call("user.me")
    await vi.advanceTimersByTimeAsync(14_900)
    expect(service.tokenRequests).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(200)
    expect((await call).ok).toBe(true)
    acquire()
    await vi.advanceTimersByTimeAsync(10)
    // The late step has changed nothing; the next call writes.
    expect([service.tokenRequests.length, steps, row.text?.includes(access(1))]).toEqual([1, 1, true])
    expect((await session.call("user.me")).ok).toBe(true)
    expect([service.tokenRequests.length, steps, row.text?.includes(access(2))]).toEqual([1, 2, true])
    vi.useRealTimers()
    await session.close()
  })

  test("25: a sign-out during a refresh discards the tokens of that refresh", async () => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    const held = holding(service)
    const call = session.call("user.me")
    await eventually("the refresh has begun", () => service.tokenRequests.length === 1)
    // It does not wait for the response to the refresh, whose step of the store it ends.
    const begun = performance.now()
    await session.signOut()
    expect(performance.now() - begun).toBeLessThan(1_000)
    held.open()
    expect(failure(await call)).toMatchObject({ reason: "SignedOut" })
    expect(await stored(store)).toBeUndefined()
    expect(await session.tokens()).toBeUndefined()
    expect(session.changes).toEqual(["SignedIn", "SignedOut"])
  })

  test("25: a sign-in during a refresh discards the tokens of that refresh", async () => {
    const { service, session, store } = await signedIn(tokensOf(1, expired))
    const held = holding(service)
    const call = session.call("user.me")
    await eventually("the refresh has begun", () => service.tokenRequests.length === 1)
    service.accessTokens.add(access(9))
    await session.signIn(tokensOf(9))
    held.open()
    expect((await call).ok).toBe(true)
    expect(accessOf(await stored(store))).toBe(access(9))
    expect(service.apiCalls.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${access(9)}`])
  })

  test("26: a clock that jumps by a day, or sleeps for 40 days, causes at most one refresh too many", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const now = Date.now()
    const { service, session } = await signedIn()
    const at = async (time: number, requests: number) => {
      vi.setSystemTime(time)
      expect((await session.call("user.me")).ok).toBe(true)
      expect(service.tokenRequests).toHaveLength(requests)
    }
    await at(now - 86_400_000, 0)
    await at(now, 0)
    await at(now + 86_400_000, 1)
    await at(now, 1)
    service.refreshTokens.clear()
    vi.setSystemTime(now + 40 * 86_400_000)
    expect(failure(await session.call("user.me"))).toMatchObject({ reason: "SignedOut" })
    expect(service.tokenRequests).toHaveLength(2)
  })
})

onlyEffect(test)("7: attempts that are traced each have a span inside the caller's, without secrets", async () => {
  const service = authority({ codes: ["CodeCanary-1"] })
  const { layer: tracing, spans } = recordingTracer()
  const reply = await Effect.runPromise(
    Effect.gen(function* () {
      const session = yield* OAuthSession
      const pending = yield* session.authorizationRequest
      const url = `?code=CodeCanary-1&state=${Redacted.value(pending.state)}`
      yield* withSpan(session.exchange(pending, url), "sign in")
      service.accessTokens.clear()
      return yield* Operation.withResponse(Catalog.user.me())
    }).pipe(
      Effect.provide(
        OAuthSession.layer({ clientId }).pipe(
          Layer.provide(TokenStore.layerMemory),
          Layer.provideMerge(Layer.merge(service.layer, tracing))
        )
      ),
      CatalogConfig.with({ profile })
    )
  )
  expect(reply).toMatchObject({ status: 200 })
  const shown = spans.map((span) => {
    const parent = Option.getOrUndefined(span.parent)
    return [
      parent?._tag === "Span" ? parent.name : undefined,
      span.name,
      span.attributes.get("http.response.status_code")
    ]
  })
  expect(shown).toEqual([
    [undefined, "sign in", undefined],
    ["sign in", "OAuth.exchangeCode", 200],
    ["OAuth.exchangeCode", "POST", 200],
    [undefined, "catalog.user.me", 200],
    ["catalog.user.me", "GET", 401],
    ["catalog.user.me", "OAuth.refreshTokens", 200],
    ["OAuth.refreshTokens", "POST", 200],
    ["catalog.user.me", "GET", 200]
  ])
  expect(spans.map(({ attributes }) => JSON.stringify([...attributes])).join()).not.toMatch(/Canary/)
})

onlyEffect(test)("calls have the profile of their session, and no other origin gets its token", async () => {
  const service = authority()
  const Live = OAuthSession.layer({ clientId }).pipe(
    Layer.provide([TokenStore.layerMemory, CatalogConfig.layer({ profile })]),
    Layer.provideMerge(service.layer)
  )
  const exit = await Effect.runPromiseExit(
    Effect.gen(function* () {
      yield* (yield* OAuthSession).signIn(tokensOf(1))
      yield* Catalog.user.me()
      yield* Catalog.user.me().pipe(CatalogConfig.with({ baseUrl: "https://api.test/proxy" }))
      yield* Catalog.user.me().pipe(CatalogConfig.with({ baseUrl: "https://other.test" }))
    }).pipe(Effect.provide(Live))
  )
  expect(service.apiCalls.map(({ url }) => url.href.split("?")[0])).toEqual([
    "https://api.test/v2/users/@me",
    "https://api.test/proxy/users/@me"
  ])
  const error = Exit.isFailure(exit) && Cause.squash(exit.cause)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).toContain("must not be sent to https://other.test")
})

describe("a session in a catalog of promises", () => {
  const sessionOver = ({ fetch }: Authority) => {
    const session = createSession({ clientId, profile, fetch })
    onTestFinished(() => session.close())
    return session
  }

  /** A session whose user is signed in, and a catalog over it. */
  const opened = async (options: CatalogOptions = {}) => {
    const service = authority()
    const session = sessionOver(service)
    await session.signIn(tokensOf(1))
    const catalog = createCatalog({ session, fetch: service.fetch, ...options })
    onTestFinished(() => catalog.close())
    const authorizations = () => service.apiCalls.map(({ headers }) => headers["authorization"])
    return { service, session, catalog, authorizations }
  }

  test("24: a transport that never responds keeps no one waiting", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const session = createSession({ clientId, profile, fetch: () => new Promise<Response>(() => {}) })
    const catalog = createCatalog({ session, profile, fetch: authority().fetch })
    const caught = async (promise: Promise<unknown>) => {
      const settled = promise.catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(60_000)
      return settled
    }
    const timedOut = { _tag: "ClientNetworkError", reason: "Timeout" }
    const stored = await caught(session.signIn(tokensOf(1, expired)))
    if (stored === undefined) {
      expect(await caught(session.refresh())).toMatchObject(timedOut)
      expect(await caught(catalog.user.me())).toMatchObject(timedOut)
    } else {
      expect(stored).toMatchObject(timedOut)
    }
    expect(await caught(session.close())).toBeUndefined()
    await catalog.close()
  })

  test("12: promises of a session that is closed have their result, or are Cancelled", async () => {
    const service = authority({ codes: ["code"] })
    const { get, remove, set } = rowOf().store()
    let isSlow = false
    const slow = async <A>(use: () => A | Promise<A>) => {
      await (isSlow ? sleep(50) : undefined)
      return use()
    }
    const store = {
      get: () => slow(get),
      set: (text: string) => slow(() => set(text)),
      remove: () => slow(remove)
    }
    const session = createSession({ clientId, profile, fetch: service.fetch, store })
    const request = await session.authorizationRequest()
    const held = holding(service)
    const exchanging = session.exchange(request, `?code=code&state=${Redacted.value(request.state)}`)
    await eventually("the code is sent", () => service.tokenRequests.length === 1)
    isSlow = true
    const others = [session.tokens(), session.signIn(tokensOf(9)), session.refresh(), session.signOut()]
    const settled = Promise.allSettled(others)
    const closing = session.close()
    held.open()
    expect(await exchanging).toBeInstanceOf(Tokens)
    await closing
    for (const outcome of await settled) {
      expect(outcome.status === "fulfilled" || isClientError(outcome.reason), JSON.stringify(outcome)).toBe(true)
    }
    expect(await rejection(session.tokens())).toMatchObject({ reason: "Cancelled" })
  })

  test("an assigned access token comes first until it is unset, and is not renewed", async () => {
    const { authorizations, catalog, service } = await opened({ accessToken: undefined })
    service.accessTokens.add("assigned")
    await catalog.user.me()
    catalog.accessToken = "assigned"
    await catalog.user.me()
    expect(catalog.accessToken).toBe("assigned")
    catalog.accessToken = "wrong"
    await expect(catalog.user.me()).rejects.toMatchObject({ status: 401, attempts: 1 })
    catalog.accessToken = undefined
    expect(catalog.accessToken).toBeUndefined()
    await catalog.user.me()
    await catalog.user.me({ accessToken: "assigned" })
    await expect(catalog.user.me({ accessToken: "wrong" })).rejects.toMatchObject({ status: 401, attempts: 1 })
    expect(authorizations()).toEqual(
      [access(1), "assigned", "wrong", access(1), "assigned", "wrong"].map((token) => `Bearer ${token}`)
    )
    expect(service.tokenRequests).toHaveLength(0)
  })

  test("the catalog has the session's profile", async () => {
    const { catalog, service, session } = await opened({ headers: { "x-one": "1" } })
    await catalog.user.me()
    await createCatalog({ fetch: service.fetch }).withOptions({ session }).user.me()
    expect(service.apiCalls.map(({ url }) => url.host)).toEqual(["api.test", "api.test"])
  })

  const other = { ...profile, baseUrl: "https://other.test/v2" }
  const { baseUrl } = other

  test.each<readonly [string, (options: { session: Session; fetch: Authority["fetch"] }) => Promise<unknown>]>([
    ["a profile", async (options) => createCatalog({ ...options, profile: other }).user.me()],
    ["a base URL", async (options) => createCatalog({ ...options, baseUrl }).user.me()],
    ["a view's base URL", async (options) => createCatalog(options).withOptions({ baseUrl }).user.me()],
    [
      "the profile of a view's catalog",
      async ({ session, fetch }) => createCatalog({ fetch, profile: other }).withOptions({ session }).user.me()
    ],
    [
      "a profile for a token that was unset",
      async (options) => {
        const catalog = createCatalog({ ...options, profile: other, accessToken: "assigned" })
        catalog.accessToken = undefined
        return catalog.user.me()
      }
    ]
  ])("%s of another origin is a TypeError, and nothing is sent", async (_, call) => {
    const { service, session } = await opened()
    const error = await rejection(call({ session, fetch: service.fetch }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain("belongs to https://api.test and must not be sent to https://other.test")
    expect(service.apiCalls).toEqual([])
  })

  test("a view takes another session, or none", async () => {
    const { authorizations, catalog, service } = await opened()
    const other = sessionOver(service)
    await other.signIn(tokensOf(2))
    service.accessTokens.add(access(2))
    await catalog.withOptions({ session: other }).user.me()
    await catalog.withOptions({ timeout: 1000 }).user.me()
    await expect(catalog.withOptions({ accessToken: undefined }).user.me()).rejects.toMatchObject({ reason: "Missing" })
    expect(authorizations()).toEqual([`Bearer ${access(2)}`, `Bearer ${access(1)}`])
  })

  test("after close, calls go on with the access token that there is", async () => {
    const { catalog, service, session } = await opened()
    await session.close()
    await catalog.user.me()
    service.accessTokens.clear()
    await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientNetworkError", reason: "Cancelled" })
    await expect(session.refresh()).rejects.toBeInstanceOf(ClientNetworkError)
  })

  test("onChange calls until it is ended", async () => {
    const { session } = await opened()
    const seen: Array<string> = []
    const stop = session.onChange((change) => seen.push(change))
    await session.refresh()
    stop()
    await session.signOut()
    expect(seen).toEqual(["Refreshed"])
    await expect(session.refresh()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
  })
})
