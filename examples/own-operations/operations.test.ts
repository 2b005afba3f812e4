import { CatalogClient, Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { describe, expect, it } from "@effect/vitest"
import { createCatalog } from "catalog-client"
import { Chunk, Effect, Layer, Stream } from "effect"
import { rated, score, titles } from "./operations.js"
import * as promises from "./promises.js"

const signedIn = Credentials.layer({ accessToken: "embedded-token" })
const signedOut = Credentials.layerNone

describe("with Effect", () => {
  it.effect("operations of a program read and write", () =>
    Effect.gen(function* () {
      const { start_date, title } = yield* rated(30230, 7)
      expect(title).toBe("Diamond no Ace: Second Season")
      expect(start_date?.getUTCFullYear()).toBe(2015)
    }).pipe(Effect.provide([EmbeddedCatalog.layer(), signedIn]))
  )

  it.effect("one that needs a token fails without, and nothing is sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(score({ id: 30230, score: 7 }))
      expect(error).toMatchObject({ _tag: "ClientAuthError", operation: "shelf.score" })
    }).pipe(Effect.provide([EmbeddedCatalog.layer({ faults: [{ status: 500 }] }), signedOut]))
  )

  it.effect("a client gives whole lists", () =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(titles(yield* CatalogClient))
      expect(Chunk.size(all)).toBeGreaterThan(1)
    }).pipe(Effect.provide(CatalogClient.layer().pipe(Layer.provide([EmbeddedCatalog.layer(), signedIn]))))
  )
})

describe("with promises", () => {
  const catalog = createCatalog({
    fetch: EmbeddedCatalog.fetch(),
    accessToken: "embedded-token"
  })

  it("operations of a program read and write", async () => {
    expect((await catalog.call(promises.score, { id: 30230, score: 8 })).score).toBe(8)
    const { start_date } = await catalog.call(promises.beginning, { id: 30230, fields: "start_date" })
    expect(start_date).toBeInstanceOf(Date)
    expect(await promises.firstTitle(catalog)).toBe(await promises.firstTitle(catalog))
    const watching = await catalog.call.collect(promises.shelf, { user: "@me", status: "watching" }, { max: 5 })
    const same = await catalog.user.animeList.collect({ username: "@me", status: "watching" }, { max: 5 })
    expect(watching.map(({ node }) => node.id)).toEqual(same.map(({ node }) => node.id))
  })

  it("an input that its Schema refuses is not sent", async () => {
    await expect(catalog.call(promises.score, { id: 30230, score: 11 })).rejects.toThrow('shelf.score: "score" must be')
  })
})
