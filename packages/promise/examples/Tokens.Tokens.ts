import { type Session, Tokens } from "catalog-client/oauth"

// Keeps a user signed in whose tokens another library has stored.
export const adopt = (session: Session, stored: { access: string; refresh: string }) =>
  session.signIn(Tokens.from({ access_token: stored.access, refresh_token: stored.refresh, expires_in: 3600 }))
