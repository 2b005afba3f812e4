/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { clientFromEnvironment, createSession } from "catalog-client/oauth"
import {
  CatalogConfig,
  ClientAuthError,
  Credentials,
  Resilience,
  ServiceProfile,
  Transport
} from "@catalog-client/core"
import {
  OAuth,
  OAuthSession,
  OAuthSessions,
  PendingAuthorization,
  Tokens,
  TokenStore,
  TokenStores
} from "@catalog-client/oauth"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import {
  Cause,
  Config,
  ConfigError,
  ConfigProvider,
  Effect,
  Exit,
  Layer,
  Option,
  Redacted,
  TestClock,
  TestContext
} from "effect"
import { inspect } from "node:util"
import { assert, describe, expect, onTestFinished, test, vi } from "vitest"
import * as Fibers from "../../core/test/support/fibers.js"
import { failure, policyThat } from "../../core/test/support/faces.js"
import { printedInNode } from "../../core/test/support/nodePrinters.js"
import {
  access,
  authority,
  clientId,
  expired,
  sessionFaces,
  type OpenOptions,
  profile,
  refresh,
  rowOf,
  tokensOf
} from "../../core/test/support/oauth.js"
import { rejection } from "../../core/test/support/eventually.js"
import { onlyEffect, onlyEffect3 } from "../../core/test/support/only.js"

const client = { clientId, clientSecret: "SecretCanary-0123456789", redirectUri: "https://app.test/callback?x=1&y" }

type Endpoints = Partial<ServiceProfile["oauth"]>

/** The profile of the tests, with other endpoints. */
const profileWith = (oauth: Endpoints): ServiceProfile => ({ ...profile, oauth: { ...profile.oauth, ...oauth } })

const start = (given: Partial<OAuth.OAuthClient> = {}, oauth: Endpoints = {}) =>
  Effect.runSync(
    OAuth.authorizationRequest({ ...client, ...given }).pipe(CatalogConfig.with({ profile: profileWith(oauth) }))
  )

const back = (params: Record<string, string> | string) =>
  `https://app.test/callback?${typeof params === "string" ? params : new URLSearchParams(params).toString()}`

const stateOf = ({ state }: PendingAuthorization) => Redacted.value(state)

const read = (pending: PendingAuthorization, url: string, oauth: Endpoints = {}) =>
  Effect.runSync(
    Effect.either(OAuth.authorizationResponse(pending, url).pipe(CatalogConfig.with({ profile: profileWith(oauth) })))
  )

const refusal = (pending: PendingAuthorization, url: string, oauth: Endpoints = {}) => {
  const result = read(pending, url, oauth)
  if (result._tag === "Right") {
    throw new Error("a refusal was expected")
  }
  expect(result.left).toBeInstanceOf(ClientAuthError)
  return result.left
}

describe("an authorization request", () => {
  test("1: 1 000 verifiers and states are all different", () => {
    const random = vi.spyOn(Math, "random").mockImplementation(() => {
      throw new Error("Math.random")
    })
    onTestFinished(() => random.mockRestore())
    const requests = Array.from({ length: 1000 }, () => start())
    const texts = requests.flatMap(({ codeVerifier, state }) => [Redacted.value(codeVerifier), Redacted.value(state)])
    expect(new Set(texts).size).toBe(2000)
    for (const text of texts) {
      expect(text).toMatch(/^[\w.~-]{43,128}$/)
    }
  })

  test("contains what the service requires, and the redirect URI as it is registered", () => {
    const request = start()
    const { searchParams, origin, pathname } = Redacted.value(request.url)
    expect(origin + pathname).toBe("https://auth.test/authorize")
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      state: stateOf(request),
      redirect_uri: client.redirectUri,
      code_challenge: Redacted.value(request.codeVerifier),
      code_challenge_method: "plain"
    })
    expect(Redacted.value(start({ redirectUri: undefined }).url).searchParams.has("redirect_uri")).toBe(false)
  })

  test("S256 sends the hash of the verifier", async () => {
    const request = await Effect.runPromise(
      OAuth.authorizationRequest(client).pipe(
        CatalogConfig.with({ profile: profileWith({ codeChallengeMethod: "S256" }) })
      )
    )
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(Redacted.value(request.codeVerifier)))
    expect(Redacted.value(request.url).searchParams.get("code_challenge")).toBe(
      Buffer.from(digest).toString("base64url")
    )
  })

  test("a client that cannot be is a mistake", () => {
    expect(() => start({ clientId: " " })).toThrow(/^OAuth.authorizationRequest: clientId must be/)
    expect(() => start({ redirectUri: "callback" })).toThrow(/redirectUri/)
    const { layer, tokenRequests } = authority()
    const refreshed = Effect.provide(OAuth.refreshTokens({ clientId: " " }, tokensOf(1)), layer)
    expect(() => Effect.runSync(refreshed)).toThrow(/OAuth.refreshTokens: clientId must be/)
    expect(tokenRequests).toHaveLength(0)
  })

  onlyEffect(describe)("with values that were copied or read from a file", () => {
    const around = (value: string) => ` \ufeff${value}\u00a0\r\n`

    test.each(sessionFaces)("white space around them is not part of them (%s)", async (_, open) => {
      const service = authority({ codes: ["code"] })
      await using session = await open({
        service,
        session: {
          clientId: around(clientId),
          clientSecret: around(client.clientSecret),
          redirectUri: around(client.redirectUri)
        }
      })
      const request = await session.authorizationRequest()
      const { searchParams } = Redacted.value(request.url)
      expect([searchParams.get("client_id"), searchParams.get("redirect_uri")]).toEqual([clientId, client.redirectUri])
      await session.exchange(request, back({ state: stateOf(request), code: "code" }))
      await session.refresh()
      expect((await session.tokens())?.clientId).toBe(clientId)
      await session.call("anime.get", { id: 1 })
      expect(service.apiCalls[0]?.headers).toMatchObject({ "x-mal-client-id": clientId })
      expect(service.tokenRequests.map(({ form }) => form)).toMatchObject([
        { client_id: clientId, client_secret: client.clientSecret, redirect_uri: client.redirectUri },
        { client_id: clientId, client_secret: client.clientSecret }
      ])
    })

    test.each([
      ["a zero-width space", "\u200b", "U+200B"],
      ["a soft hyphen", "\u00ad", "U+00AD"],
      ["a mark of direction", "\u202e", "U+202E"],
      ["a line break", "\n", "U+000A"],
      ["a NUL", "\0", "U+0000"],
      ["a control character beyond ASCII", "\u0085", "U+0085"],
      ["a tag", "\u{e0041}", "U+E0041"]
    ])("%s inside is named, and its value is not shown", (_, char, name) => {
      const changes: ReadonlyArray<Partial<OAuth.OAuthClient>> = [
        { clientId: `Client${char}Canary` },
        { clientSecret: `Secret${char}Canary` },
        { clientSecret: Redacted.make(`Secret${char}Canary`) },
        { redirectUri: `https://app.test/call${char}back` }
      ]
      for (const change of changes) {
        const [option = ""] = Object.keys(change)
        const make = () => createSession({ ...client, ...change })
        expect(make).toThrow(`${option} contains ${name}`)
        expect(make).not.toThrow(/Canary|app\.test/)
      }
    })

    test("letters beyond Latin-1 may be in a redirect URI, and in nothing else", () => {
      const redirectUri = "https://例え.test/戻る"
      expect(Redacted.value(start({ redirectUri }).url).searchParams.get("redirect_uri")).toBe(redirectUri)
      // A Cyrillic letter.
      expect(() => start({ clientId: "cl\u0456ent" })).toThrow("clientId contains U+0456")
    })
  })

  test("goes to the live service by default", () => {
    expect(ServiceProfile.default.oauth).toEqual({
      authorizeUrl: "https://myanimelist.net/v1/oauth2/authorize",
      tokenUrl: "https://myanimelist.net/v1/oauth2/token",
      codeChallengeMethod: "plain"
    })
  })
})

onlyEffect(describe)("an authorization response", () => {
  test("contains the code", () => {
    const request = start()
    const state = stateOf(request)
    const issuer = "https://auth.test/tenant"
    for (const [url, oauth] of [
      [back({ code: "abc", state }), {}],
      [`/callback?code=abc&state=${state}`, {}],
      [back({ code: "abc", state, session_state: "1", iss: "https://auth.test" }), {}],
      [back({ code: "abc", state, iss: issuer }), { issuer }]
    ] as const) {
      const result = read(request, url, oauth)
      expect(result._tag === "Right" && Redacted.value(result.right)).toBe("abc")
    }
  })

  test("2: is refused with a wrong, missing or repeated state, a repeated code, a foreign iss, or neither code nor error", () => {
    const request = start()
    const state = stateOf(request)
    for (const url of [
      back({ code: "abc" }),
      back({ code: "abc", state: "" }),
      back({ code: "abc", state: stateOf(start()) }),
      back({ error: "access_denied", state: "foreign", message: "x" }),
      back(`code=abc&state=${state}&state=${state}`),
      back(`code=abc&state=${state}&state=x`),
      "not a url at all"
    ]) {
      expect(refusal(request, url)).toMatchObject({ reason: "State", operation: "OAuth.authorizationResponse" })
    }
    for (const url of [
      back(`code=abc&code=def&state=${state}`),
      back(`code=abc&x=1&x=2&state=${state}`),
      back({ state, code: "abc", iss: "https://evil.test" }),
      back({ state, code: "abc", iss: "auth" }),
      back({ state }),
      back({ state, code: "" }),
      back({ state, code: "abc", error: "access_denied" })
    ]) {
      expect(refusal(request, url)).toMatchObject({ reason: "Callback" })
    }
    expect(
      refusal(request, back({ state, code: "a", iss: "https://auth.test" }), { issuer: "https://i.test" }).reason
    ).toBe("Callback")
    expect(refusal(request, back({ state, error: "invalid_scope", error_description: "no such" })).message).toContain(
      "invalid_scope: no such"
    )
  })

  test("4: is Denied by error=access_denied with our state", () => {
    const request = start()
    const denied = refusal(
      request,
      back({ state: stateOf(request), error: "access_denied", message: "The user said no", hint: "<b>x</b>" })
    )
    expect(denied).toMatchObject({ reason: "Denied", serviceMessage: "The user said no <b>x</b>" })
    expect(denied.message).toContain("the user denied access")
    expect(denied.message).toContain("The service said: The user said no <b>x</b>. See https://")
  })

  test("29: what the service says is shown without secrets", () => {
    const request = start()
    const state = stateOf(request)
    const error = refusal(
      request,
      back({ state, error: "server_error", message: `${state} ${Redacted.value(request.codeVerifier)}` })
    )
    expect(error.message).toContain("<redacted>")
    expect(JSON.stringify(error)).not.toContain(state)
    expect(JSON.stringify(error)).not.toContain(Redacted.value(request.codeVerifier))
  })
})

const code = "CodeCanary-0123456789abcdef"

describe.each(sessionFaces)("a sign-in (%s)", (_, open) => {
  /** A sign-in that has begun, at a service that knows its code. */
  const begun = async (options: Partial<OpenOptions> = {}) => {
    const service = authority({ codes: [code] })
    const session = await open({ service, ...options })
    onTestFinished(() => session.close())
    return { service, session, pending: await session.authorizationRequest() }
  }

  test("3: the same callback twice is exchanged once", async () => {
    const { pending, service, session } = await begun()
    const url = back({ state: stateOf(pending), code })
    const all = await Promise.all([session.exchange(pending, url), session.exchange(pending, url)])
    expect(all.filter((tokens) => tokens !== undefined)).toHaveLength(1)
    expect(await session.exchange(pending, url)).toBeUndefined()
    expect(service.tokenRequests).toHaveLength(1)
    expect(session.changes).toEqual(["SignedIn"])
    expect((await session.call("user.me")).ok).toBe(true)
  })

  test("is kept as a string until the user comes back", async () => {
    const { pending: request, session } = await begun()
    const pending = PendingAuthorization.decode(PendingAuthorization.encode(request))
    expect(pending.redirectUri).toBe(request.redirectUri)
    expect(`${JSON.stringify(pending)} ${inspect(pending)}`).not.toContain(stateOf(request))
    const tokens = await session.exchange(pending, back({ state: stateOf(request), code }))
    expect(tokens && Redacted.value(tokens.accessToken)).toBe(access(2))
  })

  test("anything but a pending sign-in is a TypeError that names it", async () => {
    const { pending: request, service, session } = await begun()
    const wrong: ReadonlyArray<unknown> = [
      JSON.parse(JSON.stringify(request)),
      PendingAuthorization.encode(request),
      { ...request, redirectUri: 1 },
      {},
      null,
      undefined
    ]
    for (const pending of wrong as ReadonlyArray<PendingAuthorization>) {
      const exchanged = session.exchange(pending, back({ state: stateOf(request), code }))
      await expect(exchanged).rejects.toThrow(/^(OAuthSession|createSession)\.exchange takes a PendingAuthorization: /)
      const died = await Effect.runPromiseExit(
        OAuth.exchangeCode(client, pending, Redacted.make(code)).pipe(Effect.provide(service.layer))
      )
      expect(Exit.isFailure(died) && String(Cause.squash(died.cause))).toMatch(
        /^TypeError: OAuth\.exchangeCode takes a PendingAuthorization: /
      )
      expect(() => read(pending, "?")).toThrow(/OAuth\.authorizationResponse takes a PendingAuthorization: /)
      expect(() => PendingAuthorization.encode(pending)).toThrow(/^PendingAuthorization\.encode takes a Pending/)
    }
    for (const text of ["", "null", "[]", "{}", JSON.stringify(request), `{"state":"Canary","codeVerifier":1}`]) {
      const decode = () => PendingAuthorization.decode(text)
      expect(decode).toThrow(TypeError)
      expect(decode).toThrow("PendingAuthorization.decode takes the string that PendingAuthorization.encode returned")
    }
    expect(service.tokenRequests).toEqual([])
  })

  test("2, 4: a response to another sign-in does not end this one; a denial ends it, once", async () => {
    const { pending, service, session } = await begun()
    const state = stateOf(pending)
    const exchange = (params: Record<string, string>) => session.exchange(pending, back(params))
    await expect(exchange({ state: "x", code })).rejects.toMatchObject({ reason: "State" })
    await expect(exchange({ state })).rejects.toMatchObject({ reason: "Callback" })
    await expect(exchange({ state: "x", error: "access_denied" })).rejects.toMatchObject({ reason: "State" })
    await expect(exchange({ state, error: "access_denied" })).rejects.toMatchObject({ reason: "Denied" })
    expect(await exchange({ state, error: "access_denied" })).toBeUndefined()
    expect(await exchange({ state, code })).toBeUndefined()
    expect(service.tokenRequests).toHaveLength(0)
  })

  test.each([
    { error: "invalid_request", hint: "Authorization code has expired" },
    { error: "invalid_grant", error_description: "no" }
  ])("5: a code that the service refuses with $error fails the exchange", async (body) => {
    const service = authority()
    const store = rowOf(tokensOf(1)).store()
    await using session = await open({ service, store })
    const pending = await session.authorizationRequest()
    service.onToken = () => Response.json({ ...body, echo: code }, { status: 400 })
    const failed = await rejection(session.exchange(pending, back({ state: stateOf(pending), code })))
    const refused = { _tag: "ClientRestError", operation: "OAuth.exchangeCode", status: 400, code: body.error }
    expect(failed).toMatchObject(refused)
    expect(JSON.stringify(failed)).toContain(body.hint ?? body.error_description)
    expect(JSON.stringify(failed)).not.toContain("Canary")
    expect(service.tokenRequests).toHaveLength(1)
    expect((await session.call("user.me")).ok).toBe(true)
    expect(session.changes).toEqual([])
  })

  test("29: no secret is in an error, a warning or a value that is printed", async () => {
    const seen: Array<unknown> = []
    const { pending, service, session } = await begun({ session: { clientSecret: client.clientSecret } })
    const secrets = [
      code,
      stateOf(pending),
      Redacted.value(pending.codeVerifier),
      ...[1, 2, 3].flatMap((n) => [access(n), refresh(n)]),
      client.clientSecret
    ]
    // Each response repeats the secrets of its request.
    service.onToken = ({ form }) => {
      const all = Object.values(form)
        .filter((text) => text.length > 20)
        .join(" ")
      const headers = { "x-request-id": all, server: encodeURIComponent(all) }
      return Response.json({ error: all, message: all, hint: all, [all]: all }, { status: 400, headers })
    }
    seen.push(pending, await rejection(session.exchange(pending, back({ state: stateOf(pending), code }))))
    await session.signIn(tokensOf(1, expired))
    seen.push(failure(await session.call("user.me")), await rejection(session.refresh()))
    // A secret that was not sent, too.
    service.onToken = () => Response.json({ error: "server_error", message: `revoke ${access(1)}` }, { status: 500 })
    seen.push(await rejection(session.refresh()))
    service.onToken = () => Promise.reject(new Error(`${refresh(1)} ${client.clientSecret}`))
    seen.push(failure(await session.call("user.me")))
    service.onToken = undefined
    seen.push(await session.tokens(), session.warnings, session.changes)

    for (const value of seen) {
      const text = printedInNode(value)
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    }
    expect(seen.filter((value) => value instanceof Error)).toHaveLength(5)
  })

  test("30: a request for tokens is only the form and the session's own headers, without those of the API", async () => {
    let attempts = 0
    const counting = policyThat(() => {
      attempts++
      return undefined
    })
    const key = "ProxyKeyCanary-0123456789"
    const headers = { "User-Agent": "my-app/1", "x-proxy-key": Redacted.make(`${key}\n`), "content-type": "text/plain" }
    const { pending, service, session } = await begun({
      session: { clientSecret: client.clientSecret, redirectUri: client.redirectUri, headers },
      catalog: { headers: { "x-extra": "1", cookie: "a=b" } },
      policies: [counting, Resilience.retry({ attempts: 3, baseDelay: 1 })]
    })
    await session.exchange(pending, back({ state: stateOf(pending), code }))
    await session.refresh()
    service.onToken = () => new Response(null, { status: 307, headers: { location: "https://evil.test/token" } })
    await expect(session.refresh()).rejects.toMatchObject({ status: 307 })
    service.onToken = () => Response.json({ error: "no", message: key }, { status: 503 })
    await expect(session.refresh()).rejects.toMatchObject({ status: 503, serviceMessage: "<redacted>" })
    expect(service.tokenRequests).toHaveLength(4)
    expect(attempts).toBe(0)
    const [exchange, refreshed] = service.tokenRequests
    expect(exchange?.request.body).toBe(
      new URLSearchParams([
        ["grant_type", "authorization_code"],
        ["client_id", clientId],
        ["client_secret", client.clientSecret],
        ["code", code],
        ["code_verifier", Redacted.value(pending.codeVerifier)],
        ["redirect_uri", client.redirectUri]
      ]).toString()
    )
    expect(refreshed?.form).toEqual({
      grant_type: "refresh_token",
      client_id: clientId,
      client_secret: client.clientSecret,
      refresh_token: refresh(2)
    })
    for (const { request } of service.tokenRequests) {
      expect(request.method).toBe("POST")
      // What sends adds the length, if Effect has not.
      const { "content-length": _, ...headers } = request.headers
      expect(headers).toEqual({
        accept: expect.any(String),
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "my-app/1",
        "x-proxy-key": key
      })
    }
    await session.call("anime.get", { id: 1 })
    expect(service.apiCalls[0]?.headers).not.toHaveProperty("x-proxy-key")
    const invalid = open({ service, session: { headers: { "no good": "x" } } })
    await expect(invalid.then(({ tokens }) => tokens())).rejects.toThrow('"no good" is not a valid header name')
  })
})

onlyEffect(describe)("the grants over fetch and TestClock", () => {
  test("30: send nothing that belongs to the API, and follow no redirect", async () => {
    const seen: Array<Request> = []
    const fetch = (url: URL | RequestInfo, init?: RequestInit) => {
      seen.push(new Request(url, init))
      return Promise.resolve(new Response(null, { status: 307, headers: { location: "/elsewhere" } }))
    }
    const exit = await Effect.runPromiseExit(
      OAuth.refreshTokens({ clientId }, tokensOf(1)).pipe(
        Effect.provide([
          Layer.provide(Transport.layerFetch, Layer.succeed(FetchHttpClient.Fetch, fetch)),
          Credentials.layer({ accessToken: "api", clientId: "api" }),
          CatalogConfig.layer({ tracePropagation: true, profile }),
          CatalogConfig.layer({ headers: { "x-extra": "1", authorization: "x" } })
        ])
      )
    )
    expect(Exit.isFailure(exit)).toBe(true)
    const [request] = seen
    expect([request?.url, request?.redirect, await request?.text()]).toEqual([
      profile.oauth.tokenUrl,
      "manual",
      `grant_type=refresh_token&client_id=${clientId}&refresh_token=${refresh(1)}`
    ])
    expect(seen).toHaveLength(1)
    const headers = [...(request?.headers.keys() ?? [])]
    expect(headers.filter((name) => /authorization|client-id|x-extra|traceparent|b3/.test(name))).toEqual([])
  })

  test("30: send secrets only over https, except to this machine", async () => {
    for (const tokenUrl of ["http://auth.test/token", "ftp://auth.test", "nowhere", "https://a:b@auth.test/token"]) {
      const service = authority()
      const exit = await Effect.runPromiseExit(
        OAuth.refreshTokens({ clientId }, tokensOf(1)).pipe(
          Effect.provide([service.layer, CatalogConfig.layer({ profile: profileWith({ tokenUrl }) })])
        )
      )
      expect(String(Exit.isFailure(exit) && Cause.squash(exit.cause))).toMatch(/tokenUrl must be/)
      expect(service.tokenRequests).toHaveLength(0)
    }
  })

  test("15: end a request for tokens that hangs after 10 seconds", async () => {
    const never = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.never)
    )
    const error = await Effect.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Fibers.fork(Effect.flip(OAuth.refreshTokens({ clientId }, tokensOf(1))))
        yield* TestClock.adjust("9999 millis")
        expect(Option.isNone(yield* Fibers.poll(fiber))).toBe(true)
        yield* TestClock.adjust("1 millis")
        return yield* Fibers.join(fiber)
      }).pipe(Effect.provide([never, TestContext.TestContext]))
    )
    expect(error).toMatchObject({ reason: "Timeout", timeoutMs: 10_000, operation: "OAuth.refreshTokens" })
  })

  test("26: refresh when a token is due by TestClock, and set no timer", async () => {
    const service = authority()
    const requests = await Effect.runPromise(
      Effect.gen(function* () {
        const session = yield* OAuthSession
        const reply = { access_token: access(1), refresh_token: refresh(1), expires_in: 3600 }
        yield* session.signIn(Tokens.from(reply, { clientId, obtainedAt: 0 }))
        const counts: Array<number> = []
        for (const step of ["58 minutes", "2 minutes", "40 days"] as const) {
          yield* TestClock.adjust(step)
          expect(yield* TestClock.sleeps()).toHaveLength(0)
          expect(Option.isSome(yield* session.accessToken)).toBe(true)
          counts.push(service.tokenRequests.length)
        }
        return counts
      }).pipe(
        Effect.provide(OAuthSession.layer({ clientId }).pipe(Layer.provide([TokenStore.layerMemory, service.layer]))),
        CatalogConfig.with({ profile }),
        Effect.provide(TestContext.TestContext)
      )
    )
    expect(requests).toEqual([0, 1, 2])
  })

  describe("OAuthSession.layerConfig", () => {
    type Given = Parameters<typeof OAuthSession.layerConfig>
    const built = async (values: Readonly<Record<string, string>>, ...given: Given) => {
      const service = authority()
      const exit = await Effect.runPromiseExit(
        Effect.gen(function* () {
          const { signIn, refresh, authorizationRequest, credentials } = yield* OAuthSession
          const clientId = yield* credentials.clientId
          assert(Option.isOption(clientId))
          yield* signIn(tokensOf(1, { of: Redacted.value(Option.getOrThrow(clientId)) }))
          yield* refresh
          return Redacted.value((yield* authorizationRequest).url).searchParams.get("redirect_uri")
        }).pipe(
          Effect.provide(Layer.provide(OAuthSession.layerConfig(...given), [TokenStore.layerMemory, service.layer])),
          CatalogConfig.with({ profile }),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))
        )
      )
      const [tokenRequest] = service.tokenRequests
      return { exit, form: tokenRequest?.form, headers: tokenRequest?.request.headers }
    }
    const usual = {
      CATALOG_CLIENT_ID: clientId,
      CATALOG_CLIENT_SECRET: client.clientSecret,
      CATALOG_REDIRECT_URI: client.redirectUri
    }

    test("reads the client from the usual variables", async () => {
      const { exit, form } = await built(usual)
      expect(exit).toEqual(Exit.succeed(client.redirectUri))
      expect(form).toMatchObject({ client_id: clientId, client_secret: client.clientSecret })
      const copied = Object.entries(usual).map(([name, value]) => [name, `${value}\n`] as const)
      const trimmed = await built(Object.fromEntries(copied))
      expect(trimmed).toMatchObject({ exit, form: { client_id: clientId, client_secret: client.clientSecret } })
      const alone = await built({ CATALOG_CLIENT_ID: clientId, CATALOG_CLIENT_SECRET: " " })
      expect(alone.exit).toEqual(Exit.succeed(null))
      expect(alone.form).not.toHaveProperty("client_secret")
    })

    test("takes a Config or a value for each option, or a Config of all", async () => {
      const values = { ...usual, ID: "mine", SECRET: "SecretCanary-mine", TIMEOUT: "5 seconds", KEY: "ProxyCanary\n" }
      const { exit, form, headers } = await built(values, {
        clientId: Config.string("ID"),
        clientSecret: Config.redacted("SECRET"),
        redirectUri: "https://mine.test/",
        timeout: Config.duration("TIMEOUT"),
        headers: { "x-proxy-key": Config.redacted("KEY"), "user-agent": "my-app/1" }
      })
      expect(headers).toMatchObject({ "x-proxy-key": "ProxyCanary", "user-agent": "my-app/1" })
      expect(exit).toEqual(Exit.succeed("https://mine.test/"))
      expect(form).toMatchObject({ client_id: "mine", client_secret: "SecretCanary-mine" })
      expect((await built(values, { clientId: "mine", redirectUri: undefined })).exit).toEqual(
        Exit.succeed(client.redirectUri)
      )
      const whole = await built(
        values,
        Config.map(Config.string("ID"), (clientId) => ({ clientId }))
      )
      expect(whole.exit).toEqual(Exit.succeed(null))
      expect(whole.form).toMatchObject({ client_id: "mine" })
      expect(whole.form).not.toHaveProperty("client_secret")
    })

    test("is that of OAuthSessions for its client", async () => {
      const begun = (values: Readonly<Record<string, string>>) =>
        Effect.flatMap(OAuthSessions, (sessions) => sessions.begin("a user")).pipe(
          Effect.provide(
            OAuthSessions.layerConfig({ redirectUri: Config.string("BACK") }).pipe(
              Layer.provide([TokenStores.layerMemory, authority().layer])
            )
          ),
          CatalogConfig.with({ profile }),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))),
          Effect.runPromise
        )
      const { searchParams } = Redacted.value(await begun({ ...usual, BACK: "https://mine.test/" }))
      expect(searchParams.get("client_id")).toBe(clientId)
      expect(searchParams.get("redirect_uri")).toBe("https://mine.test/")
      await expect(begun({ ...usual, BACK: "/back" })).rejects.toThrow("OAuthSessions: redirectUri must be")
    })

    // In Effect 4, a ConfigError has other words.
    onlyEffect3(test).each<[string, Readonly<Record<string, string>>, Given[0], string]>([
      ["no client ID", {}, undefined, "Missing data at CATALOG_CLIENT_ID"],
      [
        "a blank one",
        { CATALOG_CLIENT_ID: " " },
        undefined,
        'Invalid data at CATALOG_CLIENT_ID: "OAuthSession: clientId'
      ],
      [
        "an invalid option",
        { ...usual, BACK: "/back" },
        { redirectUri: Config.string("BACK") },
        "Invalid data at BACK"
      ],
      ["a missing option", usual, { clientSecret: Config.redacted("SECRET") }, "Missing data at SECRET"],
      [
        "an invisible character in the secret",
        { ...usual, CATALOG_CLIENT_SECRET: `a\n${client.clientSecret}` },
        undefined,
        "clientSecret contains U+000A"
      ],
      [
        "a header that cannot be sent",
        { ...usual, KEY: "Proxy\nCanary" },
        { headers: { "x-proxy-key": Config.redacted("KEY") } },
        'the value of "x-proxy-key" cannot be sent in a header: found U+000A'
      ],
      ["no duration", { ...usual, TIMEOUT: "x" }, { timeout: Config.duration("TIMEOUT") }, "Invalid data at TIMEOUT"],
      [
        "a whole without a client ID",
        usual,
        Config.map(Config.string("CATALOG_REDIRECT_URI"), (redirectUri) => ({ redirectUri })),
        'Invalid data at CATALOG_REDIRECT_URI: "OAuthSession: clientId must be the client ID'
      ]
    ])("fails with a ConfigError: %s", async (_, values, given, message) => {
      const { exit } = await built(values, given)
      const error: unknown = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined
      expect(ConfigError.isConfigError(error)).toBe(true)
      expect(String(error)).toContain(message)
      expect(String(error)).not.toMatch(/Canary/)
    })

    test("an invalid value in the program is a defect", async () => {
      const { exit } = await built(usual, { redirectUri: "/back" })
      expect(Exit.isFailure(exit) && Cause.isDie(exit.cause) && String(Cause.squash(exit.cause))).toMatch(/redirectUri/)
    })
  })
})

describe("clientFromEnvironment", () => {
  const usual = {
    CATALOG_CLIENT_ID: clientId,
    CATALOG_CLIENT_SECRET: client.clientSecret,
    CATALOG_REDIRECT_URI: client.redirectUri
  }

  test("reads the variables of layerConfig, and shows no secret", async () => {
    const read = async (variables: object) => {
      const service = authority()
      const given = clientFromEnvironment(variables)
      await using session = createSession({ ...given, profile, fetch: service.fetch })
      const request = await session.authorizationRequest()
      const { searchParams } = new URL(request.redirectTo)
      // The authority refuses this code: what it received is all that matters.
      await rejection(session.exchange(request, `https://app.test/?code=code&state=${searchParams.get("state")}`))
      return { given, form: service.tokenRequests[0]?.form, to: searchParams.get("redirect_uri") }
    }
    const { form, given, to } = await read(usual)
    expect(to).toBe(client.redirectUri)
    expect(form).toMatchObject({ client_id: clientId, client_secret: client.clientSecret })
    expect(inspect(given, { depth: 9, showHidden: true }) + JSON.stringify(given)).not.toContain("SecretCanary")
    const alone = await read({ CATALOG_CLIENT_ID: clientId, CATALOG_CLIENT_SECRET: " " })
    expect(alone.to).toBe(null)
    expect(alone.form).not.toHaveProperty("client_secret")
    // A default of the program is kept.
    expect(clientFromEnvironment({ CATALOG_CLIENT_ID: "c" })).not.toHaveProperty("redirectUri")
  })

  test.each([
    ["CATALOG_CLIENT_SECRET", "SecretCanary\n1", "clientSecret contains U+000A"],
    ["CATALOG_CLIENT_ID", "a\nb", "clientId contains U+000A"],
    ["CATALOG_REDIRECT_URI", "/back", "redirectUri must be an absolute URL"]
  ])("says what is wrong with %s, without the secret", (name, value, message) => {
    const read = () => clientFromEnvironment({ ...usual, [name]: value })
    expect(read).toThrow(TypeError)
    expect(read).toThrow(`clientFromEnvironment: ${name}: ${message}`)
    expect(read).not.toThrow("Canary")
  })

  test("without CATALOG_CLIENT_ID, a session can be made, and its use names the variable", async () => {
    for (const variables of [{}, { CATALOG_CLIENT_ID: " " }]) {
      await using session = createSession({ ...clientFromEnvironment(variables), profile })
      const message = /clientId must be the client ID .*, for example from CATALOG_CLIENT_ID, but it is/
      await expect(session.authorizationRequest()).rejects.toThrow(message)
    }
  })
})
