/** Each tarball is installed, its modules can be imported, and its commands start. */
import { Client } from "@modelcontextprotocol/client"
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { newProject, packCatalogClient, packMcp, quietly, run, temporaryFolder, tool } from "./packed.js"
import { manifest, modules, read } from "./readme.js"
import { withoutNotes } from "../scripts/release/notes.mjs"
import { effectFolders as names } from "../scripts/workspace.mjs"

const temp = temporaryFolder()

afterAll(() => rmSync(temp, { recursive: true, force: true }))

describe("the packages for Effect", () => {
  const project = join(temp, "effect")

  beforeAll(async () => {
    mkdirSync(project)
    await newProject(project)
  })

  test("can import the public modules and no others", () => {
    const { resolve } = createRequire(join(project, "index.js"))
    const importable = names.flatMap((name) => {
      const packageName = `@catalog-client/${name}`
      const files = readdirSync(join(project, "node_modules", packageName, "dist"), {
        recursive: true,
        encoding: "utf8"
      })
        .filter((path) => path.endsWith(".js"))
        .flatMap((path) => [path, path.slice(0, -3), `dist/${path}`])
      const candidates = [...modules, ...files.map((path) => `${packageName}/${path}`)]
      return candidates.filter((specifier) => {
        try {
          return resolve(specifier) !== ""
        } catch {
          return false
        }
      })
    })
    expect([...new Set(importable)].toSorted()).toEqual(modules.toSorted())
  })

  /** Starts a program that serves until the test has ended; what it prints, up to a line like `last`. */
  const started = async (cwd: string, last: RegExp, command: string, args: ReadonlyArray<string>, env = {}) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const closed = once(child, "close")
    // With what it has started itself.
    onTestFinished(async () => {
      if (child.pid !== undefined && child.exitCode === null) {
        process.kill(-child.pid, "SIGTERM")
      }
      await closed
    })
    const lines: Array<string> = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (last.test(line)) {
        return lines
      }
    }
    throw new Error(`${command} ${args.join(" ")} ended, and printed:\n${lines.join("\n")}`)
  }

  /** An embedded service, with what it prints: its URL, a client ID and an access token. */
  const embedded = async () => {
    const lines = await started(project, /CATALOG_ACCESS_TOKEN/, "npx", [
      "--no",
      "--",
      "catalog-embedded",
      "--port",
      "0"
    ])
    const [CATALOG_BASE_URL = "", CATALOG_CLIENT_ID = "", CATALOG_ACCESS_TOKEN = ""] = lines.map((line) =>
      line.slice(line.indexOf("=") + 1)
    )
    return { CATALOG_BASE_URL, CATALOG_CLIENT_ID, CATALOG_ACCESS_TOKEN }
  }

  test("serves a catalog by catalog-embedded", async () => {
    const served = await embedded()
    writeFileSync(
      join(project, "call.js"),
      `import { CatalogClient, layerClient } from "@catalog-client/node"
      import { Effect } from "effect"
      const [baseUrl, clientId, accessToken] = process.argv.slice(2)
      const me = Effect.flatMap(CatalogClient, ({ user }) => user.me())
      const { name } = await Effect.runPromise(Effect.provide(me, layerClient({ baseUrl, clientId, accessToken })))
      console.log(name)`
    )
    expect(await run(project, process.execPath, "call.js", ...Object.values(served))).toBe("sample_reader\n")
  })
})

describe("the MCP server", () => {
  test("starts from its tarball alone by the command of its README", async () => {
    const mcp = await packMcp(temp)
    const readme = withoutNotes(read("packages/mcp/README.md"))
    const [, command = "", line = ""] = /```sh\n(\S+) (.+)\n```/.exec(readme) ?? []
    const args = line.split(" ")
    const configurations = Array.from(readme.matchAll(/```json\n(.+?)```/gs), ([, text = ""]): unknown =>
      JSON.parse(text)
    )
    expect(configurations).toEqual([
      { mcpServers: { catalog: { command, args } } },
      { servers: { catalog: { type: "stdio", command, args } } }
    ])
    await tool("publint", "run", mcp, "--strict")
    expect((await run(temp, "tar", "-tzf", mcp)).split("\n")).toEqual(
      expect.arrayContaining(["package/LICENSE", "package/LICENSES.md"])
    )
    const client = new Client({ name: "a-test", version: "1.0.0" })
    onTestFinished(() => client.close())
    const ofTarball = args.map((arg) => arg.replace("@catalog-client/mcp", `file:${mcp}`))
    const offline = { ...getDefaultEnvironment(), npm_config_cache: join(temp, "npm"), npm_config_offline: "true" }
    await client.connect(new StdioClientTransport({ command, args: ofTarball, cwd: temp, env: offline }))
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
    // The client checks it against the schema.
    const { structuredContent } = await client.callTool({ name: "get", arguments: { kind: "anime", id: 30230 } })
    expect(structuredContent).toMatchObject({ title: "Diamond no Ace: Second Season", mean: 8.3 })
  })
})

describe("catalog-client", () => {
  const project = join(temp, "promises")
  const subpaths = Object.keys(manifest("promise").exports).filter((key) => key !== "./package.json")
  const specifiers = subpaths.map((key) => `catalog-client${key.slice(1)}`)

  beforeAll(async () => {
    mkdirSync(project)
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "a-new-project", private: true, type: "module" })
    )
    await run(project, "npm", "install", ...quietly, await packCatalogClient(temp))
  })

  test("exports the same from each entry point under import and require, with the same classes", async () => {
    const text = `import { createRequire } from "node:module"
      const require = createRequire(import.meta.url)
      for (const name of ${JSON.stringify(specifiers)}) {
        const [es, common] = [await import(name), require(name)]
        const keys = Object.keys(es).filter((key) => key !== "default" && key !== "module.exports")
        if (keys.length === 0 || keys.some((key) => common[key] === undefined)) throw new Error(name)
        if (process.features.require_module && keys.some((key) => common[key] !== es[key])) throw new Error(name)
      }
      console.log("same")`
    writeFileSync(join(project, "entries.js"), text)
    expect(await run(project, process.execPath, "entries.js")).toBe("same\n")
  })

  test("can import no other module", () => {
    const { resolve } = createRequire(join(project, "index.js"))
    for (const name of ["catalog-client/dist/node.js", "catalog-client/fetch"]) {
      expect(() => resolve(name)).toThrow(/not defined by "exports"/)
    }
  })

  test("serves a catalog by catalog-embedded", async () => {
    expect(await run(project, "npx", "--no", "--", "catalog-embedded", "--help")).toContain("--port")
  })
})
