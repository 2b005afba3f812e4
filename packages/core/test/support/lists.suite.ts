/**
 * Whole lists over a real connection, on both faces: the same in Node and in a browser.
 */
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { Chunk, Effect, Layer, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { promiseCatalog, type Transport } from "./faces.js"
import { onlyEffect } from "./only.js"
import { circles, habits, idsOf, ownerOf, sizes, topic } from "./lists.js"

interface Platform {
  readonly transport: Transport
  /** Where the service with a habit is. */
  readonly urls: Readonly<Record<string, string>>
  /** The rows of a table that are tested, others with each shift; all, unless given. */
  readonly sample?: <A>(rows: ReadonlyArray<A>, shift: number) => ReadonlyArray<A>
}

interface Options {
  readonly limit?: number
  readonly distinct?: boolean
  readonly prefetch?: number
}

const credentials = { accessToken: "embedded-token", clientId: "embedded-client", nsfw: true }

export const wholeLists = ({ transport, urls, sample = (rows) => rows }: Platform): void => {
  const layerOf = (habit: string) =>
    Layer.mergeAll(
      transport.layer,
      Credentials.layer(credentials),
      CatalogConfig.layer({ baseUrl: urls[habit], nsfw: true })
    )
  const catalogOf = (habit: string) => promiseCatalog(transport, { baseUrl: urls[habit], ...credentials })
  const fields = "list_status{score}"

  /** The numbers on a list, and whether each entry had what was asked for. */
  const readers = {
    Effect: (habit: string, size: number, { limit, ...options }: Options) =>
      Catalog.user.animeList.items({ username: ownerOf(size), limit }, { fields, ...options }).pipe(
        Stream.map(({ node, list_status }) => [node.id, list_status?.score !== undefined] as const),
        Stream.runCollect,
        Effect.map(Chunk.toReadonlyArray),
        Effect.provide(layerOf(habit)),
        Effect.runPromise
      ),
    promise: async (habit: string, size: number, { limit, ...options }: Options) => {
      await using catalog = catalogOf(habit)
      const entries: Array<readonly [number, boolean]> = []
      const list = catalog.user.animeList.items({ username: ownerOf(size), limit }, { fields, ...options })
      for await (const { node, list_status } of list) {
        entries.push([node.id, list_status?.score !== undefined])
      }
      return entries
    }
  }

  const faces = [...onlyEffect(["Effect"] as const), "promise"] as const

  describe.each(faces.map((face) => [face, readers[face]] as const))("whole lists on the %s face", (face, read) => {
    // Each face has the rows that the other one has not.
    const shift = face === "Effect" ? 0 : 1
    describe.each(Object.keys(habits).map((habit, index) => [habit, index] as const))("with %s", (habit, index) => {
      test.each(sample(sizes, index + 2 * shift))(
        "a list of %i entries is read completely, in order and without repetition",
        { timeout: 60_000 },
        async (size) => {
          const entries = await read(habit, size, size > 1000 ? {} : { limit: 100 })
          expect(entries.map(([id]) => id)).toEqual(idsOf(size))
          expect(entries.every(([, selected]) => selected)).toBe(true)
        }
      )
    })

    test.each(sample([0, 1, 3, Infinity], shift))("prefetching %d pages does not change that", async (prefetch) => {
      expect((await read("plain", 1000, { limit: 70, prefetch })).map(([id]) => id)).toEqual(idsOf(1000))
    })

    test.each(sample(Object.keys(circles), shift))(
      "a next link to %s is an error and no endless loop",
      async (habit) => {
        const error: unknown = await read(habit, 1000, { limit: 100 }).then(
          () => new Error("it came to an end"),
          (thrown: unknown) => thrown
        )
        expect(String(error)).toContain("paging.next")
        if (face === "promise") {
          expect(error).toMatchObject({ _tag: "ClientRestError", reason: "InvalidBody", path: ["paging", "next"] })
        }
      }
    )
  })

  test("posts of a topic, one after the other", async () => {
    await using catalog = catalogOf("plain")
    const posts = await catalog.forum.topic.collect({ id: topic.id }, { max: Infinity })
    const all = Array.from({ length: topic.posts }, (_, index) => index + 1)
    expect(posts.map(({ number }) => number)).toEqual(all)
  })
}
