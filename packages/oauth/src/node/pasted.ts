/**
 * The address that a user pastes in a sign-in, or a part of it.
 */
import { ClientAuthError } from "@catalog-client/core"

/** The error of a pasted string that is not the address. */
class NotTheAddress extends ClientAuthError {
  override get message(): string {
    return "Paste the whole address at which the browser ended up, with code= and state= in it, or the code alone. See https://catalog-client.github.io/catalog-client/e/state"
  }
}

/** The form of the service's codes. */
const codePattern = /^def50200[\da-f]{64,}$/

/** Strips quotes, `< >`, `&amp;` and line breaks, as around an address in a chat, a mail or a terminal. */
const addressIn = (text: string): string =>
  text
    .replaceAll("&amp;", "&")
    // Also quotes and spaces beyond ASCII, which no address has.
    .replace(/[^!-~]+/g, "")
    .replace(/^["'`<(]+|["'`>),;]+$/g, "")

/**
 * The query of a redirect, from what was pasted. Without `state`, the sign-in's own is used: the user has brought the code, and
 * only the verifier of the sign-in can redeem it.
 */
export const queryIn = (text: string, redirectUri: string, state: string): string | ClientAuthError => {
  const pasted = addressIn(text)
  const [, query] = /(?:^|[?&#])((?:code|state|error|iss)=[^#]*)/.exec(pasted) ?? []
  const params = new URLSearchParams(codePattern.test(pasted) ? { code: pasted } : query)
  if (!params.has("code") && !params.has("error")) {
    return new NotTheAddress({ operation: "Login.loopback", reason: "State" })
  }
  const isOther = pasted.includes("://") && !pasted.startsWith(redirectUri)
  if (!params.has("state") && !isOther) {
    params.set("state", state)
  }
  return `?${params.toString()}`
}
