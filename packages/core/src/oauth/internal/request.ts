/**
 * The request for tokens: one form to one URL, independent of the configuration of API calls.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AttemptError, ClientRestError } from "../../CatalogError.js"
import { anything } from "../../internal/model/schema.js"
import { exchange } from "../../internal/call/exchange.js"
import { Call } from "../../internal/declaration/call.js"
import { redactIn } from "../../internal/redaction/redactIn.js"
import { isSuccess, responseHeaders, restError, knownHeaders } from "../../internal/reply/errors.js"
import { contextOf, withFiber } from "../../internal/common/fiber.js"
import { mistake, show } from "../../internal/common/mistakes.js"
import { jsonIn, stringIn, urlIn } from "../../internal/common/values.js"
import type { Secret } from "../../internal/common/secret.js"
import { isLoopback } from "../../internal/credentials/credentials.js"
import { CatalogConfigTag, type CatalogSettings, initialSettings } from "../../internal/settings/settings.js"
import { observeAttempt, observeCall } from "../../internal/telemetry/spans.js"
import * as Client from "../../platform/httpClient.js"
import type { OAuthClient } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import { Tokens } from "../Tokens.js"
import { checkClient, checkPending } from "./client.js"
import { readTokens } from "./tokenReply.js"

/** The form of a request; members without a value are not sent. */
type Form = Readonly<Record<string, string | Secret | undefined>>

/** The largest response of a token endpoint, in bytes. */
const maxResponseBytes = 1024 * 1024

/** Characters of a string from the service that an error keeps. */
export const maxShownLength = 500

/** The URL, if it is safe to send secrets there. */
const secureUrl = (url: string): string => {
  const parsed = urlIn(url)
  const isSecure = parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isLoopback(parsed.hostname))
  if (parsed === undefined || !isSecure || parsed.username !== "" || parsed.password !== "" || parsed.hash !== "") {
    throw mistake(
      `profile.oauth.tokenUrl must be an absolute https: URL without a user name (http: is allowed only for this machine), but it is ${url.includes("@") ? "not" : show(url)}`
    )
  }
  return parsed.href
}

/** The service's message in an error response: `message`, or `error_description` of the RFC. */
export const saidIn = (json: unknown): string | undefined => {
  const texts = [stringIn(json, "message") ?? stringIn(json, "error_description"), stringIn(json, "hint")]
  return texts.filter((text) => text !== undefined && text !== "").join(" ") || undefined
}

/** The tokens in a response, or the error. */
const replyOf = (
  call: Call,
  status: number,
  body: string,
  clientId: string,
  previous: Tokens | undefined
): Effect.Effect<Tokens, ClientRestError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const json = jsonIn(body)
    const isDone = isSuccess(status)
    const found = isDone ? readTokens(json, clientId, now, previous?.refreshToken) : undefined
    if (found !== undefined && !("invalid" in found)) {
      return Effect.succeed(new Tokens(found))
    }
    // A success can contain tokens even if it is not a valid reply, so nothing of it is shown.
    const text = (value: string | undefined) =>
      isDone || value === undefined ? undefined : redactIn(call, value).slice(0, maxShownLength)
    const said = {
      error: text(stringIn(json, "error")),
      message: text(stringIn(json, "message") ?? stringIn(json, "error_description")),
      hint: text(stringIn(json, "hint"))
    }
    const shown = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
    return restError(call, {
      status,
      code: said.error,
      serviceMessage: saidIn(said),
      body: Object.keys(shown).length > 0 ? shown : undefined,
      ...(!isDone && { headers: responseHeaders(call, knownHeaders) }),
      ...(found !== undefined && { path: found.invalid })
    })
  })

/**
 * One request for tokens. An invalid client or URL is a defect. If the reply has no refresh token, the previous one stays
 * valid.
 */
const requestTokens = (
  operation: string,
  client: OAuthClient,
  form: Form,
  previous?: Tokens
): Effect.Effect<Tokens, AttemptError, Client.HttpClient> =>
  Effect.flatMap(Effect.zip(CatalogConfigTag, Client.HttpClient), ([{ profile }, http]) =>
    withFiber((fiber) => {
      const { clientId, clientSecret, headers, timeout } = checkClient(client, operation)
      // The configuration of API calls does not apply: no limits, no trace headers.
      const settings: CatalogSettings = { ...initialSettings, headers }
      const call = new Call(
        { name: operation, method: "POST", reply: anything, about: "tokens" },
        settings,
        contextOf(fiber)
      )
      const { grant_type, ...others } = form
      const all = { grant_type, client_id: Redacted.make(clientId), client_secret: clientSecret, ...others }
      const fields = Object.entries(all).filter(([, value]) => value !== undefined && value !== "")
      const parameters = new URLSearchParams(
        fields.map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : (value ?? "")])
      )
      call.request = { url: secureUrl(profile.oauth.tokenUrl), form: parameters.toString() }
      const secrets = [...fields.map(([, value]) => value), previous?.accessToken]
      call.secrets = secrets.filter((value) => Redacted.isRedacted(value))
      call.timeout = timeout
      call.maxResponseBytes = maxResponseBytes
      call.progress.attempts = 1
      const exchanged = exchange(call, http, false, (call, status, body) =>
        replyOf(call, status, body, clientId, previous)
      ) as Effect.Effect<Tokens, AttemptError>
      return observeCall(() => observeAttempt(exchanged, fiber, call), fiber, call)
    })
  )

export const exchangeCode = (client: OAuthClient, pending: PendingAuthorization, code: Secret) =>
  Effect.suspend(() => {
    const { codeVerifier, redirectUri } = checkPending(pending, "OAuth.exchangeCode")
    return requestTokens("OAuth.exchangeCode", client, {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri
    })
  })

export const refreshTokens = (client: OAuthClient, tokens: Tokens) =>
  tokens.refreshToken === undefined
    ? Effect.die(mistake("OAuth.refreshTokens: there is no refresh token; the user has to sign in again"))
    : requestTokens(
        "OAuth.refreshTokens",
        client,
        { grant_type: "refresh_token", refresh_token: tokens.refreshToken },
        tokens
      )

/** Whether a refresh was refused permanently: the refresh token is spent, revoked or expired. */
export const isRefreshTokenDead = (error: AttemptError): boolean =>
  error._tag === "ClientRestError" &&
  ((error.status === 401 && error.code === "invalid_request") ||
    ((error.status === 400 || error.status === 401) && error.code === "invalid_grant"))

/** Whether the failure is a bug in the program. */
export const isProgramsFault = (error: AttemptError): boolean =>
  error._tag === "ClientRestError" && (error.status === 400 || error.status === 401) && !isRefreshTokenDead(error)
