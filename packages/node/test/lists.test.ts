import { createCatalog, layer } from "@catalog-client/node"
import { serve } from "@catalog-client/node/testing"
import { createServer, type IncomingMessage } from "node:http"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { listen } from "../../core/test/support/listen.js"
import { circles, habits, withQuirks } from "../../core/test/support/lists.js"
import { wholeLists } from "../../core/test/support/lists.suite.js"

const services = await Promise.all(
  Object.entries({ ...habits, ...circles }).map(
    async ([name, quirks]) => [name, await serve(withQuirks(quirks))] as const
  )
)
afterAll(() => Promise.all(services.map(([, service]) => service.close())))

wholeLists({ transport: layer, urls: Object.fromEntries(services.map(([name, { url }]) => [name, url])) })

/** A service that answers every request with a page of one entry and what `paging` says of it. */
const paging = async (pagingOf: (request: IncomingMessage, url: URL) => object) => {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost")
    const id = Number(url.searchParams.get("offset") ?? 0) + 1
    response.end(JSON.stringify({ data: [{ node: { id, title: "One" } }], paging: pagingOf(request, url) }))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return { url, [Symbol.asyncDispose]: () => promisify(server.close.bind(server))() }
}

test("links with many parameters delay neither timers nor other calls", { timeout: 60_000 }, async () => {
  const parameters = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`).join("&")
  await using service = await paging((_, { searchParams }) => {
    const offset = Number(searchParams.get("offset")) + 1
    // The longest that are followed, and then one of a megabyte.
    return { next: `?offset=${offset}&${parameters(offset < 20 ? 1_000 : 150_000)}` }
  })
  await using catalog = createCatalog({ baseUrl: service.url })
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  const began = performance.now()
  const walk = catalog.anime.search.collect({ q: "x" }, { max: Infinity })
  await expect(walk).rejects.toMatchObject({ reason: "InvalidBody", path: ["paging", "next"] })
  clearInterval(timer)
  // Searching the query for each parameter took 300 ms a page, and minutes for the last.
  expect(longest).toBeLessThan(2_000)
  expect(performance.now() - began).toBeLessThan(15_000)
})

test("a walk uses one user's token to its end, also if another is assigned meanwhile", async () => {
  const tokens: Array<string | undefined> = []
  await using service = await paging(({ headers }, { searchParams }) => {
    tokens.push(headers.authorization)
    if (tokens.length === 3) {
      catalog.accessToken = "b"
    }
    const offset = Number(searchParams.get("offset")) + 1
    return offset < 6 ? { next: `?offset=${offset}` } : {}
  })
  const catalog = createCatalog({ baseUrl: service.url, accessToken: "a" })
  const entries = await catalog.user.animeList.collect({ username: "@me" }, { max: Infinity })
  expect(entries.map(({ node }) => node.id)).toEqual([1, 2, 3, 4, 5, 6])
  expect(tokens).toEqual(Array.from({ length: 6 }, () => "Bearer a"))
  await catalog.user.animeList.collect({ username: "@me" }, { max: 1 })
  expect(tokens.at(-1)).toBe("Bearer b")
  await catalog.close()
})
