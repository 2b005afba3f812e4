/**
 * What the server of the soak does to a connection on which a request has arrived, by name: every fault of `wireFaults.ts`,
 * and what a single call cannot show.
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { end, faults, reset, type Script, type Step } from "../../packages/core/test/support/wireFaults.js"

/** A request, and a good reply to it. */
export interface Asked {
  readonly origin: string
  /** Which one it is on its connection, from 1. */
  readonly nth: number
  readonly reply: Readonly<Record<string, unknown>>
}

type Behaviour = (asked: Asked) => Script

/** The id of a response that belongs to no request. */
export const smuggledId = 666_666

const kilobyte = 1024
const endless = 100_000
const sized = (bytes: number | "chunked", ...headers: ReadonlyArray<string>) =>
  ["HTTP/1.1 200 OK", ...headers, bytes === "chunked" ? "transfer-encoding: chunked" : `content-length: ${bytes}`]
    .concat("", "")
    .join("\r\n")

const well: Behaviour = ({ reply }) => [{ body: JSON.stringify(reply) }]

/** A list goes on with this link. */
const linked =
  (link: (origin: string) => unknown): Behaviour =>
  ({ origin, reply }) => [{ body: JSON.stringify({ ...reply, paging: { next: link(origin) } }) }]

const refused =
  (status: string, body = '{"error":"refused","message":"no"}', ...headers: ReadonlyArray<string>): Behaviour =>
  () => [{ status, headers, body }]

const coders = { gzip: gzipSync, deflate: deflateSync, "raw deflate": deflateRawSync, br: brotliCompressSync }

const afterwards: Readonly<Record<string, ReadonlyArray<Step>>> = {
  silence: [],
  "a byte now and then": Array.from({ length: 40 }, () => ["\0", { pause: 50 }]).flat(),
  "a flood": [{ repeat: "\0".repeat(64 * kilobyte), times: endless }],
  "a reset": [reset],
  "an end": ["\0".repeat(kilobyte), end]
}

/** A compressed body is over, but not the response. */
const afterTheEnd = Object.entries(coders).flatMap(([coding, compress]) =>
  Object.entries(afterwards).map(([name, steps]): [string, Behaviour] => [
    `${coding}, and then ${name}`,
    ({ reply }) => [
      sized(2 ** 30, `content-encoding: ${coding.replace("raw ", "")}`),
      compress(JSON.stringify(reply)),
      ...steps
    ]
  ])
)

const ofTheWire = faults.flatMap(({ name, wire, tls }): ReadonlyArray<[string, Behaviour]> =>
  typeof wire === "string" || tls !== undefined
    ? []
    : [[name, ({ nth }) => (typeof wire === "function" ? wire(nth) : wire)]]
)

const pieces = (text: string): ReadonlyArray<Step> =>
  (text.match(/[^]{1,20}/g) ?? []).flatMap((piece): ReadonlyArray<Step> => [piece, { pause: 5 }])

/** Every other request is answered by `well`, and the others by one of these. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  well,
  "well, then closed": (asked) => [...well(asked), end],
  "well, then reset": (asked) => [...well(asked), reset],
  "late headers": (asked) => [{ pause: 60 }, ...well(asked)],
  "headers in pieces": ({ reply }) => {
    const body = JSON.stringify(reply)
    return [...pieces(sized(body.length)), body]
  },
  "a body in pieces": ({ reply }) => {
    const body = JSON.stringify(reply)
    return [sized(body.length), ...pieces(body)]
  },
  "a flood in chunks": () => [
    sized("chunked"),
    { repeat: `10000\r\n${" ".repeat(64 * kilobyte)}\r\n`, times: endless }
  ],
  "a flood of headers": () => [
    "HTTP/1.1 200 OK\r\n",
    { repeat: `x-flood: ${"y".repeat(1000)}\r\n`.repeat(10), times: endless }
  ],
  "a flood of interim answers": () => [{ repeat: "HTTP/1.1 103 Early Hints\r\n\r\n", times: 200 }, reset],
  // In one write: no client can tell one that arrives later from the reply to the next request of the connection.
  "two answers": ({ reply }) => {
    const answers = [reply, { id: smuggledId, title: "not asked for" }].map((answer) => JSON.stringify(answer))
    return [answers.map((answer) => sized(Buffer.byteLength(answer)) + answer).join("")]
  },
  "an empty body": () => [{ body: "" }],
  "another shape": () => [{ body: '[null,{"data":null}]' }],
  "data that is no list": ({ reply }) => [{ body: JSON.stringify({ ...reply, data: { 0: 1 } }) }],
  "a long array, with an error status": refused("500 Internal Server Error", `[${"1,".repeat(20_000)}1]`),
  "a long text, with an error status": refused("502 Bad Gateway", "<p>".repeat(30_000), "content-type: text/html"),
  unauthorised: refused("401 Unauthorized"),
  forbidden: refused("403 Forbidden", "<html>", "content-type: text/html"),
  "not found": refused("404 Not Found"),
  throttled: refused("429 Too Many Requests", "", "retry-after: 0"),
  "throttled for long": refused("429 Too Many Requests", "", "retry-after: 99999999999"),
  "throttled until a past date": refused("503 Service Unavailable", "", "retry-after: Mon, 01 Jan 2001 00:00:00 GMT"),
  "a redirect of a write": refused("307 Temporary Redirect", "", "location: {here}/v2/anime/2"),
  "a link to the same page": linked((origin) => `${origin}/v2/anime?offset=0`),
  "a link to another origin": linked(() => "http://127.0.0.1:1/v2/anime?offset=100"),
  "a link that is none": linked(() => ({})),
  "an empty link": linked(() => ""),
  "a link with many parameters": linked((origin) => `${origin}/v2/anime?offset=100${"&a=1".repeat(2000)}`),
  ...Object.fromEntries(afterTheEnd),
  ...Object.fromEntries(ofTheWire)
}

/** Behaviours that cost much to send, or to receive. */
export const isHeavy = (name: string): boolean => /flood|bomb|100 000|300 MB|1 MB|long array/.test(name)
