import { dehydrate } from "@tanstack/react-query"
import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { expect, it } from "vitest"
import { shelfOf } from "./shelf.js"

const accessToken = "embedded-token"

const start = () => {
  const requests: Array<string> = []
  const fetch = EmbeddedCatalog.fetch({ onRequest: ({ method, path }) => requests.push(`${method} ${path}`) })
  return { requests, shelf: shelfOf(createCatalog({ fetch, accessToken }), "sample_reader") }
}

it("reads the next page by the service's own link, and a list once", async () => {
  const { requests, shelf } = start()
  const best = await shelf.best(2)
  expect([best.length, new Set(best).size]).toEqual([10, 10])
  const [one, other] = await Promise.all([shelf.watching(), shelf.watching()])
  expect([one === other, await shelf.watching()]).toEqual([true, one])
  expect(requests).toEqual(["GET /v2/anime/ranking", "GET /v2/anime/ranking", "GET /v2/users/@me/animelist"])
})

it("reads again what a change shows, and nothing else", async () => {
  const { requests, shelf } = start()
  await shelf.best(1)
  const { data } = await shelf.watching()
  const { id } = data[0]?.node ?? { id: 0 }
  await shelf.watched(id, 7)
  requests.length = 0
  await shelf.best(1)
  const after = (await shelf.watching()).data.find(({ node }) => node.id === id)
  expect(after?.list_status?.num_episodes_watched).toBe(7)
  expect(requests).toEqual(["GET /v2/users/@me/animelist"])
})

it("keeps the user's id in what is stored, and no token", async () => {
  const { shelf } = start()
  await shelf.watching()
  const stored = JSON.stringify(dehydrate(shelf.client))
  expect(stored).toContain('"sample_reader"')
  expect(stored).not.toContain(accessToken)
})
