/**
 * The proxy of Effect without sessions; handlers.test.ts has what it shares with that of promises.
 */
// Not over the bundle: it has no Effect.
import { Handlers } from "@catalog-client/oauth"
import { EmbeddedCatalog, type ReceivedRequest } from "@catalog-client/testing"
import { Effect } from "effect"
import { expect, test } from "vitest"

test("calls the named reads of a client, with its credentials", async () => {
  const received: Array<ReceivedRequest> = []
  const client = EmbeddedCatalog.layerClient({ onRequest: (request) => received.push(request) })
  const statuses = await Effect.gen(function* () {
    const proxy = yield* Handlers.proxy({ prefix: "/catalog", operations: ["anime.get"] })
    const send = (path: string, init?: RequestInit) => proxy(new Request(`http://0.0.0.0${path}`, init))
    const found = yield* send("/catalog/anime/30230?fields=mean")
    expect(yield* Effect.promise(() => found.json())).toMatchObject({ id: 30230, mean: 8.3 })
    const others = [
      send("/catalog/anime/999999999"),
      send("/catalog/users/@me"),
      send("/catalog/anime/30230", { method: "DELETE" }),
      send("/catalog/anime/30230", { headers: { "sec-fetch-site": "cross-site" } })
    ]
    return (yield* Effect.all(others)).map(({ status }) => status)
  }).pipe(Effect.provide(client), Effect.runPromise)
  expect(statuses).toEqual([404, 404, 405, 403])
  expect(received.map(({ headers }) => headers["x-mal-client-id"])).toEqual(["embedded-client", "embedded-client"])
})

test("dies with an option that it does not have, and with a write", async () => {
  const dies = (options: object) =>
    Handlers.proxy(options as never).pipe(
      Effect.provide(EmbeddedCatalog.layerClient()),
      Effect.catchAllDefect((defect) => Effect.succeed(String(defect))),
      Effect.runPromise
    )
  const usual = { prefix: "/catalog", operations: ["anime.deleteFromList"] }
  expect(await dies(usual)).toBe("TypeError: Handlers.proxy: anime.deleteFromList belongs to writes, not to operations")
  expect(await dies({ ...usual, writes: [] })).toContain('Handlers.proxy has no option "writes"')
})
