/**
 * The package where a page is rendered: there is no `location`.
 */
import { createCatalog } from "@catalog-client/browser"
import { createSession, localTokenStore, sessionTokenStore } from "@catalog-client/browser/oauth"
import { ServiceProfile } from "@catalog-client/core"
import { afterEach, expect, test, vi } from "vitest"

afterEach(() => vi.unstubAllGlobals())

const answering = () => {
  const asked: Array<string> = []
  const fetch = (input: URL) => {
    asked.push(input.href)
    return Promise.resolve(Response.json({ id: 1, title: "One", data: [] }))
  }
  return { asked, fetch }
}

test("a path as base URL works at module level, and a call says that it needs a page", async () => {
  expect(globalThis).not.toHaveProperty("location")
  const { asked, fetch } = answering()
  const catalog = createCatalog({ baseUrl: "/catalog", fetch })
  const error: unknown = await catalog.anime.get({ id: 1 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect((error as Error).message).toBe(
    'catalog.anime.get: baseUrl "/catalog" is relative to the page\'s origin, and there is no page here. Set an absolute URL, or call from a page.'
  )
  expect((error as Error).stack).toContain("server.test.ts")
  await expect(catalog.anime.search.collect({ q: "x" }, { max: 1 })).rejects.toThrow(/^catalog\.anime\.search: baseUrl/)
  await expect(catalog.anime.search({ q: " " })).rejects.toMatchObject({ _tag: "ClientValidationError" })
  await catalog.close()
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Cancelled", url: "/anime/{id}" })
  expect(asked).toEqual([])
})

test("the path is resolved by the first call that has a page", async () => {
  const { asked, fetch } = answering()
  await using catalog = createCatalog({ baseUrl: "/catalog/", fetch })
  await expect(catalog.anime.get({ id: 1 })).rejects.toBeInstanceOf(TypeError)
  vi.stubGlobal("location", new URL("http://localhost:3000/some/page"))
  await catalog.anime.get({ id: 1 })
  await catalog.anime.get({ id: 2 })
  expect(asked).toEqual(["http://localhost:3000/catalog/anime/1", "http://localhost:3000/catalog/anime/2"])
})

test("an invalid base URL is refused at once, or by the first call", async () => {
  const { fetch } = answering()
  for (const baseUrl of ["catalog", "//elsewhere.example/catalog", "ftp://x.example"]) {
    expect(() => createCatalog({ baseUrl, fetch })).toThrow("baseUrl must be an absolute")
  }
  await using catalog = createCatalog({ baseUrl: "/catalog?x", fetch })
  vi.stubGlobal("location", new URL("http://localhost:3000/"))
  await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(/^catalog\.anime\.get: baseUrl must be .* without a query/)
})

test.each([localTokenStore, sessionTokenStore])(
  "a session may stand at module level, and has no user",
  async (storeOf) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    const { fetch } = answering()
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
