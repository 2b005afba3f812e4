/**
 * The programs of docs/recipes compile and run. Their other dependencies are installed in this folder.
 */
import { MALClient } from "@animelist/client"
import { Catalog as Operations, type Credentials } from "@catalog-client/core"
import { OAuthSessions, Tokens, TokenStores } from "@catalog-client/oauth"
import { EmbeddedCatalog as EffectService } from "@catalog-client/testing"
import type { FileSystem, HttpClient } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { addedByProxy, type Catalog, createCatalog, ServiceProfile } from "catalog-client"
import type { Handlers } from "catalog-client/handlers"
import { apply, type Entry, fromXml, type Plan, plan, readList } from "catalog-client/sync"
import {
  createSessions,
  type Sessions,
  type SessionsOptions,
  type SharedTextStore,
  Tokens as UserTokens
} from "catalog-client/oauth"
import { tokenStores } from "catalog-client/postgres"
import { createQueries, type Queries } from "catalog-client/queries"
import {
  EmbeddedCatalog,
  type EmbeddedCatalogOptions,
  type ReceivedRequest,
  type ServedCatalog,
  serve,
  TestError
} from "catalog-client/testing"
import { Effect, Layer, Logger, Redacted } from "effect"
import { build, type Plugin, transform } from "esbuild"
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import { Window } from "happy-dom"
import MyAnimeList from "mal-ts"
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request as send, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { format, isDeepStrictEqual, promisify } from "node:util"
import { Mal } from "node-myanimelist"
import type { Pool } from "pg"
import { createElement, type FunctionComponent, type ReactElement } from "react"
import { renderToString } from "react-dom/server"
import { prerender } from "react-dom/static"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { WebSocketServer } from "ws"
import { freePort } from "../test/freePort.mjs"
import type * as Vue from "vue"
import { compileScript, parse } from "vue/compiler-sfc"
import { blocksIn, compiled, filesIn, read, root } from "../test/readme.js"
import { programs, startPostgres } from "./mirror/test/support/postgres.js"
import {
  expectNoSignIn,
  expectToFinish,
  expectToWaitForStore,
  expectVisitorsApart,
  folderOfTest,
  signInAt,
  startServer,
  visitorsReturnTo
} from "../test/visitors.js"

const require = createRequire(import.meta.url)

const folder = join(root, "examples/.cache/recipes")

/** Folders of programs that a bundler resolves; Node resolves the others. The declarations of jikan-ts and mal-ts need one. */
const bundled = [
  "recipes/next",
  "recipes/sveltekit",
  "recipes/react",
  "recipes/migrate/jikan",
  "recipes/migrate/mal-ts"
]

const isBundled = (file: string): boolean => bundled.some((folder) => file.startsWith(`${folder}/`))

const pages = readdirSync(join(root, "docs/recipes")).map((file) => `recipes/${basename(file, ".md")}`)

/** What runs in a page, and not on Node. */
const inPages = [
  "next/app/search",
  "proxies/page",
  "react/client",
  "react/list",
  "react/main",
  "react/session",
  "react/watchedApp",
  "sign-in/page"
]

/** Their imports of catalog-client are those of a page. */
const asInPages: Plugin = {
  name: "pages",
  setup(build) {
    build.onResolve({ filter: /^catalog-client/ }, ({ importer, path }) => {
      const dist = join(root, "packages/promise/dist")
      const modules = { "catalog-client": "fetch.js", "catalog-client/oauth": "oauth/page.js" }
      const module = Object.entries(modules).find(([name]) => name === path)?.[1]
      const isInPage = inPages.some((page) => importer.replace(/[.]tsx?$/, "").endsWith(`/${page}`))
      return module !== undefined && isInPage ? { path: join(dist, module), external: true } : undefined
    })
  }
}

/** The programs of the migration guide are for the live service; here they call the one of a variable. */
const served = (page: string, text: string): string =>
  page === "recipes/migrate"
    ? text.replaceAll(/(create(?:Catalog|Session)\(\{)/g, '$1 profile: JSON.parse(process.env.CATALOG_PROFILE ?? ""),')
    : text

const inTypeScript = pages.flatMap((page) =>
  filesIn(`docs/${page}.md`)
    // effect4/test compiles those for Effect 4.
    .filter(({ file, section }) => /[.]tsx?$/.test(file) && section !== "Effect 4")
    // SvelteKit compiles its others in test/bundlers.
    .filter(({ section }) => page !== "recipes/sveltekit" || section === "With Effect")
    .map(({ file, text, ...block }) => ({ ...block, file: `${page}/${file}`, text: served(page, text) }))
)

const shared = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  types: ["node"],
  jsx: "react-jsx",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true
}

/** What the recipes import of Next and SvelteKit; test/bundlers has both. */
const frameworks = [
  { file: "recipes/next/server.ts", text: "export const connection = async () => {}\n" },
  { file: "recipes/next/headers.ts", text: "export const headers = async () => new Headers()\n" },
  { file: "recipes/sveltekit/dynamic/private.ts", text: "export const env = process.env\n" }
].map((module) => ({ ...module, line: 1, output: undefined }))

const kinds = [
  {
    kind: "node",
    files: inTypeScript.filter(({ file }) => !isBundled(file)),
    compilerOptions: { ...shared, module: "nodenext" }
  },
  {
    kind: "bundler",
    files: [...inTypeScript.filter(({ file }) => isBundled(file)), ...frameworks],
    compilerOptions: {
      ...shared,
      module: "preserve",
      moduleResolution: "bundler",
      paths: { "@/*": ["./recipes/next/*"], "next/*": ["./recipes/next/*"], "$env/*": ["./recipes/sveltekit/*"] }
    }
  }
]

const printed: Record<string, string> = {}
beforeAll(async () => {
  for (const { compilerOptions, files, kind } of kinds) {
    printed[kind] = await compiled(join(folder, kind), files, { compilerOptions, include: ["**/*.ts", "**/*.tsx"] })
    await build({
      absWorkingDir: join(folder, kind),
      entryPoints: files.map(({ file }) => file),
      outdir: "out",
      outbase: ".",
      bundle: true,
      splitting: true,
      packages: "external",
      format: "esm",
      platform: "node",
      jsx: "automatic",
      plugins: [asInPages],
      logLevel: "silent"
    })
  }
}, 600_000)

test.each(kinds)("the programs of the recipes compile: $kind", ({ files, kind }) => {
  expect(files.length).toBeGreaterThan(4)
  expect(printed[kind]?.replaceAll(/^examples\/[.]cache\/recipes\/\w+\//gm, "docs/")).toBe("")
})

test("only the programs with Effect import it", () => {
  const importing = kinds.flatMap(({ files }) =>
    files.flatMap(({ file, text }) => (/from "effect/.test(text) ? [file] : []))
  )
  expect(importing).toEqual([
    "recipes/deploy/live.ts",
    "recipes/deploy/effectLambda.ts",
    "recipes/deploy/effect.ts",
    "recipes/express/effect.ts",
    "recipes/nightly-job/exportLists.ts",
    "recipes/nightly-job/ownList.ts",
    "recipes/nightly-job/lists.ts",
    "recipes/nightly-job/xmlEffect.ts",
    "recipes/proxies/effect.ts",
    "recipes/sign-in-server/sessions.ts",
    "recipes/sign-in-server/routes.ts",
    "recipes/sign-in-server/effect.ts",
    "recipes/sign-in/program.ts",
    "recipes/sign-in/effectPage.ts",
    "recipes/sign-in/tokens.ts",
    "recipes/sync/effectSync.ts",
    "recipes/sync/effectImport.ts",
    "recipes/titles/genreEffect.ts",
    "recipes/token-stores/effectRedis.ts",
    "recipes/token-stores/effectPostgres.ts",
    "recipes/token-stores/effectStores.ts",
    "recipes/next/lib/runtime.ts",
    "recipes/sveltekit/src/lib/server/runtime.ts"
  ])
})

/** A built program of a page. */
const built = (path: string): string => {
  const found = kinds.flatMap(({ files, kind }) =>
    files
      .map(({ file }) => file.replace(/[.]tsx?$/, ""))
      .filter((file) => file.endsWith(`/${path}`))
      .map((file) => join(folder, kind, "out", `${file}.js`))
  )
  if (found[0] === undefined) {
    throw new Error(`There is no program ${path} on the pages`)
  }
  return found[0]
}

const load = async <A>(path: string): Promise<A> => (await import(built(path))) as A

const tokens = { reader: "sample_reader", lantern: "paper_lantern" }
const received: Array<ReceivedRequest> = []
let service: ServedCatalog
let env: {
  readonly CATALOG_BASE_URL: string
  readonly CATALOG_CLIENT_ID: string
  readonly CATALOG_ACCESS_TOKEN: string
}

beforeAll(async () => {
  // As live: nothing can be read without a credential.
  service = await serve({
    tokens,
    clientIds: ["my-client-id"],
    anonymousReads: false,
    onRequest: (request) => received.push(request)
  })
  env = { CATALOG_BASE_URL: service.url, CATALOG_CLIENT_ID: "my-client-id", CATALOG_ACCESS_TOKEN: "reader" }
  for (const [name, value] of Object.entries(env)) {
    vi.stubEnv(name, value)
  }
  return async () => {
    vi.unstubAllEnvs()
    await service.close()
  }
})

/** A program that has ended. */
interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Variables = Readonly<Record<string, string>>

/** Runs a program in a folder to its end, and returns its output. */
const runIn = async (cwd: string, path: string, more: Variables, ...args: ReadonlyArray<string>) => {
  const options = { cwd, env: { ...env, ...more }, timeout: 120_000 }
  return (await promisify(execFile)(process.execPath, [built(path), ...args], options)).stdout
}

const run = async (path: string, more: Variables = {}, ...args: ReadonlyArray<string>) =>
  runIn(folder, path, more, ...args)

/** Starts a server program until the end of the test, and returns its URL. */
const started = async (
  path: string,
  more: Variables = {},
  onLine?: (line: string) => unknown,
  cwd?: string
): Promise<string> => (await startServer(built(path), { ...env, ...more }, onLine, cwd)).url

const listening = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const eventually = (check: () => void) => vi.waitFor(check, 20_000)

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Options of a service that reads a profile slowly, and whether it has received such a request. */
const slowly = () => {
  let isReceived = false
  const options: EmbeddedCatalogOptions = {
    faults: [{ on: "user.me", delay: "2 seconds" }],
    onRequest: ({ path }) => (isReceived ||= path.endsWith("/users/@me"))
  }
  return { options, isReceived: () => isReceived }
}

/** Programs with their own service, which print what their page says. */
const printing = kinds.flatMap(({ files }) =>
  files.filter(({ output, text }) => output !== undefined && /EmbeddedCatalog[.](?:fetch|layer)\(/.test(text))
)

test("titles.md and sync.md have such programs", () => {
  expect(new Set(printing.map(({ file }) => file.split("/")[1]))).toEqual(new Set(["sync", "titles"]))
})

test("the programs of titles.md and of the tutorial run as JavaScript, too", async () => {
  const titles = filesIn("docs/recipes/titles.md")
  const programs = [...titles, ...blocksIn(read("docs/start/promise.md")).filter(({ language }) => language === "ts")]
  expect(programs.length).toBeGreaterThan(8)
  for (const { text } of programs) {
    await transform(text, { loader: "js", logLevel: "silent" })
  }
})

test.each(printing)("$file prints what its page says", async ({ file, output }) => {
  expect(await runIn(folderOfTest(), file.replace("recipes/", "").replace(/[.]ts$/, ""), {})).toBe(output)
})

describe("bots.md", () => {
  /** A service of another kind: what it received, and its address. */
  const listen = async (
    answer: (request: {
      readonly path: string
      readonly body: unknown
    }) => ({ readonly status?: number } & object) | undefined
  ) => {
    const received: Array<{ readonly path: string; readonly body: unknown }> = []
    const server = createServer((request, response) => {
      let text = ""
      request.on("data", (part: Buffer) => (text += part.toString()))
      request.on("end", () => {
        const body: unknown = text === "" ? undefined : JSON.parse(text)
        received.push({ path: request.url ?? "", body })
        const reply = answer({ path: request.url ?? "", body })
        // Without a reply, it keeps the caller waiting.
        if (reply !== undefined) {
          response.writeHead(reply.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(reply))
        }
      })
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  const start = (path: string, more: Record<string, string>) => {
    const child = spawn(process.execPath, [built(path)], { env: { ...env, ...more } })
    onTestFinished(() => void child.kill())
    return child
  }

  const answer = expect.stringContaining("Diamond no Ace (2013)") as string

  test("says when its own queue is full", async () => {
    const { replyTo } = await load<{ replyTo: (text: string) => Promise<string> }>("bots/bot")
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] })
    const log = vi.spyOn(console, "error").mockImplementation(() => {})
    onTestFinished(() => {
      vi.useRealTimers()
      log.mockRestore()
    })
    const replies = Promise.all(Array.from({ length: 25 }, (_, at) => replyTo(`diamond ${at}`)))
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await replies).at(-1)).toBe("Too many people are asking. Try again in a minute.")
  })

  test("has a bot for Telegram", async () => {
    const text = "/anime diamond"
    const update = { update_id: 7, message: { chat: { id: 5 }, text } }
    const result = [update, { update_id: 8, message: { chat: { id: 6 }, text: "hello" } }]
    let isFirst = true
    const telegram = await listen(({ body, path }) => {
      const wasFirst = isFirst
      isFirst = false
      // It goes on after a request that failed.
      if (wasFirst || path.endsWith("/sendMessage")) {
        return { status: 502 }
      }
      return (body as { readonly offset: number }).offset === 0 ? { result } : undefined
    })
    start("bots/telegram", { TELEGRAM_TOKEN: "the-token", TELEGRAM_URL: telegram.url })
    const first = { path: "/botthe-token/getUpdates", body: { offset: 0, timeout: 30 } }
    await eventually(() => {
      // It asks for the next messages while the answer is on its way.
      expect(telegram.received).toEqual([
        first,
        first,
        { path: "/botthe-token/getUpdates", body: { offset: 9, timeout: 30 } },
        { path: "/botthe-token/sendMessage", body: { chat_id: 5, text: answer } }
      ])
    })
  })

  test.each([
    { program: "discord", commands: ["anime"] },
    { program: "discordUsers", commands: ["anime", "watching"] }
  ])("has a bot for Discord, which registers its commands and answers one: $program", async ({ commands, program }) => {
    const discord = await listen(({ path }) =>
      path.endsWith("/gateway/bot")
        ? {
            url: gateway,
            shards: 1,
            session_start_limit: { total: 9, remaining: 9, reset_after: 0, max_concurrency: 1 }
          }
        : path.endsWith("/commands")
          ? []
          : {}
    )
    const user = { id: "1", username: "bot", discriminator: "0" }
    const interaction = {
      id: "2",
      application_id: "3",
      type: 2,
      token: "t",
      version: 1,
      user,
      entitlements: [],
      authorizing_integration_owners: {},
      data: { id: "4", name: "anime", type: 1, options: [{ name: "title", type: 3, value: "diamond" }] }
    }
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" })
    onTestFinished(() => sockets.close())
    await once(sockets, "listening")
    const gateway = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`
    sockets.on("connection", (socket) => {
      const send = (op: number, d: object, t: string | null = null, s: number | null = null) =>
        socket.send(JSON.stringify({ op, d, t, s }))
      // The names of Discord: 10 is Hello, 2 is Identify, 0 is an event.
      send(10, { heartbeat_interval: 60_000 })
      socket.on("message", (data: Buffer) => {
        if ((JSON.parse(data.toString()) as { readonly op: number }).op === 2) {
          send(
            0,
            { v: 10, user, guilds: [], session_id: "s", resume_gateway_url: gateway, application: { id: "3" } },
            "READY",
            1
          )
          send(0, interaction, "INTERACTION_CREATE", 2)
        }
      })
    })
    start(`bots/${program}`, { DISCORD_TOKEN: "the-token", DISCORD_API: discord.url, PORT: "0" })
    await eventually(() => {
      expect(discord.received).toContainEqual({
        path: "/v10/applications/3/commands",
        body: commands.map((name) => expect.objectContaining({ name }) as object)
      })
      expect(discord.received).toContainEqual({
        path: "/v10/webhooks/3/t/messages/%40original",
        body: expect.objectContaining({ content: answer }) as object
      })
    })
  })
})

/** The sessions of a service's users, with their rows in memory. They are closed at the end of the test, with the service. */
const sessionsOf = (service: ServedCatalog, client: SessionsOptions["client"]): Sessions => {
  const catalog = createCatalog({ profile: service.profile })
  const rows = new Map<string, string>()
  const sessions = createSessions({
    catalog,
    profile: service.profile,
    client,
    store: (key) => ({
      get: () => rows.get(key),
      set: (text) => rows.set(key, text),
      remove: () => rows.delete(key)
    })
  })
  onTestFinished(async () => {
    await sessions.close()
    await catalog.close()
    await service.close()
  })
  return sessions
}

test("bots.md has users who sign in, and confirm which account may use their list", async () => {
  const service = await serve({ oauth: { clients: { "my-client-id": { redirectUris: [visitorsReturnTo] } } } })
  const sessions = sessionsOf(service, { clientId: "my-client-id", redirectUri: visitorsReturnTo })
  const { usersOver } = await load<{
    usersOver: (sessions: Sessions) => {
      linkFor: (account: object) => string
      catalogOf: (account: object) => Catalog
      handle: (request: Request) => Promise<Response>
    }
  }>("bots/users")
  const users = usersOver(sessions)
  const { watching } = await load<{ watching: (users: object, interaction: object) => Promise<void> }>("bots/watching")
  /** What the command responds to the user. */
  const watched = async (using: object = users) => {
    const responses: Array<string> = []
    await watching(using, {
      user: { id: ann.id, username: ann.name },
      deferReply: async () => {},
      editReply: async (text: string) => void responses.push(text)
    })
    return responses.join()
  }
  const ann = { id: "5", name: "<ann>" }
  const nameOf = () =>
    users
      .catalogOf(ann)
      .user.me()
      .then(
        ({ name }) => name,
        ({ reason }: { reason: string }) => reason
      )
  const cookies = new Map<string, string>()
  const visitor = () => [...cookies].map((pair) => pair.join("=")).join("; ")
  /** What the user's browser does. */
  const open = async (url: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set("cookie", visitor())
    const response = await users.handle(new Request(url, { ...init, headers }))
    for (const set of response.headers.getSetCookie()) {
      const [name = "", value = ""] = set.split(";", 1)[0]?.split("=") ?? []
      cookies.set(name, value)
    }
    return response
  }
  expect(await nameOf()).toBe("SignedOut")
  expect(await watched()).toMatch(/^Sign in first: https?:.*[/]login[?]return=/)
  const consent = (await open(users.linkFor(ann))).headers.get("location") ?? ""
  const back = (await fetch(consent, { redirect: "manual" })).headers.get("location") ?? ""
  const link = (await open(back)).headers.get("location") ?? ""
  expect(await (await open(link)).text()).toContain("Let &lt;ann> use my list")
  expect(await nameOf()).toBe("SignedOut")
  // Only its own page can answer the question, and only once.
  expect((await open(link, { method: "POST", headers: { origin: "https://other.example" } })).status).toBe(404)
  const yes = { method: "POST", headers: { origin: new URL(visitorsReturnTo).origin } }
  expect((await open(link, yes)).status).toBe(200)
  expect(await nameOf()).toBe("sample_reader")
  expect((await watched()).split("\n")).toHaveLength(10)
  const log = vi.spyOn(console, "error").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const down = createCatalog({
    ...EmbeddedCatalog.credentials(),
    fetch: EmbeddedCatalog.fetch({ faults: [{ status: 503 }] })
  })
  expect(await watched({ catalogOf: () => down })).toBe("Something went wrong. Try again in a minute.")
  expect((await open(link, yes)).status).toBe(404)
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const later = new URL(users.linkFor(ann)).searchParams.get("return") ?? ""
  const question = () => users.handle(new Request(new URL(later, visitorsReturnTo), { headers: { cookie: visitor() } }))
  expect((await question()).status).toBe(200)
  vi.advanceTimersByTime(30 * 60_000)
  expect((await question()).status).toBe(404)
})

describe("nightly-job.md, as XML", () => {
  test.each(["ownXml", "xmlEffect"])("writes the list of the user who signed in: %s.ts", async (program) => {
    const folder = folderOfTest()
    const env = await signingIn(`http://localhost:${await freePort()}/callback`)
    await signInBy(built("sign-in/cli"), { ...process.env, ...env }, async (url) => void (await fetch(url)))
    expect(await runIn(folder, `nightly-job/${program}`, env)).toBe("350 entries\n")
    const { kind, wanted } = fromXml(readFileSync(join(folder, "animelist.xml"), "utf8"))
    expect([kind, wanted.length]).toEqual(["anime", 350])
  })

  test("writes a list that another program reads back, with partial dates, tags and comments", async () => {
    const { toXml } = await load<{
      readonly toXml: (user: object, kind: Plan["kind"], list: Iterable<Entry>) => string
    }>("nightly-job/xml")
    const catalogOf = (username: string) => createCatalog({ fetch, accessToken: username })
    const options = { tokens: { sample_reader: "sample_reader", paper_lantern: "paper_lantern" } }
    const fetch = EmbeddedCatalog.fetch(options)
    const [mine, other] = [catalogOf("sample_reader"), catalogOf("paper_lantern")]
    const comments = "</my_comments></anime> ]]> & <![CDATA["
    await mine.anime.updateMyListStatus({
      id: 1,
      status: "on_hold",
      start_date: "2019-04",
      finish_date: "2020",
      comments
    })
    const xml = toXml(await mine.user.me(), "anime", (await readList(mine, "anime")).values())
    expect(xml).toContain("<my_start_date>2019-04-00</my_start_date>")
    expect(xml).toContain("<my_finish_date>2020-00-00</my_finish_date>")
    expect(xml).toContain("<my_start_date>0000-00-00</my_start_date>")
    const gone = "  <anime>\n    <series_animedb_id>999999</series_animedb_id>\n  </anime>\n"
    const imported = fromXml(xml.replace("  <anime>", `${gone}  <anime>`))
    const changes = plan({ ...imported, current: await readList(other, "anime"), rule: "replace" })
    const { outcomes } = await apply(other, changes)
    const ids = [...outcomes.values()].filter(({ result }) => result !== "sent").map(({ id, result }) => [id, result])
    expect([outcomes.size, ids]).toEqual([351, [[999_999, "refused"]]])
    const fields = ["list_status{comments,tags,priority,num_times_rewatched,rewatch_value}"] as const
    const listOf = async (catalog: Catalog) =>
      new Map(
        (await catalog.user.animeList.collect({ username: "@me" }, { fields, nsfw: true, max: Infinity })).map(
          ({ list_status, node }) => [node.id, { ...list_status, updated_at: "" }]
        )
      )
    const copied = await listOf(other)
    const wanted = await listOf(mine)
    expect(wanted.get(1)).toMatchObject({ comments, start_date: "2019-04", finish_date: "2020" })
    expect([...wanted].filter(([id, status]) => !isDeepStrictEqual(copied.get(id), status))).toEqual([])
    await mine.manga.updateMyListStatus({
      id: 1,
      status: "plan_to_read",
      num_volumes_read: 2,
      num_times_reread: 3,
      reread_value: 4,
      is_rereading: true
    })
    const manga = await readList(mine, "manga")
    const read = fromXml(toXml(await mine.user.me(), "manga", manga.values()))
    expect([read.kind, read.wanted.length]).toEqual(["manga", manga.size])
    expect(plan({ ...read, current: manga, rule: "replace" })).toMatchObject({ changes: [], problems: [] })
    expect(plan({ ...read, current: new Map(), rule: "replace" }).changes.length).toBe(manga.size)
  })
})

test.each([
  ["importFile", "2 changes\n", "1 changes\n"],
  ["effectImport", "1: sent\n999999: refused\n", "999999: refused\n"]
])("sync.md imports a file, and plans anew when it runs again: %s.ts", async (program, first, second) => {
  const service = await serve()
  onTestFinished(() => service.close())
  const folder = folderOfTest()
  const entry = (id: number) =>
    `<anime><series_animedb_id>${id}</series_animedb_id><my_status>Completed</my_status><my_score>9</my_score></anime>`
  writeFileSync(join(folder, "animelist.xml"), `<myanimelist>${entry(1)}${entry(999_999)}</myanimelist>`)
  const { accessToken = "", clientId = "", url } = service
  const variables = { CATALOG_BASE_URL: url, CATALOG_ACCESS_TOKEN: accessToken, CATALOG_CLIENT_ID: clientId }
  const printed = await runIn(folder, `sync/${program}`, variables)
  expect(printed).toMatch(
    new RegExp(`^add 1 .*\\nadd 999999 .*\\n2 changes, \\d+ entries stay, 0 problems\\n${first}$`)
  )
  // Once all is imported, the next run makes a new plan: what the service has refused is left.
  expect(await runIn(folder, `sync/${program}`, variables)).toMatch(
    new RegExp(`^add 999999 .*\\n1 change, \\d+ entries stay, 0 problems\\n${second}$`)
  )
})

test("the servers of express.md and of examples/service finish their requests when they are stopped", async () => {
  const service = join(folder, "service.mjs")
  await build({
    entryPoints: [join(root, "examples/service/main.ts")],
    outfile: service,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external"
  })
  for (const file of [built("express/server"), service]) {
    const { isReceived, options } = slowly()
    await using slow = await serve({ tokens, clientIds: ["my-client-id"], ...options })
    const server = await startServer(file, { ...env, CATALOG_BASE_URL: slow.url })
    await expectToFinish(server, "/shelf", bearer("reader"), isReceived)
  }
})

describe("express.md", () => {
  test("keeps the users of requests apart, and reports errors by a status", async () => {
    const url = await started("express/server")
    const shelves = await Promise.all(
      Array.from({ length: 10 }, async (_, turn) => {
        const token = turn % 2 === 0 ? "reader" : "lantern"
        const response = await fetch(`${url}/shelf`, { headers: bearer(token) })
        return [token, ((await response.json()) as { readonly name: string }).name]
      })
    )
    expect(shelves.filter(([token = "", name]) => tokens[token as keyof typeof tokens] !== name)).toEqual([])

    const put = await fetch(`${url}/shelf/1`, {
      method: "PUT",
      headers: { ...bearer("lantern"), "content-type": "application/json" },
      body: JSON.stringify({ watched: 3 })
    })
    expect(await put.json()).toMatchObject({ num_episodes_watched: 3 })

    const headers = { ...bearer("lantern"), "content-type": "application/json" }
    const refused = async (path: string, init: RequestInit) => {
      const response = await fetch(url + path, { headers, ...init })
      return [response.status, await response.json()]
    }
    expect(await refused("/shelf/1", { method: "PUT" })).toEqual([400, { error: "watched must be a whole number." }])
    const malformed = { error: "The request is malformed." }
    expect(await refused("/shelf/1", { method: "PUT", body: "{" })).toEqual([400, malformed])
    expect(await refused("/shelf/1", { method: "PUT", body: `"${"x".repeat(200_000)}"` })).toEqual([413, malformed])
    expect(await refused("/anime/%E0", {})).toEqual([400, malformed])

    const status = async (path: string, headers = {}) => (await fetch(url + path, { headers })).status
    expect(await status("/anime/30230")).toBe(200)
    expect(await status("/anime/999999")).toBe(404)
    expect(await status("/anime/one")).toBe(400)
    expect(await status("/shelf")).toBe(401)
    expect(await status("/shelf", bearer("another"))).toBe(401)
  })

  test("does so with Effect", async () => {
    const url = await started("express/effect")
    const reply = async (path: string, headers = {}) => {
      const response = await fetch(url + path, { headers })
      return [response.status, response.ok ? await response.json() : undefined]
    }
    expect(await reply("/anime/1")).toEqual([200, { title: "Cowboy Bebop", mean: 8.75 }])
    expect(received.at(-1)?.headers["authorization"]).toBeUndefined()
    expect(await reply("/anime/1", bearer("lantern"))).toMatchObject([200, { title: "Cowboy Bebop" }])
    expect(received.at(-1)?.headers["authorization"]).toBe("Bearer lantern")
    expect(await reply("/anime/999999")).toEqual([404, undefined])
    expect(await reply("/anime/one")).toEqual([400, undefined])
    expect(await reply("/anime/1", bearer("another"))).toEqual([401, undefined])
  })

  test.each([
    [400, TestError.rest({ status: 400 })],
    [401, TestError.auth()],
    [403, TestError.rest({ status: 403 })],
    [429, TestError.rest({ status: 429, retryAfter: 1_500 })],
    [502, TestError.rest({ status: 500 })],
    // Too many requests, too.
    [502, TestError.rest({ status: 503, retryAfter: 1_500 })],
    [503, TestError.auth({ reason: "CredentialsUnavailable" })],
    [503, TestError.network({ reason: "CircuitOpen" })],
    [504, TestError.network({ reason: "Timeout" })]
  ])("responds to an error with a status: %s", async (status, error) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    const { explain } = await load<{ explain: ErrorRequestHandler }>("express/errors")
    const failing: RequestHandler = () => Promise.reject(error)
    const response = await fetch(await listening(createServer(express().use(failing, explain))))
    const retryAfter = "retryAfter" in error && error.retryAfter === 1_500 ? "2" : null
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter])
    expect(warn).toHaveBeenCalledWith(`${error._tag}: ${error.message}`)
    expect(await response.text()).not.toContain(error.message)
  })

  test("responds to a mistake in the server with a 500, and logs it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const { explain } = await load<{ explain: ErrorRequestHandler }>("express/errors")
    const mistake = new TypeError("x is not a function")
    const failing: RequestHandler = () => Promise.reject(mistake)
    const response = await fetch(await listening(createServer(express().use(failing, explain))))
    expect([response.status, await response.json()]).toEqual([500, { error: "The server failed." }])
    expect(logged.mock.calls).toEqual([[mistake]])
  })

  test("cancels the call of a caller that disconnects", async () => {
    const { appOver } = await load<{ appOver: (catalog: Catalog) => Express }>("express/app")
    const signals: Array<AbortSignal> = []
    const catalog = createCatalog({
      fetch: (_, { signal }) => {
        if (signal) {
          signals.push(signal)
        }
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)))
      }
    })
    const error = vi.spyOn(console, "error").mockImplementation(() => {})
    const app = appOver(catalog)
    // As without NODE_ENV=test, in which Express prints no error.
    app.set("env", "production")
    const url = await listening(createServer(app))
    const leaving = new AbortController()
    const gone = fetch(`${url}/anime/1`, { signal: leaving.signal })
    await eventually(() => expect(signals).toHaveLength(1))
    leaving.abort()
    await expect(gone).rejects.toThrow()
    await eventually(() => expect(signals[0]?.aborted).toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(error).not.toHaveBeenCalled()
  })
})

const origin = "https://page.test"

/** An embedded service whose client comes back to a URL, and the environment of a program that signs in to it. */
const signingIn = async (redirectUri: string, options?: EmbeddedCatalogOptions) => {
  const service = await serve({ ...options, oauth: { clients: { "my-client-id": { redirectUris: [redirectUri] } } } })
  onTestFinished(() => service.close())
  return {
    CATALOG_BASE_URL: service.url,
    CATALOG_AUTHORIZE_URL: service.authorizeUrl,
    CATALOG_TOKEN_URL: service.tokenUrl,
    CATALOG_REDIRECT_URI: redirectUri,
    XDG_CONFIG_HOME: folderOfTest()
  }
}

/** Runs a program that prints the URL of a sign-in, which `visit` opens, and returns how it ended. */
const signInBy = async (
  program: string,
  env: NodeJS.ProcessEnv,
  visit: (url: string, child: ChildProcessWithoutNullStreams) => Promise<void>
): Promise<Ended> => {
  // Over SSH no browser is opened, and the URL is printed.
  const child = spawn(process.execPath, [program], { env: { ...env, SSH_CONNECTION: "1" } })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()))
  const closed = once(child, "close") as Promise<[number]>
  let visited: Promise<void> | undefined
  createInterface({ input: child.stderr }).on("line", (line) => {
    stderr += `${line}\n`
    const [url] = /http\S+authorize\S+/.exec(line) ?? []
    if (url !== undefined) {
      visited ??= visit(url, child)
    }
  })
  const [code] = await closed
  await visited
  return { code, stdout, stderr }
}

describe("sign-in.md", () => {
  test("has a program of a few lines that signs in", async () => {
    const env = await signingIn(`http://localhost:${await freePort()}/callback`)
    const { stdout } = await signInBy(
      built("sign-in/name"),
      { ...process.env, ...env },
      async (url) => void (await fetch(url))
    )
    expect(stdout).toBe("Signed in as sample_reader\n")
  })

  test.each(["cli", "program"])(
    "has a command-line program that signs in once, and again when the sign-in has ended: %s.ts",
    async (program) => {
      const redirectUri = `http://localhost:${await freePort()}/callback`
      const signIn = async (env: Readonly<Record<string, string>>) => {
        const { stdout } = await signInBy(
          built(`sign-in/${program}`),
          { ...process.env, ...env },
          async (url, child) => {
            child.stdin.end()
            // As the user's browser: to the service, and back.
            expect((await fetch(url)).status).toBe(200)
          }
        )
        // Effect's logger writes its warning to the same stream.
        expect(stdout.trimEnd().split("\n").at(-1)).toBe("Signed in as sample_reader")
      }
      const env = await signingIn(redirectUri)
      await signIn(env)
      expect(await run(`sign-in/${program}`, env)).toBe("Signed in as sample_reader\n")
      // Another service does not know the stored tokens.
      await signIn({ ...(await signingIn(redirectUri)), XDG_CONFIG_HOME: env.XDG_CONFIG_HOME })
    }
  )

  // Effect logs to the standard output.
  test.each([
    ["cli", "stderr"],
    ["program", "stdout"]
  ] as const)("ends with a message if the user denies access: %s.ts", async (program, stream) => {
    const redirectUri = `http://localhost:${await freePort()}/callback`
    const env = { ...process.env, ...(await signingIn(redirectUri)) }
    const { code, [stream]: printed } = await signInBy(built(`sign-in/${program}`), env, async (url) => {
      const state = new URL(url).searchParams.get("state") ?? ""
      await fetch(`${redirectUri}?${new URLSearchParams({ error: "access_denied", state }).toString()}`)
    })
    expect([code, printed.trimEnd().split("\n").at(-1)]).toEqual([1, expect.stringContaining("the user denied access")])
  })

  test("runs its finalizers when it is interrupted: program.ts", async () => {
    const env = { ...process.env, ...(await signingIn(`http://localhost:${await freePort()}/callback`)) }
    const { code } = await signInBy(built("sign-in/program"), env, async (_, child) => void child.kill("SIGINT"))
    // Without them, the signal ends it, and it has no code.
    expect(code).toBe(0)
  })

  test("refreshes once for calls that are rejected together, even just after the new token", async () => {
    type SignedIn = (
      catalog: Catalog,
      refresh: () => Promise<string>
    ) => (call: () => Promise<string>) => Promise<string>
    const { signedInWith } = await load<{ signedInWith: SignedIn }>("sign-in/signedIn")
    for (const ticks of [0, 1, 2, 3, 4]) {
      const catalog = createCatalog({ accessToken: "old" })
      const grant = new EventTarget()
      const refreshed = once(grant, "token").then(() => "new")
      const refresh = vi.fn(() => refreshed)
      const signedIn = signedInWith(catalog, refresh)
      /** Rejects the old token after a promise and a number of microtasks. */
      const call = async (until: Promise<unknown>, ticks: number) => {
        if (catalog.accessToken === "new") {
          return "new"
        }
        await until
        for (let tick = 0; tick < ticks; tick++) {
          await Promise.resolve()
        }
        throw TestError.rest({ status: 401 })
      }
      const calls = [signedIn(() => call(Promise.resolve(), 0)), signedIn(() => call(refreshed, ticks))]
      await eventually(() => expect(refresh).toHaveBeenCalled())
      grant.dispatchEvent(new Event("token"))
      expect([await Promise.all(calls), refresh.mock.calls.length, ticks]).toEqual([["new", "new"], 1, ticks])
      // A failed refresh is not kept.
      catalog.accessToken = "old"
      refresh.mockRejectedValueOnce(new Error("down"))
      const again = () => signedIn(() => call(Promise.resolve(), 0))
      await expect(again()).rejects.toThrow("down")
      expect(await again()).toBe("new")
    }
  })

  test("uses a timed token of Effect, and requests the next one after a failure", async () => {
    const answers = [Effect.fail(new Error("down")), Effect.succeed(Redacted.make("reader"))]
    vi.stubGlobal(
      "refresh",
      Effect.suspend(() => answers.shift() ?? Effect.die("requested again"))
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    const { layerTimed } = await load<{ readonly layerTimed: Layer.Layer<Credentials> }>("sign-in/tokens")
    const me = Effect.either(Operations.user.me())
    const results = await Effect.all([me, me, me]).pipe(
      Effect.provide([layerTimed, EffectService.layer({ tokens })]),
      Effect.runPromise
    )
    expect(results.map(({ _tag }) => _tag)).toEqual(["Left", "Right", "Right"])
  })

  const fromClient =
    'createSession: clientId must be the client ID that is registered with the service, for example from CATALOG_CLIENT_ID, but it is ""'

  test.each([
    ["sign-in/cli", fromClient],
    ["deploy/container", fromClient],
    ["nightly-job/job", fromClient],
    ...["sign-in-server/server", "nightly-job/users", "express/server", "proxies/server"].map((program) => [
      program,
      "Set CATALOG_CLIENT_ID to the client ID of your application."
    ])
  ])("%s says that the client ID is missing, and ends", async (program = "", message) => {
    const more = {
      CATALOG_CLIENT_ID: "",
      PORT: "0",
      XDG_CONFIG_HOME: folderOfTest(),
      TOKENS: join(folderOfTest(), "t")
    }
    await expect(run(program, more)).rejects.toMatchObject({ code: 1, stderr: `${message}\n` })
  })

  test.each(["sign-in/program", "sign-in-server/effect"])(
    "%s fails with a ConfigError that names it",
    async (program) => {
      const failed: { readonly stderr: string; readonly stdout: string } = await run(program, {
        CATALOG_CLIENT_ID: "",
        XDG_CONFIG_HOME: folderOfTest()
      }).then(
        () => expect.unreachable(),
        (error) => error
      )
      expect(failed).toMatchObject({ code: 1 })
      expect(failed.stderr + failed.stdout).toContain("data at CATALOG_CLIENT_ID")
    }
  )

  test.each(["docs/recipes/sign-in.md", "docs/testing.md"])("%s shows what catalog-embedded prints", async (page) => {
    const child = spawn(process.execPath, [join(root, "packages/testing/dist/node/bin.js")], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill())
    const [printed] = (await once(child.stdout, "data")) as [Buffer]
    expect(read(page)).toContain(String(printed).replaceAll(/127[.]0[.]0[.]1:\d+/g, "127.0.0.1:4010"))
  })

  test.each(["server", "effect"])("has a server that keeps its visitors apart: %s.ts", async (program) => {
    const lines: Array<string> = []
    const more = await signingIn(visitorsReturnTo)
    const folder = folderOfTest()
    const url = await started(`sign-in-server/${program}`, more, (line) => lines.push(line), folder)
    await expectVisitorsApart(url)
    const visitor = await expectToWaitForStore(url, join(folder, "sessions"))
    const headers = { cookie: await signInAt(url), origin: "https://app.example" }
    const watch = async () => (await fetch(`${url}/watched?id=1`, { method: "POST", headers })).json()
    const other = await fetch(`${url}/watched?id=1`, { method: "POST", headers: { cookie: headers.cookie } })
    expect((await fetch(`${url}/watched?id=1`, { method: "POST" })).status).toBe(401)
    expect(await watch()).toMatchObject({ num_episodes_watched: 1 })
    expect(await watch()).toMatchObject({ num_episodes_watched: 2 })
    expect([other.status, await other.json()]).toEqual([403, expect.objectContaining({ error: "other_site" })])
    const start = async (path: string) => (await fetch(url + path, { headers: { cookie: headers.cookie } })).text()
    expect([await (await fetch(`${url}/?failed`)).text(), await start("/"), await start("/?failed")]).toEqual([
      '<p>The sign-in was not completed.</p><a href="/login">Sign in</a>',
      expect.stringMatching(/^<a href="[/]me">.*action="[/]watched.*action="[/]logout"/s),
      expect.stringMatching(/^<p>The sign-in was not completed.<[/]p><a href="[/]me">/)
    ])
    if (program === "effect") {
      expect((await fetch(`${url}/watched?id=one`, { method: "POST", headers })).status).toBe(400)
    }
    await eventually(() => expect(lines.join("\n")).toContain("ClientRestError: OAuth.exchangeCode"))
    // A request without a cookie is no error.
    expect(lines.join("\n")).not.toContain("NoVisitor")
    expect(lines.join("\n")).toContain("; pass fileTokenStore another path")
    // The cookie.
    expect(lines.join("\n")).not.toContain(visitor)
  })

  test.each(["server", "effect"])(
    "has visitors start again when the token endpoint has failed: %s.ts",
    async (program) => {
      const limited = createServer((_, response) => response.writeHead(429, { "retry-after": "60" }).end())
      const more = { ...(await signingIn(visitorsReturnTo)), CATALOG_TOKEN_URL: await listening(limited) }
      await expectNoSignIn(await started(`sign-in-server/${program}`, more))
    }
  )

  test.each(["server", "effect"])("has a server that does not wait long for a busy service: %s.ts", async (program) => {
    const faults = [{ on: "user.me", status: 429, headers: { "retry-after": "50" } }] as const
    const more = await signingIn(visitorsReturnTo, { faults })
    const url = await started(`sign-in-server/${program}`, more)
    expect((await fetch(`${url}/me`, { headers: { cookie: await signInAt(url) } })).status).toBe(429)
  })

  test.each(["server", "effect"])(
    "has a server that finishes its requests when it is stopped: %s.ts",
    async (program) => {
      const { isReceived, options } = slowly()
      const server = await startServer(built(`sign-in-server/${program}`), {
        ...env,
        ...(await signingIn(visitorsReturnTo, options))
      })
      await expectToFinish(server, "/me", { cookie: await signInAt(server.url) }, isReceived)
    }
  )

  test.each(["express/server", "sign-in-server/server", "sign-in-server/effect"])(
    "%s says when its port is in use, and ends",
    async (program) => {
      const port = new URL(await listening(createServer())).port
      // Effect logs it to the standard output.
      const { code, stderr, stdout } = (await run(program, { PORT: port }).catch((error: unknown) => error)) as Ended
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("EADDRINUSE")])
    }
  )

  test.each(["page", "effectPage"])("has a page that goes to the service and comes back: %s.ts", async (page) => {
    const { handler } = EmbeddedCatalog.toWebHandler({
      basePath: "/catalog",
      oauth: { clients: { "my-client-id": { redirectUris: [`${origin}/callback`] } } }
    })
    const element = openPage((request) => {
      const { pathname } = new URL(request.url)
      return handler(
        pathname === "/oauth/token" ? new Request(EmbeddedCatalog.oauthUrls(origin).tokenUrl, request) : request
      )
    })
    const { start } = await load<{ start: (clientId: string, element: unknown) => Promise<void> }>(`sign-in/${page}`)
    const gone: Array<string> = []
    vi.spyOn(window.location, "assign").mockImplementation((url) => gone.push(String(url)))
    await start("my-client-id", element)
    element.querySelector("button")?.click()
    await eventually(() => expect(gone).toHaveLength(1))
    const { searchParams } = new URL(gone[0] ?? "")
    const { authorizeUrl } = EmbeddedCatalog.oauthUrls(origin)
    const back = await handler(new Request(`${authorizeUrl}?${searchParams}`))
    window.history.replaceState(null, "", back.headers.get("location"))
    await start("my-client-id", element)
    expect(element.textContent).toBe("Signed in as sample_reader")
    expect(window.location.search).toBe("")
  })
})

test("sign-in-server.md has a page whose tokens stay on the server", async () => {
  const { authOver } = await load<{ authOver: (sessions: Sessions) => Handlers }>("sign-in-server/gateway")
  const service = await serve()
  const catalog = createCatalog({ profile: service.profile })
  const client = { clientId: "embedded-client", redirectUri: visitorsReturnTo }
  let row: string | undefined
  const store = { get: () => row, set: (text: string) => void (row = text), remove: () => void (row = undefined) }
  const sessions = createSessions({ catalog, client, profile: service.profile, store: () => store })
  onTestFinished(async () => {
    await sessions.close()
    await catalog.close()
    await service.close()
  })
  const visitor = "v".repeat(43)
  await sessions.signIn(visitor, UserTokens.from({ access_token: "embedded-token" }))
  const auth = authOver(sessions)
  const page = createCatalog({
    baseUrl: `${origin}/catalog`,
    accessToken: addedByProxy,
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      headers.set("cookie", `__Host-catalog-visitor=${visitor}`)
      headers.set("sec-fetch-site", "same-origin")
      return auth.proxy(new Request(url, { ...init, headers }))
    }
  })
  expect((await page.user.me()).name).toBe("sample_reader")
  expect(await page.anime.updateMyListStatus({ id: 1, score: 7 })).toMatchObject({ score: 7 })
  await expect(page.anime.get({ id: 999_999 })).rejects.toMatchObject({ status: 404, code: "not_found" })
  await expect(page.manga.get({ id: 1 })).rejects.toMatchObject({ status: 404 })
})

test("sign-in-server.md has routes for accounts of the site", async () => {
  const sessions = sessionsOf(await serve(), {
    clientId: "embedded-client",
    redirectUri: "http://localhost:8080/callback"
  })
  type Routes = Readonly<Record<"login" | "callback" | "logout" | "me", (request: Request) => Promise<Response>>>
  const { accountRoutes } = await load<{
    accountRoutes: (sessions: Sessions, accountOf: (request: Request) => Promise<string | undefined>) => Routes
  }>("sign-in-server/accounts")
  const routes = accountRoutes(sessions, async ({ headers }) => headers.get("x-account") ?? undefined)
  const ask = (route: keyof Routes, account?: string, path = "") =>
    routes[route](
      new Request(new URL(path, "http://localhost"), { headers: account === undefined ? {} : { "x-account": account } })
    )
  const statusOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).status
  expect(await Promise.all([statusOf("login"), statusOf("me"), statusOf("me", "ann")])).toEqual([401, 401, 401])
  const redirectOf = async (...args: Parameters<typeof ask>) => (await ask(...args)).headers.get("location") ?? ""
  const consent = await redirectOf("login", "ann")
  const back = (await fetch(consent, { redirect: "manual" })).headers.get("location") ?? ""
  const path = back.replace("http://localhost:8080", "")
  // Another account can't finish the sign-in.
  await ask("login", "bob")
  expect(await redirectOf("callback", "bob", path)).toBe("/?failed")
  expect(await redirectOf("callback", "ann", path)).toBe("/")
  expect(await (await ask("me", "ann")).json()).toEqual({ name: "sample_reader" })
  expect(await statusOf("me", "bob")).toBe(401)
  const state = new URL(await redirectOf("login", "bob")).searchParams.get("state") ?? ""
  expect(await redirectOf("callback", "bob", `/callback?error=access_denied&state=${state}`)).toBe("/?failed")
  expect(await redirectOf("logout", "ann")).toBe("/")
  expect(await statusOf("me", "ann")).toBe(401)
})

test("token-stores.md has a store over a lock, in which no two steps run at once", async () => {
  const { lockedStoreOver } = await load<{ lockedStoreOver: (rows: object) => (key: string) => SharedTextStore }>(
    "token-stores/lockedStores"
  )
  const rows = new Map<string, string>()
  let turn = Promise.resolve()
  const locked = (_: string, run: () => Promise<void>) => (turn = turn.then(run))
  const store = lockedStoreOver({
    get: async (key: string) => rows.get(key),
    set: async (key: string, text: string) => void rows.set(key, text),
    remove: async (key: string) => void rows.delete(key),
    locked
  })("ada")
  const add = (letter: string) => store.update(async (text) => `${text ?? ""}${letter}`)
  await Promise.all([add("a"), add("b"), add("c")])
  expect([await store.get(), [...rows.keys()]]).toEqual(["abc", ["ada"]])
  await store.update(async () => undefined)
  expect(rows.size).toBe(0)
})

describe("token-stores.md, encrypted rows", () => {
  test("are read with a former secret, written with the new one, and fail with a code without it", async () => {
    const { encrypted } = await load<{
      encrypted: (secrets: ReadonlyArray<Buffer>, store: SharedTextStore) => SharedTextStore
    }>("token-stores/encrypted")
    const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    let row: string | undefined
    const rows: SharedTextStore = { get: () => row, update: async (step) => (row = await step(row)) }
    await encrypted([old], rows).update(async () => "tokens")
    const first = row
    const both = encrypted([current, old], rows)
    expect(await both.get()).toBe("tokens")
    await both.update(async (text) => text ?? undefined)
    expect(row).toBe(first)
    await both.update(async (text) => `${text} of ada`)
    expect(await encrypted([current], rows).get()).toBe("tokens of ada")
    const warnings: Array<string> = []
    const sessions = createSessions({
      client: { clientId: "my-client-id", redirectUri: visitorsReturnTo },
      logger: { warn: (line: string) => warnings.push(line) },
      store: () => encrypted([old], rows)
    })
    onTestFinished(() => sessions.close())
    await expect(sessions.tokens("ada")).rejects.toMatchObject({ cause: { name: "WrongSecret" } })
    expect(warnings).toEqual([expect.stringContaining("could not be read (WrongSecret)")])
  })
})

test.skipIf(programs === undefined)(
  "token-stores.md has a store in PostgreSQL that can be encrypted, without two steps of a user at once, and deletes old rows",
  async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const { hostname, pathname, port, username } = new URL(server.database())
    const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) }
    for (const [name, value] of Object.entries(variables)) {
      vi.stubEnv(name, value)
      onTestFinished(() => void vi.stubEnv(name, undefined))
    }
    type Store = { readonly pool: Pool; readonly storeOver: (key: string) => SharedTextStore }
    const { pool, storeOver } = await load<Store>("token-stores/lockedPostgres")
    onTestFinished(() => pool.end())
    await pool.query("CREATE TABLE tokens (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    const { encrypted } = await load<{ encrypted: (secrets: [Buffer], store: SharedTextStore) => SharedTextStore }>(
      "token-stores/encrypted"
    )
    const store = encrypted([Buffer.alloc(32, 1)], storeOver("ada"))
    const add = (letter: string) =>
      store.update(async (text) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return (text ?? "") + letter
      })
    await Promise.all("abcdef".split("").map(add))
    expect(
      String(await store.get())
        .split("")
        .toSorted()
        .join("")
    ).toBe("abcdef")
    await expect(store.update(() => Promise.reject(new Error("no refresh")))).rejects.toThrow("no refresh")
    // The database restarts while the service is asked.
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    const interrupted = store.update(async () => {
      await pool.query(end)
      await new Promise((resolve) => setTimeout(resolve, 200))
      return "lost"
    })
    await expect(interrupted).rejects.toThrow()
    await add("g")
    expect(await store.get()).toMatch(/^\w{6}g$/)
    const { rows } = await pool.query<{ readonly name: string; readonly value: string }>("SELECT * FROM tokens")
    expect(rows.map(({ name }) => name)).toEqual(["ada"])
    expect(rows[0]?.value).toMatch(/^[\w+/=]{40,}$/)
    await store.update(async () => undefined)
    expect(await store.get()).toBeUndefined()

    const [deleteOld = ""] = blocksIn(read("docs/recipes/token-stores.md")).flatMap(({ language, text }) =>
      language === "sql" && text.startsWith("DELETE") ? [text] : []
    )
    const sessions = createSessions({
      client: { clientId: "my-client-id", redirectUri: visitorsReturnTo },
      store: tokenStores(pool)
    })
    onTestFinished(() => sessions.close())
    await sessions.signIn("ada", UserTokens.from({ access_token: "reader" }))
    await sessions.begin("bob")
    const leftAfter = async (minutes: number) => {
      await pool.query("UPDATE catalog_client_tokens SET lease_until = lease_until - $1", [minutes * 60_000])
      await pool.query(deleteOld)
      const { rows } = await pool.query<{ readonly name: string }>(
        "SELECT name FROM catalog_client_tokens ORDER BY name"
      )
      return rows.map(({ name }) => name)
    }
    expect([await leftAfter(9), await leftAfter(2), await leftAfter(31 * 24 * 60)]).toEqual([
      ["ada", "bob.pending"],
      ["ada"],
      []
    ])
  }
)

describe("deploy.md", () => {
  test("has a Worker with Effect, which acts for the user of each request", async () => {
    type Worker = { readonly fetch: (request: Request, env: object) => Promise<Response> }
    const worker = (await load<{ readonly default: Worker }>("deploy/effect")).default
    const ask = (path: string, authorization = "") =>
      worker.fetch(new Request(`https://worker.test${path}`, { headers: { authorization } }), env)
    const [reader, lantern, nobody] = await Promise.all([
      ask("/me", "Bearer reader"),
      ask("/me", "Bearer lantern"),
      ask("/me")
    ])
    expect([await reader.json(), await lantern.json()]).toEqual([{ name: "sample_reader" }, { name: "paper_lantern" }])
    expect(await (await ask("/anime/1")).json()).toEqual({ title: "Cowboy Bebop", mean: 8.75 })
    expect([(await ask("/anime/999999")).status, (await ask("/")).status]).toEqual([404, 404])
    expect(nobody.status).toBe(401)
    const down = (await import(`${built("deploy/effect")}?down`)) as { readonly default: Worker }
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const more = { ...env, CATALOG_BASE_URL: `http://127.0.0.1:${await freePort()}/v2` }
    expect((await down.default.fetch(new Request("https://worker.test/anime/1"), more)).status).toBe(502)
    expect(log).toHaveBeenCalledWith(expect.stringContaining("catalog.anime.get received no complete response"))
  })

  test.each(["lambda", "effectLambda"])("has a function of Lambda, which can be bundled: %s.ts", async (program) => {
    const outfile = join(folderOfTest(), "index.cjs")
    const entry = join(folder, `node/recipes/deploy/${program}.ts`)
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "cjs", logLevel: "silent" })
    const { handler } = require(outfile) as { handler: (event: object) => Promise<{ readonly body: string }> }
    const ask = (id: string) => handler({ pathParameters: { id } })
    expect(await ask("1")).toMatchObject({ statusCode: 200, body: '{"title":"Cowboy Bebop","mean":8.75}' })
    expect(await ask("999999")).toMatchObject({ statusCode: 404 })
    expect(await ask("abc")).toMatchObject({ statusCode: 400 })
  })

  test("has a program for a container, whose user pastes the address, and who has no home", async () => {
    const more = {
      ...(await signingIn(`http://localhost:${await freePort()}/callback`)),
      HOME: "",
      TOKENS: join(folderOfTest(), "tokens.json")
    }
    await expect(run("deploy/container", more)).rejects.toMatchObject({
      code: 1,
      stderr: "Sign in once in a terminal: docker run -it …\n"
    })
    const inTerminal = { ...env, ...more, NODE_OPTIONS: "--import=data:text/javascript,process.stdin.isTTY=true" }
    const { stdout } = await signInBy(built("deploy/container"), inTerminal, async (url, child) => {
      const { headers } = await fetch(url, { redirect: "manual" })
      let printed = ""
      child.stderr.on("data", (text: Buffer) => (printed += text.toString()))
      child.stdin.write("garbage\n")
      await eventually(() => expect(printed).toContain("Paste the whole address"))
      child.stdin.end(`${headers.get("location")}\n`)
    })
    expect(stdout).toBe("Signed in as sample_reader\n")
    expect(await run("deploy/container", more)).toBe(stdout)
  })
})

/** A page in this process: its document, its origin, and a handler for requests to it. */
const openPage = (answer: (request: Request) => Promise<Response>) => {
  const window = new Window({ url: origin })
  const { fetch } = globalThis
  vi.stubGlobal("window", window)
  vi.stubGlobal("document", window.document)
  vi.stubGlobal("location", window.location)
  vi.stubGlobal("navigator", window.navigator)
  vi.stubGlobal("history", window.history)
  vi.stubGlobal("sessionStorage", window.sessionStorage)
  vi.stubGlobal("fetch", (url: URL, init: RequestInit) =>
    new URL(url).origin === origin ? answer(new Request(url, init)) : fetch(url, init)
  )
  onTestFinished(async () => {
    // React continues for some turns after a root is unmounted, and reads `window` then.
    for (let turn = 0; turn < 100; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    vi.unstubAllGlobals()
    await window.happyDOM.close()
  })
  const element = window.document.createElement("div")
  window.document.body.append(element)
  return element
}

/** An embedded service under /catalog. */
const embedded = (options: EmbeddedCatalogOptions = {}) => EmbeddedCatalog.fetch({ ...options, basePath: "/catalog" })

/** Types into the page's input. React sees a new value only if it is set as the element itself would. */
const type = (element: { querySelector(name: "input"): unknown }, text: string) => {
  const input = element.querySelector("input") as HTMLInputElement
  Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, "value")?.set?.call(input, text)
  input.dispatchEvent(new window.Event("input", { bubbles: true }))
}

const rootOf = async (element: unknown) => (await import("react-dom/client")).createRoot(element as Element)

describe("next.md", () => {
  // What it needs to find the service.
  beforeAll(() => {
    vi.stubEnv("CATALOG_AUTHORIZE_URL", service.authorizeUrl)
    vi.stubEnv("CATALOG_TOKEN_URL", service.tokenUrl)
  })

  test("has a route that refuses who is not signed in, and one that reads with the client ID", async () => {
    const shelf = await load<{ GET: (request: Request) => Promise<Response> }>("next/app/api/shelf/route")
    expect((await shelf.GET(new Request("http://localhost/api/shelf"))).status).toBe(401)
    const { GET } = await load<{ GET: (request: Request) => Promise<Response> }>("next/app/catalog/[...path]/route")
    const response = await GET(new Request("http://localhost/catalog/anime/1?fields=mean"))
    expect(await response.json()).toMatchObject({ id: 1, title: "Cowboy Bebop", mean: expect.any(Number) as number })
    expect((await GET(new Request("http://localhost/catalog/anime/999999"))).status).toBe(404)
  })

  test("has a server component that reads", async () => {
    const { default: Page } = await load<{
      default: (props: { params: Promise<{ id: string }> }) => ReactElement
    }>("next/app/anime/[id]/page")
    const shown = async (id: string) => {
      const { prelude } = await prerender(Page({ params: Promise.resolve({ id }) }))
      return await new Response(prelude).text()
    }
    expect(await shown("30230")).toContain("Diamond no Ace: Second Season")
    expect(await shown("999999")).toContain("There is no such anime.")
  })

  test.each(["next/lib/runtime", "sveltekit/src/lib/server/runtime"])("does so with Effect: %s", async (path) => {
    const { findAnime, proxy } = await load<{
      findAnime: (id: number) => Promise<{ readonly title: string } | undefined>
      proxy: (request: Request) => Promise<Response>
    }>(path)
    expect(await findAnime(1)).toMatchObject({ title: "Cowboy Bebop", mean: 8.75 })
    expect(await findAnime(999_999)).toBeUndefined()
    expect(await findAnime(Number("abc"))).toBeUndefined()
    const response = await proxy(new Request("http://localhost/catalog/anime/1?fields=mean"))
    expect(await response.json()).toMatchObject({ title: "Cowboy Bebop", mean: 8.75 })
    expect((await proxy(new Request("http://localhost/catalog/users/@me"))).status).toBe(404)
  })

  test("has a client component that renders on a server and reads in a page", async () => {
    const { Search } = await load<{ Search: FunctionComponent }>("next/app/search")
    expect(renderToString(createElement(Search))).toContain("<ul></ul>")
    const { GET } = await load<{ GET: (request: Request) => Promise<Response> }>("next/app/catalog/[...path]/route")
    const element = openPage(GET)
    const page = await rootOf(element)
    page.render(createElement(Search))
    await eventually(() => expect(element.textContent).toContain("Diamond no Ace: Act II"))
    const before = received.length
    for (const text of ["bebop", "na", "naruto"]) {
      type(element, text)
    }
    await eventually(() => expect(element.querySelector("li")?.textContent).toBe("Naruto"))
    expect(received.slice(before).map(({ query }) => query.get("q"))).toEqual(["naruto"])
    page.unmount()
  })
})

describe("react.md", () => {
  test("has a component of Vue that waits until the user stops typing", async () => {
    const searches: Array<string | null> = []
    const element = openPage(embedded({ onRequest: ({ query }) => void searches.push(query.get("q")) }))
    const page = filesIn("docs/recipes/react.md").find(({ file }) => file === "vue/Search.vue")
    const { descriptor } = parse(page?.text ?? "")
    const { content } = compileScript(descriptor, { id: "search", inlineTemplate: true })
    const sources = join(folder, "bundler/recipes/react/vue")
    writeFileSync(join(sources, "Search.ts"), content)
    // With Vue in the bundle: it takes the document that there is when it is loaded first.
    const entry = join(sources, "page.ts")
    writeFileSync(entry, 'export { createApp, nextTick } from "vue"\nexport { default as Search } from "./Search.js"\n')
    const outfile = join(folder, "bundler/out/recipes/react/vue/page.js")
    const alias = { "catalog-client": join(root, "packages/promise/dist/fetch.js") }
    await build({
      entryPoints: [entry],
      outfile,
      alias,
      bundle: true,
      format: "esm",
      logLevel: "silent"
    })
    const { createApp, nextTick, Search } = (await import(outfile)) as typeof Vue & { readonly Search: Vue.Component }
    const { defaultView } = element.ownerDocument
    vi.stubGlobal("Element", defaultView?.Element)
    vi.stubGlobal("SVGElement", defaultView?.SVGElement)
    const app = createApp(Search)
    app.mount(element as never)
    await eventually(() => expect(element.textContent).toContain("Diamond no Ace: Act II"))
    const input = element.querySelector("input")
    for (const q of ["bebop", "na", "naruto"]) {
      Object.assign(input ?? {}, { value: q })
      input?.dispatchEvent(new (defaultView?.Event ?? Event)("input") as never)
      await nextTick()
      const tooShort = q === "na"
      expect(element.textContent).toBe(tooShort ? "Type at least three letters." : "Searching…")
    }
    await eventually(() => expect(element.querySelector("li")?.textContent).toBe("Naruto"))
    expect(searches).toEqual(["diamond", "naruto"])
    app.unmount()
  })

  test("starts in its page, over the path of its own origin", async () => {
    const { body } = openPage(embedded()).ownerDocument
    const page = filesIn("docs/recipes/react.md").find(({ file }) => file === "index.html")
    body.innerHTML = /<body>(.*)<\/body>/s.exec(page?.text ?? "")?.[1] ?? ""
    await load(`react/${body.querySelector("script")?.getAttribute("src")?.replace(".tsx", "")}`)
    await eventually(() => expect(body.textContent).toContain("Type at least three letters."))
    type(body, "diamond")
    await eventually(() => expect(body.textContent).toContain("Diamond no Ace: Second Season 8.3"))
  })

  test("waits until the user stops typing, cancels outdated calls, and shows errors", async () => {
    const element = openPage(embedded())
    const { Search } = await load<{ Search: FunctionComponent<{ catalog: Catalog }> }>("react/Search")
    const isFor = (q: string) => (request: ReceivedRequest) => request.query.get("q") === q
    const handler = embedded({
      faults: [
        { on: isFor("bebop"), delay: "1 minute" },
        { on: isFor("season"), status: 429 }
      ]
    })
    const signals: Array<AbortSignal> = []
    const catalog = createCatalog({
      baseUrl: `${origin}/catalog`,
      fetch: (url, init) => {
        if (init.signal) {
          signals.push(init.signal)
        }
        return handler(url, init)
      }
    })
    const page = await rootOf(element)
    page.render(createElement(Search, { catalog }))
    await eventually(() => expect(element.textContent).toBe("Title Type at least three letters."))
    type(element, "beb")
    type(element, "bebop")
    await eventually(() => expect(signals).toHaveLength(1))
    type(element, "diamond")
    await eventually(() => expect(element.textContent).toContain("Diamond no Ace"))
    await eventually(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]))
    type(element, "season")
    await eventually(() => expect(element.textContent).toBe("Title Too many searches. Wait a moment."))
    type(element, "kubernetes")
    await eventually(() => expect(element.textContent).toBe("Title No results."))
    page.unmount()
  })

  test("loads more with TanStack Query, which does not repeat what cannot succeed", async () => {
    const element = openPage(embedded())
    const { queries, queryClient } = await load<{ queries: Queries; queryClient: QueryClient }>("react/client")
    const { InfiniteRanking } = await load<{ InfiniteRanking: FunctionComponent<{ queries: Queries }> }>(
      "react/InfiniteRanking"
    )
    const catalog = createCatalog({ baseUrl: `${origin}/catalog`, fetch: embedded() })
    const ranked = await catalog.anime.ranking.collect({ rankingType: "all" }, { max: 60 })
    const { num_episodes } = await catalog.anime.get({ id: ranked[0]?.node.id ?? 0 }, { fields: ["num_episodes"] })
    const show = (queries: Queries) =>
      createElement(QueryClientProvider, { client: queryClient }, createElement(InfiniteRanking, { queries }))
    const page = await rootOf(element)
    page.render(show(queries))
    for (const count of [20, 40, 60]) {
      await eventually(() => expect(element.querySelectorAll("li")).toHaveLength(count))
      expect(element.querySelector("li:last-child")?.textContent).toContain(ranked[count - 1]?.node.title)
      element.querySelector("button")?.click()
    }
    expect(element.textContent).toContain(`The first has ${num_episodes} episodes.`)
    await eventually(() => expect(queryClient.isFetching()).toBe(0))
    queryClient.clear()
    const asked: Array<string> = []
    const failing = EmbeddedCatalog.fetch({ faults: [{ status: 403 }], onRequest: ({ path }) => asked.push(path) })
    let respond = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    const refused = createCatalog({
      baseUrl: `${origin}/v2`,
      fetch: async (url, init) => {
        await held
        return failing(url, init)
      }
    })
    page.render(show(createQueries(refused, { scope: "another" })))
    await eventually(() => expect(element.textContent).toBe("Loading…"))
    respond()
    await eventually(() => expect(element.textContent).toBe("Something went wrong."))
    expect(asked).toHaveLength(1)
    page.unmount()
    queryClient.clear()
  })

  test("shows a change of an entry before the service has it, and the entry as it was if the change fails", async () => {
    const element = openPage(embedded())
    const { Watched } = await load<{ Watched: FunctionComponent<{ queries: Queries; id: number }> }>("react/Watched")
    const service = EmbeddedCatalog.fetch()
    const ends: Array<(response?: Response) => void> = []
    const catalog = createCatalog({
      accessToken: "embedded-token",
      // Each write waits for its end.
      fetch: async (url, init) => {
        const refused =
          init.method === "PATCH" ? await new Promise<Response | undefined>((resolve) => ends.push(resolve)) : undefined
        return refused ?? service(url, init)
      }
    })
    const { my_list_status } = await catalog.anime.get({ id: 30230 }, { fields: ["my_list_status"] })
    const before = my_list_status?.num_episodes_watched ?? 0
    const queries = createQueries(catalog, { scope: "me" })
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const page = await rootOf(element)
    page.render(createElement(QueryClientProvider, { client }, createElement(Watched, { queries, id: 30230 })))
    const shows = (watched: number, more = "") =>
      eventually(() => expect(element.textContent).toBe(`Diamond no Ace: Second Season: ${watched} watched +1${more}`))
    await shows(before)
    element.querySelector("button")?.click()
    await shows(before + 1)
    element.querySelector("button")?.click()
    await shows(before + 2)
    // The second write waits for the first.
    await eventually(() => expect(ends).toHaveLength(1))
    ends[0]?.()
    await eventually(() => expect(ends).toHaveLength(2))
    ends[1]?.(Response.json({}, { status: 500 }))
    await shows(before + 1, "Not saved.")
    page.unmount()
    client.clear()
    await catalog.close()
  })

  test("has a page that shows the button, with a token that its server adds", async () => {
    const service = embedded()
    const { body } = openPage((request) => {
      const headers = new Headers(request.headers)
      headers.set("authorization", "Bearer embedded-token")
      return service(new Request(request, { headers }))
    }).ownerDocument
    body.innerHTML = '<div id="root"></div>'
    await load("react/watchedApp")
    await eventually(() => expect(body.textContent).toBe("Diamond no Ace: Second Season: 24 watched +1"))
    body.querySelector("button")?.click()
    await eventually(() => expect(body.textContent).toBe("Diamond no Ace: Second Season: 25 watched +1"))
  })

  test("has a page that signs the user in, and shows their own list", async () => {
    const { handler } = EmbeddedCatalog.toWebHandler({
      basePath: "/catalog",
      oauth: { clients: { "embedded-client": { redirectUris: [`${origin}/callback`] } } }
    })
    const { authorizeUrl, tokenUrl } = EmbeddedCatalog.oauthUrls(origin)
    const { body } = openPage((request) =>
      handler(new URL(request.url).pathname === "/oauth/token" ? new Request(tokenUrl, request) : request)
    ).ownerDocument
    const show = async (visit: string) => {
      body.innerHTML = '<div id="root"></div>'
      await import(`${built("react/list")}?${visit}`)
    }
    const gone: Array<string> = []
    vi.spyOn(window.location, "assign").mockImplementation((url) => gone.push(String(url)))
    await show("first")
    await eventually(() => expect(body.textContent).toBe("Sign in"))
    body.querySelector("button")?.click()
    await eventually(() => expect(gone).toHaveLength(1))
    const back = await handler(new Request(`${authorizeUrl}${new URL(gone[0] ?? "").search}`))
    window.history.replaceState(null, "", back.headers.get("location"))
    await show("callback")
    await eventually(() => expect(body.querySelectorAll("li").length).toBeGreaterThan(1))
    // The tab keeps the tokens.
    await show("reload")
    await eventually(() => expect(body.querySelectorAll("li").length).toBeGreaterThan(1))
  })

  test("loads more until the last page, and tries a page that failed again", async () => {
    const element = openPage(embedded())
    const { Ranking } = await load<{ Ranking: FunctionComponent<{ catalog: Catalog }> }>("react/Ranking")
    const catalog = createCatalog({ baseUrl: `${origin}/catalog`, fetch: embedded() })
    const all = await catalog.anime.ranking.collect({ rankingType: "all" }, { max: Infinity })
    const failing = { on: ({ query }: ReceivedRequest) => query.get("offset") === "40", status: 503, times: 1 }
    const unsteady = createCatalog({ baseUrl: `${origin}/catalog`, fetch: embedded({ faults: [failing] }) })
    const page = await rootOf(element)
    page.render(createElement(Ranking, { catalog: unsteady }))
    const shown = () => [...element.querySelectorAll("li")].map(({ textContent }) => textContent)
    for (let count = 20; count < all.length; count += 20) {
      await eventually(() => expect(shown()).toHaveLength(count))
      element.querySelector("button")?.click()
      if (count === 40) {
        await eventually(() => expect(element.querySelector("[role=alert]")?.textContent).toContain("Try again"))
        expect(shown()).toHaveLength(count)
        element.querySelector("button")?.click()
      }
    }
    await eventually(() => expect(shown()).toEqual(all.map(({ node }) => node.title)))
    expect(element.querySelector("button")).toBeNull()
    page.unmount()
  })
})

describe("proxies.md, for pages", () => {
  test("adds the client ID, and forwards lists and writes", async () => {
    const url = await started("proxies/server", { PAGE_ORIGIN: origin })
    const catalog = createCatalog({ baseUrl: `${url}/catalog` })
    received.length = 0
    expect((await catalog.anime.get({ id: 1 })).title).toBe("Cowboy Bebop")
    expect(received[0]?.headers["x-mal-client-id"]).toBe("my-client-id")
    const ranked = await catalog.anime.ranking.collect({ rankingType: "all", limit: 50 }, { max: 120 })
    expect(new Set(ranked.map(({ node }) => node.id)).size).toBe(120)

    const { anime } = catalog.withOptions({ accessToken: "reader" })
    expect((await anime.updateMyListStatus({ id: 1, num_watched_episodes: 2 })).num_episodes_watched).toBe(2)
    await anime.deleteFromList({ id: 1 })
    await expect(catalog.anime.get({ id: 999_999 })).rejects.toMatchObject({ status: 404, code: "not_found" })
    await expect(anime.suggestions({ accessToken: "another" })).rejects.toMatchObject({
      status: 401,
      credentialSent: true
    })
  })

  test("forwards the token URL that catalog-embedded prints", async () => {
    const { CATALOG_TOKEN_URL } = await signingIn(origin)
    const url = await started("proxies/server", { CATALOG_TOKEN_URL })
    const response = await fetch(`${url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "none" })
    })
    expect(await response.json()).toEqual(
      await (
        await fetch(CATALOG_TOKEN_URL, { method: "POST", body: new URLSearchParams({ grant_type: "none" }) })
      ).json()
    )
  })

  test("responds to preflights, and to nothing outside its path", async () => {
    const url = await started("proxies/server", { PAGE_ORIGIN: origin })
    const preflight = await fetch(`${url}/catalog/anime/1`, { method: "OPTIONS" })
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin])
    const read = await fetch(`${url}/catalog/anime/1`, { headers: { cookie: "session=1" } })
    expect(read.headers.get("access-control-allow-origin")).toBe(origin)
    expect(received.at(-1)?.headers["cookie"]).toBeUndefined()
    expect((await fetch(`${url}/anime/1`)).status).toBe(404)
    expect((await fetch(`${url}/catalog/anime/1`, { method: "HEAD" })).status).not.toBe(502)
  })

  test("has a server of a built page and its proxy", async () => {
    const folder = folderOfTest()
    mkdirSync(join(folder, "dist"))
    writeFileSync(join(folder, "dist/index.html"), "<main></main>")
    const url = await started("proxies/serveAll", {}, undefined, folder)
    expect(await (await fetch(url)).text()).toBe("<main></main>")
    expect((await createCatalog({ baseUrl: `${url}/catalog` }).anime.get({ id: 1 })).title).toBe("Cowboy Bebop")
    expect((await fetch(`${url}/catalog/users/@me`)).status).toBe(404)
  })

  test("has a proxy of a catalog", async () => {
    const catalog = createCatalog({ baseUrl: `${await started("proxies/serve")}/catalog` })
    expect((await catalog.anime.get({ id: 1 })).title).toBe("Cowboy Bebop")
    await expect(catalog.manga.get({ id: 1 })).rejects.toMatchObject({ status: 404 })
  })

  test.each(["express/server", "sign-in-server/server", "proxies/server"])(
    "can be reached by other machines: %s",
    async (program) => {
      const lines: Array<string> = []
      await started(program, { HOST: "0.0.0.0" }, (line) => lines.push(line))
      expect(lines.join()).toContain("address: '0.0.0.0'")
    }
  )

  test("works with a path of the page's origin", async () => {
    openPage(embedded())
    const { catalog } = await load<{ catalog: Catalog }>("proxies/page")
    expect((await catalog.anime.get({ id: 1 })).title).toBe("Cowboy Bebop")
  })
})

describe("proxies.md, of a company", () => {
  test.each(["proxies/program", "proxies/effect"])("sends through the proxy: %s", async (program) => {
    const through: Array<string> = []
    const proxy = createServer((incoming, outgoing) => {
      through.push(incoming.url ?? "")
      const { headers, method } = incoming
      const sent = send(incoming.url ?? "", { headers, method }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      incoming.pipe(sent)
    })
    proxy.on("connect", ({ url = "" }: { readonly url?: string }, socket) => {
      through.push(url)
      const { hostname, port } = new URL(`http://${url}`)
      const upstream = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        upstream.pipe(socket).pipe(upstream)
      })
      for (const end of [socket, upstream]) {
        end.on("error", () => upstream.destroy())
      }
    })
    const HTTP_PROXY = await listening(proxy)
    expect(await run(program, { HTTP_PROXY })).toBe("Diamond no Ace: Second Season\n")
    expect(through.length).toBeGreaterThan(0)
    expect(through.every((url) => url.includes(new URL(service.url).host))).toBe(true)
  })
})

describe("nightly-job.md", () => {
  const temp = mkdtempSync(join(tmpdir(), "catalog-recipes-"))
  afterAll(() => rmSync(temp, { recursive: true, force: true }))

  const idsIn = (file: string) =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly node: { readonly id: number } }).node.id)

  test("writes a whole list, and continues after a failure", async () => {
    const { exportList } = await load<{ exportList: (catalog: Catalog, file: string) => Promise<void> }>(
      "nightly-job/exportList"
    )
    let isDown = true
    const offsets: Array<number> = []
    const catalog = createCatalog({
      fetch: EmbeddedCatalog.fetch({
        faults: [{ on: ({ query }) => isDown && query.get("offset") === "200", status: 503 }],
        onRequest: ({ query }) => offsets.push(Number(query.get("offset")))
      }),
      ...EmbeddedCatalog.credentials()
    })
    const file = join(temp, "list.jsonl")
    await expect(exportList(catalog, file)).rejects.toMatchObject({ status: 503 })
    expect(readdirSync(temp)).not.toContain("list.jsonl")
    isDown = false
    offsets.length = 0
    await exportList(catalog, file)
    expect(offsets[0]).toBe(200)
    const whole = await catalog.user.animeList.collect({ username: "@me" }, { max: Infinity, nsfw: true })
    expect(whole.length).toBeGreaterThan(300)
    expect(idsIn(file)).toEqual(whole.map(({ node }) => node.id))
    expect(readdirSync(temp)).toEqual(["list.jsonl"])
    // Cut off, and without its other file.
    for (const state of ["", '{"bytes":9,"paging":{}}']) {
      writeFileSync(`${file}.state`, state)
      await exportList(catalog, file)
      expect(idsIn(file)).toHaveLength(whole.length)
    }
  })

  // Effect logs to the standard output.
  test.each([
    ["job", "cli", "stderr"],
    ["ownList", "program", "stdout"]
  ])("runs as a job, for the user who has signed in: %s.ts, with %s.ts", async (job, signIn, stream) => {
    const folder = folderOfTest()
    const more = await signingIn(`http://localhost:${await freePort()}/callback`)
    const failed = { code: 1, [stream]: expect.stringContaining("Sign in") as string }
    await expect(runIn(folder, `nightly-job/${job}`, more)).rejects.toMatchObject(failed)
    await signInBy(built(`sign-in/${signIn}`), { ...env, ...more }, async (url) => {
      expect((await fetch(url)).status).toBe(200)
    })
    await runIn(folder, `nightly-job/${job}`, more)
    expect(idsIn(join(folder, "list.jsonl"))).toHaveLength(350)
  })

  test("writes the lists of many users with Effect, continues after one that fails, and then fails", async () => {
    const { exportLists } = await load<{
      exportLists: (
        folder: string,
        users: ReadonlyArray<string>,
        credentialsOf: (user: string) => Credentials.Service
      ) => Effect.Effect<void, unknown, FileSystem.FileSystem | HttpClient.HttpClient>
    }>("nightly-job/exportLists")
    const folder = mkdtempSync(join(temp, "lists-"))
    mkdirSync(join(folder, "blocked.jsonl.part"))
    const offsets: Array<number> = []
    const service = EffectService.layer({
      tokens,
      faults: [{ on: ({ query }) => query.get("offset") === "200", times: 1, status: 400 }],
      onRequest: ({ query }) => offsets.push(Number(query.get("offset")))
    })
    const Live = OAuthSessions.layer({
      clientId: "embedded-client",
      redirectUri: "http://localhost:8080/callback"
    }).pipe(Layer.provide(TokenStores.layerMemory), Layer.provideMerge(Layer.merge(service, NodeFileSystem.layer)))
    const warnings: Array<string> = []
    let failure: unknown
    const logger = Logger.make(({ message }) => warnings.push(String(message)))
    await Effect.gen(function* () {
      const sessions = yield* OAuthSessions
      for (const [user, token] of [
        ["../reader", "reader"],
        ["lantern", "lantern"]
      ] as const) {
        yield* sessions.signIn(user, Tokens.from({ access_token: token }))
      }
      yield* Effect.flip(exportLists(folder, ["../reader"], sessions.credentials))
      failure = yield* Effect.flip(
        exportLists(folder, ["blocked", "../reader", "gone", "lantern"], sessions.credentials)
      )
    }).pipe(Effect.provide([Live, Logger.replace(Logger.defaultLogger, logger)]), Effect.runPromise)
    const files = ["..%2Freader.jsonl", "blocked.jsonl.part", "lantern.jsonl"]
    expect(readdirSync(folder).toSorted()).toEqual(files)
    expect(idsIn(join(folder, "..%2Freader.jsonl")).length).toBe(350)
    expect(idsIn(join(folder, "lantern.jsonl")).length).not.toBe(350)
    expect(offsets.slice(0, 6)).toEqual([0, 100, 200, 200, 300, 0])
    expect(warnings).toEqual([
      expect.stringMatching(/^[.][.].reader: .*400/),
      expect.stringMatching(/^blocked: .*EISDIR/),
      expect.stringMatching(/^gone: .*Sign in again/)
    ])
    expect(failure).toMatchObject({ _tag: "ListsFailed", message: "2 of 4 lists failed." })
  })

  // Each starts three programs of Node. Effect logs to the standard output.
  test.each([
    ["server", "users", "stderr", /^gone: .*Sign in again.*\n$/],
    ["effect", "lists", "stdout", /gone: .*Sign in again.*\n[^]*ListsFailed: 1 of 1 lists failed[.]\n/]
  ])(
    "exports the lists of those who signed in at %s.ts",
    { timeout: 180_000 },
    async (server, job, stream, printed) => {
      const more = await signingIn(visitorsReturnTo)
      const folder = more.XDG_CONFIG_HOME
      const cookie = await signInAt(await started(`sign-in-server/${server}`, more, undefined, folder))
      const user = cookie.replace("__Host-catalog-visitor=", "")
      const lists = (...args: ReadonlyArray<string>) => runIn(folder, `nightly-job/${job}`, more, ...args)
      const failed = { code: 1, [stream]: expect.stringMatching(printed) as string }
      await Promise.all([lists("lists", user), expect(lists("lists", "gone")).rejects.toMatchObject(failed)])
      expect(idsIn(join(folder, "lists", `${user}.jsonl`)).length).toBe(350)
      expect(readdirSync(join(folder, "lists"))).toEqual([`${user}.jsonl`])
    }
  )

  test.each([
    ["lists", ["lists"]],
    ["lists", ["lists", ""]],
    ["users", []],
    ["users", ["lists"]]
  ])("explains its arguments: %s.ts %j", async (job, args) => {
    const usage = { code: 1, stderr: `Usage: npx tsx ${job}.ts <folder> <user> [<user> ...]\n` }
    await expect(run(`nightly-job/${job}`, {}, ...args)).rejects.toMatchObject(usage)
  })
})

/** What the other clients that use axios share. */
interface Axios {
  readonly interceptors: {
    readonly request: {
      readonly use: (redirect: (config: { readonly url: string }) => object) => number
      readonly eject: (interceptor: number) => void
    }
  }
}

/** What a program prints that runs in this process. */
const printedBy = async (program: string): Promise<string> => {
  let printed = ""
  const log = vi.spyOn(console, "log").mockImplementation((...values) => void (printed += `${format(...values)}\n`))
  try {
    await load(program)
  } finally {
    log.mockRestore()
  }
  return printed
}

describe("the migration guide", () => {
  const live = ServiceProfile.default
  const clientId = "my-client-id"
  const redirectUri = "http://localhost:8080/callback"
  const guide = read("docs/recipes/migrate.md")
  const shown = (client: string) => {
    const blocks = blocksIn(guide)
    const after = blocks.findIndex(({ text }) => text.startsWith(`// ${client}/after.ts`))
    return blocks.slice(after).find(({ language }) => language === "text")?.text
  }

  let service: ServedCatalog
  const redirected = (url: string) =>
    url
      .replace(live.baseUrl, service.url)
      .replace(/^https:[/][/]myanimelist[.]net\/v1\/oauth2/, service.tokenUrl.replace(/\/token$/, ""))

  // The other clients have no option for the address, or not in the program of their page.
  beforeAll(async () => {
    service = await serve({
      clientIds: [clientId],
      oauth: { clients: { [clientId]: { redirectUris: [redirectUri] } } }
    })
    vi.stubEnv("CATALOG_PROFILE", JSON.stringify(service.profile))
    const { fetch } = globalThis
    vi.stubGlobal("fetch", (url: string | URL, init: RequestInit) => fetch(redirected(String(url)), init))
    // mal-ts has the same copy.
    const axios = createRequire(require.resolve("node-myanimelist"))("axios") as Axios
    const redirect = axios.interceptors.request.use(({ url, ...config }) => ({ ...config, url: redirected(url) }))
    return async () => {
      axios.interceptors.request.eject(redirect)
      vi.unstubAllGlobals()
      await service.close()
    }
  })

  test.each(["animelist-client", "mal-ts"])("%s: the programs before and after print the same", async (page) => {
    expect(await printedBy(`${page}/before`)).toBe(shown(page))
    expect(await printedBy(`${page}/after`)).toBe(shown(page))
  })

  test("jikan: the program after prints what the page says", async () => {
    expect(await printedBy("jikan/after")).toBe(shown("jikan"))
  })

  /** Signs in as a user of node-myanimelist. */
  const signIn = async () => {
    const auth = Mal.auth(clientId)
    const challenge = "a".repeat(43)
    const response = await fetch(auth.getOAuthUrl(challenge), { redirect: "manual" })
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? ""
    return auth.authorizeWithCode(code, challenge)
  }

  test("node-myanimelist: the programs before and after print the same, for a user who stays signed in", async () => {
    const folder = folderOfTest()
    const stored = (await signIn()).stringifyToken() ?? ""
    vi.stubEnv("XDG_CONFIG_HOME", folder)
    vi.stubEnv("STORED_TOKEN", stored)
    expect(await printedBy("node-myanimelist/before")).toBe(shown("node-myanimelist"))
    const profile = JSON.stringify(service.profile)
    await run("node-myanimelist/tokens", { STORED_TOKEN: stored, XDG_CONFIG_HOME: folder, CATALOG_PROFILE: profile })
    expect(await printedBy("node-myanimelist/after")).toBe(shown("node-myanimelist"))
  })

  test("animelist-client: a visitor of @animelist/auth stays signed in", async () => {
    const { access_token, refresh_token } = (await signIn()).malToken ?? {}
    const { adopt } = await load<{ adopt: (sessions: Sessions, visitor: string, session: object) => Promise<void> }>(
      "animelist-client/tokens"
    )
    const catalog = createCatalog({ profile: service.profile })
    let stored: string | undefined
    const sessions = createSessions({
      catalog,
      profile: service.profile,
      client: { clientId, redirectUri },
      store: () => ({ get: () => stored, set: (text) => (stored = text), remove: () => (stored = undefined) })
    })
    await adopt(sessions, "one", { userId: 1, accessToken: access_token, refreshToken: refresh_token })
    expect(await sessions.catalogOf("one").user.me()).toMatchObject({ name: "sample_reader" })
    await sessions.close()
    await catalog.close()
  })

  test("name each method of the other client, and only operations that exist", async () => {
    const methodsOf = (name: string, { prototype }: { readonly prototype: object }) =>
      Object.getOwnPropertyNames(prototype)
        .filter((method) => method !== "constructor")
        .map((method) => `\`${name}.${method}(`)
    const theirs = {
      "node-myanimelist": [
        ...methodsOf("account.anime", Mal.Anime.MalAnime),
        // The page says that these correspond to those of anime.
        ...methodsOf("account.manga", Mal.Manga.MalManga).map((method) =>
          method.replace(/manga/gi, (word) => ({ manga: "anime", Manga: "Anime" })[word] ?? word)
        ),
        ...methodsOf("account.user", Mal.User.MalUser),
        ...methodsOf("account.forum", Mal.Forum.MalForum)
      ],
      "animelist-client": methodsOf("client", MALClient),
      "mal-ts": methodsOf("mal", MyAnimeList)
    }
    for (const methods of Object.values(theirs)) {
      expect(methods.length).toBeGreaterThan(1)
      expect(methods.filter((method) => !guide.includes(method))).toEqual([])
    }
    // Its declarations are only for bundlers.
    const { JikanClient } = (await import("@tutkli/jikan-ts")) as unknown as {
      readonly JikanClient: new () => Readonly<Record<string, object>>
    }
    const jikan = new JikanClient()
    const named = [...guide.matchAll(/`(?!client|auth)(\w+)[.](get\w+)\(/g)].map(([, group, method]) => [group, method])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(([group = "", method = ""]) => !(method in (jikan[group] ?? {})))).toEqual([])
    const ours = pages.flatMap((page) => [
      ...read(`docs/${page}.md`).matchAll(/catalog[.](anime|manga|user|forum)[.](\w+)/g)
    ])
    expect(
      ours.filter(([, domain = "", name = ""]) => !(name in Operations[domain as "anime"])).map(([name]) => name)
    ).toEqual([])
  })
})
