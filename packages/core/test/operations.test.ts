import { Catalog, ClientAuthError, ClientValidationError } from "@catalog-client/core"
import { describe, expect, test } from "vitest"
import { faces, failure, json, recording, value } from "./support/faces.js"
import { example, examples, inputsWith } from "./support/operations.js"

const credentials = { accessToken: "the-access-token", clientId: "the-client-id" }

test("each operation has an example", () => {
  const names = Object.entries(Catalog).flatMap(([domain, operations]) =>
    Object.keys(operations).map((name) => `${domain}.${name}`)
  )
  expect(examples.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

describe.each(faces)("on the %s face", (_, face) => {
  const setup = (reply: unknown, options = {}) => {
    const transport = recording(() => json(reply))
    return { ...transport, call: face(transport, { ...credentials, ...options }) }
  }

  test.each(examples)("$name sends its method, path, query, form and headers", async (example) => {
    const { requests, call } = setup(example.reply)
    const outcome = await call(example.name, ...example.inputs)
    expect(value(outcome)).toEqual(example.method === "DELETE" ? undefined : example.reply)
    expect(requests).toHaveLength(1)
    const [request] = requests
    expect(request?.method).toBe(example.method)
    expect(`${request?.url.origin}${request?.url.pathname}`).toBe(`https://api.myanimelist.net/v2${example.path}`)
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(example.query)
    expect(request?.headers).toMatchObject({
      accept: "application/json",
      authorization: "Bearer the-access-token",
      "x-mal-client-id": "the-client-id"
    })
    if (example.form === undefined) {
      expect(request?.body).toBeUndefined()
    } else {
      expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded")
      expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual(example.form)
    }
  })

  test.each(examples)("$name sends only the credentials that it has", async ({ name, inputs, reply, token }) => {
    const headersWith = async (options: object) => {
      const { requests, call } = setup(reply, { accessToken: undefined, clientId: undefined, ...options })
      const outcome = await call(name, ...inputs)
      return { outcome, headers: requests.map(({ headers }) => [headers["authorization"], headers["x-mal-client-id"]]) }
    }
    const missing = { operation: `catalog.${name}`, reason: "Missing" }
    for (const [options, header] of [
      [{}, [undefined, undefined]],
      [{ clientId: "id" }, [undefined, "id"]]
    ] as const) {
      const { outcome, headers } = await headersWith(options)
      if (token === "always") {
        expect(failure(outcome)).toBeInstanceOf(ClientAuthError)
        expect(failure(outcome)).toMatchObject(missing)
        expect(headers).toEqual([])
      } else {
        value(outcome)
        expect(headers).toEqual([header])
      }
    }
    const { outcome, headers } = await headersWith({ accessToken: "token" })
    value(outcome)
    expect(headers).toEqual([["Bearer token", undefined]])
  })

  test.each(["user.animeList", "user.mangaList"])("%s needs a token only for @me", async (name) => {
    for (const username of ["@me", " @Me\t"]) {
      const { requests, call } = setup({ data: [] }, { accessToken: undefined })
      expect(failure(await call(name, { username }))).toBeInstanceOf(ClientAuthError)
      expect(requests).toEqual([])
    }
    const { requests, call } = setup({ data: [] }, { accessToken: undefined })
    value(await call(name, { username: "me" }))
    expect(requests).toHaveLength(1)
  })

  describe.each([
    ["anime.search", "EmptyKeyword", "q"],
    ["manga.search", "EmptyKeyword", "q"],
    ["user.get", "EmptyUsername", "username"],
    ["user.animeList", "EmptyUsername", "username"],
    ["user.mangaList", "EmptyUsername", "username"]
  ])("%s can fail with %s", (name, reason, field) => {
    test.each([
      ["empty", ""],
      ["blank", " \t\n\u3000"],
      ["missing", undefined],
      ["null", null]
    ])("%s is refused before credentials are read", async (_, input) => {
      const { requests, call } = setup({}, { accessToken: undefined, clientId: undefined })
      const error = failure(await call(name, { [field]: input }))
      expect(error).toBeInstanceOf(ClientValidationError)
      expect(error).toMatchObject({ operation: `catalog.${name}`, reason, field })
      expect((error as Error).message).toContain(`catalog.${name} was not sent: "${field}" is missing or empty`)
      expect(requests).toEqual([])
    })

    test("no params at all are refused too", async () => {
      const { call } = setup({})
      expect(failure(await call(name))).toMatchObject({ _tag: "ClientValidationError", reason, field })
    })
  })

  describe.each(["anime.updateMyListStatus", "manga.updateMyListStatus"])("%s needs a field to change", (name) => {
    test.each([
      ["no field", { id: 1 }],
      ["an unknown field", { id: 1, colour: "red", num_episodes_watched: 3 }],
      ["undefined fields", { id: 1, status: undefined, score: undefined, tags: undefined }]
    ])("%s is nothing to change", async (_, params) => {
      const { requests, call } = setup({}, { accessToken: undefined })
      expect(failure(await call(name, params))).toMatchObject({
        _tag: "ClientValidationError",
        reason: "NothingToChange",
        field: "params"
      })
      expect(requests).toEqual([])
    })

    test.each([
      ["a score of 0", { score: 0 }, { score: "0" }],
      ["an empty comment", { comments: "" }, { comments: "" }],
      ["no tags", { tags: [] }, { tags: "" }],
      ["a date cleared", { start_date: "" }, { start_date: "" }],
      ["a finish date", { finish_date: "2019-04" }, { finish_date: "2019-04" }],
      ["a known field beside an absent one", { score: 11, colour: null, status: undefined }, { score: "11" }]
    ])("%s is", async (_, changes, form) => {
      const { requests, call } = setup({ score: 0 })
      value(await call(name, { id: 1, ...changes }))
      expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual(form)
    })
  })

  test("the fields of the other medium are not list-status fields", async () => {
    const { call } = setup({})
    expect(failure(await call("anime.updateMyListStatus", { id: 1, num_chapters_read: 1 }))).toMatchObject({
      reason: "NothingToChange"
    })
    expect(failure(await call("manga.updateMyListStatus", { id: 1, num_watched_episodes: 1 }))).toMatchObject({
      reason: "NothingToChange"
    })
  })

  test("values that only the service validates are sent", async () => {
    const { requests, call } = setup({ data: [] })
    value(await call("anime.search", { q: "x", limit: 500, offset: -1 }))
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({ q: "x", limit: "500", offset: "-1" })
  })

  test.each(examples)(
    "$name sends limit if the contract has a default for it, and no offset by default",
    async (row) => {
      const { requests, call } = setup(row.reply)
      value(await call(row.name, ...inputsWith(row, {})))
      expect(requests[0]?.url.searchParams.get("limit")).toBe(row.limit?.default?.toString() ?? null)
      expect(requests[0]?.url.searchParams.has("offset")).toBe(false)
    }
  )

  test.each(examples)("$name sends fields if it takes them, and nsfw if it returns a list of items", async (row) => {
    const { requests, call } = setup(row.reply)
    value(await call(row.name, ...inputsWith(row, { fields: "mean", nsfw: true })))
    expect(requests[0]?.url.searchParams.get("fields")).toBe(row.fields ? "mean" : null)
    expect(requests[0]?.url.searchParams.has("nsfw")).toBe(row.fields && row.limit !== undefined)
  })

  test.each([
    ["a, b ,c", "a,b,c"],
    [["a", " b "], "a,b"],
    [["a{ b , c{ d } }", "e"], "a{b,c{d}},e"],
    [",a,,b,", "a,b"],
    [",a{,b},c{d,}", "a{b},c{d}"],
    [["", " ", "a"], "a"],
    ["", null],
    ["  ", null],
    [[], null],
    [["", " "], null]
  ])("the selector %j is sent as %j", async (fields, wire) => {
    const { requests, call } = setup(example("anime.get").reply)
    value(await call("anime.get", { id: 1 }, { fields }))
    expect(requests[0]?.url.searchParams.get("fields")).toBe(wire)
  })
})
