import { createCatalog } from "@catalog-client/node"
import { EmbeddedServer, serve, type ServeOptions } from "@catalog-client/node/testing"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { once } from "node:events"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

const verifier = "0123456789012345678901234567890123456789012"

const queryOf = (redirectUri: string) =>
  new URLSearchParams({
    response_type: "code",
    client_id: "embedded-client",
    redirect_uri: redirectUri,
    state: "a state",
    code_challenge: verifier
  })

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A program on this machine that waits for a user to come back from the sign-in. */
const listen = async () => {
  const visits: Array<URL> = []
  const server = createServer((request, response) => {
    visits.push(new URL(request.url ?? "", "http://localhost"))
    response.end("back")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { visits, redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` }
}

const start = async (redirectUri: string, options: ServeOptions["oauth"] = {}) => {
  const service = await serve({
    oauth: { clients: { "embedded-client": { redirectUris: [redirectUri] } }, ...options }
  })
  onTestFinished(service.close)
  const post = (form: Record<string, string>) =>
    fetch(service.tokenUrl, {
      method: "POST",
      body: new URLSearchParams({ client_id: "embedded-client", ...form })
    })
  const exchange = async (code: string) => {
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }
    return (await (await post(grant)).json()) as Tokens
  }
  return { ...service, exchange, post }
}

describe("the sign-in on a port", () => {
  it("redirects to the program, and its tokens work for a catalog", async () => {
    const { redirectUri, visits } = await listen()
    const service = await start(redirectUri)
    const { origin } = new URL(service.url)
    expect([service.authorizeUrl, service.tokenUrl]).toEqual([
      `${origin}/v1/oauth2/authorize`,
      `${origin}/v1/oauth2/token`
    ])
    // Redirects at once, and fetch goes after it as a browser does.
    expect(await (await fetch(`${service.authorizeUrl}?${queryOf(redirectUri)}`)).text()).toBe("back")
    expect(visits.map(({ searchParams }) => searchParams.get("state"))).toEqual(["a state"])
    const first = await service.exchange(visits[0]?.searchParams.get("code") ?? "")
    await using catalog = createCatalog({ baseUrl: service.url, accessToken: first.access_token })
    expect((await catalog.user.me()).name).toBe("sample_reader")
    const refreshed = await service.post({ grant_type: "refresh_token", refresh_token: first.refresh_token })
    expect(refreshed.status).toBe(200)
    await expect(catalog.user.me()).rejects.toMatchObject({ status: 401 })
    catalog.accessToken = ((await refreshed.json()) as Tokens).access_token
    expect((await catalog.user.me()).name).toBe("sample_reader")
  })

  it("asks on a page with the option", async () => {
    const { redirectUri, visits } = await listen()
    const { authorizeUrl, exchange } = await start(redirectUri, { consent: "page" })
    const url = `${authorizeUrl}?${queryOf(redirectUri)}`
    const page = await fetch(url)
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${new URL(redirectUri).origin};`)
    expect(await page.text()).toContain('<button name="decision" value="allow">')
    expect(visits).toEqual([])
    for (const decision of ["deny", "allow"]) {
      const body = new URLSearchParams({ decision })
      expect(await (await fetch(url, { method: "POST", body })).text()).toBe("back")
    }
    expect(visits.map(({ searchParams }) => searchParams.get("error"))).toEqual(["access_denied", null])
    expect(await exchange(visits[1]?.searchParams.get("code") ?? "")).toHaveProperty("access_token")
  })

  it("responds to a query of 1 MB, and continues", async () => {
    const { redirectUri } = await listen()
    const { authorizeUrl } = await start(redirectUri)
    const url = `${authorizeUrl}?${queryOf(redirectUri)}&x=${"x".repeat(1_000_000)}`
    const status = await new Promise((resolve) => {
      const request = httpRequest(url, { agent: false }, (response) => resolve(response.resume().statusCode))
      // The connection may be closed while the query is still being sent.
      request.on("error", ({ message }) => resolve(message))
      request.end()
    })
    expect(["431", "read ECONNRESET", "write EPIPE", "write ECONNRESET"]).toContain(String(status))
    expect((await fetch(`${authorizeUrl}?${queryOf(redirectUri)}`)).status).toBe(200)
  })

  it.scoped("expires tokens by the clock of the fiber that starts it", () =>
    Effect.gen(function* () {
      const callback = "http://localhost:8080/callback"
      const { authorizeUrl, tokenUrl, url } = yield* EmbeddedServer.make({ oauth: { accessTokenLifetime: "1 hour" } })
      const send = (target: string, init: RequestInit) =>
        Effect.promise(() => fetch(target, { redirect: "manual", ...init }))
      const authorized = yield* send(`${authorizeUrl}?${queryOf(callback)}`, {})
      const form = {
        grant_type: "authorization_code",
        client_id: "embedded-client",
        redirect_uri: callback,
        code: new URL(authorized.headers.get("location") ?? "").searchParams.get("code") ?? "",
        code_verifier: verifier
      }
      const replied = yield* send(tokenUrl, { method: "POST", body: new URLSearchParams(form) })
      const tokens = (yield* Effect.promise(() => replied.json())) as Tokens
      const me = send(`${url}/users/@me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
      yield* TestClock.adjust("59 minutes")
      expect((yield* me).status).toBe(200)
      yield* TestClock.adjust("1 minute")
      expect((yield* me).status).toBe(401)
    })
  )
})
