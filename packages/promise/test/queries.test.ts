/**
 * The options for TanStack Query: their types over each adapter, and their behaviour over its cache and the embedded service.
 */
import {
  dehydrate,
  type InfiniteData,
  QueryClient,
  queryOptions,
  useInfiniteQuery as useReactPages,
  useMutation,
  useQuery as useReactQuery
} from "@tanstack/react-query"
import { createQuery as createSolidQuery, createInfiniteQuery as createSolidPages } from "@tanstack/solid-query"
import type { createInfiniteQuery as createSveltePages, createQuery as createSvelteQuery } from "@tanstack/svelte-query"
import { useInfiniteQuery as useVuePages, useQuery as useVueQuery } from "@tanstack/vue-query"
import { type AnimeListUpdateParams, createCatalog, createCatalogOf } from "catalog-client"
import { get } from "catalog-client/anime"
import { createQueries } from "catalog-client/queries"
import { EmbeddedCatalog } from "catalog-client/testing"
import { expect, expectTypeOf, onTestFinished, test } from "vitest"
import { sleep } from "../../core/test/support/eventually.js"

const accessToken = "embedded-token"

const open = () => {
  const urls: Array<string> = []
  const service = EmbeddedCatalog.fetch()
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    urls.push(request.url)
    return service(request)
  }
  const catalog = createCatalog({ fetch, accessToken })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(async () => {
    client.clear()
    await catalog.close()
  })
  return { catalog, client, urls, q: createQueries(catalog, { scope: "sample_reader" }) }
}

const q = createQueries(createCatalog({ fetch: EmbeddedCatalog.fetch() }), { scope: "public" })
const fields = ["mean", "genres{name}"] as const
const one = () => q.anime.get({ id: 1 }, { fields })
const all = () => q.anime.ranking.pages({ rankingType: "all", limit: 20 }, { fields: ["mean"] })

test("one plain object is what each adapter takes, and data has the type of the reply", () => {
  interface One {
    readonly id: number
    readonly title: string
    readonly mean?: number
  }
  const inReact = () => {
    expectTypeOf(useReactQuery(one()).data).toExtend<One | undefined>()
    expectTypeOf(useReactQuery({ ...one(), select: ({ title }) => title }).data).toEqualTypeOf<string | undefined>()
    expectTypeOf(useReactPages(all()).data?.pages[0]?.data[0]?.node.mean).toEqualTypeOf<number | undefined>()
    expectTypeOf(useMutation(q.anime.updateMyListStatus()).mutate).parameter(0).toEqualTypeOf<AnimeListUpdateParams>()
    expectTypeOf(useMutation(q.anime.updateMyListStatus()).data?.score).toEqualTypeOf<number | undefined>()
    // The adapter's own function gives the key the type of the data.
    const client = new QueryClient()
    expectTypeOf(client.getQueryData(queryOptions(one()).queryKey)).toExtend<One | undefined>()
    // @ts-expect-error Not selected.
    expectTypeOf(useReactQuery(one()).data?.synopsis)
    // @ts-expect-error No such field.
    q.anime.get({ id: 1 }, { fields: ["meen"] })
    // @ts-expect-error Credentials are the catalog's.
    q.anime.get({ id: 1 }, { accessToken })
    // @ts-expect-error Pages have no offset.
    q.anime.ranking.pages({ rankingType: "all", offset: 20 })
  }
  const inVue = () => {
    expectTypeOf(useVueQuery(one()).data.value).toExtend<One | undefined>()
    expectTypeOf(useVueQuery(() => one()).data.value).toExtend<One | undefined>()
    expectTypeOf(useVuePages(all()).data.value?.pages[0]?.data[0]?.node.mean).toEqualTypeOf<number | undefined>()
  }
  const inSolid = () => {
    expectTypeOf(createSolidQuery(() => one()).data).toExtend<One | undefined>()
    expectTypeOf(createSolidPages(() => all()).data?.pages[0]?.data[0]?.node.mean).toEqualTypeOf<number | undefined>()
  }
  const inSvelte = (createQuery: typeof createSvelteQuery, createInfiniteQuery: typeof createSveltePages) => {
    expectTypeOf(createQuery(() => one()).data).toExtend<One | undefined>()
    expectTypeOf(createInfiniteQuery(() => all()).data?.pages[0]?.data[0]?.node.mean).toEqualTypeOf<
      number | undefined
    >()
  }
  const ofSome = () => {
    const some = createQueries(createCatalogOf({ anime: { get } }), { scope: "public" })
    expectTypeOf(useReactQuery(some.anime.get({ id: 1 }, { fields })).data).toExtend<One | undefined>()
    // @ts-expect-error Not picked.
    expectTypeOf(some.anime.search)
    const withDefault = createQueries(createCatalog({ fields: ["mean"] }), { scope: "public" })
    expectTypeOf(useReactQuery(withDefault.anime.get({ id: 1 })).data?.mean).toEqualTypeOf<number | undefined>()
  }
  expect([ofSome, inReact, inVue, inSolid, inSvelte]).toHaveLength(5)
})

test("a key has scope, params and fields in any order, and nothing else", () => {
  const { q } = open()
  const key = q.anime.get({ id: 1 }, { fields: ["mean", "genres{name}"] }).queryKey
  expect(key).toEqual(["catalog-client", "sample_reader", "anime", "item", 1, { fields: "genres{name},mean" }])
  expect(q.anime.get({ id: 1 }, { fields: " genres{name} , mean,mean" }).queryKey).toEqual(key)
  const params = { q: "bebop", limit: 5 }
  const list = ["catalog-client", "sample_reader", "anime", "list", "search"]
  expect(q.anime.search({ ...params, offset: 5 }).queryKey).toEqual([...list, { ...params, offset: 5 }, {}])
  expect(q.anime.search.pages({ ...params, offset: 5 } as never, { nsfw: true }).queryKey).toEqual([
    ...list,
    "pages",
    params,
    { nsfw: true }
  ])
  expect(createQueries(open().catalog, { scope: 7 }).forum.boards().queryKey).toEqual([
    "catalog-client",
    7,
    "forum",
    "boards",
    {},
    {}
  ])
})

test("keys are the beginnings of the keys of queries", () => {
  const { q } = open()
  const { keys } = q
  const mine = [
    q.user.me(),
    q.user.animeList({ username: "@me" }),
    q.user.mangaList.pages({ username: " @ME " }),
    q.anime.suggestions({ limit: 3 })
  ]
  const beginnings: ReadonlyArray<readonly [ReadonlyArray<unknown>, { readonly queryKey: ReadonlyArray<unknown> }]> = [
    [keys.anime, q.anime.get({ id: 1 })],
    [keys.manga, q.manga.search({ q: "berserk" })],
    [keys.user, q.user.animeList({ username: "paper_lantern" })],
    [keys.forum, q.forum.topic({ id: 1 })],
    [keys.item("anime", 1), q.anime.get({ id: 1 }, { fields: ["mean"] })],
    [keys.lists("anime"), q.anime.seasonal.pages({ year: 2017, season: "winter" })],
    [keys.lists("mine"), q.user.mangaList({ username: "@me" })],
    ...mine.map((query) => [keys.mine, query] as const)
  ]
  for (const [beginning, { queryKey }] of beginnings) {
    expect(queryKey.slice(0, beginning.length)).toEqual(beginning)
    expect(queryKey.slice(0, 2)).toEqual(keys.all)
  }
  expect(keys.changedBy("anime", 1)).toEqual([keys.item("anime", 1), keys.mine])
})

test("pages follow the service's own links, forwards and backwards", async () => {
  const { catalog, client, q, urls } = open()
  const pages = q.user.animeList.pages({ username: "@me", limit: 2 })
  const { pages: read, pageParams } = await client.fetchInfiniteQuery({ ...pages, pages: 3 })
  expect(read).toHaveLength(3)
  expect(pageParams).toEqual([undefined, expect.stringContaining("offset=2"), expect.stringContaining("offset=4")])
  expect(urls).toHaveLength(3)
  const expected = await catalog.user.animeList.collect({ username: "@me" }, { max: 6 })
  expect(read.flatMap(({ data }) => data.map(({ node }) => node.id))).toEqual(expected.map(({ node }) => node.id))
  const [, second] = read
  const back = pages.getPreviousPageParam(second as never)
  expect(back).toContain("offset=0")
  expect(await pages.queryFn({ signal: new AbortController().signal, pageParam: back })).toEqual(read[0])
  const last = await client.fetchInfiniteQuery({ ...q.anime.ranking.pages({ rankingType: "all" }), pages: 99 })
  expect(last.pages.at(-1)?.paging?.next).toBeUndefined()
})

test("what is stored and hydrated has no secret, and nothing of the service's address", async () => {
  const { client, q } = open()
  await client.fetchInfiniteQuery({ ...q.user.animeList.pages({ username: "@me", limit: 1 }), pages: 2 })
  await client.fetchQuery(q.user.me())
  await client.fetchQuery(q.anime.suggestions({ limit: 1 }))
  const [withLinks, ...rest] = dehydrate(client).queries
  const { pageParams } = (withLinks?.state.data ?? {}) as Partial<InfiniteData<unknown>>
  expect(pageParams).toHaveLength(2)
  const keys = JSON.stringify([pageParams, ...[withLinks, ...rest].map((query) => query?.queryKey)])
  expect(JSON.stringify(dehydrate(client))).not.toContain(accessToken)
  expect(keys).not.toContain("http")
})

test("a query that no component needs any more is cancelled", async () => {
  const signals: Array<AbortSignal | null | undefined> = []
  const fetch = (_: unknown, init?: RequestInit) => {
    signals.push(init?.signal)
    return new Promise<Response>(() => undefined)
  }
  const q = createQueries(createCatalog({ fetch, accessToken }), { scope: "sample_reader" })
  const client = new QueryClient()
  const ends = Promise.allSettled([
    client.fetchQuery(q.anime.get({ id: 1 })),
    client.fetchQuery(q.anime.suggestions()),
    client.fetchInfiniteQuery(q.anime.ranking.pages({ rankingType: "all" }))
  ])
  while (signals.length < 3) {
    await sleep(5)
  }
  await client.cancelQueries({ queryKey: q.keys.all })
  await ends
  while (!signals.every((signal) => signal?.aborted)) {
    await sleep(5)
  }
})

test("mistakes are a TypeError", () => {
  const { catalog, q } = open()
  const scopes: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "scope must be who reads"],
    ["", "scope must be who reads"],
    [accessToken, "it is a token"],
    ["x".repeat(900), "it is a token"]
  ]
  for (const [scope, message] of scopes) {
    const make = () => createQueries(catalog, { scope } as never)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    expect(String(scope) === "" || !message.includes(String(scope))).toBe(true)
  }
  expect(() => q.anime.get({ id: 1 }, { accessToken } as never)).toThrow(
    'queries.anime.get has no option "accessToken"'
  )
})
