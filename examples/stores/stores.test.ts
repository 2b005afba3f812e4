import { serve } from "catalog-client/testing"
import { build, type Plugin } from "esbuild"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"

const here = import.meta.dirname
/** SQLite in WebAssembly, which runs on every version of Node. It is not bundled, since it reads a file beside it. */
const wasm = createRequire(join(here, "../../packages/node/package.json")).resolve("node-sqlite3-wasm")
const sqlite: Plugin = {
  name: "sqlite",
  setup: (build) => {
    build.onResolve({ filter: /^node:sqlite$/ }, ({ path }) => ({ path, namespace: "sqlite" }))
    build.onLoad({ filter: /.*/, namespace: "sqlite" }, () => ({
      contents: `
        import { createRequire } from "node:module"
        const { Database } = createRequire("file:///")(${JSON.stringify(wasm)})
        export class DatabaseSync {
          #database
          constructor(path) { this.#database = new Database(path) }
          prepare(statement) { return { get: (...values) => this.#database.get(statement, values) } }
          exec(statement) { this.#database.exec(statement) }
          get isTransaction() { return this.#database.inTransaction }
        }`
    }))
  }
}

it("two processes know a visitor, who began at one and came back to the other; one that is killed takes nothing along", async () => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-stores-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, "main.mjs")
  await build({
    absWorkingDir: here,
    entryPoints: ["main.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    plugins: [sqlite],
    logLevel: "error"
  })
  const redirectUri = "http://localhost:3000/callback"
  const service = await serve({ oauth: { clients: { "my-client": { redirectUris: [redirectUri] } } } })
  onTestFinished(() => service.close())
  const { authorizeUrl, tokenUrl } = service.profile.oauth
  const start = async () => {
    const child = spawn(process.execPath, [program, join(folder, "sessions.db")], {
      env: {
        CATALOG_AUTHORIZE_URL: authorizeUrl,
        CATALOG_TOKEN_URL: tokenUrl,
        CATALOG_BASE_URL: service.url,
        CATALOG_CLIENT_ID: "my-client",
        CATALOG_REDIRECT_URI: redirectUri,
        PORT: "0"
      }
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const [line] = await once(child.stdout, "data")
    return { child, url: String(line).trim().replace("Listening on ", "") }
  }
  const [one, other] = await Promise.all([start(), start()])
  const visit = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } })
  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ")

  const begun = await visit(`${one.url}/login`)
  const consent = await visit(begun.headers.get("location") ?? "")
  const { search } = new URL(consent.headers.get("location") ?? "")
  const back = await visit(`${other.url}/callback${search}`, cookieOf(begun))
  expect([back.status, back.headers.get("location")]).toEqual([303, "http://localhost:3000/me"])

  const cookie = cookieOf(back)
  const meAt = async ({ url }: { readonly url: string }) => (await visit(`${url}/me`, cookie)).json()
  expect(await Promise.all([meAt(one), meAt(other)])).toEqual([{ name: "sample_reader" }, { name: "sample_reader" }])
  expect((await visit(`${one.url}/me`)).status).toBe(401)

  one.child.kill("SIGKILL")
  expect(await meAt(other)).toEqual({ name: "sample_reader" })
  expect(await meAt(await start())).toEqual({ name: "sample_reader" })
}, 60_000)
