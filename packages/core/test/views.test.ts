import { createCatalog, type Catalog as PromiseCatalog } from "catalog-client"
import { Catalog, Credentials, Resilience } from "@catalog-client/core"
import { EmbeddedCatalog, sample } from "@catalog-client/testing"
import { Effect, Redacted } from "effect"
import { describe, expect, test } from "vitest"
import { catalogOver, gate, json, recording, type ReceivedRequest, made } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { rejection } from "./support/eventually.js"

const tokenOf = ({ headers }: ReceivedRequest | { readonly headers: Readonly<Record<string, string>> }) =>
  headers["authorization"]

/** A list of two pages without entries. */
const twoPages = ({ url }: ReceivedRequest) =>
  json({ data: [], paging: url.searchParams.has("offset") ? {} : { next: "http://x.test/anime?offset=1" } })

describe("a view", () => {
  test("sends with its own credentials, headers and defaults, over the transport of the catalog", async () => {
    const { requests, fetch } = recording(() => json(anime))
    await using catalog = createCatalog({
      fetch,
      accessToken: "first",
      clientId: "app",
      headers: { "x-a": "1", "x-b": "1" },
      fields: ["mean"]
    })
    const view = catalog.withOptions({ accessToken: "second", headers: { "x-b": "2" }, baseUrl: "http://other.test" })
    await view.anime.get({ id: 1 })
    await catalog.anime.get({ id: 1 })
    await view.withOptions({ fields: "rank" }).anime.get({ id: 1 })
    const seen = requests.map(({ headers, url }) => [
      url.host,
      headers["authorization"],
      headers["x-mal-client-id"],
      headers["x-a"],
      headers["x-b"],
      url.searchParams.get("fields")
    ])
    expect(seen).toEqual([
      ["other.test", "Bearer second", "app", "1", "2", "mean"],
      [requests[1]?.url.host, "Bearer first", "app", "1", "1", "mean"],
      ["other.test", "Bearer second", "app", "1", "2", "rank"]
    ])
  })

  test("starts with the catalog's current options, and an assignment to one does not change the other", async () => {
    const { catalog, requests } = catalogOver(() => json(anime), { accessToken: "first" })
    const view = catalog.withOptions({ timeout: 1_000 })
    catalog.accessToken = "changed"
    await view.anime.get({ id: 1 })
    view.accessToken = "of the view"
    await view.anime.get({ id: 1 })
    await catalog.anime.get({ id: 1 })
    expect(requests.map(tokenOf)).toEqual(["Bearer first", "Bearer of the view", "Bearer changed"])
    expect([catalog.accessToken, view.accessToken]).toEqual(["changed", "of the view"])
  })

  test("an access token of undefined replaces that of the catalog: none is sent", async () => {
    const { catalog, requests } = catalogOver(() => json(anime), { accessToken: "of the owner" })
    await catalog.withOptions({ accessToken: undefined }).anime.get({ id: 1 })
    await catalog.anime.get({ id: 1 }, { accessToken: undefined })
    expect(requests.map(tokenOf)).toEqual([undefined, undefined])
    await expect(catalog.user.me({ accessToken: undefined })).rejects.toMatchObject({ _tag: "ClientAuthError" })
  })

  test("replaces policies of the same stage, and shares the others", async () => {
    const cache = () => made(Resilience.cache({ capacity: 100, timeToLive: 60_000 }))
    const policies = [cache(), Resilience.retry({ attempts: 3 })]
    const { catalog, requests } = catalogOver(() => json(anime), { policies })
    await catalog.anime.get({ id: 1 })
    await catalog.withOptions({ policies: [Resilience.retry({ attempts: 1 })] }).anime.get({ id: 1 })
    expect(requests).toHaveLength(1)
    await catalog.withOptions({ policies: [cache()] }).anime.get({ id: 1 })
    expect(requests).toHaveLength(2)
  })

  test("calls its hooks after those of the catalog, and each once", async () => {
    const { fetch } = recording(() => json(anime))
    const called: Array<string> = []
    const hooks = (name: string) => ({ onRequest: () => called.push(name) })
    const shared = hooks("catalog")
    await using catalog = createCatalog({ fetch, hooks: shared })
    const view = catalog.withOptions({ hooks: hooks("view") })
    await view.withOptions({ hooks: hooks("inner") }).anime.get({ id: 1 })
    expect(called.splice(0)).toEqual(["catalog", "view", "inner"])
    await view.withOptions({ hooks: shared }).anime.get({ id: 1 })
    expect(called.splice(0)).toEqual(["catalog", "view"])
    await catalog.anime.get({ id: 1 })
    expect(called).toEqual(["catalog"])
  })

  test("that is closed ends its own calls; the catalog ends those of its views", async () => {
    const { promise, open } = gate()
    const { catalog } = catalogOver(async () => {
      await promise
      return json(anime)
    })
    const view = catalog.withOptions({})
    const inner = view.withOptions({})
    const of = (one: PromiseCatalog) =>
      one.anime.get({ id: 1 }).then(
        () => "done",
        (error: unknown) => String(error)
      )
    const calls = [of(catalog), of(view), of(inner)]
    await view.close()
    expect(await calls[1]).toMatch(/was cancelled.*closed/)
    expect(await calls[2]).toMatch(/was cancelled.*closed/)
    expect(await of(inner)).toMatch(/was cancelled.*closed/)
    open()
    expect(await calls[0]).toBe("done")
    const other = catalog.withOptions({})
    expect(await of(other)).toBe("done")
    await catalog.close()
    expect(await of(other)).toMatch(/was cancelled.*closed/)
  })

  test("with an invalid option throws an error that names it", () => {
    const { catalog } = catalogOver(() => json(anime))
    expect(() => catalog.withOptions({ timeout: -1 })).toThrow(/timeout/)
    expect(() => catalog.withOptions({ policies: [Resilience.retry(), Resilience.retry()] })).toThrow(
      /withOptions.*one retry/
    )
  })
})

test.each(["by views", "by the options of calls"])(
  "two users who share a catalog %s never see each other's data",
  async (how) => {
    const people = sample()
      .users.slice(0, 2)
      .map(({ name }, nth) => ({ name, accessToken: `token-${nth}`, score: 3 + nth }))
    const tokens = Object.fromEntries(people.map(({ accessToken, name }) => [accessToken, name]))
    const catalog = createCatalog({
      fetch: EmbeddedCatalog.fetch({ tokens }),
      clientId: "embedded-client",
      policies: [made(Resilience.cache({ capacity: 100, timeToLive: 60_000 })), made(Resilience.dedupe())]
    })
    const users = people.map(({ accessToken, ...person }) =>
      how === "by views"
        ? { ...person, options: {}, ...catalog.withOptions({ accessToken }) }
        : { ...person, options: { accessToken }, ...catalog }
    )
    await Promise.all(users.map(({ anime, options, score }) => anime.updateMyListStatus({ id: 30230, score }, options)))
    const read = users.map(({ anime, name, options, score, user }) => async () => {
      const own = anime.get({ id: 30230 }, { ...options, fields: "my_list_status" })
      const [profile, item] = await Promise.all([user.me(options), own])
      expect([profile.name, item.my_list_status?.score]).toEqual([name, score])
    })
    await Promise.all(Array.from({ length: 100 }, () => read.map((one) => one())).flat())
  }
)

describe("a slot that is a function", () => {
  test("is called for each request, and may be asynchronous", async () => {
    let count = 0
    const { catalog, requests } = catalogOver(twoPages, {
      accessToken: () => Promise.resolve(`token-${++count}`),
      clientId: () => Redacted.make("client")
    })
    await catalog.anime.search({ q: "one" })
    await catalog.anime.search.collect({ q: "one" }, { max: 1 })
    expect(requests.map(tokenOf)).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-3"])
    expect(requests[0]?.headers["x-mal-client-id"]).toBe("client")
    expect(catalog.accessToken).toBeUndefined()
  })

  test("returns undefined for no credential, and the call fails with its errors", async () => {
    const { catalog, requests } = catalogOver(() => json(anime), { accessToken: () => undefined })
    await catalog.anime.get({ id: 1 })
    expect(requests.map(tokenOf)).toEqual([undefined])
    const broken = new Error("the vault is closed")
    catalog.accessToken = () => Promise.reject(broken)
    await expect(catalog.anime.get({ id: 1 })).rejects.toBe(broken)
    catalog.accessToken = () => 7 as unknown as string
    await expect(catalog.anime.get({ id: 1 })).rejects.toThrow(/accessToken must be a string/)
    expect(requests).toHaveLength(1)
  })

  test("ends with totalTimeout and with the signal", async () => {
    const { requests, fetch } = recording(() => json(anime))
    const never = () => new Promise<string>(() => undefined)
    await using catalog = createCatalog({ fetch, accessToken: never })
    await expect(catalog.anime.get({ id: 1 }, { totalTimeout: 20 })).rejects.toMatchObject({ reason: "Timeout" })
    const call = catalog.anime.get({ id: 1 }, { signal: AbortSignal.timeout(20) })
    await expect(call).rejects.toMatchObject({ reason: "Cancelled" })
    expect(requests).toEqual([])
  })

  test("works in Credentials, too", async () => {
    const { layer, requests } = recording(() => json(anime))
    const credentials = Credentials.layer({ accessToken: () => "from a function" })
    await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, credentials]))
    expect(requests.map(tokenOf)).toEqual(["Bearer from a function"])
  })
})

describe("the credentials and headers of one call", () => {
  test("replace the configured ones, on both faces", async () => {
    const { requests, fetch, layer } = recording(() => json(anime))
    const options = { accessToken: "of the call", clientId: () => "its client", headers: { "x-b": "2" } }
    await using catalog = createCatalog({ fetch, accessToken: "own", headers: { "x-a": "1", "x-b": "1" } })
    await catalog.anime.get({ id: 1 }, options)
    await Effect.runPromise(
      Effect.provide(Catalog.anime.get({ id: 1 }, options), [layer, Credentials.layer({ accessToken: "own" })])
    )
    const seen = requests.map(({ headers }) => [
      headers["authorization"],
      headers["x-mal-client-id"],
      headers["x-a"],
      headers["x-b"]
    ])
    expect(seen).toEqual([
      ["Bearer of the call", "its client", "1", "2"],
      ["Bearer of the call", "its client", undefined, "2"]
    ])
  })

  test("are redacted in its errors", async () => {
    const { catalog } = catalogOver(({ headers }) =>
      json({ error: "refused", message: JSON.stringify(headers) }, { status: 400 })
    )
    const headers = { cookie: "session=secret-session-of-a-user" }
    const error = await rejection(catalog.anime.get({ id: 1 }, { accessToken: "secret-token-of-a-user", headers }))
    expect(JSON.stringify(error)).not.toMatch(/secret/)
    expect(JSON.stringify(error)).toMatch(/<redacted>/)
  })

  test("that are invalid are mistakes that name the operation", async () => {
    const { catalog, requests } = catalogOver(() => json(anime))
    const bad = catalog.anime.get({ id: 1 }, { headers: { "x y": "1" } })
    await expect(bad).rejects.toThrow(/^catalog\.anime\.get: headers: "x y"/)
    const wrong = catalog.anime.get({ id: 1 }, { accessToken: 7 as unknown as string })
    await expect(wrong).rejects.toThrow(/^catalog\.anime\.get: accessToken must be/)
    expect(requests).toEqual([])
  })
})
