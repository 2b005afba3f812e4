import { EmbeddedCatalog, type EmbeddedCatalogOptions, type Fault, type ReceivedRequest } from "@catalog-client/testing"
import { HttpClient, HttpClientRequest } from "@effect/platform"
import { it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { createHash } from "node:crypto"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { base, type Reply, start } from "./service.js"
import { onlyEffect } from "../../core/test/support/only.js"

const { authorizeUrl, tokenUrl } = EmbeddedCatalog.oauthUrls("https://auth.example")
const callback = "http://localhost:8080/callback"
const verifier = "plain-verifier_of.43~characters-or-more-0123456789"
const authorization = {
  response_type: "code",
  client_id: "embedded-client",
  state: "my state & more",
  redirect_uri: callback,
  code_challenge: verifier
}
const grant = {
  grant_type: "authorization_code",
  client_id: "embedded-client",
  redirect_uri: callback,
  code_verifier: verifier
}

type Parameters = Readonly<Record<string, string | undefined>>

/** Parameters in their order, without those that are to be missing. */
const queryOf = (parameters: Parameters): URLSearchParams =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly token_type: string
}

/** The service for one test, and a client that signs in to it. */
const signIn = (options: EmbeddedCatalogOptions = {}) => {
  const service = start(options)
  const authorize = (changes: Parameters = {}, init: RequestInit = {}) =>
    service.send(`${authorizeUrl}?${queryOf({ ...authorization, ...changes })}`, init)
  const post = <Body = Tokens>(form: Parameters, headers: Record<string, string> = {}): Promise<Reply<Body>> =>
    service.send<Body>(tokenUrl, { method: "POST", headers, body: queryOf(form) })
  const codeFor = async (changes: Parameters = {}): Promise<string> =>
    locationOf(await authorize(changes)).searchParams.get("code") ?? "missing"
  const tokens = async (changes: Parameters = {}): Promise<Tokens> => {
    const { body, status } = await post({ ...grant, ...changes, code: await codeFor(changes) })
    expect(status).toBe(200)
    return body
  }
  const refresh = (refreshToken: string, changes: Parameters = {}) =>
    post({ grant_type: "refresh_token", client_id: "embedded-client", refresh_token: refreshToken, ...changes })
  const me = async (accessToken: string) => {
    const { body, headers, status } = await service.get<{ readonly name?: string; readonly error?: string }>(
      "/users/@me",
      { authorization: `Bearer ${accessToken}` }
    )
    return { status, said: body.name ?? body.error, challenge: headers.get("www-authenticate") }
  }
  return { ...service, authorize, codeFor, me, post, refresh, tokens }
}

const locationOf = ({ headers, status }: Reply): URL => {
  expect(status).toBe(302)
  return new URL(headers.get("location") ?? "missing:")
}

const refusal = ({ body, status }: Reply<unknown>) => {
  const { error, hint } = body as { readonly error?: string; readonly hint?: string }
  return [status, error, hint]
}

const check = (name: string) => `Check the \`${name}\` parameter`

const unknownClient = [401, "invalid_client", undefined]

const s256 = createHash("sha256").update(verifier).digest("base64url")
const withSecret = {
  oauth: { clients: { "embedded-client": { redirectUris: [callback], secret: "my secret" } } }
} satisfies EmbeddedCatalogOptions

describe("a sign-in", () => {
  test("returns two tokens of about 1 000 bytes; the access token reads the user's data", async () => {
    const { authorize, me, post } = signIn()
    const reply = await authorize()
    const location = locationOf(reply)
    expect(`${location.origin}${location.pathname}`).toBe(callback)
    expect([...location.searchParams.keys()]).toEqual(["code", "state"])
    expect(location.searchParams.get("state")).toBe(authorization.state)
    expect(reply.headers.get("cache-control")).toBe("no-store")
    const code = location.searchParams.get("code") ?? ""
    const { body, headers, status } = await post({ ...grant, code })
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("application/json; charset=UTF-8")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("access-control-allow-origin")).toBeNull()
    expect(body).toEqual({
      token_type: "Bearer",
      expires_in: 2_678_400,
      access_token: expect.stringMatching(/^\S{900,1100}$/),
      refresh_token: expect.stringMatching(/^\S{900,1100}$/)
    })
    expect(await me(body.access_token)).toMatchObject({ status: 200, said: "sample_reader" })
  })

  test("needs no redirect URI if only one is registered, and then none with the code", async () => {
    const { codeFor, post } = signIn()
    const code = await codeFor({ redirect_uri: undefined })
    expect(refusal(await post({ ...grant, code }))).toEqual([400, "invalid_request", "Invalid redirect URI"])
    expect((await post({ ...grant, redirect_uri: undefined, code })).status).toBe(200)
  })

  test("keeps the registered redirect URI exactly", async () => {
    for (const uri of ["https://my.example/a?b=c%20d", "my.app://callback", "http://[::1]:1/", "http://LOCALHOST"]) {
      const { authorize } = signIn({ oauth: { clients: { "embedded-client": { redirectUris: [uri] } } } })
      const location = (await authorize({ redirect_uri: uri })).headers.get("location")
      expect(location?.startsWith(`${uri}${uri.includes("?") ? "&" : "?"}code=`)).toBe(true)
    }
  })

  test("uses the last value of a repeated parameter", async () => {
    const { send } = signIn()
    const location = locationOf(await send(`${authorizeUrl}?state=first&${queryOf(authorization)}`))
    expect(location.searchParams.getAll("state")).toEqual([authorization.state])
  })

  test("is at the origin, whatever the base path", async () => {
    for (const basePath of ["", "/v1", "/v1/oauth2", "/api/v9"]) {
      const { authorize } = signIn({ basePath })
      expect((await authorize()).status).toBe(302)
    }
  })

  test("makes the clients known to the API, and accepts only known ones", async () => {
    const clients = { one: { redirectUris: [callback] }, two: { redirectUris: [callback] } }
    expect(EmbeddedCatalog.credentials({ oauth: { clients } })).toMatchObject({ clientId: "one" })
    const { authorize, get } = signIn({ oauth: { clients } })
    expect((await get("/anime/1", { "x-mal-client-id": "two" })).status).toBe(200)
    expect((await get("/anime/1", { "x-mal-client-id": "embedded-client" })).status).toBe(400)
    expect((await authorize({ client_id: "two" })).status).toBe(302)
    expect((await signIn({ clientIds: ["mine"] }).authorize({ client_id: "mine" })).status).toBe(302)
    const both = signIn({ clientIds: ["mine"], oauth: { clients } })
    expect((await both.get("/anime/1", { "x-mal-client-id": "one" })).status).toBe(200)
    expect((await both.authorize({ client_id: "mine" })).status).toBe(401)
  })
})

describe("a refused authorization", () => {
  const challengeHint = "Code challenge must be 43 to 128 unreserved characters"

  const challenge = [400, "invalid_request", challengeHint]

  test.each<[string, Parameters, ReadonlyArray<unknown>]>([
    ["an unknown client", { client_id: "unknown" }, unknownClient],
    ["the name of a member of every object", { client_id: "constructor" }, unknownClient],
    ["another redirect URI", { redirect_uri: `${callback}/` }, unknownClient],
    ["another port", { redirect_uri: "http://localhost:8081/callback" }, unknownClient],
    ["an empty redirect URI", { redirect_uri: "" }, unknownClient],
    ["no client", { client_id: undefined }, [400, "invalid_request", check("client_id")]],
    ["no response type", { response_type: undefined }, [400, "unsupported_grant_type", check("grant_type")]],
    ["another response type", { response_type: "token" }, [400, "unsupported_grant_type", check("grant_type")]],
    ["no challenge", { code_challenge: undefined }, [400, "invalid_request", "Code challenge must be provided"]],
    ["a short challenge", { code_challenge: "a".repeat(42) }, challenge],
    ["a long challenge", { code_challenge: "a".repeat(129) }, challenge],
    ["a reserved character", { code_challenge: `${"a".repeat(43)}+` }, challenge],
    [
      "S256, as live",
      { code_challenge: s256, code_challenge_method: "S256" },
      [400, "invalid_request", "Code challenge method must be one of `plain`"]
    ]
  ])("%s: no redirect, whatever the consent", async (_, changes, expected) => {
    for (const consent of ["allow", "deny", "page"] as const) {
      const reply = await signIn({ oauth: { consent } }).authorize(changes)
      expect(refusal(reply)).toEqual(expected)
      expect(reply.headers.get("location")).toBeNull()
      expect(reply.headers.get("content-type")).toBe("application/json; charset=UTF-8")
      // For which a browser shows a password dialog.
      const dialog = expected === unknownClient ? 'Basic realm="OAuth"' : null
      expect(reply.headers.get("www-authenticate")).toBe(dialog)
    }
  })

  test("must name the redirect URI if there are two", async () => {
    const { authorize } = signIn({
      oauth: { clients: { "embedded-client": { redirectUris: [callback, "https://my.example/"] } } }
    })
    expect(refusal(await authorize({ redirect_uri: undefined }))).toEqual(unknownClient)
    expect(locationOf(await authorize({ redirect_uri: "https://my.example/" })).origin).toBe("https://my.example")
  })

  test.each([
    ["GET", authorizeUrl, ["HEAD", "PUT", "POST", "DELETE", "OPTIONS"]],
    ["POST", tokenUrl, ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]]
  ])("any method but %s of %s is 405", async (allow, url, others) => {
    for (const method of others) {
      const reply = await signIn().send(url, { method })
      expect([reply.status, reply.headers.get("allow"), reply.text]).toEqual([405, allow, ""])
    }
  })

  test("there is nothing at other paths", async () => {
    for (const path of ["/v1/oauth2/authorize/", "/v1/oauth2/", "/v1/oauth2/Token", "//v1/oauth2/token"]) {
      expect((await signIn().send(`https://auth.example${path}`)).status).toBe(404)
    }
  })

  test("responds to a query of 1 MB", async () => {
    const long = "x".repeat(1_000_000)
    const { authorize } = signIn()
    expect(locationOf(await authorize({ state: long })).searchParams.get("state")).toHaveLength(1_000_000)
    expect((await authorize({ code_challenge: long })).status).toBe(400)
    expect((await authorize({ client_id: long })).text.length).toBeLessThan(1000)
  })
})

describe("the consent of the user", () => {
  test("can be a denial, which the client gets with its state", async () => {
    const location = locationOf(await signIn({ oauth: { consent: "deny" } }).authorize())
    expect(Object.fromEntries(location.searchParams)).toEqual({
      state: authorization.state,
      error: "access_denied",
      message: expect.any(String),
      hint: "The user denied the request"
    })
  })

  test("can come from a function, which gets the request and can name the user", async () => {
    const asked: Array<string | null> = []
    const answers = ["deny", "PAPER_LANTERN", "allow"]
    const { authorize, me, tokens } = signIn({
      oauth: {
        consent: ({ operation, query }) => {
          asked.push(`${operation} ${query.get("state")}`)
          return answers.shift() ?? "deny"
        }
      }
    })
    expect(locationOf(await authorize({ state: "1" })).searchParams.get("error")).toBe("access_denied")
    expect((await me((await tokens({ state: "2" })).access_token)).said).toBe("paper_lantern")
    expect((await me((await tokens({ state: "3" })).access_token)).said).toBe("sample_reader")
    expect(asked).toEqual(["oauth.authorize 1", "oauth.authorize 2", "oauth.authorize 3"])
  })

  test("with an unknown user is a 500, and the log says why", async () => {
    const logged = vi.spyOn(console, "log").mockReturnValue()
    onTestFinished(() => logged.mockRestore())
    const reply = await signIn({ oauth: { consent: () => "unknown_user" } }).authorize()
    expect(logged.mock.calls.join("\n")).toMatch(/the embedded service failed[^]*it returned [^]*unknown_user/)
    expect([reply.status, reply.body]).toEqual([500, { error: "internal_server_error", message: "" }])
  })

  describe("on a page", () => {
    const page = { oauth: { consent: "page" } } satisfies EmbeddedCatalogOptions
    const decide = (decision: string) => ({ method: "POST", body: new URLSearchParams({ decision }) })

    test("is asked where a function says so", async () => {
      const consent = ({ query }: ReceivedRequest) => (query.get("state") === "ask" ? "page" : "allow")
      const { authorize } = signIn({ oauth: { consent } })
      expect((await authorize({ state: "ask" })).text).toContain("<strong>sample_reader</strong>")
      const denied = await authorize({ state: "ask" }, decide("deny"))
      expect(locationOf(denied).searchParams.get("error")).toBe("access_denied")
      expect(locationOf(await authorize()).searchParams.has("code")).toBe(true)
    })

    /** The policy of a page: it allows the style that the page has. */
    const policyOf = async (html: string, target: string) => {
      const [, style = ""] = /<style>([^<]+)<\/style>/.exec(html) ?? []
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style))
      const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
      return `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self' ${target}; frame-ancestors 'none'; base-uri 'none'`
    }

    test("is asked with two buttons, on a page without scripts and resources", async () => {
      const { authorize } = signIn(page)
      const { headers, status, text } = await authorize()
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "text/html; charset=UTF-8",
        "content-security-policy": await policyOf(text, "http://localhost:8080"),
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff"
      })
      expect(text).toContain("<strong>embedded-client</strong>")
      expect(text).toContain("<strong>sample_reader</strong>")
      expect([...text.matchAll(/<button name="decision" value="(\w+)">/g)].map(([, value]) => value)).toEqual([
        "allow",
        "deny"
      ])
    })

    test.each([
      ["https://my.example:8443/a?b", "https://my.example:8443"],
      ["http://[::1]:4010/", "http:"],
      ["http://a;sandbox/", "http:"],
      ["my.app://callback", "my.app:"]
    ])("lets its form redirect only to %s, as far as a policy can say so", async (uri, source) => {
      const { authorize } = signIn({
        oauth: { ...page.oauth, clients: { "embedded-client": { redirectUris: [uri] } } }
      })
      const { headers, text } = await authorize({ redirect_uri: uri })
      expect(headers.get("content-security-policy")).toBe(await policyOf(text, source))
    })

    test("sends its form to its own URL", async () => {
      const { authorize, me, post } = signIn(page)
      const denied = locationOf(await authorize({}, decide("deny")))
      expect(denied.searchParams.get("error")).toBe("access_denied")
      const code = locationOf(await authorize({}, decide("allow"))).searchParams.get("code") ?? ""
      expect((await me((await post({ ...grant, code })).body.access_token)).said).toBe("sample_reader")
      expect(refusal(await authorize({}, decide("perhaps")))).toEqual([
        400,
        "invalid_request",
        "Check the `decision` parameter"
      ])
      expect((await authorize({ client_id: "unknown" }, decide("allow"))).status).toBe(401)
      const head = await authorize({}, { method: "HEAD" })
      expect([head.status, head.headers.get("allow")]).toEqual([405, "GET, POST"])
    })

    test("never shows parameters as markup", async () => {
      const hostile = `"><script>alert('1')</script>&amp;<img src=x onerror=alert(1)>`
      const redirectUri = `my.app:"><script>alert('2')</script>`
      const { authorize } = signIn({
        oauth: { ...page.oauth, clients: { [hostile]: { redirectUris: [redirectUri] } } }
      })
      const { headers, status, text } = await authorize({
        client_id: hostile,
        redirect_uri: redirectUri,
        state: hostile,
        scope: hostile
      })
      expect(status).toBe(200)
      const tags = new Set([...text.matchAll(/<\/?(\w+)/g)].map(([, name]) => name))
      expect(tags).toEqual(
        new Set(["html", "head", "meta", "title", "style", "body", "h1", "p", "strong", "code", "form", "button"])
      )
      expect(text).toContain("<strong>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&lt;img")
      expect(headers.get("content-security-policy")).toContain("form-action 'self' my.app:; frame-ancestors")
    })
  })
})

const twoClients = {
  oauth: { clients: { "embedded-client": { redirectUris: [callback] }, other: { redirectUris: [callback] } } }
} satisfies EmbeddedCatalogOptions

describe("a refused code", () => {
  const invalid = (hint: string) => [400, "invalid_request", hint]

  test.each<[string, Parameters, ReadonlyArray<unknown>]>([
    ["no code", { code: undefined }, invalid(check("code"))],
    ["an unknown code", { code: "def50200" }, invalid("Cannot decrypt the authorization code")],
    ["no verifier", { code_verifier: undefined }, invalid(check("code_verifier"))],
    ["a malformed verifier", { code_verifier: "short" }, invalid(check("code_verifier"))],
    [
      "another verifier",
      { code_verifier: `${verifier}0` },
      [400, "invalid_grant", "Failed to verify `code_verifier`."]
    ],
    ["no redirect URI", { redirect_uri: undefined }, invalid(check("redirect_uri"))],
    ["another redirect URI", { redirect_uri: "http://LOCALHOST:8080/callback" }, invalid("Invalid redirect URI")],
    ["another client", { client_id: "other" }, invalid("Authorization code was not issued to this client")],
    ["an unknown client", { client_id: "unknown" }, unknownClient],
    ["no client", { client_id: undefined }, invalid(check("client_id"))],
    ["another grant type", { grant_type: "password" }, [400, "unsupported_grant_type", check("grant_type")]],
    ["no grant type", { grant_type: undefined }, [400, "unsupported_grant_type", check("grant_type")]]
  ])("for %s, and is still valid", async (_, changes, expected) => {
    const { codeFor, post } = signIn(twoClients)
    const code = await codeFor()
    const reply = await post({ ...grant, code, ...changes })
    expect(refusal(reply)).toEqual(expected)
    expect(reply.headers.get("cache-control")).toBe("no-store")
    expect((await post({ ...grant, code })).status).toBe(200)
  })

  test("the second time, and the tokens of the first stay valid", async () => {
    const { codeFor, me, post, refresh } = signIn()
    const form = { ...grant, code: await codeFor() }
    const [first, second] = await Promise.all([post(form), post(form)])
    expect(refusal(second)).toEqual([400, "invalid_request", "Authorization code has been revoked"])
    expect((await me(first.body.access_token)).status).toBe(200)
    expect((await refresh(first.body.refresh_token)).status).toBe(200)
  })

  test("if the body is not a form", async () => {
    const { codeFor, post } = signIn()
    const form = { ...grant, code: await codeFor() }
    for (const type of ["application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x"]) {
      expect(refusal(await post(form, { "content-type": type }))).toEqual([
        400,
        "unsupported_grant_type",
        check("grant_type")
      ])
    }
    const type = "Application/X-WWW-Form-URLencoded; charset=UTF-8"
    expect((await post(form, { "content-type": type })).status).toBe(200)
  })
})

describe("a client with a secret", () => {
  test.each([
    ["raw", (part: string) => part],
    ["encoded as in a form", (part: string) => new URLSearchParams({ part }).toString().slice("part=".length)]
  ])("sends it as HTTP Basic, %s", async (_, written) => {
    // Each form, read as the other, is a different secret.
    const [id, secret] = ["my+client", "a+b %2B&100%:c=ü"]
    const { codeFor, post } = signIn({ oauth: { clients: { [id]: { redirectUris: [callback], secret } } } })
    const send = async (given: string) => {
      const bytes = new TextEncoder().encode(`${written(id)}:${written(given)}`)
      const form = { ...grant, client_id: undefined, code: await codeFor({ client_id: id }) }
      return post(form, { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` })
    }
    expect((await send(secret)).status).toBe(200)
    expect(refusal(await send(`${secret}d`))).toEqual(unknownClient)
  })

  test("sends it for a refresh, too, in the form or as HTTP Basic", async () => {
    const { post, refresh, tokens } = signIn(withSecret)
    const { refresh_token } = await tokens({ client_secret: "my secret" })
    const basic = { authorization: `Basic ${btoa("embedded-client:my secret")}` }
    const { body, status } = await post({ grant_type: "refresh_token", refresh_token }, basic)
    expect(status).toBe(200)
    expect((await refresh(body.refresh_token, { client_secret: "my secret" })).status).toBe(200)
  })

  test.each<[string, Parameters, Record<string, string>]>([
    ["no secret", {}, {}],
    ["another secret", { client_secret: "my Secret" }, {}],
    ["an empty secret", { client_secret: "" }, {}],
    ["another secret as HTTP Basic", { client_id: undefined }, { authorization: `Basic ${btoa("embedded-client:no")}` }]
  ])("is refused with %s, and no token is lost", async (_, changes, headers) => {
    const { post, refresh, tokens } = signIn(withSecret)
    const { refresh_token: refreshToken } = await tokens({ client_secret: "my secret" })
    for (const form of [
      { ...grant, code: "def50200" },
      { grant_type: "refresh_token", client_id: "embedded-client", refresh_token: refreshToken }
    ]) {
      const reply = await post({ ...form, ...changes }, headers)
      expect(refusal(reply)).toEqual(unknownClient)
      expect(reply.headers.get("www-authenticate")).toBe('Basic realm="OAuth"')
    }
    expect((await refresh(refreshToken, { client_secret: "my secret" })).status).toBe(200)
  })

  test("may send one without having one", async () => {
    expect((await signIn().tokens({ client_secret: "any" })).token_type).toBe("Bearer")
  })
})

describe("a token request as multipart", () => {
  test("is read as a form", async () => {
    const { codeFor, me, send } = signIn(withSecret)
    const body = new FormData()
    body.append("code", "def50200")
    const values = { ...grant, code: await codeFor(), client_secret: "my secret" }
    for (const [name, value] of Object.entries(values)) {
      body.append(name, value)
    }
    body.append("code_verifier", new Blob(["of a file"]), "file.txt")
    const reply = await send<Tokens>(tokenUrl, { method: "POST", body })
    expect(reply.status).toBe(200)
    expect((await me(reply.body.access_token)).status).toBe(200)
  })
})

describe("a refresh", () => {
  test("replaces both tokens, and revokes the old ones", async () => {
    const { me, refresh, tokens } = signIn({ oauth: { consent: () => "paper_lantern" } })
    const first = await tokens()
    const { body: second, headers, status } = await refresh(first.refresh_token)
    expect(status).toBe(200)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(second).toEqual({ ...first, access_token: expect.any(String), refresh_token: expect.any(String) })
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await me(first.access_token)).toEqual({
      status: 401,
      said: "invalid_token",
      challenge: `Bearer error="invalid_token",error_description="The access token is invalid"`
    })
    expect(await me(second.access_token)).toMatchObject({ status: 200, said: "paper_lantern" })
  })

  test("is made again with a used token, and revokes no other tokens", async () => {
    const { me, refresh, tokens } = signIn()
    const first = await tokens()
    const replies = await Promise.all([1, 2, 3].map(() => refresh(first.refresh_token)))
    const made = replies.map(({ body }) => body)
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(made.map((each) => each.refresh_token)).size).toBe(3)
    expect(await Promise.all(made.map(async (each) => (await me(each.access_token)).status))).toEqual([200, 200, 200])
    for (const { refresh_token: next } of [first, ...made]) {
      expect((await refresh(next)).status).toBe(200)
    }
  })

  test("with a used token is refused under strict rotation, and revokes nothing", async () => {
    const { me, refresh, tokens } = signIn({ quirks: { strictRotation: true } })
    const first = await tokens()
    const [won, lost] = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    expect(refusal(lost)).toEqual([401, "invalid_request", "Token has been revoked"])
    expect((await me(won.body.access_token)).status).toBe(200)
    expect((await refresh(won.body.refresh_token)).status).toBe(200)
  })

  test.each<[string, Parameters, ReadonlyArray<unknown>]>([
    ["no token", { refresh_token: undefined }, [400, "invalid_request", "Check the `refresh_token` parameter"]],
    ["an unknown token", { refresh_token: "x" }, [401, "invalid_request", "Cannot decrypt the refresh token"]],
    ["another client", { client_id: "other" }, [401, "invalid_request", "Token is not linked to client"]],
    ["an unknown client", { client_id: "unknown" }, unknownClient]
  ])("with %s is refused, and the token is still valid", async (_, changes, expected) => {
    const { refresh, tokens } = signIn(twoClients)
    const { refresh_token: refreshToken } = await tokens()
    expect(refusal(await refresh(refreshToken, changes))).toEqual(expected)
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

describe("time", () => {
  test.each<[EmbeddedCatalogOptions["oauth"], number, number, number]>([
    [{}, 600, 2_678_400, 2_678_400],
    [{ codeLifetime: "5 seconds", accessTokenLifetime: "1 hour", refreshTokenLifetime: "2 days" }, 5, 3600, 172_800]
  ])("ends codes and tokens: %o", async (oauth, code, access, refreshing) => {
    let seconds = 1000
    const { codeFor, me, post, refresh, tokens } = signIn({
      now: () => seconds * 1000,
      ...(oauth !== undefined && { oauth })
    })
    const early = await codeFor()
    const late = await codeFor()
    seconds += code - 1
    const first = await post({ ...grant, code: early })
    expect([first.status, first.body.expires_in]).toEqual([200, access])
    seconds += 1
    expect(refusal(await post({ ...grant, code: late }))).toEqual([
      400,
      "invalid_request",
      "Authorization code has expired"
    ])

    const second = await tokens()
    const started = seconds
    seconds = started + access - 1
    expect((await me(second.access_token)).status).toBe(200)
    seconds = started + access
    expect(await me(second.access_token)).toMatchObject({ status: 401, said: "invalid_token" })
    seconds = started + refreshing - 1
    const third = await refresh(second.refresh_token)
    expect(third.status).toBe(200)
    expect((await refresh(second.refresh_token)).status).toBe(200)
    // The old token keeps its own end.
    seconds += 1
    expect(refusal(await refresh(second.refresh_token))).toEqual([401, "invalid_request", "Token has expired"])
    seconds += refreshing - 1
    expect(refusal(await refresh(third.body.refresh_token))).toEqual([401, "invalid_request", "Token has expired"])
  })

  const execute = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.flatMap(HttpClient.HttpClient, (client) => client.execute(request))

  onlyEffect(it).effect("is that of the fiber's clock", () =>
    Effect.gen(function* () {
      const authorized = yield* execute(HttpClientRequest.get(`${authorizeUrl}?${queryOf(authorization)}`))
      const code = new URL(authorized.headers["location"] ?? "").searchParams.get("code") ?? ""
      const form = { ...grant, code }
      const replied = yield* execute(HttpClientRequest.bodyUrlParams(HttpClientRequest.post(tokenUrl), form))
      const { access_token: accessToken, expires_in: seconds } = (yield* replied.json) as Tokens
      const me = HttpClientRequest.get(`${base}/users/@me`, { headers: { authorization: `Bearer ${accessToken}` } })
      yield* TestClock.adjust(seconds * 1000 - 1)
      expect((yield* execute(me)).status).toBe(200)
      yield* TestClock.adjust(1)
      expect((yield* execute(me)).status).toBe(401)
    }).pipe(Effect.provide(EmbeddedCatalog.layer({ oauth: { accessTokenLifetime: "28 days" } })))
  )
})

describe("behaviour that the live service does not have", () => {
  test("S256 besides plain", async () => {
    const { codeFor, post, tokens } = signIn({ quirks: { s256: true } })
    const hashed = { code_challenge: s256, code_challenge_method: "S256" }
    const code = await codeFor(hashed)
    const wrong = await post({ ...grant, code, code_verifier: s256 })
    expect(refusal(wrong)).toEqual([400, "invalid_grant", "Failed to verify `code_verifier`."])
    const replies = await Promise.all([post({ ...grant, code }), post({ ...grant, code })])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400]))
    expect((await tokens({ code_challenge_method: "plain" })).token_type).toBe("Bearer")
    expect((await tokens()).token_type).toBe("Bearer")
  })

  test("a changed reply of the token endpoint, with valid tokens", async () => {
    const { me, refresh, tokens } = signIn({
      quirks: { tokenReply: (reply) => ({ ...reply, refresh_token: undefined, token_type: "mac", expires_in: "3600" }) }
    })
    const first = await tokens()
    expect(first).toEqual({ token_type: "mac", expires_in: "3600", access_token: first.access_token })
    expect((await me(first.access_token)).status).toBe(200)
    expect((await refresh("unknown")).status).toBe(401)
  })
})

describe("around the sign-in", () => {
  test("faults and onRequest apply to it, with secrets that are not redacted", async () => {
    const seen: Array<ReceivedRequest> = []
    const faults: ReadonlyArray<Fault> = [
      { on: "oauth.token", status: 503, body: "<h1>busy</h1>", times: 1 },
      { on: "oauth.token", drop: "in-body", times: 1 },
      { on: ["oauth.authorize", "anime.get"], status: 429, times: 1 }
    ]
    const { authorize, codeFor, get, post, refresh, tokens } = signIn({
      faults,
      onRequest: (request) => seen.push(request)
    })
    expect((await authorize()).status).toBe(429)
    expect((await get("/anime/1")).status).toBe(200)
    const form = { ...grant, code: await codeFor() }
    expect([(await post(form)).status]).toEqual([503])
    // The exchange was done, and its reply was lost.
    await expect(post(form)).rejects.toThrow("The connection was closed within the body")
    expect(refusal(await post(form))).toEqual([400, "invalid_request", "Authorization code has been revoked"])
    expect(seen.map(({ operation }) => operation)).toEqual([
      "oauth.authorize",
      "anime.get",
      "oauth.authorize",
      "oauth.token",
      "oauth.token",
      "oauth.token"
    ])
    expect(seen.at(-1)).toMatchObject({ method: "POST", path: "/v1/oauth2/token", body: String(queryOf(form)) })
    expect(seen[0]?.query.get("code_challenge")).toBe(verifier)
    const { refresh_token: refreshToken } = await tokens()
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  test.each<[EmbeddedCatalogOptions, string]>([
    [{ oauth: { consent: "maybe" as "allow" } }, `oauth.consent must be "allow", "deny", "page" or a function`],
    [{ oauth: { codeLifetime: "soon" as "1 second" } }, "oauth.codeLifetime must be a number of milliseconds"],
    [
      { oauth: { accessTokenLifetime: Number.POSITIVE_INFINITY } },
      "oauth.accessTokenLifetime must be a number of milliseconds"
    ],
    [{ oauth: { clients: { mine: { redirectUris: [] } } } }, `redirectUris of the client "mine"`],
    [{ oauth: { clients: { mine: { redirectUris: ["/callback"] } } } }, `one is "/callback"`],
    [{ oauth: { clients: { mine: { redirectUris: ["https://a.example/#b"] } } } }, `one is "https://a.example/#b"`],
    [{ oauth: { clients: { mine: { redirectUris: ["https://a.example/\r\nx: y"] } } } }, "in ASCII"],
    [{ faults: [{ on: "oauth.revoke" as "oauth.token" }] }, `unknown operation "oauth.revoke"`]
  ])("a mistake in the options is an error: %o", (options, message) => {
    expect(() => EmbeddedCatalog.toWebHandler(options)).toThrow(message)
  })
})
