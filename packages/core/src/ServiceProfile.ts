/**
 * The differences between deployments of the catalog service.
 *
 * @since 0.2.0
 */
import { publicService } from "./internal/settings/settings.js"

/**
 * A deployment of the service: where it is, how it takes credentials, and what it calls the inputs.
 *
 * For another deployment, spread {@link ServiceProfile.default} and override what differs.
 *
 * @example
 * ```ts
 * import { CatalogConfig, ServiceProfile } from "@catalog-client/core"
 *
 * export const Deployment = CatalogConfig.layer({
 *   profile: { ...ServiceProfile.default, clientId: { header: "x-client-id", prefix: "" } }
 * })
 * ```
 */
export interface ServiceProfile {
  /** Where the service is, unless `baseUrl` says otherwise. */
  readonly baseUrl: string
  /**
   * How an access token is sent: the name of the header, and the prefix of its value. A prefix that ends with a space is a
   * scheme, which a token may already include.
   */
  readonly accessToken: { readonly header: string; readonly prefix: string }
  /** How a client ID is sent. */
  readonly clientId: { readonly header: string; readonly prefix: string }
  /** Names of inputs of a query or form that differ from those of the public service, such as `{ rankingType: "ranking" }`. */
  readonly names: { readonly [input: string]: string }
  /** Where users sign in, by OAuth 2.0 with PKCE, for `@catalog-client/oauth`. */
  readonly oauth: {
    /** The page where a user allows the sign-in. */
    readonly authorizeUrl: string
    /** Where codes and refresh tokens are redeemed: an `https:` URL, or one of this machine. In a page, often a proxy's. */
    readonly tokenUrl: string
    /** The expected `iss` of a redirect; without it, an `iss` must have the origin of `authorizeUrl`. */
    readonly issuer?: string
    /** How the challenge is derived from the verifier: `plain` if the service supports no other method. */
    readonly codeChallengeMethod: "plain" | "S256"
  }
}

/** @see {@link ServiceProfile} */
export const ServiceProfile: {
  /** The public service that speaks this interface. */
  readonly default: ServiceProfile
} = { default: publicService }
