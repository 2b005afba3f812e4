/**
 * Credential slots that are Effects: how long they may take, what they need, and the operations that they call themselves.
 */
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { HttpClient, HttpClientResponse } from "@effect/platform"
import { Context, Effect, Exit, Layer, Option, Redacted } from "effect"
import { describe, expect, test } from "vitest"
import { json, recording } from "./support/faces.js"
import * as Fibers from "./support/fibers.js"

const anime = { id: 1, title: "One" }

describe("slow credentials", () => {
  const never = Credentials.layerEffect({ accessToken: Effect.never })

  test("end with the signal, and with an interruption", async () => {
    const { sent, layer } = recording(() => json(anime))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const call = (options: object) => Effect.provide(Catalog.anime.get({ id: 1 }, options), Layer.merge(layer, never))
    expect(await Effect.runPromise(Effect.flip(call({ signal: controller.signal })))).toMatchObject({
      reason: "Cancelled"
    })
    const fiber = Fibers.runFork(call({}))
    expect(Exit.isInterrupted(await Effect.runPromise(Fibers.interrupt(fiber)))).toBe(true)
    expect(sent).toEqual([])
  })

  test("use the requirements of their Layer, and the rest of the call's context", async () => {
    class Store extends Context.Tag("Store")<Store, string>() {}
    class Names extends Context.Tag("Names")<Names, string>() {}
    const { sent, layer } = recording(() => json(anime))
    let baseUrl: string | undefined
    const credentials = Credentials.layerEffect({
      accessToken: Effect.map(Store, (token) => Option.some(Redacted.make(token))),
      clientId: Effect.flatMap(CatalogConfig, (config) => {
        baseUrl = config.baseUrl
        return Effect.map(Names, (name) => Option.some(Redacted.make(name)))
      })
    })
    const needs = Layer.merge(Layer.succeed(Store, "t"), Layer.succeed(Names, "c"))
    await Effect.runPromise(
      CatalogConfig.with({ baseUrl: "http://here.example" })(Catalog.anime.get({ id: 1 })).pipe(
        Effect.provide(Layer.merge(layer, Layer.provide(credentials, needs)))
      )
    )
    expect(baseUrl).toBe("http://here.example")
    expect(sent[0]?.headers).toMatchObject({ authorization: "Bearer t", "x-mal-client-id": "c" })
  })
})

describe("a slot that calls an operation", () => {
  const boards = Effect.as(Catalog.forum.boards(), Option.none())

  test("may call one with other credentials, and in a fiber that outlives the slot", async () => {
    const { sent, layer } = recording(() => json({ ...anime, categories: [] }))
    const background: Array<Fibers.Running<unknown, unknown>> = []
    const credentials: Layer.Layer<Credentials> = Layer.suspend(() =>
      Credentials.layerEffect({
        accessToken: Effect.gen(function* () {
          yield* Effect.provide(boards, [layer, Credentials.none])
          if (background.length < 40) {
            const refresh = Effect.zipRight(
              Effect.sleep(1),
              Effect.provide(Catalog.anime.get({ id: 2 }), [layer, credentials])
            )
            background.push(yield* Fibers.forkDaemon(refresh))
          }
          return Option.some(Redacted.make("t"))
        })
      })
    )
    await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, credentials]))
    // Grows while they run.
    for (const fiber of background) {
      await Effect.runPromise(Fibers.join(fiber))
    }
    expect(background).toHaveLength(40)
    expect(sent.filter(({ headers }) => headers["authorization"] === "Bearer t")).toHaveLength(41)
  })
})

describe("credentials that are refreshed over a transport of their own", () => {
  const answering = (who: string, seen: Array<string>) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) => {
        seen.push(`${who} ${request.url}`)
        return Effect.succeed(HttpClientResponse.fromWeb(request, json({ id: 1, name: "One", access_token: "fresh" })))
      })
    )
  class Vault extends Context.Tag("Vault")<Vault, string>() {}

  test("use that transport, and not the call's", async () => {
    const seen: Array<string> = []
    const credentials = Credentials.layerEffect({
      accessToken: Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        yield* Effect.orDie(client.get("http://auth.example/token"))
        return Option.some(Redacted.make(yield* Vault))
      })
    })
    const refreshing = Layer.provide(credentials, [answering("auth", seen), Layer.succeed(Vault, "built")])
    await Catalog.user
      .me()
      .pipe(
        Effect.provideService(Vault, "another's"),
        Effect.provide([
          answering("catalog", seen),
          refreshing,
          CatalogConfig.layer({ baseUrl: "http://api.example" })
        ]),
        Effect.runPromise
      )
    expect(seen).toEqual(["auth http://auth.example/token", "catalog http://api.example/users/@me"])
  })
})
