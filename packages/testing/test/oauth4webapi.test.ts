/** Another client, which follows the RFCs, signs in to the embedded service. */
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/testing"
import * as oauth from "oauth4webapi"
import { describe, expect, test } from "vitest"
import { start } from "./service.js"

const issuer = "https://auth.example"
const redirectUri = "http://localhost:8080/callback"
const client: oauth.Client = { client_id: "embedded-client" }

/** The service for one test, with what the client needs to know of it. */
const signIn = (options: EmbeddedCatalogOptions = {}) => {
  const { get, handler } = start({ ...options, quirks: { issuer, s256: true, ...options.quirks } })
  const { authorizeUrl, tokenUrl } = EmbeddedCatalog.oauthUrls(issuer)
  const server: oauth.AuthorizationServer = {
    issuer,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
    authorization_response_iss_parameter_supported: true
  }
  const sending: Pick<oauth.TokenEndpointRequestOptions, typeof oauth.customFetch> = {
    [oauth.customFetch]: (url, { body, headers, method }) =>
      handler(new Request(url, { headers, method, ...(body !== undefined && { body: String(body) }) }))
  }

  /** What the service redirects to, validated by the client. */
  const authorize = async (method: string, verifier: string) => {
    const state = oauth.generateRandomState()
    const url = new URL(authorizeUrl)
    url.search = String(
      new URLSearchParams({
        client_id: client.client_id,
        response_type: "code",
        redirect_uri: redirectUri,
        state,
        code_challenge: method === "S256" ? await oauth.calculatePKCECodeChallenge(verifier) : verifier,
        code_challenge_method: method
      })
    )
    const response = await handler(new Request(url))
    return oauth.validateAuthResponse(server, client, new URL(response.headers.get("location") ?? "missing:"), state)
  }

  const exchange = async (parameters: URLSearchParams, verifier: string) => {
    const given = [server, client, oauth.None(), parameters, redirectUri, verifier, sending] as const
    const response = await oauth.authorizationCodeGrantRequest(...given)
    return oauth.processAuthorizationCodeResponse(server, client, response)
  }

  const refresh = async (refreshToken = "missing") =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, sending)
    )

  const me = async (accessToken: string) => (await get("/users/@me", { authorization: `Bearer ${accessToken}` })).status

  return { authorize, exchange, me, refresh }
}

describe("oauth4webapi", () => {
  test.each(["S256", "plain"])("signs in with %s, and refreshes", async (method) => {
    const { authorize, exchange, me, refresh } = signIn()
    const verifier = oauth.generateRandomCodeVerifier()
    const first = await exchange(await authorize(method, verifier), verifier)
    expect([first.token_type, first.expires_in, await me(first.access_token)]).toEqual(["bearer", 2_678_400, 200])
    const second = await refresh(first.refresh_token)
    expect([await me(first.access_token), await me(second.access_token)]).toEqual([401, 200])
    expect(await me((await refresh(first.refresh_token)).access_token)).toBe(200)
  })

  test("gets the denial of the user", async () => {
    const { authorize } = signIn({ oauth: { consent: "deny" } })
    await expect(authorize("plain", oauth.generateRandomCodeVerifier())).rejects.toMatchObject({
      code: oauth.AUTHORIZATION_RESPONSE_ERROR,
      error: "access_denied"
    })
  })

  test("requires an issuer, which the live service does not send", async () => {
    const { authorize } = signIn({ quirks: { s256: true, issuer: "https://elsewhere.example" } })
    await expect(authorize("plain", oauth.generateRandomCodeVerifier())).rejects.toMatchObject({
      code: oauth.INVALID_RESPONSE
    })
  })
})
