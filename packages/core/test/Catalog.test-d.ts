import { createCatalog, type Catalog as PromiseCatalog } from "catalog-client"
import { createSessions, type SessionsOptions } from "catalog-client/oauth"
import {
  type Anime,
  type AnimeListPage,
  type AnimeListStatus,
  type AnimePage,
  type AnimeRankingPage,
  Catalog,
  CatalogConfig,
  type ClientError,
  type ClientNetworkError,
  type ClientRestError,
  Credentials,
  type Fields,
  type ForumBoards,
  type ForumTopicPage,
  type ForumTopicsPage,
  type Manga,
  type MangaListPage,
  type MangaListStatus,
  type MangaPage,
  type MangaRankingPage,
  type SeasonalPage,
  ServiceProfile,
  type User
} from "@catalog-client/core"
import * as anime from "@catalog-client/core/anime"
import * as forum from "@catalog-client/core/forum"
import * as manga from "@catalog-client/core/manga"
import { OAuthSession, type TokenStore } from "@catalog-client/oauth"
import * as user from "@catalog-client/core/user"
import type { HttpClient } from "@effect/platform"
import { Config, type Effect, type Layer, type Redacted } from "effect"
import { expectTypeOf, test } from "vitest"
import type { Rows } from "./support/operations.js"

type Network = ClientRestError | ClientNetworkError
/** What a reply contains without a selector. */
type Row<M> = Fields.Selected<M, never>
type Page<P extends { readonly data: ReadonlyArray<unknown> }> = {
  readonly [Name in keyof P]: Name extends "data" ? ReadonlyArray<Row<P["data"][number]>> : P[Name]
} & {}
type Operation<A, E> = Effect.Effect<A, E, HttpClient.HttpClient | Credentials>

declare const reply: <A, E, R>(operation: Effect.Effect<A, E, R>) => A

test("each operation has its own reply", () => {
  expectTypeOf(reply(Catalog.anime.get({ id: 1 }))).toEqualTypeOf<Row<Anime>>()
  expectTypeOf(reply(Catalog.anime.search({ q: "x" }))).toEqualTypeOf<Page<AnimePage>>()
  expectTypeOf(reply(Catalog.anime.seasonal({ year: 2017, season: "winter" }))).toEqualTypeOf<Page<SeasonalPage>>()
  expectTypeOf(reply(Catalog.anime.ranking({ rankingType: "all" }))).toEqualTypeOf<Page<AnimeRankingPage>>()
  expectTypeOf(reply(Catalog.anime.suggestions())).toEqualTypeOf<Page<AnimePage>>()
  expectTypeOf(reply(Catalog.anime.updateMyListStatus({ id: 1, score: 1 }))).toEqualTypeOf<AnimeListStatus>()
  expectTypeOf(reply(Catalog.anime.deleteFromList({ id: 1 }))).toEqualTypeOf<void>()
  expectTypeOf(reply(Catalog.manga.get({ id: 1 }))).toEqualTypeOf<Row<Manga>>()
  expectTypeOf(reply(Catalog.manga.search({ q: "x" }))).toEqualTypeOf<Page<MangaPage>>()
  expectTypeOf(reply(Catalog.manga.ranking({ rankingType: "all" }))).toEqualTypeOf<Page<MangaRankingPage>>()
  expectTypeOf(reply(Catalog.manga.updateMyListStatus({ id: 1, score: 1 }))).toEqualTypeOf<MangaListStatus>()
  expectTypeOf(reply(Catalog.manga.deleteFromList({ id: 1 }))).toEqualTypeOf<void>()
  expectTypeOf(reply(Catalog.user.me())).toEqualTypeOf<Row<User>>()
  expectTypeOf(reply(Catalog.user.get({ username: "x" }))).toEqualTypeOf<Row<User>>()
  expectTypeOf(reply(Catalog.user.animeList({ username: "x" }))).toEqualTypeOf<Page<AnimeListPage>>()
  expectTypeOf(reply(Catalog.user.mangaList({ username: "x" }))).toEqualTypeOf<Page<MangaListPage>>()
  expectTypeOf(reply(Catalog.forum.boards())).toEqualTypeOf<ForumBoards>()
  expectTypeOf(reply(Catalog.forum.topics({}))).toEqualTypeOf<ForumTopicsPage>()
  expectTypeOf(reply(Catalog.forum.topic({ id: 1 }))).toEqualTypeOf<ForumTopicPage>()
})

type OfEffects = typeof Catalog
type Named<Name extends string> = Name extends `${infer Domain extends keyof OfEffects}.${infer Own}`
  ? OfEffects[Domain][Own & keyof OfEffects[Domain]]
  : never
type CallOf<Name extends string> =
  Named<Name> extends (...inputs: never) => Effect.Effect<infer _A, infer E, infer R> ? [E, R] : never

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Errors<Row extends Rows> = Network | Extract<ClientError, { readonly _tag: Row["errors"][number] }>
/** The names of the operations whose types say something else than their row. */
type Wrong = {
  [Row in Rows as Row["name"]]: Same<
    CallOf<Row["name"]>,
    [Errors<Row>, HttpClient.HttpClient | Credentials]
  > extends true
    ? never
    : Row["name"]
}[Rows["name"]]

test("the errors of each operation are those of its row, and its requirements the same two services", () => {
  expectTypeOf<Wrong>().toEqualTypeOf<never>()
})

test("the subpaths have the same operations", () => {
  expectTypeOf(anime).toExtend<typeof Catalog.anime>()
  expectTypeOf(manga).toExtend<typeof Catalog.manga>()
  expectTypeOf(user).toExtend<typeof Catalog.user>()
  expectTypeOf(forum).toExtend<typeof Catalog.forum>()
  expectTypeOf<keyof typeof anime>().toEqualTypeOf<keyof typeof Catalog.anime>()
})

test("the promise face has the same parameters and replies", () => {
  const catalog = {} as PromiseCatalog
  expectTypeOf(catalog.anime.get({ id: 1 })).toEqualTypeOf<Promise<Row<Anime>>>()
  expectTypeOf(catalog.anime.deleteFromList({ id: 1 })).toEqualTypeOf<Promise<void>>()
  expectTypeOf(catalog.forum.boards()).toEqualTypeOf<Promise<ForumBoards>>()
  expectTypeOf<Parameters<typeof catalog.anime.search>>().toEqualTypeOf<Parameters<typeof Catalog.anime.search>>()
  expectTypeOf<Parameters<typeof catalog.user.mangaList>>().toEqualTypeOf<Parameters<typeof Catalog.user.mangaList>>()
  expectTypeOf<Parameters<typeof catalog.manga.updateMyListStatus>>().toEqualTypeOf<
    Parameters<typeof Catalog.manga.updateMyListStatus>
  >()
  expectTypeOf(catalog.accessToken).toEqualTypeOf<string | undefined>()
  catalog.accessToken = {} as Redacted.Redacted<string>
  catalog.clientId = undefined
  expectTypeOf(catalog.close()).toEqualTypeOf<Promise<void>>()
  expectTypeOf(catalog).toExtend<AsyncDisposable>()
})

test("unknown inputs do not compile", () => {
  // @ts-expect-error the number is missing
  Catalog.anime.get({})
  // @ts-expect-error a number is a number
  Catalog.anime.get({ id: "1" })
  // @ts-expect-error no inputs: options alone
  Catalog.user.me({}, {})
  // @ts-expect-error the forum has no fields
  Catalog.forum.boards({ fields: "title" })
  // @ts-expect-error a deletion returns nothing
  Catalog.anime.deleteFromList({ id: 1 }, { fields: "status" })
  // @ts-expect-error one item is not hidden
  Catalog.anime.get({ id: 1 }, { nsfw: true })
  // @ts-expect-error a manga has no episodes
  Catalog.manga.updateMyListStatus({ id: 1, num_watched_episodes: 1 })
  const { id, ...read } = {} as AnimeListStatus & { readonly id: number }
  // @ts-expect-error what was read has another name where it is written, and would be lost
  Catalog.anime.updateMyListStatus({ id, ...read, score: 1 })
  const written = {} as MangaListStatus & { readonly id: number }
  Catalog.manga.updateMyListStatus(written)
  // @ts-expect-error the wire's name is not the input's
  Catalog.anime.ranking({ ranking_type: "all" })
  // @ts-expect-error no default for fields but on createCatalog
  CatalogConfig.layer({ fields: "mean" })
})

test("open sets complete the known words and accept others", () => {
  const known = { id: 1, title: "x", status: "finished_airing" } satisfies Anime
  const unknown = { id: 1, title: "x", status: "a new word" } satisfies Anime
  expectTypeOf(known).toExtend<Anime>()
  expectTypeOf(unknown).toExtend<Anime>()
  // @ts-expect-error exact: a member is there with a value or not there at all
  const missing: Anime = { id: 1, title: "x", mean: undefined }
  expectTypeOf(missing).toEqualTypeOf<Anime>()
})

test("a configuration around a call keeps its type", () => {
  const get = Catalog.anime.get({ id: 1 })
  expectTypeOf(CatalogConfig.with({})(get)).toEqualTypeOf<Operation<Row<Anime>, Network>>()
  expectTypeOf(get.pipe(CatalogConfig.with({}))).toEqualTypeOf<Operation<Row<Anime>, Network>>()
  // @ts-expect-error the options are missing
  CatalogConfig.with(get)
})

test("layerConfig takes values, a Config for each, and a Config of all", () => {
  const values = Config.unwrap<Credentials.Options>({ clientId: Config.string("ID") })
  const wrapped = { accessToken: Config.redacted("TOKEN") } as Config.Config.Wrap<Credentials.Options>
  Credentials.layerConfig(values)
  Credentials.layerConfig(wrapped)
  Credentials.layerConfig({ clientId: "id", accessToken: undefined })
  Credentials.layerConfig({
    clientId: Config.withDefault(Config.string("ID"), undefined)
  })
  // @ts-expect-error a credential is a text
  Credentials.layerConfig({ clientId: Config.number("ID") })
  // @ts-expect-error there is no such slot
  Credentials.layerConfig({ token: Config.string("TOKEN") })

  CatalogConfig.layerConfig(Config.unwrap({ baseUrl: Config.string("URL") }))
  CatalogConfig.layerConfig({
    baseUrl: Config.url("URL"),
    headers: { "x-proxy": Config.redacted("PROXY"), "x-plain": "1" },
    profile: ServiceProfile.default,
    tracePropagation: Config.boolean("TRACE"),
    timeout: Config.duration("TIMEOUT"),
    totalTimeout: "1 minute",
    nsfw: Config.boolean("NSFW")
  })
  // @ts-expect-error a text is no duration
  CatalogConfig.layerConfig({ timeout: Config.string("TIMEOUT") })
  // @ts-expect-error a number is no URL
  CatalogConfig.layerConfig({ baseUrl: Config.number("URL") })

  OAuthSession.layerConfig()
  OAuthSession.layerConfig(Config.unwrap({ clientId: Config.string("ID") }))
  OAuthSession.layerConfig({
    clientSecret: Config.redacted("SECRET"),
    redirectUri: "https://app.example/callback",
    storeMaxAge: Config.duration("STORE_MAX_AGE")
  })
  // @ts-expect-error there is no such option
  OAuthSession.layerConfig({ token: Config.string("TOKEN") })
})

test("sessions of many users", () => {
  const options = { client: { clientId: "id" }, store: {} as SessionsOptions["store"] }
  // Replies follow the default of the given catalog.
  const catalog = createCatalog({ fetch, fields: ["mean"] })
  expectTypeOf(createSessions({ ...options, catalog }).catalogOf("user")).toEqualTypeOf<typeof catalog>()
  // @ts-expect-error the store is that of one user
  createSessions({ ...options, store: {} as TokenStore.Service })
  // @ts-expect-error clientId is a member of client
  createSessions({ ...options, clientId: "id" })
  // @ts-expect-error a transport or a fetch
  createSessions({ ...options, fetch, transport: {} as Layer.Layer<HttpClient.HttpClient> })
})
