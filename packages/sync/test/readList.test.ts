import { CatalogPolicy, Resilience } from "@catalog-client/core"
import { Sync } from "@catalog-client/sync"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { createCatalog } from "catalog-client"
import { fromXml, readList } from "catalog-client/sync"
import { animeListOf, generatedAnime, sample } from "catalog-client/testing"
import { it } from "@effect/vitest"
import { Data, Effect } from "effect"
import { expect, test } from "vitest"
import { made } from "../../core/test/support/faces.js"

const accessToken = "embedded-token"

test("has every title with every member, and no extra request", async () => {
  const operations: Array<string | undefined> = []
  const fetch = EmbeddedCatalog.fetch({ onRequest: ({ operation }) => operations.push(operation) })
  const catalog = createCatalog({ fetch, accessToken })
  const { anime_statistics } = await catalog.user.me({ fields: ["anime_statistics"] })
  const pages: Array<number> = []
  const list = await readList(catalog, "anime", { onPage: ({ count }) => pages.push(count) })
  expect(list.size).toBe(anime_statistics?.num_items)
  expect([operations, pages]).toEqual([["user.me", "user.animeList"], [350]])
  const written = await catalog.anime.updateMyListStatus({ id: 1, tags: ["a"], comments: "c", rewatch_value: 3 })
  const { num_episodes, title } = await catalog.anime.get({ id: 1 }, { fields: ["num_episodes"] })
  expect((await readList(catalog, "anime")).get(1)).toEqual(Object.assign({ id: 1, title, num_episodes }, written))
  expect([...(await readList(catalog, "manga")).values()][0]).toHaveProperty("num_volumes_read")
  expect((await readList(catalog, "anime", { username: "paper_lantern" })).size).not.toBe(list.size)
})

test("reads past a cache, with promises and with Effect", async () => {
  const fetch = EmbeddedCatalog.fetch()
  const elsewhere = createCatalog({ fetch, accessToken })
  const catalog = createCatalog({
    fetch,
    accessToken,
    policies: [made(Resilience.cache({ capacity: 9, timeToLive: "1 hour" }))]
  })
  const before = await readList(catalog, "anime")
  await elsewhere.anime.deleteFromList({ id: [...before.keys()][0] ?? 0 })
  expect((await readList(catalog, "anime")).size).toBe(before.size - 1)

  const twice = Effect.gen(function* () {
    const first = yield* Sync.readList("anime")
    yield* Effect.provideService(Sync.readList("manga"), CatalogPolicy, [])
    return [first.size, (yield* Sync.readList("anime")).size]
  })
  expect(
    await Effect.runPromise(
      twice.pipe(
        Effect.provide(EmbeddedCatalog.layerClient()),
        Effect.provide(CatalogPolicy.layer(made(Resilience.cache({ capacity: 9, timeToLive: "1 hour" }))))
      )
    )
  ).toEqual([before.size, before.size])
})

test("misses no entry when another one is removed between two pages", async () => {
  const { users, ...rest } = sample()
  const anime = generatedAnime(1_200)
  const [user] = users
  const dataset = {
    ...rest,
    anime,
    manga: [],
    users: user ? [{ ...user, animeList: animeListOf(anime, 1), mangaList: [] }] : []
  }
  const service = EmbeddedCatalog.fetch({ dataset })
  const elsewhere = createCatalog({ fetch: service, accessToken })
  const first = await elsewhere.user.animeList({ username: "@me", limit: 1 }, { nsfw: true })
  const gone = first.data[0]?.node.id ?? 0
  let requests = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests++
    if (requests === 2) {
      await elsewhere.anime.deleteFromList({ id: gone })
    }
    return service(input, init)
  }
  const list = await readList(createCatalog({ fetch, accessToken }), "anime")
  expect([list.size, list.has(gone)]).toEqual([1_199, false])
  // Two reads that differ, and one that agrees with the second.
  expect(requests).toBe(6)
})

test("refuses a kind that there is not: it would read another list", async () => {
  const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), accessToken })
  const kind = JSON.parse('"Anime"')
  await expect(readList(catalog, kind)).rejects.toThrow('readList: kind must be "anime" or "manga", but it is "Anime"')
})

class Full extends Data.TaggedError("Full") {}

it.effect("runs the Effect of onPage before the next page, and fails with its error", () => {
  const { users, ...rest } = sample()
  const anime = generatedAnime(1_200)
  const owners = users.slice(0, 1).map((user) => ({ ...user, animeList: animeListOf(anime, 1), mangaList: [] }))
  const seen: Array<string> = []
  const layer = EmbeddedCatalog.layerClient({
    dataset: { ...rest, anime, manga: [], users: owners },
    onRequest: ({ operation = "" }) => void seen.push(operation)
  })
  return Effect.gen(function* () {
    yield* Sync.readList("anime", {
      onPage: ({ count, page }) => Effect.sync(() => seen.push(`page ${page}: ${count}`))
    })
    const once = ["user.animeList", "page 1: 1000", "user.animeList", "page 2: 1200"]
    expect(seen).toEqual([...once, ...once])
    seen.length = 0
    expect(yield* Effect.flip(Sync.readList("anime", { onPage: () => new Full() }))).toEqual(new Full())
    expect(seen).toEqual(["user.animeList"])
    let pages = 0
    yield* Sync.readList("anime", { onPage: ({ page }) => void (pages = page) })
    expect(pages).toBe(2)
  }).pipe(Effect.provide(layer))
})

test("fromXml throws what Sync.fromXml fails with", () => {
  const { message } = Effect.runSync(Effect.flip(Sync.fromXml("<html>")))
  expect(() => fromXml("<html>")).toThrow(new SyntaxError(message))
  expect(fromXml("<anime></anime>")).toEqual(Effect.runSync(Sync.fromXml("<anime></anime>")))
})
