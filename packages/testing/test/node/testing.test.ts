import { type ServedCatalog, serve } from "catalog-client/testing"
import { createCatalog } from "catalog-client"
import { EmbeddedServer, type ServeOptions } from "@catalog-client/testing/node"
import type { EmbeddedCatalogOptions, ReceivedRequest } from "@catalog-client/testing"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { HttpClient } from "@effect/platform"
import { it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { once } from "node:events"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { createConnection } from "node:net"
import { Readable } from "node:stream"
import { json } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import { rejection, sleep } from "../../../core/test/support/eventually.js"

const token = { authorization: "Bearer embedded-token" }

const start = async (options: ServeOptions = {}): Promise<ServedCatalog> => {
  const service = await serve(options)
  onTestFinished(service.close)
  return service
}

/** Sends each request over one connection, when the one before it has been answered. */
const sendRaw = (url: string, requests: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve) => {
    const answers: Array<string> = []
    const left = [...requests]
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1")
    socket.setEncoding("latin1")
    const end = () => {
      socket.destroy()
      resolve(answers)
    }
    const next = () => {
      const request = left.shift()
      if (request === undefined) {
        return end()
      }
      answers.push("")
      socket.write(request)
    }
    socket.on("connect", next)
    socket.on("data", (part: string) => {
      const answer = (answers.pop() ?? "") + part
      answers.push(answer)
      const [head = "", body] = answer.split(/\r\n\r\n([^]*)/)
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (body !== undefined && length !== undefined && body.length >= Number(length)) {
        next()
      }
    })
    socket.on("close", end)
    socket.on("error", end)
    socket.setTimeout(5_000, end)
  })

const isOpen = (url: string): Promise<boolean> =>
  fetch(`${url}/forum/boards`)
    .then((response) => response.text())
    .then(
      () => true,
      () => false
    )

describe("serve", () => {
  test("responds on a loopback port, with URLs of that port", async () => {
    const service = await start()
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/)
    const reply = await fetch(`${service.url}/users/@me/animelist?limit=2&fields=list_status,mean`, { headers: token })
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=UTF-8"])
    const text = await reply.text()
    expect(text).toContain(String.raw`http:\/\/127.0.0.1:`)
    const { data, paging } = JSON.parse(text) as { data: ReadonlyArray<unknown>; paging: { next: string } }
    expect(data).toHaveLength(2)
    expect(paging.next).toBe(`${service.url}/users/@me/animelist?offset=2&limit=2&fields=list_status%2Cmean`)
    const next = await fetch(paging.next, { headers: token })
    expect(next.status).toBe(200)
    expect(await next.json()).not.toEqual(JSON.parse(text))
  })

  test("has the credentials and the profile that a client needs", async () => {
    const { accessToken, authorizeUrl, clientId, profile, tokenUrl } = await start()
    expect({ accessToken, clientId }).toEqual({ accessToken: "embedded-token", clientId: "embedded-client" })
    await using catalog = createCatalog({ profile, accessToken })
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(profile.oauth).toMatchObject({ authorizeUrl, tokenUrl })
  })

  test("uses the port and host of its options", async () => {
    const free = await serve()
    const port = Number(new URL(free.url).port)
    await free.close()
    const service = await start({ port, host: "localhost" })
    expect(service.url).toBe(`http://localhost:${port}/v2`)
    expect((await fetch(`${service.url}/anime/1`)).status).toBe(200)
    const everywhere = await start({ host: "0.0.0.0" })
    expect(everywhere.url).toMatch(/^http:\/\/127[.]0[.]0[.]1:\d+\/v2$/)
    expect((await fetch(`${everywhere.url}/anime/1`)).status).toBe(200)
  })

  test("says what to do if the port is in use or the address is not this machine's", async () => {
    const port = Number(new URL((await start()).url).port)
    await expect(serve({ port })).rejects.toThrow(
      `cannot serve on 127.0.0.1:${port}: the port is in use. Use another port, or 0 for any free one.`
    )
    // For documentation, and routed nowhere.
    const elsewhere = await rejection(serve({ host: "192.0.2.1" }))
    expect(elsewhere).toMatchObject({ cause: { code: "EADDRNOTAVAIL" } })
    expect(elsewhere.message).toMatch(
      /^cannot serve on 192\.0\.2\.1:0: listen EADDRNOTAVAIL.*\. Set host to an address of this machine, for example 127\.0\.0\.1\.$/
    )
    // What has failed keeps no process alive.
    await expect.poll(serverHandles).toHaveLength(1)
  })

  test.each([
    [{ port: -1 }, "port must be a whole number from 0 to 65535, but it is -1"],
    [{ port: 65_536 }, "but it is 65536"],
    [{ port: 1.5 }, "but it is 1.5"],
    [{ port: "4010" }, "port must be a whole number from 0 to 65535, but it is '4010'"],
    [{ host: "" }, "host must be a name or an address, for example '127.0.0.1', but it is ''"]
  ])("does not listen with %j", async (options, message) => {
    const error = await rejection(serve(options as ServeOptions))
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toContain(message)
  })

  test("passes requests to onRequest as they were received", async () => {
    const seen: Array<ReceivedRequest> = []
    const { url } = await start({ onRequest: (request) => seen.push(request) })
    const answers = await sendRaw(url, [
      'GET /v2/anime/../anime/1?q="a HTTP/1.1\r\nhost: x\r\nx-one: 1\r\nX-One: 2\r\ncontent-length: 2\r\n\r\nhi',
      "TRACE /v2/anime/1 HTTP/1.1\r\nhost: x\r\n\r\n"
    ])
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(["HTTP/1.1 404", "HTTP/1.1 405"])
    expect(seen).toMatchObject([
      { method: "GET", path: "/v2/anime/../anime/1", search: '?q="a', headers: { "x-one": "1, 2" }, body: "hi" },
      { method: "TRACE", path: "/v2/anime/1", body: "" }
    ])
  })

  test.each([
    ["a length", "content-length: 7\r\n\r\nscore=6"],
    ["chunks", "transfer-encoding: chunked\r\n\r\n7\r\nscore=6\r\n0\r\n\r\n"]
  ])("a request that offers an upgrade keeps its body, with %s, and its connection", async (_, rest) => {
    const { url } = await start()
    const upgrade =
      "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
    const head = `host: localhost\r\n${upgrade}authorization: ${token.authorization}\r\n`
    const form = "content-type: application/x-www-form-urlencoded\r\n"
    const written = `PATCH /v2/anime/30230/my_list_status HTTP/1.1\r\n${head}${form}${rest}`
    const read = `GET /v2/anime/30230?fields=my_list_status HTTP/1.1\r\n${head}\r\n`
    const answers = await sendRaw(url, [written, read, read])
    expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)[^]*"score":(\d+)/.exec(answer)?.slice(1))).toEqual([
      ["200", "6"],
      ["200", "6"],
      ["200", "6"]
    ])
  })

  test("has another base path, or none", async () => {
    for (const [basePath, path] of [
      ["/", ""],
      ["/api/catalog/", "/api/catalog"]
    ] as const) {
      const { url } = await start({ basePath })
      expect(url).toBe(new URL(url).origin + path)
      expect((await fetch(`${url}/anime/1`)).status).toBe(200)
    }
  })

  test.each([
    [{ basePath: "v3" }, 'basePath must begin with a slash or be "", but it is "v3"'],
    [{ faults: [{ status: 99 }] }, "the status of a fault must be a whole number from 200 to 599, but it is 99"],
    [{ prot: 4010 }, 'the embedded service has no option "prot": did you mean "port"?'],
    [{ client_ids: [] }, 'the embedded service has no option "client_ids": did you mean "clientIds"?'],
    [{ oauth: { conset: "page" } }, 'oauth of the embedded service has no option "conset": did you mean "consent"?'],
    [{ quirks: { shortPage: true } }, 'quirks of the embedded service has no option "shortPage"'],
    [{ quirks: { strictRotations: true } }, 'did you mean "strictRotation"?'],
    [{ quirks: { poll: "list" } }, 'poll must be one of "object", "array", but it is "list"'],
    [{ quirks: { deleteMissing: 400 } }, "deleteMissing must be one of 404, 200, but it is 400"],
    [{ faults: [{ drop: "later" }] }, 'drop must be one of "before-headers", "in-body", but it is "later"'],
    [{ quirks: { topicsTimeout: "soon" } }, "topicsTimeout must be a number of milliseconds"],
    [{ faults: [{ one: "anime.get" }] }, 'a fault of the embedded service has no option "one": did you mean "on"?'],
    [
      { latency: "soon" },
      "latency, delay, bodyDelay, executesAfter and topicsTimeout must be a number of milliseconds"
    ],
    [{ faults: [{ bodyDelay: "a bit" }] }, 'but one is "a bit"'],
    [
      { faults: [{ on: ["anime.get", "anime.gte"] }] },
      'a fault names an unknown operation "anime.gte": did you mean "anime.get"?'
    ],
    [
      { faults: [{ on: "anime.find" }] },
      /a fault names an unknown operation "anime.find": the operations are anime.deleteFromList, .*, oauth.authorize, oauth.token$/
    ]
  ])("refuses the options %j", async (options, message) => {
    const error = await rejection(serve(options as EmbeddedCatalogOptions))
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(message)
  })

  test("keeps little of a body that is too long, and refuses it", async () => {
    const { url } = await start()
    const part = new Uint8Array(2 ** 20)
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const body = Readable.from(
      (function* () {
        for (let sent = 0; sent < 300; sent++) {
          most = Math.max(most, process.memoryUsage().arrayBuffers - before)
          yield part
        }
      })()
    )
    const path = new URL(`${url}/anime/30230/my_list_status`)
    const outgoing = httpRequest(path, { method: "PATCH", headers: token })
    const [[response]] = await Promise.all([
      once(outgoing, "response") as Promise<[IncomingMessage]>,
      pipeline(body, outgoing)
    ])
    expect([response.statusCode, await json(response)]).toMatchObject([413, { error: "content_too_large" }])
    expect(most).toBeLessThan(100 * 2 ** 20)
    expect((await fetch(`${url}/anime/1`)).status).toBe(200)
  })

  /** What a request with this Host gets. */
  const requested = async (host: string) => {
    const { url } = await start()
    const head = `host: ${host}\r\nauthorization: ${token.authorization}\r\n`
    return (await sendRaw(url, [`GET /v2/users/@me/animelist?limit=1 HTTP/1.1\r\n${head}\r\n`])).join()
  }

  test.each(["a b", "[", "a/b?c", "x@y", "", "localhost:99999"])("refuses the Host %j", async (host) => {
    const [head = "", body] = (await requested(host)).split("\r\n\r\n")
    expect(head).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(head).toContain("content-type: application/json; charset=UTF-8")
    expect(body).toBe(`{"message":"invalid host","error":"bad_request"}`)
  })

  test.each(["catalog.example:8080", "[::1]:8080"])("uses the Host %j in URLs", async (host) => {
    const answer = (await requested(host)).replaceAll(String.raw`\/`, "/")
    expect(answer).toContain(`"next":"http://${host}/v2/users/@me/animelist?offset=1`)
  })
})

describe("close", () => {
  test("closes the port, and the connections that are idle, stalled or waiting", async () => {
    const service = await serve({
      faults: [
        { on: "anime.get", delay: Number.POSITIVE_INFINITY },
        { on: "manga.get", bodyDelay: Number.POSITIVE_INFINITY }
      ]
    })
    const waiting = rejection(fetch(`${service.url}/anime/1`))
    const stalled = await fetch(`${service.url}/manga/1`)
    const text = rejection(stalled.text())
    await sleep(100)
    expect(await isOpen(service.url)).toBe(true)
    await service.close()
    expect(await isOpen(service.url)).toBe(false)
    expect(await waiting).toMatchObject({ message: "fetch failed" })
    expect(stalled.status).toBe(200)
    expect(await text).toMatchObject({ message: "terminated" })
    expect(serverHandles()).toEqual([])
    await service.close()
    await service[Symbol.asyncDispose]()
  })
})

/** What of a server keeps this process alive. */
const serverHandles = (): ReadonlyArray<string> =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap")

describe("EmbeddedServer", () => {
  it.scoped("runs on the clock of the fiber that starts it", () =>
    Effect.gen(function* () {
      const { accessToken, url } = yield* EmbeddedServer.make({ latency: "1 minute" })
      expect(accessToken).toBe("embedded-token")
      let status = 0
      const answered = fetch(`${url}/anime/1`).then((reply) => (status = reply.status))
      yield* Effect.promise(() => sleep(100))
      expect(status).toBe(0)
      yield* TestClock.adjust("1 minute")
      expect(yield* Effect.promise(() => answered)).toBe(200)
    })
  )

  it.live("fails if the port is in use", () =>
    Effect.gen(function* () {
      const { url } = yield* EmbeddedServer
      const error = yield* Effect.flip(Effect.scoped(EmbeddedServer.make({ port: Number(new URL(url).port) })))
      expect(error).toMatchObject({ _tag: "ServeError" })
      expect(String(error.cause)).toContain("the port is in use")
    }).pipe(Effect.provide(EmbeddedServer.layer()))
  )

  it.live("runs as long as its scope", () =>
    Effect.gen(function* () {
      const url = yield* Effect.gen(function* () {
        const { url } = yield* EmbeddedServer
        const client = yield* HttpClient.HttpClient
        const reply = yield* client.get(`${url}/anime/1`)
        expect(yield* reply.json).toMatchObject({ id: 1, title: "Cowboy Bebop" })
        return url
      }).pipe(Effect.provide([EmbeddedServer.layer(), NodeHttpClient.layerUndici]))
      expect(yield* Effect.promise(() => isOpen(url))).toBe(false)
    })
  )
})
