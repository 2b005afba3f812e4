/**
 * What an exchange does with a transport that passes on the response in pieces.
 */
import { createCatalog } from "catalog-client"
import { Catalog, type CatalogPolicy, Credentials, Resilience, Transport } from "@catalog-client/core"
import { FetchHttpClient, HttpClient, HttpClientError } from "@effect/platform"
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Option, TestClock, TestServices } from "effect"
import { Readable } from "node:stream"
import { describe, expect, test } from "vitest"
import * as Client from "../src/platform/httpClient.js"
import { eventually, rejection, sleep } from "./support/eventually.js"
import * as Fibers from "./support/fibers.js"
import { sampled } from "./support/full.js"
import { anime } from "./support/stubService.js"
import { recordingTracer } from "./support/telemetry.js"
import { anonymous } from "./support/faces.js"
import { onlyEffect, onlyEffect3 } from "./support/only.js"

const bytes = (text: string) => new TextEncoder().encode(text)
const noHeader = () => undefined

/** A response whose body is read in one piece. */
const shortResponse = () => {
  const text = JSON.stringify(anime)
  const response = new Response(text, { headers: { "content-length": `${text.length}` } })
  return Object.defineProperties(response, { type: { value: "basic" }, url: { value: "http://localhost/v2/anime/1" } })
}

/** A client that can do nothing. */
const unable = HttpClient.make((request) =>
  Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", description: "the long way" }))
)

/** A transport whose exchanges a test drives by hand, over that client. */
const driven = () => {
  const exchanges: Array<{
    readonly request: Transport.TransportRequest
    readonly receiver: Transport.Receiver
    cancelled: number
  }> = []
  const transport = Transport.make(unable, (request, receiver) => {
    const exchange = { request, receiver, cancelled: 0 }
    exchanges.push(exchange)
    return () => {
      exchange.cancelled++
    }
  })
  const layer = (client: HttpClient.HttpClient) =>
    Layer.mergeAll(Layer.succeed(HttpClient.HttpClient, client), Credentials.layer({ accessToken: "t" }))
  return { exchanges, layer: layer(transport), derived: layer(HttpClient.mapRequest(transport, (request) => request)) }
}

const get = (options?: Parameters<typeof Catalog.anime.get>[1]) => Catalog.anime.get({ id: 1 }, options)

/** A call whose exchange has begun. */
const begun = <A, E>(call: Effect.Effect<A, E, HttpClient.HttpClient | Credentials>) =>
  Effect.gen(function* () {
    const { exchanges, layer } = driven()
    const fiber = yield* Fibers.fork(Effect.provide(call, layer))
    yield* TestClock.adjust(1)
    const [exchange] = exchanges
    return exchange === undefined ? yield* Effect.dieMessage("nothing was sent") : { exchange, exchanges, fiber }
  })

const outcomeOf = <A, E>(fiber: Fibers.Running<A, E>) =>
  Effect.map(Fibers.poll(fiber), Option.map(Exit.match({ onFailure: Cause.squash, onSuccess: (value) => value })))

describe("a transport", () => {
  it.effect("gets the request as it is sent, and passes on the parts of the response", () =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(get({ fields: "mean" }))
      const { receiver } = exchange
      expect(exchange.request).toEqual({
        method: "GET",
        url: "https://api.myanimelist.net/v2/anime/1?fields=mean",
        headers: { accept: "application/json", authorization: "Bearer t" },
        body: undefined
      })
      receiver.onHeaders(200, noHeader)
      // Within a letter.
      receiver.onData(bytes('{"id":1,"title":"ü').slice(0, -1))
      receiver.onData(bytes('ü"}').slice(1))
      expect(yield* outcomeOf(fiber)).toEqual(Option.none())
      receiver.onEnd()
      expect(yield* Fibers.join(fiber)).toEqual({ id: 1, title: "ü" })
      expect(exchange.cancelled).toBe(0)
    })
  )

  it.effect.each([
    ["ends the call", 8 << 20, { right: { id: 1, title: "üü" } }],
    ["of as many bytes as it may have ends the call", 23, { right: { id: 1, title: "üü" } }],
    ["of a byte more than it may have is refused", 22, { left: { reason: "ResponseTooLarge" } }]
  ] as const)("that passes on a whole text: one that %s", ([, maxResponseBytes, expected]) =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(Effect.either(get({ maxResponseBytes })))
      exchange.receiver.onHeaders(200, noHeader)
      exchange.receiver.onText('{"id":1,"title":"üü"}')
      expect(yield* Fibers.join(fiber)).toMatchObject(expected)
    })
  )

  it.effect("that passes on something else as a text is ClientNetworkError", () =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(Effect.flip(get()))
      exchange.receiver.onHeaders(200, noHeader)
      exchange.receiver.onText(undefined as never)
      expect(yield* Fibers.join(fiber)).toMatchObject({
        reason: "Transport",
        cause: { message: "the body is of type undefined instead of string", code: "ERR_INVALID_TRANSPORT" }
      })
    })
  )

  onlyEffect(it).effect("that responds too late does not affect the next exchange", () =>
    Effect.gen(function* () {
      const { exchanges, layer } = driven()
      const { spans, trace } = recordingTracer()
      const policies = [Resilience.retry({ attempts: 2, timeouts: true, baseDelay: 0 })]
      const fiber = yield* Fibers.fork(Effect.provide(trace(Effect.exit(get({ timeout: 50, policies }))), layer))
      yield* TestClock.adjust(50)
      yield* TestClock.adjust(0)
      const [late, next] = exchanges
      late?.receiver.onHeaders(503, noHeader)
      next?.receiver.onError(new Error("gone"))
      yield* Fibers.join(fiber)
      const exchanged = spans
        .filter(({ name }) => name === "GET")
        .map(({ attributes }) => Object.fromEntries(attributes))
      expect(exchanged).toMatchObject([{ "error.type": "Timeout" }, { "error.type": "Transport" }])
      expect(exchanged[1]).not.toHaveProperty(["http.response.status_code"])
    })
  )

  it.effect.each(["nothing", "headers", "a part of the body"])(
    "that stalls after %s is ended to the millisecond",
    (until) =>
      Effect.gen(function* () {
        const { exchange, fiber } = yield* begun(Effect.uninterruptible(get({ timeout: 50 })))
        yield* TestClock.adjust(48)
        if (until !== "nothing") {
          exchange.receiver.onHeaders(200, noHeader)
        }
        if (until === "a part of the body") {
          exchange.receiver.onData(bytes("{"))
        }
        expect([yield* outcomeOf(fiber), exchange.cancelled]).toEqual([Option.none(), 0])
        yield* TestClock.adjust(1)
        expect(yield* Effect.flip(Fibers.join(fiber))).toMatchObject({ reason: "Timeout", timeoutMs: 50, attempts: 1 })
        expect(exchange.cancelled).toBe(1)
        // It may still say something.
        exchange.receiver.onEnd()
        exchange.receiver.onError(new Error("ended"))
      })
  )

  it.effect("is cancelled by an interruption", () =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(get())
      yield* Fibers.interrupt(fiber)
      expect(exchange.cancelled).toBe(1)
    })
  )

  it.effect("is cancelled when a policy interrupts an attempt", () =>
    Effect.gen(function* () {
      const impatient: CatalogPolicy.Policy = (_, attempt) =>
        Effect.flatMap(
          Effect.timeoutOption(attempt, "1 second"),
          Option.match({ onNone: () => attempt, onSome: Effect.succeed })
        )
      const { exchanges, fiber } = yield* begun(get({ policies: [impatient] }))
      yield* TestClock.adjust(999)
      expect(exchanges.map(({ cancelled }) => cancelled)).toEqual([1, 0])
      exchanges[1]?.receiver.onHeaders(200, noHeader)
      exchanges[1]?.receiver.onData(bytes(JSON.stringify(anime)))
      exchanges[1]?.receiver.onEnd()
      expect(yield* Fibers.join(fiber)).toEqual(anime)
      expect(exchanges.map(({ cancelled }) => cancelled)).toEqual([1, 0])
    })
  )

  it.effect.each([
    ["", {}, 20_000],
    [", even if its timeout passes meanwhile", { timeout: 1000 }, 900]
  ] as const)("has half a second for the body of a successful deletion%s", ([, options, before]) =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(Catalog.anime.deleteFromList({ id: 1 }, options))
      yield* TestClock.adjust(before - 1)
      exchange.receiver.onHeaders(200, noHeader)
      yield* TestClock.adjust(499)
      expect(yield* outcomeOf(fiber)).toEqual(Option.none())
      yield* TestClock.adjust(1)
      expect(yield* Fibers.join(fiber)).toBeUndefined()
      expect(exchange.cancelled).toBe(1)
    })
  )

  it.effect.each([
    ["breaks", ({ onError }: Transport.Receiver) => onError(new Error("broken"))],
    ["ends", ({ onEnd }: Transport.Receiver) => onEnd()]
  ] as const)("whose response to a deletion %s after its headers has done it", ([, then]) =>
    Effect.gen(function* () {
      const { exchange, fiber } = yield* begun(Catalog.anime.deleteFromList({ id: 1 }))
      exchange.receiver.onHeaders(204, noHeader)
      then(exchange.receiver)
      expect(yield* Fibers.join(fiber)).toBeUndefined()
    })
  )

  it.effect("that fails, at once or later, is ClientNetworkError", () =>
    Effect.gen(function* () {
      const failing = (send: Transport.Send) => {
        const layer = Layer.succeed(HttpClient.HttpClient, Transport.make(unable, send))
        return Effect.flip(get()).pipe(Effect.provide(anonymous(layer)))
      }
      const thrown = yield* failing(() => {
        throw new Error("at once", { cause: new RangeError("deep down") })
      })
      expect(thrown).toMatchObject({ reason: "Transport", cause: { name: "RangeError", message: "deep down" } })
      const told = yield* failing((_, { onError }) => {
        onError(new Error("told at once"))
        return () => {}
      })
      expect(told).toMatchObject({ reason: "Transport", cause: { message: "told at once" } })
    })
  )

  const cannotCancel = (): never => {
    throw new Error("cannot cancel")
  }

  it.effect.each([cannotCancel, async () => cannotCancel()])(
    "that fails to cancel does not change how a call ends",
    (cancel) =>
      Effect.gen(function* () {
        const client = HttpClient.make(() => Effect.never)
        const stuck = Layer.succeed(
          HttpClient.HttpClient,
          Transport.make(client, () => cancel)
        )
        const ended = (options: Parameters<typeof get>[0]) =>
          Effect.flip(get(options)).pipe(Effect.provide(anonymous(stuck)), TestServices.provideLive)
        expect(yield* ended({ timeout: 10 })).toMatchObject({ reason: "Timeout" })
        expect(yield* ended({ totalTimeout: 10 })).toMatchObject({ reason: "Timeout" })
        expect(yield* ended({ signal: AbortSignal.timeout(10) })).toMatchObject({ reason: "Cancelled" })
      })
  )

  it.effect("is not bypassed by a derived client", () =>
    Effect.gen(function* () {
      const { exchanges, derived } = driven()
      const error = yield* Effect.flip(Effect.provide(get(), derived))
      expect(error).toMatchObject({ reason: "Transport" })
      expect(exchanges).toEqual([])
    })
  )

  /** A response of a `fetch` that is not the web's: what it has of a body, by its kind. */
  const bodies = {
    "a Node stream": (text: string) => ({
      body: Readable.from([Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))])
    }),
    "an async iterable": (text: string) => ({
      body: (async function* () {
        yield bytes(text)
      })()
    }),
    "a Buffer": (text: string) => ({ body: Buffer.from(text), arrayBuffer: async () => bytes(text).buffer }),
    "an ArrayBuffer alone": (text: string) => ({ arrayBuffer: async () => bytes(text).buffer }),
    "a string": (text: string) => ({ body: text, text: async () => text }),
    "a text alone": (text: string) => ({ body: null, text: async () => text })
  }

  it.effect.each(Object.entries(bodies))("over fetch: reads a body that is %s", ([, bodyOf]) =>
    Effect.gen(function* () {
      const over = (status: number, value: unknown, options?: Parameters<typeof get>[0]) =>
        get(options).pipe(
          Effect.either,
          Effect.provide(anonymous(Transport.layerFetch)),
          Effect.provideService(FetchHttpClient.Fetch, () =>
            Promise.resolve({ status, headers: new Headers(), ...bodyOf(JSON.stringify(value)) } as never as Response)
          )
        )
      expect(yield* over(200, anime)).toMatchObject({ right: anime })
      expect(yield* over(404, { error: "not_found" })).toMatchObject({ left: { status: 404, code: "not_found" } })
      expect(yield* over(200, anime, { maxResponseBytes: 5 })).toMatchObject({ left: { reason: "ResponseTooLarge" } })
    })
  )

  it.effect.each([
    ["that a program made", { type: "default", url: "" }, 1],
    ["of the same origin", { type: "basic", url: "http://localhost/v2/anime/1" }, 0],
    ["in Bun", { type: "default", url: "http://localhost/v2/anime/1" }, 0],
    ["of another origin", { type: "cors", url: "http://localhost/v2/anime/1" }, 1]
  ] as const)(
    "over fetch: only a length that must be true lets a body be read in one piece: a response %s",
    ([, is, read]) =>
      Effect.gen(function* () {
        let streams = 0
        const text = JSON.stringify(anime)
        const response = {
          status: 200,
          headers: new Headers({ "content-length": `${text.length}` }),
          ...is,
          text: async () => text,
          get body() {
            streams++
            return new Response(text).body
          }
        }
        const got = yield* get().pipe(
          Effect.provide(anonymous(Transport.layerFetch)),
          Effect.provideService(FetchHttpClient.Fetch, () => Promise.resolve(response as never as Response))
        )
        expect([got, streams]).toEqual([anime, read])
      })
  )

  it.effect("over fetch: ends an async iterable that never does", () =>
    Effect.gen(function* () {
      let isOver = false
      const body = (async function* () {
        try {
          for (;;) {
            yield bytes("[".repeat(1000))
          }
        } finally {
          isOver = true
        }
      })()
      const fetch = () => Promise.resolve({ status: 200, headers: new Headers(), body } as never as Response)
      expect(yield* failing(Transport.layerFetch, fetch, { maxResponseBytes: 10_000 })).toMatchObject({
        reason: "ResponseTooLarge"
      })
      yield* Effect.promise(() => eventually("the iterable is over", () => isOver))
    })
  )

  it.effect.each([
    ["read before", "the Response was already read", new Response(JSON.stringify(anime))],
    ["a short one, read before", "the Response was already read", shortResponse()],
    ["nothing", "did not return a Response", undefined as never as Response]
  ] as const)("over fetch: a response that is %s blames the fetch, not the network", ([, message, response]) =>
    Effect.gen(function* () {
      const call = () => failing(Transport.layerFetch, () => Promise.resolve(response), {})
      if (response instanceof Response) {
        yield* Effect.promise(() => response.text())
      }
      const error = yield* call()
      expect(error).toMatchObject({ reason: "Transport", cause: { code: "ERR_INVALID_TRANSPORT" } })
      expect(error.message).toContain(message)
      expect(error.message).not.toContain("Check the network")
    })
  )

  const derived = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => HttpClient.mapRequest(client, (request) => request))
  )
  const ways = [
    ["itself", Transport.layerFetch],
    ["one that is derived from it", Layer.provide(derived, Transport.layerFetch)]
  ] as const

  // In Effect 4, the call of a derived client continues before the client has cancelled the body.
  it.effect.each([ways[0], ...onlyEffect3([ways[1]])])("over fetch: %s ends a body that heeds no signal", ([, layer]) =>
    Effect.gen(function* () {
      let cancelled = 0
      const body = () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(bytes("[".repeat(1000))),
          cancel: () => {
            cancelled++
          }
        })
      // The length that a response declares is no limit.
      const fetch = () => Promise.resolve(new Response(body(), { headers: { "content-length": "3" } }))
      const call = get({ maxResponseBytes: 10_000 }).pipe(
        Effect.flip,
        Effect.provide(anonymous(layer)),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      expect(yield* call).toMatchObject({ reason: "ResponseTooLarge" })
      expect(cancelled).toBe(1)
    })
  )

  /** A body without an end, or a large one, and what is done to it. */
  const longBody = (part: unknown, times = Infinity) => {
    const seen = { parts: 0, cancelled: 0 }
    const body = new ReadableStream({
      pull: async (controller) => {
        await sleep(0)
        if (seen.parts === times) {
          return controller.close()
        }
        seen.parts++
        controller.enqueue(part)
      },
      cancel: () => {
        seen.cancelled++
      }
    })
    return { seen, response: () => Object.defineProperty(new Response(""), "body", { value: body }) }
  }

  const failing = (
    layer: Layer.Layer<HttpClient.HttpClient>,
    fetch: () => Promise<Response>,
    options: Parameters<typeof get>[0]
  ) =>
    get(options).pipe(
      Effect.flip,
      Effect.provide(anonymous(layer)),
      Effect.provideService(FetchHttpClient.Fetch, fetch),
      TestServices.provideLive
    )

  it.effect.each(ways)("over fetch: %s reads no body that comes after the call has ended", ([, layer]) =>
    Effect.gen(function* () {
      const { seen, response } = longBody(bytes(" "))
      let hasAnswered = false
      const late = async () => {
        await sleep(200)
        hasAnswered = true
        return response()
      }
      expect(yield* failing(layer, late, { timeout: 20 })).toMatchObject({ reason: "Timeout" })
      yield* Effect.promise(() => eventually("fetch responds", () => hasAnswered))
      yield* Effect.promise(() => sleep(100))
      // A stream asks for its first part by itself.
      expect(seen.parts).toBeLessThan(3)
    })
  )

  it.effect("over fetch: reads no body that comes after the catalog was closed", () =>
    Effect.promise(async () => {
      const { seen, response } = longBody(bytes(" "))
      let answer: ((response: Response) => void) | undefined
      const catalog = createCatalog({ fetch: () => new Promise((resolve) => (answer = resolve)) })
      const call = rejection(catalog.anime.get({ id: 1 }))
      await catalog.close()
      expect(await call).toMatchObject({ reason: "Cancelled" })
      answer?.(response())
      await eventually("the body is cancelled", () => seen.cancelled === 1)
      expect(seen.parts).toBeLessThan(3)
    })
  )

  it.effect.each(ways)("over fetch: %s fails with a body of strings", ([, layer]) =>
    Effect.gen(function* () {
      for (const parts of [1, 2]) {
        const { response } = longBody("[1]", parts)
        expect(yield* failing(layer, () => Promise.resolve(response()), {})).toMatchObject({
          _tag: "ClientNetworkError",
          reason: "Transport",
          cause: {
            name: "TypeError",
            message: "the body has a chunk of type string instead of Uint8Array",
            code: "ERR_INVALID_TRANSPORT"
          }
        })
      }
    })
  )

  // It takes a second, and on a busy machine half a minute.
  it.effect.each(sampled(ways, 2))("over fetch: %s fails with a body that is too long for a string", ([, layer]) =>
    Effect.gen(function* () {
      const { response } = longBody(new Uint8Array(16_000_000).fill(32), 35)
      const fetch = () => Promise.resolve(response())
      const error = yield* failing(layer, fetch, { maxResponseBytes: Infinity, timeout: 0 })
      expect(error).toMatchObject({
        _tag: "ClientNetworkError",
        reason: "ResponseTooLarge",
        cause: { code: "ERR_STRING_TOO_LONG" }
      })
      expect(String(error)).toContain("Request fewer entries or fields. ")
    })
  )
})

test("core names the tags of the platform's clients by the platform's own keys", () => {
  expect(Client.HttpClient.key).toBe(HttpClient.HttpClient.key)
  expect(Fibers.keyOf(Client.currentTracerDisabledWhen)).toBe(Fibers.keyOf(HttpClient.currentTracerDisabledWhen))
})
