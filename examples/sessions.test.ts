import { createCatalog } from "catalog-client"
import { createSession, createSessions, Tokens } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"
import { expect, it } from "vitest"

it("a user signs in", async () => {
  const fetch = EmbeddedCatalog.fetch()
  const rows = new Map<string, string>()
  const sessions = createSessions({
    catalog: createCatalog({ fetch }),
    fetch,
    client: { clientId: "embedded-client", redirectUri: "http://localhost:8080/callback" },
    store: (key) => ({
      get: () => rows.get(key),
      set: (text) => rows.set(key, text),
      remove: () => rows.delete(key)
    })
  })

  const url = await sessions.begin("a visitor")
  // What the user's browser does: it comes back with a code.
  const consent = await fetch(url)
  await sessions.finish("a visitor", consent.headers.get("location") ?? "")

  const { name } = await sessions.catalogOf("a visitor").user.me()
  expect(name).toBe("sample_reader")
})

it("a user whose refresh token was revoked has to sign in again", async () => {
  const fetch = EmbeddedCatalog.fetch({
    faults: [{ on: "oauth.token", status: 401, body: { error: "invalid_request" } }]
  })
  const redirectUri = "http://localhost:8080/callback"
  const session = createSession({ clientId: "embedded-client", redirectUri, fetch, logLevel: "none" })
  await session.signIn(Tokens.from({ access_token: "old", refresh_token: "revoked", expires_in: 0 }))

  const catalog = createCatalog({ fetch, session })
  await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
})
