import { createCatalog, Resilience } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { afterEach, beforeEach, expect, it, vi } from "vitest"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("a refused call is repeated after Retry-After", async () => {
  const fetch = EmbeddedCatalog.fetch({
    faults: [{ on: "anime.get", times: 1, status: 429, headers: { "retry-after": "30" } }]
  })
  const catalog = createCatalog({ fetch, ...EmbeddedCatalog.credentials(), policies: [Resilience.retry()] })
  const call = catalog.anime.get({ id: 1 })
  const ended = vi.fn()
  void call.finally(ended)

  await vi.advanceTimersByTimeAsync(29_000)
  expect(ended).not.toHaveBeenCalled()

  await vi.advanceTimersByTimeAsync(1_000)
  expect((await call).title).toBe("Cowboy Bebop")
})

it("a list of three pages takes two seconds", async () => {
  const policies = [Resilience.rateLimit({ limit: 1, interval: "1 second" })]
  const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), ...EmbeddedCatalog.credentials(), policies })
  const call = catalog.anime.search.collect({ q: "diamond", limit: 1 }, { max: Infinity })
  const ended = vi.fn()
  void call.finally(ended)

  await vi.advanceTimersByTimeAsync(1_000)
  expect(ended).not.toHaveBeenCalled()

  await vi.advanceTimersByTimeAsync(1_000)
  expect(await call).toHaveLength(3)
})
