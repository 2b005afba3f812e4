/**
 * The routes of Effect's router; handlers.test.ts has what they respond on both faces.
 */
// Not over the bundle: it has no Effect.
import { Catalog, type ClientError, type Credentials } from "@catalog-client/core"
import { OAuthSessions, TokenStores } from "@catalog-client/oauth"
import { layerProxy, layerRoutes, signedIn } from "@catalog-client/oauth/router"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { HttpClient, HttpServerResponse } from "@effect/platform"
import * as Router from "@effect/platform/HttpLayerRouter"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { expect, expectTypeOf, onTestFinished, test } from "vitest"

const site = "https://app.example"
const redirectUri = `${site}/callback`

class Welcomed extends Context.Tag("Welcomed")<Welcomed, Array<string>>() {}

const welcomed: Array<string> = []

const Live = OAuthSessions.layer({ clientId: "embedded-client", redirectUri }).pipe(
  Layer.provide(TokenStores.layerMemory),
  Layer.provideMerge(
    EmbeddedCatalog.layer({ oauth: { clients: { "embedded-client": { redirectUris: [redirectUri] } } } })
  ),
  Layer.merge(Layer.succeed(Welcomed, welcomed))
)

const json = <E extends ClientError, R>(call: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(call, (value) => HttpServerResponse.json(value))

const SignIn = layerRoutes({
  afterSignIn: "/me",
  onSignIn: (visitor) => Effect.map(Welcomed, (all) => all.push(visitor)),
  proxy: { prefix: "/catalog", operations: ["user.me"] }
})

const Visitors = Layer.mergeAll(
  Router.add("GET", "/me", json(Catalog.user.me())),
  Router.add("POST", "/unlist", json(Catalog.anime.deleteFromList({ id: 1 }))),
  Router.add("GET", "/missing", json(Catalog.anime.get({ id: 999_999 })))
).pipe(Layer.provide(signedIn.layer))

const Proxy = layerProxy({ prefix: "/public/", operations: ["anime.get"] }).pipe(
  Layer.provide(EmbeddedCatalog.layerClient())
)

/** A server, and a browser that keeps its cookies. */
const serving = () => {
  const runtime = ManagedRuntime.make(Live)
  const { dispose, handler } = Router.toWebHandler(
    Layer.mergeAll(SignIn, Visitors, Proxy).pipe(Layer.provideMerge(Live)),
    { disableLogger: true, memoMap: runtime.memoMap }
  )
  onTestFinished(async () => {
    await dispose()
    await runtime.dispose()
  })
  let cookie = ""
  const send = async (path: string, method = "GET", headers: Readonly<Record<string, string>> = {}) => {
    const response = await handler(new Request(site + path, { method, headers: { ...headers, cookie } }))
    cookie = response.headers.getSetCookie().reduce((_, each) => each.replace(/;.*/, ""), cookie)
    return response
  }
  const consent = (url: string | null) =>
    runtime.runPromise(Effect.map(HttpClient.get(url ?? ""), ({ headers }) => headers["location"] ?? ""))
  return { consent, send }
}

test("a visitor signs in, calls the service, and signs out", async () => {
  const { consent, send } = serving()
  const begun = await send("/login")
  const back = await consent(begun.headers.get("location"))
  const done = await send(back.replace(site, ""))
  expect([done.status, done.headers.get("location"), welcomed.length]).toEqual([303, `${site}/me`, 1])
  expect(await (await send("/me")).json()).toMatchObject({ name: "sample_reader" })
  expect(await (await send("/catalog/users/@me")).json()).toMatchObject({ name: "sample_reader" })
  const missing = await send("/missing")
  expect([missing.status, await missing.json()]).toEqual([404, expect.objectContaining({ error: "not_found" })])
  const other = await send("/unlist", "POST", { "sec-fetch-site": "cross-site" })
  expect([other.status, await other.json()]).toEqual([403, expect.objectContaining({ error: "other_site" })])
  expect((await send("/unlist", "POST", { "sec-fetch-site": "same-origin" })).status).toBe(200)
  expect((await send("/logout", "POST", { "sec-fetch-site": "same-origin" })).status).toBe(303)
  const out = await send("/me")
  expect([out.status, await out.json()]).toEqual([401, expect.objectContaining({ error: "sign_in_required" })])
})

test("a route responds to every method, and the public proxy to its reads", async () => {
  const { send } = serving()
  const statuses = [
    "/login POST",
    "/logout GET",
    "/catalog/users/@me GET",
    "/public/anime/30230 GET",
    "/public/anime GET"
  ]
  const sent = statuses.map(async (request) => {
    const [path = "", method] = request.split(" ")
    return (await send(path, method)).status
  })
  expect(await Promise.all(sent)).toEqual([405, 405, 401, 200, 404])
})

test("an invalid option is a defect", async () => {
  const { dispose, handler } = Router.toWebHandler(Layer.provideMerge(layerRoutes({ loginPath: "login" }), Live), {
    disableLogger: true
  })
  await expect(handler(new Request(site))).rejects.toThrow("layerRoutes: loginPath must be a path of the site")
  await dispose()
})

test("requirements are those of the Layer, and `Credentials` come from the middleware", () => {
  expectTypeOf(SignIn).toEqualTypeOf<
    Layer.Layer<never, never, Router.HttpRouter | OAuthSessions | HttpClient.HttpClient | Welcomed>
  >()
  type Needs = typeof Visitors extends Layer.Layer<infer _A, infer _E, infer R> ? R : never
  expectTypeOf<Extract<Needs, Router.Request<"Requires", Credentials>>>().toEqualTypeOf<never>()
  expectTypeOf<Extract<Needs, OAuthSessions>>().toEqualTypeOf<OAuthSessions>()
})
