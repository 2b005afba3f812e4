/**
 * The transports serve other requests than the catalog's too, as the platform's own client does.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import {
  Catalog,
  CatalogClient,
  CatalogConfig,
  CatalogHooks,
  CatalogPolicy,
  Credentials,
  Resilience,
  Transport
} from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import {
  FetchHttpClient,
  HttpBody,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Dispatcher } from "@effect/platform-node/NodeHttpClient"
import { Context, Effect, Layer, Stream } from "effect"
import http from "node:http"
import { Agent, MockAgent } from "undici"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { eventually, sleep } from "../../core/test/support/eventually.js"
import * as Fibers from "../../core/test/support/fibers.js"
import { listen } from "../../core/test/support/listen.js"

let origin = ""
/** Requests that have no whole response yet. */
let open = 0
let paths: Array<string> = []

const echo = async (request: http.IncomingMessage, response: http.ServerResponse) => {
  const parts: Array<Buffer> = []
  for await (const part of request) {
    parts.push(part)
  }
  const { method, url, headers } = request
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }))
}

/** Answers by path; by itself with what it was asked. */
const server = http.createServer((request, response) => {
  open++
  response.once("close", () => open--)
  paths.push(request.url ?? "")
  switch (request.url?.split("?")[0]) {
    case "/text":
      return response.end("served")
    case "/silent":
      return undefined
    case "/silent-once":
      return paths.length === 1 ? undefined : response.end("at last")
    case "/endless":
      return response.write("one")
    default:
      return void echo(request, response)
  }
})

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
})
beforeEach(() => {
  paths = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe("Node's client", () => {
  const { layer } = CatalogNode
  const run = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient>) =>
    Effect.runPromise(Effect.provide(effect, layer))
  const read = <A>(
    path: string,
    from: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<A, HttpClientError.HttpClientError>
  ) => run(Effect.flatMap(HttpClient.get(`${origin}${path}`), from))
  const execute = (request: HttpClientRequest.HttpClientRequest) =>
    run(Effect.flatMap(HttpClient.execute(request), ({ json }) => json))

  const withFile = new FormData()
  withFile.append("file", new Blob(["content"]), "name.txt")

  test.each([
    ["JSON", HttpBody.unsafeJson({ a: 1 }), "application/json", '{"a":1}'],
    ["text", HttpBody.text("ü"), "text/plain", "ü"],
    ["a form", HttpBody.urlParams([["a", "ü"]]), "application/x-www-form-urlencoded", "a=%C3%BC"],
    [
      "a stream",
      HttpBody.stream(Stream.make(new Uint8Array([65]), new Uint8Array([66])), "text/plain"),
      "text/plain",
      "AB"
    ],
    ["a form with files", HttpBody.formData(withFile), "multipart/form-data", expect.stringContaining("name.txt")],
    ["what fetch takes", HttpBody.raw(new Blob(["raw"], { type: "text/x" })), "text/x", "raw"]
  ])("sends %s", async (_, body, type, written) => {
    const request = HttpClientRequest.setBody(HttpClientRequest.post(`${origin}/x`), body)
    expect(await execute(request)).toMatchObject({
      headers: { "content-type": expect.stringContaining(type) },
      body: written
    })
  })

  test.each([
    ["a response is awaited", HttpClient.get, "/silent"],
    ["a body is read", (url: string) => Effect.flatMap(HttpClient.get(url), ({ text }) => text), "/endless"],
    [
      "a body is read in parts",
      (url: string) => Effect.flatMap(HttpClient.get(url), ({ stream }) => Stream.runDrain(stream)),
      "/endless"
    ]
  ])("ends a request when it is interrupted while %s", async (_, send, path) => {
    const fiber = Fibers.runFork(Effect.provide(send(`${origin}${path}`), layer))
    await eventually("it is asked", () => open === 1)
    await sleep(50)
    await Effect.runPromise(Fibers.interrupt(fiber))
    await eventually("the request is over", () => open === 0)
  })

  test("ends a request if only a part of its body is read", async () => {
    const first = await read("/endless", ({ stream }) => Stream.runHead(Stream.decodeText(stream)))
    expect(first).toMatchObject({ value: "one" })
    await eventually("the request is over", () => open === 0)
  })

  test("does not affect other requests of a scope when one of them is interrupted", async () => {
    const retried = Effect.flatMap(HttpClient.HttpClient, (client) =>
      client.pipe(
        HttpClient.transformResponse(Effect.timeout("100 millis")),
        HttpClient.retry({ times: 2 }),
        HttpClient.withScope,
        (client) => Effect.flatMap(client.get(`${origin}/silent-once`), ({ text }) => text)
      )
    )
    expect(await run(Effect.scoped(retried))).toBe("at last")
  })

  test("uses the context of its caller", async () => {
    const init = Effect.provideService(FetchHttpClient.RequestInit, { headers: { "x-said": "1", "x-both": "1" } })
    const get = Effect.flatMap(HttpClient.get(`${origin}/x`, { headers: { "x-both": "2" } }), ({ json }) => json)
    expect(await run(init(get))).toMatchObject({ headers: { "x-said": "1", "x-both": "2" } })
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response("mine"))
    const text = Effect.flatMap(HttpClient.get(`${origin}/x`), ({ text }) => text)
    expect(await run(Effect.provideService(text, FetchHttpClient.Fetch, fetch))).toBe("mine")
  })
})

test("Node's client and another over its own fetch are independent", async () => {
  const mine: typeof fetch = () => Promise.resolve(new Response("mine"))
  class Other extends Context.Tag("Other")<Other, HttpClient.HttpClient>() {}
  const other = Layer.effect(Other, HttpClient.HttpClient).pipe(
    Layer.provide(Transport.layerFetch),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, mine))
  )
  const text = (tag: Effect.Effect<HttpClient.HttpClient, never, HttpClient.HttpClient | Other>) =>
    Effect.flatMap(tag, (client) => Effect.flatMap(client.get(`${origin}/text`), ({ text }) => text))
  for (const both of [Layer.merge(other, CatalogNode.layer), Layer.merge(CatalogNode.layer, other)]) {
    const texts = Effect.zip(text(Other), text(HttpClient.HttpClient))
    expect(await Effect.runPromise(Effect.provide(texts, both))).toEqual(["mine", "served"])
  }
})

test("layerClient makes a client that takes settings, policies and hooks from beside it", async () => {
  const called: Array<string> = []
  const boards = Effect.flatMap(CatalogClient, ({ forum }) => Effect.flip(forum.boards())).pipe(
    Effect.provide([
      CatalogConfig.layer({ baseUrl: origin }),
      CatalogPolicy.layer((_, attempt) => Effect.retry(attempt, { times: 1 })),
      CatalogHooks.layer({ onRequest: ({ url }) => called.push(url) }),
      CatalogNode.layerClient()
    ])
  )
  // The server echoes the request, which is no reply.
  expect(await Effect.runPromise(boards)).toMatchObject({ reason: "InvalidBody" })
  expect(called).toEqual([`${origin}/forum/boards`, `${origin}/forum/boards`])
  expect(paths).toEqual(["/forum/boards", "/forum/boards"])
})

describe("the transport over a dispatcher of the program", () => {
  const anime = { id: 1, title: "One" }
  const get = Catalog.anime.get({ id: 1 })

  const mocked = () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const reply = () => ({
      statusCode: 200,
      data: anime,
      responseOptions: { headers: { "content-type": "text/json" } }
    })
    agent.get("https://api.example").intercept({ path: /anime/ }).reply(reply).persist()
    return agent
  }
  const configured = Layer.merge(CatalogConfig.layer({ baseUrl: "https://api.example/v2" }), Credentials.layerNone)

  const over = <A, E>(
    transport: Layer.Layer<HttpClient.HttpClient>,
    effect: Effect.Effect<A, E, HttpClient.HttpClient | Credentials>
  ) => Effect.runPromise(effect.pipe(Effect.provide(transport), Effect.provide(configured)))

  test("sends operations and other requests through it, and closes it only if it has a scope", async () => {
    const agent = mocked()
    const other = Effect.flatMap(HttpClient.get("https://api.example/anime"), ({ json }) => json)
    const both = Effect.all([get, other])
    expect(await over(CatalogNode.layerDispatcher(agent), both)).toEqual([anime, anime])
    const ofPlatform = Layer.provide(CatalogNode.layerDispatcher(Dispatcher), Layer.succeed(Dispatcher, agent))
    expect(await over(ofPlatform, both)).toEqual([anime, anime])
    let closed = 0
    const scoped = Effect.acquireRelease(Effect.succeed(agent), () => Effect.sync(() => closed++))
    expect(await over(CatalogNode.layerDispatcher(scoped), get)).toEqual(anime)
    expect(closed).toBe(1)
    await agent.close()
  })

  test("says so where it was closed, and is not retried", async () => {
    for (const close of ["close", "destroy"] as const) {
      const agent = new Agent()
      await agent[close]()
      const call = Effect.flip(Catalog.anime.get({ id: 1 }, { policies: [Resilience.retry({ attempts: 3 })] }))
      const error = await over(CatalogNode.layerDispatcher(agent), call)
      const cause = { message: "the Layer or the dispatcher of its transport was closed" }
      expect(error).toMatchObject({ reason: "Cancelled", attempts: 1, cause })
    }
  })

  test("dies with a TypeError for anything else", async () => {
    const built = Effect.scoped(Layer.build(CatalogNode.layerDispatcher({} as Agent)))
    await expect(Effect.runPromise(built)).rejects.toThrow(/takes an undici dispatcher/)
  })
})
