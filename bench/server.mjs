// The service that every client calls: prepared responses over bare sockets, so that it is never the bottleneck. The bodies are the
// embedded service's replies, with additional members that the models do not know. A list of 1 000 entries comes in one page, or in ten.
import { once } from "node:events"
import { createServer } from "node:net"
import { animeListOf, generatedAnime, sample, serve } from "catalog-client/testing"
import { fields, id } from "./request.mjs"

/** The embedded service on a port, with a long list of invented anime of its first user. @param {number} count */
export const serveLongList = (count) => {
  const data = sample()
  const invented = generatedAnime(count)
  const users = data.users.map((user, index) => (index === 0 ? { ...user, animeList: animeListOf(invented, 1) } : user))
  return serve({ dataset: { ...data, anime: [...data.anime, ...invented], users } })
}

/** JSON as the service writes it: everything beyond ASCII is escaped. @param {unknown} value */
const textOf = (value) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** One anime of about 1.8 kB, and the entries of a list. */
const bodies = async () => {
  const service = await serveLongList(1000)
  const read = async (/** @type {string} */ path) =>
    (await fetch(service.url + path, { headers: { authorization: "Bearer embedded-token" } })).json()
  const anime = await read(`/anime/${id}?fields=${fields.join(",")}`)
  const more = "list_status,genres,mean,num_episodes,start_season,studios"
  const page = await read(`/users/@me/animelist?limit=1000&nsfw=true&fields=${more}`)
  await service.close()
  /** @type {ReadonlyArray<{ readonly node: object, readonly list_status: object }>} */
  const entries = page.data
  return {
    anime: textOf({ ...anime, approximate_age: { low: 13, high: 17 } }),
    entries: entries.map(({ node, list_status }, index) => ({
      node: { ...node, blurhash: "LEHV6nWB2yk8", streams: [{ site: "example", since: 2015 + (index % 9) }] },
      list_status: { ...list_status, mood: "calm" }
    }))
  }
}

const head = `HTTP/1.1 200 OK
date: Sat, 21 Nov 2026 09:00:00 GMT
content-type: application/json; charset=UTF-8
cache-control: private, no-store
vary: accept-encoding
`.replaceAll("\n", "\r\n")

/** @param {string} body */
const declared = (body) => Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

/** The same without its length, in two chunks. The body is ASCII. @param {string} body */
const chunked = (body) => {
  const half = body.length >> 1
  const chunks = [body.slice(0, half), body.slice(half), ""].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  )
  return Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${chunks.join("")}`)
}

const main = async () => {
  const { anime, entries } = await bodies()
  const server = createServer({ noDelay: true }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  const url = `http://127.0.0.1:${port}/v2`
  /** The page at an offset; the client that sends the link follows it. @param {number} offset */
  const pageAt = (offset) => ({
    data: entries.slice(offset, offset + 100),
    paging: offset < 900 ? { next: `${url}/pages/users/@me/animelist?offset=${offset + 100}&limit=100` } : {}
  })
  /** What answers a request, by how its path begins; a list in pages, by its offset in hundreds. */
  const answers = /** @type {const} */ ([
    ["/v2/never", []],
    ["/v2/chunked", [chunked(anime)]],
    ["/v2/pages", Array.from({ length: 10 }, (_, page) => declared(textOf(pageAt(page * 100))))],
    ["/v2/users", [declared(textOf({ data: entries, paging: {} }))]],
    ["/v2", [declared(anime)]]
  ])
  server.on("connection", (socket) => {
    let rest = ""
    socket.on("error", () => {})
    socket.on("data", (chunk) => {
      const requests = (rest + chunk.toString("latin1")).split("\r\n\r\n")
      rest = requests.pop() ?? ""
      for (const request of requests) {
        const [, path = ""] = request.split(" ", 2)
        const offset = Number(/\boffset=(\d+)/.exec(path)?.[1] ?? 0)
        socket.write(answers.find(([begin]) => path.startsWith(begin))?.[1][offset / 100] ?? "")
      }
    })
  })
  process.send?.({ url })
}

/** Started with a number, it is the embedded service with a list of that length. */
const entries = Number(process.argv[2])
if (entries > 0) {
  process.send?.({ url: (await serveLongList(entries)).url })
} else {
  await main()
}
