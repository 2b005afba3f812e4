import type { Redacted } from "./Redacted.js"

/** A credential as a string, or as a `Redacted` string. A blank one counts as not configured. */
export type CredentialValue = string | Redacted<string>

/**
 * As the `accessToken` of a catalog whose requests go through a proxy that adds the user's access token: calls that need one
 * are sent, without a header.
 *
 * @example
 * ```ts
 * import { addedByProxy, createCatalog } from "catalog-client"
 *
 * export const catalog = createCatalog({ baseUrl: "/catalog", accessToken: addedByProxy })
 * ```
 */
export declare const addedByProxy: Redacted<string>

/**
 * A credential, a promise of one, or a function that returns either: it is called for each request, and `undefined` means no
 * credential. It runs under the call's `signal` and `totalTimeout`. A call that it makes needs other credentials, for example
 * those of a separate catalog, or it would wait for itself. If it throws, the call is rejected with that error.
 */
export type CredentialSource =
  | CredentialValue
  | Promise<CredentialValue | undefined>
  | (() => CredentialValue | undefined | Promise<CredentialValue | undefined>)

/** Credentials as values or as functions that return them. */
export interface CredentialValues {
  /** An OAuth 2.0 access token, with its scheme (`Bearer`) or without. */
  readonly accessToken?: CredentialSource | undefined
  /** A client identifier. */
  readonly clientId?: CredentialSource | undefined
}

/** The credentials of a session. A program does not read them. */
export interface CredentialsService {
  readonly renew?: unknown
}
