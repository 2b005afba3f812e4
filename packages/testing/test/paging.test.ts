import { sample, type Quirks } from "@catalog-client/testing"
import { describe, expect, test } from "vitest"
import { base, ids, start } from "./service.js"

const list = "/users/@me/animelist?fields=list_status,mean&nsfw=true&limit=50"

describe("the service's form", () => {
  test("names the next page by an absolute URL with its own order and escapes, at the origin of the request", async () => {
    const { page } = start()
    const { body } = await page("/anime?fields=mean,genres%7Bname%7D&q=the%20of&limit=1")
    const next = body.paging?.next ?? ""
    expect(next).toBe(`${base}/anime?offset=1&q=the+of&limit=1&fields=mean%2Cgenres%7Bname%7D`)
    expect(Object.keys(body.paging ?? {})).toEqual(["next"])
    expect(ids((await page(next)).body)).not.toEqual(ids(body))
    const local = await page("http://127.0.0.1:8080/v2/users/@me/animelist?limit=1")
    expect(local.body.paging?.next).toBe("http://127.0.0.1:8080/v2/users/@me/animelist?offset=1&limit=1")
  })

  test("has no paging members if there is one page", async () => {
    expect((await start().page("/anime?q=cowboy+bebop&limit=100")).body.paging).toEqual({})
  })

  test.each([list, "/forum/topics?limit=10", `/forum/topic/${sample.topicId.long}?limit=10`])(
    "names the page before in %s",
    async (path) => {
      const { page } = start()
      const second = await page(`${path}&offset=10`)
      expect(second.body.paging).toHaveProperty("previous")
      const previous = new URL(second.body.paging?.previous ?? "").searchParams
      expect(previous.get("offset")).toBe("0")
      expect((await page(path)).body.paging).not.toHaveProperty("previous")
    }
  )

  test.each(["/anime?q=the", "/anime/ranking?ranking_type=all", "/anime/suggestions?nsfw=false"])(
    "names no page before in %s",
    async (path) => {
      const { body } = await start().page(`${path}&limit=2&offset=4`)
      expect(body.data).toHaveLength(2)
      expect(Object.keys(body.paging ?? {})).toEqual(["next"])
    }
  )
})

describe("quirks", () => {
  const lengths = async (quirks: Quirks) => (await start({ quirks }).walk(list)).map(({ data }) => data.length)

  test("short pages have one entry fewer, long ones one more", async () => {
    const short = await lengths({ shortPages: true })
    const long = await lengths({ longPages: true })
    expect(short.length).toBeGreaterThan(3)
    expect(new Set(short.slice(0, -2))).toEqual(new Set([49]))
    expect(new Set(long.slice(0, -1))).toEqual(new Set([51]))
  })

  test("the second page is empty and has a next", async () => {
    const pages = await start({ quirks: { emptyPage: true } }).walk(list)
    expect(pages[0]?.data).toHaveLength(50)
    expect(pages[1]?.data).toEqual([])
    expect(pages[1]?.paging).toHaveProperty("next")
    expect(pages[2]?.data).toHaveLength(50)
  })

  test("next omits parameters", async () => {
    const { page } = start({ quirks: { nextWithout: ["fields", "nsfw"] } })
    expect((await page(list)).body.paging?.next).toBe(`${base}/users/@me/animelist?offset=50&limit=50`)
  })

  test("next leads to another origin, to itself, to the first page, or to the same one by another URL", async () => {
    const nextOf = async (quirks: Quirks, path: string) => (await start({ quirks }).page(path)).body.paging?.next ?? ""
    const nextOrigin = "https://elsewhere.example"
    const { origin } = new URL(base)
    const plain = await nextOf({}, list)
    expect(await nextOf({ nextOrigin }, list)).toBe(plain.replace(origin, nextOrigin))
    const third = `${base}${list}&offset=100`
    expect(await nextOf({ nextLeadsTo: "itself" }, third)).toBe(third)
    const moved = await nextOf({ nextLeadsTo: "itself", nextOrigin }, third)
    expect(moved).toBe(third.replace(origin, nextOrigin))
    const first = new URL(await nextOf({ nextLeadsTo: "first" }, third))
    expect(first.searchParams.get("offset")).toBe("0")
    const again = await nextOf({ nextLeadsTo: "same-page" }, third)
    const onceMore = await nextOf({ nextLeadsTo: "same-page" }, again)
    expect(new Set([third, again, onceMore]).size).toBe(3)
    for (const url of [again, onceMore]) {
      expect(new URL(url).searchParams.get("offset")).toBe("100")
    }
  })
})
