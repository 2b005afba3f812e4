/**
 * Selectors that a program names or has as its default. What the service makes of them is in testing/fields.test.ts, and what
 * their types leave in Fields.test-d.ts.
 */
import { createCatalog, Fields } from "@catalog-client/core"
import { expect, test } from "vitest"
import { catalogOver, json, recording } from "./support/faces.js"

test("Fields.unchecked requests names that the client does not know", async () => {
  const { catalog, sent } = catalogOver(() => json({ id: 1, title: "x", mood: "calm" }), { clientId: "one" })
  const { mood } = await catalog.anime.get({ id: 1 }, { fields: Fields.unchecked("mean", "mood") })
  expect(mood).toBe("calm")
  expect(sent[0]?.url.searchParams.get("fields")).toBe("mean,mood")
})

test("a default for each record is sent with the operations that read it", async () => {
  const { sent, layer } = recording(() => json({ id: 1, title: "x", name: "x", data: [], categories: [], score: 1 }))
  await using catalog = createCatalog({
    transport: layer,
    accessToken: "t",
    fields: { anime: "mean", manga: ["rank"], user: "picture", listStatus: "score", animeListEntry: ["list_status"] }
  })
  const fields = async (call: Promise<unknown>) => {
    await call
    return sent.at(-1)?.url.searchParams.get("fields")
  }
  expect(await fields(catalog.anime.get({ id: 1 }))).toBe("mean")
  expect(await fields(catalog.anime.suggestions())).toBe("mean")
  expect(await fields(catalog.anime.search({ q: "x" }))).toBe("mean")
  expect(await fields(catalog.manga.ranking({ rankingType: "all" }))).toBe("rank")
  expect(await fields(catalog.user.me())).toBe("picture")
  expect(await fields(catalog.manga.updateMyListStatus({ id: 1, score: 1 }))).toBe("score")
  expect(await fields(catalog.user.animeList({ username: "@me" }))).toBe("list_status")
  expect(await fields(catalog.user.mangaList({ username: "@me" }))).toBe(null)
  expect(await fields(catalog.forum.boards())).toBe(null)
  expect(await fields(catalog.anime.get({ id: 1 }, { fields: "" }))).toBe(null)
})
