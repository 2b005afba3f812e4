/**
 * Operations that a program declares itself: on every face they do what those of the client do, and no input of theirs leaves
 * its place.
 */
// Not over the bundle: errors and operations have Schemas of Effect.
import { Catalog, CatalogClient, type CatalogHooks, Credentials, Operation, Resilience } from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Chunk, Effect, FastCheck as fc, Layer, Option, Schema, Stream } from "effect"
import { describe, expect, test } from "vitest"
import { allFaces, failure, json, policyThat, recording, runningOver, value, made } from "./support/faces.js"
import { runs } from "./support/full.js"
import { hostile, wellFormed } from "./support/hostile.js"
import { measured, recordingTracer } from "./support/telemetry.js"
import { rejection } from "./support/eventually.js"

const Studio = Schema.Struct({ id: Schema.Number, name: Schema.String, city: Schema.optional(Schema.String) })

const studio = Operation.make({
  name: "studio.get",
  method: "GET",
  path: "/studio/{id}",
  inputs: {
    id: Schema.Number,
    language: Schema.optional(Schema.String),
    years: Schema.optional(Schema.Array(Schema.String))
  },
  reply: Studio
})

const ping = Operation.make({ name: "service.ping", method: "GET", path: "/ping" })

const rename = Operation.make({
  name: "studio.rename",
  method: "POST",
  path: "/studio/{id}/name",
  inputs: { id: Schema.Number, name: Schema.String, changed_on: Schema.optional(Schema.Date) },
  token: true,
  reply: Studio
})

const touch = Operation.make({
  name: "studio.touch",
  method: "PATCH",
  path: "/studio/{id}",
  inputs: { id: Schema.Number, name: Schema.optional(Schema.String), city: Schema.optional(Schema.String) },
  reply: Studio
})

const put = Operation.make({
  name: "studio.put",
  method: "PUT",
  path: "/studio",
  inputs: { name: Schema.String },
  reply: Studio
})

const search = Operation.paged({
  name: "studio.search",
  method: "GET",
  path: "/studio",
  inputs: { q: Schema.String },
  limit: { maximum: 50 },
  reply: Operation.pageSchema(Studio)
})

const bones = { id: 1, name: "Bones" }

/** Five studios, two for each page. */
const studios = [1, 2, 3, 4, 5].map((id) => ({ id, name: `No. ${id}` }))
const pageOf = (url: URL) => {
  const offset = Number(url.searchParams.get("offset") ?? 0)
  const link = (to: number) => `${url.origin}${url.pathname}?offset=${to}`
  return json({
    data: studios.slice(offset, offset + 2),
    paging: {
      ...(offset + 2 < studios.length && { next: link(offset + 2) }),
      ...(offset > 0 && { previous: link(Math.max(0, offset - 2)) })
    }
  })
}

describe.each(allFaces)("on the %s face, an operation of a program", (_, face) => {
  test("sends what its declaration says, and returns the reply", async () => {
    const { requests, ...transport } = recording(() => json({ ...bones, founded: 1998 }))
    const call = face(transport, { baseUrl: "https://h.example/base", clientId: "c", accessToken: "t" })
    // A reply has what its Schema names.
    expect(value(await call(studio, { id: 7, language: "ja", years: ["2001", "2002"] }))).toEqual(bones)
    value(await call(studio, { id: 7, language: null, years: undefined, other: "x" }))
    expect(value(await call(ping))).toBe(undefined)
    value(await call(ping, { headers: { "x-one": "1" } }))
    value(await call(rename, { id: 7, name: "a & b", changed_on: new Date(0) }))
    value(await call(put, { name: "x" }))
    expect(requests.map(({ body, method, url }) => `${method} ${url.href} ${body ?? ""}`)).toEqual([
      "GET https://h.example/base/studio/7?language=ja&years=2001%2C2002 ",
      "GET https://h.example/base/studio/7 ",
      "GET https://h.example/base/ping ",
      "GET https://h.example/base/ping ",
      "POST https://h.example/base/studio/7/name name=a+%26+b&changed_on=1970-01-01T00%3A00%3A00.000Z",
      "PUT https://h.example/base/studio name=x"
    ])
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer t", "x-mal-client-id": "c" })
    expect(requests[3]?.headers).toMatchObject({ "x-one": "1" })
    expect(requests[4]?.headers["content-type"]).toBe("application/x-www-form-urlencoded")
  })

  test("fails with the errors of the client", async () => {
    const refused = recording(() => json({ error: "not_found", message: "no, secret-token" }, { status: 404 }))
    const call = face(refused, { accessToken: "secret-token" })
    const rest = failure(await call(studio, { id: 7 }))
    expect(rest).toMatchObject({
      _tag: "ClientRestError",
      operation: "studio.get",
      method: "GET",
      status: 404,
      code: "not_found",
      serviceMessage: "no, <redacted>"
    })
    expect(String(rest)).toContain("studio.get failed: GET ")
    expect(String(rest)).toContain("There is no such record or path, or the path of baseUrl is wrong.")
    // No page documents it.
    const invalid = recording(() => json({ message: "invalid language" }, { status: 400 }))
    expect(String(failure(await face(invalid, {})(studio, { id: 7 })))).toContain("/catalog-client/e/status-400")

    const { requests, ...transport } = recording(() => Promise.reject(new Error("broken")))
    const without = face(transport, {})
    expect(failure(await without(rename, { id: 7, name: "x" }))).toMatchObject({
      _tag: "ClientAuthError",
      operation: "studio.rename",
      reason: "Missing"
    })
    expect(requests).toEqual([])
    expect(failure(await without(touch, { id: 7, city: "Tokyo" }))).toMatchObject({
      _tag: "ClientNetworkError",
      operation: "studio.touch",
      method: "PATCH"
    })
    expect(requests[0]?.body).toBe("city=Tokyo")
  })

  test.each([
    [{ ...bones, name: 5 }, ["name"]],
    [{ id: 1 }, ["name"]],
    [[], []],
    [{ ...bones, city: {} }, ["city"]]
  ])("refuses a body that is not its reply: %j", async (body, path) => {
    const transport = recording(() => json(body))
    const call = face(transport, {})
    expect(failure(await call(studio, { id: 7 }))).toMatchObject({ reason: "InvalidBody", path })
  })

  test.each([
    [{}, /: "id" must be what its Schema accepts \(.+\), but it is undefined$/],
    [{ id: "7" }, /: "id" must be what its Schema accepts \(Expected number.*\), but it is "7"$/],
    [{ id: NaN }, ': "id" must be a string, a finite number, a boolean or an array of strings, but it is NaN'],
    [{ id: 7, langauge: "ja" }, ' has no input "langauge": did you mean "language"?'],
    [{ id: 7, language: 5 }, /: "language" must be what its Schema accepts \(Expected string.*\), but it is 5$/],
    [5, ': "params" must be an object such as { id: … }, but it is 5']
  ])("takes inputs that are wrong, %j, for a mistake of the program", async (params, message) => {
    const { requests, ...transport } = recording(() => json(bones))
    const error = failure(await face(transport, {})(studio, params))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain("studio.get")
    expect(String(error)).toMatch(message)
    expect(requests).toEqual([])
  })

  test("refuses a name that would be ignored, if it is a write", async () => {
    const { requests, ...transport } = recording(() => json({}))
    const error = failure(await face(transport, { accessToken: "t" })(rename, { id: 7, name: "x", city: "Tokyo" }))
    expect(String(error)).toBe('TypeError: studio.rename has no input "city": it takes id, name, changed_on')
    expect(requests).toEqual([])
  })

  test("is retried as its method allows", async () => {
    const { requests, ...transport } = recording(() => new Response("", { status: 503 }))
    const call = face(transport, { accessToken: "t", policies: [Resilience.retry({ attempts: 3, baseDelay: 0 })] })
    for (const [operation, params, attempts] of [
      [studio, { id: 1 }, 3],
      [put, { name: "x" }, 3],
      [rename, { id: 1, name: "x" }, 1],
      [touch, { id: 1, name: "x" }, 1]
    ] as const) {
      requests.length = 0
      expect(failure(await call(operation, params))).toMatchObject({ status: 503, attempts })
      expect(requests).toHaveLength(attempts)
    }
    requests.length = 0
    const policies = [Resilience.retry({ attempts: 2, baseDelay: 0, writes: true })]
    expect(failure(await call(rename, { id: 1, name: "x" }, { policies }))).toMatchObject({ attempts: 2 })
  })

  test("that deletes does not take a 404 for its reply", async () => {
    const fire = { method: "DELETE", path: "/studio" } as const
    const answers = [503, 404, 503, 404]
    const transport = recording(() => json({ error: "not_found" }, { status: answers.shift() ?? 500 }))
    const call = face(transport, { policies: [Resilience.retry({ baseDelay: 0 })] })
    expect(value(await call(Operation.make({ ...fire, name: "studio.delete" })))).toBe(undefined)
    const outcome = await call(Operation.make({ ...fire, name: "studio.delete", reply: Studio }))
    expect(failure(outcome)).toMatchObject({ status: 404, attempts: 2 })
  })

  test("is reported to hooks and policies", async () => {
    const transport = recording(() => json(bones))
    const reported: Array<unknown> = []
    const hooks: CatalogHooks.Hooks = {
      onRequest: ({ method, operation, url }) => void reported.push([operation, method, url])
    }
    const policies = [
      policyThat((call) => {
        reported.push([call.operation, call.method, call.idempotent, call.cacheable, call.params])
        return undefined
      })
    ]
    const call = face(transport, { baseUrl: "https://h.example", hooks, policies, accessToken: "t" })
    value(await call(rename, { id: 7, name: "x" }))
    expect(reported).toEqual([
      ["studio.rename", "POST", false, false, { id: 7, name: "x" }],
      ["studio.rename", "POST", "https://h.example/studio/7/name"]
    ])
  })
})

test("an operation of a program has spans and metrics by its name, without secrets", async () => {
  const { layer } = recording(() => json(bones))
  const { spans, trace } = recordingTracer()
  const services = Layer.merge(layer, Credentials.layer({ accessToken: "secret-token" }))
  await Effect.runPromise(Effect.provide(trace(studio({ id: 7, language: "secret-token" })), services))
  expect(spans.map(({ name }) => name)).toEqual(["studio.get", "GET"])
  expect(spans[0]?.attributes.get("url.full")).toBe("https://api.myanimelist.net/v2/studio/7?language=<redacted>")
  const counted = measured().filter(({ labels }) => labels.some(([, value]) => value === "studio.get"))
  expect(counted.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["catalog_requests_total", "catalog_request_duration_seconds"])
  )
})

describe("a Schema with transformations", () => {
  class Person extends Schema.Class<Person>("Person")({ name: Schema.String }) {
    get initial() {
      return this.name[0]
    }
  }
  const Detailed = Schema.Struct({
    id: Schema.Number.pipe(Schema.int(), Schema.brand("StudioId")),
    founded: Schema.Date,
    size: Schema.Literal("small", "large"),
    head: Person,
    city: Schema.optional(Schema.String),
    closed: Schema.optionalWith(Schema.Date, { as: "Option" }),
    note: Schema.NullOr(Schema.String),
    parent: Schema.optional(Schema.NullOr(Schema.Number)),
    tags: Schema.Record({ key: Schema.String, value: Schema.Number })
  })
  const detailed = Operation.make({ name: "studio.detailed", method: "GET", path: "/studio", reply: Detailed })
  const body = {
    id: 1,
    founded: "1998-10-01T00:00:00.000Z",
    size: "small",
    head: { name: "Masahiko" },
    note: null,
    parent: null,
    tags: { a: 1 }
  }

  test.each(allFaces)("decodes the reply on the %s face", async (_, face) => {
    const transport = recording(() => json({ ...body, unknown: { kept: false } }))
    const reply = value(await face(transport, {})(detailed)) as typeof Detailed.Type
    expect(reply).toEqual({
      id: 1,
      founded: new Date("1998-10-01"),
      size: "small",
      head: new Person({ name: "Masahiko" }),
      closed: Option.none(),
      note: null,
      parent: null,
      tags: { a: 1 }
    })
    expect(reply.head.initial).toBe("M")
  })

  test.each<readonly [string, object, ReadonlyArray<unknown>, expected: RegExp, found: string]>([
    ["a refinement", { id: 1.5 }, ["id"], /^an integer$/, "a number"],
    ["a closed set", { size: "huge" }, ["size"], /^"small" (or|\|) "large"$/, "a string"],
    ["a date", { founded: "long ago" }, ["founded"], /^\w.*$/, "a string"],
    ["a member of a class", { head: { name: 5 } }, ["head", "name"], /^a string$/, "a number"],
    ["a record", { tags: { a: "x" } }, ["tags", "a"], /^a number$/, "a string"],
    ["a missing member", { note: undefined }, ["note"], /^what its Schema accepts$/, "nothing"],
    ["an object that is none", { head: 5 }, ["head"], /^\w.*$/, "a number"]
  ])("and says where a body is wrong, without its values: %s", async (_, wrong, path, expected, found) => {
    const error = await rejection(runningOver(() => json({ ...body, ...wrong })).run(detailed()))
    expect(error).toMatchObject({ _tag: "ClientRestError", operation: "studio.detailed", reason: "InvalidBody", path })
    expect(error).toMatchObject({ expected: expect.stringMatching(expected), found })
    expect(error.message).toContain(`(at ${path.join(".")}): expected `)
    expect(error.message).not.toMatch(/huge|long ago/)
  })

  test.each(allFaces)("takes no prototype from a reply on the %s face", async (_, face) => {
    const Counted = Schema.Struct({ count: Schema.NumberFromString })
    const reply = Schema.Struct({ ...Counted.fields, inner: Counted })
    const counted = Operation.make({ name: "studio.counted", method: "GET", path: "/studio", reply })
    const text = '{"count":"1","inner":{"count":"2","__proto__":{"polluted":1}},"\\u005f_proto__":{"polluted":1}}'
    const record = value(
      await face(
        recording(() => new Response(text)),
        {}
      )(counted)
    ) as typeof reply.Type
    expect(record).toStrictEqual({ count: 1, inner: { count: 2 } })
    expect([record, record.inner].map((one) => Object.getPrototypeOf(one) === Object.prototype)).toEqual([true, true])
  })

  test("and shows the beginning of a name, without secrets", async () => {
    const reply = { ...body, tags: { [`secret-token-1 ${"x".repeat(100_000)}`]: "a" } }
    const { run } = runningOver(() => json(reply), { accessToken: "secret-token-1" })
    const error = await rejection(run(detailed()))
    expect(error).toMatchObject({ path: ["tags", expect.stringMatching(/^<redacted> x{241}$/)] })
    expect(String(error)).not.toContain("secret-token-1")
    expect(String(error).length).toBeLessThan(1_000)
  })

  test("that is deeper than a reply may be is refused", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const anything = Operation.make({ name: "any.thing", method: "GET", path: "/", reply: Schema.Unknown })
    const { run } = runningOver(() => new Response(deep))
    await expect(run(anything())).rejects.toMatchObject({ reason: "InvalidBody" })
    expect(await runningOver(() => json({ a: [null, 1] })).run(anything())).toEqual({ a: [null, 1] })
  })

  test("of unions within each other is checked fast, also if the innermost is wrong", async () => {
    let nested: Schema.Schema.AnyNoContext = Schema.Number
    for (let depth = 0; depth < 13; depth++) {
      const next = nested
      nested = Schema.Union(Schema.Struct({ a: next }), Schema.Struct({ a: next, b: Schema.optional(Schema.String) }))
    }
    const unions = Operation.make({ name: "unions.get", method: "GET", path: "/unions", reply: nested })
    const body = `${'{"a":'.repeat(13)}"wrong"${"}".repeat(13)}`
    const { run } = runningOver(() => new Response(body))
    const began = process.cpuUsage()
    await expect(run(unions())).rejects.toMatchObject({ reason: "InvalidBody" })
    const { user, system } = process.cpuUsage(began)
    expect(user + system).toBeLessThan(2_000_000)
  })

  /** Calls of an operation that reads and sends a Schema. */
  const callsOf = (schema: Schema.Schema<string, string>) => {
    const inputs = { q: Schema.optional(schema) }
    const operation = Operation.make({ name: "studio.name", method: "GET", path: "/studio", inputs, reply: schema })
    const { run } = runningOver(() => json("x"))
    return [run(operation()), run(operation({ q: "x" }))]
  }

  test("that is not synchronous is a mistake of the program", async () => {
    const slowly = (text: string) => Effect.as(Effect.sleep(1), text)
    const coding = { strict: true, decode: slowly, encode: slowly } as const
    for (const call of callsOf(Schema.transformOrFail(Schema.String, Schema.String, coding))) {
      await expect(call).rejects.toThrow("Schemas of an operation must decode and encode synchronously")
    }
  })

  test("that throws fails with what it threw", async () => {
    const thrown = new Error("thrown")
    const fail = (): string => {
      throw thrown
    }
    const coding = { strict: true, decode: fail, encode: fail } as const
    for (const call of callsOf(Schema.transform(Schema.String, Schema.String, coding))) {
      await expect(call).rejects.toBe(thrown)
    }
  })
})

describe("whole lists of an operation of a program", () => {
  const { requests, run } = runningOver(({ url }) => pageOf(url))
  const streamed = async <A, E>(stream: Stream.Stream<A, E, HttpClient.HttpClient | Credentials>) =>
    Chunk.toReadonlyArray(await run(Stream.runCollect(stream)))

  const every = { q: "no" }
  const some = { q: "no", limit: 2, offset: 2 }
  const most = { max: 3 }

  test.each([
    [
      "Effect",
      () => Promise.all([streamed(search.items(every)), streamed(search.pages(some)), run(search.collect(every, most))])
    ],
    [
      "client",
      async () => {
        const { call } = await run(CatalogClient.make())
        return Promise.all([
          streamed(call.items(search, every)),
          streamed(call.pages(search, some)),
          run(call.collect(search, every, most))
        ])
      }
    ]
  ])("are read on the %s face", async (_, read) => {
    requests.length = 0
    const [items, pages, collected] = await read()
    expect(items).toEqual(studios)
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1])
    expect(collected).toEqual(studios.slice(0, 3))
    // A whole list requests the largest pages, and a program's own inputs go with each.
    const largest = requests.map(({ url }) => url.search).filter((query) => query.includes("limit=50"))
    expect(largest).toEqual(["?q=no&limit=50", "?q=no&limit=50&offset=2", "?q=no&limit=50&offset=4"])
  })

  test("are those of paged operations only", async () => {
    const { call } = await run(CatalogClient.make())
    const other = call as unknown as Record<string, (operation: unknown) => unknown>
    expect(() => other["items"]?.(studio)).toThrow("studio.get has no items: declare it with Operation.paged")
    for (const wrong of [undefined, 5, () => {}]) {
      expect(() => (call as unknown as (operation: unknown) => unknown)(wrong)).toThrow(
        "call takes an operation that Operation.make or Operation.paged returned"
      )
    }
  })

  test("page by page, with what the response says", async () => {
    const { data, status, url } = await run(Operation.withResponse(search({ q: "no", limit: 2 })))
    expect([data.data.length, status, new URL(url).search]).toEqual([2, 200, "?q=no&limit=2"])
  })
})

describe("replies that are kept", () => {
  const policies = () => [made(Resilience.cache({ capacity: 10, timeToLive: "1 hour" })), made(Resilience.dedupe())]
  const kept = Operation.make({ name: "studio.kept", method: "GET", path: "/studio", cacheable: true, reply: Studio })

  test("are those of operations that say so and of the client, until a write of either", async () => {
    const { requests, run } = runningOver(() => json({ ...bones, title: "One" }), {
      accessToken: "t",
      policies: policies()
    })
    const reads = async () => {
      requests.length = 0
      await run(kept())
      await run(studio({ id: 1 }))
      await run(Catalog.anime.get({ id: 1 }))
      return requests.map(({ url }) => url.pathname)
    }
    const [own, other, ofClient] = ["/v2/studio", "/v2/studio/1", "/v2/anime/1"]
    expect(await reads()).toEqual([own, other, ofClient])
    expect(await reads()).toEqual([other])
    await run(rename({ id: 1, name: "x" }))
    expect(await reads()).toEqual([own, other, ofClient])
    await run(Catalog.anime.deleteFromList({ id: 1 }))
    expect(await reads()).toEqual([own, other, ofClient])
  })

  test("are not shared by two operations of one name", async () => {
    const { requests, run } = runningOver(() => json({ ...bones, founded: "1998-10-01" }), { policies: policies() })
    const Dated = Schema.Struct({ id: Schema.Number, founded: Schema.Date })
    const dated = Operation.make({ name: "studio.kept", method: "GET", path: "/studio", cacheable: true, reply: Dated })
    expect((await run(kept())).name).toBe("Bones")
    const first = await run(dated())
    expect(first.founded).toEqual(new Date("1998-10-01"))
    expect(await run(dated())).toBe(first)
    expect(requests).toHaveLength(2)
  })

  test("may contain any object that a Schema makes, also if they are shared", async () => {
    const { requests, run } = runningOver(() => json({ bytes: "AAEC", at: "5" }), { policies: policies() })
    const Bytes = Schema.Struct({ bytes: Schema.Uint8ArrayFromBase64, at: Schema.BigDecimal })
    const bytes = Operation.make({ name: "studio.bytes", method: "GET", path: "/", cacheable: true, reply: Bytes })
    const all = await Promise.all([run(bytes()), run(bytes())])
    expect(all.map(({ bytes }) => [...bytes])).toEqual([
      [0, 1, 2],
      [0, 1, 2]
    ])
    expect(requests).toHaveLength(1)
  })
})

const isSegment = (text: string) => !/^\.{0,2}$/.test(text)

describe("no input breaks out of its part of the request", () => {
  const { requests, run } = runningOver(() => json({ status: "watching" }), {
    accessToken: "t",
    baseUrl: "http://h.example/base"
  })
  const text = Schema.String
  const declaration = {
    path: "/a/{one}/b.{two}/{id}/@me/",
    inputs: {
      one: text,
      first: Schema.optional(text),
      two: text,
      second: text,
      id: text,
      username: text,
      fields: Schema.optional(text),
      tags: Schema.Array(text)
    }
  } as const
  const post = Operation.make({ ...declaration, name: "all.form", method: "POST" })
  const read = Operation.make({ ...declaration, name: "all.query", method: "GET" })
  const last = () => {
    const request = requests.at(-1)
    if (request === undefined) {
      throw new Error("nothing was sent")
    }
    return request
  }

  test.each([
    ["form", post],
    ["query", read]
  ])("of path and %s", async (place, operation) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostile, { minLength: 7, maxLength: 7 }),
        async ([one = "", two = "", id = "", first = "", second = "", username = "", other = ""]) => {
          fc.pre([one, two, id].every(isSegment))
          await run(operation({ one, two, id, first, second, username, tags: [first, other] }))
          const { body, url } = last()
          expect(url.origin + url.hash).toBe("http://h.example")
          const segments = ["", "base", "a", wellFormed(one), `b.${wellFormed(two)}`, wellFormed(id), "@me", ""]
          expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(segments)
          const inputs = { first, second, username, tags: [first, other].join(",") }
          const written = Object.entries(inputs).map(([name, text]) => [name, wellFormed(text)])
          const [inForm, inQuery] = [[...new URLSearchParams(body)], [...url.searchParams]]
          expect({ inForm, inQuery }).toEqual(
            place === "form" ? { inForm: written, inQuery: [] } : { inForm: [], inQuery: written }
          )
        }
      ),
      runs(100)
    )
  })

  test.each(["", ".", ".."])("a segment of the path cannot be %j", async (one) => {
    const before = requests.length
    const inputs = { one, two: "x", id: "x", second: "", tags: [], username: "" }
    await expect(run(post(inputs))).rejects.toThrow(
      `all.form: "one" must be a string other than "", "." and "..", but it is ${JSON.stringify(one)}`
    )
    expect(requests).toHaveLength(before)
  })
})

const valid = { name: "studio.get", method: "GET", path: "/studio" }
const make = Operation.make as unknown as (declaration: unknown) => unknown
const paged = Operation.paged as unknown as (declaration: unknown) => unknown

const mistakes: ReadonlyArray<readonly [unknown, string]> = [
  [undefined, "takes an object of options, but got undefined"],
  [{}, "name must be a string"],
  [{ ...valid, name: "a b" }, 'but it is "a b"'],
  [{ ...valid, name: "catalog.anime.get" }, 'names that begin with "catalog." or "OAuth." are reserved for the client'],
  [{ ...valid, method: "HEAD" }, 'method must be one of GET, POST, PUT, PATCH, DELETE, but it is "HEAD"'],
  [{ ...valid, path: "studio" }, "path must begin with a slash"],
  [{ ...valid, path: undefined }, "path must begin with a slash"],
  ...["/a?b=c", "/a#b", "/a b", "/a%2fb", "/a\\b", "/./a", "/a/..", "//a", "/a//b", "/{a", "/{}", "/{a-b}"].map(
    (path) =>
      [{ ...valid, path, inputs: { a: Schema.String } }, `path ${JSON.stringify(path)} must contain only`] as const
  ),
  [{ ...valid, path: "/{id}" }, "path has {id}, and inputs has no Schema for it: add inputs: { id: Schema.Number }"],
  [{ ...valid, path: "/{id}/{id}", inputs: { id: Schema.Number } }, "path has {id} twice"],
  [{ ...valid, inputs: { a: "string" } }, 'the input "a" must be a Schema, but it is "string"'],
  [{ ...valid, inputs: Schema.String }, "inputs must be an object of Schemas"],
  [{ ...valid, inputs: ["a"] }, "inputs must be an object of Schemas"],
  [{ ...valid, reply: {} }, "reply must be a Schema"],
  [{ ...valid, querry: {} }, 'has no option "querry"'],
  [{ ...valid, limit: { maximum: 5 } }, 'has no option "limit"']
]

test.each(mistakes.map(([declaration, message]) => ({ declaration, message })))(
  "Operation.make says what is wrong: $message",
  ({ declaration, message }) => {
    expect(() => make(declaration)).toThrow(TypeError)
    expect(() => make(declaration)).toThrow(message)
  }
)

test.each<readonly [object, string]>([
  [{}, "reply must be a Schema of a page with data and paging"],
  [{ limit: undefined }, "limit must say how large pages are, for example { maximum: 100 }"],
  [{ limit: { maximum: 1.5 } }, "limit must say how large pages are"],
  [{ inputs: { limit: Schema.Number } }, "every operation with pages takes limit and offset: inputs must not have them"]
])("Operation.paged says what is wrong with %j", (wrong, message) => {
  const declaration = { ...valid, limit: { maximum: 5 }, reply: Operation.pageSchema(Studio), ...wrong }
  const without = Object.keys(wrong).length === 0 ? { ...declaration, reply: undefined } : declaration
  expect(() => paged(without)).toThrow(`Operation.paged "studio.get": `)
  expect(() => paged(without)).toThrow(message)
})

test("CatalogClient.layerMock stubs operations of a program, too", async () => {
  const called: Array<unknown> = []
  const mock = CatalogClient.layerMock({
    call: [
      Operation.stub(ping, () => Effect.dieMessage("not this one")),
      Operation.stub(studio, ({ id }, options) => {
        called.push([id, options])
        return Effect.succeed({ id, name: "Mock" })
      })
    ]
  })
  const program = Effect.flatMap(CatalogClient, (client) => client.call(studio, { id: 7 }, { timeout: 5 }))
  expect(await Effect.runPromise(Effect.provide(program, mock))).toEqual({ id: 7, name: "Mock" })
  expect(called).toEqual([[7, { timeout: 5 }]])
  const without = Effect.provide(program, CatalogClient.layerMock({ anime: {} }))
  await expect(Effect.runPromise(without)).rejects.toThrow("CatalogClient.layerMock has no studio.get: add it to call")
})
