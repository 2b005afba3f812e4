/**
 * The request for tokens: one form to one URL, independent of the configuration of API calls.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { anything } from "../../internal/model/schema.js"
import { exchange } from "../../internal/call/exchange.js"
import { Call } from "../../internal/declaration/call.js"
import { redactIn } from "../../internal/redaction/secrets.js"
import { factsOf, headersOf, usualHeaders } from "../../internal/reply/errors.js"
import { isSuccess, retryAfter } from "../../internal/reply/validate.js"
import { textIn } from "../../internal/common/cause.js"
import { contextOf, withFiber } from "../../internal/common/fiber.js"
import { mistake, show, urlIn } from "../../internal/common/mistakes.js"
import { isLoopback } from "../../internal/credentials/credentials.js"
import { type CatalogSettings, initialSettings } from "../../internal/services/settings.js"
import { observeAttempt, observeCall } from "../../internal/telemetry/spans.js"
import type { HttpClient } from "../../platform/httpClient.js"
import { Tokens } from "../Tokens.js"
import { readTokens } from "./tokenReply.js"

type Secret = Redacted.Redacted<string>

/** Milliseconds that a request for tokens may take. */
export const usualTimeout = 10_000

/** The largest response of a token endpoint, in bytes. */
const mostBytes = 1024 * 1024

/** Characters of a string from the service that an error keeps. */
export const longest = 500

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

/** The service's message in an error response: its own member, or the one of the RFC. */
export const saidIn = (json: unknown): string | undefined => {
  const texts = [textIn(json, "message") ?? textIn(json, "error_description"), textIn(json, "hint")]
  return texts.filter((text) => text !== undefined && text !== "").join(" ") || undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The inputs of a request for tokens. */
export interface TokenRequest {
  /** For example `OAuth.refreshTokens`. */
  readonly operation: string
  readonly url: string
  readonly clientId: string
  /** Those of the client, and no others. */
  readonly headers: CatalogSettings["headers"]
  readonly form: Readonly<Record<string, string | Secret | undefined>>
  /** The tokens to replace. Their refresh token stays valid if the reply has none. */
  readonly previous?: Tokens | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** One request for tokens. Dies with a `TypeError` if its URL is invalid. */
export const requestTokens = (
  { operation, url, clientId, headers, form, previous, timeout }: TokenRequest,
  client: HttpClient
): Effect.Effect<Tokens, ClientRestError | ClientNetworkError> =>
  withFiber((fiber) => {
    // None of the configuration of API calls: no limits, no trace headers.
    const settings: CatalogSettings = { ...initialSettings, headers }
    const call = new Call({ name: operation, method: "POST", reply: anything }, settings, contextOf(fiber))
    const fields = Object.entries(form).filter(([, value]) => value !== undefined && value !== "")
    const parameters = new URLSearchParams(
      fields.map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : (value ?? "")])
    )
    call.request = { url: secureUrl(url), form: parameters.toString() }
    const secrets = [...fields.map(([, value]) => value), previous?.accessToken]
    call.secrets = secrets.filter((value) => Redacted.isRedacted(value))
    call.timeout = timeout
    call.maxResponseBytes = mostBytes
    call.progress.attempts = 1
    const validate = (call: Call, status: number, body: string): Effect.Effect<Tokens, ClientRestError> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const json = parsed(body)
        const isDone = isSuccess(status)
        const found = isDone ? readTokens(json, clientId, now, previous?.refreshToken) : undefined
        if (found !== undefined && !("invalid" in found)) {
          return Effect.succeed(new Tokens(found))
        }
        const wait = retryAfter(call.progress.response.headers.get("retry-after"), now)
        // A success can contain tokens even if it is not a valid reply, so nothing of it is shown.
        const text = (value: string | undefined) =>
          isDone || value === undefined ? undefined : redactIn(call, value).slice(0, longest)
        const said = {
          error: text(textIn(json, "error")),
          message: text(textIn(json, "message") ?? textIn(json, "error_description")),
          hint: text(textIn(json, "hint"))
        }
        const shown = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
        const serviceMessage = saidIn(said)
        return Effect.fail(
          new ClientRestError({
            ...factsOf(call),
            status,
            reason: isDone ? "InvalidBody" : "Status",
            ...(said.error && { code: said.error }),
            ...(serviceMessage && { serviceMessage }),
            body: Object.keys(shown).length > 0 ? shown : undefined,
            ...(!isDone && { headers: headersOf(call, usualHeaders) }),
            ...(found !== undefined && { path: found.invalid }),
            ...(wait !== undefined && { retryAfter: wait })
          })
        )
      })
    const exchanged = exchange(call, client, false, validate) as Effect.Effect<
      Tokens,
      ClientRestError | ClientNetworkError
    >
    return observeCall(() => observeAttempt(exchanged, fiber, call), fiber, call)
  })
