/**
 * What a selector means to the types, to what runs and to the service is one thing.
 */
import { Anime, AnimeListStatus, createCatalog, Fields, Manga, User } from "@catalog-client/core"
import { AnimeEntry, AnimeListEntry, AnimeRankingEntry, MangaListEntry } from "@catalog-client/core/models"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { FastCheck as fc, Schema } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { membersOf } from "../src/internal/model/ast.js"
import { json, recording } from "./support/faces.js"
import { runs } from "./support/full.js"
import { arbitraryOf } from "./support/schemas.js"

const catalog = createCatalog({ transport: EmbeddedCatalog.layer(), accessToken: "embedded-token", nsfw: true })
afterAll(() => catalog.close())

const withoutBraces = (names: ReadonlyArray<string>) => names.map((name) => name.replace(/\{.*/, ""))

/** Names in any order and with any repetition, each as it is or narrowed to some of what it holds, some of them unknown. */
const selectors = (names: ReadonlyArray<string>, nested: Readonly<Record<string, ReadonlyArray<string>>>) =>
  fc.array(
    fc.oneof(
      fc.constantFrom(...names),
      fc.constantFrom("no_such_field", "mood"),
      ...Object.entries(nested).map(([name, inner]) =>
        fc
          .array(fc.constantFrom(...inner, "no_such_field"), { minLength: 1 })
          .map((some) => `${name}{${some.join(",")}}`)
      )
    ),
    { minLength: 1, maxLength: 12 }
  )

const statistics = ["num_list_users", "status", "status{watching,completed}"]
const status = (names: ReadonlyArray<string>) => withoutBraces(names)
const neighbours = ["main_picture", "mean", "rank", "media_type", "genres{name}", "start_date"]
const relation = ["relation_type", "node", "node{main_picture,mean,rank,media_type,genres,start_date}", ...neighbours]

const models = [
  {
    name: "an anime",
    model: Anime,
    names: withoutBraces(Fields.all.anime),
    nested: {
      my_list_status: status(Fields.all.animeListStatus),
      main_picture: ["medium", "large"],
      alternative_titles: ["en", "ja", "synonyms"],
      genres: ["id", "name"],
      start_season: ["year", "season"],
      broadcast: ["day_of_the_week"],
      statistics,
      related_anime: relation,
      recommendations: ["num_recommendations", "node{mean}", ...neighbours]
    },
    read: async (fields: ReadonlyArray<string>) => [await catalog.anime.get({ id: 30230 }, { fields })]
  },
  {
    name: "a manga",
    model: Manga,
    names: withoutBraces(Fields.all.manga),
    nested: {
      my_list_status: status(Fields.all.mangaListStatus),
      authors: ["role", "first_name", "last_name", "node{first_name}"],
      serialization: ["node", "node{name}"],
      related_anime: relation
    },
    read: async (fields: ReadonlyArray<string>) => [await catalog.manga.get({ id: 2 }, { fields })]
  },
  {
    name: "a user",
    model: User,
    names: withoutBraces(Fields.all.user),
    nested: { anime_statistics: ["num_days", "mean_score", "num_items"] },
    read: async (fields: ReadonlyArray<string>) => [await catalog.user.me({ fields })]
  },
  {
    name: "an entry of a search",
    model: AnimeEntry,
    names: ["main_picture", "mean", "genres", "synopsis", "studios", "rank", "nsfw"],
    nested: { my_list_status: ["tags", "score"], genres: ["name"] },
    read: async (fields: ReadonlyArray<string>) => (await catalog.anime.search({ q: "diamond" }, { fields })).data
  },
  {
    name: "an entry of a ranking",
    model: AnimeRankingEntry,
    names: ["main_picture", "mean", "genres", "synopsis", "studios", "rank", "nsfw"],
    nested: { my_list_status: ["tags", "score"], genres: ["name"] },
    read: async (fields: ReadonlyArray<string>) =>
      (await catalog.anime.ranking({ rankingType: "all", limit: 5 }, { fields })).data
  },
  {
    name: "an entry of an anime list",
    model: AnimeListEntry,
    names: ["main_picture", "list_status", "mean", "genres", "num_episodes", "broadcast"],
    nested: { list_status: status(Fields.all.animeListStatus), genres: ["name"] },
    read: async (fields: ReadonlyArray<string>) =>
      (await catalog.user.animeList({ username: "@me", limit: 5 }, { fields })).data
  },
  {
    name: "an entry of a manga list",
    model: MangaListEntry,
    names: ["main_picture", "list_status", "mean", "genres", "num_chapters", "authors"],
    nested: { list_status: status(Fields.all.mangaListStatus), authors: ["first_name", "role"] },
    read: async (fields: ReadonlyArray<string>) =>
      (await catalog.user.mangaList({ username: "@me", limit: 5 }, { fields })).data
  }
]

/** Everything: what comes only in braces, in braces. */
const everything = (names: ReadonlyArray<string>, nested: Readonly<Record<string, ReadonlyArray<string>>>) => [
  ...names,
  ...Object.entries(nested)
    .filter(([name]) => /list_status|related|recommendations|authors/.test(name))
    .map(([name, inner]) => `${name}{${inner.join(",")}}`)
]

describe.each(models)("$name", ({ model, names, nested, read }) => {
  test("has with a selector what the Schema of that selector reads from the whole record", async () => {
    const whole = await read(everything(names, nested))
    await fc.assert(
      fc.asyncProperty(selectors(names, nested), async (selector) => {
        const schema: Schema.Schema<unknown> = Fields.schema<unknown, string>(
          model as Schema.Schema<unknown>,
          selector.join(",")
        )
        const decode = Schema.decodeUnknownSync(Schema.Array(schema))
        const reply = decode(await read(selector))
        expect(reply).toEqual(decode(whole))
        // As an array and as a text it is the same.
        expect(decode(await read([selector.join(" , ")]))).toEqual(reply)
      }),
      runs(60)
    )
  })
})

describe("Fields.schema", () => {
  const keys = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.length === 0 || keys(value[0])
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, keys(member)]))
        : true

  test("drops what was not named, and keeps names that only the service knows", () => {
    const decode = Schema.decodeUnknownSync(Fields.schema(Anime, "mean, genres{name}, mood"))
    expect(
      decode({ id: 1, title: "One", mean: 8, rank: 3, genres: [{ id: 4, name: "Comedy" }], mood: { any: ["thing"] } })
    ).toEqual({ id: 1, title: "One", mean: 8, genres: [{ name: "Comedy" }], mood: { any: ["thing"] } })
  })

  test("refuses another type and a missing title, and accepts missing optional members", () => {
    const is = Schema.is(Fields.schema(Anime, ["mean"]))
    expect(is({ id: 1, title: "One" })).toBe(true)
    expect(is({ id: 1, title: "One", mean: "8" })).toBe(false)
    expect(is({ id: 1 })).toBe(false)
  })

  test("without names has the default members", () => {
    const named = (schema: Schema.Schema.AnyNoContext) => [...membersOf(schema.ast).keys()]
    expect(named(Fields.schema(Anime))).toEqual(["id", "title", "main_picture"])
    expect(named(Fields.schema(Manga, ""))).toEqual(["id", "title", "main_picture"])
    expect(named(Fields.schema(User, []))).toEqual([
      "id",
      "name",
      "location",
      "joined_at",
      "picture",
      "gender",
      "birthday"
    ])
    expect(named(Fields.schema(AnimeListEntry))).toEqual(["node"])
    expect(named(Fields.schema(AnimeRankingEntry))).toEqual(["node", "ranking"])
    expect(named(Fields.schema(AnimeListStatus))).toEqual(named(AnimeListStatus))
  })

  test("generates and encodes what it describes", () => {
    const schema = Fields.schema(MangaListEntry, "authors{first_name}, list_status{tags}, related_anime{node{mean}}")
    const is = Schema.is(schema)
    const encode = Schema.encodeSync(schema)
    fc.assert(
      fc.property(arbitraryOf(schema), (entry) => is(entry) && is(encode(entry))),
      runs(20)
    )
    expect(
      keys(
        encode({
          node: {
            id: 1,
            title: "One",
            authors: [{ node: { first_name: "A" } }],
            related_anime: [{ node: { id: 2, title: "Two" } }]
          },
          list_status: { tags: [] }
        })
      )
    ).toEqual({
      node: {
        id: true,
        title: true,
        authors: { node: { first_name: true } },
        related_anime: { node: { id: true, title: true } }
      },
      list_status: { tags: true }
    })
  })
})

test("Fields.unchecked requests names that the client does not know", async () => {
  const { sent, layer } = recording(() => json({ id: 1, title: "x", mood: "calm" }))
  await using catalog = createCatalog({ transport: layer, clientId: "one" })
  const { mood } = await catalog.anime.get({ id: 1 }, { fields: Fields.unchecked("mean", "mood") })
  expect(mood).toBe("calm")
  expect(sent[0]?.url.searchParams.get("fields")).toBe("mean,mood")
})

test("every member arrives with Fields.all", async () => {
  const anime = await catalog.anime.get({ id: 30230 }, { fields: Fields.all.anime })
  expect(anime).toMatchObject({
    mean: expect.any(Number),
    my_list_status: { tags: expect.any(Array), status: expect.any(String) },
    related_anime: expect.any(Array),
    statistics: expect.any(Object)
  })
  const list = await catalog.user.animeList({ username: "@me", limit: 1 }, { fields: Fields.all.animeListEntry })
  expect(list.data[0]).toMatchObject({
    node: { genres: expect.any(Array) },
    list_status: { tags: expect.any(Array), comments: expect.any(String) }
  })
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
