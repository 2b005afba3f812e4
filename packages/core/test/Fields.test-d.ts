import { type CatalogOptions, createCatalog, type Catalog as PromiseCatalog, type CatalogWith } from "catalog-client"
import {
  type Anime,
  type AnimeListStatus,
  Catalog,
  CatalogClient,
  Fields,
  type Manga,
  type Operation,
  type User
} from "@catalog-client/core"
import type {
  AnimeEntry,
  AnimeListEntry,
  AnimeNode,
  AnimeRankingEntry,
  Genre,
  MangaNode,
  Nsfw,
  RelationType
} from "@catalog-client/core/models"
import { Effect, type Option, Stream } from "effect"
import { describe, expectTypeOf, test } from "vitest"

/** The reply of an operation, on either face. */
type ReplyOf<T> = T extends Effect.Effect<infer A, unknown, unknown> ? A : Awaited<T>

type Has<Members extends object> = { readonly id: number; readonly title: string } & Members extends infer A
  ? { [K in keyof A]: A[K] } & {}
  : never

type Row = Has<{ readonly main_picture?: { readonly medium?: string; readonly large?: string } }>

type Mean = Has<{ readonly mean?: number }>

declare const get: <A>(effect: A) => ReplyOf<A>
declare const text: string
declare const texts: ReadonlyArray<string>
declare const condition: boolean

describe("a literal selector", () => {
  test("keeps exactly the named members, as optional ones", () => {
    const mean = get(Catalog.anime.get({ id: 1 }, { fields: ["mean", "genres"] }))
    expectTypeOf(mean).toEqualTypeOf<Has<{ readonly mean?: number; readonly genres?: ReadonlyArray<Genre> }>>()
    // @ts-expect-error it was not asked for
    void mean.synopsis
    // @ts-expect-error nor was this, which comes only where nothing is said
    void mean.main_picture
  })

  test("is the same as a text, with or without blanks", () => {
    type Same = Has<{ readonly mean?: number; readonly genres?: ReadonlyArray<Genre> }>
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: "mean, genres" }))).toEqualTypeOf<Same>()
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: " mean ,, genres, " }))).toEqualTypeOf<Same>()
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: ["mean,genres"] }))).toEqualTypeOf<Same>()
  })

  test("can name required members without making them optional", () => {
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: "id, title, mean" }))).toEqualTypeOf<Mean>()
  })

  test("nests, in both forms and to any depth", () => {
    type Tagged = Has<{
      readonly my_list_status?: { readonly tags?: ReadonlyArray<string>; readonly comments?: string }
    }>
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: "my_list_status{tags,comments}" }))).toEqualTypeOf<Tagged>()
    expectTypeOf(
      get(Catalog.anime.get({ id: 1 }, { fields: ["my_list_status{ tags , comments }"] }))
    ).toEqualTypeOf<Tagged>()

    const related = get(Catalog.anime.get({ id: 1 }, { fields: "rank, related_anime{node{mean}}, nsfw" }))
    expectTypeOf(related).toEqualTypeOf<
      Has<{
        readonly rank?: number
        readonly nsfw?: Nsfw
        readonly related_anime?: ReadonlyArray<{ readonly node?: Mean }>
      }>
    >()
    // @ts-expect-error the kind of the relation was not asked for
    void related.related_anime?.[0]?.relation_type

    const deep = get(
      Catalog.manga.get({ id: 1 }, { fields: ["related_manga{node{authors{role}},relation_type}", "mean"] })
    )
    expectTypeOf(deep.related_manga?.[0]).toEqualTypeOf<
      | {
          readonly node?: Has<{ readonly authors?: ReadonlyArray<{ readonly role?: string }> }>
          readonly relation_type?: RelationType
        }
      | undefined
    >()
  })

  test("applies to the node of an edge", () => {
    expectTypeOf(get(Catalog.manga.get({ id: 1 }, { fields: "authors{first_name}" }))).toEqualTypeOf<
      Has<{ readonly authors?: ReadonlyArray<{ readonly node?: { readonly first_name?: string } }> }>
    >()
    expectTypeOf(get(Catalog.manga.get({ id: 1 }, { fields: "related_anime{mean}" }))).toEqualTypeOf<
      Has<{ readonly related_anime?: ReadonlyArray<{ readonly node?: Mean }> }>
    >()
  })

  test("without braces, a record has its default members", () => {
    const { authors, my_list_status, related_anime } = get(
      Catalog.manga.get({ id: 1 }, { fields: "authors, my_list_status, related_anime" })
    )
    expectTypeOf(authors?.[0]?.node).toEqualTypeOf<{ readonly id?: number } | undefined>()
    expectTypeOf(related_anime?.[0]?.node).toEqualTypeOf<Row | undefined>()
    expectTypeOf(my_list_status?.num_chapters_read).toEqualTypeOf<number | undefined>()
    // @ts-expect-error tags come only in braces
    void my_list_status?.tags
  })
})

describe("an entry", () => {
  test("has its node selected, and a requested list_status beside it", () => {
    const list = get(Catalog.user.animeList({ username: "@me" }, { fields: "mean, list_status{tags}" }))
    expectTypeOf(list.data[0]).toEqualTypeOf<
      | {
          readonly node: Mean
          readonly list_status?: { readonly tags?: ReadonlyArray<string> }
        }
      | undefined
    >()
    const bare = get(Catalog.user.mangaList({ username: "@me" }, { fields: ["list_status"] }))
    expectTypeOf(bare.data[0]?.node).toEqualTypeOf<Row | undefined>()
    expectTypeOf(bare.data[0]?.list_status?.num_volumes_read).toEqualTypeOf<number | undefined>()
    const none = get(Catalog.user.animeList({ username: "@me" }))
    expectTypeOf(none.data[0]).toEqualTypeOf<{ readonly node: Row } | undefined>()
    // @ts-expect-error list_status is there only when it is asked for
    void none.data[0]?.list_status
  })

  test("of a search, a season, the suggestions has its node selected", () => {
    const expected = {} as { readonly node: Mean } | undefined
    const fields = "mean"
    expectTypeOf(get(Catalog.anime.search({ q: "x" }, { fields })).data[0]).toEqualTypeOf(expected)
    expectTypeOf(get(Catalog.manga.search({ q: "x" }, { fields })).data[0]).toEqualTypeOf(expected)
    expectTypeOf(get(Catalog.anime.suggestions({ fields })).data[0]).toEqualTypeOf(expected)
    const season = get(Catalog.anime.seasonal({ year: 2017, season: "fall" }, { fields }))
    expectTypeOf(season.data[0]).toEqualTypeOf(expected)
    expectTypeOf(season.season?.year).toEqualTypeOf<number | undefined>()
    expectTypeOf(season.paging?.next).toEqualTypeOf<string | undefined>()
  })

  test("of a ranking always has its rank", () => {
    const ranking = { rankingType: "all" } as const
    type Place = { readonly rank: number; readonly previous_rank?: number }
    expectTypeOf(get(Catalog.anime.ranking(ranking, { fields: "mean" })).data[0]).toEqualTypeOf<
      { readonly node: Mean; readonly ranking: Place } | undefined
    >()
    expectTypeOf(get(Catalog.manga.ranking(ranking)).data[0]).toEqualTypeOf<
      { readonly node: Row; readonly ranking: Place } | undefined
    >()
  })
})

test("a user has id and name", () => {
  expectTypeOf(get(Catalog.user.me({ fields: "picture, anime_statistics{num_days}" }))).toEqualTypeOf<{
    readonly id: number
    readonly name: string
    readonly picture?: string
    readonly anime_statistics?: { readonly num_days?: number }
  }>()
  expectTypeOf(get(Catalog.user.get({ username: "@me" }))).toEqualTypeOf<Fields.Selected<User, never>>()
  expectTypeOf<Fields.Selected<User, never>>().toEqualTypeOf<{
    readonly id: number
    readonly name: string
    readonly location?: string
    readonly joined_at?: string
    readonly picture?: string
    readonly gender?: string
    readonly birthday?: string
  }>()
})

test("a write returns the whole record, and the selector narrows only the type", () => {
  expectTypeOf(get(Catalog.anime.updateMyListStatus({ id: 1, score: 1 }))).toEqualTypeOf<AnimeListStatus>()
  expectTypeOf(get(Catalog.anime.updateMyListStatus({ id: 1, score: 1 }, { fields: "score" }))).toEqualTypeOf<{
    readonly score?: number
  }>()
})

describe("without a selector", () => {
  test("the reply has the default members", () => {
    for (const reply of [
      get(Catalog.anime.get({ id: 1 })),
      get(Catalog.anime.get({ id: 1 }, {})),
      get(Catalog.anime.get({ id: 1 }, { timeout: 1 })),
      get(Catalog.anime.get({ id: 1 }, { fields: undefined })),
      get(Catalog.anime.get({ id: 1 }, { fields: [] })),
      get(Catalog.anime.get({ id: 1 }, { fields: "" }))
    ]) {
      expectTypeOf(reply).toEqualTypeOf<Row>()
    }
  })

  test("a conditional selector keeps what both sides have in common", () => {
    const reply = get(Catalog.anime.get({ id: 1 }, condition ? { fields: "mean" } : {}))
    expectTypeOf(reply).toEqualTypeOf<Mean>()
    const other = get(Catalog.anime.get({ id: 1 }, { fields: condition ? ["mean"] : ["rank"] }))
    expectTypeOf(other).toEqualTypeOf<Has<{ readonly mean?: number; readonly rank?: number }>>()
    const maybe = get(Catalog.anime.get({ id: 1 }, condition ? { timeout: 1 } : undefined))
    expectTypeOf(maybe).toEqualTypeOf<Row>()
  })

  test("a selector that may be left out is read as the selector", () => {
    const word = {} as "mean" | undefined
    const words = {} as readonly ["mean"] | undefined
    for (const reply of [
      get(Catalog.anime.get({ id: 1 }, { fields: word })),
      get(Catalog.anime.get({ id: 1 }, { fields: words })),
      get(Catalog.anime.search.collect({ q: "x" }, { max: 1, fields: word }))[0]?.node ?? ({} as Mean)
    ]) {
      expectTypeOf(reply).toEqualTypeOf<Mean>()
    }
    const some = {} as ReadonlyArray<string> | undefined
    const free = {} as Fields.Selector<Anime> | undefined
    for (const reply of [
      get(Catalog.anime.get({ id: 1 }, { fields: some })),
      get(Catalog.anime.get({ id: 1 }, { fields: free }))
    ]) {
      expectTypeOf(reply).toEqualTypeOf<Anime>()
    }
    const [entry] = get(Catalog.anime.search({ q: "x" }, { fields: some })).data
    expectTypeOf(entry).toEqualTypeOf<{ readonly node: AnimeNode } | undefined>()
  })
})

test("a selector of type string keeps every member", () => {
  expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: text }))).toEqualTypeOf<Anime>()
  expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: texts }))).toEqualTypeOf<Anime>()
  expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: {} as Fields.Selector<Anime> }))).toEqualTypeOf<Anime>()
  expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: `${text},mean` }))).toEqualTypeOf<Anime>()
  expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields: Fields.all.anime }))).toEqualTypeOf<Anime>()
  expectTypeOf(get(Catalog.manga.get({ id: 1 }, { fields: Fields.all.manga }))).toEqualTypeOf<Manga>()
  expectTypeOf(
    get(Catalog.user.animeList({ username: "@me" }, { fields: Fields.all.animeListEntry })).data[0]
  ).toEqualTypeOf<{ readonly node: AnimeNode; readonly list_status?: AnimeListEntry["list_status"] & {} } | undefined>()
})

test("braces count also besides the bare name", () => {
  expectTypeOf(
    get(Catalog.anime.get({ id: 1 }, { fields: ["my_list_status", "my_list_status{tags}"] })).my_list_status
  ).toEqualTypeOf<{ readonly tags?: ReadonlyArray<string> } | undefined>()
})

describe("defaults of a catalog", () => {
  const fetch = {} as (input: URL, init: RequestInit) => Promise<Response>

  test("one for all: each record takes the names that it knows", () => {
    const catalog = createCatalog({ fetch, fields: "mean, picture, list_status{tags}" })
    expectTypeOf(get(catalog.anime.get({ id: 1 }))).toEqualTypeOf<Mean>()
    expectTypeOf(get(catalog.anime.get({ id: 1 }, {}))).toEqualTypeOf<Mean>()
    expectTypeOf(get(catalog.anime.get({ id: 1 }, { timeout: 1 }))).toEqualTypeOf<Mean>()
    expectTypeOf(get(catalog.anime.get({ id: 1 }, { fields: undefined }))).toEqualTypeOf<Mean>()
    expectTypeOf(get(catalog.anime.get({ id: 1 }, { fields: "rank" }))).toEqualTypeOf<Has<{ readonly rank?: number }>>()
    expectTypeOf(get(catalog.anime.get({ id: 1 }, { fields: [] }))).toEqualTypeOf<Row>()
    expectTypeOf(get(catalog.user.me())).toEqualTypeOf<{
      readonly id: number
      readonly name: string
      readonly picture?: string
    }>()
    expectTypeOf(get(catalog.user.animeList({ username: "@me" })).data[0]).toEqualTypeOf<
      | {
          readonly node: Mean
          readonly list_status?: { readonly tags?: ReadonlyArray<string> }
        }
      | undefined
    >()
    expectTypeOf(get(catalog.anime.ranking({ rankingType: "all" })).data[0]?.node).toEqualTypeOf<Mean | undefined>()
  })

  test("one for all with only unknown names keeps the required members", () => {
    const catalog = createCatalog({ fetch, fields: Fields.unchecked("mood", "weather{today}") })
    expectTypeOf(get(catalog.manga.get({ id: 1 }))).toEqualTypeOf<Has<{}>>()
    expectTypeOf(get(catalog.user.me())).toEqualTypeOf<{ readonly id: number; readonly name: string }>()
    expectTypeOf(get(catalog.user.animeList({ username: "@me" })).data[0]).toEqualTypeOf<
      { readonly node: Has<{}> } | undefined
    >()
    expectTypeOf(get(catalog.anime.updateMyListStatus({ id: 1, score: 1 }))).toEqualTypeOf<{}>()
  })

  test("one that may be left out is read as the selector", () => {
    const word = {} as "mean" | undefined
    const some = {} as ReadonlyArray<string> | undefined
    expectTypeOf(get(createCatalog({ fetch, fields: word }).anime.get({ id: 1 }))).toEqualTypeOf<Mean>()
    expectTypeOf(get(createCatalog({ fetch, fields: some }).anime.get({ id: 1 }))).toEqualTypeOf<Anime>()
    expectTypeOf(get(createCatalog({ fetch, fields: { anime: word } }).anime.get({ id: 1 }))).toEqualTypeOf<Mean>()
  })

  test("one for each record, and none for the others", () => {
    const catalog = createCatalog({
      fetch,
      fields: { anime: ["mean"], user: "gender", animeListEntry: "list_status", listStatus: ["score"] }
    })
    expectTypeOf(get(catalog.anime.get({ id: 1 }))).toEqualTypeOf<Mean>()
    expectTypeOf(get(catalog.anime.suggestions()).data[0]?.node).toEqualTypeOf<Mean | undefined>()
    expectTypeOf(get(catalog.manga.get({ id: 1 }))).toEqualTypeOf<Row>()
    expectTypeOf(get(catalog.user.me()).gender).toEqualTypeOf<string | undefined>()
    expectTypeOf(get(catalog.user.animeList({ username: "@me" })).data[0]?.list_status?.score).toEqualTypeOf<
      number | undefined
    >()
    expectTypeOf(get(catalog.anime.updateMyListStatus({ id: 1, score: 1 }))).toEqualTypeOf<{
      readonly score?: number
    }>()
  })

  test("one whose names the compiler does not know keeps every member", () => {
    const free = createCatalog({ fetch, fields: text })
    expectTypeOf(get(free.anime.get({ id: 1 }))).toEqualTypeOf<Anime>()
  })

  test("none, with any other option", () => {
    for (const catalog of [
      createCatalog({ fetch }),
      createCatalog({ fetch, timeout: 1 }),
      createCatalog({ fetch, fields: undefined }),
      createCatalog({ fetch, ...({} as CatalogOptions) })
    ]) {
      expectTypeOf(get(catalog.anime.get({ id: 1 }))).toEqualTypeOf<Row>()
    }
    expectTypeOf(createCatalog({ fetch })).toExtend<PromiseCatalog>()
  })
})

// Declarations are written for these: without what every selection keeps, a compiler looks for their members without end.
export const title = <const S extends Fields.Selector<Anime>>(anime: Fields.Selected<Anime, S>) => anime.title
export const name = <const S extends Fields.Selector<User>>(user: Fields.Selected<User, S>) => user.name
export const place = <const S extends Fields.Selector<AnimeRankingEntry>>(
  entry: Fields.Selected<AnimeRankingEntry, S>
) => entry.ranking?.rank
export const titleEffect = <const S extends Fields.Selector<Anime>>(fields: S) =>
  Catalog.anime.get({ id: 1 }, { fields }).pipe(Effect.map((anime) => anime.title))
export const entryStream = <const S extends Fields.Selector<AnimeListEntry>>(fields: S) =>
  Catalog.user.animeList
    .items({ username: "@me" }, { fields })
    .pipe(Stream.map((entry) => [entry.node.id, entry.node.title] as const))
export const titlesOf = async <D extends Fields.Default | undefined>(catalog: CatalogWith<D>) => {
  const anime = await catalog.anime.get({ id: 1 })
  const { data } = await catalog.manga.search({ q: "x" })
  return [anime.title, ...data.map(({ node }) => node.title)]
}
export const first = <D extends Fields.Default | undefined>(catalog: CatalogWith<D>) => catalog.anime.get({ id: 1 })
export const optional = <const S extends Fields.Selector<Anime> | undefined = never>(
  id: number,
  options?: Operation.FieldsOptions<Anime, S>
) => Effect.option(Catalog.anime.get({ id }, options))
export const both = <const S extends Fields.Selector<Anime> | undefined = never>(
  catalog: PromiseCatalog,
  fields?: S | Fields.Selector<Anime>
): Promise<ReadonlyArray<Fields.Selected<Anime, S>>> =>
  Promise.all([1, 2].map((id) => catalog.anime.get<S>({ id }, { fields })))

describe("a function that is generic over the selector", () => {
  test("reads the required members", () => {
    expectTypeOf(title).returns.toEqualTypeOf<string>()
    expectTypeOf(name).returns.toEqualTypeOf<string>()
    expectTypeOf(place).returns.toEqualTypeOf<number>()
    expectTypeOf(get(titleEffect("mean"))).toEqualTypeOf<string>()
    expectTypeOf(entryStream("mean")).toExtend<Stream.Stream<readonly [number, string], unknown, unknown>>()
  })

  test("or over the defaults of a catalog", () => {
    const catalog = createCatalog({ fetch, fields: "mean" })
    expectTypeOf(titlesOf(catalog)).toEqualTypeOf<Promise<Array<string>>>()
    expectTypeOf(get(first(catalog))).toEqualTypeOf<Mean>()
  })

  test("keeps the selection for its caller", () => {
    expectTypeOf(get(optional(1))).toEqualTypeOf<Option.Option<Row>>()
    expectTypeOf(get(optional(1, { fields: "mean" }))).toEqualTypeOf<Option.Option<Mean>>()
    expectTypeOf(get(both(createCatalog({ fetch }), ["mean"]))).toEqualTypeOf<ReadonlyArray<Mean>>()
  })
})

describe("a misspelt name", () => {
  const catalog = createCatalog({ fetch })

  test("does not compile in any operation, on either face", () => {
    const ranking = { rankingType: "all" } as const
    // @ts-expect-error geners
    void Catalog.anime.get({ id: 1 }, { fields: ["mean", "geners"] })
    // @ts-expect-error geners
    void catalog.anime.get({ id: 1 }, { fields: "mean, geners" })
    // @ts-expect-error geners
    void catalog.anime.search.items({ q: "x" }, { fields: ["geners"] })
    // @ts-expect-error geners
    void Catalog.anime.seasonal.pages({ year: 2017, season: "fall" }, { fields: ["geners"] })
    // @ts-expect-error geners
    void catalog.anime.ranking(ranking, { fields: ["geners"] })
    // @ts-expect-error geners
    void catalog.anime.suggestions.collect({ max: 1, fields: ["geners"] })
    // @ts-expect-error scroe
    void Catalog.anime.updateMyListStatus({ id: 1, score: 1 }, { fields: ["scroe"] })
    // @ts-expect-error geners
    void catalog.manga.get({ id: 1 }, { fields: ["geners"] })
    // @ts-expect-error geners
    void Catalog.manga.search({ q: "x" }, { fields: ["geners"] })
    // @ts-expect-error geners
    void catalog.manga.ranking.collect(ranking, { max: 1, fields: ["geners"] })
    // @ts-expect-error scroe
    void catalog.manga.updateMyListStatus({ id: 1, score: 1 }, { fields: "scroe" })
    // @ts-expect-error gendre
    void Catalog.user.me({ fields: ["gendre"] })
    // @ts-expect-error gendre
    void catalog.user.get({ username: "@me" }, { fields: "gendre" })
    // @ts-expect-error geners
    void Catalog.user.animeList({ username: "@me" }, { fields: ["geners"] })
    // @ts-expect-error geners
    void catalog.user.mangaList.items({ username: "@me" }, { fields: ["geners"] })
  })

  test("does not compile inside braces, or at the wrong level", () => {
    // @ts-expect-error genres.nmae
    void Catalog.anime.get({ id: 1 }, { fields: ["mean", "genres{nmae}"] })
    // @ts-expect-error genres.nmae
    void catalog.anime.get({ id: 1 }, { fields: "mean, genres{id, nmae}" })
    // @ts-expect-error related_anime.maen
    void Catalog.anime.get({ id: 1 }, { fields: ["related_anime{relation_type,node{maen}}"] })
    // @ts-expect-error mean has no members
    void Catalog.anime.get({ id: 1 }, { fields: ["mean{score}"] })
    // @ts-expect-error only an entry of a list has list_status
    void Catalog.anime.get({ id: 1 }, { fields: ["list_status"] })
    // @ts-expect-error only a single item has related_anime
    void catalog.anime.search({ q: "x" }, { fields: ["related_anime"] })
    // @ts-expect-error tags belong to list_status
    void catalog.user.animeList({ username: "@me" }, { fields: "list_status, tags" })
  })

  test("does not compile in the defaults of a catalog", () => {
    // @ts-expect-error geners
    void createCatalog({ fetch, fields: ["mean", "geners"] })
    // @ts-expect-error genres.nmae
    void createCatalog({ fetch, fields: { anime: ["mean"], manga: "genres{nmae}" } })
    // @ts-expect-error geners
    void catalog.withOptions({ fields: "geners" })
    // @ts-expect-error gendre
    void CatalogClient.make({ fields: { user: ["gendre"] } })
  })

  test("compiles if the types cannot see it", () => {
    void Catalog.anime.get({ id: 1 }, { fields: text })
    void catalog.anime.get({ id: 1 }, { fields: ["mean", text] })
    const fields = ["mean", "genres{name}"] as const
    void catalog.anime.search({ q: "x" }, { fields })
  })

  test("compiles with Fields.unchecked, and is unknown in the reply", () => {
    const fields = Fields.unchecked("mean", "mood, genres{name,colour}")
    type Moody = Has<{
      readonly mean?: number
      readonly mood?: unknown
      readonly genres?: ReadonlyArray<{ readonly name?: string; readonly colour?: unknown }>
    }>
    expectTypeOf(get(Catalog.anime.get({ id: 1 }, { fields }))).toEqualTypeOf<Moody>()
    expectTypeOf(get(catalog.manga.search({ q: "x" }, { fields })).data[0]?.node).toEqualTypeOf<Moody | undefined>()
    expectTypeOf(get(createCatalog({ fetch, fields }).anime.get({ id: 1 }))).toEqualTypeOf<
      Has<Pick<Moody, "mean" | "genres">>
    >()
  })
})

test("entries of lists do not offer what only one item has", () => {
  type Details = "pictures" | "background" | "related_anime" | "related_manga" | "recommendations"
  expectTypeOf<Extract<Fields.Selector<AnimeEntry>, Details | "statistics">>().toEqualTypeOf<never>()
  expectTypeOf<Exclude<keyof Anime, keyof AnimeNode>>().toEqualTypeOf<Details | "statistics">()
  type OfManga = Exclude<keyof Manga, keyof MangaNode>
  expectTypeOf<OfManga>().toEqualTypeOf<Details | "serialization">()
})
