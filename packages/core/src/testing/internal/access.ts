/** The caller of a request, and whether its credentials are sufficient. */
import * as Either from "effect/Either"
import { badRequest, forbidden, invalidToken, type Refusal } from "./response.js"
import type { Account } from "./store.js"

/** The credential that an operation needs: none, a client identifier or a token, or a token. */
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

export interface Caller {
  /** The token's owner. */
  readonly account: Account | undefined
}

const bearer = /^Bearer +(\S+)$/i

/** A token is validated before the client identifier, and both before the operation's requirement. */
export const identify = (
  grants: Grants,
  access: Access,
  headers: Readonly<Record<string, string | undefined>>,
  now: number
): Either.Either<Caller, Refusal> => {
  const authorization = headers["authorization"]
  const clientId = headers["x-mal-client-id"]
  const grant = grants.tokens.get(bearer.exec(authorization ?? "")?.[1] ?? "")
  if (authorization !== undefined && (grant === undefined || grant.expiresAt <= now)) {
    return Either.left(invalidToken())
  }
  if (clientId !== undefined && !grants.clientIds.has(clientId)) {
    return Either.left(badRequest("Invalid client id"))
  }
  if (grant !== undefined) {
    return Either.right({ account: grant.account })
  }
  if (access === "token") {
    return Either.left(clientId === undefined ? forbidden() : invalidToken())
  }
  const enough = clientId !== undefined || (access === "public" && grants.anonymousReads)
  return enough ? Either.right({ account: undefined }) : Either.left(forbidden())
}
