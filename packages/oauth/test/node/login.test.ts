/**
 * The number of a title is the row of docs/faults.md that it proves.
 */
import { createSession, type LoginOptions } from "catalog-client/oauth"
import { CatalogConfig, ClientNetworkError, type ServiceProfile } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import {
  Login,
  type LoginOptions as LoopbackOptions,
  type OAuth,
  OAuthSession,
  type Tokens,
  TokenStore
} from "@catalog-client/oauth/node"
import { Cause, Context, Effect, Exit, Layer, ManagedRuntime, Redacted, TestClock, TestContext } from "effect"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { type IncomingHttpHeaders, request as httpRequest } from "node:http"
import { connect, createServer, Server } from "node:net"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { eventually, rejection } from "../../../core/test/support/eventually.js"
import { fork, join } from "../../../core/test/support/fibers.js"
import { freePort } from "../../../../test/freePort.mjs"
import { newFolder } from "../../../core/test/support/newFolder.js"
import { backFrom, clientId, effectsOf, leadIn, serveSignIn } from "../support/signIn.js"
import { onlyEffect } from "../../../core/test/support/only.js"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

type ServeOptions = Parameters<typeof serveSignIn>[1]

type Login = (options?: LoginOptions, signal?: AbortSignal) => Promise<Tokens>

const layerOf = (profile: ServiceProfile, options: Partial<OAuth.OAuthClient>) =>
  OAuthSession.layer({ clientId, ...options }).pipe(
    Layer.provide(TokenStore.layerMemory),
    Layer.provideMerge(CatalogNode.layer),
    Layer.provide(CatalogConfig.layer({ profile }))
  )

const openEffect = (profile: ServiceProfile, options: Partial<OAuth.OAuthClient>): Login => {
  const runtime = ManagedRuntime.make(layerOf(profile, options))
  onTestFinished(() => runtime.dispose())
  return async (options, signal) => {
    const exit = await runtime.runPromiseExit(Login.loopback(options && effectsOf(options)), signal && { signal })
    if (Exit.isFailure(exit)) {
      throw Cause.squash(exit.cause)
    }
    return exit.value
  }
}

const openPromise = (profile: ServiceProfile, options: Partial<OAuth.OAuthClient>): Login => {
  const session = createSession({ clientId, profile, ...options })
  onTestFinished(() => session.close())
  return (options, signal) => session.login({ ...options, signal })
}

const faces = [...onlyEffect([["Effect", openEffect]] as const), ["promise", openPromise]] as const

/** Opens a page as a browser does: it goes on from a file, and follows redirects. */
const visit = async (url: string) => {
  const response = await fetch(url.startsWith("file:") ? leadIn(url) : url)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A request as it is, to an address of this machine. */
const send = (
  url: string,
  { method = "GET", ...options }: { method?: string; host?: string; headers?: Record<string, string> } = {}
) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const { hostname, pathname, port, search } = new URL(url)
    const request = httpRequest(
      { agent: false, method, port, path: pathname + search, host: hostname.replace(/[[\]]/g, ""), ...options },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text }))
      }
    )
    request.once("error", reject)
    request.end()
  })

/** What is written to stderr from now on, until it is shown again. */
const capturing = () => {
  const written: Array<string> = []
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0)
  const until = async (millis: number) => {
    await eventually("the URL is printed", () => written.length > 0, millis)
    write.mockRestore()
    return written.join("")
  }
  return { until }
}

/** The service, for a redirect URI of a free port. */
const served = async (uri = (port: number) => `http://localhost:${port}/callback`, options: ServeOptions = {}) => {
  const port = await freePort()
  const redirectUri = uri(port)
  return { ...(await serveSignIn(redirectUri, options)), port, redirectUri }
}

/** Whether a port of this machine is free again. */
const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => resolve(true))
  })
  if (free) {
    await new Promise((resolve) => server.close(resolve))
  }
  return free
}

describe.each(faces)("a sign-in on this machine (%s)", (face, open) => {
  const start = async ({ uri, ...options }: ServeOptions & { uri?: (port: number) => string } = {}) => {
    const { redirectUri, ...service } = await served(uri, options)
    const login = open(service.profile, { redirectUri })
    /** A sign-in that has begun, with the URL that is opened and that of the sign-in; it is ended with the test. */
    const begin = async (options: LoginOptions = {}) => {
      let [fileUrl, url] = ["", ""]
      const controller = new AbortController()
      const signedIn = login(
        { openBrowser: (opened) => void (fileUrl = opened), onUrl: (told) => void (url = told), ...options },
        controller.signal
      )
      const settled = signedIn.then(
        () => "signed in",
        (error: unknown) => error
      )
      onTestFinished(async () => {
        controller.abort()
        await settled
      })
      await eventually(
        "the sign-in listens",
        () => url !== "" && (fileUrl !== "" || options.openBrowser !== undefined),
        20_000
      )
      return { controller, fileUrl, signedIn, settled, url }
    }
    return { ...service, begin, login, redirectUri }
  }

  /** A sign-in that has begun. */
  const begun = async (options?: Parameters<typeof start>[0], loginOptions?: LoginOptions) => {
    const started = await start(options)
    return { ...started, ...(await started.begin(loginOptions)) }
  }

  const isPending = async (settled: Promise<unknown>): Promise<boolean> =>
    (await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 50, "pending"))])) === "pending"

  test("opens the browser on a file, which leads on by a page of this machine, and shows what came of it", async () => {
    const { fileUrl, granted, port, redirectUri, signedIn, url } = await begun()
    const startUrl = leadIn(fileUrl)
    expect(startUrl).toMatch(new RegExp(`^http://127[.]0[.]0[.]1:${port}/[\\w-]{43}$`))
    const first = await send(startUrl)
    expect([first.status, first.headers["location"], first.text]).toEqual([302, url, ""])
    expect(new URL(url).searchParams.get("redirect_uri")).toBe(redirectUri)
    // Loaded again, it leads on again.
    expect((await send(startUrl)).headers["location"]).toBe(url)
    const page = await visit(fileUrl)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("You are signed in")])
    for (const headers of [Object.fromEntries(page.headers), first.headers]) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        connection: "close",
        "content-security-policy": "default-src 'none'",
        "referrer-policy": "no-referrer"
      })
    }
    const { accessToken, refreshToken = accessToken } = await signedIn
    expect([accessToken, refreshToken].map(Redacted.value)).toEqual(granted)
    expect(await isFree(port)).toBe(true)
  })

  describe("against another user of the machine, who reads the arguments of its programs", () => {
    test("only the user can read the file, which contains no part of the URL and is removed", async () => {
      const { begin } = await start()
      const { fileUrl, signedIn, url } = await begin()
      const path = fileURLToPath(fileUrl)
      expect([path, dirname(path)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["600", "700"])
      const text = readFileSync(path, "utf8")
      for (const secret of ["state", "code_challenge"]) {
        expect(text).not.toContain(new URL(url).searchParams.get(secret))
      }
      await visit(fileUrl)
      await signedIn
      expect(existsSync(dirname(path))).toBe(false)
    })

    test("no address that can be guessed leads to the authorization URL", async () => {
      const { begin, port } = await start()
      const { fileUrl } = await begin()
      const { pathname } = new URL(leadIn(fileUrl))
      const names = ["/start", "/begin", "/", "/sign-in.html", new URL(fileUrl).pathname, "/undefined"]
      const guesses = [...names, pathname.toUpperCase(), pathname.slice(0, -1), `/${"A".repeat(43)}`, `${pathname}/`]
      for (const host of ["127.0.0.1", "[::1]"]) {
        for (const guess of guesses) {
          const { headers, status } = await send(`http://${host}:${port}${guess}`)
          expect([guess, status, headers["location"]]).toEqual([guess, 404, undefined])
        }
      }
      // Of two sign-ins, neither address is the other's.
      const other = await (await start()).begin()
      expect(new URL(leadIn(other.fileUrl)).pathname).not.toBe(pathname)
    })

    test.each([
      ["is opened", undefined],
      ["could be opened", () => false],
      ["could be started", () => Promise.reject(new Error("no browser"))]
    ])("there is no start page, and no file, if no browser %s", async (_, openBrowser) => {
      const folder = newFolder()
      vi.stubEnv("TMPDIR", folder)
      const { begin } = await start()
      let startUrl: string | undefined
      const opener = openBrowser && ((url: string) => ((startUrl = leadIn(url)), openBrowser()))
      await begin({ openBrowser: opener ?? false })
      if (opener !== undefined) {
        await eventually("the opener was asked", () => startUrl !== undefined)
      }
      await eventually("the file is removed", () => readdirSync(folder).length === 0)
      if (startUrl !== undefined) {
        expect((await send(startUrl)).status).toBe(404)
      }
    })
  })

  test("a browser that loads the start page without showing it gets nothing, and the URL is printed", async () => {
    const printed = capturing()
    const { login } = await start()
    let startUrl = ""
    const signedIn = login({ openBrowser: (url) => void (startUrl = leadIn(url)) })
    await eventually("the browser is opened", () => startUrl !== "")
    const speculative = [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      { purpose: "prefetch" },
      { "x-moz": "prefetch" },
      { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors", "sec-fetch-site": "cross-site" },
      { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" },
      { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" }
    ]
    for (const headers of speculative) {
      const refused = await send(startUrl, { headers })
      expect([refused.status, refused.headers["location"]]).toEqual([400, undefined])
    }
    // From a file, each address is one of another site.
    const shown = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" }
    const [url = ""] = /http:\S+/.exec(await printed.until(15_000)) ?? []
    expect((await send(startUrl, { headers: shown })).headers["location"]).toBe(url)
    expect((await visit(url)).text).toContain("You are signed in")
    await signedIn
  })

  test.each([
    ["http://127.0.0.1:PORT/a/b", "127.0.0.1"],
    ["http://localhost:PORT", "127.0.0.1"],
    ["http://[::1]:PORT/a?of=mine", "[::1]"]
  ])("goes by the redirect URI %s", async (uri, host) => {
    const { fileUrl, port, signedIn } = await begun({ uri: (port) => uri.replace("PORT", String(port)) })
    expect(new URL(leadIn(fileUrl)).host).toBe(`${host}:${port}`)
    expect((await visit(fileUrl)).text).toContain("You are signed in")
    await signedIn
  })

  test("listens with localhost on both of its addresses, with an address on that one alone", async () => {
    const { begin, port } = await start()
    await begin()
    for (const host of ["127.0.0.1", "[::1]"]) {
      expect((await send(`http://${host}:${port}/favicon.ico`)).status).toBe(404)
    }
    const other = await start({ uri: (port) => `http://127.0.0.1:${port}/callback` })
    await other.begin()
    await expect(send(`http://[::1]:${other.port}/favicon.ico`)).rejects.toThrow("ECONNREFUSED")
  })

  test.each([
    [undefined, /the session has no redirectUri/],
    ["https://localhost:8080/callback", /must be an http: URL of this machine/],
    ["http://app.example/callback", /must be an http: URL of this machine/],
    ["http://localhost.example/callback", /must be an http: URL of this machine/],
    ["my.app://callback", /must be an http: URL of this machine/],
    ["http://localhost:0/callback", /must be an http: URL of this machine/],
    ["http://user@localhost:8080/", /must be an http: URL of this machine/]
  ])("refuses the redirect URI %s as a mistake", async (redirectUri, message) => {
    const { profile } = await serveSignIn()
    const signedIn = open(profile, { redirectUri })({ openBrowser: false, onUrl: () => undefined })
    await expect(signedIn).rejects.toThrow(message)
    await expect(signedIn).rejects.toBeInstanceOf(TypeError)
  })

  test("refuses an option that it does not have", async () => {
    const { login } = await start()
    const options: object = { openBrowser: false, onUrl: () => undefined, timeout: 300 }
    const [called, names] = face === "promise" ? ["login", ", signal"] : ["Login.loopback", ""]
    await expect(login(options)).rejects.toThrow(
      new TypeError(`${called} has no option "timeout": it takes openBrowser, onUrl, paste, host${names}`)
    )
  })

  test("2: other redirects get a 400, and the sign-in keeps waiting", async () => {
    const { settled, signedIn, tokenRequests, url } = await begun()
    const good = await backFrom(url)
    const others = [
      good.replace(/state=[^&]+/, "state=another"),
      `${good}&code=another`,
      good.replace(/code=[^&]+/, "error=access_denied").replace(/state=[^&]+/, "state=another")
    ]
    for (const other of others) {
      const { status, text } = await send(other)
      expect([status, text]).toEqual([400, expect.stringContaining("does not belong to the sign-in")])
    }
    expect(await isPending(settled)).toBe(true)
    expect(tokenRequests).toEqual([])
    expect((await send(good)).status).toBe(200)
    await signedIn
  })

  test("3: the same redirect twice is exchanged once", async () => {
    const { signedIn, tokenRequests, url } = await begun({ faults: [{ on: "oauth.token", delay: 200 }] })
    const good = await backFrom(url)
    const first = send(good)
    await eventually("the exchange has begun", () => tokenRequests.length === 1)
    expect((await send(good)).text).toContain("This redirect was used before")
    expect((await first).status).toBe(200)
    await signedIn
    expect(tokenRequests).toHaveLength(1)
  })

  test.each([
    ["access_denied", "Denied"],
    ["temporarily_unavailable", "Callback"]
  ])(
    "4: the error %s ends a sign-in with the service's message, which the page does not show",
    async (error, reason) => {
      const { port, settled, signedIn, url } = await begun()
      const page = await send((await backFrom(url)).replace(/code=[^&]+/, `error=${error}&message=It+said+no`))
      await expect(signedIn).rejects.toMatchObject({
        _tag: "ClientAuthError",
        reason,
        serviceMessage: expect.stringContaining("It said no") as string
      })
      expect(page.status).toBe(400)
      expect(page.text).toContain("You are not signed in")
      expect(page.text).not.toContain("It said no")
      await settled
      expect(await isFree(port)).toBe(true)
    }
  )

  test("5: a page says success only after the exchange; a code that is not redeemed ends a sign-in with the service's error", async () => {
    const faults = [{ on: "oauth.token", status: 400, body: { error: "invalid_request", hint: "no" } }] as const
    const { fileUrl, settled, signedIn } = await begun({ faults })
    const page = await visit(fileUrl)
    await settled
    await expect(signedIn).rejects.toMatchObject({
      _tag: "ClientRestError",
      status: 400,
      operation: "OAuth.exchangeCode"
    })
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("You are not signed in")])
  })

  test.each(["127.0.0.1", "::1"])(
    "27: a port that is taken on %s, one of the addresses of localhost, ends a sign-in",
    async (address) => {
      const { login, port } = await start()
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(port, address, resolve))
      onTestFinished(() => void server.close())
      const error = await rejection(login({ openBrowser: false, onUrl: () => undefined }))
      expect(error).toBeInstanceOf(ClientNetworkError)
      expect(error).toMatchObject({ reason: "Transport", operation: "Login.loopback", cause: { code: "EADDRINUSE" } })
      const { message } = error as ClientNetworkError
      expect(message).toContain(`port ${port} cannot be used: another program uses it`)
      expect(message).toContain(
        `register another redirect URI with the service, for example http://localhost:${port + 1}/callback`
      )
      expect(message).not.toMatch(/baseUrl|network|CORS/)
      server.close()
      await eventually("all addresses are free", () => isFree(port))
    }
  )

  test("27: other requests get a response and change nothing", async () => {
    const { fileUrl, port, settled, signedIn, url } = await begun()
    const good = await backFrom(url)
    const path = new URL(good).pathname + new URL(good).search
    const at = (path: string) => `http://localhost:${port}${path}`
    const outcomes = [
      await send(at("/favicon.ico")),
      await send(at("/")),
      await send(good.replace("/callback", "/callback/")),
      await send(good.replace("/callback", "/CALLBACK")),
      await send(good, { method: "HEAD" }),
      await send(good, { method: "POST", headers: { "content-type": "text/plain" } }),
      await send(good, { method: "OPTIONS" }),
      await send(leadIn(fileUrl), { method: "HEAD" }),
      await send(leadIn(fileUrl), { headers: { host: "evil.example" } }),
      await send(good, { headers: { host: "evil.example" } }),
      await send(good, { headers: { host: `evil.example:${port}` } }),
      await send(good, { headers: { host: "localhost" } }),
      await send(at(`/callback?${"x".repeat(4_000)}`))
    ]
    expect(outcomes.map(({ status }) => status)).toEqual([404, 404, 404, 404, ...Array.from({ length: 9 }, () => 400)])
    expect(outcomes.map(({ headers }) => headers["content-security-policy"])).toEqual(
      outcomes.map(() => "default-src 'none'")
    )
    expect(outcomes.map(({ text }) => text).join()).not.toMatch(/code|evil|xxx/)
    expect(await isPending(settled)).toBe(true)
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
    await signedIn
  })

  test("27: a sign-in ends at once after success, despite 1 MB of query and 100 open connections", async () => {
    const { fileUrl, port, signedIn } = await begun()
    const long = await send(`http://127.0.0.1:${port}/callback?${"x".repeat(1_000_000)}`).then(
      ({ status }) => String(status),
      ({ message }: Error) => message
    )
    // The connection may be closed while the query is still being sent.
    expect(["431", "read ECONNRESET", "write EPIPE", "write ECONNRESET", "socket hang up"]).toContain(long)
    const sockets = Array.from({ length: 100 }, (_, nth) => {
      const socket = connect(port, "127.0.0.1", () => nth % 2 && socket.write("GET /callback HTTP/1.1\r\nhost: x\r\n"))
      return socket
    })
    let closed = 0
    for (const socket of sockets) {
      socket.on("error", () => {}).on("close", () => closed++)
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    const began = performance.now()
    expect((await visit(fileUrl)).text).toContain("You are signed in")
    await signedIn
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(await isFree(port)).toBe(true)
    await eventually("all connections are closed", () => closed === 100)
  })

  test.each([
    ["throws", () => Promise.reject(new Error("no browser"))],
    ["says that it opened nothing", () => false],
    ["opens nothing", () => undefined]
  ])("28: a sign-in continues if the opener %s", { timeout: 20_000 }, async (_, openBrowser) => {
    const printed = capturing()
    const { login } = await start()
    const signedIn = login({ openBrowser })
    const [url = ""] = /http:\S+/.exec(await printed.until(15_000)) ?? []
    await visit(url)
    await signedIn
  })

  test("says how a browser elsewhere can come back, unless a host or paste is set", async () => {
    vi.stubEnv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    const { login, port } = await start()
    const printedBy = async (options: LoginOptions) => {
      const printed = capturing()
      const controller = new AbortController()
      const ended = login(options, controller.signal).catch(() => undefined)
      const text = await printed.until(3_000)
      controller.abort()
      await ended
      return text.replace(/http:\/\/\S+/, "URL")
    }
    const plain = "To sign in, open this URL in a browser, and don't share it:\nURL\n"
    const called = face === "promise" ? "login" : "Login.loopback"
    const help = `If that browser cannot reach this program (a container, another machine), pass ${called}({ paste }), which asks for the URL at which it ends; for a container, publish the port (docker run -p 127.0.0.1:${port}:${port}) and pass ${called}({ host: "0.0.0.0" }).\n`
    expect(await printedBy({})).toBe(plain + help)
    expect(await printedBy({ host: "0.0.0.0" })).toBe(plain)
    const paste = () => new Promise<string>(() => void process.stderr.write("Address: "))
    expect(await printedBy({ paste })).toBe(`${plain}Address: `)
  })

  test("listens at the host that is set, for requests to the redirect URI alone", async () => {
    const { fileUrl, port, signedIn, url } = await begun({}, { host: "0.0.0.0" })
    const back = new URL(await backFrom(url))
    const elsewhere = `http://127.0.0.2:${port}${back.pathname}${back.search}`
    expect(await send(elsewhere)).toMatchObject({ status: 400 })
    // As a published port passes it on.
    expect(leadIn(fileUrl)).toMatch(`http://localhost:${port}/`)
    expect(await send(elsewhere, { headers: { host: `localhost:${port}` } })).toMatchObject({ status: 200 })
    await signedIn
    expect(await isFree(port)).toBe(true)
  })

  test.each(["", "localhost", "0.0.0.0:80", 1])("%j is no host to listen on", async (host) => {
    const { login } = await start()
    await expect(login({ host: host as string })).rejects.toThrow(
      /^Login[.]loopback: host must be an IP address to listen on, for example 0[.]0[.]0[.]0, but it is /
    )
  })

  test.each<[string, (url: URL, code: string) => string]>([
    ["only the code", (_, code) => code],
    ["a code that a terminal has wrapped", (_, code) => `${code.slice(0, 80)}\r\n  ${code.slice(80)}\n`],
    ["code= without a state", (_, code) => `code=${code}`],
    ["an address that was cut off before the state", (url, code) => `${url.origin}${url.pathname}?code=${code}`],
    ["an address in quotes", ({ href }) => `"${href}"`],
    ["an address in typographic quotes", ({ href }) => `\u201c${href}\u201d`],
    ["an address in < >", ({ href }) => ` <${href}>\n`],
    ["an address from HTML", ({ href }) => href.replaceAll("&", "&amp;")],
    ["an address with an invisible character", ({ href }) => `\u200b${href}\ufeff`],
    ["the query without ?", ({ search }) => search.slice(1)],
    ["an address without http:", ({ href }) => href.slice("http://".length)],
    ["path and query", ({ pathname, search }) => pathname + search]
  ])("28: a pasted redirect is understood: %s", async (_, written) => {
    const { login } = await start()
    let url = ""
    const paste = async () => {
      const back = new URL(await backFrom(url))
      return written(back, back.searchParams.get("code") ?? "")
    }
    expect(await login({ openBrowser: false, onUrl: (told) => void (url = told), paste })).toHaveProperty("accessToken")
  })

  test("28: other pasted text is rejected with advice, and none of it is sent", async () => {
    const { login, port, tokenRequests } = await start()
    let url = ""
    const others: Array<() => string> = [
      () => "I do not know",
      () => "",
      () => "8fd3a1b2c4d5e6f708192a3b4c5d6e7f",
      () => `http://localhost:${port}/callback`,
      () => url,
      () => `http://localhost:${port}/callback?state=x&code=y`
    ]
    const refusals: Array<Error> = []
    const paste = async (_: AbortSignal, refused: Error | undefined) => {
      refusals.push(...(refused === undefined ? [] : [refused]))
      return others.shift()?.() ?? backFrom(url)
    }
    await login({ openBrowser: false, onUrl: (told) => void (url = told), paste })
    expect(refusals).toHaveLength(6)
    expect(String(refusals.pop())).toContain("belongs to no pending sign-in")
    for (const refused of refusals) {
      expect(refused).toMatchObject({ _tag: "ClientAuthError", reason: "State", operation: "Login.loopback" })
      for (const message of [refused.message, JSON.stringify(refused)]) {
        expect(message).toMatch(/Paste the whole address .* or the code alone[.] See /)
      }
    }
    expect(tokenRequests).toHaveLength(1)
    expect(await isFree(port)).toBe(true)
  })

  test("28: a prompt for the URL is cancelled when the browser is quicker, and may fail", async () => {
    const { begin } = await start()
    let isAborted = false
    const { fileUrl, signedIn } = await begin({
      paste: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            isAborted = true
            reject(new Error("the terminal is closed"))
          })
        })
    })
    await visit(fileUrl)
    await signedIn
    expect(isAborted).toBe(true)
    const other = await begin({ paste: () => Promise.reject(new Error("no terminal")) })
    await visit(other.fileUrl)
    await other.signedIn
  })

  test("28: a cancelled sign-in frees its port", async () => {
    const { begin, port } = await start()
    const { controller, settled } = await begin()
    expect(await isFree(port)).toBe(false)
    controller.abort()
    await settled
    expect(await isFree(port)).toBe(true)
    const again = await begin()
    await visit(again.fileUrl)
    await again.signedIn
  })

  /** A machine that does not have these addresses. */
  const lack = (...addresses: ReadonlyArray<string>) => {
    const listen = Reflect.get(Server.prototype, "listen")
    vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...inputs: Array<unknown>) {
      const [{ host = "" }] = inputs as [{ readonly host?: string }]
      if (addresses.includes(host)) {
        setImmediate(() => this.emit("error", Object.assign(new Error("no such address"), { code: "EADDRNOTAVAIL" })))
        return this
      }
      return Reflect.apply(listen, this, inputs) as Server
    })
  }

  test("28: a machine with neither address of localhost cannot sign in", async () => {
    const { login, port } = await start()
    lack("127.0.0.1", "::1")
    const signedIn = login({ openBrowser: false, onUrl: () => undefined })
    await expect(signedIn).rejects.toMatchObject({ reason: "Transport", cause: { code: "EADDRNOTAVAIL" } })
    await expect(signedIn).rejects.toThrow(`port ${port} cannot be used: no such address.`)
  })

  test.each(["127.0.0.1", "::1"])("28: a machine whose localhost lacks %s can sign in", async (lacking) => {
    const { begin, port } = await start()
    lack(lacking)
    const { fileUrl, signedIn, url } = await begin()
    const startUrl = leadIn(fileUrl)
    expect(new URL(startUrl).host).toBe(`${lacking === "::1" ? "127.0.0.1" : "[::1]"}:${port}`)
    const back = await backFrom(url)
    const host = { host: new URL(back).host }
    expect((await send(back.replace("localhost", new URL(startUrl).hostname), { headers: host })).status).toBe(200)
    await signedIn
  })
})

test("28: a sign-in that is not finished in five minutes times out", async () => {
  const { port, profile, redirectUri } = await served()
  let isOpen = false
  const signingIn = Login.loopback({
    openBrowser: () => Effect.sync(() => (isOpen = true)),
    onUrl: () => Effect.void
  }).pipe(Effect.provide(layerOf(profile, { redirectUri })))
  const program = Effect.gen(function* () {
    const fiber = yield* fork(signingIn)
    yield* Effect.promise(() => eventually("it listens", () => isOpen))
    yield* TestClock.adjust("299 seconds")
    expect(yield* Effect.promise(() => isFree(port))).toBe(false)
    yield* TestClock.adjust("1 second")
    const error = yield* Effect.flip(join(fiber))
    expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "Timeout", timeoutMs: 300_000 })
    expect(String(error)).toMatch(/Login[.]loopback did not finish after 300000 ms/)
    expect(String(error)).toMatch(/If it asked for a user name and password, .* clientId or redirectUri/)
  })
  await Effect.runPromise(Effect.provide(program, TestContext.TestContext))
  expect(await isFree(port)).toBe(true)
})

/** What an Effect of a sign-in requires. */
class Browser extends Context.Tag("test/Browser")<Browser, (url: string) => Effect.Effect<void>>() {}

test("a sign-in runs the Effects of its options with what they require", async () => {
  const { profile, redirectUri } = await served()
  const told: Array<string> = []
  const signingIn = Login.loopback({
    openBrowser: (url) => Effect.flatMap(Browser, (visit) => Effect.as(visit(url), false)),
    onUrl: (url) => Effect.flatMap(Browser, (visit) => visit(url)),
    paste: (refused) =>
      Effect.gen(function* () {
        const visit = yield* Browser
        yield* visit(`paste, after ${refused?.reason}`)
        if (refused === undefined) {
          return "nothing"
        }
        // Otherwise the sign-in can end before the browser opens.
        yield* Effect.promise(() => eventually("it opens a browser", () => told.some((url) => url.startsWith("file:"))))
        const url = told.find((url) => url.startsWith("http:")) ?? ""
        return yield* Effect.promise(() => backFrom(url))
      })
  })
  const tokens = await signingIn.pipe(
    Effect.provide(layerOf(profile, { redirectUri })),
    Effect.provideService(Browser, (url) => Effect.sync(() => told.push(url))),
    Effect.runPromise
  )
  expect(Redacted.value(tokens.accessToken)).not.toBe("")
  expect(told).toContainEqual(expect.stringMatching(/^file:/))
  expect(told.filter((text) => text.startsWith("paste"))).toEqual(["paste, after undefined", "paste, after State"])
})

test.each([
  ["openBrowser", { openBrowser: () => Effect.fail("no display"), onUrl: () => Effect.void }],
  ["onUrl", { openBrowser: false, onUrl: () => Effect.fail("no display") }],
  ["paste", { openBrowser: false, onUrl: () => Effect.void, paste: () => Effect.fail("no display") }]
] satisfies ReadonlyArray<[string, LoopbackOptions<string>]>)(
  "a sign-in fails as the Effect of %s does",
  async (_, options: LoopbackOptions<string>) => {
    const { port, profile, redirectUri } = await served()
    const signingIn = Effect.provide(Login.loopback(options), layerOf(profile, { redirectUri }))
    expect(await Effect.runPromise(Effect.flip(signingIn))).toBe("no display")
    expect(await isFree(port)).toBe(true)
  }
)

describe("a session of promises", () => {
  test("that is closed ends its sign-in", async () => {
    const { port, profile, redirectUri } = await served()
    const session = createSession({ clientId, profile, redirectUri })
    let isOpen = false
    const signedIn = session.login({ openBrowser: () => (isOpen = true), onUrl: () => undefined })
    const failed = rejection(signedIn)
    await eventually("it listens", () => isOpen)
    await session.close()
    expect(await failed).toMatchObject({
      _tag: "ClientNetworkError",
      reason: "Cancelled",
      cause: { name: "AbortError", message: "the session was closed" }
    })
    expect(await isFree(port)).toBe(true)
    await expect(session.login()).rejects.toMatchObject({ reason: "Cancelled" })
  })

  test("is cancelled with the signal's reason", async () => {
    const { profile, redirectUri } = await served()
    await using session = createSession({ clientId, profile, redirectUri })
    const signal = AbortSignal.abort(new Error("enough"))
    await expect(session.login({ signal })).rejects.toMatchObject({
      reason: "Cancelled",
      url: redirectUri,
      cause: { message: "enough" }
    })
  })
})
