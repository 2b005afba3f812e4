import { Catalog, CatalogConfig, ClientRestError, Credentials } from "@catalog-client/core"
import { createCatalog, layer } from "@catalog-client/browser"
import { FetchHttpClient } from "@effect/platform"
import { Effect } from "effect"
import { expect, inject, test } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { againstTheService } from "../../core/test/support/service.suite.js"

const url = inject("catalogUrl")

againstTheService({ transport: layer, url, isBrowser: true, only: sampled(faces, 2) })

test("the page and the service are of different origins", () => {
  expect(new URL(url).origin).not.toBe(location.origin)
})

test("createCatalog works with the page's own fetch, with another, and with a Layer", async () => {
  const asked: Array<string> = []
  const myFetch = (input: URL, init: RequestInit) => {
    asked.push(input.href)
    return fetch(input, init)
  }
  for (const options of [{}, { fetch: myFetch }, { transport: layer }, { transport: undefined }]) {
    await using catalog = createCatalog({ baseUrl: url, ...options })
    expect(await catalog.anime.get({ id: 30230 })).toMatchObject({ id: 30230 })
  }
  expect(asked).toEqual([`${url}/anime/30230`])
})

test("a base URL that begins with a slash is relative to the page's origin", async () => {
  const asked: Array<string> = []
  const fetch = (input: URL) => {
    asked.push(input.href)
    return Promise.resolve(Response.json({ id: 1, title: "One" }))
  }
  await using catalog = createCatalog({ baseUrl: "/catalog/", fetch })
  await catalog.anime.get({ id: 1 })
  expect(asked).toEqual([`${location.origin}/catalog/anime/1`])
  for (const baseUrl of ["catalog", "//elsewhere.example/catalog", "/\\elsewhere.example/catalog"]) {
    expect(() => createCatalog({ baseUrl, fetch })).toThrow("baseUrl must be an absolute")
  }
  expect(() => createCatalog({ baseUrl: "/catalog?x", fetch })).toThrow("without a query")
})

test("a Layer accepts such a path, too", async () => {
  const asked: Array<string> = []
  const fetch = (input: URL | RequestInfo) => {
    asked.push(input instanceof URL ? input.href : "")
    return Promise.resolve(Response.json({ id: 1, title: "One" }))
  }
  const get = Catalog.anime.get({ id: 1 }).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch))
  const call = (baseUrl: string) =>
    Effect.runPromise(Effect.provide(get, [layer, Credentials.none, CatalogConfig.layer({ baseUrl })]))
  await call("/catalog/")
  expect(asked).toEqual([`${location.origin}/catalog/anime/1`])
  await expect(call("//elsewhere.example/catalog")).rejects.toThrow("baseUrl must be an absolute")
})

test("the slots are read on each call", async () => {
  await using catalog = createCatalog({ baseUrl: url })
  await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "Missing" })
  catalog.accessToken = "not-a-token"
  await expect(catalog.user.me()).rejects.toBeInstanceOf(ClientRestError)
  catalog.accessToken = "embedded-token"
  expect(await catalog.user.me()).toMatchObject({ name: "sample_reader" })
})

test("a hidden redirect says what it may mean", async () => {
  await using catalog = createCatalog({ baseUrl: url, headers: { "x-fault": "redirect-302" } })
  await expect(catalog.forum.boards()).rejects.toThrow("A browser hides where a redirect leads")
})

test("close ends calls in flight", async () => {
  const catalog = createCatalog({ baseUrl: url, headers: { "x-fault": "stall-before-headers" } })
  const call = catalog.forum.boards().catch((error: unknown) => error)
  setTimeout(() => void catalog.close(), 100)
  expect(await call).toMatchObject({ reason: "Cancelled", cause: { message: "the catalog was closed" } })
})
