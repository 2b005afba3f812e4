/** The caller of a request, and whether its credentials are sufficient. */
import { badRequest, forbidden, invalidToken } from "./response.js"
import type { Account } from "./store.js"

/** The credential that an operation needs: none, a client ID or a token, or a token. */
export type Access = "public" | "identified" | "token"

/** The owner of a token, and when the token expires (milliseconds since 1970). */
export interface Grant {
  readonly account: Account
  readonly expiresAt: number
}

export interface Grants {
  /** The sign-in adds tokens, and removes those that it revokes. */
  readonly tokens: Map<string, Grant>
  readonly clientIds: ReadonlySet<string>
  readonly anonymousReads: boolean
}

const bearer = /^Bearer +(\S+)$/i

/**
 * The token's owner. A token is validated before the client ID, and both before the operation's requirement.
 */
export const identify = (
  grants: Grants,
  access: Access,
  headers: Readonly<Record<string, string | undefined>>,
  now: number
): Account | undefined => {
  const authorization = headers["authorization"]
  const clientId = headers["x-mal-client-id"]
  const grant = grants.tokens.get(bearer.exec(authorization ?? "")?.[1] ?? "")
  if (authorization !== undefined && (grant === undefined || grant.expiresAt <= now)) {
    throw invalidToken()
  }
  if (clientId !== undefined && !grants.clientIds.has(clientId)) {
    throw badRequest("Invalid client id")
  }
  if (grant === undefined && clientId === undefined && (access !== "public" || !grants.anonymousReads)) {
    throw forbidden()
  }
  if (grant === undefined && access === "token") {
    throw invalidToken()
  }
  return grant?.account
}

/** Refuses a private list, except to its owner. */
export const refusePrivateList = (owner: Account, caller: Account | undefined): void => {
  if (owner.record.private === true && owner !== caller) {
    throw forbidden()
  }
}
