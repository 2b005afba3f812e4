import { createCatalog } from "catalog-client"
import { ClientNetworkError, ClientRestError, Fields } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { setTimeout as after } from "node:timers/promises"
import { describe, expect, test, vi } from "vitest"
import { catalogOver, json, promiseCatalog, recording } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { recordingTracer } from "./support/telemetry.js"
import { rejection } from "./support/eventually.js"
import { onlyEffect } from "./support/only.js"

test.each(["without", "with"])("a call rejects with the error object itself, %s a tracer", async (tracer) => {
  const transport = recording(() => json({ error: "not_found" }, { status: 404 }))
  const catalog = promiseCatalog({ ...transport, ...(tracer === "with" && { tracer: recordingTracer() }) })
  const error = await rejection(catalog.anime.get({ id: 1 }))
  expect(error).toBeInstanceOf(Error)
  expect(isClientError(error)).toBe(true)
  expect(Object.getPrototypeOf(error)).toBe(ClientRestError.prototype)
  expect(structuredClone(error)).toBeInstanceOf(Error)
  await expect(catalog.anime.get({ id: NaN })).rejects.toBeInstanceOf(TypeError)
})

describe("the default selector", () => {
  const selecting = (fields: unknown) => {
    const { requests, fetch } = recording(() => json({ ...anime, name: "x", data: [], categories: [], score: 1 }))
    const sentFields = async (call: Promise<unknown>) => {
      await call
      return requests.at(-1)?.url.searchParams.get("fields")
    }
    return { catalog: createCatalog({ fetch, accessToken: "t", ...({ fields } as object) }), sentFields }
  }

  test.each([
    ["an array", ["mean", "genres"]],
    ["a text", "mean, genres"]
  ])("as %s applies to every call without one", async (_, fields) => {
    const { catalog, sentFields } = selecting(fields)
    expect(await sentFields(catalog.anime.get({ id: 1 }))).toBe("mean,genres")
    expect(await sentFields(catalog.anime.get({ id: 1 }, { fields: undefined }))).toBe("mean,genres")
    expect(await sentFields(catalog.anime.get({ id: 1 }, { fields: "rank" }))).toBe("rank")
    expect(await sentFields(catalog.anime.get({ id: 1 }, { fields: [] }))).toBe(null)
    expect(await sentFields(catalog.anime.get({ id: 1 }, { fields: "" }))).toBe(null)
    expect(await sentFields(catalog.user.me())).toBe("mean,genres")
    expect(await sentFields(catalog.forum.boards())).toBe(null)
  })

  test("of a record applies to the operations that read it", async () => {
    const { catalog, sentFields } = selecting({
      anime: "mean",
      manga: ["rank"],
      user: "picture",
      listStatus: "score",
      animeListEntry: ["list_status"]
    })
    expect(await sentFields(catalog.anime.get({ id: 1 }))).toBe("mean")
    expect(await sentFields(catalog.anime.suggestions())).toBe("mean")
    expect(await sentFields(catalog.anime.search({ q: "x" }))).toBe("mean")
    expect(await sentFields(catalog.manga.ranking({ rankingType: "all" }))).toBe("rank")
    expect(await sentFields(catalog.user.me())).toBe("picture")
    expect(await sentFields(catalog.manga.updateMyListStatus({ id: 1, score: 1 }))).toBe("score")
    expect(await sentFields(catalog.user.animeList({ username: "@me" }))).toBe("list_status")
    expect(await sentFields(catalog.user.mangaList({ username: "@me" }))).toBe(null)
    expect(await sentFields(catalog.forum.boards())).toBe(null)
    expect(await sentFields(catalog.anime.get({ id: 1 }, { fields: "" }))).toBe(null)
  })
})

test("Fields.unchecked requests names that the client does not know", async () => {
  const { catalog, requests } = catalogOver(() => json({ id: 1, title: "x", mood: "calm" }), { clientId: "one" })
  const { mood } = await catalog.anime.get({ id: 1 }, { fields: Fields.unchecked("mean", "mood") })
  expect(mood).toBe("calm")
  expect(requests[0]?.url.searchParams.get("fields")).toBe("mean,mood")
})

// The bundle sends with undici on Node.
onlyEffect(test)("without a transport it sends with the fetch of the platform", async () => {
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(json(anime)))
  await using catalog = createCatalog({ clientId: "x" })
  expect(await catalog.anime.get({ id: 1 })).toEqual(anime)
  fetch.mockRestore()
})

const closed = {
  _tag: "ClientNetworkError",
  reason: "Cancelled",
  cause: { name: "AbortError", message: "the catalog was closed" }
}

describe("close", () => {
  test("ends the calls in flight and refuses later ones, and can be repeated", async () => {
    const { catalog, requests } = catalogOver(() => new Promise<Response>(() => {}))
    const errors: Array<unknown> = []
    for (const call of [catalog.anime.get({ id: 1 }), catalog.forum.topics({ q: "x" })]) {
      void call.catch((error: unknown) => errors.push(error))
    }
    await after(20)
    expect(requests).toHaveLength(2)
    await Promise.all([catalog.close(), catalog.close()])
    expect(errors).toMatchObject([closed, closed])
    expect(errors[0]).toBeInstanceOf(ClientNetworkError)
    const later = await rejection(catalog.anime.get({ id: 2 }))
    expect(later).toMatchObject({ ...closed, operation: "catalog.anime.get", method: "GET" })
    expect(later.message).toContain("the catalog was closed")
    expect(requests).toHaveLength(2)
    await catalog.close()
    await catalog[Symbol.asyncDispose]()
  })

  test("ends the call whose fetch calls it, and refuses calls that begin meanwhile", async () => {
    const outcomes: Array<Promise<unknown>> = []
    const signals: Array<AbortSignal | null | undefined> = []
    const call = (id: number) => {
      outcomes.push(rejection(catalog.anime.get({ id })))
    }
    const ended: Array<Promise<void>> = []
    const catalog = createCatalog({
      fetch: (_, { signal }) => {
        signals.push(signal)
        signal?.addEventListener("abort", () => call(3))
        ended.push(catalog.close())
        call(2)
        return new Promise(() => {})
      }
    })
    call(1)
    await Promise.all(ended)
    expect(await Promise.all(outcomes)).toMatchObject([closed, closed, closed])
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })
})

test("callers without types", async () => {
  const { requests, fetch } = recording(() => json(anime))
  const loose = { accessToken: null, clientId: null, timeout: null, baseUrl: null, headers: null, nsfw: null }
  await using catalog = createCatalog({ fetch, ...(loose as object) })
  expect(await catalog.anime.get({ id: 1 })).toEqual(anime)
  expect(requests[0]?.headers).not.toHaveProperty("authorization")
  const nothing = { fields: null, policies: null, profile: null, defaults: null }
  await using other = createCatalog({ fetch, ...(nothing as object) })
  expect(await other.anime.get({ id: 1 })).toEqual(anime)
  await using third = createCatalog({ fetch: () => Promise.resolve(json({ data: [] })) })
  const unset = { after: null, prefetch: null, distinct: null } as object
  expect(await third.user.animeList.collect({ username: "x" }, { max: 1, ...unset })).toEqual([])
  const wrong = { accessToken: 5 } as object
  expect(() => createCatalog({ fetch, ...wrong })).toThrow("accessToken must be a string, a Redacted, or")
})

test("the word global sends by the global fetch as it is at each call", async () => {
  const catalog = createCatalog({ fetch: "global" })
  const before = globalThis.fetch
  try {
    globalThis.fetch = () => Promise.resolve(json(anime))
    expect(await catalog.anime.get({ id: 1 })).toEqual(anime)
  } finally {
    globalThis.fetch = before
  }
  expect(() => createCatalog({ fetch: "globe" as never })).toThrow('a function like the web\'s fetch, or "global"')
})

test.each([undefined, { ok: true, status: 200, json: () => anime }])(
  "a fetch that returns anything but a Response fails the call",
  async (answer) => {
    const catalog = createCatalog({ fetch: () => Promise.resolve(answer as never) })
    await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({
      reason: "Transport",
      cause: { message: "fetch did not return a Response" }
    })
  }
)

test("an embedded service that is passed as a fetch without a call says so", async () => {
  const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch as never })
  await expect(catalog.anime.get({ id: 1 })).rejects.toThrow("call it: EmbeddedCatalog.fetch()")
  expect(() => EmbeddedCatalog.fetch(new Request("https://catalog.test/v2/anime/1") as never)).toThrow("call it: ")
})

test("leaving a loop while its request begins ends the request", async () => {
  let signal: AbortSignal | null | undefined
  const left = new Promise<unknown>((resolve) => {
    const fetch = (_: URL, init: RequestInit) => {
      signal = init.signal
      resolve(entries.return?.())
      return new Promise<Response>(() => {})
    }
    const catalog = createCatalog({ fetch })
    const entries = catalog.anime.search.items({ q: "x" }, { prefetch: 0 })[Symbol.asyncIterator]()
    void entries.next()
  })
  expect(await left).toMatchObject({ done: true })
  expect(signal?.aborted).toBe(true)
})
