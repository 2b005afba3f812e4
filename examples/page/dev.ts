/**
 * Builds the page and serves it, with the embedded service under /catalog. A real server has a proxy to the service there.
 */
import { EmbeddedCatalog } from "catalog-client/testing"
import { build } from "esbuild"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"

/** The folder of the page: the working directory. */
const folder = process.cwd()

const bundle = await build({
  entryPoints: [join(folder, "main.ts")],
  bundle: true,
  minify: true,
  format: "esm",
  write: false
})
const html = await readFile(join(folder, "index.html"))
const script = bundle.outputFiles[0]?.contents ?? ""

const catalog = EmbeddedCatalog.fetch({ basePath: "/catalog" })

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost")
  const answer = async () => {
    if (pathname.startsWith("/catalog/")) {
      const headers = { accept: request.headers.accept ?? "*/*" }
      const reply = await catalog(`http://localhost${pathname}${search}`, { headers })
      response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
    } else if (pathname === "/main.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script)
    } else {
      const policy = "default-src 'self'"
      response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html)
    }
  }
  answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})

server.listen(Number(process.env["PORT"] ?? 5173), "127.0.0.1", () => {
  const address = server.address()
  console.log(`Listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)
})
