/**
 * Validates a client, and classifies refused refreshes.
 */
import * as Redacted from "effect/Redacted"
import type { ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { mistake } from "../../internal/common/validate.js"

interface Checked {
  readonly clientId: string
  readonly clientSecret?: string | Redacted.Redacted<string> | undefined
  readonly redirectUri?: string | undefined
}

/**
 * Validates a client. Throws a `TypeError` that names an invalid option.
 */
export const checkClient = <Client extends Checked>(client: Client, where: string): Client => {
  const { clientId, clientSecret, redirectUri } = client
  if (typeof clientId !== "string" || clientId.trim() === "") {
    throw mistake(`${where}: clientId must be the client identifier that is registered with the service`)
  }
  if (clientSecret !== undefined && typeof clientSecret !== "string" && !Redacted.isRedacted(clientSecret)) {
    throw mistake(`${where}: clientSecret must be a string or a Redacted of a string`)
  }
  if (redirectUri !== undefined && !URL.canParse(redirectUri)) {
    throw mistake(`${where}: redirectUri must be an absolute URL, exactly as it is registered`)
  }
  return client
}

/**
 * Whether a refresh was refused permanently: the refresh token is spent, revoked or expired.
 */
export const isDead = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" &&
  ((error.status === 401 && error.code === "invalid_request") ||
    ((error.status === 400 || error.status === 401) && error.code === "invalid_grant"))

/**
 * Whether the failure is a bug in the program, not a failure of the service or the user.
 */
export const isProgramsFault = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" && (error.status === 400 || error.status === 401) && !isDead(error)
