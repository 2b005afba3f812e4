/**
 * A session against the embedded service's own sign-in: neither knows the other's code.
 */
import { createCatalog, ServiceProfile } from "@catalog-client/core"
import { createSession } from "@catalog-client/core/oauth"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { Redacted } from "effect"
import { expect, test } from "vitest"

const redirectUri = "http://localhost:8080/callback"

const open = (options: Parameters<typeof EmbeddedCatalog.toWebHandler>[0] = {}) => {
  const service = EmbeddedCatalog.toWebHandler(options)
  const fetch = (input: URL, init?: RequestInit) => service.handler(new Request(input, init))
  const origin = "https://catalog.test"
  const profile = {
    ...ServiceProfile.default,
    baseUrl: `${origin}/v2`,
    oauth: { ...ServiceProfile.default.oauth, ...EmbeddedCatalog.oauthUrls(origin) }
  }
  const session = createSession({ clientId: "embedded-client", redirectUri, fetch, profile })
  const catalog = createCatalog({ fetch, profile, session })
  /** What a browser does: it opens the page, and follows the redirect back. */
  const visit = async (url: URL) => (await fetch(url, { redirect: "manual" })).headers.get("location") ?? ""
  const close = async () => {
    await catalog.close()
    await session.close()
    await service.dispose()
  }
  return { catalog, session, visit, close }
}

test("a user signs in, gets new tokens after a revocation, and signs out", async () => {
  const { catalog, session, visit, close } = open()
  await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
  const pending = await session.authorizationRequest()
  await session.exchange(pending, await visit(Redacted.value(pending.url)))
  expect((await catalog.user.me()).name).toBe("sample_reader")
  const before = await session.tokens()
  const after = await session.refresh()
  expect(Redacted.value(after.accessToken)).not.toBe(before && Redacted.value(before.accessToken))
  // The service has revoked the first one.
  const revoked = catalog.user.me({ accessToken: before?.accessToken })
  await expect(revoked).rejects.toMatchObject({ status: 401, code: "invalid_token" })
  expect((await catalog.user.me()).name).toBe("sample_reader")
  await session.signOut()
  await expect(catalog.user.me()).rejects.toMatchObject({ reason: "SignedOut" })
  expect((await catalog.anime.get({ id: 30230 })).id).toBe(30230)
  await close()
})

test("a denial is an error that says so, and nothing is stored", async () => {
  const { session, visit, close } = open({ oauth: { consent: "deny" } })
  const pending = await session.authorizationRequest()
  const back = await visit(Redacted.value(pending.url))
  await expect(session.exchange(pending, back)).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "Denied" })
  expect(await session.tokens()).toBeUndefined()
  await close()
})
