/** The server in another process, as it is packed. */
import { CatalogConfig } from "@catalog-client/core"
import { EmbeddedServer, type ServeOptions } from "@catalog-client/testing/node"
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect, ManagedRuntime } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { freePort } from "../../../test/freePort.mjs"
import { login } from "../src/login.js"
import { tools } from "../src/tools.js"
import { connected, reads, writes } from "./calls.js"

/** The program, as it is packed. */
const folder = join(import.meta.dirname, "..")
const main = join(folder, "dist/main.js")
beforeAll(() => promisify(execFile)("npm", ["run", "bundle"], { cwd: folder }))

/** A folder in which no user has signed in. */
const emptyFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-mcp-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** An embedded service on a port. */
const serve = async (options: ServeOptions = {}) => {
  const runtime = ManagedRuntime.make(EmbeddedServer.layer(options))
  const service = await runtime.runPromise(EmbeddedServer)
  return { ...service, [Symbol.asyncDispose]: () => runtime.dispose() }
}

const environment = (env: Readonly<Record<string, string>>) => ({
  ...getDefaultEnvironment(),
  XDG_CONFIG_HOME: emptyFolder(),
  ...env
})

/** A client of the program in another process, and what that writes to standard error. */
const inProcess = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...args],
    env: environment(env),
    stderr: "pipe"
  })
  let stderr = ""
  transport.stderr?.on("data", (chunk) => (stderr += String(chunk)))
  return { ...(await connected(transport)), stderr: () => stderr }
}

describe("the program", () => {
  test("serves each tool with --demo", async () => {
    const { call, mcp, stderr } = await inProcess(["--demo", "--allow-writes"])
    // From here on the client checks each result against the schema of the tool's output.
    expect((await mcp.listTools()).tools).toHaveLength(tools.length)
    for (const [name, args, text, structured] of [...reads, ...writes]) {
      const result = await call(name, args)
      expect(result, name).toMatchObject({ isError: false, text: expect.stringContaining(text), structured })
    }
    expect(stderr()).toBe("")
  })

  test("writes only messages and no secret, also if the service sends one back", async () => {
    const canary = "canary-3f9d1c-token"
    const echo = { error: "bad_request", message: `the token ${canary} is bad` }
    await using service = await serve({
      tokens: { [canary]: "sample_reader" },
      clientIds: [canary],
      faults: [
        { on: "forum.boards", status: 400, body: echo, headers: { "x-token": canary } },
        { on: "forum.topics", status: 200, body: canary }
      ]
    })
    const child = spawn(process.execPath, [main], {
      env: environment({ CATALOG_BASE_URL: service.url, CATALOG_ACCESS_TOKEN: canary, CATALOG_CLIENT_ID: canary }),
      stdio: ["pipe", "pipe", "pipe"]
    })
    onTestFinished(() => void child.kill())
    const [out, err] = [child.stdout, child.stderr].map((stream) => {
      const chunks: Array<string> = []
      stream.setEncoding("utf8").on("data", (text: string) => chunks.push(text))
      return chunks
    })
    const requests = reads.map(([name, args], at) => ({
      id: at + 1,
      method: "tools/call",
      params: { name, arguments: args }
    }))
    const opening = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a-test", version: "1.0.0" }
    }
    const messages = [
      { id: 0, method: "initialize", params: opening },
      { method: "notifications/initialized" },
      { id: 99, method: "tools/list" },
      ...requests
    ]
    for (const message of messages) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    }
    const lines = () => (out ?? []).join("").split("\n").slice(0, -1)
    await expect.poll(() => lines().length, { timeout: 45_000 }).toBe(requests.length + 2)
    child.stdin.end()
    expect(await once(child, "close")).toEqual([0, null])
    const replies = lines().map(
      (line) => JSON.parse(line) as { readonly jsonrpc: string; readonly result?: { readonly isError?: boolean } }
    )
    for (const reply of replies) {
      expect(reply).toMatchObject({ jsonrpc: "2.0", result: expect.any(Object) })
    }
    expect(replies.filter(({ result }) => result?.isError === true)).toHaveLength(2)
    expect([...(out ?? []), ...(err ?? [])].join("")).not.toContain(canary)
  })

  test("signs a user in by login, uses the tokens, and removes them by logout", async () => {
    const clientId = "embedded-client"
    const redirectUri = `http://localhost:${await freePort()}/callback`
    await using service = await serve({
      oauth: { clients: { [clientId]: { redirectUris: [redirectUri] } }, consent: "allow" }
    })
    const XDG_CONFIG_HOME = emptyFolder()
    vi.stubEnv("XDG_CONFIG_HOME", XDG_CONFIG_HOME)
    onTestFinished(() => void vi.unstubAllEnvs())
    const signIn = login(
      { clientId, redirectUri },
      { openBrowser: false, onUrl: (url) => Effect.promise(() => fetch(url)) }
    )
    const { profile } = service
    expect(await Effect.runPromise(Effect.provide(signIn, CatalogConfig.layer({ profile })))).toBe("sample_reader")
    const { call } = await inProcess(["--allow-writes"], { XDG_CONFIG_HOME, CATALOG_BASE_URL: service.url })
    expect((await call("my_profile")).text).toContain("name=sample_reader")
    expect(await ended(["logout"], { XDG_CONFIG_HOME })).toEqual({ code: 0, out: says("Signed out."), err: "" })
    expect(await ended([], { XDG_CONFIG_HOME })).toMatchObject({ code: 1, err: says("There are no credentials.") })
    // Again, without tokens.
    expect(await ended(["logout"], { XDG_CONFIG_HOME })).toMatchObject({ code: 0, err: "" })
  })

  test("ends with its output, though its input is open", async () => {
    const child = spawn(process.execPath, [main, "--demo"], { env: environment({}), stdio: ["pipe", "pipe", "ignore"] })
    onTestFinished(() => void child.kill())
    const ping = (id: number) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`)
    ping(1)
    await once(child.stdout, "data")
    child.stdout.destroy()
    await once(child.stdout, "close")
    ping(2)
    expect(await once(child, "exit")).toEqual([0, null])
    expect(child.stdin.writableEnded).toBe(false)
  })

  test("has the licence of each package that it bundles", () => {
    // A comment of the bundle names each file.
    const bundled = readFileSync(main, "utf8").matchAll(/^\/\/ .*[/]node_modules[/]((?:@[^/]+[/])?[^/]+)[/]/gm)
    const licensed = readFileSync(join(folder, "LICENSES.md"), "utf8").matchAll(
      /^## (\S+) \S+ \((?:MIT|Apache-2[.]0)\)$/gm
    )
    const [inBundle, named] = [bundled, licensed].map((found) => new Set(Array.from(found, ([, name]) => name)))
    expect(named).toEqual(inBundle)
    expect([...(named ?? [])]).toEqual(expect.arrayContaining(["@modelcontextprotocol/server", "effect", "undici"]))
  })

  test("shortens what it echoes in an error, and ends after a message that is too long", async () => {
    const child = spawn(process.execPath, [main, "--demo"], { env: environment({}), stdio: "pipe" })
    onTestFinished(() => void child.kill())
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => (out += String(chunk)))
    child.stderr.on("data", (chunk) => (err += String(chunk)))
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x".repeat(100_000), arguments: {} } }
    child.stdin.write(`${JSON.stringify(call)}\n`)
    await expect.poll(() => out).toContain("more characters)")
    expect(out.length).toBeLessThan(5_000)
    child.stdin.on("error", () => undefined).write("x".repeat(11 * 1024 * 1024))
    await once(child, "exit")
    expect(err).toContain("10485760 bytes")
  })

  /** Starts the program without input, and waits until it ends. */
  const ended = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...environment({}), ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    onTestFinished(() => void child.kill())
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk) => (out += String(chunk)))
    child.stderr.on("data", (chunk) => (err += String(chunk)))
    const [code] = (await once(child, "close")) as [number | null]
    return { code, out, err }
  }
  const says = (text: string): unknown => expect.stringContaining(text)

  test("says why the stored tokens cannot be read, where a home directory is missing, and needs none otherwise", async () => {
    const homeless = { XDG_CONFIG_HOME: undefined, HOME: "" }
    const [bare, writes, devNull, client, token, demo, logout] = await Promise.all([
      ended([], homeless),
      ended(["--allow-writes"], { ...homeless, CATALOG_CLIENT_ID: "embedded-client" }),
      ended([], { ...homeless, HOME: "/dev/null" }),
      ended([], { ...homeless, CATALOG_CLIENT_ID: "embedded-client" }),
      ended([], { ...homeless, CATALOG_ACCESS_TOKEN: "embedded-token" }),
      ended(["--demo"], homeless),
      ended(["logout"], homeless)
    ])
    const reason =
      "The tokens of \"catalog-mcp login\" cannot be read. fileTokenStore: the default path cannot be used: the home directory (HOME) is ''. Pass another path, or set XDG_CONFIG_HOME to a directory that this user may write."
    expect(bare).toMatchObject({ code: 1, err: says(`or pass --demo. ${reason}\n\nUsage: `) })
    expect(writes).toMatchObject({
      code: 1,
      err: says(`--allow-writes needs a user: run "catalog-mcp login", or set CATALOG_ACCESS_TOKEN. ${reason}`)
    })
    expect(devNull).toMatchObject({ code: 1, err: says("mkdir '/dev/null/.config/catalog-client'.") })
    expect(client).toMatchObject({ code: 0, err: says("There is no user. The tokens of") })
    expect(token).toMatchObject({ code: 0, err: "" })
    expect(demo).toMatchObject({ code: 0, err: "" })
    expect(logout).toMatchObject({ code: 1, out: "", err: says("the home directory (HOME) is ''") })
  })

  test("ends with its input or after --help; does not start without credentials, or with an unknown argument", async () => {
    const [demo, help, bare, mistaken, unknown, unregistered] = await Promise.all(
      [["--demo"], ["--help"], [], ["--writes"], ["sign-out"], ["login"]].map((args) => ended(args))
    )
    expect(help).toEqual({ code: 0, out: says("Usage: "), err: "" })
    expect(demo).toEqual({ code: 0, out: "", err: "" })
    expect(bare).toEqual({
      code: 1,
      out: "",
      err: says('Set CATALOG_CLIENT_ID, run "catalog-mcp login", or pass --demo.')
    })
    expect(mistaken).toEqual({ code: 1, out: "", err: says("Usage: ") })
    expect(unknown).toEqual({ code: 1, out: "", err: says('There is no command "sign-out".\n\nUsage: ') })
    expect(unregistered).toEqual({ code: 1, out: "", err: says("needs a client ID: register one at") })
  })
})
