/**
 * A sign-in that was started.
 *
 * @since 0.2.0
 */
import type * as Redacted from "effect/Redacted"
import { decodePending, encodePending } from "./internal/authorization.js"

/** A started sign-in, until the user comes back. `PendingAuthorization.encode` makes a string of it; JSON loses its secrets. */
export interface PendingAuthorization {
  /** Comes back with the redirect, to prove that it belongs to this sign-in. */
  readonly state: Redacted.Redacted<string>
  /** Proves that the same client started the sign-in and redeems the code. */
  readonly codeVerifier: Redacted.Redacted<string>
  /** The redirect URI of the sign-in, if it named one. */
  readonly redirectUri?: string | undefined
}

/** Turns a sign-in that was started into a string, and back. */
export const PendingAuthorization = {
  /** The string contains secrets: keep it where only the user's own session can read it. */
  encode: (pending: PendingAuthorization): string => encodePending(pending),

  /** Reads the string that `encode` returned. Throws a `TypeError` for any other value. */
  decode: (text: string): PendingAuthorization => decodePending(text)
}
