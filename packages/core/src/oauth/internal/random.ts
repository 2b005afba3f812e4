/**
 * Random strings and hashes.
 */
import * as Effect from "effect/Effect"

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** A random string of unreserved characters, four for each three bytes. */
export const randomText = (bytes: number): string => base64Url(crypto.getRandomValues(new Uint8Array(bytes)))

/** The SHA-256 of a string. Not available in insecure pages. */
export const sha256 = (text: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    if ((crypto as { readonly subtle?: unknown }).subtle === undefined) {
      throw new TypeError(
        "codeChallengeMethod S256 needs crypto.subtle, which a page has only over https: or on localhost"
      )
    }
    return base64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
  })
