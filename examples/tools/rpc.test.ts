import { EmbeddedCatalog } from "@catalog-client/testing"
import { RpcTest } from "@effect/rpc"
import { Chunk, Effect, Layer, Schema, Stream } from "effect"
import { expect, it } from "vitest"
import { Position, Rpcs, RpcsLive } from "./rpc.js"
import { toolkit } from "./tools.js"

const Live = Layer.provide(RpcsLive, EmbeddedCatalog.layerClient())

it("has the operations that the toolkit has", () => {
  expect([...Rpcs.requests.keys()]).toEqual([...Object.keys(toolkit.tools), "user_anime_list_pages"])
})

it("reads, writes, and fails with the client's errors", () =>
  Effect.gen(function* () {
    const client = yield* RpcTest.makeClient(Rpcs)
    expect(yield* client.anime_get({ id: 30230, fields: ["mean"] })).toMatchObject({ mean: expect.any(Number) })
    expect(yield* client.anime_update({ id: 30230, score: 9 })).toMatchObject({ score: 9 })
    expect(yield* client.anime_delete({ id: 30230 })).toBeUndefined()
    expect(yield* client.user_me({})).toMatchObject({ name: "sample_reader" })
    expect(yield* Effect.flip(client.manga_get({ id: 999_999 }))).toMatchObject({
      _tag: "ClientRestError",
      status: 404
    })
  }).pipe(Effect.scoped, Effect.provide(Live), Effect.runPromise))

it("continues a list at a position that was stored", () =>
  Effect.gen(function* () {
    const client = yield* RpcTest.makeClient(Rpcs)
    const list = { username: "@me", limit: 1 }
    const pages = yield* Stream.runCollect(client.user_anime_list_pages(list))
    const [first, ...rest] = Chunk.toArray(pages)
    const stored = yield* Schema.encode(Schema.parseJson(Position))(first ?? {})
    const after = yield* Schema.decode(Schema.parseJson(Position))(stored)
    const continued = yield* Stream.runCollect(client.user_anime_list_pages({ ...list, after }))
    expect(rest.length).toBeGreaterThan(0)
    expect(Chunk.toArray(continued)).toEqual(rest)
  }).pipe(Effect.scoped, Effect.provide(Live), Effect.runPromise))
