/**
 * What can go wrong on the wire, and the outcome of each call: read by the server that does it (`faultServer.ts`), by the tests
 * of Node and Chromium (`wireFaults.suite.ts`) and by the page about it (`docs/faults.md`).
 */

/** A body, or a part of one. */
export type Content =
  /** Sent as UTF-8. */
  | string
  /** Sent a byte for each character. */
  | { readonly latin1: string }
  /** Sent compressed; a number stands for that many megabytes of zeros. */
  | {
      readonly coding: "gzip" | "deflate" | "deflate-raw" | "br"
      readonly of: string | number | Content
      readonly damage?: "corrupt" | "checksum" | "truncated"
    }

/** What the server does with a connection on which a request has arrived, one step after the other. */
export type Step =
  /** Sends this. */
  | string
  | Uint8Array
  /**
   * Sends a whole response that a browser lets the page see, its length included. In the headers `{here}` and `{elsewhere}`
   * become the origins of the server and of another one.
   */
  | { readonly status?: string; readonly headers?: ReadonlyArray<string>; readonly body: Content }
  /** Sends a text many times. */
  | { readonly repeat: string; readonly times: number }
  /** Sends a text, one byte a second. */
  | { readonly drip: string }
  /** Sends nothing for these milliseconds. */
  | { readonly pause: number }
  /** Closes the connection as it should be done, or resets it. */
  | { readonly close: "end" | "reset" }

/** What the server does. It then keeps the connection for another request. */
export type Script = ReadonlyArray<Step>

/** The call's reply, or the members of its error. */
export type Outcome =
  | { readonly answer: unknown }
  | {
      readonly _tag: "ClientRestError"
      readonly reason: "Status" | "InvalidBody"
      readonly status: number
      /** Any, unless given. */
      readonly body?: unknown
    }
  | {
      readonly _tag: "ClientNetworkError"
      readonly reason: "Timeout" | "Transport" | "ResponseTooLarge"
      readonly cause?: { readonly code: string }
    }

/** The transports that are tested with the table, and where they run. */
export const transports = {
  "CatalogNode.layer": "Node",
  "CatalogNode.layer, derived": "Node",
  "FetchHttpClient.layer": "Node",
  "NodeHttpClient.layerUndici": "Node",
  "NodeHttpClient.layer": "Node",
  "CatalogBrowser.layer": "Chromium",
  "FetchHttpClient.layer in Chromium": "Chromium"
} as const

export type Transport = keyof typeof transports

export interface Fault {
  readonly name: string
  /** What happens, for the page; `undefined` for a variant of the fault before, which the page leaves out. */
  readonly does: string | undefined
  /** What the server does when item 1 is asked for, given which request it is on its connection. */
  readonly wire: Script | ((nth: number) => Script) | "no server" | "no such host"
  /** The certificate that the server has. */
  readonly tls?: "in-order" | "wrong-name" | "expired"
  /** The operation that is called; `anime.get` unless given. */
  readonly operation?: string
  /** Milliseconds that the call is given. */
  readonly timeout?: number
  /** Another item is requested first, `pause` milliseconds earlier; its connection is closed, or kept. */
  readonly after?: { readonly pause: number; readonly closed: boolean }
  readonly gives: Outcome
  readonly inChromium?: Outcome
  /** Transports with another outcome. */
  readonly but?: { readonly [name in Transport]?: Outcome }
}

/** How a connection ends. */
export const end: Step = { close: "end" }
export const reset: Step = { close: "reset" }

/** Every item but 1 is answered with this. */
export const well = (id: number): unknown => ({ id, title: `#${id}` })

const one = { id: 1, title: "One" }
const text = JSON.stringify(one)
const html = "<html><body>Something stands in between.</body></html>"

const cors = "access-control-allow-origin: *\r\n"
const ok = `HTTP/1.1 200 OK\r\n${cors}`

const answer = (answer: unknown): Outcome => ({ answer })
const rest = (reason: "Status" | "InvalidBody", status: number, body?: unknown): Outcome => ({
  _tag: "ClientRestError",
  reason,
  status,
  ...(body !== undefined && { body })
})
const network = (reason: "Timeout" | "Transport" | "ResponseTooLarge", code?: string): Outcome => ({
  _tag: "ClientNetworkError",
  reason,
  ...(code !== undefined && { cause: { code } })
})

const tooLarge = network("ResponseTooLarge")
const lost = network("Transport")
const wasReset = network("Transport", "ECONNRESET")
const late = network("Timeout")
const hidden = rest("Status", 0, "")
const stalled = { timeout: 100, gives: late }

/** The platform's clients for Node do not decompress bodies. */
const undecoded = {
  "NodeHttpClient.layerUndici": rest("InvalidBody", 200),
  "NodeHttpClient.layer": rest("InvalidBody", 200)
}

const megabyte = 1024 * 1024
const kept = 8 * 1024
const nested = (depth: number) => `{"id":1,"title":"One","nested":${"[".repeat(depth)}${"]".repeat(depth)}}`
const smuggled = `${ok}content-length: ${text.length}\r\n\r\n${text}`
const redirect = (location: string): Script => [
  { status: "302 Found", headers: [`location: ${location}`, "content-type: text/html"], body: html }
]
const encoded = (coding: string, body: Content): Script => [{ headers: [`content-encoding: ${coding}`], body }]

/** Every fault, by name. */
export const faults: ReadonlyArray<Fault> = [
  {
    name: "connection refused",
    does: "The port is closed.",
    wire: "no server",
    gives: network("Transport", "ECONNREFUSED")
  },
  {
    name: "a name that does not resolve",
    // A label of 64 letters, so no request leaves the machine.
    does: "The host name is invalid.",
    wire: "no such host",
    gives: network("Transport", "ENOTFOUND")
  },
  {
    name: "reset before the headers",
    does: "The request is read, then the connection is reset.",
    wire: [reset],
    gives: wasReset
  },
  {
    name: "closed before the headers",
    does: "The request is read, then the connection is closed.",
    wire: [end],
    gives: lost
  },
  {
    name: "reset within the headers",
    does: "The connection is reset after half of a header's line.",
    wire: [`${ok}content-le`, reset],
    gives: wasReset
  },
  {
    name: "reset after the headers",
    does: "The connection is reset before the first byte of the body.",
    wire: [`${ok}content-length: 1000\r\n\r\n`, reset],
    gives: wasReset
  },
  {
    name: "reset within the body",
    does: "The connection is reset after some bytes of the body.",
    wire: [`${ok}content-length: 1000\r\n\r\n{"id":1,`, reset],
    gives: wasReset
  },
  { name: "stall before the headers", does: "Nothing is ever sent.", wire: [], ...stalled },
  {
    name: "stall within the headers",
    does: "Nothing follows half of a header's line.",
    wire: [`${ok}content-le`],
    ...stalled
  },
  {
    name: "stall after the headers",
    does: "Nothing follows the headers.",
    wire: [`${ok}content-length: 1000\r\n\r\n`],
    ...stalled
  },
  {
    name: "stall within the body",
    does: "Nothing follows some bytes of the body.",
    wire: [`${ok}content-length: 1000\r\n\r\n{"id":1,`],
    ...stalled
  },
  {
    name: "slow drip",
    does: "The body comes one byte a second.",
    wire: [`${ok}content-length: ${text.length}\r\n\r\n`, { drip: text }],
    timeout: 1200,
    gives: late
  },
  {
    name: "truncated body with Content-Length",
    does: "The connection is closed before the length that was announced.",
    wire: [`${ok}content-length: 1000\r\n\r\n{"id":1,`, end],
    gives: lost
  },
  {
    name: "truncated body without Content-Length",
    does: "The connection is closed in the middle of the JSON.",
    wire: [`${ok}connection: close\r\n\r\n{"id":1,`, end],
    gives: rest("InvalidBody", 200, '{"id":1,')
  },
  {
    name: "truncated chunked body",
    does: "The connection is closed before the last chunk.",
    wire: [`${ok}transfer-encoding: chunked\r\n\r\n8\r\n{"id":1,\r\n`, end],
    gives: lost
  },
  {
    name: "Content-Length too long",
    does: "The complete JSON is shorter than announced, and the connection stays open.",
    wire: [`${ok}content-length: ${text.length + 1}\r\n\r\n${text}`],
    ...stalled
  },
  {
    name: "Content-Length too short",
    does: "The body is longer than announced.",
    wire: [`${ok}content-length: 8\r\n\r\n${text}`],
    gives: rest("InvalidBody", 200, text.slice(0, 8))
  },
  {
    name: "chunked garbage",
    does: "A chunk's length is not a number.",
    wire: [`${ok}transfer-encoding: chunked\r\n\r\n8\r\n{"id":1,\r\nzz\r\n"title":"One"}\r\n0\r\n\r\n`],
    gives: lost
  },
  {
    name: "not HTTP",
    does: "The server speaks another protocol.",
    wire: ["SSH-2.0-OpenSSH_9.2\r\n", end],
    gives: lost
  },
  {
    name: "invalid UTF-8",
    does: "A byte in a title is not valid UTF-8.",
    wire: [{ body: { latin1: '{"id":1,"title":"On\xff"}' } }],
    gives: answer({ id: 1, title: "On\uFFFD" })
  },
  {
    name: "gzip",
    does: "The body is compressed.",
    wire: encoded("gzip", { coding: "gzip", of: text }),
    gives: answer(one),
    but: undecoded
  },
  {
    name: "deflate",
    does: "The body is compressed, in zlib's format.",
    wire: encoded("deflate", { coding: "deflate", of: text }),
    gives: answer(one),
    but: undecoded
  },
  {
    name: "raw deflate",
    does: "The body is compressed, without zlib's header.",
    wire: encoded("deflate", { coding: "deflate-raw", of: text }),
    gives: answer(one),
    but: undecoded
  },
  {
    name: "br",
    does: "The body is compressed.",
    wire: encoded("br", { coding: "br", of: text }),
    gives: answer(one),
    but: undecoded
  },
  {
    name: "br, gzip",
    does: "The body is compressed twice.",
    wire: encoded("br, gzip", { coding: "gzip", of: { coding: "br", of: text } }),
    gives: answer(one),
    but: undecoded
  },
  {
    name: "gzip without a header",
    does: "No header says that the body is compressed.",
    wire: [{ body: { coding: "gzip", of: text } }],
    gives: rest("InvalidBody", 200),
    but: { "CatalogNode.layer": answer(one) }
  },
  {
    name: "corrupt gzip",
    does: "The compressed body cannot be decompressed.",
    wire: encoded("gzip", { coding: "gzip", of: text, damage: "corrupt" }),
    gives: lost,
    but: undecoded
  },
  {
    name: "gzip with a wrong checksum",
    does: "The body can be decompressed, but its checksum is wrong.",
    wire: encoded("gzip", { coding: "gzip", of: text, damage: "checksum" }),
    gives: lost,
    inChromium: answer(one),
    but: undecoded
  },
  {
    name: "truncated gzip",
    does: "The compressed body ends too early, in valid HTTP.",
    wire: encoded("gzip", { coding: "gzip", of: text, damage: "truncated" }),
    gives: lost,
    inChromium: rest("InvalidBody", 200),
    but: {
      ...undecoded,
      "CatalogNode.layer, derived": rest("InvalidBody", 200),
      "FetchHttpClient.layer": rest("InvalidBody", 200)
    }
  },
  {
    name: "gzip bomb",
    does: "300 KB become 300 MB.",
    wire: encoded("gzip", { coding: "gzip", of: 300 }),
    gives: tooLarge,
    but: undecoded
  },
  {
    name: "1 MB of headers",
    does: "The headers do not fit.",
    wire: [
      `${ok}content-length: ${text.length}\r\n`,
      { repeat: `x-padding: ${"x".repeat(1000)}\r\n`, times: 1036 },
      `\r\n${text}`
    ],
    gives: lost
  },
  {
    name: "300 MB of body",
    does: "The body does not end.",
    wire: [`${ok}connection: close\r\n\r\n`, { repeat: " ".repeat(megabyte / 16), times: 300 * 16 }, end],
    gives: tooLarge
  },
  {
    name: "300 MB of body, announced",
    does: "The same, with its length in the headers.",
    wire: [`${ok}content-length: ${300 * megabyte}\r\n\r\n`, { repeat: " ".repeat(megabyte / 16), times: 300 * 16 }],
    gives: tooLarge
  },
  {
    name: "JSON nested 100 000 deep",
    does: "A valid reply, except for one unknown member.",
    wire: [{ body: nested(100_000) }],
    gives: rest("InvalidBody", 200, nested(100_000).slice(0, kept))
  },
  {
    name: "JSON nested 100 000 deep, with an error status",
    does: "The same, with status 500.",
    wire: [{ status: "500 Internal Server Error", body: nested(100_000) }],
    gives: rest("Status", 500, nested(100_000).slice(0, kept))
  },
  {
    name: "keys __proto__ and constructor",
    does: "Members are named like those that every object inherits.",
    wire: [
      {
        body: '{"id":1,"title":"One","mean":null,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
      }
    ],
    gives: answer(
      JSON.parse('{"id":1,"title":"One","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    )
  },
  {
    name: "keys __proto__ and constructor, with an error status",
    does: "The same, with status 500.",
    wire: [
      {
        status: "500 Internal Server Error",
        body: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
      }
    ],
    gives: rest(
      "Status",
      500,
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    )
  },
  {
    name: "duplicate keys",
    does: "A member appears twice.",
    wire: [{ body: '{"id":1,"title":"Zero","title":"One"}' }],
    gives: answer(one)
  },
  {
    name: "a number beyond 2^53",
    does: "A number has more digits than a double holds.",
    wire: [{ body: '{"id":1,"title":"One","num_list_users":9007199254740993}' }],
    gives: answer({ ...one, num_list_users: 9007199254740992 })
  },
  {
    name: "HTML with status 200",
    does: "The body is a page instead of JSON.",
    wire: [{ headers: ["content-type: text/html"], body: html }],
    gives: rest("InvalidBody", 200, html)
  },
  {
    name: "redirect to the same origin",
    does: "302, to a path where the item is.",
    wire: redirect("{here}/v2/anime/2"),
    gives: rest("Status", 302, html),
    inChromium: hidden
  },
  {
    name: "redirect to another origin",
    does: "302, to an origin where the item is. It receives nothing.",
    wire: redirect("{elsewhere}/v2/anime/2"),
    gives: rest("Status", 302, html),
    inChromium: hidden
  },
  {
    name: "redirect in a loop",
    does: "302, to the same URL.",
    wire: redirect("{here}/v2/anime/1"),
    gives: rest("Status", 302, html),
    inChromium: hidden
  },
  {
    name: "redirect to file:",
    does: "302, to a file of the client's machine.",
    wire: redirect("file:///etc/hostname"),
    gives: rest("Status", 302, html),
    inChromium: hidden
  },
  {
    name: "valid TLS",
    does: "A certificate of an authority that the client trusts and Chromium does not.",
    wire: [{ body: text }],
    tls: "in-order",
    gives: answer(one),
    inChromium: lost
  },
  {
    name: "TLS with a wrong name",
    does: "The same authority's certificate for another host.",
    wire: [{ body: text }],
    tls: "wrong-name",
    gives: network("Transport", "ERR_TLS_CERT_ALTNAME_INVALID")
  },
  {
    name: "TLS with an expired certificate",
    does: "The same authority's, until 2001.",
    wire: [{ body: text }],
    tls: "expired",
    gives: network("Transport", "CERT_HAS_EXPIRED")
  },
  {
    name: "HTTP/1.0",
    does: "A response of the older version, which ends with the connection.",
    wire: [`HTTP/1.0 200 OK\r\n${cors}\r\n${text}`, end],
    gives: answer(one)
  },
  {
    name: "100 Continue",
    does: "An interim response comes first, unasked.",
    wire: ["HTTP/1.1 100 Continue\r\n\r\n", { body: text }],
    gives: answer(one),
    but: { "FetchHttpClient.layer": lost, "NodeHttpClient.layerUndici": lost }
  },
  {
    name: "100 Continue in one piece with its response",
    does: undefined,
    wire: [`HTTP/1.1 100 Continue\r\nx-proxy: 1\r\n\r\n${ok}content-length: ${text.length}\r\n\r\n${text}`],
    gives: answer(one),
    but: { "FetchHttpClient.layer": lost, "NodeHttpClient.layerUndici": lost }
  },
  {
    name: "304 with a length",
    does: "The response has no body, but a length.",
    wire: [`HTTP/1.1 304 Not Modified\r\n${cors}content-length: 5\r\n\r\n`],
    gives: rest("Status", 304, ""),
    // undici's own interface counts the bytes of a body that is never sent; its `fetch` does not.
    but: { "NodeHttpClient.layerUndici": network("Transport", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") }
  },
  {
    name: "status 099",
    does: "The status is less than 100.",
    wire: [`HTTP/1.1 099 None\r\n${cors}content-length: 2\r\n\r\n{}`],
    gives: lost,
    but: { "NodeHttpClient.layer": rest("Status", 99) },
    inChromium: rest("Status", 99)
  },
  {
    name: "103 Early Hints",
    does: "Headers come ahead of the response.",
    wire: ["HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n", { body: text }],
    gives: answer(one)
  },
  {
    name: "a keep-alive connection closed between two requests",
    does: "It is closed after a response; the next call comes later.",
    wire: [{ body: text }],
    after: { pause: 200, closed: true },
    gives: answer(one)
  },
  {
    name: "a keep-alive connection closed by the next request",
    does: "It is closed as the next request arrives on it. A read is sent once more.",
    wire: (nth) => (nth === 1 ? [{ body: text }] : [end]),
    after: { pause: 50, closed: false },
    gives: answer(one),
    but: { "FetchHttpClient.layer": lost, "NodeHttpClient.layerUndici": lost }
  },
  {
    name: "a keep-alive connection reset by the next request",
    does: undefined,
    wire: (nth) => (nth === 1 ? [{ body: text }] : [reset]),
    after: { pause: 50, closed: false },
    gives: answer(one),
    but: { "FetchHttpClient.layer": lost, "NodeHttpClient.layerUndici": lost }
  },
  {
    name: "a keep-alive connection closed by a write",
    does: "The request is a deletion, which the service may have handled.",
    wire: (nth) => (nth === 1 ? [{ body: text }] : [end]),
    operation: "anime.deleteFromList",
    after: { pause: 50, closed: false },
    gives: lost,
    // It keeps none alive.
    but: { "NodeHttpClient.layer": answer(undefined) }
  },
  {
    name: "a keep-alive connection closed within the next response",
    does: undefined,
    wire: (nth) => (nth === 1 ? [{ body: text }] : ["HTTP/1.1 2", end]),
    after: { pause: 50, closed: false },
    gives: lost,
    but: { "NodeHttpClient.layer": answer(one) }
  },
  {
    name: "204 with a body",
    does: "The response to a deletion has a length and a body.",
    wire: [`HTTP/1.1 204 No Content\r\n${cors}content-length: ${smuggled.length}\r\n\r\n${smuggled}`],
    operation: "anime.deleteFromList",
    gives: answer(undefined)
  },
  {
    name: "204 instead of a body",
    does: "The response to a read has status 204.",
    wire: [`HTTP/1.1 204 No Content\r\n${cors}\r\n`],
    gives: rest("InvalidBody", 204, "")
  }
]

/** The outcome of a fault with a transport. A browser does not say why there was no response. */
export const outcomeOf = (fault: Fault, transport: Transport): Outcome => {
  const {
    gives,
    inChromium = "reason" in gives && gives._tag === "ClientNetworkError" ? network(gives.reason) : gives
  } = fault
  return fault.but?.[transport] ?? (transports[transport] === "Chromium" ? inChromium : gives)
}
