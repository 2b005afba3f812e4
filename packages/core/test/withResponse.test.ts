import { createCatalog } from "catalog-client"
import { Catalog, type CatalogPolicy, Credentials, Operation, Resilience } from "@catalog-client/core"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { anonymous, catalogOver, gate, json, policyOf, recording, made } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { onlyEffect } from "./support/only.js"

describe("withResponse", () => {
  const headers = { "x-request-id": "r-1", "set-cookie": "session=abc", "content-type": "application/json" }
  const token = "secret-token-of-a-user"

  test.each([...onlyEffect(["Effect"]), "promise"])(
    "returns status, headers, URL, attempts and the raw body, on the %s face",
    async (face) => {
      const body = { ...anime, mean: "8.3", rank: null, background: `${token} is in here` }
      const { fetch, layer } = recording(() => json(body, { headers: { ...headers, "x-echo": `Bearer ${token}` } }))
      const policies = [made(Resilience.cache({ capacity: 100, timeToLive: 60_000 }))]
      await using catalog = createCatalog({ fetch, accessToken: token, policies })
      const get = () =>
        face === "promise"
          ? catalog.withResponse(catalog.anime.get({ id: 1 }))
          : Effect.runPromise(
              Effect.provide(Operation.withResponse(Catalog.anime.get({ id: 1 }, { policies })), [
                layer,
                Credentials.layer({ accessToken: token })
              ])
            )
      expect(await get()).toEqual({
        data: { ...anime, background: body.background },
        status: 200,
        headers: { ...headers, "set-cookie": "<redacted>", "x-echo": "Bearer <redacted>" },
        url: expect.stringMatching(/\/anime\/1$/),
        attempts: 1,
        raw: { ...body, background: "<redacted> is in here" }
      })
      expect(await get()).toMatchObject({ data: anime, status: undefined, headers: {}, attempts: 0, raw: undefined })
    }
  )

  test("has the same raw body each time, and none where there is none", async () => {
    const { catalog } = catalogOver(({ method }) => json(method === "GET" ? anime : []), { accessToken: "t" })
    const response = await catalog.withResponse(catalog.anime.get({ id: 1 }))
    expect(response.raw).toEqual(anime)
    expect(response.raw).toBe(response.raw)
    expect(await catalog.withResponse(catalog.anime.deleteFromList({ id: 1 }))).toMatchObject({ raw: undefined })
  })

  test("is that of the reply, also if a policy runs two exchanges at once", async () => {
    let times = 0
    const both = gate()
    // The headers of the second come first, and its body never ends.
    const fetch = async () => {
      const id = String(++times)
      const start = async (body: ReadableStreamDefaultController) => {
        if (id === "1") {
          await both.promise
          body.enqueue(new TextEncoder().encode(JSON.stringify(anime)))
          body.close()
        } else {
          setTimeout(both.open, 20)
        }
      }
      return new Response(new ReadableStream({ start }), { headers: { "x-request-id": id } })
    }
    const twice = policyOf(
      (_, attempt) => Effect.race(attempt, attempt),
      (_, next) => Promise.race([next(), next()])
    )
    const { catalog } = catalogOver(fetch, { policies: [twice] })
    const { data, headers } = await catalog.withResponse(catalog.anime.get({ id: 1 }))
    expect([times, data, headers["x-request-id"]]).toEqual([2, anime, "1"])
  })

  test("of a whole list is that of its last page", async () => {
    const { catalog } = catalogOver(({ url }) =>
      json({ data: [], paging: url.searchParams.has("offset") ? {} : { next: "http://x.test/anime?offset=1" } })
    )
    const { url } = await catalog.withResponse(catalog.anime.search.collect({ q: "one" }, { max: 1 }))
    expect(url).toMatch(/offset=1/)
  })

  test("rejects as the call does", async () => {
    const { catalog } = catalogOver(() => json({}, { status: 404, headers }))
    const error = catalog.withResponse(catalog.anime.get({ id: 1 }))
    await expect(error).rejects.toMatchObject({
      status: 404,
      headers: { "x-request-id": "r-1", "content-type": "application/json" }
    })
  })

  const wrapped = async (call: Promise<unknown>) => call

  test.each<[string, (call: Promise<unknown>) => unknown]>([
    ["its reply", () => anime],
    ["another promise", () => Promise.resolve(anime)],
    ["that of an async function around it", wrapped],
    ["what `then` returns", (call) => call.then((reply) => reply)]
  ])("takes the promise of a call itself, and not %s", async (_, made) => {
    const { catalog } = catalogOver(() => json(anime))
    const call = catalog.anime.get({ id: 1 })
    expect(() => catalog.withResponse(made(call) as Promise<unknown>)).toThrow(
      /itself returned, not one that an async function or then\(\) made from it/
    )
    await call
  })

  const services = anonymous(
    recording(({ url }) => (url.pathname.endsWith("/9") ? json({}, { status: 404 }) : json(anime))).layer
  )
  const get = (id: number) => Effect.provide(Catalog.anime.get({ id }), services)
  const ofEffect = (effect: Effect.Effect<unknown, unknown>) => Effect.runPromise(Operation.withResponse(effect))

  onlyEffect(test).each<[string, Effect.Effect<unknown, unknown>, string]>([
    ["no call", Effect.succeed(1), "makes no call"],
    ["two calls", Effect.flatMap(get(1), () => get(2)), "makes 2 calls"],
    ["three calls at once", Effect.all([get(1), get(1), get(2)], { concurrency: 3 }), "makes 3 calls"]
  ])("of an Effect that makes %s is a mistake of the program", async (_, effect, found) => {
    await expect(ofEffect(effect)).rejects.toThrow(`but this one ${found}`)
  })

  const nested: CatalogPolicy.Policy = (_, attempt) => Effect.tap(attempt, () => Effect.orDie(get(2)))

  onlyEffect(test).each<[string, Effect.Effect<unknown, unknown>, string]>([
    ["that is repeated", Effect.repeat(get(1), { times: 1 }), "/anime/1"],
    ["that replaces one that failed", Effect.catchAll(get(9), () => get(1)), "/anime/1"],
    ["that won a race", Effect.race(get(1), Effect.delay(get(2), 50)), "/anime/1"],
    ["that failed", Effect.catchAll(get(9), () => Effect.succeed(1)), "/anime/9"],
    [
      "whose policy makes another",
      Effect.provide(Catalog.anime.get({ id: 1 }, { policies: [nested] }), services),
      "/anime/1"
    ]
  ])("has the response of a call %s", async (_, effect, path) => {
    expect((await ofEffect(effect)).url).toContain(path)
  })
})
