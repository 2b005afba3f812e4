import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Browser, chromium } from "playwright"
import { serve, type ServedCatalog } from "catalog-client/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../freePort.mjs"
import { chromiumArgs, findExecutable } from "../executables.mjs"
import { packCatalogClient, run, temporaryFolder } from "../packed.js"
import { filesIn, root } from "../readme.js"

const folder = temporaryFolder()
const pnpm = join(root, "node_modules/.bin/pnpm")

let browser: Browser
let service: ServedCatalog
const received: Array<string> = []

/** A project with the frameworks at their pinned versions, and catalog-client. */
beforeAll(async () => {
  cpSync(join(import.meta.dirname, "frameworks"), folder, { recursive: true })
  await run(folder, pnpm, "add", "--prefer-offline", await packCatalogClient(folder))
  service = await serve({ onRequest: ({ path }) => received.push(path) })
  browser = await chromium.launch({ executablePath: findExecutable("chromium") ?? "chromium", args: chromiumArgs })
})

afterAll(async () => {
  await browser.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Signs a visitor in at the service of this test, as a browser does: the header of a visitor who is signed in. */
const signsIn = async (origin: string) => {
  const open = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } })
  const locationOf = ({ headers }: Response) => headers.get("location") ?? ""
  const begun = await open(`${origin}/login`)
  expect(new URL(locationOf(begun)).origin).toBe(new URL(service.url).origin)
  const [pending = ""] = begun.headers.getSetCookie()
  const back = locationOf(await open(locationOf(begun))).replace(/^https?:[/][/][^/]+/, origin)
  const cookies = (await open(back, pending.split(";")[0])).headers.getSetCookie()
  expect(cookies.map((cookie) => cookie.replace(/[-=].*/, ""))).toEqual(["catalog", "catalog"])
  return { cookie: cookies.at(-1)?.split(";")[0] ?? "" }
}

/** Disconnects while a test route is waiting; the route then prints that it was aborted. */
const leaves = async (url: string): Promise<void> => {
  problems = ""
  const left = new AbortController()
  const gone = fetch(url, { signal: left.signal }).catch(() => undefined)
  await expect.poll(() => problems, { timeout: 20_000 }).toContain("it waits")
  left.abort()
  await gone
  await expect.poll(() => problems, { timeout: 20_000 }).toContain("it was left")
}

const waiting = `async (request: Request) => {
  const left = new Promise((resolve) => request.signal.addEventListener("abort", resolve))
  console.error("it waits")
  await left
  console.error("it was left")
  return new Response()
}`

/** Writes an application into the project; it is the only one in it. */
const write = (files: ReadonlyArray<{ readonly file: string; readonly text: string }>): void => {
  for (const { file, text } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** The files of a page; examples/recipes.test.ts runs those with Effect. */
const withPromises = (page: string) => filesIn(page).filter(({ section }) => section !== "With Effect")

/** What the applications have printed as errors. */
let problems = ""

/** Starts an application on a port; what closes it. */
const started = async (port: string, args: ReadonlyArray<string>): Promise<() => Promise<void>> => {
  const env = {
    ...process.env,
    CATALOG_BASE_URL: service.url,
    CATALOG_CLIENT_ID: service.clientId,
    CATALOG_AUTHORIZE_URL: service.authorizeUrl,
    CATALOG_TOKEN_URL: service.tokenUrl,
    CATALOG_REDIRECT_URI: "http://localhost:8080/callback",
    HOST: "127.0.0.1",
    PORT: port,
    // SvelteKit lets only pages of this origin write.
    ORIGIN: `http://127.0.0.1:${port}`
  }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "inherit", "pipe"] })
  child.stderr.setEncoding("utf8").on("data", (text: string) => (problems += text))
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) {
      throw new Error(`${args.join(" ")} ended with ${child.exitCode}`)
    }
    const isOpen = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false
    )
    if (isOpen) {
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return async () => {
    child.kill("SIGTERM")
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, "exit")
    }
  }
}

/** The text of a page once it has one, without failures. */
const shows = async (url: string, text: string): Promise<void> => {
  const page = await browser.newPage()
  const failures: Array<string> = []
  page.on("pageerror", ({ message }) => failures.push(message))
  await page.goto(url)
  await page.getByText(text).first().waitFor({ timeout: 60_000 })
  expect(failures).toEqual([])
  await page.close()
}

/** The button of the visitor's page writes. */
const writes = async (origin: string, { cookie }: { readonly cookie: string }): Promise<void> => {
  const context = await browser.newContext({ extraHTTPHeaders: { cookie } })
  const page = await context.newPage()
  await page.goto(`${origin}/me`, { waitUntil: "networkidle" })
  await page.getByRole("button", { name: "Add an episode" }).click()
  const shown = page.getByText(/watched$|Not saved/)
  await shown.waitFor({ timeout: 60_000 })
  expect(await shown.textContent()).toMatch(/\d+ watched$/)
  await context.close()
}

const get = async (url: string, headers = {}): Promise<readonly [number, string]> => {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
  return [response.status, await response.text()]
}

describe("Next", () => {
  const next = join(folder, "node_modules/next/dist/bin/next")
  let origin = ""
  let close = async () => {}

  beforeAll(async () => {
    const layout = `import type { ReactNode } from "react"
      export default function Layout({ children }: { readonly children: ReactNode }) {
        return <html lang="en"><body>{children}</body></html>
      }`
    const compilerOptions = {
      strict: true,
      target: "ES2022",
      module: "esnext",
      moduleResolution: "bundler",
      jsx: "react-jsx",
      skipLibCheck: true,
      noEmit: true,
      incremental: true,
      paths: { "@/*": ["./*"] }
    }
    write([
      ...withPromises("docs/recipes/next.md"),
      { file: "app/waiting/route.ts", text: `export const GET = ${waiting}` },
      { file: "app/layout.tsx", text: layout },
      // As `create-next-app` writes it.
      { file: "next.config.mjs", text: "export default { cacheComponents: true, partialPrefetching: true }\n" },
      { file: "next-env.d.ts", text: '/// <reference types="next" />\n' },
      { file: "tsconfig.json", text: JSON.stringify({ compilerOptions, include: ["**/*.ts", "**/*.tsx"] }) }
    ])
    process.env["NEXT_TELEMETRY_DISABLED"] = "1"
    expect(await run(folder, process.execPath, next, "build")).not.toMatch(/warn|catalog-client/i)
    const port = String(await freePort())
    origin = `http://127.0.0.1:${port}`
    close = await started(port, [next, "start", "-H", "127.0.0.1", "-p", port])
  }, 900_000)

  afterAll(() => close())

  test("renders a server component", async () => {
    const [status, html] = await get(`${origin}/anime/30230`)
    expect([status, html]).toEqual([200, expect.stringContaining("Diamond no Ace: Second Season")])
    expect(problems).toBe("")
  })

  test("has one catalog for pages and routes: a route finds what a page has cached", async () => {
    const before = received.length
    expect((await get(`${origin}/anime/1`))[1]).toContain("Cowboy Bebop")
    expect((await get(`${origin}/catalog/anime/1?fields=mean`))[1]).toContain("Cowboy Bebop")
    expect(received.slice(before)).toHaveLength(1)
  })

  test("refuses a user's route without a user", async () => {
    expect(await get(`${origin}/api/shelf`)).toEqual([401, '{"error":"Sign in."}'])
  })

  test("runs a client component in Chromium", () => shows(`${origin}/`, "Diamond no Ace: Act II"))

  test("signs a visitor in at the service of the environment: both cookies arrive", async () => {
    const visitor = await signsIn(origin)
    expect((await get(`${origin}/me`))[1]).toContain(">Sign in</a>")
    expect((await get(`${origin}/api/shelf`, visitor))[0]).toBe(200)
    expect((await get(`${origin}/me`, visitor))[1]).toContain("<h1>sample_reader</h1>")
    await writes(origin, visitor)
  })

  test("aborts the signal of a visitor who leaves", () => leaves(`${origin}/waiting`))
})

describe("SvelteKit", () => {
  let origin = ""
  let close = async () => {}

  beforeAll(async () => {
    write(withPromises("docs/recipes/sveltekit.md"))
    write([
      {
        file: "src/routes/waiting/+server.ts",
        text: `const wait = ${waiting}\nexport const GET = ({ request }: { request: Request }) => wait(request)`
      },
      {
        file: "svelte.config.js",
        text: `import adapter from "@sveltejs/adapter-node"\nexport default { kit: { adapter: adapter() } }\n`
      },
      {
        file: "vite.config.js",
        text: `import { sveltekit } from "@sveltejs/kit/vite"\nexport default { plugins: [sveltekit()] }\n`
      },
      {
        file: "src/app.html",
        text: `<!doctype html><html lang="en"><head>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>`
      }
    ])
    const vite = join(folder, "node_modules/vite/bin/vite.js")
    expect(await run(folder, process.execPath, vite, "build")).not.toMatch(/warn.*catalog-client/i)
    const port = String(await freePort())
    origin = `http://127.0.0.1:${port}`
    close = await started(port, ["build/index.js"])
  }, 900_000)

  afterAll(() => close())

  test("renders a page on the server", async () => {
    const [status, html] = await get(`${origin}/anime/30230`)
    expect([status, html]).toEqual([200, expect.stringContaining("Diamond no Ace: Second Season")])
    expect((await get(`${origin}/anime/999999`))[0]).toBe(404)
    expect((await get(`${origin}/anime/abc`))[0]).toBe(404)
  })

  test("reads on the page through its own route in Chromium", () =>
    shows(`${origin}/search?q=diamond`, "Diamond no Ace: Act II"))

  test("signs a visitor in at the service of the environment: both cookies arrive", async () => {
    const visitor = await signsIn(origin)
    expect((await get(`${origin}/me`))[1]).toContain(">Sign in</a>")
    expect((await get(`${origin}/me`, visitor))[1]).toContain("<h1>sample_reader</h1>")
    await writes(origin, visitor)
  })

  test("aborts the signal of a visitor who leaves", () => leaves(`${origin}/waiting`))
})

test("Hono signs a visitor in: both cookies arrive, and a visitor who leaves ends the call", async () => {
  const text = `import { createCatalog } from "catalog-client"
    import { createHandlers } from "catalog-client/handlers"
    import { createSessions } from "catalog-client/oauth"
    import { EmbeddedCatalog } from "catalog-client/testing"
    import { Hono } from "hono"
    const fetch = EmbeddedCatalog.fetch()
    const rows = new Map()
    const sessions = createSessions({
      catalog: createCatalog({ fetch }),
      fetch,
      client: { clientId: "embedded-client", redirectUri: "http://localhost:8080/callback" },
      store: (key) => ({ get: () => rows.get(key), set: (row) => rows.set(key, row), remove: () => rows.delete(key) })
    })
    const auth = createHandlers({ sessions, proxy: { prefix: "/catalog", operations: ["user.me"] } })
    const app = new Hono().use((context, next) => auth.handle(context.req.raw) ?? next()).get("/", (context) => context.text("own"))
    const cookiesOf = (response) => response.headers.getSetCookie().map((line) => line.split(";")[0])
    const open = (path, cookie = "", signal) => app.request(path, { headers: { cookie }, signal })
    const begun = await open("/login")
    const consent = await fetch(begun.headers.get("location"))
    const cookies = cookiesOf(await open(consent.headers.get("location").slice(21), cookiesOf(begun)[0]))
    const left = new AbortController()
    left.abort()
    console.log(JSON.stringify([
      cookies.length,
      (await (await open("/catalog/users/@me", cookies[1])).json()).name,
      (await open("/catalog/users/@me", cookies[1], left.signal)).status,
      await (await open("/")).text()
    ]))`
  write([{ file: "hono.mjs", text }])
  expect(JSON.parse(await run(folder, process.execPath, "hono.mjs"))).toEqual([2, "sample_reader", 503, "own"])
})
