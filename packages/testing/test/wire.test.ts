import { EmbeddedCatalog, type ReceivedRequest } from "@catalog-client/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { base, start, token } from "./service.js"

describe("paths", () => {
  test.each([
    "/",
    "/nothing",
    "/anime/",
    "/anime/1/",
    "//anime/1",
    "/anime//1",
    "/Anime/1",
    "/anime/1/my_list_status/",
    "/users/",
    "/users//animelist",
    "/users/%E0%A4%A/animelist",
    "/forum",
    "/anime/season/2015"
  ])("%s is 404", async (path) => {
    const { headers, status, text } = await start().send(`${base}${path}`, { headers: token })
    expect([status, text]).toEqual([404, `{"message":"","error":"not_found"}`])
    expect(headers.get("content-type")).toBe("application/json; charset=UTF-8")
  })

  test("begin with the base path, at any origin", async () => {
    for (const [options, path, status] of [
      [{}, "/v2/anime/1", 200],
      [{}, "/anime/1", 404],
      [{}, "/v3/anime/1", 404],
      [{ basePath: "/api/catalog" }, "/api/catalog/anime/1", 200],
      [{ basePath: "/api/catalog/" }, "/api/catalog/anime/1", 200],
      [{ basePath: "/api/catalog" }, "/v2/anime/1", 404],
      [{ basePath: "" }, "/anime/1", 200],
      [{ basePath: "/" }, "/anime/1", 200]
    ] as const) {
      const reply = await start(options).send(`http://127.0.0.1:1234${path}`)
      expect([options, path, reply.status]).toEqual([options, path, status])
    }
  })

  test("take a user's name percent-encoded", async () => {
    const seen: Array<ReceivedRequest> = []
    const { send } = start({ onRequest: (request) => seen.push(request) })
    for (const name of ["paper%5flantern", "a%2Fb", "a%3Fb%23c", "%F0%9F%8E%B2", "a;b", "n".repeat(200)]) {
      const { status } = await send(`/users/${name}/animelist`, { headers: token })
      expect([name, status]).toEqual([name, name === "paper%5flantern" ? 200 : 404])
    }
    expect(new Set(seen.map(({ operation }) => operation))).toEqual(new Set(["user.animeList"]))
  })
})

describe("methods", () => {
  test.each([
    ["POST", "/anime/1", "GET"],
    ["PUT", "/anime/1", "GET"],
    ["GET", "/anime/1/my_list_status", "PATCH, PUT, DELETE"],
    ["PATCH", "/users/@me", "GET"],
    ["OPTIONS", "/anime/1", "GET"],
    ["OPTIONS", "/nothing", ""]
  ])("%s %s is not allowed", async (method, path, allow) => {
    const { headers, status, text } = await start().send(path, { method, headers: token })
    expect([status, text, headers.get("allow")]).toEqual([405, "", allow])
    expect(headers.get("access-control-allow-origin")).toBeNull()
  })
})

describe("a failure in the service itself", () => {
  const throwing = () => {
    throw new Error("stopped")
  }
  test.each([
    ["no time", () => Number.NaN],
    ["a time beyond all dates", () => 1e300],
    ["an error", throwing]
  ])("is an error response in the service's form: a clock with %s", async (_, now) => {
    const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
    onTestFinished(() => logged.mockRestore())
    const { get, patch } = start({ now })
    for (const { status, text } of [await patch("/anime/30230", { score: "1" }), await get("/anime/1")]) {
      expect([status, text]).toEqual([500, `{"message":"","error":"internal_server_error"}`])
    }
    expect(logged.mock.calls.join("\n")).toMatch(/the embedded service failed[^]*(NaN|1e\+300|stopped)/)
  })
})

describe("JSON", () => {
  test("has escaped slashes and characters beyond ASCII", async () => {
    const { text } = await start().get("/users/@me?fields=picture")
    expect(text).toContain(String.raw`"location":"L\u00fcbeck, Germany"`)
    expect(text).toContain(String.raw`"picture":"https:\/\/images.example\/`)
    const anime = await start().get("/anime/1?fields=alternative_titles")
    expect(anime.text).toMatch(/\\u30[0-9a-f]{2}/)
    expect(anime.text).toMatch(/^[\x20-\x7e]+$/)
    expect(anime.text.replaceAll(String.raw`\/`, "")).not.toContain("/")
  })
})

describe("a long body", () => {
  const patch = (body: RequestInit["body"]) => ({
    method: "PATCH",
    headers: { ...token, "content-type": "application/x-www-form-urlencoded" },
    body: body ?? null,
    duplex: "half"
  })
  const longest = 2 ** 20

  test("of 1 MiB is read, and of a byte more is refused", async () => {
    const { get, send } = start()
    const path = "/anime/30230/my_list_status"
    const comments = "x".repeat(longest - "comments=".length)
    expect((await send(path, patch(`comments=${comments}`))).status).toBe(200)
    const refusal = { error: "content_too_large", message: expect.stringContaining("1 MiB") }
    expect(await send(path, patch(`comments=y${comments}`))).toMatchObject({ status: 413, body: refusal })
    const read = await get<{ my_list_status: object }>("/anime/30230?fields=my_list_status{comments}")
    expect(read.body.my_list_status).toHaveProperty("comments", comments)
    const { tokenUrl } = EmbeddedCatalog.oauthUrls()
    expect((await send(tokenUrl, { method: "POST", body: comments.repeat(2) })).status).toBe(413)
  })

  test("without an end is refused, and read no further", async () => {
    const part = new TextEncoder().encode("é".repeat(2 ** 15))
    let bytes = 0
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        bytes += part.length
        controller.enqueue(part)
      }
    })
    expect((await start().send("/anime/30230/my_list_status", patch(endless))).status).toBe(413)
    expect(bytes).toBeLessThan(2 * longest)
  })
})

describe("CORS", () => {
  test("responds to preflights and lets every page read", async () => {
    const { send } = start({ cors: true })
    const preflight = await send("/anime/1/my_list_status", {
      method: "OPTIONS",
      headers: {
        origin: "https://page.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,x-mal-client-id"
      }
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*")
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,x-mal-client-id")
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST, PATCH, PUT, DELETE")
    for (const path of ["/anime/1", "/anime/0", "/nothing", "/users/@me"]) {
      const { headers } = await send(path)
      expect(headers.get("access-control-allow-origin")).toBe("*")
      expect(headers.get("access-control-expose-headers")).toBe("retry-after")
    }
  })

  test("wraps the faults, and they do not affect preflights", async () => {
    const { send } = start({ cors: true, faults: [{ status: 503, headers: { "retry-after": "7" } }] })
    const { headers, status } = await send("/anime/1")
    expect([status, headers.get("retry-after"), headers.get("access-control-allow-origin")]).toEqual([503, "7", "*"])
    expect((await send("/anime/1", { method: "OPTIONS" })).status).toBe(204)
  })
})

describe("onRequest", () => {
  test("gets requests as they were received", async () => {
    const seen: Array<ReceivedRequest> = []
    const { get, patch, send } = start({ onRequest: (request) => seen.push(request) })
    await get("/anime?q=a%20b+c&fields=mean%2Crank")
    await patch("/anime/30230", { tags: "a,b c", comments: "ü" })
    await send("/nothing%2F", { method: "POST", body: "text" })
    expect(seen.map(({ operation }) => operation)).toEqual(["anime.search", "anime.updateMyListStatus", undefined])
    expect(seen[0]).toMatchObject({
      method: "GET",
      path: "/v2/anime",
      search: "?q=a%20b+c&fields=mean%2Crank",
      headers: { authorization: "Bearer embedded-token" },
      body: ""
    })
    expect(seen[0]?.query.get("q")).toBe("a b c")
    expect(seen[1]).toMatchObject({ method: "PATCH", body: "tags=a%2Cb+c&comments=%C3%BC" })
    expect(seen[1]?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/)
    expect(seen[2]).toMatchObject({ method: "POST", path: "/v2/nothing%2F", body: "text" })
  })
})
