// The service that every client calls: prepared responses over bare sockets, so that it is never the bottleneck. The bodies are
// the embedded service's replies, with additional members that the models do not know.
import { once } from "node:events"
import { createServer } from "node:net"
import { animeListOf, generatedAnime, sample, serve } from "catalog-client/testing"
import { fields, id } from "./contenders.mjs"

/** One anime of about 1.8 kB, and 1 000 entries of a list. */
const replies = async () => {
  const data = sample()
  const invented = generatedAnime(1000)
  const users = data.users.map((user, index) => (index === 0 ? { ...user, animeList: animeListOf(invented, 1) } : user))
  const service = await serve({ dataset: { ...data, anime: [...data.anime, ...invented], users } })
  const read = async (/** @type {string} */ path) =>
    (await fetch(service.url + path, { headers: { authorization: "Bearer embedded-token" } })).json()
  const anime = await read(`/anime/${id}?fields=${fields.join(",")}`)
  const more = "list_status,genres,mean,num_episodes,start_season,studios"
  const page = await read(`/users/@me/animelist?limit=1000&nsfw=true&fields=${more}`)
  await service.close()
  /** @type {ReadonlyArray<{ readonly node: object, readonly list_status: object }>} */
  const entries = page.data
  return {
    anime: { ...anime, approximate_age: { low: 13, high: 17 } },
    entries: entries.map(({ node, list_status }, index) => ({
      node: { ...node, blurhash: "LEHV6nWB2yk8", streams: [{ site: "example", since: 2015 + (index % 9) }] },
      list_status: { ...list_status, mood: "calm" }
    }))
  }
}

/** JSON as the service writes it: everything beyond ASCII is escaped. @param {unknown} value */
const textOf = (value) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const head = `HTTP/1.1 200 OK
date: Sat, 21 Nov 2026 09:00:00 GMT
content-type: application/json; charset=UTF-8
cache-control: private, no-store
vary: accept-encoding
`.replaceAll("\n", "\r\n")

/** @param {unknown} value */
const declared = (value) => {
  const body = textOf(value)
  return Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`)
}

/** A response without its length, in two chunks. @param {unknown} value */
const chunked = (value) => {
  const body = textOf(value)
  const half = body.length >> 1
  const chunks = [body.slice(0, half), body.slice(half), ""].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  )
  return Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${chunks.join("")}`)
}

const { anime, entries } = await replies()
const server = createServer({ noDelay: true }).listen(0, "127.0.0.1")
await once(server, "listening")
const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/v2`

/** A page of a list, which repeats the 1 000 entries up to its length. @param {string} path @param {string} length */
const pageOf = (path, length) => {
  const of = (/** @type {string} */ name) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(path)?.[1] ?? 0)
  const [offset, limit] = [of("offset"), of("limit")]
  const next = `${url}/lists/${length}/users/@me/animelist?offset=${offset + limit}&limit=${limit}`
  const begin = offset % entries.length
  return {
    data: entries.slice(begin, begin + limit),
    paging: offset + limit < Number(length) ? { next } : {}
  }
}

/** @param {string} path */
const prepared = (path) => {
  const [, , what, length = ""] = path.split("/")
  if (what === "never") {
    return Buffer.alloc(0)
  }
  return what === "chunked" ? chunked(anime) : declared(what === "lists" ? pageOf(path, length) : anime)
}

const responses = /** @type {Map<string, Buffer>} */ (new Map())
server.on("connection", (socket) => {
  let rest = ""
  socket.on("error", () => {})
  socket.on("data", (chunk) => {
    const requests = (rest + chunk.toString("latin1")).split("\r\n\r\n")
    rest = requests.pop() ?? ""
    for (const request of requests) {
      const [, path = ""] = request.split(" ", 2)
      const response = responses.get(path) ?? prepared(path)
      responses.set(path, response)
      socket.write(response)
    }
  })
})
process.send?.({ url })
