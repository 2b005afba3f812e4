/**
 * How an embedded catalog service can be set up.
 *
 * @since 0.1.0
 */
import type * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as Duration from "effect/Duration"
import type { CatalogApi } from "./Api.js"
import type { Dataset } from "./Dataset.js"
import type { Quirks, UnlikeLive } from "./Quirks.js"

type EndpointsOf<G> =
  G extends HttpApiGroup.HttpApiGroup<infer Domain, infer Endpoints, infer _E, infer _R, infer _TopLevel>
    ? `${Domain}.${HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints>}`
    : never

/** The operations of the service, each one method and path of its declaration: `anime.get`, `user.animeList`, … */
export type Operation =
  typeof CatalogApi extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? EndpointsOf<Groups> : never

/** The two endpoints of the sign-in, which stand beside the declared API: `/v1/oauth2/authorize`, `/v1/oauth2/token`. */
export type OAuthEndpoint = "oauth.authorize" | "oauth.token"

/**
 * A request as it came in. Those of the sign-in hold secrets: codes, verifiers, tokens, client secrets. They are given as
 * they came.
 */
export interface ReceivedRequest {
  /** Missing where the service has nothing under this method and path. */
  readonly operation?: Operation | OAuthEndpoint
  readonly method: string
  /** The whole path, percent-encoded as received. */
  readonly path: string
  /** The query as received, with its question mark, or nothing. */
  readonly search: string
  /** The query, decoded. */
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's text as received. */
  readonly body: string
}

/**
 * Something that goes wrong. With a `status` or a `body`, the fault replaces the service's response, and the service does
 * nothing. Without both, the service does its work (a write is written), and the fault affects its response.
 *
 * @example
 * ```ts
 * import type { Fault } from "@catalog-client/core/testing"
 *
 * // Two refusals, then a body that stops half-way for a minute, then all is well.
 * export const faults: ReadonlyArray<Fault> = [
 *   { on: "anime.get", status: 503, headers: { "retry-after": "1" }, times: 2 },
 *   { on: "anime.get", bodyDelay: "1 minute", times: 1 }
 * ]
 * ```
 */
export interface Fault {
  /** The requests that the fault affects: all by default. */
  readonly on?:
    | Operation
    | OAuthEndpoint
    | ReadonlyArray<Operation | OAuthEndpoint>
    | ((request: ReceivedRequest) => boolean)
  /** How many requests the fault affects before it is over: without end by default. */
  readonly times?: number
  /** 200 if only a body is given. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is (as HTML, unless `headers` name another type), anything else as the service's JSON. */
  readonly body?: unknown
  /** How long the service waits before it sends the headers. */
  readonly delay?: Duration.DurationInput
  /** How long the service waits after the first half of the body; `Infinity` is for ever. */
  readonly bodyDelay?: Duration.DurationInput
  /** Where the connection breaks off, after the delays before that point: nothing sent, or half the body. */
  readonly drop?: "before-headers" | "in-body"
}

/** The owner of a token, and when the token expires (milliseconds since 1970). */
export interface TokenGrant {
  readonly user: string
  readonly expiresAt?: number
}

/** A program that users can sign in to, as its author registered it. */
export interface OAuthClient {
  /** Where codes may be sent, compared to the letter. A request may leave its `redirect_uri` out if there is only one. */
  readonly redirectUris: ReadonlyArray<string>
  /** Of a program that runs on a server. The token endpoint then wants it, in the form or as HTTP Basic. */
  readonly secret?: string
}

/**
 * Options of the sign-in: the OAuth 2.0 authorization server of the embedded service. It is at `/v1/oauth2/authorize` and
 * `/v1/oauth2/token` of any origin, whatever the `basePath`. A refresh gives two new tokens and revokes the two old ones.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/core/testing"
 *
 * // A client with a secret, whose users say no; and access tokens that live for an hour.
 * const { handler } = EmbeddedCatalog.toWebHandler({
 *   oauth: {
 *     clients: { "my-client": { redirectUris: ["https://my.example/callback"], secret: "my-secret" } },
 *     consent: "deny",
 *     accessTokenLifetime: "1 hour"
 *   }
 * })
 * const query = new URLSearchParams({ response_type: "code", client_id: "my-client", code_challenge: "0".repeat(43) })
 * const response = await handler(new Request(`https://auth.example/v1/oauth2/authorize?${query}`))
 * console.log(response.headers.get("location")) // https://my.example/callback?error=access_denied&…
 * ```
 */
export interface OAuthOptions {
  /**
   * The registered clients by their identifiers. By default each of `clientIds`, without a secret, with the redirect URI
   * `http://localhost:8080/callback`. They are known as client identifiers of the API, too.
   */
  readonly clients?: Readonly<Record<string, OAuthClient>>
  /**
   * What the user says to a client that asks to be let in. By default `"allow"`, for the first user of the dataset; `"deny"`
   * refuses. Both redirect at once. `"page"` shows an HTML page with two buttons, for a person. A function is asked for each
   * request (its `query` has the client's parameters) and returns `"allow"`, `"deny"`, or the name of the user who allows it.
   */
  readonly consent?: "allow" | "deny" | "page" | ((request: ReceivedRequest) => string)
  /** How long a code can be exchanged. By default 10 minutes. */
  readonly codeLifetime?: Duration.DurationInput
  /** How long an access token lives, `expires_in` of the reply. By default 31 days. */
  readonly accessTokenLifetime?: Duration.DurationInput
  /** How long a refresh token lives. By default 31 days. */
  readonly refreshTokenLifetime?: Duration.DurationInput
}

/**
 * Options of the embedded service, all optional. By default the service holds the sample and knows one access token and
 * one client identifier. An invalid option is a `TypeError` (a defect of the Layer).
 */
export interface EmbeddedCatalogOptions {
  /** What the service knows at first. By default `sample()`. Writes to the service never change it. */
  readonly dataset?: Dataset
  /** Access tokens and the names of their owners. By default `{ "embedded-token": "sample_reader" }`. */
  readonly tokens?: Readonly<Record<string, string | TokenGrant>>
  /** Client identifiers that the service knows. By default those of `oauth.clients`, or `["embedded-client"]`. */
  readonly clientIds?: ReadonlyArray<string>
  /** How users sign in. */
  readonly oauth?: OAuthOptions
  /**
   * Whether the catalog and the forum can be read without a credential. By default they can, as the contract has it;
   * otherwise they answer 403, as the live service does.
   */
  readonly anonymousReads?: boolean
  /** The path of the base URL, by default `/v2`; `""` for none. */
  readonly basePath?: string
  /**
   * Further hosts that stand for the catalog, for `EmbeddedCatalog.layer`: the host of a base URL, with a port or for
   * all ports. On a port, and as a handler, the service answers whatever the host is.
   */
  readonly hosts?: ReadonlyArray<string>
  /** Answers preflights and lets pages of any origin read. Off by default, as live: `OPTIONS` is 405. */
  readonly cors?: boolean
  /**
   * Milliseconds since 1970, for `updated_at` and the expiry of tokens. By default the `Clock` of the fiber. Where it
   * throws or returns no such time, the service answers 500 and logs why.
   */
  readonly now?: () => number
  /** How long each request waits before the service looks at it, by the `Clock` of the fiber. */
  readonly latency?: Duration.DurationInput
  /** Faults. The first one that matches a request, and is not over, affects it. */
  readonly faults?: ReadonlyArray<Fault>
  /**
   * The text of a recording, as a `Recorder` writes it. A request that it has is answered from it, in the recorded order and
   * then with the last response, whatever its credentials; the service answers all others. Latency and faults affect these responses too.
   */
  readonly recorded?: string
  readonly quirks?: Quirks
  /** What the service does that the live one does not, for example relations between anime and manga. */
  readonly unlikeLive?: UnlikeLive
  /** What a DELETE answers for an entry that is not on the list: 404 (the default), or 200 as last seen live. */
  readonly deleteMissing?: 404 | 200
  /** How a topic shows its poll: one object as live (the default), or an array as in the service's reference. */
  readonly poll?: "object" | "array"
  /** Called with every request when it has come in whole, before the service looks at it. */
  readonly onRequest?: (request: ReceivedRequest) => void
}
