import { createCatalog, type PromiseCatalog } from "@catalog-client/node"
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/node/testing"
import { expect, it } from "vitest"

/** What an application might have. */
const finish = async (catalog: PromiseCatalog, id: number) => {
  await catalog.anime.updateMyListStatus({ id, status: "completed" })
  const page = await catalog.user.animeList({ username: "@me", status: "completed", limit: 1000 })
  return page.data.some((entry) => entry.node.id === id)
}

const catalogWith = (options?: EmbeddedCatalogOptions) =>
  createCatalog({ fetch: EmbeddedCatalog.fetch(options), ...EmbeddedCatalog.credentials(options) })

it("a finished anime is on the list", async () => {
  expect(await finish(catalogWith(), 1)).toBe(true)
})

it("a failing service rejects the call", async () => {
  const catalog = catalogWith({ faults: [{ on: "user.animeList", status: 503 }] })
  await expect(finish(catalog, 1)).rejects.toMatchObject({ _tag: "ClientRestError", status: 503 })
})
