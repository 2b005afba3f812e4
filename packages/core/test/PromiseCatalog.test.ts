import { createCatalog } from "catalog-client"
import { CatalogConfig, ClientNetworkError, ClientRestError, Fields, isClientError } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { setTimeout as after } from "node:timers/promises"
import { describe, expect, test, vi } from "vitest"
import { catalogOver, json, promiseCatalog, recording } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { recordingTracer } from "./support/telemetry.js"
import { rejection } from "./support/eventually.js"

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

test("without a transport it sends with the fetch of the platform", async () => {
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

  test("releases the Layer of the transport once", async () => {
    let released = 0
    const { layer } = recording(() => json(anime))
    const transport = Layer.merge(layer, Layer.scopedDiscard(Effect.addFinalizer(() => Effect.sync(() => released++))))
    const catalog = createCatalog({ transport })
    await catalog.anime.get({ id: 1 })
    expect(released).toBe(0)
    await Promise.all([catalog.close(), catalog.close()])
    expect(released).toBe(1)
  })

  test("of a catalog that was never used builds nothing", async () => {
    let built = 0
    const { layer } = recording(() => json(anime))
    const catalog = createCatalog({ transport: Layer.tap(layer, () => Effect.sync(() => built++)) })
    await catalog.close()
    expect(built).toBe(0)
  })
})

test("two catalogs share nothing", async () => {
  let built = 0
  const { requests, layer } = recording(() => json(anime))
  const transport = Layer.tap(layer, () => Effect.sync(() => built++))
  const first = createCatalog({ transport, clientId: "first" })
  await using second = createCatalog({ transport, clientId: "second" })
  await Promise.all([first.anime.get({ id: 1 }), first.anime.get({ id: 1 }), second.anime.get({ id: 1 })])
  expect(built).toBe(2)
  await first.close()
  expect(await second.anime.get({ id: 1 })).toEqual(anime)
  expect(requests.map(({ headers }) => headers["x-mal-client-id"])).toEqual(["first", "first", "second", "second"])
})

test("a transport's Layer can have its own services, and its configuration is not the catalog's", async () => {
  const { requests, layer } = recording(() => json(anime))
  const transport = Layer.merge(layer, CatalogConfig.layer({ baseUrl: "http://elsewhere.example" }))
  await using catalog = createCatalog({ transport, baseUrl: "http://here.example" })
  await catalog.anime.get({ id: 1 })
  expect(requests[0]?.url.host).toBe("here.example")
})

describe("while the transport's Layer is still being built", () => {
  const slowly = (millis: number, options: object = {}) => {
    const { requests, layer } = recording(() => json(anime))
    return { requests, catalog: createCatalog({ transport: Layer.tap(layer, () => Effect.sleep(millis)), ...options }) }
  }

  test("calls wait for it, and all of them get it", async () => {
    const { catalog, requests } = slowly(50, { clientId: "c" })
    expect(await Promise.all([catalog.anime.get({ id: 1 }), catalog.anime.get({ id: 2 })])).toEqual([anime, anime])
    expect(await catalog.anime.get({ id: 3 })).toEqual(anime)
    expect(requests.map(({ headers }) => headers["x-mal-client-id"])).toEqual(["c", "c", "c"])
  })

  test("a call keeps the inputs and credentials that it was made with", async () => {
    const { catalog, requests } = slowly(50, { accessToken: "alice" })
    const fields = ["mean"]
    const call = catalog.anime.get({ id: 1 }, { fields })
    catalog.accessToken = "bob"
    fields.push("genres")
    await call
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer alice" })
    expect(requests[0]?.url.search).toBe("?fields=mean")
  })

  test("its time counts for totalTimeout", async () => {
    const { catalog, requests } = slowly(300, { totalTimeout: 250 })
    await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Timeout", timeoutMs: 250 })
    expect(requests).toEqual([])
  })

  test("rules and tokens wait for it", async () => {
    const { catalog, requests } = slowly(50, { accessToken: "bad\nthing" })
    await expect(catalog.anime.search({ q: "" })).rejects.toMatchObject({ _tag: "ClientValidationError" })
    await expect(slowly(50, { accessToken: "bad\nthing" }).catalog.user.me()).rejects.toMatchObject({
      _tag: "ClientAuthError",
      reason: "Unusable"
    })
    expect(requests).toEqual([])
  })

  test("signals and totalTimeout do not wait", async () => {
    const { catalog, requests } = slowly(60_000)
    const aborted = { reason: "Cancelled" }
    await expect(catalog.anime.get({ id: 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject(aborted)
    await expect(catalog.anime.get({ id: 1 }, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject(aborted)
    await expect(catalog.anime.get({ id: 1 }, { totalTimeout: 21 })).rejects.toMatchObject({ timeoutMs: 21 })
    expect(requests).toEqual([])
    await catalog.close()
  })

  test("close ends the calls, whatever their inputs", async () => {
    const { catalog } = slowly(60_000)
    const call = rejection(catalog.anime.get({ id: 1 }))
    await after(10)
    await catalog.close()
    expect(await call).toMatchObject(closed)
    for (const later of [catalog.user.get({ username: "" }), catalog.anime.get({ id: NaN })]) {
      await expect(later).rejects.toMatchObject(closed)
    }
  })

  test.each([
    ["totalTimeout", () => ({ totalTimeout: 60 }), "timed out after 60 ms"],
    ["a signal", () => ({ signal: AbortSignal.timeout(60) }), "was cancelled"],
    ["close", () => ({}), "was cancelled"]
  ])("the error of a call that has been sent since then says so: %s", async (end, options, happened) => {
    const { requests, layer } = recording(() => new Promise<Response>(() => {}))
    const transport = Layer.tap(layer, () => Effect.sleep(1))
    await using catalog = createCatalog({ transport, accessToken: "t", ...options() })
    const calls = [
      catalog.anime.deleteFromList({ id: 1 }),
      catalog.anime.search.collect({ q: "one" }, { max: 1 }),
      catalog.anime.search.items({ q: "one" })[Symbol.asyncIterator]().next()
    ].map((call) => rejection(call))
    await vi.waitFor(() => expect(requests).toHaveLength(3))
    if (end === "close") {
      await catalog.close()
    }
    const errors = (await Promise.all(calls)) as ReadonlyArray<Error>
    expect(errors).toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }])
    expect(errors[0]?.message).toContain(`${happened} (DELETE `)
    expect(errors[0]?.message).toContain("The write may have been carried out")
  })

  test("calls reject with the defect of the Layer", async () => {
    const mistake = new Error("no such certificate")
    const { stack } = mistake
    await using catalog = createCatalog({ transport: Layer.die(mistake) })
    await expect(catalog.anime.get({ id: 1 })).rejects.toBe(mistake)
    await expect(catalog.anime.search({ q: "" })).rejects.toBe(mistake)
    expect(mistake.stack).toBe(stack)
  })
})

test("a transport that interrupts itself fails with one of the four errors", async () => {
  const transport = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.interrupt)
  )
  await using catalog = createCatalog({ transport })
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({
    _tag: "ClientNetworkError",
    reason: "Cancelled",
    cause: { name: "AbortError", message: "the transport interrupted itself" }
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

test("a transport that is no Layer, and one beside a fetch", () => {
  const { fetch, layer } = recording(() => json(anime))
  expect(() => createCatalog({ transport: null as never, fetch })).not.toThrow()
  // @ts-expect-error one of both
  expect(() => createCatalog({ transport: layer, fetch })).toThrow("not both")
  for (const wrong of [{ fetch: 5 }, { transport: 5 }, { transport: () => layer }]) {
    expect(() => createCatalog(wrong as never)).toThrow(
      "createCatalog: transport must be a Layer, and fetch a function like the web's fetch"
    )
  }
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
