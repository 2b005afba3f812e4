/**
 * What a call does with the HttpClient of its program; it does not change the program's context.
 */
import { Catalog, Transport } from "@catalog-client/core"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { Context, Effect, Exit, Layer, Option, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { anonymous, json, recording } from "./support/faces.js"
import * as Fibers from "./support/fibers.js"
import { anime } from "./support/stubService.js"
import { onlyEffect3 } from "./support/only.js"

test("the error of a status is the same over a client with filterStatusOk", async () => {
  const { layer } = recording(() => json({ error: "not_found" }, { status: 404 }))
  const strict = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, HttpClient.filterStatusOk))
  const call = Effect.provide(Catalog.anime.get({ id: 1 }), anonymous(Layer.provide(strict, layer)))
  const error = await Effect.runPromise(Effect.flip(call))
  expect(error).toMatchObject({ _tag: "ClientRestError", status: 404, code: "not_found" })
})

test("a client's defect is not a failure of the transport", async () => {
  const mistake = new RangeError("a mistake")
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die(mistake))
  )
  const exit = await Effect.runPromiseExit(Effect.provide(Catalog.anime.get({ id: 1 }), anonymous(layer)))
  expect(exit).toEqual(Exit.die(mistake))
})

test("a client written by hand, with only `execute`, works", async () => {
  const { requests, layer } = recording(() => json(anime))
  const onlyExecute = Effect.map(HttpClient.HttpClient, ({ execute }): HttpClient.HttpClient =>
    Object.assign(Object.create(Object.getPrototypeOf(HttpClient.make(() => Effect.never))), { execute })
  )
  const byHand = Layer.provide(Layer.effect(HttpClient.HttpClient, onlyExecute), layer)
  const get = Effect.provide(Catalog.anime.get({ id: 1 }), anonymous(byHand))
  expect(await Effect.runPromise(get)).toEqual(anime)
  expect(requests).toHaveLength(1)
})

describe("a body that a client reads from the web's response", () => {
  const derived = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.mapRequest((request) => request)
    )
  )
  const ofMemory = (fetched: () => Response) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) => Effect.sync(() => HttpClientResponse.fromWeb(request, fetched())))
    )
  const ofFetch = (fetched: () => Response) =>
    Layer.provide(
      FetchHttpClient.layer,
      Layer.succeed(FetchHttpClient.Fetch, () => Promise.resolve(fetched()))
    )
  const clients: ReadonlyArray<[string, (fetched: () => Response) => Layer.Layer<HttpClient.HttpClient>]> = [
    ["memory", ofMemory],
    ["fetch", ofFetch],
    ["a derived client", (fetched) => Layer.provide(derived, ofFetch(fetched))],
    [
      "our own fetch",
      (fetched) =>
        Layer.provide(
          Transport.layerFetch,
          Layer.succeed(FetchHttpClient.Fetch, () => Promise.resolve(fetched()))
        )
    ]
  ]
  const bytes = (text: string) => new TextEncoder().encode(text)
  const endOf = (layer: Layer.Layer<HttpClient.HttpClient>) =>
    Effect.runPromise(
      Effect.provide(
        Effect.either(Catalog.anime.get({ id: 1 }, { timeout: 100, maxResponseBytes: 10_000 })),
        anonymous(layer)
      )
    )

  test.each(clients)("has its limits over %s", async (_, over) => {
    let cancelled = 0
    const endless = (pull: UnderlyingDefaultSource<Uint8Array>["pull"] & {}) => () =>
      new Response(new ReadableStream({ pull, cancel: () => void cancelled++ }), {
        headers: { "content-length": "10", "content-type": "application/json" }
      })
    const ends = [
      // More than its length says.
      await endOf(over(endless((controller) => controller.enqueue(bytes(" ".repeat(1000)))))),
      // Never waits, and has no bytes.
      await endOf(over(endless((controller) => controller.enqueue(bytes(""))))),
      // Waits for ever.
      await endOf(over(endless(() => new Promise<void>(() => {})))),
      await endOf(over(endless((controller) => controller.error(new TypeError("cut")))))
    ]
    expect(ends).toMatchObject([
      { left: { reason: "ResponseTooLarge" } },
      { left: { reason: "Timeout" } },
      { left: { reason: "Timeout" } },
      { left: { reason: "Transport", cause: { name: "TypeError", message: "cut" } } }
    ])
    expect(cancelled).toBe(3)
  })

  test.each(clients)("is complete over %s, also in parts, and may be missing", async (_, over) => {
    const text = JSON.stringify(anime)
    const inParts = () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            for (const char of text) {
              controller.enqueue(bytes(char))
            }
            controller.close()
          }
        })
      )
    expect(await endOf(over(inParts))).toMatchObject({ right: anime })
    expect(await endOf(over(() => new Response(null, { status: 404 })))).toMatchObject({ left: { status: 404 } })
  })

  test("is that of what a program puts around the platform's response", async () => {
    class Decoded {
      readonly status = 200
      readonly headers = {}
      readonly stream: Stream.Stream<Uint8Array, unknown>
      constructor(readonly original: HttpClientResponse.HttpClientResponse) {
        this.stream = Stream.map(original.stream, () => bytes(JSON.stringify(anime)))
      }
    }
    const decoding = Layer.effect(
      HttpClient.HttpClient,
      Effect.map(
        HttpClient.HttpClient,
        HttpClient.transformResponse(
          Effect.map((response) => new Decoded(response) as unknown as HttpClientResponse.HttpClientResponse)
        )
      )
    )
    expect(
      await endOf(
        Layer.provide(
          decoding,
          ofFetch(() => new Response("encoded"))
        )
      )
    ).toMatchObject({ right: anime })
  })
})

describe("the RequestInit of a call", () => {
  const derived = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => HttpClient.mapRequest(client, (request) => request))
  )
  const options = {
    headers: { "x-layer": "1", accept: "nothing" },
    credentials: "include",
    redirect: "follow"
  } as const

  /** What a `fetch` gets from calls over a client, one for each RequestInit around them. */
  const saidOver = async (client: Layer.Layer<HttpClient.HttpClient>, ...around: ReadonlyArray<RequestInit>) => {
    const inits: Array<RequestInit> = []
    const fetch = Layer.succeed(FetchHttpClient.Fetch, (_: unknown, init?: RequestInit) => {
      inits.push(init ?? {})
      return Promise.resolve(json(anime))
    })
    const get = Effect.provide(Catalog.anime.get({ id: 1 }), anonymous(Layer.provide(client, fetch)))
    await Effect.runPromise(get)
    for (const init of around) {
      await Effect.runPromise(Effect.provideService(get, FetchHttpClient.RequestInit, init))
    }
    expect(inits.every(({ redirect }) => redirect === "manual")).toBe(true)
    return inits
  }

  test.each([
    ["our", Transport.layerFetch],
    ["a client derived from our", Layer.provide(derived, Transport.layerFetch)]
  ])("is merged over that of the Layer by %s client", async (_, client) => {
    const inLayer = Layer.provide(client, Layer.succeed(FetchHttpClient.RequestInit, options))
    const inits = await saidOver(inLayer, { headers: { "x-call": "1" } }, { credentials: "omit" })
    expect(inits.map(({ credentials }) => credentials)).toEqual(["include", "include", "omit"])
    const headers = { accept: "application/json", "x-layer": "1" }
    expect(inits.map(({ headers }) => headers)).toEqual([headers, { ...headers, "x-call": "1" }, headers])
  })

  test.each([
    ["the platform's", FetchHttpClient.layer],
    ["a derived", Layer.provide(derived, FetchHttpClient.layer)]
  ])("is kept by %s client", async (_, client) => {
    const inits = await saidOver(client, options)
    expect(inits.map(({ credentials }) => credentials)).toEqual([undefined, "include"])
  })
})

describe("the context around a call does not change", () => {
  test("a call adds nothing to the context of its caller", async () => {
    const { layer } = recording(() => json(anime))
    const after = Effect.zipRight(
      Catalog.anime.get({ id: 1 }, { timeout: 0 }),
      Effect.map(Effect.context<never>(), Context.getOption(FetchHttpClient.RequestInit))
    )
    expect(await Effect.runPromise(Effect.provide(after, anonymous(layer)))).toEqual(Option.none())
  })

  // In Effect 4, references are in the context: what a child changes stays in the child.
  onlyEffect3(test)("a FiberRef that a transport or a slot changes is changed for the caller", async () => {
    const seen = Fibers.local(0)
    const { layer } = recording(() => json(anime))
    const counting = Layer.effect(
      HttpClient.HttpClient,
      Effect.map(
        HttpClient.HttpClient,
        HttpClient.tapRequest(() => seen.update((n) => n + 1))
      )
    )
    const { signal } = new AbortController()
    const program = Effect.zipRight(Catalog.anime.get({ id: 1 }, { signal }), seen.get)
    expect(await Effect.runPromise(Effect.provide(program, anonymous(Layer.provide(counting, layer))))).toBe(1)
  })
})
