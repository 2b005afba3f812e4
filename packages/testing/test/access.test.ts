import { EmbeddedCatalog, sample } from "@catalog-client/testing"
import { describe, expect, test } from "vitest"
import { type Example, examples } from "../../core/test/support/operations.js"
import { client, start, token } from "./service.js"

const readsFor = (access: Example["service"]["access"]) =>
  examples.flatMap(({ method, service }) => (method === "GET" && service.access === access ? [service.path] : []))

const publicReads = readsFor("public")
const lists = readsFor("identified")
const ownReads = [...readsFor("token"), "/users/@me/animelist", "/users/@me/mangalist", "/users/%40me/animelist"]
const reads = [...publicReads, ...lists, ...ownReads]
const writes = examples.flatMap(({ method, service }) => (method === "GET" ? [] : [[method, service.path] as const]))

const forbidden = { status: 403, body: { error: "forbidden", message: "" } }
const invalidToken = { status: 401, body: { error: "invalid_token", message: "token is invalid" } }
const challenge = `Bearer error="invalid_token",error_description="The access token is invalid"`
const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

describe("EmbeddedCatalog.credentials", () => {
  test.each([
    ["no options", {}, "embedded-client", "embedded-token"],
    [
      "tokens and clients",
      { tokens: { mine: "sample_reader", other: "sample_reader" }, clientIds: ["one", "two"] },
      "one",
      "mine"
    ],
    ["none of them", { tokens: {}, clientIds: [] }, undefined, undefined],
    ["no users", { dataset: { ...sample(), users: [] } }, "embedded-client", undefined]
  ])("are those that the service knows with %s", async (_, options, clientId, accessToken) => {
    expect(EmbeddedCatalog.credentials(options)).toEqual({ clientId, accessToken })
    const service = start(options)
    if (clientId !== undefined) {
      expect((await service.get("/anime/1", { "x-mal-client-id": clientId })).status).toBe(200)
    }
    if (accessToken !== undefined) {
      expect((await service.get("/users/@me", bearer(accessToken))).status).toBe(200)
    }
  })
})

describe("without a credential", () => {
  test.each(publicReads)("%s is read, or refused as live", async (path) => {
    expect((await start().get(path, {})).status).toBe(200)
    const asLive = start({ anonymousReads: false })
    expect(await asLive.get(path, {})).toMatchObject(forbidden)
    expect((await asLive.get(path, client)).status).toBe(200)
    expect((await asLive.get(path, token)).status).toBe(200)
  })

  test.each([...lists, ...ownReads])("%s is refused", async (path) => {
    expect(await start().get(path, {})).toMatchObject(forbidden)
  })

  test.each(writes)("%s %s is refused", async (method, path) => {
    expect(await start().send(path, { method })).toMatchObject(forbidden)
  })
})

describe("with a client ID", () => {
  test.each([...publicReads, ...lists])("%s is read", async (path) => {
    expect((await start().get(path, client)).status).toBe(200)
  })

  test.each([...ownReads.map((path) => ["GET", path] as const), ...writes])(
    "%s %s is refused",
    async (method, path) => {
      const reply = await start().send(path, { method, headers: client })
      expect(reply).toMatchObject(invalidToken)
      expect(reply.headers.get("www-authenticate")).toBe(challenge)
    }
  )

  test.each(reads)("%s is refused with one that does not exist", async (path) => {
    const refusal = { status: 400, body: { error: "bad_request", message: "Invalid client id" } }
    expect(await start().get(path, { "X-MAL-CLIENT-ID": "unknown" })).toMatchObject(refusal)
  })
})

describe("with a token", () => {
  test.each(reads)("%s is read with one, also beside a client ID, and refused with another", async (path) => {
    const { get } = start()
    expect((await get(path, token)).status).toBe(200)
    expect((await get(path, { ...token, ...client })).status).toBe(200)
    for (const authorization of ["Bearer unknown", "Bearer ", "Basic embedded-token", "embedded-token"]) {
      const reply = await get(path, { ...client, authorization })
      expect(reply, authorization).toMatchObject(invalidToken)
      expect(reply.headers.get("www-authenticate")).toBe(challenge)
    }
  })

  test("is refused once the token has expired", async () => {
    let time = 1000
    const { get } = start({ now: () => time, tokens: { "embedded-token": { user: "sample_reader", expiresAt: 2000 } } })
    expect((await get("/users/@me")).status).toBe(200)
    time = 2000
    expect((await get("/users/@me")).status).toBe(401)
    expect((await get("/anime/1")).status).toBe(401)
  })
})

describe("the known credentials", () => {
  test("are an option", async () => {
    const { get } = start({ tokens: { a: "paper_lantern", b: "FIRST_DAY" }, clientIds: ["x"] })
    expect((await get("/users/@me", bearer("a"))).body).toHaveProperty("name", "paper_lantern")
    expect((await get("/users/@me", bearer("b"))).body).toHaveProperty("name", "first_day")
    expect((await get("/users/@me", token)).status).toBe(401)
    expect((await get("/users/@me", bearer("constructor"))).status).toBe(401)
    expect((await get("/anime/1", client)).status).toBe(400)
  })

  test("the dataset's first user owns the default token", async () => {
    const { get } = start({ dataset: { ...sample(), users: sample().users.slice(1, 2) } })
    expect((await get("/users/@me")).body).toHaveProperty("name", "paper_lantern")
  })

  test("a token of an unknown user is a mistake", () => {
    expect(() => EmbeddedCatalog.toWebHandler({ tokens: { t: "nobody" } })).toThrow(
      new TypeError('the owner of a token must be a user of the dataset, and none is called "nobody"')
    )
  })
})
