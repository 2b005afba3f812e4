/**
 * A registered client from the environment.
 *
 * @since 0.2.0
 */
import * as Redacted from "effect/Redacted"
import { checkClientLate } from "#oauth/internal/checkClient.js"
import type { OAuthClient } from "#oauth/OAuth.js"
import { readVariables } from "./fromEnvironment.js"

/**
 * Reads a registered client from the environment of Node, Bun or Deno: `CATALOG_CLIENT_ID`, and optionally
 * `CATALOG_CLIENT_SECRET` and `CATALOG_REDIRECT_URI`, which are left out if they are not set. Elsewhere, as in Cloudflare
 * Workers, pass an object that has them: `env`.
 *
 * Throws a `TypeError` that names the variable if its value is not valid, and one where there is no environment. A missing
 * `CATALOG_CLIENT_ID` is a `TypeError` where a sign-in needs it, so that a build can load the module without it.
 *
 * @example
 * ```ts
 * import { clientFromEnvironment, createSession, fileTokenStore } from "catalog-client/oauth"
 *
 * export const session = createSession({ ...clientFromEnvironment(), store: fileTokenStore() })
 * ```
 */
export const clientFromEnvironment = (env?: object): OAuthClient => {
  const checked = (option: Partial<OAuthClient>, at: string): Partial<OAuthClient> => {
    checkClientLate({ clientId: "", ...option }, at)
    return option
  }
  return {
    clientId: "",
    ...readVariables<Partial<OAuthClient>>("clientFromEnvironment", env, {
      CATALOG_CLIENT_ID: (clientId, at) => checked({ clientId }, at),
      CATALOG_CLIENT_SECRET: (secret, at) => checked({ clientSecret: Redacted.make(secret) }, at),
      CATALOG_REDIRECT_URI: (redirectUri, at) => checked({ redirectUri }, at)
    })
  }
}
