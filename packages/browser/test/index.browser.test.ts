import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
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

test("a base URL that begins with a slash is relative to the page's origin, in a Layer, too", async () => {
  const asked: Array<string> = []
  const fetch = (input: URL | RequestInfo) => {
    asked.push(input instanceof URL ? input.href : "")
    return Promise.resolve(Response.json({ id: 1, title: "One" }))
  }
  const baseUrl = "/catalog/"
  await using catalog = createCatalog({ baseUrl, fetch })
  await catalog.anime.get({ id: 1 })
  const get = Catalog.anime.get({ id: 1 }).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch))
  await Effect.runPromise(Effect.provide(get, [layer, Credentials.none, CatalogConfig.layer({ baseUrl })]))
  const url = `${location.origin}/catalog/anime/1`
  expect(asked).toEqual([url, url])
})

test("a hidden redirect says what it may mean", async () => {
  await using catalog = createCatalog({ baseUrl: url, headers: { "x-fault": "redirect-302" } })
  await expect(catalog.forum.boards()).rejects.toThrow("A browser hides where a redirect leads")
})
