/**
 * The routes of a server whose visitors sign in, from a request to its response, against the embedded service. They know no
 * framework, so that what holds here holds in each.
 */
import { createCatalog, Resilience, ServiceProfile } from "catalog-client"
import {
  createHandlers,
  createProxy,
  errorResponse,
  type Handlers,
  type HandlersOptions
} from "catalog-client/handlers"
import { createSessions } from "catalog-client/oauth"
import { EmbeddedCatalog, type ReceivedRequest, TestError } from "catalog-client/testing"
import { describe, expect, onTestFinished, test } from "vitest"

const site = "https://app.example"
const service = "https://catalog.test"
const profile: ServiceProfile = {
  ...ServiceProfile.default,
  baseUrl: `${service}/v2`,
  oauth: { ...ServiceProfile.default.oauth, ...EmbeddedCatalog.oauthUrls(service) }
}

interface Given extends Partial<Omit<HandlersOptions, "sessions">> {
  readonly redirectUri?: string
  /** Faults of the store, by its method. */
  readonly broken?: Set<"get" | "set" | "remove">
}

/** A server with handlers, and the service that it calls. */
const serving = ({ broken = new Set(), redirectUri = `${site}/callback`, ...options }: Given = {}) => {
  const received: Array<ReceivedRequest> = []
  const { dispose, handler } = EmbeddedCatalog.toWebHandler({
    oauth: { clients: { "embedded-client": { redirectUris: [redirectUri] } } },
    onRequest: (request) => void received.push(request)
  })
  const fetch = (input: URL | string, init?: RequestInit) => handler(new Request(input, init))
  const rows = new Map<string, string>()
  const failing = (method: "get" | "set" | "remove") => {
    if (broken.has(method)) {
      throw new Error("the database is down")
    }
  }
  const catalog = createCatalog({ fetch, profile, logLevel: "none" })
  const sessions = createSessions({
    catalog,
    fetch,
    profile,
    logLevel: "none",
    client: { clientId: "embedded-client", redirectUri },
    store: (key) => ({
      get: () => (failing("get"), rows.get(key)),
      set: (text) => (failing("set"), void rows.set(key, text)),
      remove: () => (failing("remove"), void rows.delete(key))
    })
  })
  const errors: Array<string> = []
  const auth = createHandlers({
    sessions,
    afterSignIn: "/me",
    logger: { warn: (line) => errors.push(line) },
    proxy: {
      prefix: "/catalog",
      operations: ["anime.get", "anime.search", "anime.ranking", "anime.suggestions", "user.me", "user.animeList"],
      writes: ["anime.updateMyListStatus", "anime.deleteFromList"]
    },
    ...options
  })
  onTestFinished(async () => {
    await sessions.close()
    await dispose()
  })
  return { auth, catalog, errors, fetch, received, rows, sessions }
}

type Server = ReturnType<typeof serving>

const asPage = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }
const asLink = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }

/** A browser: it keeps cookies, and does not follow redirects. */
const browser = ({ auth, fetch }: Pick<Server, "auth" | "fetch">, origin = site) => {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has("cookie")) {
      headers.set("cookie", Array.from(cookies, (pair) => pair.join("=")).join("; "))
    }
    // The origin is that of a server behind a proxy.
    const response = await auth.handle(new Request(`http://0.0.0.0:3000${path}`, { ...init, headers }))
    for (const cookie of response?.headers.getSetCookie() ?? []) {
      const [, name = "", value = "", age] = /^([^=]+)=([^;]*).*Max-Age=(\d+)/.exec(cookie) ?? []
      cookies.delete(name)
      if (age !== "0") {
        cookies.set(name, value)
      }
    }
    return response ?? new Response("not handled", { status: 404 })
  }
  /** What the user does at the service: the path at which the browser comes back. */
  const allow = async (begun: Response, answer = "") => {
    const consent = await fetch(`${begun.headers.get("location")}${answer}`, { redirect: "manual" })
    return (consent.headers.get("location") ?? "").replace(origin, "")
  }
  const login = (path = "/login", headers: HeadersInit = asLink) => send(path, { headers })
  const signIn = async (path?: string) => send(await allow(await login(path)), { headers: asLink })
  return { allow, cookies, login, send, signIn }
}

const locationOf = ({ headers, status }: Response) => [status, headers.get("location")]

describe("a sign-in", () => {
  test("starts at the service, ends at the site with the cookie of a new visitor, and says nothing on the way", async () => {
    const server = serving()
    const visitor = browser(server)
    const begun = await visitor.login()
    expect(begun.status).toBe(303)
    expect(begun.headers.get("location")).toMatch(`${service}/v1/oauth2/authorize?response_type=code`)
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-catalog-pending-[\w-]{22}=[\w-]{43}[.]\d+[.]; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/
      )
    ])
    const back = await visitor.allow(begun)
    const done = await visitor.send(back, { headers: asLink })
    expect(locationOf(done)).toEqual([303, `${site}/me`])
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-catalog-pending-[\w-]{22}=; .*Max-Age=0; Secure$/),
      expect.stringMatching(
        /^__Host-catalog-visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000; Secure$/
      )
    ])
    for (const response of [begun, done]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer"
      })
      expect(await response.text()).toBe("")
    }
    const { state } = Object.fromEntries(new URL(back, site).searchParams)
    expect([...visitor.cookies].join()).not.toContain(state)
    expect(server.errors).toEqual([])
  })

  test("has no prefix on the developer's machine, where Safari drops a secure cookie", async () => {
    const local = "http://localhost:3000"
    const visitor = browser(serving({ redirectUri: `${local}/callback` }), local)
    expect(locationOf(await visitor.signIn())).toEqual([303, `${local}/me`])
    expect([...visitor.cookies.keys()]).toEqual(["catalog-visitor"])
  })

  test("of two tabs both succeed, and the tokens of the first visitor are removed", async () => {
    const server = serving()
    const visitor = browser(server)
    const [one, other] = [await visitor.login("/login?return=/one"), await visitor.login("/login?return=/other")]
    expect(locationOf(await visitor.send(await visitor.allow(other)))).toEqual([303, `${site}/other`])
    const { size } = server.rows
    expect(locationOf(await visitor.send(await visitor.allow(one)))).toEqual([303, `${site}/one`])
    expect([...visitor.cookies.keys()]).toEqual(["__Host-catalog-visitor"])
    expect([size, server.rows.size]).toEqual([2, 1])
  })

  test("has at most four cookies at a time: the oldest ones go", async () => {
    const visitor = browser(serving())
    const first = await visitor.login()
    const [name = ""] = visitor.cookies.keys()
    for (let nth = 0; nth < 5; nth++) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      await visitor.login()
    }
    expect([visitor.cookies.size, visitor.cookies.has(name)]).toEqual([4, false])
    expect(locationOf(await visitor.send(await visitor.allow(first)))).toEqual([303, `${site}/?failed`])
  })

  test.each<[string, Record<string, string>]>([
    ["a prefetch", { "sec-purpose": "prefetch;prerender" }],
    ["an old prefetch", { purpose: "prefetch" }],
    ["Firefox's prefetch", { "x-moz": "prefetch" }],
    ["a link of Next", { "next-router-prefetch": "1" }],
    ["an image", { "sec-fetch-dest": "image" }],
    ["a frame", { "sec-fetch-dest": "iframe" }],
    ["a fetch", { "sec-fetch-dest": "empty" }]
  ])("is neither started nor ended by %s", async (_, headers) => {
    const server = serving()
    const visitor = browser(server)
    const nothing = await visitor.login("/login", headers)
    expect([nothing.status, nothing.headers.getSetCookie(), server.rows.size]).toEqual([204, [], 0])
    const back = await visitor.allow(await visitor.login())
    const still = await visitor.send(back, { headers })
    expect([still.status, still.headers.getSetCookie()]).toEqual([204, []])
    expect(locationOf(await visitor.send(back, { headers: asLink }))).toEqual([303, `${site}/me`])
  })

  test.each([
    ["/anime/1?tab=cast#top", "/anime/1?tab=cast"],
    [`${site}/anime/1`, "/anime/1"],
    ["/a;b,c=d", "/a;b,c=d"],
    ["//evil.example", "/me"],
    ["/\\evil.example", "/me"],
    ["\\\\evil.example", "/me"],
    ["/\t/evil.example", "/me"],
    ["https://evil.example/", "/me"],
    ["https://app.example@evil.example/", "/me"],
    ["https://app.example.evil.example/", "/me"],
    ["http://app.example/", "/me"],
    ["https:evil.example", "/evil.example"],
    [`${site}//evil.example`, "/me"],
    ["/x/..//evil.example", "/me"],
    ["/.//evil.example", "/me"],
    ["javascript:alert(1)", "/me"],
    ["/a\r\nset-cookie: x=y", "/aset-cookie:%20x=y"],
    [`/${"a".repeat(2_000)}`, "/me"],
    ["", "/me"]
  ])("that is to return to %j ends at %j", async (path, end) => {
    const done = await browser(serving()).signIn(`/login?return=${encodeURIComponent(path)}`)
    expect(locationOf(done)).toEqual([303, site + end])
  })

  test("does not believe a return path that is in the cookie", async () => {
    const visitor = browser(serving())
    const back = await visitor.allow(await visitor.login())
    const [[name, value] = ["", ""]] = visitor.cookies
    visitor.cookies.set(name, value + encodeURIComponent("//evil.example"))
    expect(locationOf(await visitor.send(back))).toEqual([303, `${site}/me`])
  })

  test.each<[string, (back: string, foreign: string) => string]>([
    ["of another browser", (_, foreign) => foreign],
    ["without a state", (back) => back.replace(/state=[^&]*/, "")],
    ["with our state and another one", (back) => `${back}&state=x`],
    ["with another state and ours", (back) => back.replace("?", "?state=x&")],
    ["without a code", (back) => back.replace(/code=[^&]*/, "")]
  ])("fails with a redirect %s, and says so to the program alone", async (_, change) => {
    const server = serving()
    const [visitor, attacker] = [browser(server), browser(server)]
    const back = await visitor.allow(await visitor.login())
    const foreign = await attacker.allow(await attacker.login())
    const failed = await visitor.send(change(back, foreign), { headers: asLink })
    expect(locationOf(failed)).toEqual([303, `${site}/?failed`])
    expect([...visitor.cookies.keys()].join()).not.toContain("visitor")
    expect([...server.rows.keys()].filter((key) => !key.endsWith(".pending"))).toEqual([])
  })

  test("fails with our cookie and a foreign state: the state is compared, not only found", async () => {
    const server = serving()
    const [visitor, attacker] = [browser(server), browser(server)]
    await visitor.login()
    const foreign = await attacker.allow(await attacker.login())
    // As if a subdomain could set cookies of the site.
    const [[name] = [""]] = attacker.cookies
    const [[, value] = ["", ""]] = visitor.cookies
    visitor.cookies.set(name, value)
    expect(locationOf(await visitor.send(foreign))).toEqual([303, `${site}/?failed`])
    expect(server.errors).toEqual([expect.stringMatching(/^ClientAuthError: /)])
  })

  test("that the user denies or whose code was spent fails, and can start again", async () => {
    const server = serving()
    const visitor = browser(server)
    const { searchParams } = new URL(await visitor.allow(await visitor.login()), site)
    const denied = `/callback?error=access_denied&state=${searchParams.get("state")}`
    expect(locationOf(await visitor.send(denied))).toEqual([303, `${site}/?failed`])
    expect([visitor.cookies.size, server.errors.length]).toEqual([0, 1])
    const back = await visitor.allow(await visitor.login())
    expect(locationOf(await visitor.send(back.replace(/code=[^&]*/, "code=spent")))).toEqual([303, `${site}/?failed`])
    expect(server.errors.join()).not.toContain(searchParams.get("state") as string)
    expect(locationOf(await visitor.signIn())).toEqual([303, `${site}/me`])
  })

  test("waits for a store that is down: the response is a 503, and a reload helps", async () => {
    const broken = new Set<"get" | "set">(["set"])
    const server = serving({ broken })
    const visitor = browser(server)
    const refused = await visitor.login()
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ error: "unavailable" })])
    broken.clear()
    const back = await visitor.allow(await visitor.login())
    broken.add("get")
    expect((await visitor.send(back)).status).toBe(503)
    broken.clear()
    expect(locationOf(await visitor.send(back))).toEqual([303, `${site}/me`])
    expect(server.errors.length).toBe(2)
  })

  test("notifies the program of the visitor, and is undone if the program refuses", async () => {
    const signedIn: Array<string> = []
    const server = serving({
      onSignIn: async ({ visitor }) => {
        signedIn.push(visitor)
        if (signedIn.length > 1) {
          throw new RangeError("not on the list")
        }
      }
    })
    const visitor = browser(server)
    await visitor.signIn()
    expect([...visitor.cookies.values()]).toEqual(signedIn)
    const back = await visitor.allow(await visitor.login())
    await expect(visitor.send(back)).rejects.toThrow(RangeError)
    expect([...server.rows.keys()]).toEqual(signedIn.slice(0, 1))
  })

  test.each(["POST", "HEAD", "PUT"])("is no matter of %s", async (method) => {
    const visitor = browser(serving())
    for (const path of ["/login", "/callback?code=x&state=y"]) {
      const response = await visitor.send(path, { method })
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"])
    }
  })
})

describe("logout", () => {
  const signedIn = async (given?: Given) => {
    const server = serving(given)
    const visitor = browser(server)
    await visitor.signIn()
    return { server, visitor }
  }

  test.each<[string, number, Record<string, string>]>([
    ["a form of the site", 303, { "sec-fetch-site": "same-origin" }],
    ["an old browser", 303, { origin: site }],
    ["another site", 403, { "sec-fetch-site": "cross-site", origin: site }],
    ["a subdomain", 403, { "sec-fetch-site": "same-site" }],
    ["the address bar", 403, { "sec-fetch-site": "none" }],
    ["two claims", 403, { "sec-fetch-site": "same-origin, cross-site" }],
    ["an old browser elsewhere", 403, { origin: "https://evil.example" }],
    ["a sandbox", 403, { origin: "null" }],
    ["a claim about the host", 403, { origin: "http://0.0.0.0:3000", "x-forwarded-host": "0.0.0.0:3000" }],
    ["nobody", 403, {}]
  ])("by %s is answered with %i", async (_, status, headers) => {
    const { server, visitor } = await signedIn()
    const response = await visitor.send("/logout", { method: "POST", headers })
    expect(response.status).toBe(status)
    const left = status === 303 ? 0 : 1
    expect([visitor.cookies.size, server.rows.size]).toEqual([left, left])
  })

  test("and a login at paths with other letters, which a browser encodes", async () => {
    const visitor = browser(serving({ loginPath: "/ログイン", logoutPath: "/終了", afterSignOut: "/再見?für" }))
    await visitor.signIn("/ログイン")
    const response = await visitor.send("/終了", { method: "POST", headers: asPage })
    expect([...locationOf(response), visitor.cookies.size]).toEqual([303, `${site}/%E5%86%8D%E8%A6%8B?f%C3%BCr`, 0])
  })

  test("is deaf to links", async () => {
    const { visitor } = await signedIn()
    const response = await visitor.send("/logout", { headers: asLink })
    expect([response.status, response.headers.get("allow"), visitor.cookies.size]).toEqual([405, "POST", 1])
  })

  test("removes the cookie even if the store is down", async () => {
    const broken = new Set<"remove" | "set">()
    const { server, visitor } = await signedIn({ broken })
    broken.add("remove").add("set")
    expect((await visitor.send("/logout", { method: "POST", headers: asPage })).status).toBe(303)
    expect([visitor.cookies.size, server.errors.length]).toEqual([0, 1])
  })
})

describe("the visitor of a request", () => {
  test.each<[string, (visitor: string) => string, boolean]>([
    ["its cookie", (visitor) => `a=b; __Host-catalog-visitor=${visitor}; c=d`, true],
    ["no other cookie", (visitor) => `catalog-visitor=${visitor}`, false],
    ["none of two", (visitor) => `__Host-catalog-visitor=x; __Host-catalog-visitor=${visitor}`, false],
    [
      "none of two that are equal",
      (visitor) => `__Host-catalog-visitor=${visitor}; __Host-catalog-visitor=${visitor}`,
      false
    ],
    ["no cookie without a name", (visitor) => `=__Host-catalog-visitor=${visitor}`, false],
    ["no other length", (visitor) => `__Host-catalog-visitor=${visitor}a`, false],
    ["no pending one", (visitor) => `__Host-catalog-visitor=${visitor.slice(8)}.pending`, false]
  ])("is in %s", (_, cookieOf, isKnown) => {
    const { auth } = serving()
    const visitor = "v".repeat(43)
    const request = new Request(`${site}/me`, { headers: { cookie: cookieOf(visitor) } })
    expect(auth.visitorOf(request)).toBe(isKnown ? visitor : undefined)
    expect(auth.catalogOf(request) === undefined).toBe(!isKnown)
  })

  test.each([";".repeat(100_000), " ".repeat(100_000), "a;".repeat(50_000)])("is found in linear time", (cookie) => {
    const { auth } = serving()
    const request = new Request(site, { headers: { cookie: `a=b;${cookie}` } })
    const start = performance.now()
    expect(auth.visitorOf(request)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test.each<[string, Record<string, string>, boolean]>([
    ["a page of the site", { "sec-fetch-site": "same-origin" }, true],
    ["an old browser", { origin: site }, true],
    ["a subdomain", { "sec-fetch-site": "same-site" }, false],
    ["nobody", {}, false]
  ])("is known in a write of %s: %j", (_, headers, isKnown) => {
    const cookie = `__Host-catalog-visitor=${"v".repeat(43)}`
    const request = new Request(`${site}/watched`, { method: "POST", headers: { ...headers, cookie } })
    expect(serving().auth.visitorOf(request) !== undefined).toBe(isKnown)
  })

  test.each<[number, string, Record<string, string>]>([
    [401, "sign_in_required", { "sec-fetch-site": "cross-site" }],
    [403, "other_site", { "sec-fetch-site": "cross-site", cookie: `__Host-catalog-visitor=${"v".repeat(43)}` }]
  ])("is missing in a write, which gets %d", async (status, error, headers) => {
    const response = serving().auth.refusalOf(new Request(`${site}/watched`, { method: "POST", headers }))
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error })])
  })

  test("has a catalog, whose calls end with the request", async () => {
    const server = serving()
    const visitor = browser(server)
    await visitor.signIn()
    const left = new AbortController()
    const cookie = [...visitor.cookies][0]?.join("=") ?? ""
    const catalog = server.auth.catalogOf(new Request(site, { headers: { cookie }, signal: left.signal }))
    expect(await catalog?.user.me()).toMatchObject({ name: "sample_reader" })
    left.abort()
    await expect(catalog?.user.me()).rejects.toMatchObject({ reason: "Cancelled" })
  })
})

describe("the proxy", () => {
  const signedIn = async (given?: Given) => {
    const server = serving(given)
    const visitor = browser(server)
    await visitor.signIn()
    server.received.length = 0
    return { server, visitor }
  }
  const form = { ...asPage, "content-type": "application/x-www-form-urlencoded" }

  test("serves a page's catalog, with the visitor's token and no cookie", async () => {
    const { server, visitor } = await signedIn()
    const page = createCatalog({
      baseUrl: `${site}/catalog`,
      accessToken: "added by the server",
      fetch: async (url, init) => {
        const { authorization: _, ...headers } = Object.fromEntries(new Headers(init.headers))
        return visitor.send(url.pathname + url.search, { ...init, headers: { ...headers, ...asPage } })
      }
    })
    expect((await page.user.me()).name).toBe("sample_reader")
    expect((await page.anime.get({ id: 30230 }, { fields: ["mean"] })).mean).toBeGreaterThan(0)
    expect((await page.anime.search.collect({ q: "diamond" }, { max: 5, nsfw: true })).length).toBeGreaterThan(2)
    const change = { id: 30230, num_watched_episodes: 3, tags: ["a", "b&c"], comments: "ünï" }
    expect(await page.anime.updateMyListStatus(change)).toMatchObject({ num_episodes_watched: 3, tags: ["a", "b&c"] })
    await page.anime.deleteFromList({ id: 30230 })
    await expect(page.anime.get({ id: 999_999 })).rejects.toMatchObject({ status: 404 })
    await expect(page.user.get({ username: "bob" })).rejects.toMatchObject({ status: 404 })
    await expect(page.manga.get({ id: 1 })).rejects.toMatchObject({ status: 404 })
    expect(server.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain("cookie")
    expect(server.received.map(({ path }) => path.replace("/v2", ""))).toEqual([
      "/users/@me",
      "/anime/30230",
      "/anime",
      "/anime/30230/my_list_status",
      "/anime/30230/my_list_status",
      "/anime/999999"
    ])
    expect(server.errors).toEqual([])
  })

  test("returns JSON that no cache keeps and no other site reads", async () => {
    const { visitor } = await signedIn()
    const response = await visitor.send("/catalog/users/@me", { headers: { ...asPage, cookie2: "x" } })
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    })
  })

  test.each<[number, string, RequestInit?]>([
    // Paths: what is no operation of the list is nothing.
    [404, "/catalog"],
    [404, "/catalog/"],
    [404, "/catalogue/anime/1"],
    [404, "/catalog/anime/1/"],
    [404, "/catalog//anime/1"],
    [404, "/catalog/anime/abc"],
    [404, "/catalog/anime/1e3"],
    [404, "/catalog/anime/-1"],
    [404, "/catalog/anime/1%00"],
    [404, "/catalog/anime/season/2017/winter"],
    [404, "/catalog/anime/1%2F..%2F2"],
    [404, "/catalog/anime/1%5C..%5C2"],
    [404, "/catalog/anime/..%2Fforum"],
    [404, "/catalog/users/..%2Fbob/animelist"],
    [404, "/catalog/users/%252e%252e/animelist"],
    [404, "/catalog/users/a%252Fb/animelist"],
    [404, "/catalog/users/%2e%2e/animelist"],
    [404, "/catalog/users/%E0%A4%A/animelist"],
    [404, "/catalog/users/a%0D%0Ab/animelist"],
    [404, "/catalog/../catalog/../anime/1"],
    [404, "/catalog/oauth2/token"],
    [404, "/catalog/https://evil.example/anime/1"],
    [404, "/catalog/@evil.example/anime/1"],
    [404, "/catalog/anime/__proto__"],
    // Methods.
    [405, "/catalog/users/@me", { method: "POST", body: "a=b" }],
    [405, "/catalog/anime/1", { method: "PATCH" }],
    [405, "/catalog/anime/1", { method: "HEAD" }],
    [405, "/catalog/anime/1", { method: "OPTIONS" }],
    [405, "/catalog/anime/1", { method: "PROPFIND" }],
    // Inputs: what the operation does not declare is refused, and no option of a call comes from outside.
    [400, "/catalog/anime/30230?limit=1"],
    [400, "/catalog/anime/30230?timeout=1"],
    [400, "/catalog/anime/30230?accessToken=x"],
    [400, "/catalog/anime/30230?headers=x"],
    [400, "/catalog/anime/30230?signal=x"],
    [400, "/catalog/anime/30230?id=2"],
    [400, "/catalog/anime/30230?__proto__=x"],
    [400, "/catalog/anime/30230?constructor=x"],
    [400, "/catalog/anime/30230?fields=mean&fields=rank"],
    [400, "/catalog/anime?q=diamond&nsfw=gray"],
    [400, "/catalog/anime?q="],
    [400, "/catalog/anime"],
    [200, "/catalog/anime/30230?"],
    [200, "/catalog/anime?q=diamond&limit=2&offset=1&nsfw=true&fields=mean"],
    [200, "/catalog/anime/ranking?ranking_type=all"],
    [200, "/catalog/anime/suggestions?limit=1"],
    [200, "/catalog/users/%40me"],
    // Writes.
    [400, "/catalog/anime/1/my_list_status", { method: "PATCH", headers: form, body: "" }],
    [400, "/catalog/anime/1/my_list_status", { method: "PATCH", headers: form, body: "id=2&score=1" }],
    [400, "/catalog/anime/1/my_list_status", { method: "PATCH", headers: form, body: "score=1&score=2" }],
    [400, "/catalog/anime/1/my_list_status?score=3", { method: "PATCH", headers: form, body: "score=1" }],
    [
      413,
      "/catalog/anime/1/my_list_status",
      { method: "PATCH", headers: form, body: `comments=${"a".repeat(70_000)}` }
    ],
    [415, "/catalog/anime/1/my_list_status", { method: "PATCH", headers: asPage, body: '{"score":1}' }],
    [200, "/catalog/anime/30230/my_list_status", { method: "PATCH", headers: form, body: "score=7" }],
    [204, "/catalog/anime/30230/my_list_status", { method: "DELETE", headers: asPage }]
  ])("responds with %i to %s", async (status, path, init) => {
    const { server, visitor } = await signedIn()
    const response = await visitor.send(path, { headers: asPage, ...init })
    expect(response.status).toBe(status)
    if (status >= 400) {
      expect(server.received).toEqual([])
      expect(await response.text()).not.toMatch(/catalog[.]test|Bearer/)
    }
  })

  test.each<[string, "read" | "write", number, Record<string, string>]>([
    ["a page of the site", "read", 200, { "sec-fetch-site": "same-origin" }],
    ["the address bar", "read", 200, { "sec-fetch-site": "none" }],
    ["an old browser", "read", 200, {}],
    ["another site", "read", 403, { "sec-fetch-site": "cross-site" }],
    ["a subdomain", "read", 403, { "sec-fetch-site": "same-site" }],
    ["a page of the site", "write", 200, { "sec-fetch-site": "same-origin" }],
    ["an old browser", "write", 200, { origin: site }],
    ["the address bar", "write", 403, { "sec-fetch-site": "none" }],
    ["another site", "write", 403, { "sec-fetch-site": "cross-site", origin: site }],
    ["an old browser elsewhere", "write", 403, { origin: "https://evil.example" }],
    ["nobody", "write", 403, {}]
  ])("lets %s %s: %i", async (_, kind, status, headers) => {
    const { visitor } = await signedIn()
    const response =
      kind === "read"
        ? await visitor.send("/catalog/users/@me", { headers })
        : await visitor.send("/catalog/anime/30230/my_list_status", {
            method: "PATCH",
            headers: { ...headers, "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
            body: "score=7"
          })
    expect(response.status).toBe(status)
  })

  test("refuses who is not signed in, with a status that a page understands", async () => {
    const server = serving()
    const stranger = browser(server)
    expect((await stranger.send("/catalog/users/@me", { headers: asPage })).status).toBe(401)
    stranger.cookies.set("__Host-catalog-visitor", "v".repeat(43))
    expect((await stranger.send("/catalog/users/@me", { headers: asPage })).status).toBe(401)
    expect([server.received, server.errors]).toEqual([[], []])
  })

  test.each<[string, object]>([
    [
      'createHandlers: proxy: "anime.gte" is not an operation: did you mean "anime.get"?',
      { operations: ["anime.gte"] }
    ],
    [
      "createHandlers: proxy: anime.updateMyListStatus belongs to writes, not to operations",
      { operations: ["anime.updateMyListStatus"] }
    ],
    [
      "createHandlers: proxy: anime.get belongs to operations, not to writes",
      { operations: [], writes: ["anime.get"] }
    ],
    [
      'createHandlers: proxy: prefix must be a path of the site, for example "/", but it is "//evil"',
      { operations: [], prefix: "//evil" }
    ]
  ])("throws: %s", (message, proxy) => {
    expect(() => serving({ proxy: { prefix: "/catalog", ...proxy } as never })).toThrow(new TypeError(message))
  })

  test("without a visitor adds the credentials of its catalog, and reads alone pass", async () => {
    const { fetch, received } = serving()
    const catalog = createCatalog({ fetch, profile, clientId: "embedded-client", policies: [Resilience.dedupe()] })
    const proxy = createProxy({ catalog, prefix: "/catalog/", operations: ["anime.get", "user.me"] })
    const get = (path: string, headers: HeadersInit = {}) => proxy(new Request(`http://0.0.0.0${path}`, { headers }))
    expect(await (await get("/catalog/anime/30230")).json()).toMatchObject({ id: 30230 })
    expect(received.length).toBe(1)
    expect((await get("/catalog/anime/30230", { "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await get("/catalog/users/@me")).status).toBe(401)
    expect((await get("/anime/30230")).status).toBe(404)
    const writes = { catalog, prefix: "/catalog", operations: ["anime.deleteFromList" as const] }
    expect(() => createProxy(writes)).toThrow("belongs to writes")
  })
})

test.each<[number, unknown]>([
  [429, TestError.rest({ status: 429, retryAfter: 1_500 })],
  [404, TestError.rest({ status: 404 })],
  [502, TestError.rest({ status: 500, body: "secret" })],
  [504, TestError.network({ reason: "Timeout" })],
  [503, TestError.network({ reason: "CircuitOpen" })],
  [503, TestError.network({ reason: "Cancelled" })],
  [502, TestError.network({ reason: "Transport" })]
])("an error becomes a response with %i, without its message", async (status, error) => {
  const response = errorResponse(error)
  expect(response?.status).toBe(status)
  expect(await response?.text()).not.toMatch(/secret|myanimelist/)
  expect(response?.headers.get("retry-after")).toBe(status === 429 ? "2" : null)
})

test("a mistake of the program is no response", () => {
  expect(errorResponse(new TypeError("x"))).toBeUndefined()
})

test.each<[string, Given]>([
  [
    'createHandlers: afterSignIn must be a path of the site, for example "/", but it is "https://evil.example"',
    { afterSignIn: "https://evil.example" }
  ],
  ['createHandlers: failed must be a path of the site, for example "/", but it is "/\\\\evil"', { failed: "/\\evil" }],
  ['createHandlers has no option "afterLogin"', { afterLogin: "/" } as Given]
])("throws: %s", (message, given) => {
  expect(() => serving(given)).toThrow(message)
})

test.each(["http://app.example/callback", "app:callback"])("a site at %s cannot have safe cookies", (redirectUri) => {
  const { auth } = serving({ redirectUri })
  expect(() => auth.visitorOf(new Request(site))).toThrow(/needs a redirectUri with https:, or on this machine/)
})

test("a path that is none of the site's is not handled", () => {
  const { auth }: { readonly auth: Handlers } = serving()
  for (const path of ["/", "/login/", "//login", "/toString", "/constructor"]) {
    expect(auth.handle(new Request(site + path))).toBeUndefined()
  }
})
