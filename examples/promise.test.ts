import { createCatalog, type Catalog } from "catalog-client"
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "catalog-client/testing"
import { expect, it } from "vitest"

/** Example application code. */
const finish = async (catalog: Catalog, id: number) => {
  await catalog.anime.updateMyListStatus({ id, status: "completed" })
}

const statusOf = async (catalog: Catalog, id: number) =>
  (await catalog.anime.get({ id }, { fields: "my_list_status" })).my_list_status?.status

const catalogWith = (options?: EmbeddedCatalogOptions) =>
  createCatalog({ fetch: EmbeddedCatalog.fetch(options), ...EmbeddedCatalog.credentials(options) })

it("a finished anime is on the list", async () => {
  const catalog = catalogWith()
  expect(await statusOf(catalog, 1)).toBe(undefined)
  await finish(catalog, 1)
  expect(await statusOf(catalog, 1)).toBe("completed")
})

it("a failing service rejects the call", async () => {
  const catalog = catalogWith({ faults: [{ on: "anime.updateMyListStatus", status: 503 }] })
  await expect(finish(catalog, 1)).rejects.toMatchObject({ _tag: "ClientRestError", status: 503 })
})
