/**
 * The sign-in: an authorization server that behaves like the live one. It follows league/oauth2-server 7, whose errors differ
 * from those of RFC 6749: they have `message` and `hint`, a dead refresh token is 401 `invalid_request`, and only the denial of
 * an authorization is sent to the client.
 */
import * as Effect from "effect/Effect"
import { millisOf } from "@catalog-client/core/internal"
import type { OAuthEndpoint, OAuthOptions, ReceivedRequest } from "../../Options.js"
import type { TokenReply } from "../../Quirks.js"
import type { Grants } from "./access.js"
import { authorize, type Client, clientOf, type Code, type SignIn } from "./authorization.js"
import { encodeBase64Url, encodeHex, randomBytes } from "../base64.js"
import {
  basicOf,
  formOf,
  invalidClient,
  invalidRequest,
  lastOf,
  unsupportedGrant,
  verifierPattern
} from "./oauthRequests.js"
import { withRefusals, json, Refusal, type ServiceResponse, withHeaders } from "./response.js"
import type { Account } from "./store.js"

interface RefreshToken {
  readonly clientId: string
  readonly account: Account
  readonly expiresAt: number
  readonly accessToken: string
  isRevoked: boolean
}

const minute = 60_000
const day = 24 * 60 * minute

export const authorizePath = "/v1/oauth2/authorize"
export const tokenPath = "/v1/oauth2/token"

/** Whether a user can be asked: the page sends its form with POST. */
const mayAsk = ({ consent }: OAuthOptions): boolean => consent === "page" || typeof consent === "function"

/** The endpoints of the sign-in under a path, by method; `undefined` for any other path. */
export const oauthEndpointsAt = (
  path: string,
  options: OAuthOptions
): ReadonlyMap<string, OAuthEndpoint> | undefined => {
  if (path === tokenPath) {
    return new Map([["POST", "oauth.token"]])
  }
  if (path !== authorizePath) {
    return undefined
  }
  // The page's form is sent to the URL of the page.
  return new Map((mayAsk(options) ? ["GET", "POST"] : ["GET"]).map((method) => [method, "oauth.authorize"]))
}

export const oauthEndpoints: ReadonlyArray<OAuthEndpoint> = ["oauth.authorize", "oauth.token"]

const deadRefreshToken = (hint: string) => new Refusal(401, "invalid_request", "The refresh token is invalid.", hint)

/** A refresh token with the length and the characters of the live service's. */
const newRefreshToken = (): string => `def50200${encodeHex(randomBytes(496))}`
const newAccessToken = (): string => [27, 459, 258].map((length) => encodeBase64Url(randomBytes(length))).join(".")

const sha256 = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => encodeBase64Url(new Uint8Array(digest))
  )

/** The client that sends a token request. */
const authenticate = (signIn: SignIn, request: ReceivedRequest, form: URLSearchParams): Client => {
  const basic = basicOf(request)
  for (const sent of basic.length === 0 ? [undefined] : basic) {
    const id = lastOf(form, "client_id") ?? sent?.id
    if (id === undefined) {
      throw invalidRequest("client_id")
    }
    const client = clientOf(signIn, id)
    const secret = lastOf(form, "client_secret") ?? sent?.secret
    if (client !== undefined && (client.secret === undefined || client.secret === secret)) {
      return client
    }
  }
  throw invalidClient()
}

/** The code of a token request, if it may be redeemed. `hashed` is the hash of the verifier. */
const codeOf = (
  codes: ReadonlyMap<string, Code>,
  client: Client,
  form: URLSearchParams,
  hashed: string | undefined,
  now: number
): Code => {
  const value = lastOf(form, "code")
  if (value === undefined) {
    throw invalidRequest("code")
  }
  const code = codes.get(value)
  if (code === undefined) {
    throw invalidRequest("code", "Cannot decrypt the authorization code")
  }
  const { authorization, expiresAt } = code
  if (expiresAt <= now) {
    throw invalidRequest("code", "Authorization code has expired")
  }
  if (code.isSpent) {
    throw invalidRequest("code", "Authorization code has been revoked")
  }
  if (authorization.client.id !== client.id) {
    throw invalidRequest("code", "Authorization code was not issued to this client")
  }
  const redirectUri = lastOf(form, "redirect_uri")
  if (authorization.redirectUri !== redirectUri) {
    throw invalidRequest("redirect_uri", redirectUri === undefined ? undefined : "Invalid redirect URI")
  }
  const verifier = lastOf(form, "code_verifier")
  if (verifier === undefined || !verifierPattern.test(verifier)) {
    throw invalidRequest("code_verifier")
  }
  if (authorization.challenge !== (authorization.method === "S256" ? hashed : verifier)) {
    throw new Refusal(
      400,
      "invalid_grant",
      "The grant is invalid, expired or revoked, or belongs to another request.",
      "Failed to verify `code_verifier`."
    )
  }
  return code
}

/** The refresh token of a token request, if it may be redeemed. */
const refreshTokenOf = (
  refreshTokens: ReadonlyMap<string, RefreshToken>,
  client: Client,
  form: URLSearchParams,
  now: number
): RefreshToken => {
  const value = lastOf(form, "refresh_token")
  if (value === undefined) {
    throw invalidRequest("refresh_token")
  }
  const token = refreshTokens.get(value)
  if (token === undefined) {
    throw deadRefreshToken("Cannot decrypt the refresh token")
  }
  if (token.clientId !== client.id) {
    throw deadRefreshToken("Token is not linked to client")
  }
  if (token.expiresAt <= now) {
    throw deadRefreshToken("Token has expired")
  }
  if (token.isRevoked) {
    throw deadRefreshToken("Token has been revoked")
  }
  return token
}

const tokenReply = (accessToken: string, refreshToken: string, lifetime: number): TokenReply => ({
  token_type: "Bearer",
  expires_in: Math.floor(lifetime / 1000),
  access_token: accessToken,
  refresh_token: refreshToken
})

/** The endpoints of one instance of the service. */
export const makeOAuth = (
  signIn: SignIn & { readonly grants: Grants; readonly now: Effect.Effect<number> }
): ((endpoint: OAuthEndpoint, request: ReceivedRequest) => Effect.Effect<ServiceResponse>) => {
  const { grants, options, quirks } = signIn
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, RefreshToken>()
  const codeLifetime = millisOf(options.codeLifetime) ?? 10 * minute
  const accessTokenLifetime = millisOf(options.accessTokenLifetime) ?? 31 * day
  const refreshTokenLifetime = millisOf(options.refreshTokenLifetime) ?? 31 * day

  const issue = (clientId: string, account: Account, now: number): TokenReply => {
    const [accessToken, refreshToken] = [newAccessToken(), newRefreshToken()]
    grants.tokens.set(accessToken, { account, expiresAt: now + accessTokenLifetime })
    const expiresAt = now + refreshTokenLifetime
    refreshTokens.set(refreshToken, { clientId, account, expiresAt, accessToken, isRevoked: false })
    return tokenReply(accessToken, refreshToken, accessTokenLifetime)
  }

  /** Does not wait between reading and revoking a code or a token, because it may be redeemed only once. */
  const reply = (
    request: ReceivedRequest,
    form: URLSearchParams,
    hashed: string | undefined,
    now: number
  ): TokenReply => {
    const type = lastOf(form, "grant_type")
    if (type !== "authorization_code" && type !== "refresh_token") {
      throw unsupportedGrant()
    }
    const client = authenticate(signIn, request, form)
    if (type === "refresh_token") {
      const token = refreshTokenOf(refreshTokens, client, form, now)
      // If the refresh token is redeemed again, this access token was revoked before.
      grants.tokens.delete(token.accessToken)
      token.isRevoked = quirks.strictRotation === true
      return issue(client.id, token.account, now)
    }
    const code = codeOf(codes, client, form, hashed, now)
    code.isSpent = true
    return issue(client.id, code.account, now)
  }

  return (endpoint, request) =>
    Effect.gen(function* () {
      const form = yield* formOf(request)
      const now = yield* signIn.now
      if (endpoint === "oauth.token") {
        const verifier = quirks.s256 === true ? lastOf(form, "code_verifier") : undefined
        const issued = reply(request, form, verifier === undefined ? undefined : yield* sha256(verifier), now)
        return json(quirks.tokenReply === undefined ? issued : quirks.tokenReply(issued))
      }
      return authorize(signIn, request, form, (code, granted) => {
        codes.set(code, { ...granted, expiresAt: now + codeLifetime, isSpent: false })
      })
    }).pipe(
      withRefusals,
      Effect.map((response) => withHeaders(response, { "cache-control": "no-store", pragma: "no-cache" }))
    )
}
