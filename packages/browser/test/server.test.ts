/**
 * The package where a page is rendered: there is no `location`.
 */
// Not over the bundle: it compares the packages for Effect with `catalog-client`.
import { createCatalog } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { localTokenStore, sessionTokenStore } from "@catalog-client/oauth/browser"
import { ServiceProfile } from "@catalog-client/core"
import { expect, test, vi } from "vitest"

const recordingFetch = () => {
  const requests: Array<string> = []
  const fetch = (input: URL) => {
    requests.push(input.href)
    return Promise.resolve(Response.json({ id: 1, title: "One", data: [] }))
  }
  return { requests, fetch }
}

test("a path as base URL works at module level, and a call says that it needs a page", async () => {
  const { requests, fetch } = recordingFetch()
  const catalog = createCatalog({ baseUrl: "/catalog", fetch })
  const needsPage = /^catalog\.anime\.(get|search): baseUrl "\/catalog" is relative .* there is no page/
  await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(needsPage)
  await expect(catalog.anime.search.collect({ q: "x" }, { max: 1 })).rejects.toThrow(needsPage)
  await expect(catalog.anime.search({ q: " " })).rejects.toMatchObject({ _tag: "ClientValidationError" })
  await catalog.close()
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Cancelled", url: "/anime/{id}" })
  expect(requests).toEqual([])
})

test.each([localTokenStore, sessionTokenStore])(
  "a session may stand at module level, and has no user",
  async (storeOf) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    const { fetch } = recordingFetch()
    const profile = { ...ServiceProfile.default, baseUrl: "https://catalog.test" }
    await using session = createSession({ clientId: "my-client-id", profile, fetch, store: storeOf() })
    await using catalog = createCatalog({ session, fetch })
    expect(await session.resume()).toBeUndefined()
    expect(await session.tokens()).toBeUndefined()
    await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "SignedOut" })
    expect((await catalog.anime.get({ id: 1 })).title).toBe("One")
    expect(warn).not.toHaveBeenCalled()
    await expect(session.login()).rejects.toThrow(/needs a page/)
    const options: object = { navigate: undefined, popup: true }
    await expect(session.login(options)).rejects.toThrow('Login.redirect has no option "popup": it takes navigate')
    warn.mockRestore()
  }
)
