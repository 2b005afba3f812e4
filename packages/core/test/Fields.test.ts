/**
 * What a selector means to the models and to the service is one thing.
 */
import { Anime, createCatalog, Fields, Manga, User } from "@catalog-client/core"
import { AnimeEntry, AnimeListEntry, AnimeRankingEntry, MangaListEntry } from "@catalog-client/core/models"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { FastCheck as fc } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { type Ast, elementOf, membersOf } from "../src/internal/model/ast.js"
import { catalogOver, json, recording } from "./support/faces.js"
import { runs } from "./support/full.js"

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

interface Selection extends Map<string, Selection> {}

const selectionIn = (selector: string): Selection => {
  const root: Selection = new Map()
  const open = [root]
  let last = root
  for (const [token] of selector.matchAll(/[{}]|[^,{}]+/g)) {
    if (token === "{") {
      open.push(last)
    } else if (token === "}") {
      open.pop()
    } else {
      const level = open.at(-1) ?? root
      last = level.get(token) ?? new Map<string, Selection>()
      level.set(token, last)
    }
  }
  return root
}

const withMembers = (record: object, names: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

const mapped = (values: unknown, map: (value: object) => object) => (values as ReadonlyArray<object>).map(map)

/** Members of a list status that come without braces. */
const usual = withoutBraces([...Fields.all.animeListStatus, ...Fields.all.mangaListStatus]).filter(
  (name) => !/^(tags|comments|priority|num_times_re.*|re.*_value)$/.test(name)
)

/** What is sent of a record when no fields are named. */
const bare = (ast: Ast, record: object): object => {
  const members = membersOf(ast)
  const node = members.get("node")
  return members.has("main_picture")
    ? withMembers(record, ["id", "title", "main_picture"])
    : members.has("joined_at")
      ? withMembers(record, ["id", "name", "location", "joined_at", "picture", "gender", "birthday"])
      : members.has("first_name")
        ? withMembers(record, ["id"])
        : node === undefined || !("node" in record)
          ? record
          : { ...record, node: bare(node.type, record.node as object), list_status: undefined }
}

const valueOf = (name: string, ast: Ast, inner: Selection, value: unknown): unknown => {
  const element = elementOf(ast)
  if (inner.size > 0) {
    return element !== undefined
      ? mapped(value, (one) => narrow(element, inner, one))
      : membersOf(ast).size > 0
        ? narrow(ast, inner, value as object)
        : value
  }
  return name === "my_list_status" || name === "list_status"
    ? withMembers(value as object, usual)
    : element !== undefined && membersOf(element).has("node")
      ? mapped(value, (one) => bare(element, one))
      : value
}

/** What a selector leaves of a record; what only the service knows is left as it is. */
const narrow = (ast: Ast, selection: Selection, record: object): object => {
  const members = membersOf(ast)
  const node = members.get("node")
  const ofNode: Selection = new Map([...selection].filter(([name]) => !members.has(name)))
  selection.get("node")?.forEach((inner, name) => ofNode.set(name, inner))
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
      const member = members.get(name)
      const inner = selection.get(name)
      if (name === "node" && node !== undefined) {
        const isLeft = !node.isOptional || inner !== undefined || ofNode.size > 0
        const left = ofNode.size === 0 ? bare(node.type, value as object) : narrow(node.type, ofNode, value as object)
        return isLeft ? [[name, left]] : []
      }
      return member?.isOptional === false
        ? [[name, value]]
        : inner === undefined
          ? []
          : [[name, member === undefined ? value : valueOf(name, member.type, inner, value)]]
    })
  )
}

/** Everything: what comes only in braces, in braces. */
const everything = (names: ReadonlyArray<string>, nested: Readonly<Record<string, ReadonlyArray<string>>>) => [
  ...names,
  ...Object.entries(nested)
    .filter(([name]) => /list_status|related|recommendations|authors/.test(name))
    .map(([name, inner]) => `${name}{${inner.join(",")}}`)
]

describe.each(models)("$name", ({ model, names, nested, read }) => {
  test("has with a selector what that selector leaves of the whole record", async () => {
    const whole = await read(everything(names, nested))
    await fc.assert(
      fc.asyncProperty(selectors(names, nested), async (selector) => {
        const left = (entries: ReadonlyArray<object>) =>
          entries.map((entry) => narrow(model.ast, selectionIn(selector.join(",")), entry))
        const reply = left(await read(selector))
        expect(reply).toEqual(left(whole))
        // As an array and as a text it is the same.
        expect(left(await read([selector.join(" , ")]))).toEqual(reply)
      }),
      runs(60)
    )
  })
})

test("Fields.unchecked requests names that the client does not know", async () => {
  const { catalog, sent } = catalogOver(() => json({ id: 1, title: "x", mood: "calm" }), { clientId: "one" })
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
