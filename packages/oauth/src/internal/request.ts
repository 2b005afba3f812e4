/**
 * The requests for tokens, and what is made of their responses.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  type AttemptError,
  currentSettings,
  mistake,
  type Secret,
  sendForm,
  Values
} from "@catalog-client/core/internal"
import type { HttpClient } from "@effect/platform/HttpClient"
import type { OAuthClient } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import { Tokens } from "../Tokens.js"
import { checkClient, checkPending } from "./checkClient.js"
import { readTokens } from "./tokenReply.js"

/** The maximum length of a string from the service in an error. */
export const maxShownLength = 500

/** The service's message in an error response: `message`, or `error_description` of the RFC. */
export const serviceMessageIn = (json: unknown): string | undefined => {
  const texts = [
    Values.stringIn(json, "message") ?? Values.stringIn(json, "error_description"),
    Values.stringIn(json, "hint")
  ]
  return texts.filter((text) => text).join(" ") || undefined
}

/** Reads the tokens in a response, or what its error says. */
const decodeFor =
  (clientId: string, previous: Tokens | undefined): Parameters<typeof sendForm<Tokens>>[0]["decode"] =>
  (body, isDone, redact) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const json = Values.jsonIn(body)
      const members = isDone ? readTokens(json, clientId, now, previous?.refreshToken) : undefined
      if (members !== undefined && !("invalid" in members)) {
        return Effect.succeed(new Tokens(members))
      }
      // A success can contain tokens even if it is not a valid reply, so nothing of it is shown.
      const text = (value: string | undefined) =>
        isDone || value === undefined ? undefined : redact(value).slice(0, maxShownLength)
      const details = {
        error: text(Values.stringIn(json, "error")),
        message: text(Values.stringIn(json, "message") ?? Values.stringIn(json, "error_description")),
        hint: text(Values.stringIn(json, "hint"))
      }
      const shown = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
      return Effect.fail({
        code: details.error,
        serviceMessage: serviceMessageIn(details),
        body: Object.keys(shown).length > 0 ? shown : undefined,
        ...(members !== undefined && { path: members.invalid })
      })
    })

/**
 * One request for tokens. An invalid client or URL is a defect. If the reply has no refresh token, the previous one stays
 * valid.
 */
const requestTokens = (
  operation: string,
  client: OAuthClient,
  { grant_type, ...others }: Readonly<Record<string, string | Secret | undefined>>,
  previous?: Tokens
): Effect.Effect<Tokens, AttemptError, HttpClient> =>
  Effect.flatMap(currentSettings, ({ profile }) => {
    const { clientId, clientSecret, headers, timeout } = checkClient(client, operation)
    return sendForm({
      operation,
      url: profile.oauth.tokenUrl,
      headers,
      form: { grant_type, client_id: Redacted.make(clientId), client_secret: clientSecret, ...others },
      secrets: [previous?.accessToken],
      timeout,
      decode: decodeFor(clientId, previous)
    })
  })

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

/**
 * Whether a refresh was refused permanently: the refresh token is spent, revoked or expired. RFC 6749 has `invalid_grant` for
 * that; the live service responds with 401 and `invalid_request`.
 */
export const isRefreshTokenDead = (error: AttemptError): boolean =>
  error._tag === "ClientRestError" &&
  ((error.status === 401 && error.code === "invalid_request") ||
    ((error.status === 400 || error.status === 401) && error.code === "invalid_grant"))

/** Whether the failure is a bug in the program. */
export const isProgramsFault = (error: AttemptError): boolean =>
  error._tag === "ClientRestError" && (error.status === 400 || error.status === 401) && !isRefreshTokenDead(error)
