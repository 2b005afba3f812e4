/**
 * A sign-in with an authorization code and PKCE: the request that starts it, and the redirect that comes back.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { NodeInspectSymbol } from "effect/Inspectable"
import * as Redacted from "effect/Redacted"
import { ClientAuthError, type ServiceProfile } from "@catalog-client/core"
import { mistake, redactSecrets, type Secret, settingsIn, Values } from "@catalog-client/core/internal"
import type { AuthorizationRequest, OAuthClient } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import { checkClient, checkPending } from "./checkClient.js"
import { randomString, sha256 } from "./random.js"
import { maxShownLength, serviceMessageIn } from "./request.js"

class RequestLive implements AuthorizationRequest {
  constructor(
    readonly url: AuthorizationRequest["url"],
    readonly state: Secret,
    readonly codeVerifier: Secret,
    readonly redirectUri: string | undefined
  ) {}

  /** A getter of the class, so that it is neither printed nor copied. */
  get redirectTo(): string {
    return Redacted.value(this.url).href
  }

  /** The printed form. */
  [NodeInspectSymbol](): object {
    return Object.assign({}, this)
  }
}

export const encodePending = (pending: PendingAuthorization): string => {
  const { codeVerifier, redirectUri, state } = checkPending(pending, "PendingAuthorization.encode")
  return JSON.stringify({ state: Redacted.value(state), codeVerifier: Redacted.value(codeVerifier), redirectUri })
}

/** Whether a value is a secret, and not the placeholder of a `Redacted` from `JSON.stringify`. */
const isSecretText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value !== "<redacted>"

export const decodePending = (text: string): PendingAuthorization => {
  const { codeVerifier, redirectUri, state } = {
    ...(Values.jsonIn(text) as { readonly [name: string]: unknown } | null)
  }
  if (!isSecretText(codeVerifier) || !isSecretText(state)) {
    throw mistake("PendingAuthorization.decode takes the string that PendingAuthorization.encode returned")
  }
  return {
    state: Redacted.make(state),
    codeVerifier: Redacted.make(codeVerifier),
    ...(typeof redirectUri === "string" && { redirectUri })
  }
}

export const authorizationRequest = (
  client: OAuthClient,
  oauth: ServiceProfile["oauth"]
): Effect.Effect<AuthorizationRequest> =>
  Effect.suspend(() => {
    const { clientId, redirectUri } = checkClient(client, "OAuth.authorizationRequest")
    const codeVerifier = randomString(48)
    const state = randomString(32)
    const isPlain = oauth.codeChallengeMethod === "plain"
    return Effect.map(isPlain ? Effect.succeed(codeVerifier) : sha256(codeVerifier), (challenge) => {
      const url = new URL(oauth.authorizeUrl)
      const parameters = {
        response_type: "code",
        client_id: clientId,
        state,
        ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
        code_challenge: challenge,
        code_challenge_method: oauth.codeChallengeMethod
      }
      Object.entries(parameters).forEach(([name, value]) => url.searchParams.set(name, value))
      return new RequestLive(Redacted.make(url), Redacted.make(state), Redacted.make(codeVerifier), redirectUri)
    })
  })

const isIssuer = (issuer: string, { authorizeUrl, issuer: registered }: ServiceProfile["oauth"]): boolean =>
  registered === undefined ? Values.urlIn(issuer)?.origin === new URL(authorizeUrl).origin : issuer === registered

/** Why the parameters of a redirect are not trusted, even if they report an error. */
const refusalOf = (
  parameters: URLSearchParams,
  expected: Secret,
  oauth: ServiceProfile["oauth"]
): "State" | "Callback" | undefined => {
  const [state = "", ...others] = parameters.getAll("state")
  if (others.length > 0 || state === "" || state !== Redacted.value(expected)) {
    return "State"
  }
  const names: Array<string> = []
  parameters.forEach((_, name) => names.push(name))
  const issuer = parameters.get("iss")
  const isRepeated = new Set(names).size !== names.length
  return isRepeated || (issuer !== null && !isIssuer(issuer, oauth)) ? "Callback" : undefined
}

export const authorizationResponse = (
  pending: PendingAuthorization,
  url: string | URL
): Effect.Effect<Secret, ClientAuthError> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    checkPending(pending, "OAuth.authorizationResponse")
    const { oauth } = settingsIn(context).profile
    const parameters = Values.urlIn(String(url).trim(), "http://localhost")?.searchParams ?? new URLSearchParams()
    const code = parameters.get("code")
    const secrets = [pending.state, pending.codeVerifier, ...parameters.getAll("code").map((one) => Redacted.make(one))]
    const fail = (reason: ClientAuthError["reason"], ...messages: ReadonlyArray<string | undefined>) => {
      const text = messages.filter((text) => text !== undefined).join(": ")
      return Effect.fail(
        new ClientAuthError({
          operation: "OAuth.authorizationResponse",
          reason,
          ...(text !== "" && { serviceMessage: redactSecrets(context, secrets, text).slice(0, maxShownLength) })
        })
      )
    }
    const refusal = refusalOf(parameters, pending.state, oauth)
    if (refusal !== undefined) {
      return fail(refusal)
    }
    const error = parameters.get("error")
    if (error !== null) {
      const [message, error_description, hint] = ["message", "error_description", "hint"].map(
        (name) => parameters.get(name) ?? undefined
      )
      const serviceMessage = serviceMessageIn({ message, error_description, hint })
      return error === "access_denied" && code === null
        ? fail("Denied", serviceMessage)
        : fail("Callback", error, serviceMessage)
    }
    return code === null || code === "" ? fail("Callback") : Effect.succeed(Redacted.make(code))
  })
