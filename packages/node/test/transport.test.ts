/**
 * What the wire does: real sockets on loopback, on Node's transport and on a fetch.
 */
import { createCatalog } from "catalog-client"
import { Catalog, CatalogConfig, Credentials, Resilience } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Exit, Layer, Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import http from "node:http"
import https from "node:https"
import net, { type Socket } from "node:net"
import * as zlib from "node:zlib"
import { Agent } from "undici"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { eventually, sleep } from "../../core/test/support/eventually.js"
import * as Fibers from "../../core/test/support/fibers.js"
import { listen } from "../../core/test/support/listen.js"
import { onlyEffect } from "../../core/test/support/only.js"
import { recordingTracer } from "../../core/test/support/telemetry.js"
import { runProgram } from "./support/program.js"

const { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } = zlib
const anime = JSON.stringify({ id: 1, title: "One" })

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void

let answer: Answer = () => {}
const seen: Array<http.IncomingMessage> = []
const sockets = new Set<Socket>()
const server = http.createServer((request, response) => {
  seen.push(request)
  answer(request, response)
})
let origin = ""

beforeAll(async () => {
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
  })
  origin = `http://127.0.0.1:${await listen(server)}`
})
beforeEach(() => {
  seen.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const layers = (transport: Layer.Layer<HttpClient.HttpClient>, baseUrl = `${origin}/v2`) =>
  Layer.mergeAll(transport, Credentials.layer({ accessToken: "t", clientId: "c" }), CatalogConfig.layer({ baseUrl }))

/** Its requests go over undici's `fetch`. */
const derived = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) => HttpClient.mapRequest(client, (request) => request))
).pipe(Layer.provide(CatalogNode.layer))

test("https: in front of a server of http: is explained in words of ours", async () => {
  const baseUrl = origin.replace("http:", "https:")
  const says = "the server does not speak TLS: write http: instead of https:. Check the network and baseUrl."
  await using catalog = createCatalog({ baseUrl, clientId: "c" })
  await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(says)
  const calls = onlyEffect([CatalogNode.layer, derived]).map((transport) =>
    Effect.runPromise(Effect.flip(Effect.provide(Catalog.anime.get({ id: 1 }), layers(transport, baseUrl))))
  )
  for (const { message } of await Promise.all(calls)) {
    expect(message).toContain(says)
  }
})

/** A program that listens and accepts nothing: with a full backlog, a connection is not even refused. */
const deaf = `
  import { writeSync } from "node:fs"
  import net from "node:net"
  const server = net.createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
    const { port } = server.address()
    for (let n = 0; n < 4; n++) net.connect(port, "127.0.0.1")
    writeSync(1, String(port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

describe("an address that does not respond", () => {
  let child: ChildProcess | undefined
  let baseUrl = ""
  beforeAll(async () => {
    child = spawn(process.execPath, ["--input-type=module", "--eval", deaf], { stdio: ["ignore", "pipe", "inherit"] })
    const [port] = (await once(child.stdout ?? child, "data")) as [Buffer]
    baseUrl = `http://127.0.0.1:${port.toString()}`
  })
  afterAll(() => {
    child?.kill("SIGKILL")
  })

  const opening = () => process.getActiveResourcesInfo().filter((resource) => resource.startsWith("TCP")).length

  test.each([
    ["an operation", CatalogNode.layer],
    ["an operation over a derived client", derived]
  ])("is dropped with each call, also the last one that waits for it: %s", async (_, transport) => {
    const before = opening()
    const controller = new AbortController()
    const get = (options: Parameters<typeof Catalog.anime.get>[1]) => Effect.flip(Catalog.anime.get({ id: 1 }, options))
    await Effect.gen(function* () {
      const patient = yield* Fibers.fork(get({ timeout: 60_000, signal: controller.signal }))
      yield* Effect.promise(() => eventually("a connection opens", () => opening() > before))
      const one = opening() - before
      const hasty = yield* Fibers.fork(
        Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => Effect.delay(get({ timeout: 50 }), n * 10),
          { concurrency: "unbounded" }
        )
      )
      const errors = yield* Fibers.join(hasty)
      expect(new Set(errors.map(({ reason }) => reason))).toEqual(new Set(["Timeout"]))
      yield* Effect.promise(() => eventually("only one connection is left", () => opening() <= before + one))
      expect(opening()).toBe(before + one)
      controller.abort()
      expect(yield* Fibers.join(patient)).toMatchObject({ reason: "Cancelled" })
      yield* Effect.promise(() => eventually("no connection is left", () => opening() <= before))
    }).pipe(Effect.provide(layers(transport, baseUrl)), Effect.runPromise)
  })

  test("does not keep a program running that closed its catalog, or forgot to", async () => {
    const program = (end: string) => `
      import { createCatalog } from "catalog-client"
      const catalog = createCatalog({ baseUrl: "${baseUrl}", timeout: 300 })
      const calls = [1, 2, 3].map((id) => catalog.anime.get({ id }).catch((error) => error.reason))
      ${end}
      console.log((await Promise.all(calls)).join())`
    const began = Date.now()
    expect(await runProgram(program(""))).toEqual(["Timeout,Timeout,Timeout", 0])
    expect(await runProgram(program("await catalog.close()"))).toEqual(["Cancelled,Cancelled,Cancelled", 0])
    expect(Date.now() - began).toBeLessThan(30_000)
  }, 60_000)
})

test("of the values of a header that is sent more than once, all count", async () => {
  answer = (_, response) => response.setHeader("retry-after", ["1", "2.5"]).writeHead(503).end()
  await using catalog = createCatalog({ baseUrl: origin })
  const headers = { "retry-after": "1, 2.5" }
  await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ retryAfter: 2500, headers })
})

// A platform whose responses are another class is read by their `stream`, which works and takes longer.
onlyEffect(test).each([
  ["fetch", FetchHttpClient.layer],
  ["undici", NodeHttpClient.layerUndici]
])("a response of the platform's client over %s is read without its stream", async (_, transport) => {
  answer = (_, response) => response.end(anime)
  await Effect.gen(function* () {
    const response = yield* Effect.scoped(HttpClient.get(origin))
    const stream = vi.spyOn(Object.getPrototypeOf(response) as { readonly stream: unknown }, "stream", "get")
    yield* Catalog.anime.get({ id: 1 })
    expect(stream).not.toHaveBeenCalled()
    stream.mockRestore()
  }).pipe(Effect.provide(layers(transport)), Effect.runPromise)
})

onlyEffect(test).each([
  ["Node's own transport", CatalogNode.layer],
  ["a client that is derived from it", derived],
  ["undici's client of the platform", NodeHttpClient.layerUndici]
])("a call over %s is cancelled if the Layer is closed, and not retried", async (_, transport) => {
  answer = () => {}
  const call = Effect.flip(Catalog.anime.get({ id: 1 }, { policies: [Resilience.retry({ attempts: 5 })] }))
  const errors = await Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(layers(transport), scope)
    const run = Effect.provide(call, context)
    const running = yield* Fibers.fork(run)
    yield* Effect.promise(() => eventually("the call is sent", () => seen.length === 1))
    yield* Scope.close(scope, Exit.void)
    return [yield* Fibers.join(running), yield* run, yield* run]
  }).pipe(Effect.runPromise)
  for (const error of errors) {
    expect(error).toMatchObject({
      reason: "Cancelled",
      attempts: 1,
      cause: { message: "the Layer or the dispatcher of its transport was closed" }
    })
    expect(error.message).toContain("catalog.anime.get was cancelled (GET")
  }
})

test("a call that is cancelled before it has a connection is never sent, also if another one waits for its own", async () => {
  answer = (_, response) => setTimeout(() => response.end(anime), 20)
  await using catalog = createCatalog({ baseUrl: origin, accessToken: "t" })
  await catalog.anime.get({ id: 1 })
  const controller = new AbortController()
  const busy = catalog.anime.get({ id: 1 })
  const write = catalog.anime.updateMyListStatus({ id: 1, score: 5 }, { signal: controller.signal })
  const read = catalog.anime.get({ id: 2 })
  controller.abort()
  await expect(write).rejects.toMatchObject({ reason: "Cancelled" })
  await Promise.all([busy, read])
  expect(seen.map(({ method }) => method)).toEqual(["GET", "GET", "GET"])
})

test.each([
  ["an operation", CatalogNode.layer],
  ["an operation over a derived client", derived]
])(
  "no read is lost to connections that the server has closed, and no write is sent twice: %s",
  async (_, transport) => {
    const writes: Array<string> = []
    const served = new WeakMap<Socket, number>()
    // Of each connection, the third request finds it closed.
    const closing = http.createServer((request, response) => {
      const { socket } = request
      const nth = (served.get(socket) ?? 0) + 1
      served.set(socket, nth)
      let body = ""
      request.on("data", (part) => (body += String(part)))
      request.on("end", () => {
        writes.push(...(body === "" ? [] : [body]))
        if (nth === 3) {
          socket.destroySoon()
        } else {
          response.end(anime)
        }
      })
    })
    const baseUrl = `http://127.0.0.1:${await listen(closing)}`
    const four = [0, 1, 2, 3]
    const call = (round: number, n: number) =>
      n === 3
        ? Effect.ignore(Catalog.anime.updateMyListStatus({ id: 1, num_watched_episodes: 4 * round + n }))
        : Catalog.anime.get({ id: 1 })
    await Effect.gen(function* () {
      for (let round = 0; round < 30; round++) {
        yield* Effect.all(
          four.map((n) => call(round, n)),
          { concurrency: "unbounded" }
        )
      }
    }).pipe(Effect.provide(layers(transport, baseUrl)), Effect.runPromise)
    closing.close()
    expect(new Set(writes).size).toBe(writes.length)
  }
)

test("a connection that the server resets after its response ends no read, and no process", async () => {
  const resetting = http.createServer(({ socket }, response) => {
    response.end(anime, () => setTimeout(() => socket.resetAndDestroy(), 1))
  })
  const baseUrl = `http://127.0.0.1:${await listen(resetting)}`
  // The reset arrives before a request, while it waits for the connection, or after it.
  const reading = (n: number) => Effect.delay(Catalog.anime.get({ id: 1 }), `${n % 5} millis`)
  const ended: Array<unknown> = []
  const onEnd = (error: unknown) => ended.push(error)
  process.prependListener("uncaughtException", onEnd)
  await Effect.forEach(Array.from({ length: 400 }).keys(), reading, { concurrency: 4 }).pipe(
    Effect.provide(layers(CatalogNode.layer, baseUrl)),
    Effect.runPromise
  )
  process.off("uncaughtException", onEnd)
  resetting.close()
  expect(ended).toEqual([])
})

/** What is sent after a body, until the connection is closed. */
const afterwards: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  "without an end": (response) => {
    const zeros = Buffer.alloc(64 * 1024)
    let parts = 0
    const go = () => {
      while (parts++ < 3000 && !response.destroyed && response.write(zeros)) {}
    }
    response.on("drain", go)
    go()
  },
  slowly: (response) => {
    const timer = setInterval(() => response.write("\0"), 20)
    response.on("close", () => clearInterval(timer))
  },
  "and then nothing": () => {}
}

describe("a compressed body", () => {
  const codings = {
    br: brotliCompressSync(anime),
    deflate: deflateSync(anime),
    "deflate without a header": deflateRawSync(anime),
    gzip: gzipSync(anime)
  }
  const start = (response: http.ServerResponse, coding: string) =>
    response.writeHead(200, { "content-encoding": coding.replace(" without a header", "") })

  const cases = Object.entries(codings).flatMap(([coding, body]) =>
    Object.keys(afterwards).map((how) => [coding, how, body] as const)
  )
  test.each(cases)("in %s with bytes after its end, %s, is a reply, and its connection is closed", async (...of) => {
    const [coding, how, body] = of
    answer = (_, response) => {
      start(response, coding).write(Buffer.concat([body, Buffer.alloc(8)]))
      afterwards[how]?.(response)
    }
    await using catalog = createCatalog({ baseUrl: origin })
    expect(await catalog.anime.get({ id: 1 })).toEqual({ id: 1, title: "One" })
    const [request] = seen
    await eventually("the connection is closed", () => request !== undefined && !sockets.has(request.socket))
    expect(request?.socket.bytesWritten).toBeLessThan(30_000_000)
  })

  test("with bytes after its end does not keep a program running that forgets its catalog", async () => {
    answer = (_, response) => {
      start(response, "br").write(Buffer.concat([codings.br, Buffer.alloc(8)]))
    }
    const program = `
      import { createCatalog } from "catalog-client"
      const catalog = createCatalog({ baseUrl: ${JSON.stringify(origin)} })
      const calls = Array.from({ length: 21 }, (_, id) => catalog.anime.get({ id: id + 1 }))
      console.log((await Promise.all(calls)).length)`
    expect(await runProgram(program)).toEqual(["21", 0])
  })

  test.each([
    ["is gzip by its old name", (response: http.ServerResponse) => start(response, "x-gzip").end(gzipSync(anime))],
    [
      "is one of several gzip members",
      (response: http.ServerResponse) =>
        start(response, "gzip").end(Buffer.concat([gzipSync('{"id":1,'), gzipSync('"title":"One"}')]))
    ],
    [
      "is one of several gzip members, which come one by one",
      (response: http.ServerResponse) => {
        start(response, "gzip").write(gzipSync('{"id":1,'))
        setTimeout(() => response.end(gzipSync('"title":"One"}')), 50)
      }
    ],
    [
      "is padded with zeros",
      (response: http.ServerResponse) =>
        start(response, "gzip").end(Buffer.concat([gzipSync(anime), Buffer.alloc(512)]))
    ],
    [
      "ends some time after its last byte",
      (response: http.ServerResponse) => {
        start(response, "gzip").write(gzipSync(anime))
        setTimeout(() => response.end(), 50)
      }
    ]
  ])("that %s is a reply, and its connection serves the next call", async (_, send) => {
    answer = (_, response) => {
      send(response)
    }
    await using catalog = createCatalog({ baseUrl: origin })
    for (let call = 0; call < 3; call++) {
      expect(await catalog.anime.get({ id: 1 })).toEqual({ id: 1, title: "One" })
      // undici lets a connection rest for a turn.
      await sleep(20)
    }
    expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1)
  })

  /** A frame of zstd with the bytes as they are. */
  const zstd = Buffer.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x20,
    anime.length,
    anime.length * 8 + 1,
    0,
    0,
    ...Buffer.from(anime)
  ])

  const decoded: ReadonlyArray<readonly [string, Buffer]> = [
    ["gzip, gzip", gzipSync(gzipSync(anime))],
    ["br, gzip", gzipSync(brotliCompressSync(anime))],
    ["deflate,GZIP", gzipSync(deflateSync(anime))],
    ["identity", Buffer.from(anime)],
    ["gzip, identity", gzipSync(anime)],
    ["", gzipSync(anime)],
    // Node 22.15 and newer can.
    ...("createZstdDecompress" in zlib ? [["zstd", zstd] as const] : [])
  ]
  test.each(decoded)("in the codings %j is decoded", async (coding, body) => {
    answer = (_, response) => {
      if (coding === "") {
        // In parts, and without a header that says so.
        response.write(body.subarray(0, 1))
        setTimeout(() => response.end(body.subarray(1)), 20)
      } else {
        start(response, coding).end(body)
      }
    }
    await using catalog = createCatalog({ baseUrl: origin })
    expect(await catalog.anime.get({ id: 1 })).toEqual({ id: 1, title: "One" })
  })

  const nothingDecodes: ReadonlyArray<readonly [string, Buffer]> = [
    ["zstd-2, gzip", gzipSync(zstd)],
    [Array(6).fill("gzip").join(", "), gzipSync(anime)]
  ]
  test.each(nothingDecodes)("in %j, which is not decoded, is named", async (coding, body) => {
    answer = (_, response) => start(response, coding).end(body)
    await using catalog = createCatalog({ baseUrl: origin })
    await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({
      reason: "InvalidBody",
      headers: { "content-encoding": coding },
      message: expect.stringContaining(
        `not the operation's reply (compressed or binary, content-encoding: ${coding})`
      ) as string
    })
  })

  test("is named by the transport of a program that does not decode it", async () => {
    answer = (_, response) => response.end(gzipSync(anime))
    await using catalog = createCatalog({ baseUrl: origin, fetch })
    await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(
      "not the operation's reply (compressed or binary, content-encoding: none)"
    )
  })

  test("in gzip fails if other bytes than zeros follow", async () => {
    answer = (_, response) => start(response, "gzip").write(Buffer.concat([gzipSync(anime), Buffer.from("more")]))
    await using catalog = createCatalog({ baseUrl: origin })
    await expect(catalog.anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Transport" })
    const [request] = seen
    await eventually("the connection is closed", () => request !== undefined && !sockets.has(request.socket))
  })
})

test.each([
  ["an operation", CatalogNode.layer],
  ["an operation over a derived client", derived]
])("%s sends its own user agent, unless the user sets another", async (_, transport) => {
  answer = (_, response) => response.end(anime)
  const url = new URL("../package.json", import.meta.url)
  const { version } = JSON.parse(readFileSync(url, "utf8")) as { readonly version: string }
  await Effect.gen(function* () {
    yield* Catalog.anime.get({ id: 1 })
    yield* Catalog.anime.get({ id: 1 }).pipe(CatalogConfig.with({ headers: { "User-Agent": "my-app/2" } }))
  }).pipe(Effect.provide(layers(transport)), Effect.runPromise)
  expect(seen.map(({ headers }) => headers["user-agent"])).toEqual([`catalog-client/${version}`, "my-app/2"])
})

test("a call that ends before its connection is open does not end those of other calls", async () => {
  const pem = readFileSync(new URL("../../core/test/support/certificates/in-order.pem", import.meta.url))
  const secure = https.createServer({ key: pem, cert: pem }, (_, response) => response.end(anime))
  const port = await listen(secure)
  // The handshake begins late.
  const proxy = net.createServer((socket) => {
    const behind = net.connect(port, "127.0.0.1")
    const close = () => {
      socket.destroy()
      behind.destroy()
    }
    for (const end of [socket, behind]) {
      end.on("error", close).on("close", close)
    }
    behind.pipe(socket)
    setTimeout(() => socket.pipe(behind), 500)
  })
  try {
    await using catalog = createCatalog({ baseUrl: `https://127.0.0.1:${await listen(proxy)}` })
    const patient = [catalog.anime.get({ id: 1 }), catalog.anime.get({ id: 1 })]
    await expect(catalog.anime.get({ id: 1 }, { timeout: 50 })).rejects.toMatchObject({ reason: "Timeout" })
    patient.push(catalog.anime.get({ id: 1 }))
    expect(await Promise.all(patient)).toHaveLength(3)
    expect(await catalog.anime.get({ id: 1 })).toEqual({ id: 1, title: "One" })
  } finally {
    proxy.close()
    secure.close()
  }
})

test("a mock that has replaced the global fetch and sees no request is warned of once", async () => {
  answer = (_, response) => response.setHeader("connection", "close").end(anime)
  const warnings: Array<string> = []
  const note = ({ message }: Error) => void warnings.push(message)
  // As MSW 2 and nock 14 do.
  const mark = Symbol.for("fetch-interceptor")
  Reflect.set(globalThis, mark, {})
  process.on("warning", note)
  try {
    await using own = createCatalog({ baseUrl: origin })
    await using seen = createCatalog({ baseUrl: origin, fetch: "global" })
    for (const catalog of [seen, own, own]) {
      await catalog.anime.get({ id: 1 })
    }
    await sleep(20)
  } finally {
    process.off("warning", note)
    Reflect.deleteProperty(globalThis, mark)
  }
  expect(warnings).toEqual([
    'catalog: MSW or nock has replaced the global fetch, but Node\'s own transport sends without it: pass fetch: "global"'
  ])
})

test("a dispatcher of undici 6 is named, and the network is not", async () => {
  const older = {
    dispatch: (_: unknown, handler: { readonly onError?: unknown }) => {
      // As undici 6 does for handlers of undici 7.
      if (typeof handler.onError !== "function") {
        throw Object.assign(new Error("invalid onError method"), { code: "UND_ERR_INVALID_ARG" })
      }
      return true
    }
  }
  const call = Effect.provide(Catalog.anime.get({ id: 1 }), layers(CatalogNode.layerDispatcher(older)))
  const { message: error } = await Effect.runPromise(Effect.flip(call))
  expect(error).toContain("the dispatcher is of undici 6 or older: pass one of undici 7 or later.")
  expect(error).not.toContain("Check the network")
})

test("early hints are no response, also if none follows", async () => {
  answer = ({ socket }, response) => response.writeEarlyHints({ link: "</x>; rel=preload" }, () => socket.destroySoon())
  const { spans, trace } = recordingTracer()
  const call = Effect.flip(Catalog.anime.get({ id: 1 })).pipe(Effect.provide(layers(CatalogNode.layer)))
  const error = await Effect.runPromise(trace(call))
  expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "Transport" })
  const statuses = spans.map(({ name, attributes }) => [name, attributes.get("http.response.status_code")])
  expect(statuses).toEqual([
    ["catalog.anime.get", undefined],
    ["GET", undefined]
  ])
})

test("catalogs that are made and closed share the connections of one dispatcher", async () => {
  answer = (_, response) => response.end(anime)
  const dispatcher = new Agent()
  const users = ["one", "two", "three", "four", "five"]
  for (const accessToken of users) {
    await using catalog = createCatalog({ baseUrl: origin, dispatcher, accessToken })
    await catalog.anime.get({ id: 1 })
  }
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(users.map((user) => `Bearer ${user}`))
  // undici takes another where a call follows at once: it lets a connection rest for a turn.
  expect(new Set(seen.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2)
  await dispatcher.close()
  await eventually("every connection is closed", () => seen.every(({ socket }) => !sockets.has(socket)))
})
