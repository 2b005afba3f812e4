import { CatalogClient } from "@catalog-client/core"
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/testing"
import { HttpApiBuilder, HttpServer, OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { afterEach, expect, it } from "vitest"
import { Api } from "./api.js"
import { ServiceLive } from "./service.js"

const disposals: Array<() => Promise<void>> = []
afterEach(() => Promise.all(disposals.splice(0).map((dispose) => dispose())))

interface Shelf {
  readonly owner: string
  readonly watching: ReadonlyArray<{ readonly id: number; readonly watched: number }>
}

/** The service as a function from a request to its status and its body. */
const serviceOver = (client: Layer.Layer<CatalogClient>) => {
  const { dispose, handler } = HttpApiBuilder.toWebHandler(
    Layer.merge(Layer.provide(ServiceLive, client), HttpServer.layerContext)
  )
  disposals.push(dispose)
  return async <A>(method: string, path: string, token?: string, body?: unknown) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await handler(new Request(`http://shelves.test${path}`, init))
    return { status: response.status, body: (await response.json()) as A }
  }
}

const tokens = { "token-of-reader": "sample_reader", "token-of-lantern": "paper_lantern" }

/** Without its own token, so that a call without the user's token would fail. */
const embedded = (options?: EmbeddedCatalogOptions) =>
  EmbeddedCatalog.layerClient({ tokens, ...options }, { accessToken: undefined })

it("reads and writes the shelf of the user whose token comes with the request", async () => {
  const call = serviceOver(embedded())
  expect(await call("PUT", "/shelf/1", "token-of-reader", { watched: 3 })).toEqual({
    status: 200,
    body: { id: 1, watched: 3 }
  })
  const { body } = await call<Shelf>("GET", "/shelf", "token-of-reader")
  expect(body.owner).toBe("sample_reader")
  expect(body.watching).toContainEqual({ id: 1, title: "Cowboy Bebop", watched: 3 })
  expect((await call("GET", "/anime/1")).body).toEqual({ title: "Cowboy Bebop" })
})

it("declares a search by the Schemas of the client, which describe and check its inputs", async () => {
  const call = serviceOver(embedded())
  expect(await call("GET", "/anime?q=diamond")).toEqual({
    status: 200,
    body: { data: expect.arrayContaining([{ node: expect.objectContaining({ id: 30230 }) }]) }
  })
  expect(await call("GET", "/anime?q=%20%20%20")).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("must have 3 to 64 characters") }
  })
  const one = (await call("GET", "/anime?q=diamond&limit=1")).body as { readonly data: ReadonlyArray<unknown> }
  expect(one.data).toHaveLength(1)
  expect((await call("GET", "/anime?q=diamond&limit=5000")).status).toBe(400)
  expect(OpenApi.fromApi(Api).paths["/anime"]?.get?.parameters).toEqual([
    expect.objectContaining({ name: "q", schema: expect.objectContaining({ minLength: 3, maxLength: 64 }) }),
    expect.objectContaining({
      name: "limit",
      schema: expect.objectContaining({ type: "integer", minimum: 1, maximum: 100 })
    })
  ])
})

it("reports errors by a status", async () => {
  const call = serviceOver(embedded({ faults: [{ on: "user.me", status: 500 }] }))
  expect((await call("GET", "/anime/999999")).status).toBe(404)
  expect(await call("GET", "/anime/NaN")).toEqual({
    status: 400,
    body: { _tag: "BadRequest", message: expect.stringContaining('catalog.anime.get: "id" must be a finite number') }
  })
  expect((await call("GET", "/shelf")).status).toBe(401)
  expect((await call("PUT", "/shelf/1", "an-old-token", { watched: 3 })).status).toBe(401)
  expect((await call("GET", "/shelf", "token-of-reader")).status).toBe(503)
})

it("needs only the operations of a client that it calls", async () => {
  const call = serviceOver(
    CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } })
  )
  expect(await call("GET", "/anime/1")).toEqual({ status: 200, body: { title: "One" } })
})

it("keeps two users apart, in 200 requests at once", async () => {
  const asked: Array<string | undefined> = []
  const call = serviceOver(
    embedded({ latency: "50 millis", onRequest: ({ headers }) => asked.push(headers["authorization"]) })
  )
  // Both users write different numbers to the same items: the reader even ones, the other user odd ones.
  const users = [
    { token: "token-of-reader", owner: "sample_reader", parity: 0 },
    { token: "token-of-lantern", owner: "paper_lantern", parity: 1 }
  ]
  const ids = [1, 5114, 30230]
  for (const { parity, token } of users) {
    for (const id of ids) {
      await call("PUT", `/shelf/${id}`, token, { watched: parity })
    }
  }
  asked.length = 0

  let open = 0
  let mostOpen = 0
  await Promise.all(
    Array.from({ length: 200 }, async (_, turn) => {
      const user = users[turn % 2] ?? users[0]
      if (user === undefined) {
        return
      }
      mostOpen = Math.max(mostOpen, ++open)
      if (turn % 4 < 2) {
        const watched = 2 * (turn % 10) + user.parity
        const { body } = await call("PUT", `/shelf/${ids[turn % 3]}`, user.token, { watched })
        expect(body).toEqual({ id: ids[turn % 3], watched })
      } else {
        const { body } = await call<Shelf>("GET", "/shelf", user.token)
        expect(body.owner).toBe(user.owner)
        const own = body.watching.filter(({ id }) => ids.includes(id))
        expect(own).toHaveLength(ids.length)
        expect(own.filter(({ watched }) => watched % 2 !== user.parity)).toEqual([])
      }
      open--
    })
  )
  expect(mostOpen).toBe(200)
  // They really were interleaved, at the catalog too.
  expect(asked.length).toBe(300)
  expect(asked.filter((token, at) => token !== asked[at - 1]).length).toBeGreaterThan(100)
})
