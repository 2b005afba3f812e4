/**
 * What is checked of a client, and what a refusal says of it.
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
 * A client, or a `TypeError` that names what cannot be.
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
 * Whether a refresh was refused in a way that no further one can mend: the refresh token is spent, revoked or expired.
 */
export const isDead = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" &&
  ((error.status === 401 && error.code === "invalid_request") ||
    ((error.status === 400 || error.status === 401) && error.code === "invalid_grant"))

/**
 * Whether the program is at fault, and not the service or the user.
 */
export const isProgramsFault = (error: ClientRestError | ClientNetworkError): boolean =>
  error._tag === "ClientRestError" && (error.status === 400 || error.status === 401) && !isDead(error)
