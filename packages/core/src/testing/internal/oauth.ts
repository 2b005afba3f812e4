/**
 * The sign-in: an authorization server that behaves like the live one. It follows league/oauth2-server 7, whose errors differ
 * from those of RFC 6749: they have `message` and `hint`, a dead refresh token is 401 `invalid_request`, and only the denial of
 * an authorization is sent to the client.
 */
import * as Effect from "effect/Effect"
import { millisOf } from "../../internal/common/duration.js"
import type { OAuthClient, OAuthEndpoint, OAuthOptions, ReceivedRequest } from "../Options.js"
import type { Quirks, TokenReply, UnlikeLive } from "../Quirks.js"
import type { Grants } from "./access.js"
import { decodeBase64, encodeBase64Url, encodeHex } from "./base64.js"
import { consentPage } from "./consentPage.js"
import { answered, empty, json, Refusal, type ServiceResponse, withHeaders } from "./response.js"
import type { Account } from "./store.js"

/** A registered client, with its identifier. */
interface Client extends OAuthClient {
  readonly id: string
}

/** The parameters of an authorization. */
interface Authorization {
  readonly client: Client
  /** As the request has it; the token request has to repeat it. */
  readonly redirectUri: string | undefined
  readonly target: string
  readonly state: string | undefined
  readonly challenge: string
  readonly method: string
}

interface Code {
  readonly authorization: Authorization
  readonly account: Account
  readonly expiresAt: number
  isSpent: boolean
}

interface RefreshToken {
  readonly clientId: string
  readonly account: Account
  readonly expiresAt: number
  accessToken: string
  isRevoked: boolean
}

/** The parts of the service that the sign-in uses. */
export interface OAuthService {
  readonly clients: ReadonlyMap<string, OAuthClient>
  readonly options: OAuthOptions
  readonly quirks: Quirks
  readonly unlikeLive: UnlikeLive
  readonly grants: Grants
  /** The user who signs in, unless `consent` names another. */
  readonly user: Account | undefined
  readonly accountNamed: (name: string) => Account | undefined
  readonly now: Effect.Effect<number>
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

export const isOAuthEndpoint = (name: string): name is OAuthEndpoint =>
  name === "oauth.authorize" || name === "oauth.token"

const invalidRequest = (parameter: string, hint = `Check the \`${parameter}\` parameter`) =>
  new Refusal(400, "invalid_request", "A parameter of the request is missing or invalid.", hint)

const unsupportedGrant = () =>
  new Refusal(
    400,
    "unsupported_grant_type",
    "The service does not support this grant type.",
    "Check the `grant_type` parameter"
  )

/** Its challenge makes a browser show a password dialog, also where it is the authorization page that refuses a client. */
const invalidClient = () =>
  new Refusal(401, "invalid_client", "Client authentication failed", undefined, {
    "www-authenticate": 'Basic realm="OAuth"'
  })

const deadRefreshToken = (hint: string) => new Refusal(401, "invalid_request", "The refresh token is invalid.", hint)

/** The form of a verifier by RFC 7636; of a challenge, too, since the plain one is the verifier. */
const verifierPattern = /^[\w.~-]{43,128}$/

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

/** With the length and the characters of the live ones. */
const newCode = (): string => `def50200${encodeHex(randomBytes(360))}`
const newRefreshToken = (): string => `def50200${encodeHex(randomBytes(496))}`
const newAccessToken = (): string => [27, 459, 258].map((length) => encodeBase64Url(randomBytes(length))).join(".")

const sha256 = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => encodeBase64Url(new Uint8Array(digest))
  )

/** If a parameter is repeated, the last one counts. */
const lastOf = (parameters: URLSearchParams, name: string): string | undefined => parameters.getAll(name).at(-1)

/** The form of a request; empty if the body is not a form. */
const formOf = ({ body, headers }: ReceivedRequest): Effect.Effect<URLSearchParams> => {
  const type = headers["content-type"] ?? ""
  if (!/^multipart\/form-data\b/i.test(type)) {
    return Effect.succeed(new URLSearchParams(/^application\/x-www-form-urlencoded\b/i.test(type) ? body : ""))
  }
  return Effect.tryPromise(() => new Response(body, { headers: { "content-type": type } }).formData()).pipe(
    Effect.map((data) => {
      const form = new URLSearchParams()
      data.forEach((value, name) => typeof value === "string" && form.append(name, value))
      return form
    }),
    Effect.orElseSucceed(() => new URLSearchParams())
  )
}

const decoded = (text: string): string => new URLSearchParams(`text=${text.replaceAll("&", "%26")}`).get("text") ?? ""

/**
 * HTTP Basic, for credentials that the form does not have: both parts decoded as from a form (RFC 6749, 2.3.1), then as they were
 * sent, since many clients do not encode them.
 */
const basicOf = ({ headers }: ReceivedRequest): ReadonlyArray<{ readonly id: string; readonly secret: string }> => {
  const encoded = /^Basic +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  const text = new TextDecoder().decode(decodeBase64(encoded ?? ""))
  const at = text.indexOf(":")
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)]
  return at < 0
    ? []
    : [
        { id: decoded(id), secret: decoded(secret) },
        { id, secret }
      ]
}

const notStored = { "cache-control": "no-store", pragma: "no-cache" }

/** A redirect to the client, its URI as it was registered. */
const redirect = (target: string, parameters: Readonly<Record<string, string | undefined>>) => {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
  const location = `${target}${target.includes("?") ? "&" : "?"}${query}`
  return empty(302, { ...notStored, location, "referrer-policy": "no-referrer" })
}

/** The endpoints of one instance of the service. */
export const makeOAuth = (
  service: OAuthService
): ((endpoint: OAuthEndpoint, request: ReceivedRequest) => Effect.Effect<ServiceResponse>) => {
  const { grants, options, quirks, unlikeLive } = service
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, RefreshToken>()
  const methods = unlikeLive.s256 === true ? ["plain", "S256"] : ["plain"]
  const codeLifetime = millisOf(options.codeLifetime) ?? 10 * minute
  const accessTokenLifetime = millisOf(options.accessTokenLifetime) ?? 31 * day
  const refreshTokenLifetime = millisOf(options.refreshTokenLifetime) ?? 31 * day

  const clientOf = (id: string): Client | undefined => {
    const client = service.clients.get(id)
    return client && { ...client, id }
  }

  const authorizationOf = ({ query }: ReceivedRequest): Authorization => {
    const id = lastOf(query, "client_id")
    if (lastOf(query, "response_type") !== "code") {
      throw unsupportedGrant()
    }
    if (id === undefined) {
      throw invalidRequest("client_id")
    }
    const client = clientOf(id)
    const redirectUri = lastOf(query, "redirect_uri")
    const [only, another] = client?.redirectUris ?? []
    const target =
      redirectUri === undefined && another === undefined
        ? only
        : client?.redirectUris.find((registered) => registered === redirectUri)
    if (client === undefined || target === undefined) {
      throw invalidClient()
    }
    const challenge = lastOf(query, "code_challenge")
    const method = lastOf(query, "code_challenge_method") ?? "plain"
    if (challenge === undefined) {
      throw invalidRequest("code_challenge", "Code challenge must be provided")
    }
    if (!methods.includes(method)) {
      const names = methods.map((name) => `\`${name}\``).join(", ")
      throw invalidRequest("code_challenge_method", `Code challenge method must be one of ${names}`)
    }
    if (!verifierPattern.test(challenge)) {
      throw invalidRequest("code_challenge", "Code challenge must be 43 to 128 unreserved characters")
    }
    return { client, redirectUri, target, state: lastOf(query, "state"), challenge, method }
  }

  /** The user who allows the client access; "asked" if the page comes first. */
  const consentOf = (request: ReceivedRequest, form: URLSearchParams): Account | "denied" | "asked" => {
    const { consent = "allow" } = options
    const given = typeof consent === "function" ? consent(request) : consent
    const decision = given === "page" ? decisionOf(request, form) : given
    if (decision === "deny") {
      return "denied"
    }
    if (decision === undefined) {
      return "asked"
    }
    const account = decision === "allow" ? service.user : service.accountNamed(decision)
    if (account !== undefined) {
      return account
    }
    throw new TypeError(
      decision === "allow"
        ? "consent must return the name of a user, because the dataset has none"
        : `consent must be "allow", "deny", "page" or the name of a user of the dataset, but it returned ${JSON.stringify(decision)}`
    )
  }

  const decisionOf = (request: ReceivedRequest, form: URLSearchParams): "allow" | "deny" | undefined => {
    if (request.method === "GET") {
      return undefined
    }
    const decision = lastOf(form, "decision")
    if (decision !== "allow" && decision !== "deny") {
      throw invalidRequest("decision")
    }
    return decision
  }

  const authorize = (request: ReceivedRequest, form: URLSearchParams, now: number): ServiceResponse => {
    const authorization = authorizationOf(request)
    const { client, state, target } = authorization
    const consent = consentOf(request, form)
    if (consent === "asked") {
      return consentPage(client.id, service.user?.record.name ?? "", target)
    }
    const iss = unlikeLive.issuer
    if (consent === "denied") {
      const message = "The user or the service denied the request."
      return redirect(target, { state, error: "access_denied", message, hint: "The user denied the request", iss })
    }
    const code = newCode()
    codes.set(code, { authorization, account: consent, expiresAt: now + codeLifetime, isSpent: false })
    return redirect(target, { code, state, iss })
  }

  /** The client that sends a token request. */
  const authenticate = (request: ReceivedRequest, form: URLSearchParams): Client => {
    const basic = basicOf(request)
    for (const sent of basic.length === 0 ? [undefined] : basic) {
      const id = lastOf(form, "client_id") ?? sent?.id
      if (id === undefined) {
        throw invalidRequest("client_id")
      }
      const client = clientOf(id)
      const secret = lastOf(form, "client_secret") ?? sent?.secret
      if (client !== undefined && (client.secret === undefined || client.secret === secret)) {
        return client
      }
    }
    throw invalidClient()
  }

  const issueAccessToken = (account: Account, now: number): string => {
    const token = newAccessToken()
    grants.tokens.set(token, { account, expiresAt: now + accessTokenLifetime })
    return token
  }

  const issue = (clientId: string, account: Account, now: number): TokenReply => {
    const accessToken = issueAccessToken(account, now)
    const refreshToken = newRefreshToken()
    const expiresAt = now + refreshTokenLifetime
    refreshTokens.set(refreshToken, { clientId, account, expiresAt, accessToken, isRevoked: false })
    return replyOf(accessToken, refreshToken)
  }

  const replyOf = (accessToken: string, refreshToken: string | undefined): TokenReply => ({
    token_type: "Bearer",
    expires_in: Math.floor(accessTokenLifetime / 1000),
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken })
  })

  const exchange = (client: Client, form: URLSearchParams, hashed: string | undefined, now: number): TokenReply => {
    const given = lastOf(form, "code")
    if (given === undefined) {
      throw invalidRequest("code")
    }
    const code = codes.get(given)
    if (code === undefined) {
      throw invalidRequest("code", "Cannot decrypt the authorization code")
    }
    const { account, authorization, expiresAt } = code
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
    code.isSpent = true
    return issue(client.id, account, now)
  }

  const refresh = (client: Client, form: URLSearchParams, now: number): TokenReply => {
    const given = lastOf(form, "refresh_token")
    if (given === undefined) {
      throw invalidRequest("refresh_token")
    }
    const token = refreshTokens.get(given)
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
    // Of a token that is redeemed again, the access token was revoked before.
    grants.tokens.delete(token.accessToken)
    if (unlikeLive.keepRefreshToken === true) {
      token.accessToken = issueAccessToken(token.account, now)
      return replyOf(token.accessToken, undefined)
    }
    token.isRevoked = unlikeLive.strictRotation === true
    return issue(client.id, token.account, now)
  }

  /** Runs without waiting between reading and revoking a code or a token, since it can be valid once. */
  const reply = (request: ReceivedRequest, form: URLSearchParams, hashed: string | undefined, now: number) => {
    const type = lastOf(form, "grant_type")
    if (type !== "authorization_code" && type !== "refresh_token") {
      throw unsupportedGrant()
    }
    const client = authenticate(request, form)
    const made = type === "refresh_token" ? refresh(client, form, now) : exchange(client, form, hashed, now)
    return json(quirks.tokenReply === undefined ? made : quirks.tokenReply(made))
  }

  const hashOf = (form: URLSearchParams): Effect.Effect<string | undefined> => {
    const verifier = lastOf(form, "code_verifier")
    return methods.includes("S256") && verifier !== undefined ? sha256(verifier) : Effect.succeed(undefined)
  }

  return (endpoint, request) =>
    Effect.gen(function* () {
      const form = yield* formOf(request)
      const now = yield* service.now
      return endpoint === "oauth.token" ? reply(request, form, yield* hashOf(form), now) : authorize(request, form, now)
    }).pipe(
      answered,
      Effect.map((response) => withHeaders(response, notStored))
    )
}
