/**
 * A session as its users see it: Effects, which promises are made of, too.
 */
import * as Effect from "effect/Effect"
import type { OAuthClient } from "../OAuth.js"
import type { OAuthSessionService } from "../OAuthSession.js"
import { authorizationRequest } from "./authorization.js"
import type { UserSession } from "./session.js"

/** Without the changes: a Stream is more than a page needs. */
export const effectsOf = (session: UserSession, client: OAuthClient): Omit<OAuthSessionService, "changes"> => ({
  tokens: session.tokens,
  accessToken: Effect.suspend(() => session.slot),
  refresh: session.refresh,
  authorizationRequest: session.inSession(authorizationRequest(client)),
  exchange: (pending, url) => session.exchange(pending, url),
  signIn: (tokens) => session.signIn(tokens),
  signOut: session.signOut,
  credentials: session.credentials
})
