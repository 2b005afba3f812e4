import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"
import { chromium } from "playwright"
import type { TestProject } from "vitest/node"
import { isFull } from "../../packages/core/test/support/full.js"
import { chromiumArgs, findExecutable } from "../../test/executables.mjs"
import { root } from "../../test/readme.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the tests find the built site. */
    siteUrl: string
    /** Where they find the one Chromium of all files. */
    chromiumUrl: string
  }
}

const folder = join(root, ".cache/site")

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2"
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

const build = async (): Promise<void> => {
  // The compiler takes seconds of CPU time for the hovers of a page.
  const env = { ...process.env, ...(isFull ? {} : { CATALOG_HOVERS: "none" }) }
  const child = spawn("node site/generate/reference.mjs && npm --prefix site run build", {
    cwd: root,
    env,
    shell: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => (output += String(part)))
  }
  const [code] = await once(child, "exit")
  if (code !== 0) {
    throw new Error(`The site cannot be built.\n${output}`)
  }
}

/** What the tests need beside the site: a page between two others, which asks for no icon, and axe-core. */
const extras: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  "/empty": ["text/html", '<link rel="icon" href="data:,">'],
  "/axe.min.js": ["text/javascript", readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"))]
}

/** Serves the built site as a static host does: `/errors` is `errors.html`, `/operations/` is its `index.html`. */
const serve = async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1")
    const [type, body] = extras[pathname] ?? []
    if (type !== undefined) {
      response.writeHead(200, { "content-type": type }).end(body)
      return
    }
    const path = join(folder, normalize(decodeURIComponent(pathname)))
    const found = [path, `${path}.html`, join(path, "index.html")].find(isFile)
    const file = found ?? join(folder, "404.html")
    response.writeHead(found === undefined ? 404 : 200, {
      "content-type": types[extname(file)] ?? "application/octet-stream"
    })
    response.end(readFileSync(file))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return server
}

/** Builds the site once, or with `CATALOG_SITE=built` takes the last build; serves it; starts one Chromium. */
export default async (project: TestProject) => {
  if (process.env["CATALOG_SITE"] !== "built") {
    await build()
  }
  const server = await serve()
  const browser = await chromium.launchServer({
    executablePath: findExecutable("chromium") ?? "chromium",
    args: chromiumArgs,
    host: "127.0.0.1"
  })
  project.provide("siteUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  project.provide("chromiumUrl", browser.wsEndpoint())
  return async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
