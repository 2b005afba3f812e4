/**
 * Handlers of web requests on a server of Node, over sockets: `http`, Express with its body parsers, and Fastify.
 */
import { toNode } from "catalog-client/handlers"
import express from "express"
import fastify from "fastify"
import { createServer, type IncomingMessage, request, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"

const listening = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const twoCookies = async (): Promise<Response> => {
  const headers = new Headers({ location: "/me", "x-one": "a" })
  headers.append("set-cookie", "one=1; Path=/")
  headers.append("set-cookie", "two=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
  return new Response(null, { status: 303, headers })
}

const echo = async (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  return Response.json([request.method, pathname + search, request.headers.get("x-sent"), await request.text()])
}

const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1&b=%26x" }

test.each<[string, (handler: Parameters<typeof toNode>[0]) => RequestListener]>([
  ["http", toNode],
  ["Express", (handler) => express().use(toNode(handler))]
])("two cookies arrive over %s", async (_, listener) => {
  const port = await listening(listener(twoCookies))
  const { headers, status } = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" })
  expect([status, headers.get("location"), headers.get("x-one")]).toEqual([303, "/me", "a"])
  expect(headers.getSetCookie()).toEqual(["one=1; Path=/", "two=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
})

test("Fastify hands over its request and its reply", async () => {
  const server = fastify()
  onTestFinished(() => server.close())
  server.removeAllContentTypeParsers()
  server.addContentTypeParser("*", (_request, _payload, done) => done(null))
  for (const [path, handler] of Object.entries({ "/cookies": twoCookies, "/echo": echo })) {
    server.all(path, (request, reply) => {
      reply.hijack()
      toNode(handler)(request.raw, reply.raw)
    })
  }
  const url = await server.listen({ host: "127.0.0.1", port: 0 })
  expect((await fetch(`${url}/cookies`, { redirect: "manual" })).headers.getSetCookie().length).toBe(2)
  for (const type of ["application/x-www-form-urlencoded", "application/json"]) {
    const sent = { ...form, headers: { "content-type": type } }
    expect(await (await fetch(`${url}/echo?y=z`, sent)).json()).toEqual(["POST", "/echo?y=z", null, form.body])
  }
})

test("beside the cookies of the program", async () => {
  const app = express().use((_request, response, next) => {
    response.cookie("own", "0")
    next()
  }, toNode(twoCookies))
  const { headers } = await fetch(`http://127.0.0.1:${await listening(app)}/`, { redirect: "manual" })
  expect(headers.getSetCookie().map((cookie) => cookie.slice(0, 5))).toEqual(["own=0", "one=1", "two=2"])
})

test.each<[string, RequestListener]>([
  ["http", toNode(echo)],
  ["Express, below a path", express().use("/below", toNode(echo))],
  ["Express, after a parser of forms", express().use(express.urlencoded(), toNode(echo))],
  ["Express, after a parser of text", express().use(express.text({ type: "*/*" }), toNode(echo))],
  ["Express, after a parser of bytes", express().use(express.raw({ type: "*/*" }), toNode(echo))]
])("a handler gets the method, the path, the headers and the form over %s", async (_, listener) => {
  const port = await listening(listener)
  const headers = { ...form.headers, "x-sent": "ünï" }
  const sent = await fetch(`http://127.0.0.1:${port}/below/x?y=z`, { ...form, headers: { ...headers, "x-sent": "u" } })
  expect(await sent.json()).toEqual(["POST", "/below/x?y=z", "u", form.body])
})

test.each(["//evil.example/x", "/\\evil.example/x", "/%2e%2e/x", "/x?//y"])(
  "no path leads to another origin: %s",
  async (path) => {
    const urls: Array<URL> = []
    const port = await listening(toNode(async ({ url }) => (urls.push(new URL(url)), new Response())))
    await new Promise((resolve) => request({ host: "127.0.0.1", path, port }, resolve).end())
    expect(urls.map(({ host }) => host)).toEqual(["localhost"])
  }
)

test.each([
  ["OPTIONS", "http://evil.example/x"],
  ["OPTIONS", "@evil.example/x"],
  ["OPTIONS", "*"],
  ["TRACE", "/"]
])("what is no web request gets a 400, and is no error of the program: %s %s", async (method, path) => {
  const next = vi.fn()
  const handler = toNode(async () => new Response())
  const port = await listening((request, response) => handler(request, response, next))
  const { statusCode } = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: "127.0.0.1", path, port, method, timeout: 5_000 }, resolve).on("timeout", reject).end()
  })
  expect([statusCode, next.mock.calls]).toEqual([400, []])
})

test.each<[number, Parameters<typeof toNode>[0]]>([
  [404, () => undefined],
  [500, () => Promise.reject(new Error("secret"))],
  [
    500,
    () => {
      throw new Error("secret")
    }
  ]
])("without a next, what is not handled is a %i, without a message", async (status, handler) => {
  const response = await fetch(`http://127.0.0.1:${await listening(toNode(handler))}/`)
  expect([response.status, await response.text()]).toEqual([status, ""])
})

test("Express gets what is not handled, and errors", async () => {
  const app = express()
    .use(
      "/thrown",
      toNode(() => Promise.reject(new RangeError("x")))
    )
    .use(toNode(() => undefined))
    .get("/next", (_request, response) => void response.send("next"))
    .use(((error: Error, _request, response, _next) => void response.send(error.name)) as express.ErrorRequestHandler)
  const port = await listening(app)
  const texts = ["next", "thrown"].map(async (path) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text())
  expect(await Promise.all(texts)).toEqual(["next", "RangeError"])
})

test("a disconnect aborts the signal, and a response does not", async () => {
  const signals: Array<AbortSignal> = []
  const port = await listening(
    toNode(async ({ signal, url }) => {
      signals.push(signal)
      if (url.endsWith("/slow")) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve))
      }
      return new Response()
    })
  )
  const left = new AbortController()
  const slow = fetch(`http://127.0.0.1:${port}/slow`, { signal: left.signal }).catch(() => undefined)
  await expect.poll(() => signals.length).toBe(1)
  left.abort()
  await slow
  await expect.poll(() => signals[0]?.aborted).toBe(true)
})
