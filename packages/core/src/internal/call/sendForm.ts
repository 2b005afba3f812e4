/**
 * Sends a form with secrets: the request for tokens of a sign-in. The configuration of calls does not apply to it.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { AttemptError } from "../../CatalogError.js"
import * as Client from "../../platform/httpClient.js"
import { contextOf, withFiber } from "../common/fiber.js"
import { mistake, show } from "../common/mistakes.js"
import type { Secret } from "../common/secret.js"
import { urlIn } from "../common/values.js"
import { isLoopback } from "../credentials/credentials.js"
import { CallState } from "../declaration/call.js"
import { anything } from "../model/schema.js"
import { redactIn } from "../redaction/redactIn.js"
import { isSuccess, knownHeaders, responseHeaders, restError } from "../reply/errors.js"
import { type CatalogSettings, initialSettings } from "../settings/settings.js"
import { listenerIn, observeAttempt, observeCall } from "../telemetry/observe.js"
import { exchange } from "./exchange.js"

interface FormRequest<A> {
  /** The name of the call, for spans and errors. */
  readonly operation: string
  /** `tokenUrl` of the profile. */
  readonly url: string
  readonly headers: CatalogSettings["headers"]
  /** Members without a value are not sent. */
  readonly form: Readonly<Record<string, string | Secret | undefined>>
  /** Secrets to redact besides those of the form. */
  readonly secrets: ReadonlyArray<Secret | undefined>
  /** The limit of the exchange in milliseconds. */
  readonly timeout: number
  /** Reads a response: what it returns, or what its error says. `redact` redacts the secrets in a string of the service. */
  readonly decode: (
    body: string,
    isDone: boolean,
    redact: (text: string) => string
  ) => Effect.Effect<A, Omit<Parameters<typeof restError>[1], "status" | "headers">>
}

/** The largest response, in bytes. */
const maxResponseBytes = 1024 * 1024

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

/** Sends a form once: no limits, policies or trace headers of the configuration. An invalid URL is a defect. */
export const sendForm = <A>({
  decode,
  form,
  headers,
  operation,
  secrets,
  timeout,
  url
}: FormRequest<A>): Effect.Effect<A, AttemptError, Client.HttpClient> =>
  Effect.flatMap(Client.HttpClient, (http) =>
    withFiber((fiber) => {
      const settings: CatalogSettings = { ...initialSettings, headers }
      const context = contextOf(fiber)
      const call = new CallState(
        { name: operation, method: "POST", reply: anything, about: "tokens" },
        settings,
        context,
        listenerIn(context)
      )
      const fields = Object.entries(form).filter(([, value]) => value !== undefined && value !== "")
      const parameters = new URLSearchParams(
        fields.map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : (value ?? "")])
      )
      call.request = { url: secureUrl(url), form: parameters.toString() }
      call.secrets = [...fields.map(([, value]) => value), ...secrets].filter((value) => Redacted.isRedacted(value))
      call.timeout = timeout
      call.maxResponseBytes = maxResponseBytes
      call.progress.attempts = 1
      const exchanged = exchange(call, http, false, (call, status, body) => {
        const isDone = isSuccess(status)
        return Effect.catchAll(
          decode(body, isDone, (text) => redactIn(call, text)),
          (said) =>
            restError(call, { status, ...said, ...(!isDone && { headers: responseHeaders(call, knownHeaders) }) })
        )
      }) as Effect.Effect<A, AttemptError>
      return observeCall(() => observeAttempt(exchanged, fiber, call), fiber, call)
    })
  )
