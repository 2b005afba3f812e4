import { createCatalog } from "catalog-client"
import { layer } from "@catalog-client/browser"
import { expect, inject, test } from "vitest"
import { faces } from "../../core/test/support/faces.js"
import { sampled } from "../../core/test/support/full.js"
import { againstTheService } from "../../core/test/support/service.suite.js"

const url = inject("catalogUrl")

againstTheService({ transport: { layer, fetch: "global" }, url, isBrowser: true, only: sampled(faces, 2) })

test("the page and the service are of different origins", () => {
  expect(new URL(url).origin).not.toBe(location.origin)
})

test("a hidden redirect says what it may mean", async () => {
  await using catalog = createCatalog({ baseUrl: url, headers: { "x-fault": "redirect-302" } })
  await expect(catalog.forum.boards()).rejects.toThrow("A browser hides where a redirect leads")
})
