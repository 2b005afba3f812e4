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

/** A request as it came in. */
export interface ReceivedRequest {
  /** Missing where the service has nothing under this method and path. */
  readonly operation?: Operation
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
  readonly on?: Operation | ReadonlyArray<Operation> | ((request: ReceivedRequest) => boolean)
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

/**
 * Options of the embedded service, all optional. By default the service holds the sample and knows one access token and
 * one client identifier. An invalid option is a `TypeError` (a defect of the Layer).
 */
export interface EmbeddedCatalogOptions {
  /** What the service knows at first. By default `sample()`. Writes to the service never change it. */
  readonly dataset?: Dataset
  /** Access tokens and the names of their owners. By default `{ "embedded-token": "sample_reader" }`. */
  readonly tokens?: Readonly<Record<string, string | TokenGrant>>
  /** Client identifiers that the service knows. By default `["embedded-client"]`. */
  readonly clientIds?: ReadonlyArray<string>
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
