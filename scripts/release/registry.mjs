// An npm registry in memory, for a release that is not published: it accepts all packages, and shows what it has received.
import { createServer } from "node:http"
import { json } from "node:stream/consumers"

/**
 * @typedef {object} Received What `npm publish` sends, as far as we read it, by the name of a package.
 * @property {string} name
 * @property {Record<string, string>} dist-tags
 * @property {Record<string, import("../workspace.mjs").Manifest>} versions
 */

/** @type {Map<string, Received>} */
const packages = new Map()

/**
 * Like npm's: the first version of a package also becomes `latest`.
 *
 * @param {string} name
 * @param {Received} received
 */
const keep = (name, { versions, "dist-tags": tags }) => {
  const [first = ""] = Object.keys(versions)
  const known = packages.get(name) ?? { name, versions: {}, "dist-tags": { latest: first } }
  packages.set(name, {
    name,
    versions: { ...known.versions, ...versions },
    "dist-tags": { ...known["dist-tags"], ...tags }
  })
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
const answer = async (request, response) => {
  const name = decodeURIComponent((request.url ?? "").slice(1))
  if (request.method === "PUT") {
    keep(name, /** @type {Received} */ (await json(request)))
  }
  const found = name === "" ? Object.fromEntries(packages) : packages.get(name)
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" })
  response.end(JSON.stringify(found ?? { error: "not_found" }))
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`)
})
