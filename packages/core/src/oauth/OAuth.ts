/**
 * The OAuth 2.0 grants: authorization code with PKCE, and refresh tokens. They keep no state; a session does.
 *
 * The URLs come from the configuration's profile: `ServiceProfile.oauth`.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CatalogConfigOptions } from "../CatalogConfig.js"
import { ClientAuthError, type ClientNetworkError, type ClientRestError } from "../CatalogError.js"
import { mistake, urlIn } from "../internal/common/mistakes.js"
import { Call } from "../internal/declaration/call.js"
import { redactIn } from "../internal/redaction/secrets.js"
import { CatalogConfigTag } from "../internal/services/settings.js"
import * as Client from "../platform/httpClient.js"
import { checkClient, checkPending, orDie } from "./internal/client.js"
import { randomText, sha256 } from "./internal/random.js"
import { longest, requestTokens, saidIn } from "./internal/request.js"
import type { Tokens } from "./Tokens.js"

/** A client, as registered with the service. */
export interface OAuthClient {
  readonly clientId: string
  /**
   * Only for apps that run on a server. A page or a program on a user's machine has none, since it could not keep it
   * secret.
   */
  readonly clientSecret?: string | Redacted.Redacted<string> | undefined
  /** Exactly as registered. Optional if only one is registered. */
  readonly redirectUri?: string | undefined
  /**
   * Headers of the requests for tokens: what a proxy or a firewall asks for, for example a `User-Agent`. Calls have those of
   * their catalog. The values of `authorization`, `cookie`, `x-api-key` and the like are redacted, and so is any `Redacted`.
   */
  readonly headers?: CatalogConfigOptions["headers"]
  /**
   * For one request for tokens, and in a session also for each use of its store: 10 seconds by default; a number is in
   * milliseconds.
   */
  readonly timeout?: Duration.DurationInput | undefined
}

/**
 * Must be kept until the user comes back, for example in storage, since a page can be unloaded meanwhile. Its secrets are
 * `Redacted`, so `JSON.stringify` does not keep them: use `PendingAuthorization.encode` and `PendingAuthorization.decode`.
 */
export interface PendingAuthorization {
  /** Comes back with the redirect, to prove that it belongs to this sign-in. */
  readonly state: Redacted.Redacted<string>
  /** Proves that the same client started the sign-in and redeems the code. */
  readonly codeVerifier: Redacted.Redacted<string>
  readonly redirectUri?: string | undefined
}

/**
 * Turns a sign-in that was started into a string and back, to keep it in the user's own session on the server, for example.
 *
 * @example
 * ```ts
 * import { createSession, PendingAuthorization } from "@catalog-client/core/oauth"
 *
 * const session = createSession({ clientId: "my-client-id", redirectUri: "https://app.example/callback" })
 *
 * export const start = async (kept: Map<string, string>, visitor: string) => {
 *   const request = await session.authorizationRequest()
 *   kept.set(visitor, PendingAuthorization.encode(request))
 *   return request.redirectTo
 * }
 *
 * export const finish = (kept: Map<string, string>, visitor: string, url: string) =>
 *   session.exchange(PendingAuthorization.decode(kept.get(visitor) ?? ""), url)
 * ```
 */
export const PendingAuthorization = {
  /** The sign-in as a string. It contains secrets: keep it where only the user's own session can read it. */
  encode(pending: PendingAuthorization): string {
    const { codeVerifier, redirectUri, state } = checkPending(pending, "PendingAuthorization.encode")
    return JSON.stringify({ state: Redacted.value(state), codeVerifier: Redacted.value(codeVerifier), redirectUri })
  },

  /** Reads the string that `encode` has written. Throws a `TypeError` for any other value. */
  decode(text: string): PendingAuthorization {
    const { codeVerifier, redirectUri, state } = membersIn(text)
    if (!isKept(codeVerifier) || !isKept(state)) {
      throw mistake("PendingAuthorization.decode takes the string that PendingAuthorization.encode returned")
    }
    return {
      state: Redacted.make(state),
      codeVerifier: Redacted.make(codeVerifier),
      ...(typeof redirectUri === "string" && { redirectUri })
    }
  }
}

/** Whether it is a secret, and not what `JSON.stringify` has made of a `Redacted`. */
const isKept = (value: unknown): value is string => typeof value === "string" && value !== "" && value !== "<redacted>"

/** The members of a JSON object; none for any other string. */
const membersIn = (text: string): { readonly [name: string]: unknown } => {
  try {
    return { ...(JSON.parse(text) as object) }
  } catch {
    return {}
  }
}

/** A sign-in that was started. */
export interface AuthorizationRequest extends PendingAuthorization {
  /** Where to send the user. It is a secret until the code is redeemed: with `plain`, it contains the verifier. */
  readonly url: Redacted.Redacted<URL>
}

/** The authorization code of a redirect. It can be redeemed once. */
export type AuthorizationCode = Redacted.Redacted<string>

/**
 * Starts a sign-in: makes `state` and verifier, and the URL to send the user to. An invalid client is a defect.
 *
 * @example
 * ```ts
 * import { OAuth } from "@catalog-client/core/oauth"
 * import { Effect, Redacted } from "effect"
 *
 * const client = { clientId: "my-client-id", redirectUri: "https://app.example/callback" }
 *
 * export const start = Effect.map(OAuth.authorizationRequest(client), (request) => ({
 *   location: Redacted.value(request.url).href,
 *   // Keep it in the user's own session on the server, until the user comes back.
 *   kept: OAuth.PendingAuthorization.encode(request)
 * }))
 * ```
 */
export const authorizationRequest = (client: OAuthClient): Effect.Effect<AuthorizationRequest> =>
  orDie(() => {
    const { clientId, redirectUri } = checkClient(client, "OAuth.authorizationRequest")
    return Effect.flatMap(CatalogConfigTag, ({ profile: { oauth } }) => {
      const codeVerifier = randomText(48)
      const state = randomText(32)
      const isPlain = oauth.codeChallengeMethod === "plain"
      return Effect.map(isPlain ? Effect.succeed(codeVerifier) : sha256(codeVerifier), (challenge) => {
        const url = new URL(oauth.authorizeUrl)
        const add = (name: string, value: string) => url.searchParams.set(name, value)
        add("response_type", "code")
        add("client_id", clientId)
        add("state", state)
        if (redirectUri !== undefined) {
          add("redirect_uri", redirectUri)
        }
        add("code_challenge", challenge)
        add("code_challenge_method", oauth.codeChallengeMethod)
        return {
          url: Redacted.make(url),
          state: Redacted.make(state),
          codeVerifier: Redacted.make(codeVerifier),
          ...(redirectUri !== undefined && { redirectUri })
        }
      })
    })
  })

/** Compares in constant time. */
const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index++) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  }
  return difference === 0
}

const paramsOf = (url: string | URL): URLSearchParams =>
  urlIn(String(url).trim(), "http://localhost")?.searchParams ?? new URLSearchParams()

/**
 * Reads the code from the URL to which the service has sent the user back. Nothing is sent.
 *
 * Fails with `ClientAuthError`: `State` if the redirect belongs to another sign-in, `Denied` if the user denied
 * access, `Callback` if there is no usable code. A repeated parameter is refused, and so is an `iss` of another service.
 *
 * @example
 * ```ts
 * import { OAuth } from "@catalog-client/core/oauth"
 * import { Effect } from "effect"
 *
 * const client = { clientId: "my-client-id", redirectUri: "https://app.example/callback" }
 *
 * // `url` is what the user came back with, for example the `url` of a request to the server.
 * export const finish = (kept: string, url: string) => {
 *   const pending = OAuth.PendingAuthorization.decode(kept)
 *   return OAuth.authorizationResponse(pending, url).pipe(
 *     Effect.flatMap((code) => OAuth.exchangeCode(client, pending, code))
 *   )
 * }
 * ```
 */
export const authorizationResponse = (
  request: PendingAuthorization,
  url: string | URL
): Effect.Effect<AuthorizationCode, ClientAuthError> =>
  Effect.contextWithEffect((context: Context.Context<never>) =>
    orDie(() => {
      checkPending(request, "OAuth.authorizationResponse")
      const config = Context.get(context, CatalogConfigTag)
      const { oauth } = config.profile
      const params = paramsOf(url)
      const all = (name: string) => params.getAll(name)
      const said = (member: string) => all(member)[0]
      const codes = all("code").map((code) => Redacted.make(code))
      const call = new Call({ name: "OAuth.authorizationResponse", method: "GET", reply: undefined }, config, context)
      call.secrets = [request.state, request.codeVerifier, ...codes]
      const fail = (reason: ClientAuthError["reason"], isSaid = false) => {
        const message = isSaid
          ? saidIn({ message: said("message"), error_description: said("error_description"), hint: said("hint") })
          : undefined
        const error = isSaid && reason === "Callback" ? said("error") : undefined
        const texts = [error, message].filter((text) => text !== undefined).join(": ")
        return Effect.fail(
          new ClientAuthError({
            operation: call.operation.name,
            reason,
            ...(texts !== "" && { serviceMessage: redactIn(call, texts).slice(0, longest) })
          })
        )
      }
      const [state = "", ...others] = all("state")
      if (others.length > 0 || state === "" || !isEqual(state, Redacted.value(request.state))) {
        return fail("State")
      }
      const names: Array<string> = []
      params.forEach((_, name) => names.push(name))
      if (new Set(names).size !== names.length) {
        return fail("Callback")
      }
      const issuer = said("iss")
      if (issuer !== undefined && !isIssuer(issuer, oauth)) {
        return fail("Callback")
      }
      const [code] = codes
      const error = said("error")
      if (error !== undefined) {
        return fail(error === "access_denied" && code === undefined ? "Denied" : "Callback", true)
      }
      return code === undefined || Redacted.value(code) === "" ? fail("Callback") : Effect.succeed(code)
    })
  )

const isIssuer = (issuer: string, oauth: { readonly issuer?: string; readonly authorizeUrl: string }): boolean =>
  oauth.issuer === undefined ? urlIn(issuer)?.origin === new URL(oauth.authorizeUrl).origin : issuer === oauth.issuer

/** The request of both grants: the grant's form, with the client's own parameters. */
const request = (
  operation: string,
  client: OAuthClient,
  form: Readonly<Record<string, string | Redacted.Redacted<string> | undefined>>,
  previous?: Tokens
): Effect.Effect<Tokens, ClientRestError | ClientNetworkError, Client.HttpClient> =>
  orDie(() => {
    const { clientId, clientSecret, headers, timeout } = checkClient(client, operation)
    const { grant_type, ...others } = form
    return Effect.flatMap(Effect.zip(CatalogConfigTag, Client.HttpClient), ([{ profile }, http]) =>
      requestTokens(
        {
          operation,
          url: profile.oauth.tokenUrl,
          clientId,
          headers,
          form: {
            grant_type,
            client_id: Redacted.make(clientId),
            client_secret: clientSecret,
            ...others
          },
          previous,
          timeout
        },
        http
      )
    )
  })

/**
 * Redeems a code. The request is never retried, since a code works only once.
 *
 * Fails with `ClientRestError` if the service refuses it (`code` is the service's `error`, `serviceMessage` its message and
 * hint), and with `ClientNetworkError`. The configuration of API calls does not apply to the request.
 */
export const exchangeCode = (
  client: OAuthClient,
  pending: PendingAuthorization,
  code: AuthorizationCode
): Effect.Effect<Tokens, ClientRestError | ClientNetworkError, Client.HttpClient> =>
  orDie(() => {
    const { codeVerifier, redirectUri } = checkPending(pending, "OAuth.exchangeCode")
    return request("OAuth.exchangeCode", client, {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri
    })
  })

/**
 * Redeems a refresh token for new tokens. The service revokes the old access token, and may revoke the old refresh token:
 * do not use them again. `OAuthSession` does this when needed, once for all callers.
 *
 * Fails with `ClientRestError` if the service refuses it, and with `ClientNetworkError`; without a refresh token, with a
 * defect. If the reply has no refresh token, the old one stays valid.
 *
 * @example
 * ```ts
 * import { OAuth, type Tokens } from "@catalog-client/core/oauth"
 *
 * export const refreshed = (tokens: Tokens) => OAuth.refreshTokens({ clientId: "my-client-id" }, tokens)
 * ```
 */
export const refreshTokens = (
  client: OAuthClient,
  tokens: Tokens
): Effect.Effect<Tokens, ClientRestError | ClientNetworkError, Client.HttpClient> =>
  tokens.refreshToken === undefined
    ? Effect.die(mistake("OAuth.refreshTokens: there is no refresh token; the user has to sign in again"))
    : request(
        "OAuth.refreshTokens",
        client,
        { grant_type: "refresh_token", refresh_token: tokens.refreshToken },
        tokens
      )
