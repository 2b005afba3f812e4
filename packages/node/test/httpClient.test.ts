/**
 * The transports serve other requests than the catalog's too, as the platform's own client does.
 */
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
  Cookies,
  FetchHttpClient,
  Headers,
  HttpBody,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Dispatcher } from "@effect/platform-node/NodeHttpClient"
import { Chunk, Context, Effect, Exit, Layer, Schedule, Scope, Stream } from "effect"
import http from "node:http"
import { inspect } from "node:util"
import { Agent, MockAgent } from "undici"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { eventually } from "../../core/test/support/eventually.js"
import * as Fibers from "../../core/test/support/fibers.js"
import { listen } from "../../core/test/support/listen.js"
import { attributesOf, identifier, reasonOf, spanNameOf } from "../../core/test/support/platform.js"
import { recordingTracer } from "../../core/test/support/telemetry.js"

let origin = ""
/** Requests that have no whole response yet. */
let open = 0
let asked: Array<string> = []

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
  asked.push(request.url ?? "")
  switch (request.url?.split("?")[0]) {
    case "/empty":
      return response.writeHead(204).end()
    case "/nothing":
      return response.end()
    case "/missing":
      return response.writeHead(404, { "x-why": "gone" }).end("no")
    case "/text":
      return response.writeHead(200, { "set-cookie": ["a=1; Path=/", "b=2"], "x-two": ["1", "2"] }).end("a=1&b=ü")
    case "/form":
      return response.writeHead(200, { "content-type": "application/x-www-form-urlencoded" }).end("name=value")
    case "/parts":
      response.write("one")
      return setTimeout(() => response.end("two"), 20)
    case "/silent":
      return undefined
    case "/silent-once":
      return asked.length === 1 ? undefined : response.end("at last")
    case "/endless":
      return response.write("one")
    case "/broken":
      response.writeHead(200, { "content-length": "100" })
      return response.write("one", () => response.destroy())
    default:
      return void echo(request, response)
  }
})

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
})
beforeEach(() => {
  asked = []
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

  test.each([
    ["get", "GET"],
    ["post", "POST"],
    ["patch", "PATCH"],
    ["put", "PUT"],
    ["del", "DELETE"],
    ["options", "OPTIONS"]
  ] as const)("has a method %s", async (name, method) => {
    const send = Effect.flatMap(HttpClient.HttpClient, (client) =>
      client[name](`${origin}/x`, { headers: { "x-mine": "1" }, urlParams: { q: "ü &" } })
    )
    const { status, json } = await run(send)
    expect(status).toBe(200)
    expect(await Effect.runPromise(json)).toMatchObject({ method, url: "/x?q=%C3%BC+%26", headers: { "x-mine": "1" } })
  })

  test("has a method head", async () => {
    const { status, text } = await run(HttpClient.head(`${origin}/x`))
    expect([status, await Effect.runPromise(text)]).toEqual([200, ""])
  })

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
    ["what fetch takes", HttpBody.raw(new Blob(["raw"], { type: "text/x" })), "text/x", "raw"]
  ])("sends %s", async (_, body, type, written) => {
    const request = HttpClientRequest.setBody(HttpClientRequest.post(`${origin}/x`), body)
    expect(await execute(request)).toMatchObject({
      headers: { "content-type": expect.stringContaining(type) },
      body: written
    })
  })

  test("sends a form with files", async () => {
    const form = new FormData()
    form.append("file", new Blob(["content"]), "name.txt")
    const answer = await execute(HttpClientRequest.bodyFormData(HttpClientRequest.post(`${origin}/x`), form))
    expect(answer).toMatchObject({ body: expect.stringContaining('filename="name.txt"') })
  })

  test("gives a body in any form, repeatedly", async () => {
    expect(await read("/text", ({ text }) => Effect.zip(text, text))).toEqual(["a=1&b=ü", "a=1&b=ü"])
    expect([...(await read("/text", ({ urlParamsBody }) => urlParamsBody))]).toEqual([
      ["a", "1"],
      ["b", "ü"]
    ])
    expect(new Uint8Array(await read("/text", ({ arrayBuffer }) => arrayBuffer)).slice(0, 2)).toEqual(
      new Uint8Array([97, 61])
    )
    expect([...(await read("/form", ({ formData }) => formData))]).toEqual([["name", "value"]])
    expect(await read("/nothing", ({ json }) => json)).toBe(null)
  })

  test("gives a body in parts, as they arrive", async () => {
    const parts = await read("/parts", ({ stream }) => Stream.runCollect(Stream.decodeText(stream)))
    expect(Chunk.toReadonlyArray(parts)).toEqual(["one", "two"])
  })

  test("gives status, headers and cookies for any status", async () => {
    const missing = await run(HttpClient.get(`${origin}/missing`))
    expect([missing.status, missing.headers["x-why"], missing.remoteAddress._tag]).toEqual([404, "gone", "None"])
    const { cookies, headers } = await run(HttpClient.get(`${origin}/text`))
    expect(Cookies.toRecord(cookies)).toEqual({ a: "1", b: "2" })
    expect(headers["x-two"]).toBe("1, 2")
    expect(Headers.isHeaders(headers)).toBe(true)
  })

  test("fails as the platform's errors say", async () => {
    const failed = (effect: Effect.Effect<unknown, HttpClientError.HttpClientError, HttpClient.HttpClient>) =>
      run(Effect.map(Effect.flip(effect), reasonOf))
    expect(await failed(HttpClient.get("no url"))).toBe("InvalidUrl")
    expect(await failed(HttpClient.get("http://127.0.0.1:1"))).toBe("Transport")
    const reading = (
      path: string,
      from: (response: HttpClientResponse.HttpClientResponse) => Effect.Effect<unknown, HttpClientError.HttpClientError>
    ) => failed(Effect.flatMap(HttpClient.get(`${origin}${path}`), from))
    expect(await reading("/text", ({ json }) => json)).toBe("Decode")
    expect(await reading("/broken", ({ text }) => text)).toBe("Decode")
    expect(await reading("/broken", ({ stream }) => Stream.runDrain(stream))).toBe("Decode")
    expect(await reading("/empty", ({ stream }) => Stream.runDrain(stream))).toBe("EmptyBody")
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
    await new Promise((resolve) => setTimeout(resolve, 50))
    await Effect.runPromise(Fibers.interrupt(fiber))
    await eventually("the request is over", () => open === 0)
  })

  test("ends a request if only a part of its body is read", async () => {
    const first = await read("/endless", ({ stream }) => Stream.runHead(Stream.decodeText(stream)))
    expect(first).toMatchObject({ value: "one" })
    await eventually("the request is over", () => open === 0)
  })

  test("ends a request with its scope, if it has one", async () => {
    const scope = await Effect.runPromise(Scope.make())
    const scoped = Effect.flatMap(HttpClient.HttpClient, (client) =>
      HttpClient.withScope(client).get(`${origin}/endless`)
    )
    await run(Scope.extend(scoped, scope))
    expect(open).toBe(1)
    await Effect.runPromise(Scope.close(scope, Exit.void))
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

  test("can be derived from", async () => {
    const answer = Effect.flatMap(HttpClient.HttpClient, (client) =>
      client.pipe(
        HttpClient.mapRequest(HttpClientRequest.prependUrl(origin)),
        HttpClient.filterStatusOk,
        HttpClient.retry({ schedule: Schedule.recurs(2), while: (error) => reasonOf(error) === "StatusCode" }),
        (client) => Effect.flip(client.get("/missing"))
      )
    )
    expect(reasonOf(await run(answer))).toBe("StatusCode")
    expect(asked).toEqual(["/missing", "/missing", "/missing"])
  })

  test("sends by its own execute, even if it was replaced", async () => {
    const spied = Effect.map(HttpClient.HttpClient, (client): HttpClient.HttpClient =>
      Object.assign(Object.create(client), { execute: () => Effect.succeed("spied") })
    )
    expect(await run(Effect.flatMap(spied, (client) => client.get(origin)))).toBe("spied")
  })

  test("uses the context of its caller", async () => {
    const init = Effect.provideService(FetchHttpClient.RequestInit, { headers: { "x-said": "1", "x-both": "1" } })
    const get = Effect.flatMap(HttpClient.get(`${origin}/x`, { headers: { "x-both": "2" } }), ({ json }) => json)
    expect(await run(init(get))).toMatchObject({ headers: { "x-said": "1", "x-both": "2" } })
    const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response("mine"))
    const text = Effect.flatMap(HttpClient.get(`${origin}/x`), ({ text }) => text)
    expect(await run(Effect.provideService(text, FetchHttpClient.Fetch, fetch))).toBe("mine")
  })

  test("has a span with a tracer, and propagates it", async () => {
    const { spans, trace } = recordingTracer()
    const get = (change: (client: HttpClient.HttpClient) => HttpClient.HttpClient = (client) => client) =>
      run(
        Effect.flatMap(HttpClient.HttpClient, (client) =>
          Effect.flatMap(
            change(client).get(`${origin}/x?q=1`, { headers: { authorization: "secret" } }),
            ({ json }) => json
          )
        ).pipe(trace)
      )
    const answer = await get()
    const [span] = spans
    expect([span?.name, span?.kind]).toEqual([spanNameOf("GET"), "client"])
    expect(Object.fromEntries(span?.attributes ?? [])).toMatchObject({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "server.port": Number(new URL(origin).port),
      "url.full": `${origin}/x?q=1`,
      "url.path": "/x",
      "url.query": "q=1",
      "url.scheme": "http",
      ...attributesOf(origin)
    })
    expect(JSON.stringify([...(span?.attributes ?? [])])).not.toContain("secret")
    expect(answer).toMatchObject({ headers: { traceparent: `00-${span?.traceId}-${span?.spanId}-01` } })

    expect(await get(HttpClient.withTracerPropagation(false))).not.toHaveProperty("headers.traceparent")
    await get(HttpClient.withSpanNameGenerator(({ url }) => `mine ${url}`))
    await get(HttpClient.withTracerDisabledWhen(() => true))
    expect(spans.map(({ name }) => name)).toEqual([spanNameOf("GET"), spanNameOf("GET"), `mine ${origin}/x?q=1`])
  })

  test("can be printed, and so can its responses", async () => {
    const client = await run(HttpClient.HttpClient)
    expect(JSON.parse(JSON.stringify(client))).toEqual({ _id: identifier })
    expect(inspect(client)).toContain(identifier)
    const answer = await run(HttpClient.get(`${origin}/missing`, { headers: { authorization: "secret" } }))
    expect([inspect(answer), JSON.stringify(answer)]).toEqual(Array(2).fill(expect.stringContaining("404")))
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
    expect(await Effect.runPromise(Effect.provide(texts, both))).toEqual(["mine", "a=1&b=ü"])
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
  expect(asked).toEqual(["/forum/boards", "/forum/boards"])
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
  const configured = Layer.merge(CatalogConfig.layer({ baseUrl: "https://api.example/v2" }), Credentials.none)

  test("sends operations and other requests through it, and leaves it open", async () => {
    const agent = mocked()
    const other = Effect.flatMap(HttpClient.HttpClient, (client) => client.get("https://api.example/anime")).pipe(
      Effect.flatMap((response) => response.json)
    )
    const both = Effect.all([get, other]).pipe(
      Effect.provide(CatalogNode.layerDispatcher(agent)),
      Effect.provide(configured)
    )
    expect(await Effect.runPromise(both)).toEqual([anime, anime])
    expect(await Effect.runPromise(both)).toEqual([anime, anime])
    await agent.close()
  })

  test("takes that of @effect/platform-node, or an Effect with a scope", async () => {
    const agent = mocked()
    const shared = Layer.provide(CatalogNode.layerDispatcher(Dispatcher), Layer.succeed(Dispatcher, agent))
    expect(await Effect.runPromise(get.pipe(Effect.provide(shared), Effect.provide(configured)))).toEqual(anime)
    let closed = 0
    const scoped = CatalogNode.layerDispatcher(
      Effect.acquireRelease(Effect.succeed(agent), () => Effect.sync(() => closed++))
    )
    expect(await Effect.runPromise(get.pipe(Effect.provide(scoped), Effect.provide(configured)))).toEqual(anime)
    expect(closed).toBe(1)
    await agent.close()
  })

  test("ends a request that is cancelled", async () => {
    const agent = new Agent()
    const quiet = http.createServer(() => undefined)
    const silent = CatalogConfig.layer({ baseUrl: `http://127.0.0.1:${await listen(quiet)}`, timeout: 50 })
    const call = Effect.flip(get).pipe(
      Effect.provide(CatalogNode.layerDispatcher(agent)),
      Effect.provide([silent, Credentials.none])
    )
    expect(await Effect.runPromise(call)).toMatchObject({ reason: "Timeout" })
    await new Promise((resolve) => quiet.close(resolve))
    await agent.destroy()
  })

  test("says so where it was closed, and is not retried", async () => {
    for (const close of ["close", "destroy"] as const) {
      const agent = new Agent()
      await agent[close]()
      const call = Effect.flip(Catalog.anime.get({ id: 1 }, { policies: [Resilience.retry({ attempts: 3 })] }))
      const error = await Effect.runPromise(
        call.pipe(Effect.provide(CatalogNode.layerDispatcher(agent)), Effect.provide(configured))
      )
      const cause = { message: "the Layer or the dispatcher of its transport was closed" }
      expect(error).toMatchObject({ reason: "Cancelled", attempts: 1, cause })
    }
  })

  test("is a TypeError for anything else", () => {
    expect(() => CatalogNode.layerDispatcher({} as Agent)).toThrow(/takes a dispatcher of undici/)
  })
})
