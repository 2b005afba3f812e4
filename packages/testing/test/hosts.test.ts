/**
 * Which hosts the Layer of the embedded service stands for.
 */
import { Catalog, CatalogConfig, Credentials, ServiceProfile } from "@catalog-client/core"
import { EmbeddedCatalog, type EmbeddedCatalogOptions, type ReceivedRequest } from "@catalog-client/testing"
import { HttpClient } from "@effect/platform"
import { it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, test } from "vitest"
import { start } from "./service.js"
import { onlyEffect3 } from "../../core/test/support/only.js"

const get = (url: string) => Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url))

const within = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient>, options?: EmbeddedCatalogOptions) =>
  Effect.provide(effect, EmbeddedCatalog.layer(options))

const foreign = [
  ["https://api.github.com/v2/anime/1", "api.github.com"],
  ["https://api.myanimelist.net.evil.com/v2/anime/1", "api.myanimelist.net.evil.com"],
  ["https://cdn.myanimelist.net/v2/anime/1", "cdn.myanimelist.net"],
  ["http://localhost.com:8080/v2/anime/1", "localhost.com:8080"],
  ["https://example.dev/v2/anime/1", "example.dev"],
  ["https://notexample.com/v2/anime/1", "notexample.com"],
  ["http://10.0.0.1/v2/anime/1", "10.0.0.1"],
  ["http://[2001:db8::1]/v2/anime/1", "[2001:db8::1]"]
]

describe("the Layer", () => {
  // In Effect 4, an HttpClientError has a reason.
  onlyEffect3(it).effect.each(foreign)(
    "refuses %s, for which the other forms of the service respond",
    ([url = "", host = ""]) =>
      Effect.gen(function* () {
        const seen: Array<ReceivedRequest> = []
        const options: EmbeddedCatalogOptions = { onRequest: (request) => seen.push(request) }
        const error = yield* Effect.flip(within(get(url), options))
        expect(error).toMatchObject({ _tag: "RequestError", reason: "InvalidUrl", request: { method: "GET" } })
        expect(error.message).toContain(
          `the embedded service received a request for the host "${host}", and serves only the catalog`
        )
        expect(error.message).toContain("EmbeddedCatalog.layerClient")
        expect(error.message).toContain(`hosts: ["${host}"]`)
        expect(seen).toEqual([])
        // It is of no use to try again.
        const twice = Effect.flip(
          Effect.flatMap(HttpClient.HttpClient, (client) => HttpClient.retryTransient(client, { times: 1 }).get(url))
        )
        expect(yield* within(twice)).toMatchObject({ _tag: "RequestError" })
        const named = yield* within(get(url), { hosts: ["other.internal", host.toUpperCase()] })
        expect(named.status).toBe(200)
        const { status } = yield* Effect.promise(() => start().send(url))
        expect(status).toBe(200)
      })
  )

  it.effect.each([
    `${ServiceProfile.default.baseUrl}/anime/1`,
    "http://localhost:8080/v2/anime/1",
    "http://catalog.localhost./v2/anime/1",
    "http://127.0.0.1/v2/anime/1",
    "http://127.1.2.3:1/v2/anime/1",
    "http://[::1]:1/v2/anime/1",
    "https://catalog.test/v2/anime/1",
    "https://my-proxy.example/v2/anime/1",
    "https://x.invalid/v2/anime/1",
    "https://example.com/v2/anime/1",
    "https://www.example.org/v2/anime/1",
    "https://EXAMPLE.net/v2/anime/1"
  ])("responds for %s", (url) => Effect.map(within(get(url)), ({ status }) => expect(status).toBe(200)))

  it.effect("responds for a port of a host only if that is named", () =>
    Effect.gen(function* () {
      const options = { hosts: ["catalog.internal:8080"] }
      expect((yield* within(get("http://catalog.internal:8080/v2/anime/1"), options)).status).toBe(200)
      expect(yield* Effect.flip(within(get("http://catalog.internal/v2/anime/1"), options))).toMatchObject({
        message: expect.stringContaining('"catalog.internal"')
      })
    })
  )

  test("fails a call of the catalog with the cause", async () => {
    const baseUrl = "https://catalog.my-company.com/v2"
    const error = {
      _tag: "ClientNetworkError",
      reason: "Transport",
      message: expect.stringContaining('request for the host "catalog.my-company.com"')
    }
    const config = CatalogConfig.layer({ baseUrl })
    const call = Effect.flip(Catalog.anime.get({ id: 1 }))
    const provided = Effect.provide(call, [EmbeddedCatalog.layer(), Credentials.layerNone, config])
    expect(await Effect.runPromise(provided)).toMatchObject(error)
  })

  test.each(["https://catalog.internal", "catalog.internal/v2", "", "a b"])("refuses the option %j", async (host) => {
    const exit = await Effect.runPromiseExit(within(get("https://x.example/v2/anime/1"), { hosts: [host] }))
    expect(Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause)).toEqual(
      new TypeError(`hosts must contain names like "catalog.internal" or "catalog.internal:8080", but one is "${host}"`)
    )
  })
})
