import { createCatalog } from "catalog-client"
import { createSessions } from "catalog-client/oauth"
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
