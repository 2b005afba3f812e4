import { type CatalogOptions, createCatalog } from "catalog-client"
import { Catalog, CatalogConfig, Credentials, ServiceProfile } from "@catalog-client/core"
import { HttpClient, HttpClientError } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { catalogOver, faces, failure, json, recording, value } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { printedInNode } from "./support/nodePrinters.js"
import { recordingLogger, recordingTracer } from "./support/telemetry.js"
import { rejection } from "./support/eventually.js"
import { onlyEffect } from "./support/only.js"

const token = "canary-token-4f9a/+="
const id = "canary-id-77c1"

/** A secret of which each character has other writings. */
const marks = `/+=&<>"'`.repeat(500)

/** 77 characters with no pattern. */
const long = "eyJhbGciOiJSUzI1NiJ9.Kq3vTz8wLmXc5Rb0NyHsPdUf2JgAeQiVo7Z.x9WkD4tB6uYrGh1CnMlSjE"

const expectNoSecret = (text: string) => {
  expect(text).not.toContain(token)
  expect(text).not.toContain(id)
}

describe.each(faces)("on the %s face", (_, face) => {
  const errorOf = async (respond: () => Response | Promise<Response>, options: object) =>
    failure(await face(recording(respond), options)("anime.get", { id: 1 }))

  const headersWith = async (options: object) => {
    const { requests, ...transport } = recording(() => json(anime))
    value(await face(transport, options)("anime.get", { id: 1 }))
    return requests[0]?.headers
  }

  test("a credential that the service sends back is redacted in the error", async () => {
    const options = { accessToken: token, clientId: id }
    const echo = { error: `bad ${token}`, message: `${id} is unknown`, list: [{ [token]: [id] }] }
    const error = await errorOf(() => json(echo, { status: 400 }), options)
    expectNoSecret(printedInNode(error))
    expect(error).toMatchObject({
      code: "bad <redacted>",
      serviceMessage: "<redacted> is unknown",
      body: { list: [{ "<redacted>": ["<redacted>"] }] }
    })
    const text = () => new Response(`<p>${token} ${id}</p>`, { status: 500 })
    expect(await errorOf(text, options)).toMatchObject({ body: "<p><redacted> <redacted></p>" })
  })

  test("a short credential is redacted as a whole word, not within one", async () => {
    const answer = (error: string, message: string) => () => json({ error, message }, { status: 401 })
    const word = await errorOf(answer("invalid_token", "token: no"), { accessToken: "token" })
    expect(word).toMatchObject({ code: "invalid_token", serviceMessage: "<redacted>: no" })
    const letters = await errorOf(answer("t, dA c", "+ t"), { accessToken: "t", clientId: "+" })
    expect(letters).toMatchObject({ code: "<redacted>, dA c", serviceMessage: "<redacted> <redacted>" })
  })

  test("a credential in a transport's failure is redacted", async () => {
    const failing = () => Promise.reject(new Error(`header authorization: Bearer ${token} (${id})`))
    const error = await errorOf(failing, { accessToken: token, clientId: id })
    expectNoSecret(printedInNode(error))
    expect(error).toMatchObject({ cause: { message: "header authorization: Bearer <redacted> (<redacted>)" } })
  })

  // In `catalog-client`, a credential that changes is a function, and no Redacted is wiped.
  onlyEffect(test)("a wiped credential is not sent, and not redacted", async () => {
    const transport = recording(() => json({ error: "not_found" }, { status: 404 }))
    const wiped = Redacted.make(token)
    expect(failure(await face(transport, { accessToken: wiped })("anime.get", { id: 1 }))).toMatchObject({
      status: 404
    })
    Redacted.unsafeWipe(wiped)
    expect(failure(await face(transport, { accessToken: wiped })("anime.get", { id: 1 }))).toMatchObject({
      status: 404
    })
    expect(failure(await face(transport, { accessToken: wiped })("user.me"))).toMatchObject({ _tag: "ClientAuthError" })
  })

  test.each(["", "  ", "\n"])("a blank credential %j is not configured", async (blank) => {
    const headers = await headersWith({ accessToken: blank, clientId: blank })
    expect(headers).not.toHaveProperty("authorization")
    expect(headers).not.toHaveProperty("x-mal-client-id")
    const call = face(
      recording(() => json(anime)),
      { accessToken: blank }
    )
    expect(failure(await call("user.me"))).toMatchObject({ reason: "Missing" })
  })

  test.each([
    [
      "blanks around it are not part of it",
      { accessToken: " abc\n", clientId: "\tdef " },
      { authorization: "Bearer abc", "x-mal-client-id": "def" }
    ],
    ["it may be copied with its scheme", { accessToken: "Bearer abc-def" }, { authorization: "Bearer abc-def" }],
    ["in any case", { accessToken: "bearer  abc-def" }, { authorization: "Bearer abc-def" }],
    [
      "it may begin like a scheme",
      { clientId: "key-77", profile: { ...ServiceProfile.default, clientId: { header: "x-key", prefix: "key-" } } },
      { "x-key": "key-key-77" }
    ]
  ])("a credential: %s", async (_, options, headers) => {
    expect(await headersWith(options)).toMatchObject(headers)
  })

  test("a token that was copied with its scheme is redacted without it", async () => {
    const refused = () => new Response("no to abc-def", { status: 401 })
    expect(await errorOf(refused, { accessToken: "Bearer abc-def" })).toMatchObject({ body: "no to <redacted>" })
  })

  test.each([
    ["line\nbreak", "U+000A"],
    ["nul\0", "U+0000"],
    ["snow☃man", "U+2603"],
    ["zero\u200bwidth", "U+200B"],
    ["soft\u00adhyphen", "U+00AD"],
    ["next\u0085line", "U+0085"]
  ])("%j cannot be sent in a header, and the error and the log name its character", async (bad, name) => {
    const { requests, ...transport } = recording(() => json(anime))
    const { texts: logged, ...logger } = recordingLogger()
    const call = face({ ...transport, logger }, { accessToken: bad, clientId: bad })
    value(await call("anime.get", { id: 1 }))
    expect(requests[0]?.headers).not.toHaveProperty("authorization")
    expect(requests[0]?.headers).not.toHaveProperty("x-mal-client-id")
    const error = failure(await call("user.me"))
    expect(error).toMatchObject({ _tag: "ClientAuthError", reason: "Unusable", operation: "catalog.user.me" })
    for (const text of [(error as Error).message, ...logged]) {
      expect(text).toContain(`cannot be sent in a header. It contains ${name}.`)
    }
    expect(printedInNode(error) + logged.join()).not.toContain(bad)
  })
})

test("an unusable credential causes one warning, with the name of its slot", async () => {
  const { texts: logged, logger } = recordingLogger()
  const { catalog } = catalogOver(() => json(anime), { logger, clientId: "fine" })
  await catalog.anime.get({ id: 1 })
  expect(logged).toEqual([])
  catalog.accessToken = "a\nb"
  await catalog.anime.get({ id: 1 })
  await catalog.anime.get({ id: 1 })
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain("accessToken")
  catalog.clientId = "c\rd"
  await catalog.anime.get({ id: 1 })
  await catalog.anime.get({ id: 1 })
  expect(logged).toHaveLength(2)
  expect(logged[1]).toContain("clientId")
})

describe.each(faces)("on the %s face, a token over plain http:", (_, face) => {
  const warnings = async (options: object) => {
    const { lines, ...logger } = recordingLogger()
    const { requests, ...transport } = recording(() => json(anime))
    value(await face({ ...transport, logger }, options)("anime.get", { id: 1 }))
    expect(requests).toHaveLength(1)
    return lines.map(({ level, text }) => `${level} ${text}`)
  }

  test.each([
    "http://catalog.example",
    "http://catalog.example:8080/secret-path/v2",
    "HTTP://192.168.0.7",
    "http://10.0.0.1",
    "http://[fe80::1]:80/",
    "http://0.0.0.0:1",
    "http://127.evil.example",
    "http://localhost.evil.example",
    "http://notlocalhost"
  ])("causes a warning at %s, and the call continues", async (baseUrl) => {
    const logged = await warnings({ baseUrl, accessToken: token, clientId: id })
    expect(logged).toEqual([expect.stringMatching(/^WARN .*access token.*https:/)])
    expect(logged[0]).toContain(new URL(baseUrl).origin)
    expect(logged[0]).not.toContain("secret-path")
    expectNoSecret(logged[0] ?? "")
  })

  test.each([
    "http://127.0.0.1:8080/v2",
    "http://127.1.2.3",
    "http://127.1",
    "http://[::1]:1",
    "http://localhost",
    "http://LOCALHOST.:3000",
    "http://api.localhost/v2",
    "https://catalog.example"
  ])("causes no warning at %s", async (baseUrl) => {
    expect(await warnings({ baseUrl, accessToken: token, clientId: id })).toEqual([])
  })

  test("causes a warning, but a client ID or an unsent token does not", async () => {
    const baseUrl = "http://catalog.example"
    expect(await warnings({ baseUrl, clientId: id })).toEqual([])
    expect(await warnings({ baseUrl, accessToken: " " })).toEqual([])
    expect(await warnings({ baseUrl, accessToken: "a\nb" })).toEqual([
      expect.stringContaining("cannot be sent in a header")
    ])
  })

  test("causes a warning for a profile's URL, too", async () => {
    const options = {
      profile: { ...ServiceProfile.default, baseUrl: "http://catalog.example/api/" },
      accessToken: token
    }
    expect(await warnings({ ...options, baseUrl: "https://catalog.example" })).toEqual([])
    expect(await warnings(options)).toEqual([expect.stringContaining("http://catalog.example")])
  })
})

test("a token over plain http: causes one warning for each origin", async () => {
  const { texts: logged, logger, layer: logging } = recordingLogger()
  const { fetch, layer } = recording(() => json({ data: [], paging: {} }))
  const options = { fetch, logger, accessToken: token, baseUrl: "http://one.example/v2" }
  await using catalog = createCatalog(options)
  await Promise.all([1, 2, 3].map(() => catalog.anime.ranking({ rankingType: "all" })))
  await catalog.anime.ranking.collect({ rankingType: "all" }, { max: 1 })
  catalog.accessToken = "another-token"
  await catalog.anime.ranking({ rankingType: "all" })
  expect(logged).toEqual([expect.stringContaining("http://one.example")])

  const ranking = Catalog.anime.ranking({ rankingType: "all" })
  const at = (baseUrl: string) => Effect.zipRight(ranking, ranking).pipe(CatalogConfig.with({ baseUrl }))
  logged.length = 0
  await Effect.zipRight(at("http://two.example/a"), at("http://two.example/b")).pipe(
    Effect.zipRight(at("http://three.example")),
    Effect.provide([layer, Credentials.layer({ accessToken: token }), logging]),
    Effect.runPromise
  )
  expect(logged).toEqual([
    expect.stringContaining("http://two.example"),
    expect.stringContaining("http://three.example")
  ])
})

onlyEffect(test)(
  "a configured token or header that is wiped is not sent any more, and breaks no later call",
  async () => {
    const [secret, key] = [Redacted.make(token), Redacted.make("a-long-key")]
    const { catalog, requests } = catalogOver(
      ({ url }) => (url.pathname.endsWith("1") ? json(anime) : json({}, { status: 404 })),
      { accessToken: secret, headers: { "x-key": key } }
    )
    await catalog.anime.get({ id: 1 })
    Redacted.unsafeWipe(secret)
    Redacted.unsafeWipe(key)
    await expect(catalog.anime.get({ id: 2 })).rejects.toMatchObject({ status: 404 })
    await expect(catalog.user.me()).rejects.toMatchObject({ _tag: "ClientAuthError" })
    catalog.accessToken = undefined
    await expect(catalog.anime.get({ id: 2 })).rejects.toMatchObject({ status: 404 })
    expect(requests.map(({ headers }) => [headers["authorization"], headers["x-key"]])).toEqual([
      [`Bearer ${token}`, "a-long-key"],
      [undefined, ""],
      [undefined, ""]
    ])
  }
)

test("printing a catalog shows no credential, and its slots return the assigned values", async () => {
  const { catalog } = catalogOver(() => json({}), { accessToken: token, clientId: Redacted.make(id) })
  expect(catalog.accessToken).toBe(token)
  expect(catalog.clientId).toBe(id)
  expectNoSecret(`${JSON.stringify(catalog)} ${inspect(catalog, { depth: 20, showHidden: true })}`)
  expect(Object.keys(catalog).toSorted()).toEqual(["anime", "call", "forum", "manga", "user"])
})

const html = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }

/** Ways to write a text in another one. */
const writings = [
  (text: string) => text,
  (text: string) => encodeURIComponent(text).replace(/'/g, "%27"),
  (text: string) => JSON.stringify(text).slice(1, -1),
  (text: string) => text.replace(/[&<>"']/g, (char) => html[char as keyof typeof html]),
  (text: string) => text.replace(/[&<>"'./=]/g, (char) => `&#x${char.charCodeAt(0).toString(16)};`),
  (text: string) => text.replace(/[Kx]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
]

/** A text within others, written in two ways within each other. */
const writtenTwice = (text: string) => writings.flatMap((one) => writings.map((other) => `a ${one(other(text))} b`))

/** What an error shows of a body. */
const shownBy =
  (face: (typeof faces)[number][1]) =>
  async (body: string, options: object = { accessToken: long }): Promise<unknown> => {
    const transport = recording(() => new Response(body, { status: 500 }))
    return (failure(await face(transport, options)("anime.get", { id: 1 })) as { readonly body: unknown }).body
  }

describe.each(faces)("on the %s face, a secret in another form", (_, face) => {
  const shown = shownBy(face)
  const basic = Redacted.make(`Basic ${btoa("joe:hunter22")}`)

  test.each<[string, string, object, unknown]>([
    ["escaped in truncated JSON", '{"error":"canary-token-4f9a\\/+="', { accessToken: token }, '{"error":"<redacted>"'],
    ["encoded in a URL", `/login?${encodeURIComponent(token)}`, { accessToken: token }, "/login?<redacted>"],
    ["encoded in a form", "x=three+small+words, y", { accessToken: "three small words" }, "x=<redacted>, y"],
    [
      "of which one begins like another",
      "abcdefgh-private abcdefgh",
      { accessToken: "abcdefgh", clientId: "abcdefgh-private" },
      "<redacted> <redacted>"
    ],
    ["within which the text ends", "bad canary-token", { accessToken: token }, "bad <redacted>"],
    ["within which it ends, encoded", "bad canary-token-4f9a%2", { accessToken: token }, "bad <redacted>"],
    ["that ends after eight characters", "a canary-t", { accessToken: token }, "a <redacted>"],
    ["but not after seven", "a canary-", { accessToken: token }, "a canary-"],
    ["nor its beginning elsewhere", "canary-t, canary-toks", { accessToken: token }, "canary-t, canary-toks"],
    [
      "that is a number, and the key of one",
      '{"client":1234567890,"1234567890":42}',
      { clientId: "1234567890" },
      { client: "<redacted>", "<redacted>": 42 }
    ],
    [
      "as a number that JSON writes differently",
      '{"client":1.23456789012e11}',
      { clientId: "123456789012" },
      { client: "<redacted>" }
    ],
    [
      "in a cookie's value and a Basic pair, unless it is short",
      "a dark sid abcdef0123, pass hunter22, pair joe:hunter22",
      { headers: { Cookie: "theme=dark; sid=abcdef0123", "proxy-authorization": `Basic ${btoa("joe:hunter22")}` } },
      "a dark sid <redacted>, pass <redacted>, pair <redacted>"
    ],
    [
      "in a cookie of eight letters, with any blanks around it",
      "abcdefgh, ijklmnop, qrstuvwx.",
      { headers: { cookie: "sid=abcdefgh ; other=ijklmnop ;last= qrstuvwx" } },
      "<redacted>, <redacted>, <redacted>."
    ],
    [
      "in a Basic pair, however else it was configured",
      "pass hunter22",
      { clientId: basic, headers: { "proxy-authorization": basic } },
      "pass <redacted>"
    ],
    [
      "but no text that only looks like a part of it",
      "text/html, lang=en, the title",
      {
        headers: { "x-kind": Redacted.make("text/html; level=standard"), cookie: "sid=abc; lang=en" },
        accessToken: "my title"
      },
      "text/html, lang=en, the title"
    ],
    [
      "for any header whose value is Redacted",
      "who is gateway-secret?",
      { headers: { "X-Gateway": Redacted.make("gateway-secret"), "x-plain": "plain-value" } },
      "who is <redacted>?"
    ],
    [
      "in a proxy's credentials",
      "got Basic aHVudGVyMg==",
      { headers: { Authorization: "Basic aHVudGVyMg==" } },
      "got <redacted>"
    ],
    ["at any length", `x${encodeURIComponent(marks)}x`, { accessToken: marks }, "x<redacted>x"],
    [
      "in part, for a header that a user made secret",
      `no ${long.slice(5, 40)}`,
      { headers: { "x-gateway": Redacted.make(`v1,${long}`) } },
      "no <redacted>"
    ],
    [
      "but no part of fewer than 12 characters",
      `${long.slice(0, 11)} ${long.slice(30, 41)}.`,
      { accessToken: long },
      `${long.slice(0, 11)} ${long.slice(30, 41)}.`
    ]
  ])("is redacted: %s", async (_, body, options, expected) => {
    expect(await shown(body, options)).toEqual(expected)
  })

  test("is redacted if it contains escapes itself", async () => {
    for (const accessToken of ["50%25-off&amp;more", "\\u002f\\/\\\\", "aaaaaaaaab", "%2525%25%", "ü & ö+ß ñ"]) {
      for (const text of [accessToken, encodeURIComponent(accessToken), JSON.stringify(accessToken).slice(1, -1)]) {
        expect(await shown(`x${text}x`, { accessToken })).toBe("x<redacted>x")
        expect(await shown(`aa${text}x`, { accessToken })).toMatch(/^a*<redacted>x$/)
      }
    }
  })

  test.each(["%41", "%2F%3D", "&lt;", "&amp;", "&#39;", "\\/%41"])(
    "is redacted in part if it contains %s and the body adds other escapes",
    async (own) => {
      const part = `/=d${own}&f==g/h`.slice(0, 12)
      for (const body of writtenTwice(part)) {
        // An escape at its ends can stay.
        expect(await shown(body, { accessToken: `0123${part}4567` }), body).toMatch(/^a \S{0,9}<redacted>\S{0,9} b$/)
      }
    }
  )

  test("is redacted with escapes within each other", async () => {
    // Decoded, the second is shorter than what is redacted within a word.
    for (const accessToken of [`${long}/+="&<'>`, "a&a\\b&a&", "X;9%2\\/K+='#b\""]) {
      for (const written of writtenTwice(accessToken)) {
        const message = "a <redacted> b"
        expect(await shown(written, { accessToken }), written).toBe(message)
        expect(await shown(JSON.stringify({ message: written }), { accessToken }), written).toEqual({ message })
      }
    }
  })

  test("is searched for in a body of 64 KiB in less than 50 ms", async () => {
    const of = (text: string) => text.repeat(Math.floor(65_000 / text.length))
    const bodies = {
      ampersands: of("&"),
      "ampersands in JSON": JSON.stringify([of("&")]),
      entities: of("&amp;lt;"),
      percent: of("%25"),
      backslashes: JSON.stringify([of("\\").slice(0, 32_000)]),
      "beginnings of escapes": of("&am%2\\u00"),
      numbers: JSON.stringify([1_234_567_890, ...Array.from({ length: 5_900 }, (_, at) => 1_234_560_000 + at)]),
      digits: JSON.stringify([1_234_567_890, ...Array.from({ length: 32_000 }, () => 1)]),
      "parts of it": of(`${long.slice(20, 31)} `),
      "nothing else": of(`${long} `)
    }
    for (const [name, body] of Object.entries(bodies)) {
      const costs: Array<number> = []
      while (costs.length < 8 && Math.min(...costs) > 50) {
        const started = process.cpuUsage()
        await shown(body, { accessToken: long, clientId: "1234567890", headers: { "x-api-key": `k-${long}` } })
        const { user, system } = process.cpuUsage(started)
        costs.push((user + system) / 1000)
      }
      expect(Math.min(...costs), name).toBeLessThan(50)
    }
  })

  test("is redacted in base64 of both alphabets, at any position", async () => {
    const accessToken = "a-secret?>~token>>??~~"
    for (const before of ["", "(", "((", "((("]) {
      const coded = btoa(`${before}${accessToken})))`)
      expect(coded).toMatch(/[+/]/)
      for (const text of [coded, coded.replaceAll("+", "-").replaceAll("/", "_")]) {
        expect(await shown(`is ${text} it`, { accessToken })).toMatch(/^is \S{0,4}<redacted>\S{0,8} it$/)
      }
    }
  })

  test("is left in the service's host name, since a short one can be a word in it", async () => {
    const transport = recording(() => new Response("", { status: 500 }))
    const { spans, ...tracer } = recordingTracer()
    const call = face(
      { ...transport, tracer },
      {
        baseUrl: "http://127.0.0.1:8080/v2",
        accessToken: "127",
        clientId: "v2"
      }
    )
    const error = failure(await call("anime.search", { q: "127" }))
    const url = "http://127.0.0.1:8080/<redacted>/anime?q=<redacted>&limit=100"
    expect(error).toMatchObject({ _tag: "ClientRestError", url })
    expect(spans.map(({ attributes }) => attributes.get("url.full"))).toEqual([url, url])
  })

  test("is redacted in a transport's defect", async () => {
    const cause = new Error("dead")
    const layer = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) =>
        Effect.die(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
      )
    )
    const error = failure(
      await face({ layer, fetch: () => Promise.reject(cause) }, { accessToken: token, clientId: id })("anime.get", {
        id: 1
      })
    )
    expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "Transport", cause: { message: "dead" } })
    expectNoSecret(printedInNode(error))
  })

  test.each(["https://user:hunter2@x.example", "htps//user:hunter2@host", "https://user:hunter2@ho st/"])(
    "is not shown of the base URL %s",
    async (baseUrl) => {
      const transport = recording(() => json({}))
      const error = await Promise.resolve()
        .then(() => face(transport, { baseUrl })("anime.get", { id: 1 }))
        .then(failure, (thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).not.toContain("hunter2")
    }
  )
})

onlyEffect(test)(
  "a call that is cancelled before it reads credentials redacts known ones, and reads none",
  async () => {
    const { layer } = recording(() => json(anime))
    let reads = 0
    const accessToken = Effect.sync(() => {
      reads++
      return Option.some(Redacted.make(token))
    })
    const cancelled = Catalog.anime.get({ id: 1 }, { signal: AbortSignal.abort(`enough of ${token}`) })
    const calls = Effect.zipRight(Catalog.anime.get({ id: 1 }), Effect.flip(cancelled))
    const live = Layer.merge(layer, Credentials.layer({ accessToken }))
    const error = await Effect.runPromise(Effect.provide(calls, live))
    expect(error).toMatchObject({ reason: "Cancelled", cause: { message: "enough of <redacted>" } })
    expect(reads).toBe(1)
  }
)

onlyEffect(test).each(["accessToken", "clientId"] as const)(
  "the %s that was sent is cut out, however many came after it",
  async (slot) => {
    let current = token
    const credentials = Credentials.make({ [slot]: Effect.sync(() => Option.some(Redacted.make(current))) })
    const get = Effect.provideService(Catalog.anime.get({ id: 1 }), Credentials, credentials)
    const others = recording(() => json(anime))
    const { layer } = recording(async () => {
      for (const other of [1, 2, 3, 4, 5]) {
        current = `another-credential-${other}`
        await Effect.runPromise(Effect.provide(get, others.layer))
      }
      return new Response(`no to ${token}`, { status: 400 })
    })
    const error = await Effect.runPromise(Effect.flip(Effect.provide(get, layer)))
    expect(error).toMatchObject({ body: "no to <redacted>" })
  }
)

test("a link with a replaced token is redacted", async () => {
  const next = `https://x.example/?offset=0&token=${encodeURIComponent(token)}`
  const { catalog } = catalogOver(() => json({ data: [{ node: { id: 1, title: "x" } }], paging: { next } }), {
    accessToken: token
  })
  const walk = async () => {
    for await (const _ of catalog.anime.search.pages({ q: "x" }, { prefetch: 0 })) {
      for (let other = 0; other < 6; other++) {
        catalog.accessToken = `another-token-${other}`
        await catalog.anime.search({ q: "x" })
      }
    }
  }
  await expect(walk()).rejects.toMatchObject({
    body: { paging: { next: "https://x.example/?offset=0&token=<redacted>" } }
  })
})

onlyEffect(test)("printing a configuration shows no header that holds a secret", async () => {
  const settingsOf = (headers: CatalogOptions["headers"], changes: Partial<ServiceProfile> = {}) => {
    const profile = CatalogConfig.layer({ profile: { ...ServiceProfile.default, ...changes } })
    const layer = Layer.provideMerge(profile, CatalogConfig.layer({ headers }))
    return Effect.runPromise(Effect.provide(CatalogConfig, layer))
  }
  const secrets = { authorization: "Basic aHVudGVyMg==", cookie: "sid=hunter2", "x-api-key": "hunter2" }
  const headers = { ...secrets, "x-mine": Redacted.make("hunter2"), "x-plain": "plain", "X-MAL-Client-ID": "hunter2" }
  const settings = await settingsOf(headers)
  expect(JSON.stringify(settings.headers)).toBe(
    '{"authorization":"<redacted>","cookie":"<redacted>","x-api-key":"<redacted>","x-mine":"<redacted>","x-plain":"plain","x-mal-client-id":"<redacted>"}'
  )
  expect(inspect(settings, { depth: 20, showHidden: true, customInspect: false })).not.toMatch(/hunter2|aHVudGVy/)
  // Those of the profile, and `authorization` under any.
  const profile = { clientId: { header: "X-Client", prefix: "" }, accessToken: { header: "x-token", prefix: "" } }
  const other = await settingsOf({ authorization: "Basic aHVudGVyMg==", "x-client": "hunter2" }, profile)
  expect(JSON.stringify(other.headers)).toBe('{"authorization":"<redacted>","x-client":"<redacted>"}')
})

onlyEffect(test)("a secret is not printed with a request that is logged", async () => {
  const { layer } = recording(() => json(anime))
  const { lines, layer: logger } = recordingLogger()
  const nosy = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, HttpClient.tapRequest(Effect.log)))
  const transport = Layer.provideMerge(Layer.provideMerge(nosy, layer), logger)
  const twice = Effect.replicateEffect(Catalog.anime.get({ id: 1 }), 2)
  const live = Layer.merge(transport, Credentials.layer({ accessToken: token, clientId: id }))
  await Effect.runPromise(Effect.provide(twice, live))
  const printed = lines.map(({ printed }) => printed).join("")
  expect(printed).toContain("x-mal-client-id")
  expectNoSecret(printed)
})

describe.each(faces)("on the %s face, a part of a secret", (_, face) => {
  const shown = shownBy(face)

  test.each([
    ["all but its last character", `${long.slice(0, -1)}…`, "<redacted>…"],
    ["its last 30 characters", `…${long.slice(-30)} `, "…<redacted> "],
    ["12 characters from its middle", `got ${long.slice(33, 45)}.`, "got <redacted>."],
    ["one part of a JWT", `payload ${long.split(".")[1]} is bad`, "payload <redacted> is bad"],
    ["two of its parts", `${long.slice(0, 20)} … ${long.slice(-20)}`, "<redacted> … <redacted>"]
  ])("is redacted: %s", async (_, body, expected) => {
    expect(await shown(body)).toBe(expected)
    expect(await shown(JSON.stringify({ message: body }))).toEqual({ message: expected })
  })

  test.each([
    ["in lines", `token:\n${long.replace(/.{40}/g, "$&\n")}\nend`],
    ["in lines, in JSON within a text", `token:\\n${long.replace(/.{40}/g, "$&\\r\\n")}\\nend`],
    ["in lines of a URL", `token:%0A${long.replace(/.{40}/g, "$&%0D%0A")}%0Aend`]
  ])("is redacted: %s", async (_, body) => {
    expect(await shown(body)).toMatch(/^token:\S{0,3}\s?<redacted>\S{0,6}\s*<redacted>\S{0,3}\s?\S{0,2}end$/)
  })

  test("of 125 000 characters is redacted like any other", async () => {
    const accessToken = Array.from({ length: 25_000 }, (_, at) =>
      (at * 7919).toString(36).padStart(6, "x").slice(-5)
    ).join("")
    expect(accessToken).toHaveLength(125_000)
    expect(await shown(`no to ${accessToken.slice(70_000, 70_100)}`, { accessToken })).toBe("no to <redacted>")
  })

  test("is found in any body in bounded time, with any number of secrets", async () => {
    const secrets = Array.from({ length: 8 }, (_, at) => [`x-secret-${at}`, Redacted.make(`${at}${long}${at}`)])
    const headers = { ...Object.fromEntries(secrets), "x-marks": Redacted.make(marks) } as Record<
      string,
      Redacted.Redacted
    >
    const bodies = [
      JSON.stringify(Array.from({ length: 2_000_000 }, () => 1)),
      JSON.stringify(Array.from({ length: 120_000 }, () => 1)),
      JSON.stringify([long, ...Array.from({ length: 30_000 }, () => 1)]),
      "%25".repeat(1_000_000),
      "&amp;".repeat(50_000),
      encodeURIComponent(`/+=&<>"'/`),
      JSON.stringify("\\".repeat(60_000)),
      JSON.stringify(long.slice(0, 11).repeat(10_000))
    ]
    for (const body of bodies) {
      const started = performance.now()
      await shown(body, { accessToken: "a".repeat(4_000), clientId: long.slice(2), headers })
      expect(performance.now() - started, body.slice(0, 20)).toBeLessThan(1_000)
    }
  })

  test("that is wiped during its call is redacted, too", async () => {
    const [secret, key] = [Redacted.make(long), Redacted.make(`key-${long.slice(3, 60)}`)]
    const transport = recording(() => {
      Redacted.unsafeWipe(secret)
      Redacted.unsafeWipe(key)
      return new Response(`no to ${long} and key-${long.slice(3, 60)}`, { status: 401 })
    })
    const error = failure(
      await face(transport, { accessToken: secret, headers: { "x-key": key } })("anime.get", { id: 1 })
    )
    expect(error).toMatchObject({ body: "no to <redacted> and <redacted>" })
  })
})

onlyEffect(test)("a token that replaces a refused one is redacted, too", async () => {
  const renewed = "a-renewed-token-of-some-length"
  const { fetch } = recording(({ headers }) =>
    json(
      { error: "invalid_token", message: headers["authorization"] },
      { status: headers["authorization"] === `Bearer ${renewed}` ? 400 : 401 }
    )
  )
  const credentials = Credentials.make({
    accessToken: "a-first-token-of-some-length",
    renew: () => Credentials.make({ accessToken: renewed }).accessToken
  })
  await using catalog = createCatalog({ fetch, session: { credentials } })
  const error = await rejection(catalog.anime.get({ id: 1 }))
  expect(error).toMatchObject({ status: 400, serviceMessage: "Bearer <redacted>" })
  expect(JSON.stringify(error)).not.toContain(renewed)
})
