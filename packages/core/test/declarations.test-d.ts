import type { AnimeOperations } from "../src/anime.js"
import { test } from "vitest"
import type { EffectFace } from "../src/Face.js"
import { operation } from "../src/internal/call/interpreter.js"
import { finiteNumber, keyword } from "../src/internal/declaration/inputs.js"
import { hasKeyword } from "../src/internal/declaration/rules.js"
import { paged } from "../src/internal/lists/streams.js"
import { Anime, Manga } from "../src/model/Item.js"
import { AnimeListStatus } from "../src/model/ListStatus.js"
import { AnimePage } from "../src/model/Page.js"

type Operations = AnimeOperations<EffectFace>
declare const isGet: (operation: Operations["get"]) => void
declare const isSearch: (operation: Operations["search"]) => void

const one = { name: "anime.get", method: "GET", path: "/anime/{id}" } as const
const many = { name: "anime.search", method: "GET", path: "/anime", limit: { maximum: 100 }, rule: hasKeyword } as const

test("a declaration compiles only with the params of its signature", () => {
  isGet(operation({ ...one, inputs: { id: finiteNumber }, fields: "anime", reply: Anime }))
  // @ts-expect-error another name
  isGet(operation({ ...one, inputs: { title: finiteNumber }, fields: "anime", reply: Anime }))
  // @ts-expect-error one more
  isGet(operation({ ...one, inputs: { id: finiteNumber, q: keyword }, fields: "anime", reply: Anime }))
  // @ts-expect-error no `limit` and `offset`
  isGet(operation({ ...one, inputs: { id: finiteNumber }, limit: { maximum: 100 }, fields: "anime", reply: Anime }))
  isSearch(paged({ ...many, inputs: { q: keyword }, fields: "anime", reply: AnimePage }))
})

test("a declaration compiles only with the record of its signature", () => {
  // @ts-expect-error another record in `fields`
  isGet(operation({ ...one, inputs: { id: finiteNumber }, fields: "manga", reply: Anime }))
  // @ts-expect-error another record in `reply`
  isGet(operation({ ...one, inputs: { id: finiteNumber }, fields: "anime", reply: AnimeListStatus }))
  // @ts-expect-error another record in both
  isGet(operation({ ...one, inputs: { id: finiteNumber }, fields: "manga", reply: Manga }))
  // @ts-expect-error another record in `fields`
  isSearch(paged({ ...many, inputs: { q: keyword }, fields: "manga", reply: AnimePage }))
  // @ts-expect-error a record in place of a page
  isSearch(paged({ ...many, inputs: { q: keyword }, fields: "anime", reply: AnimeListStatus }))
})
