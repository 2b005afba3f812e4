/**
 * Options of the embedded service.
 *
 * @since 0.2.0
 */
import type * as Duration from "effect/Duration"
import type { Dataset } from "./Dataset.js"
import type { endpoints } from "./internal/service/endpoints.js"
import type { Quirks } from "./Quirks.js"

type Endpoints = typeof endpoints

/** The operations of the declared API: `anime.get`, `user.animeList`, … */
export type Operation = {
  [Domain in keyof Endpoints]: `${Domain}.${keyof Endpoints[Domain] & string}`
}[keyof Endpoints]

/** The endpoints of the sign-in, which are not declared: `/v1/oauth2/authorize` and `/v1/oauth2/token`. */
export type OAuthEndpoint = "oauth.authorize" | "oauth.token"

/**
 * A request as it was received. Requests of the sign-in contain secrets: codes, verifiers, tokens, client secrets. They are not
 * redacted.
 */
export interface ReceivedRequest {
  /** Missing if the service has no operation with this method and path. */
  readonly operation?: Operation | OAuthEndpoint
  /** The HTTP method. */
  readonly method: string
  /** The whole path, percent-encoded as received. */
  readonly path: string
  /** The query as received, with its question mark, or `""`. */
  readonly search: string
  /** The query, decoded. */
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's text as received. */
  readonly body: string
}

/**
 * A fault of the service. With a `status` or a `body`, it replaces the service's response, and the service does
 * nothing, unless `executesAfter` is set. Without both, the service handles the request (a write is written), and the fault
 * affects its response.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog, type Fault } from "@catalog-client/testing"
 *
 * // Two errors, then a response whose body stops half-way for a moment, then no more faults.
 * const faults: ReadonlyArray<Fault> = [
 *   { on: "anime.get", status: 503, headers: { "retry-after": "1" }, times: 2 },
 *   { on: "anime.get", bodyDelay: "100 millis", times: 1 }
 * ]
 * const fetch = EmbeddedCatalog.fetch({ faults })
 * for (const _ of [1, 2, 3]) {
 *   console.log((await fetch("https://api.myanimelist.net/v2/anime/30230")).status)
 * }
 * ```
 *
 * ```text
 * 503
 * 503
 * 200
 * ```
 */
export interface Fault {
  /**
   * The requests that the fault affects; all, if you set none. An operation is named like `"anime.get"`; `"oauth.authorize"`
   * and `"oauth.token"` are the sign-in, whose codes and refresh tokens `"oauth.token"` accepts.
   */
  readonly on?:
    | Operation
    | OAuthEndpoint
    | ReadonlyArray<Operation | OAuthEndpoint>
    | ((request: ReceivedRequest) => boolean)
  /**
   * How many requests the fault affects before it is over.
   *
   * @default Infinity
   */
  readonly times?: number
  /** 200 if only a body is set. */
  readonly status?: number
  /** Headers of the response, in addition to the service's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent unchanged (as HTML, unless `headers` name another type), anything else as the service's JSON. */
  readonly body?: unknown
  /** How long the service waits before it sends the headers. */
  readonly delay?: Duration.DurationInput
  /** How long the service waits after the first half of the body; `Infinity` means forever. */
  readonly bodyDelay?: Duration.DurationInput
  /**
   * Executes the request although the fault's response takes the place of its own: this long after it has arrived, even if the
   * client has gone by then. With 0, it is executed before the response.
   */
  readonly executesAfter?: Duration.DurationInput
  /** Where the connection breaks off, after the delays before that point: nothing sent, or half the body. */
  readonly drop?: "before-headers" | "in-body"
}

/** A program that users can sign in to, as its author registered it. */
export interface OAuthClient {
  /** Where codes may be sent, compared exactly. A request may omit its `redirect_uri` if there is only one. */
  readonly redirectUris: ReadonlyArray<string>
  /**
   * For a program that runs on a server. The token endpoint then requires it, in the form or as HTTP Basic (raw or
   * encoded).
   */
  readonly secret?: string
}

/**
 * Options of the sign-in: the OAuth 2.0 authorization server of the embedded service. It is at `/v1/oauth2/authorize` and
 * `/v1/oauth2/token` of any origin, whatever the `basePath`. A refresh returns two new tokens and revokes the old access token;
 * the old refresh token stays valid until its end (`quirks.strictRotation` revokes it, too).
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 *
 * // A client with a secret, whose users deny access; and access tokens that expire after an hour.
 * const { handler } = EmbeddedCatalog.toWebHandler({
 *   oauth: {
 *     clients: { "my-client": { redirectUris: ["https://my.example/callback"], secret: "my-secret" } },
 *     consent: "deny",
 *     accessTokenLifetime: "1 hour"
 *   }
 * })
 * const query = new URLSearchParams({ response_type: "code", client_id: "my-client", code_challenge: "0".repeat(43) })
 * const response = await handler(new Request(`https://auth.example/v1/oauth2/authorize?${query}`))
 * console.log(new URL(response.headers.get("location") ?? "").searchParams.get("error"))
 * ```
 *
 * ```text
 * access_denied
 * ```
 */
export interface OAuthOptions {
  /**
   * The registered clients by their identifiers. By default each of `clientIds`, without a secret, with the redirect URI
   * `http://localhost:8080/callback`. The API accepts their client IDs, too.
   */
  readonly clients?: Readonly<Record<string, OAuthClient>>
  /**
   * Whether the user allows the client access: `"allow"`, for the first user of the dataset; `"deny"` refuses. Both redirect at
   * once. `"page"` shows an HTML page with two buttons. A function is called for each request (its `query` has the client's
   * parameters) and returns one of these words, or the name of the user who allows it.
   *
   * @default "allow"
   */
  readonly consent?: "allow" | "deny" | "page" | ((request: ReceivedRequest) => string)
  /**
   * How long a code is valid.
   *
   * @default "10 minutes"
   */
  readonly codeLifetime?: Duration.DurationInput
  /**
   * How long an access token is valid, `expires_in` of the reply.
   *
   * @default "31 days"
   */
  readonly accessTokenLifetime?: Duration.DurationInput
  /**
   * How long a refresh token is valid; as observed live, as long as an access token.
   *
   * @default "31 days"
   */
  readonly refreshTokenLifetime?: Duration.DurationInput
}

/**
 * Options of the embedded service, all optional. An invalid option is a `TypeError`.
 */
export interface EmbeddedCatalogOptions {
  /**
   * The data of the service when it starts. Writes to the service never change it.
   *
   * @default sample()
   */
  readonly dataset?: Dataset
  /**
   * Access tokens and the names of their owners. A token expires at `expiresAt`, in milliseconds since 1970.
   *
   * @default { "embedded-token": "sample_reader" }
   */
  readonly tokens?: Readonly<Record<string, string | { readonly user: string; readonly expiresAt?: number }>>
  /** Client IDs that the service knows. By default those of `oauth.clients`, or `["embedded-client"]`. */
  readonly clientIds?: ReadonlyArray<string>
  /** How users sign in. */
  readonly oauth?: OAuthOptions
  /**
   * Whether the catalog and the forum can be read without a client ID or an access token. With `false`, the response is 403,
   * as from the live service.
   *
   * @default true
   */
  readonly anonymousReads?: boolean
  /**
   * The path of the base URL; `""` for none.
   *
   * @default "/v2"
   */
  readonly basePath?: string
  /**
   * More hosts of the catalog: the host of a base URL, with a port or for
   * all ports. On a port, and as a handler, the service responds for any host.
   */
  readonly hosts?: ReadonlyArray<string>
  /**
   * Supports CORS for pages of any origin. Without it, `OPTIONS` is 405, as live.
   *
   * @default false
   */
  readonly cors?: boolean
  /**
   * The time in milliseconds since 1970, for `updated_at` and the expiry of tokens: the system's by default, with Effect that
   * of the `Clock`.
   */
  readonly now?: () => number
  /**
   * How long each request waits before the service handles it. With Effect, the `Clock` decides.
   *
   * @default 0
   */
  readonly latency?: Duration.DurationInput
  /** Faults. A request is affected by the first one that matches it and is not over. */
  readonly faults?: ReadonlyArray<Fault>
  /**
   * The text of a recording, as a `Recorder` writes it. A request that it contains receives the recorded responses in order,
   * then the last one again; the service responds to all others.
   */
  readonly recorded?: string
  /** How this service differs from the live one. */
  readonly quirks?: Quirks
  // Both may have any result but an Effect, which would not run.
  /** Called with every request when it is complete, before the service handles it. */
  readonly onRequest?: (request: ReceivedRequest) => void | boolean | number | string | PromiseLike<unknown>
  /** Called with every request that has changed or deleted a list entry, after it was executed. */
  readonly onWrite?: (request: ReceivedRequest) => void | boolean | number | string | PromiseLike<unknown>
}
