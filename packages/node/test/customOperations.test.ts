/**
 * Operations that a program declares itself, on Node's transport and a real socket: methods that the client's own operations
 * do not use.
 */
import { createCatalog, Operation } from "catalog-client"
import { Schema } from "effect"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../../core/test/support/listen.js"
import { standard } from "../../core/test/support/schemas.js"

const requests: Array<string> = []
const server = createServer((request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const { headers, method, url } = request
    const body = Buffer.concat(parts).toString()
    requests.push(`${method} ${url} ${headers["content-length"] ?? "-"} ${headers.authorization ?? "-"} ${body}`)
    response.writeHead(url === "/v2/away" ? 303 : 200, { location: "/v2/ping" }).end('{"id":1}')
  })
})
let baseUrl = ""
beforeAll(async () => {
  baseUrl = `http://127.0.0.1:${await listen(server)}/v2`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const reply = standard(Schema.Struct({ id: Schema.Number }))
const inputs = { name: standard(Schema.String) }
const post = Operation.make({ name: "own.post", method: "POST", path: "/one", inputs, token: true, reply })
const put = Operation.make({ name: "own.put", method: "PUT", path: "/one", inputs, reply })
const bare = Operation.make({ name: "own.bare", method: "POST", path: "/bare", reply })
const away = Operation.make({ name: "own.away", method: "POST", path: "/away", inputs, reply })

test("POST and PUT send their form, and a redirect is not followed", async () => {
  await using catalog = createCatalog({ baseUrl, accessToken: "t" })
  expect(await catalog.call(post, { name: "a b&c" })).toEqual({ id: 1 })
  expect(await catalog.call(put, { name: "ü" }, { accessToken: undefined })).toEqual({ id: 1 })
  expect(await catalog.call(bare, { timeout: 5_000 })).toEqual({ id: 1 })
  await expect(catalog.call(away, { name: "x" })).rejects.toMatchObject({ status: 303, operation: "own.away" })
  expect(requests).toEqual([
    "POST /v2/one 12 Bearer t name=a+b%26c",
    "PUT /v2/one 11 - name=%C3%BC",
    "POST /v2/bare 0 Bearer t ",
    "POST /v2/away 6 Bearer t name=x"
  ])
})
