import type { AsyncList, CatalogWith } from "catalog-client"
import {
  Catalog,
  type ClientAuthError,
  type ClientError,
  type ClientNetworkError,
  type ClientRestError,
  type ClientValidationError,
  type Credentials,
  type ForumTopicPage
} from "@catalog-client/core"
import type { ForumPost } from "@catalog-client/core/models"
import type { HttpClient } from "@effect/platform"
import type { Effect, Stream } from "effect"
import { expectTypeOf, test } from "vitest"

type Network = ClientRestError | ClientNetworkError
type Services = HttpClient.HttpClient | Credentials
interface Scored {
  readonly node: { readonly id: number; readonly title: string; readonly mean?: number }
}

declare const catalog: CatalogWith<"mean">

test("Streams have the operation's own errors and requirements, and entries as they were selected", () => {
  expectTypeOf(Catalog.anime.search.items({ q: "x" }, { fields: "mean" })).toEqualTypeOf<
    Stream.Stream<Scored, Network | ClientValidationError, Services>
  >()
  expectTypeOf(Catalog.anime.suggestions.items({ fields: ["mean"] })).toEqualTypeOf<
    Stream.Stream<Scored, Network | ClientAuthError, Services>
  >()
  expectTypeOf(Catalog.user.animeList.items({ username: "x" }, { fields: "mean", distinct: true })).toEqualTypeOf<
    Stream.Stream<Scored, ClientError, Services>
  >()
  expectTypeOf(Catalog.forum.topic.items({ id: 1 })).toEqualTypeOf<Stream.Stream<ForumPost, Network, Services>>()
  expectTypeOf(Catalog.forum.topic.pages({ id: 1 }, { prefetch: 2 })).toEqualTypeOf<
    Stream.Stream<ForumTopicPage, Network, Services>
  >()
  expectTypeOf(Catalog.manga.search.collect({ q: "x" }, { max: 1, fields: "mean" })).toEqualTypeOf<
    Effect.Effect<ReadonlyArray<Scored>, Network | ClientValidationError, Services>
  >()
})

test("async lists have the same entries, and a catalog's default selects them", () => {
  expectTypeOf(catalog.anime.search.items({ q: "x" })).toEqualTypeOf<AsyncList<Scored>>()
  expectTypeOf(catalog.anime.search.items({ q: "x" })).toExtend<AsyncIterable<Scored>>()
  expectTypeOf(catalog.anime.search.items({ q: "x" })[Symbol.asyncIterator]()).toExtend<AsyncIterable<Scored>>()
  expectTypeOf(catalog.anime.suggestions.collect({ max: 1 })).toEqualTypeOf<Promise<ReadonlyArray<Scored>>>()
  expectTypeOf(catalog.forum.topic.items({ id: 1 })).toEqualTypeOf<AsyncList<ForumPost>>()
})

test("an unknown name does not compile", () => {
  // @ts-expect-error lists are read forwards
  Catalog.anime.search.items({ q: "x" }, { direction: "backward" })
  // @ts-expect-error how many is not to be forgotten
  Catalog.anime.search.collect({ q: "x" }, {})
  // @ts-expect-error one item is no list
  void Catalog.anime.get.items
  // @ts-expect-error the boards come all at once
  void Catalog.forum.boards.pages
})
