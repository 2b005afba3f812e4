/**
 * Random strings and hashes.
 */
import * as Effect from "effect/Effect"
import { mistake } from "@catalog-client/core/internal"

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** The platform's `crypto`, which can lack members: React Native has none, and an insecure page has no `subtle`. */
const platformCrypto = (): Partial<Crypto> => (globalThis as { readonly crypto?: Partial<Crypto> }).crypto ?? {}

/** A random string of unreserved characters, four for each three bytes. */
export const randomString = (bytes: number): string => {
  const crypto = platformCrypto()
  if (crypto.getRandomValues === undefined) {
    throw mistake(
      "OAuth.authorizationRequest needs crypto.getRandomValues, which is missing: load a polyfill first, for example react-native-get-random-values"
    )
  }
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)))
}

/** The SHA-256 of an ASCII string. */
export const sha256 = (text: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { subtle } = platformCrypto()
    if (subtle === undefined) {
      throw mistake("codeChallengeMethod S256 needs crypto.subtle, which a page has only over https: or on localhost")
    }
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    return base64Url(new Uint8Array(await subtle.digest("SHA-256", bytes)))
  })
