import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { type Browser, chromium } from "playwright"
import { serve, type ServedCatalog } from "catalog-client/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../../packages/core/test/support/listen.js"
import { chromiumArgs, findExecutable } from "../executables.mjs"
import { installed } from "../runtimes/run.mjs"
import { newProject, packCatalogClient, peers, run, temporaryFolder } from "../packed.js"
import { read } from "../readme.js"
import { programs, title } from "./programs.js"

const folder = temporaryFolder()
const out = join(folder, "out")

const bundle =
  (name: string, ...target: ReadonlyArray<string>) =>
  async (program: string): Promise<ReadonlyArray<string>> => {
    const script = join(import.meta.dirname, "tools/bundle.mjs")
    const printed = await run(
      folder,
      process.execPath,
      script,
      name,
      folder,
      `${program}.js`,
      join(out, name),
      ...target
    )
    return JSON.parse(/^\[.*\]$/m.exec(printed)?.[0] ?? "") as ReadonlyArray<string>
  }

/** Each bundles a program into its own folder, and returns its warnings. */
const bundlers: Readonly<Record<string, (program: string) => Promise<ReadonlyArray<string>>>> = {
  esbuild: bundle("esbuild"),
  rollup: bundle("rollup"),
  webpack: bundle("webpack"),
  rolldown: bundle("rolldown"),
  vite: bundle("vite"),
  rspack: bundle("rspack"),
  bun: async (program) => {
    const options = ["--minify", "--target=browser", "--outdir", join(out, "bun")]
    const printed = await run(folder, installed("bun"), "build", `${program}.js`, ...options)
    return printed.split("\n").filter((line) => line.startsWith("warn"))
  }
}

let browser: Browser
let server: Server
let service: ServedCatalog
let origin: string

beforeAll(async () => {
  await newProject(folder, [...peers, await packCatalogClient(folder)])
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, `${name}.js`), text)
  }
  for (const name of Object.keys(bundlers)) {
    mkdirSync(join(out, name), { recursive: true })
  }
  service = await serve({ cors: true })
  server = createServer(({ url = "" }, response) => {
    if (url.endsWith(".js")) {
      response.setHeader("content-type", "text/javascript").end(readFileSync(join(out, url)))
    } else {
      response.setHeader("content-type", "text/html").setHeader("content-security-policy", "script-src 'self'")
      response.end(`<!doctype html><title></title><script type="module" src="${url}.js"></script>`)
    }
  })
  origin = `http://127.0.0.1:${await listen(server)}`
  browser = await chromium.launch({ executablePath: findExecutable("chromium") ?? "chromium", args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  server.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The table of docs/decisions/compatibility.md: kB of each program, by bundler. */
const documented = Object.fromEntries(
  Array.from(
    read("docs/decisions/compatibility.md").matchAll(/^[|] (\w+) [\d.]+ ((?:[|] [\d.]+ ){3})[|]$/gm),
    ([, name = "", cells = ""]) => [name.toLowerCase(), cells.split("|").slice(1).map(Number)]
  )
)

test("the table has a row for each bundler", () => {
  expect(Object.keys(documented)).toEqual(Object.keys(bundlers))
})

test.each(["webpack", "rspack"])(
  "%s bundles a program that opens a browser, if it can, without a warning",
  async (name) => {
    writeFileSync(join(folder, "terminal.js"), `export { createSession } from "catalog-client/oauth"`)
    expect(await bundle(name, "node20")("terminal")).toEqual([])
  }
)

describe.each(Object.entries(bundlers))("%s", (bundler, bundle) => {
  const names = Object.keys(programs)

  test.each(names)("bundles without a warning about the packages: %s", async (name) => {
    expect((await bundle(name)).filter((warning) => /catalog-client[/]/.test(warning))).toEqual([])
  })

  test("makes bundles as large as the table says, within 2 kB", () => {
    const sizes = names.map(
      (name) => gzipSync(readFileSync(join(out, bundler, `${name}.js`)), { level: 9 }).length / 1000
    )
    const rows = documented[bundler] ?? []
    expect(sizes.map((kB, nth) => (Math.abs(kB - (rows[nth] ?? 0)) < 2 ? rows[nth] : Number(kB.toFixed(1))))).toEqual(
      rows
    )
  })

  test.each(names)("makes what runs in Chromium under a content security policy: %s", async (name) => {
    const page = await browser.newPage()
    const failures: Array<string> = []
    page.on("pageerror", ({ message }) => failures.push(message))
    page.on("console", (message) => failures.push(message.text()))
    await page.goto(`${origin}/${bundler}/${name}#${service.url}`)
    await expect.poll(async () => failures.join() + (await page.title()), { timeout: 60_000 }).not.toBe("")
    expect([await page.title(), ...failures]).toEqual([title])
    await page.close()
  })
})
