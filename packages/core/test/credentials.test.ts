/**
 * Credential slots that are Effects: how long they may take, what they need, and the operations that they call themselves.
 */
import { addedByProxy, createCatalog } from "catalog-client"
import {
  Catalog,
  CatalogConfig,
  type ClientError,
  Credentials,
  isCredentialsUnavailable,
  isSignInRequired,
  Resilience
} from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { anonymous, json, recording, made } from "./support/faces.js"
import * as Fibers from "./support/fibers.js"
import { anime } from "./support/stubService.js"
import { rejection } from "./support/eventually.js"
import { onlyEffect } from "./support/only.js"

type Needed = HttpClient.HttpClient | Credentials

onlyEffect(describe)("credentials that cannot be obtained", () => {
  const slot = Effect.fail({ _tag: "Sealed", message: "the vault is sealed, after secret-token" })
  const sealed = Credentials.layer({ accessToken: slot, clientId: Effect.fail("unreachable") })
  const cause = { name: "Sealed", message: "the vault is sealed, after secret-token" }

  test.each([
    ["ClientAuthError", Catalog.user.me()],
    ["ClientAuthError", Catalog.user.animeList({ username: "@me" })],
    ["ClientNetworkError", Catalog.user.animeList({ username: "paper_lantern" })],
    ["ClientNetworkError", Catalog.anime.get({ id: 1 })]
  ])("are a %s of the call, and nothing is sent", async (tag, call: Effect.Effect<unknown, ClientError, Needed>) => {
    const { requests, layer } = recording(() => json(anime))
    const error = await Effect.runPromise(Effect.flip(Effect.provide(call, [layer, sealed])))
    expect(error).toMatchObject({ _tag: tag, reason: "CredentialsUnavailable", cause })
    expect(error.message).toContain("could not obtain its credentials: Sealed: the vault is sealed")
    expect([isCredentialsUnavailable(error), isSignInRequired(error)]).toEqual([true, false])
    expect(requests).toEqual([])
  })

  test("show no secret, and neither does a renewal that fails", async () => {
    const { layer } = recording(() => json({ error: "invalid_token" }, { status: 401 }))
    const credentials = Credentials.layer({ accessToken: "secret-token", renew: () => slot })
    const error = await Effect.runPromise(Effect.flip(Effect.provide(Catalog.user.me(), [layer, credentials])))
    expect(error).toMatchObject({ _tag: "ClientAuthError", reason: "CredentialsUnavailable" })
    expect(JSON.stringify(error)).toContain("the vault is sealed")
    expect(inspect(error) + JSON.stringify(error)).not.toContain("secret-token")
  })
})

onlyEffect(describe)("a slot that calls an operation", () => {
  const boards = Effect.as(Catalog.forum.boards(), Option.none())

  test("may call one with other credentials, and in a fiber that outlives the slot", async () => {
    const { requests, layer } = recording(() => json({ ...anime, categories: [] }))
    const background: Array<Fibers.Running<unknown, unknown>> = []
    const credentials: Layer.Layer<Credentials> = Layer.suspend(() =>
      Credentials.layer({
        accessToken: Effect.gen(function* () {
          yield* Effect.provide(boards, anonymous(layer))
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
    expect(requests.filter(({ headers }) => headers["authorization"] === "Bearer t")).toHaveLength(41)
  })
})

onlyEffect(describe)("credentials that are refreshed over a transport of their own", () => {
  const transportOf = (who: string, seen: Array<string>) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) => {
        seen.push(`${who} ${request.url} as ${request.headers["authorization"]}`)
        return Effect.succeed(HttpClientResponse.fromWeb(request, json({ id: 1, name: "One", access_token: "fresh" })))
      })
    )
  class Vault extends Context.Tag("Vault")<Vault, string>() {}

  test("use that transport, and not the call's", async () => {
    const seen: Array<string> = []
    let baseUrl: string | undefined
    const credentials = Credentials.layer({
      clientId: Effect.map(CatalogConfig, (config) => {
        baseUrl = config.baseUrl
        return Option.none()
      }),
      accessToken: Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        yield* Effect.orDie(client.get("http://auth.example/token"))
        return Option.some(Redacted.make(yield* Vault))
      })
    })
    const refreshing = Layer.provide(credentials, [transportOf("auth", seen), Layer.succeed(Vault, "built")])
    await Catalog.user
      .me()
      .pipe(
        Effect.provideService(Vault, "another's"),
        Effect.provide([
          transportOf("catalog", seen),
          refreshing,
          CatalogConfig.layer({ baseUrl: "http://api.example" })
        ]),
        Effect.runPromise
      )
    expect(seen).toEqual([
      "auth http://auth.example/token as undefined",
      "catalog http://api.example/users/@me as Bearer built"
    ])
    // The rest of its context is the call's.
    expect(baseUrl).toBe("http://api.example")
  })
})

describe("addedByProxy: a proxy adds the access token", () => {
  /** A proxy that knows the user by a cookie, and what pages have sent to it. */
  const proxyTo = (token = "embedded-token") => {
    const { handler } = EmbeddedCatalog.toWebHandler()
    const authorizations: Array<string | null> = []
    const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
      const request = new Request(url, init)
      authorizations.push(request.headers.get("authorization"))
      request.headers.set("authorization", `Bearer ${token}`)
      return handler(request)
    }
    return { authorizations, fetch }
  }

  const layerOver = (fetch: (url: URL, init: RequestInit) => Promise<Response>) =>
    Layer.provide(
      FetchHttpClient.layer,
      Layer.succeed(FetchHttpClient.Fetch, (input, init) =>
        fetch(new URL(input instanceof Request ? input.url : input), init ?? {})
      )
    )

  test("as promises: @me, lists and writes, without a header", async () => {
    const { fetch, authorizations } = proxyTo()
    const catalog = createCatalog({ fetch, accessToken: addedByProxy })
    expect((await catalog.user.me()).name).toBe("sample_reader")
    expect(await catalog.user.animeList.collect({ username: "@me" }, { max: 3 })).toHaveLength(3)
    expect(await catalog.anime.updateMyListStatus({ id: 1, score: 7 })).toMatchObject({ score: 7 })
    expect(authorizations.every((header) => header === null)).toBe(true)
    // There is no token to show.
    expect(catalog.accessToken).toBeUndefined()
    expect(inspect(catalog, { depth: 9, showHidden: true })).not.toContain(Redacted.value(Credentials.addedByProxy))
  })

  test("assigned, in a view, for one call, and from a function", async () => {
    const { fetch, authorizations } = proxyTo()
    const catalog = createCatalog({ fetch })
    await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError", reason: "Missing" })
    // A token would not help: the service has no profile of another user.
    await expect(catalog.user.get({ username: "a_reader" })).rejects.toThrow(
      'catalog.user.get reads only "@me", the owner of the access token. It needs an access token and none is configured'
    )
    expect((await catalog.user.me({ accessToken: addedByProxy })).name).toBe("sample_reader")
    expect((await catalog.withOptions({ accessToken: addedByProxy }).user.me()).name).toBe("sample_reader")
    expect((await catalog.withOptions({ accessToken: async () => addedByProxy }).user.me()).name).toBe("sample_reader")
    catalog.accessToken = addedByProxy
    expect((await catalog.user.me()).name).toBe("sample_reader")
    catalog.accessToken = undefined
    await expect(catalog.user.me()).rejects.toMatchObject({ reason: "Missing" })
    expect(authorizations).toEqual([null, null, null, null])
  })

  onlyEffect(test)("as Effects: from a value, from a slot, and beside a client ID", async () => {
    const { fetch, authorizations } = proxyTo()
    const slot = Credentials.layer({ accessToken: Effect.succeed(Option.some(Credentials.addedByProxy)) })
    for (const credentials of [
      Credentials.layer({ accessToken: Credentials.addedByProxy, clientId: "embedded-client" }),
      slot
    ]) {
      const { name } = await Effect.runPromise(Effect.provide(Catalog.user.me(), [layerOver(fetch), credentials]))
      expect(name).toBe("sample_reader")
    }
    expect(authorizations).toEqual([null, null])
  })

  test("a 401 of the proxy says that the token was refused, not that none is configured", async () => {
    const { fetch } = proxyTo("expired")
    const error: unknown = await rejection(createCatalog({ fetch, accessToken: addedByProxy }).user.me())
    expect(error).toMatchObject({ status: 401, credentialSent: true })
    expect(isSignInRequired(error)).toBe(true)
  })

  test("nothing is said of a token that is sent without encryption", async () => {
    const lines: Array<string> = []
    const { fetch } = proxyTo()
    const there = (url: URL, init: RequestInit) => fetch(new URL(url.pathname + url.search, "https://x.example"), init)
    const logger = { warn: (line: string) => void lines.push(line) }
    const options = { baseUrl: "http://proxy.example/v2", fetch: there, logger }
    await createCatalog({ ...options, accessToken: addedByProxy }).user.me()
    expect(lines).toEqual([])
    await createCatalog({ ...options, accessToken: "embedded-token" }).user.me()
    expect(lines).toHaveLength(1)
  })

  test("a write drops what a cache has kept, as with a token", async () => {
    const { fetch, authorizations } = proxyTo()
    const policies = [made(Resilience.cache({ timeToLive: "1 minute", capacity: 9 }))]
    const { anime } = createCatalog({ fetch, accessToken: addedByProxy, policies })
    const scoreOf = async () => (await anime.get({ id: 1 }, { fields: "my_list_status" })).my_list_status?.score
    await anime.updateMyListStatus({ id: 1, score: 7 })
    expect([await scoreOf(), await scoreOf()]).toEqual([7, 7])
    await anime.updateMyListStatus({ id: 1, score: 8 })
    expect(await scoreOf()).toBe(8)
    expect(authorizations).toHaveLength(4)
  })
})
