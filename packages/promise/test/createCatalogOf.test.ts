import { type CallOptions, createCatalog, createCatalogOf, Operation } from "catalog-client"
import * as anime from "catalog-client/anime"
import * as forum from "catalog-client/forum"
import * as manga from "catalog-client/manga"
import * as user from "catalog-client/user"
import { EmbeddedCatalog } from "catalog-client/testing"
import { build } from "esbuild"
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest"
import { rejection } from "../../core/test/support/eventually.js"
import { examples } from "../../core/test/support/operations.js"

const domains = { anime, forum, manga, user }

type Calls = Readonly<Record<string, Readonly<Record<string, (...inputs: ReadonlyArray<unknown>) => Promise<unknown>>>>>

describe.each(examples)("$name alone", ({ inputs, method, name, reply }) => {
  const [domain = "", own = ""] = name.split(".")

  test("is called as in a catalog with all operations", async () => {
    const requests: Array<unknown> = []
    const fetch = async (url: URL, init: RequestInit) => {
      requests.push({ url: url.href, init: { ...init, signal: undefined } })
      return Response.json(reply)
    }
    const options = { fetch, accessToken: "the-token", clientId: "the-id" }
    const operation = (domains as unknown as Calls)[domain]?.[own]
    const one = createCatalogOf({ [domain]: { [own]: operation } }, options)
    expect(Object.keys(one)).toEqual([domain, "call"])
    for (const catalog of [one, createCatalog(options)]) {
      const result = await (catalog as unknown as Calls)[domain]?.[own]?.(...inputs)
      expect(result).toEqual(method === "DELETE" ? undefined : reply)
    }
    expect(requests[0]).toEqual(requests[1])
  })

  test("is the only one in a bundle", async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createCatalogOf } from "catalog-client"
          import { ${own} } from "catalog-client/${domain}"
          export const catalog = createCatalogOf({ ${domain}: { ${own} } })`,
        resolveDir: import.meta.dirname
      },
      bundle: true,
      format: "esm",
      logLevel: "error",
      minify: true,
      platform: "browser",
      write: false
    })
    const names = Array.from(outputFiles[0]?.text.matchAll(/"(catalog\.\w+\.\w+)"/g) ?? [], ([, name]) => name)
    expect(names).toEqual([`catalog.${name}`])
  })
})

test("in the bundle of a page, a call ends with its catalog, its time and its signal", async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { createCatalog } from "catalog-client"`, resolveDir: import.meta.dirname },
    bundle: true,
    format: "esm",
    logLevel: "error",
    platform: "browser",
    write: false
  })
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`
  const page: { readonly createCatalog: typeof createCatalog } = await import(/* @vite-ignore */ url)
  const catalog = page.createCatalog({ fetch: () => new Promise(() => {}), clientId: "my-client-id" })
  const call = (options: CallOptions = {}) => rejection(catalog.anime.get({ id: 1 }, options))
  expect(await call({ totalTimeout: 5 })).toMatchObject({ reason: "Timeout" })
  expect(await call({ signal: AbortSignal.timeout(5) })).toMatchObject({ reason: "Cancelled" })
  const open = call()
  await catalog.close()
  expect(await open).toMatchObject({ reason: "Cancelled" })
})

test("the embedded service prints a failure of its own with the stack and the causes", async () => {
  const lines: Array<string> = []
  const logged = vi.spyOn(console, "log").mockImplementation((...line) => void lines.push(line.join(" ")))
  onTestFinished(() => logged.mockRestore())
  const now = () => {
    throw new Error("stopped", { cause: new TypeError("no battery", { cause: "empty" }) })
  }
  const fetch = EmbeddedCatalog.fetch({ now })
  expect((await fetch("https://catalog.example/v2/anime/1")).status).toBe(500)
  const catalog = createCatalog({
    fetch,
    ...EmbeddedCatalog.credentials(),
    logger: { error: (line) => void lines.push(line) }
  })
  expect(await rejection(catalog.anime.get({ id: 1 }))).toMatchObject({ status: 500 })
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] ERROR \(#\d+\): the embedded service failed/)
  for (const line of lines) {
    expect(line).toMatch(
      /the embedded service failed\s+Error: stopped\n +at now \(.*createCatalogOf[^]* \{\n {2}\[cause\]: TypeError: no battery\n {6}at now[^]* \{\n {4}\[cause\]: Error: empty\n {2}\}\n\}$/
    )
    expect(line).not.toContain("~effect")
  }
})

test("has the types, lists, views and default selectors of a catalog", async () => {
  const catalog = createCatalogOf(
    { anime: { get: anime.get, search: anime.search } },
    { fetch: EmbeddedCatalog.fetch(), ...EmbeddedCatalog.credentials(), fields: ["mean"] }
  )
  const view = catalog.withOptions({ nsfw: true })
  const { mean, title } = await view.anime.get({ id: 30230 })
  expectTypeOf(mean).toEqualTypeOf<number | undefined>()
  expect(mean).toBeTypeOf("number")
  const titles: Array<string> = []
  for await (const { node } of view.anime.search.items({ q: "diamond" })) {
    titles.push(node.title)
  }
  expect(titles).toContain(title)
  // @ts-expect-error: it was not picked
  expect(catalog.anime.ranking).toBeUndefined()
  // @ts-expect-error: no operation of manga was picked
  expect(catalog.manga).toBeUndefined()
  await catalog.close()
})

test("takes a module of operations, and calls custom ones", async () => {
  const catalog = createCatalogOf(
    { forum },
    { fetch: async () => Response.json({ categories: [] }), clientId: "my-client-id" }
  )
  expect(await catalog.forum.boards()).toEqual({ categories: [] })
  const own = Operation.make({ name: "own", method: "GET", path: "/own", reply: Operation.type<object>() })
  expect(await catalog.call(own)).toEqual({ categories: [] })
})

test("refuses an operation under another name, and a value that is no operation", () => {
  // @ts-expect-error: get is not search
  expect(() => createCatalogOf({ anime: { search: anime.get } })).toThrow(
    new TypeError('createCatalogOf: anime.search must be the search of "catalog-client/anime"')
  )
  // @ts-expect-error: an operation of anime
  expect(() => createCatalogOf({ manga: { get: anime.get } })).toThrow(
    'manga.get must be the get of "catalog-client/manga"'
  )
  expect(() => createCatalogOf({ user: { me: () => "me" } })).toThrow(TypeError)
})
