import type * as Core from "@catalog-client/core"
import * as Schemas from "@catalog-client/core/schemas"
import { expectTypeOf, test } from "vitest"
import type * as Models from "../src/generated/models.js"

/** Whether two records have the same members, with values that can be assigned both ways. */
type Same<A, B> = [keyof A, keyof B, A, B] extends [keyof B, keyof A, B, A] ? true : false

type Records = Omit<
  typeof Models,
  { [K in keyof typeof Models]: (typeof Models)[K] extends { readonly words: object } ? K : never }[keyof typeof Models]
>

/** The records whose two Schemas have different types, or that have only one. */
type Different = {
  [K in keyof Records]: K extends keyof typeof Schemas
    ? (typeof Schemas)[K] extends { readonly Type: infer A }
      ? Records[K] extends { readonly Type: infer B }
        ? Same<A, B> extends true
          ? never
          : K
        : K
      : K
    : K
}[keyof Records]

test("records have the types of the models", () => {
  expectTypeOf<Different>().toEqualTypeOf<never>()
})

test("inputs have the types of the params", () => {
  expectTypeOf<typeof Schemas.AnimeParams.Type>().toEqualTypeOf<Core.AnimeParams>()
  expectTypeOf<typeof Schemas.AnimeRankingParams.Type>().toEqualTypeOf<Core.AnimeRankingParams>()
  expectTypeOf<typeof Schemas.SearchParams.Type>().toEqualTypeOf<Core.SearchParams>()
  expectTypeOf<typeof Schemas.SeasonalParams.Type>().toEqualTypeOf<Core.SeasonalParams>()
  expectTypeOf<typeof Schemas.MangaParams.Type>().toEqualTypeOf<Core.MangaParams>()
  expectTypeOf<typeof Schemas.MangaRankingParams.Type>().toEqualTypeOf<Core.MangaRankingParams>()
  expectTypeOf<typeof Schemas.MangaListUpdateParams.Type>().toEqualTypeOf<Core.MangaListUpdateParams>()
  expectTypeOf<typeof Schemas.UserParams.Type>().toEqualTypeOf<Core.UserParams>()
  expectTypeOf<typeof Schemas.AnimeListParams.Type>().toEqualTypeOf<Core.AnimeListParams>()
  expectTypeOf<typeof Schemas.MangaListParams.Type>().toEqualTypeOf<Core.MangaListParams>()
  expectTypeOf<typeof Schemas.TopicsParams.Type>().toEqualTypeOf<Core.TopicsParams>()
  expectTypeOf<typeof Schemas.TopicParams.Type>().toEqualTypeOf<Core.TopicParams>()
  // It refuses a member that replies have, which is no input.
  type AnimeListUpdateParams = Omit<Core.AnimeListUpdateParams, "num_episodes_watched">
  expectTypeOf<typeof Schemas.AnimeListUpdateParams.Type>().toEqualTypeOf<AnimeListUpdateParams>()
  expectTypeOf<typeof Schemas.AnimeListUpdateParams.Type>().toExtend<Core.AnimeListUpdateParams>()
})

test("a Schema has its fields, and encodes to what it is", () => {
  expectTypeOf(Schemas.Anime.fields.id.Type).toEqualTypeOf<number>()
  expectTypeOf(Schemas.operations.anime.search.inputs.fields.q.Type).toEqualTypeOf<string>()
  expectTypeOf<typeof Schemas.Anime.Encoded>().toEqualTypeOf<typeof Schemas.Anime.Type>()
})
