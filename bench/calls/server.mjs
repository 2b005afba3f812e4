// The service that every client calls: prepared responses over bare sockets, so that it is never the bottleneck.
import { createServer } from "node:net"
import { bodies } from "./bodies.mjs"

const cors = [
  "access-control-allow-origin: *",
  "access-control-allow-headers: accept, authorization, content-type, x-mal-client-id",
  "access-control-max-age: 7200"
]

/**
 * @param {string} status
 * @param {string} body
 * @param {ReadonlyArray<string>} headers
 */
const answer = (status, body, ...headers) =>
  Buffer.from(
    [
      `HTTP/1.1 ${status}`,
      "date: Sat, 21 Nov 2026 09:00:00 GMT",
      "content-type: application/json; charset=UTF-8",
      "cache-control: private, no-store",
      "vary: accept-encoding",
      ...headers,
      ...cors,
      `content-length: ${Buffer.byteLength(body)}`,
      "",
      body
    ].join("\r\n")
  )

/**
 * The same without its length, in two chunks.
 *
 * @param {Buffer} whole
 */
const inChunks = (whole) => {
  const [head = "", body = ""] = whole.toString().split("\r\n\r\n")
  const bytes = Buffer.from(body)
  const half = bytes.length >> 1
  const chunks = [bytes.subarray(0, half), bytes.subarray(half), Buffer.alloc(0)]
  return Buffer.concat([
    Buffer.from(`${head.replace(/content-length: \d+/, "transfer-encoding: chunked")}\r\n\r\n`),
    ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")])
  ])
}

const { anime, page } = await bodies()
const answers = {
  anime: answer("200 OK", anime),
  chunked: inChunks(answer("200 OK", anime)),
  page: answer("200 OK", page),
  preflight: answer("204 No Content", "")
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = ""
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    const requests = (rest + chunk.toString("latin1")).split("\r\n\r\n")
    rest = requests.pop() ?? ""
    for (const request of requests) {
      if (request.startsWith("GET /v2/never")) {
        continue
      }
      const [, path = ""] = request.split(" ", 2)
      socket.write(
        request.startsWith("OPTIONS")
          ? answers.preflight
          : path.startsWith("/v2/users")
            ? answers.page
            : path.startsWith("/v2/chunked")
              ? answers.chunked
              : answers.anime
      )
    }
  })
})

server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  process.send?.({ url: `http://127.0.0.1:${port}/v2`, anime, page })
})
