/**
 * Signing in, in one page: the service is in memory, the address, the history and the storage are the page's own.
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createCatalog } from "catalog-client"
import { createSession, type LoginOptions } from "catalog-client/oauth"
import { ClientAuthError } from "@catalog-client/core"
import { localTokenStore, Login, sessionTokenStore, type Tokens, type TokenStore } from "@catalog-client/oauth/browser"
import { Effect, Option, Redacted } from "effect"
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { value } from "../../../core/test/support/faces.js"
import { eventually } from "../../../core/test/support/eventually.js"
import {
  access,
  authority,
  type Authority,
  clientId,
  expired,
  openEffect as openSession,
  profile,
  refresh,
  tokensOf
} from "../../../core/test/support/oauth.js"

const first = location.href
const redirectUri = `${location.origin}/callback`
const tokenKey = "catalog-client.tokens"
const code = "CodeCanary-0123456789abcdef"

const clear = () => {
  localStorage.clear()
  sessionStorage.clear()
}

beforeEach(clear)

afterEach(() => {
  vi.restoreAllMocks()
  clear()
  history.replaceState(null, "", first)
})

const openPromise = async (service: Authority, store?: TokenStore.Service) => {
  const warnings: Array<string> = []
  vi.spyOn(console, "warn").mockImplementation((text: unknown) => void warnings.push(String(text)))
  const session = createSession({ clientId, redirectUri, profile, fetch: service.fetch, store })
  const catalog = createCatalog({ session, fetch: service.fetch })
  const close = async () => {
    await session.close()
    await catalog.close()
  }
  return {
    login: (options: LoginOptions): Promise<unknown> => session.login(options),
    resume: () => session.resume(),
    tokens: () => session.tokens(),
    signIn: (tokens: Tokens) => session.signIn(tokens),
    signOut: () => session.signOut(),
    name: async () => (await catalog.user.me()).name,
    close,
    warnings,
    [Symbol.asyncDispose]: close
  }
}

type Opened = Awaited<ReturnType<typeof openPromise>>

const openEffect: typeof openPromise = async (service, store) => {
  const { call, run, ...session } = await openSession({ service, session: { redirectUri }, ...(store && { store }) })
  return {
    ...session,
    login: (options) =>
      run(Login.redirect({ navigate: options.navigate && ((url) => Effect.sync(() => options.navigate?.(url))) })),
    resume: () => run(Effect.map(Login.resume, Option.getOrUndefined)),
    name: async () => (value(await call("user.me")) as { readonly name: string }).name
  }
}

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "a failure was expected",
    (error: unknown) => error
  )

/** Starts a sign-in: where it goes, and the state. */
const leave = async (session: Opened) => {
  let to: URL | undefined
  void session.login({
    navigate: (url) => {
      to = url
    }
  })
  await eventually("the page goes away", () => to !== undefined)
  const url = to ?? new URL(redirectUri)
  return { url, state: url.searchParams.get("state") ?? "" }
}

/** The redirect arrives. */
const comeBack = (params: Record<string, string> | string, path = "/callback") =>
  history.pushState({ kept: true }, "", `${path}?${typeof params === "string" ? params : new URLSearchParams(params)}`)

/** Everything that a script of the page can read later. */
const visible = () =>
  [
    location.href,
    JSON.stringify(history.state),
    document.referrer,
    document.documentElement.outerHTML,
    JSON.stringify(sessionStorage),
    JSON.stringify(localStorage)
  ].join("\n")

/** What a page that is sandboxed gets instead of an interface. The message is not to be shown. */
const deny = () => {
  throw new DOMException(refresh(1), "SecurityError")
}

const printed = (error: unknown) =>
  `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? `${error.stack} ${String(error.cause)}` : ""}`

describe.each([
  ["Effect", openEffect],
  ["promise", openPromise]
] as const)("a sign-in in a page (%s)", (_, open) => {
  /** A sign-in that has begun, at a service that knows its code. */
  const begun = async () => {
    const service = authority({ codes: [code] })
    const session = await open(service)
    onTestFinished(() => session.close())
    const { state } = await leave(session)
    return { service, session, state }
  }

  test("redirects to the service and back, and clears its state", async () => {
    const service = authority({ codes: [code] })
    await using session = await open(service)
    expect(await session.resume()).toBeUndefined()
    const { url, state } = await leave(session)
    expect(url.origin + url.pathname).toBe(profile.oauth.authorizeUrl)
    const verifier = url.searchParams.get("code_challenge") ?? ""
    expect(sessionStorage).toHaveLength(1)
    comeBack(`tab=2&code=${code}&state=${state}#part`)
    let atExchange = ""
    service.onToken = () => {
      atExchange = visible()
      return undefined
    }
    const tokens = await session.resume()
    expect(tokens && Redacted.value(tokens.accessToken)).toBe(access(2))
    expect(location.href).toBe(`${redirectUri}?tab=2#part`)
    expect(history.state).toEqual({ kept: true })
    expect(await session.name()).toBe("me")
    expect(service.tokenRequests[0]?.form).toMatchObject({ code, code_verifier: verifier, redirect_uri: redirectUri })
    for (const [name, secret] of Object.entries({ code, state, verifier, token: access(2), refresh: refresh(2) })) {
      expect(`${atExchange}\n${visible()}\n${session.warnings.join()}`.includes(secret), name).toBe(false)
    }
  })

  test.each([
    ["another state", (state: string) => `code=${code}&state=${state}x`, "State"],
    ["a repeated code", (state: string) => `code=${code}&code=${code}&state=${state}`, "Callback"]
  ])("2: a redirect with %s signs nobody in", async (_, params, reason) => {
    const { service, session, state } = await begun()
    comeBack(params(state))
    const error = await caught(session.resume())
    expect(error).toBeInstanceOf(ClientAuthError)
    expect(error).toMatchObject({ reason })
    expect(service.tokenRequests).toEqual([])
    expect(location.href).toBe(redirectUri)
    expect(printed(error)).not.toContain(code)
    expect(printed(error)).not.toContain(state)
  })

  test("2: a redirect where no sign-in was started signs nobody in", async () => {
    const service = authority({ codes: [code] })
    await using session = await open(service)
    comeBack({ code, state: "from elsewhere" })
    expect(await caught(session.resume())).toMatchObject({ _tag: "ClientAuthError", reason: "State" })
    expect(service.tokenRequests).toEqual([])
    expect(location.href).toBe(redirectUri)
  })

  test("parameters of the page's own are let alone", async () => {
    await using session = await open(authority())
    for (const [params, path] of [
      ["code=SALE&state=CA", "/shop"],
      ["code=SALE", "/callback"],
      ["error=1", "/callback"]
    ] as const) {
      comeBack(params, path)
      expect(await session.resume()).toBeUndefined()
      expect(location.href).toBe(`${location.origin}${path}?${params}`)
    }
  })

  test("3: the same callback twice is exchanged once", async () => {
    const { service, session, state } = await begun()
    comeBack({ code, state })
    const [one, other] = await Promise.all([session.resume(), session.resume()])
    expect(one && Redacted.value(one.accessToken)).toBe(access(2))
    expect(other).toEqual(one)
    expect(await session.resume()).toBeUndefined()
    expect(service.tokenRequests).toHaveLength(1)
    // The user goes back to the service, and is sent here once more.
    comeBack({ code: "another", state })
    expect(await session.resume()).toBeUndefined()
    expect(service.tokenRequests).toHaveLength(1)
    expect(location.href).toBe(redirectUri)
  })

  test("3: two sessions in one page redeem a redirect once", async () => {
    const service = authority({ codes: [code] })
    await using one = await open(service)
    await using other = await open(service)
    const { state } = await leave(one)
    comeBack({ code, state })
    const [a, b] = await Promise.all([one.resume(), other.resume()])
    expect(a && Redacted.value(a.accessToken)).toBe(access(2))
    expect(b).toEqual(a)
    expect(await Promise.all([one.name(), other.name()])).toEqual(["me", "me"])
    expect(service.tokenRequests).toHaveLength(1)
  })

  test("3: a user who has signed out is not signed in again by the same redirect", async () => {
    const service = authority({ codes: [code] })
    for (const isClosed of [true, false]) {
      service.codes.add(code)
      await using one = await open(service, localTokenStore())
      const { state } = await leave(one)
      comeBack({ code, state })
      expect(await one.resume()).toBeDefined()
      await one.signOut()
      if (isClosed) {
        await one.close()
      } else {
        expect(await one.resume()).toBeUndefined()
      }
      await using other = await open(service, localTokenStore())
      expect(await other.resume()).toBeUndefined()
      expect(localStorage).toHaveLength(0)
    }
  })

  test("a browser that refuses to change the address loses no sign-in", async () => {
    const { service, session, state } = await begun()
    comeBack({ code, state })
    vi.spyOn(history, "replaceState").mockImplementation(deny)
    expect(await session.resume()).toBeDefined()
    expect(await session.resume()).toBeUndefined()
    expect(await session.name()).toBe("me")
    expect(service.tokenRequests).toHaveLength(1)
  })

  test("3: a redirect is redeemed once if the first session of a page is closed at once", async () => {
    const service = authority({ codes: [code] })
    const one = await open(service)
    await using other = await open(service)
    const { state } = await leave(one)
    comeBack({ code, state })
    const left = one.resume().catch(() => undefined)
    const closing = one.close()
    const tokens = await other.resume()
    await Promise.all([left, closing])
    expect(tokens && Redacted.value(tokens.accessToken)).toBe(access(2))
    expect(await other.name()).toBe("me")
    expect(service.tokenRequests).toHaveLength(1)
  })

  test("4: a user who does not consent is Denied, once", async () => {
    const { service, session, state } = await begun()
    comeBack({ error: "access_denied", message: "<b>No</b>", state: "foreign" })
    expect(await caught(session.resume())).toMatchObject({ reason: "State" })
    // The sign-in is still good.
    comeBack({ error: "access_denied", message: "<b>No</b>", state })
    const [one, other] = await Promise.all([caught(session.resume()), caught(session.resume())])
    expect(one).toMatchObject({ _tag: "ClientAuthError", reason: "Denied", serviceMessage: "<b>No</b>" })
    expect(other).toEqual(one)
    // It is an error once.
    expect(await session.resume()).toBeUndefined()
    expect(service.tokenRequests).toEqual([])
    expect(sessionStorage).toHaveLength(0)
    expect(location.href).toBe(redirectUri)
  })

  test("5: a code that the service refuses fails the sign-in", async () => {
    const service = authority()
    await using session = await open(service)
    const { state } = await leave(session)
    comeBack({ code, state })
    const error = await caught(session.resume())
    expect(error).toMatchObject({ _tag: "ClientRestError", status: 400, code: "invalid_request" })
    expect(await session.resume()).toBeUndefined()
    expect(service.tokenRequests).toHaveLength(1)
    expect(printed(error)).not.toContain(code)
    expect(printed(error)).not.toContain(state)
    expect(visible()).not.toContain(state)
  })

  test.each([
    ["cannot store", "SecurityError", () => vi.spyOn(Storage.prototype, "setItem").mockImplementation(deny)],
    ["has no storage", "SecurityError", () => vi.spyOn(globalThis, "sessionStorage", "get").mockImplementation(deny)],
    [
      "has a storage that is null",
      "Error",
      () => vi.spyOn(globalThis, "sessionStorage", "get").mockReturnValue(null as never)
    ],
    ["stores nothing", "Error", () => vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => undefined)]
  ])("a page that %s says so, and does not go away", async (_, name, limit) => {
    await using session = await open(authority())
    limit()
    const navigate = vi.fn()
    const error = await caught(session.login({ navigate }))
    expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "Transport", cause: { name } })
    expect((error as Error).message).toMatch(/sessionStorage/)
    expect(navigate).not.toHaveBeenCalled()
  })

  describe.each([
    ["localStorage", () => localStorage, localTokenStore],
    ["sessionStorage", () => sessionStorage, sessionTokenStore]
  ] as const)("a store in %s", (_, storage, storeOf) => {
    test("keeps the tokens until the user signs out", async () => {
      const service = authority()
      await using one = await open(service, storeOf())
      await one.signIn(tokensOf(1))
      expect(await one.name()).toBe("me")
      expect(Object.keys(storage())).toEqual([tokenKey])
      await using other = await open(service, storeOf())
      expect(await other.name()).toBe("me")
      await using another = await open(service, storeOf({ key: "another" }))
      expect(await another.tokens()).toBeUndefined()
      await one.signOut()
      expect(storage()).toHaveLength(0)
      const now = Date.now()
      const clock = vi.spyOn(Date, "now").mockReturnValue(now + 5_000)
      expect(await caught(other.name())).toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
      clock.mockRestore()
    })

    test("20: contains no tokens", async () => {
      const text = `{"tokens": "${refresh(1)}`
      storage().setItem(tokenKey, text)
      await using session = await open(authority(), storeOf())
      expect(await caught(session.name())).toMatchObject({ reason: "SignedOut" })
      expect(await caught(session.name())).toMatchObject({ reason: "SignedOut" })
      expect(session.warnings).toHaveLength(1)
      expect(session.warnings.join()).not.toMatch(/Canary/)
      expect(storage().getItem(tokenKey)).toBe(text)
      await session.signIn(tokensOf(1))
      expect(await session.name()).toBe("me")
      const asides = Object.keys(storage()).filter((key) => key.startsWith(`${tokenKey}.aside.`))
      expect(asides.map((key) => storage().getItem(key))).toEqual([text])
    })

    test("20: is blocked", async () => {
      for (const method of ["getItem", "setItem"] as const) {
        vi.spyOn(Storage.prototype, method).mockImplementation(deny)
      }
      await using session = await open(authority(), storeOf())
      expect(await caught(session.name())).toMatchObject({ reason: "SignedOut" })
      await session.signIn(tokensOf(1))
      expect(await session.name()).toBe("me")
      expect(session.warnings).toHaveLength(1)
      expect(session.warnings.join()).toMatch(/could not be stored \(SecurityError\)/)
      expect(session.warnings.join()).not.toMatch(/Canary/)
    })
  })
})

test.each([
  ["has no Web Locks", () => vi.spyOn(navigator, "locks", "get").mockReturnValue(undefined as never)],
  ["denies the look at Web Locks", () => vi.spyOn(navigator, "locks", "get").mockImplementation(deny)],
  ["throws at a request for a lock", () => vi.spyOn(LockManager.prototype, "request").mockImplementation(deny)]
])("a page that %s refreshes without a lock", async (_, limit) => {
  const service = authority()
  await using session = await openPromise(service, localTokenStore())
  limit()
  await session.signIn(tokensOf(1, expired))
  expect(await session.name()).toBe("me")
  expect(service.tokenRequests).toHaveLength(1)
})
