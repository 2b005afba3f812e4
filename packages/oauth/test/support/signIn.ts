/**
 * The embedded service with its sign-in on a port.
 */
import type { LoginOptions, Session } from "catalog-client/oauth"
import { serve } from "catalog-client/testing"
import type { LoginOptions as EffectLoginOptions } from "@catalog-client/oauth/node"
import type { EmbeddedCatalogOptions } from "@catalog-client/testing"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { onTestFinished } from "vitest"

export const clientId = "embedded-client"

/** The URL that the start page redirects to. */
export const leadIn = (fileUrl: string): string =>
  /http-equiv="refresh" content="0; url=([^"]+)"/.exec(readFileSync(new URL(fileUrl), "utf8"))?.[1] ?? ""

/** The URL that a browser would be sent back to, without going there. */
export const backFrom = async (url: string): Promise<string> =>
  (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""

/** What a program of Effects passes for the functions of a program of promises, whose failures do not end a sign-in. */
export const effectsOf = ({ onUrl, openBrowser, paste, ...others }: LoginOptions): EffectLoginOptions => ({
  ...others,
  openBrowser:
    openBrowser &&
    ((url) =>
      Effect.orElseSucceed(
        Effect.tryPromise(async () => (await openBrowser(url)) !== false),
        () => false
      )),
  onUrl: onUrl && ((url) => Effect.ignore(Effect.tryPromise(async () => onUrl(url)))),
  paste:
    paste &&
    ((refused) =>
      Effect.catchAll(
        Effect.tryPromise(async (signal) => paste(signal, refused)),
        () => Effect.never
      ))
})

/** Signs a user in to a session, without a browser. */
export const signInTo = async (session: Session): Promise<void> => {
  const pending = await session.authorizationRequest()
  await session.exchange(pending, await backFrom(pending.redirectTo))
}

/** The service until the test ends, and the requests for tokens that it got. */
export const serveSignIn = async (
  redirectUri = "http://localhost:8080/callback",
  { oauth, quirks, ...options }: EmbeddedCatalogOptions = {}
) => {
  const tokenRequests: Array<URLSearchParams> = []
  const granted: Array<string> = []
  const service = await serve({
    ...options,
    oauth: { clients: { [clientId]: { redirectUris: [redirectUri] } }, ...oauth },
    quirks: {
      // So that a token that is redeemed twice is noticed.
      strictRotation: true,
      ...quirks,
      tokenReply: (reply) => {
        granted.push(reply.access_token, reply.refresh_token)
        return quirks?.tokenReply === undefined ? reply : quirks.tokenReply(reply)
      }
    },
    faults: [
      {
        on: ({ body, operation }) => {
          if (operation === "oauth.token") {
            tokenRequests.push(new URLSearchParams(body))
          }
          return false
        }
      },
      ...(options.faults ?? [])
    ]
  })
  onTestFinished(service.close)
  return { service, profile: service.profile, tokenRequests, granted }
}
