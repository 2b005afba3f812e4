/** The tarball of `catalog-client`, in projects that have nothing else. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { tsc, versions } from "./compilers.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { packCatalogClient, quietly, run, temporaryFolder, tool } from "./packed.js"
import { clientProgram, filesIn, manifest, read, root } from "./readme.js"

const temp = temporaryFolder()
const project = join(temp, "project")
const installed = join(project, "node_modules/catalog-client")
const subpaths = Object.keys(manifest("promise").exports).filter((key) => key !== "./package.json")
const specifiers = subpaths.map((key) => `catalog-client${key.slice(1)}`)
let tarball = ""

/** Runs a text as a program of the project. */
const print = (file: string, text: string, ...options: ReadonlyArray<string>): Promise<string> => {
  writeFileSync(join(project, file), text)
  return run(project, process.execPath, ...options, file)
}

/** A handler of AWS Lambda, in CommonJS. */
const handler = `const { createCatalog, isNotFound, ClientRestError } = require("catalog-client")
const { EmbeddedCatalog } = require("catalog-client/testing")
const catalog = createCatalog({ clientId: "embedded-client", fetch: EmbeddedCatalog.fetch() })
exports.handler = async ({ id }) => {
  try {
    return { statusCode: 200, body: (await catalog.anime.get({ id })).title }
  } catch (error) {
    return { statusCode: isNotFound(error) && error instanceof ClientRestError ? 404 : 500 }
  }
}
`

/** What users test and log with. */
const tools = [
  "jest@30.5.2",
  "ts-jest@29.4.15",
  "@types/jest@30.0.0",
  "typescript@5.9.3",
  "msw@2.15.0",
  "nock@14.0.17",
  "pino@10.4.0",
  "undici@7.30.2"
]

beforeAll(async () => {
  tarball = await packCatalogClient(temp)
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "a-new-project", private: true, type: "module" }))
  await run(project, "npm", "install", ...quietly, tarball, ...(isFull ? tools : []))
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

describe("the tarball", () => {
  test("passes publint", () => tool("publint", "run", tarball, "--strict"))

  test("passes attw, under CommonJS too", () => tool("attw", tarball, "--no-definitely-typed"))

  test("holds only what users need, and at most 2.5 MB", async () => {
    const lines = (await run(temp, "tar", "-tvzf", tarball)).trim().split("\n")
    const files = lines.map((line) => line.split(/\s+/).at(-1)?.slice("package/".length) ?? "")
    const toSearch = Array.from(read("AGENTS.md").matchAll(/(\w+[.]d[.]cts)`/g), ([, file]) => `dist/${file}`)
    expect(toSearch).toContain("dist/types.d.cts")
    expect(files).toEqual(
      expect.arrayContaining([
        ...toSearch,
        "AGENTS.md",
        "LICENSE",
        "LICENSES.md",
        "README.md",
        "docs/recipes/sign-in.md"
      ])
    )
    const known =
      /^(dist\/[\w/.-]+[.](js|cjs|d[.]ts|d[.]cts)|docs\/[\w/-]+[.]md|package[.]json|(AGENTS|README|CHANGELOG|LICENSES)[.]md|LICENSE)$/
    expect(files.filter((file) => !known.test(file))).toEqual([])
    const size = lines.reduce((sum, line) => sum + Number(line.split(/\s+/)[2]), 0)
    expect(size).toBeGreaterThan(500_000)
    expect(size).toBeLessThanOrEqual(2_500_000)
  })

  test("has the licence of each package whose code is in it", () => {
    const licences = readFileSync(join(installed, "LICENSES.md"), "utf8")
    const sections = licences.split(/^## /m).slice(1)
    expect(sections.map((text) => text.split(" ", 1)[0])).toEqual(["effect", "undici"])
    for (const section of sections) {
      const [, name = "", version] = /^(\S+) (\S+) /.exec(section) ?? []
      const folder = join(root, name === "effect" ? "effect4" : "packages/promise", "node_modules", name)
      expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({ name, version })
      expect(section).toContain(readFileSync(join(folder, "LICENSE"), "utf8").trim())
    }
  })

  test("has no declaration that names Effect, and none that imports a module of another package", () => {
    const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
    const declarations = files.filter((file) => /[.]d[.]c?ts$/.test(file))
    expect(declarations).toContain("index.d.ts")
    for (const file of declarations) {
      const text = readFileSync(join(installed, "dist", file), "utf8")
      const named = text
        .split("\n")
        .filter((line) => /@effect\/|["'`]effect|\bEffect(?:<|[.]\w)|@catalog-client\//.test(line))
      expect(named, file).toEqual([])
      // Not those of examples.
      const code = text.replaceAll(/^ *[*].*$/gm, "")
      const imported = Array.from(code.matchAll(/(?:from|import\() ?["']([^"']+)["']/g), ([, name = ""]) => name)
      expect(imported.filter((name) => !/^[.]|^catalog-client(\/|$)/.test(name))).toEqual([])
    }
  })
})

describe("a new project", () => {
  test("has one package", async () => {
    const listed = await run(project, "npm", "ls", "--all", "--omit=dev")
    const lines = listed.trim().split("\n").slice(1)
    expect(lines.filter((line) => (isFull ? line.includes("catalog-client") : true))).toEqual([
      expect.stringMatching(/^.── catalog-client@\d/)
    ])
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, "package.json"), "utf8")
    ) as Partial<Record<string, object>>
    expect({ ...dependencies, ...peerDependencies }).toEqual({})
  })

  test("runs the README's program", async () => {
    expect(await print("readme.js", clientProgram.text)).toBe(clientProgram.output)
  })

  test("runs a handler of a Lambda, in CommonJS", async () => {
    const call = `exports.handler({ id: 30230 }).then(async (found) => console.log(found.body, (await exports.handler({ id: 999_999 })).statusCode))`
    expect(await print("lambda.cjs", handler + call)).toBe("Diamond no Ace: Second Season 404\n")
  })

  test.each(["browser", "workerd", "edge-light", "bun", "deno"])(
    "has its entry points under the condition %s",
    async (name) => {
      const text = `for (const name of ${JSON.stringify(specifiers)}) console.log(Object.keys(await import(name)).length > 0)`
      expect(await print("condition.js", text, "-C", name)).toBe("true\n".repeat(specifiers.length))
    }
  )

  test("names the version of Node that it needs", async () => {
    const call = 'createCatalog({ baseUrl: "http://127.0.0.1:9" }).anime.get({ id: 1 })'
    const text = `delete process.getBuiltinModule
import { createCatalog } from "catalog-client"
await ${call}.catch(({ message }) => console.log(message))`
    expect(await print("oldNode.js", text)).toBe(
      `catalog-client needs Node 20.19 or newer, but this is ${process.version}\n`
    )
  })

  test("runs where a project has the newest Effect", { timeout: 600_000 }, async () => {
    const folder = join(temp, "with-effect")
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "with-effect", private: true, type: "module" }))
    await run(folder, "npm", "install", "--strict-peer-deps", ...quietly, tarball, "effect@latest")
    writeFileSync(join(folder, "readme.js"), clientProgram.text)
    expect(await run(folder, process.execPath, "readme.js")).toBe(clientProgram.output)
  })

  if (!isFull) {
    return
  }

  test("is tested by Jest in CommonJS, without configuration", async () => {
    const folder = join(project, "jest")
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "tested", private: true }))
    const test = `test("calls", async () => {
      expect(await exports.handler({ id: 30230 })).toEqual({ statusCode: 200, body: "Diamond no Ace: Second Season" })
      expect(await exports.handler({ id: 999_999 })).toEqual({ statusCode: 404 })
    })`
    writeFileSync(join(folder, "handler.test.js"), handler + test)
    const shown = filesIn("docs/testing.md").find(({ file }) => file === "shelf.test.js")
    writeFileSync(join(folder, "shelf.test.js"), shown?.text ?? "")
    const jest = join(project, "node_modules/jest/bin/jest.js")
    expect(await run(folder, process.execPath, jest, "--ci", "--json")).toContain('"numPassedTests":3,')
  })

  test("is tested by ts-jest with its preset alone", async () => {
    const folder = join(project, "ts-jest")
    mkdirSync(folder)
    const config = filesIn("docs/testing.md").find(({ text }) => text.includes("ts-jest"))
    const test = `import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"

test("calls", async () => {
  const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), ...EmbeddedCatalog.credentials() })
  const { mean }: { readonly mean?: number } = await catalog.anime.get({ id: 1 }, { fields: ["mean"] })
  expect(mean).toBe(8.75)
})
`
    for (const [file, text] of [
      ["package.json", JSON.stringify({ name: "tested", private: true })],
      ["jest.config.cjs", config?.text ?? ""],
      ["calls.test.ts", test]
    ] as const) {
      writeFileSync(join(folder, file), text)
    }
    const jest = join(project, "node_modules/jest/bin/jest.js")
    expect(await run(folder, process.execPath, jest, "--ci", "--json")).toContain('"numPassedTests":1,')
  })

  test("is seen by MSW and nock 14 through fetch alone, and by a MockAgent as a dispatcher", async () => {
    const shown = filesIn("docs/testing.md").find(({ file }) => file === "msw.mjs")?.text ?? ""
    const get = "catalog.anime.get({ id: 1 })"
    const nock = `import nock from "nock"
nock.disableNetConnect()
nock("https://api.myanimelist.net").get("/v2/anime/1").reply(200, { id: 1, title: "A title" })
`
    const agent = `import { MockAgent } from "undici"
const agent = new MockAgent()
agent.disableNetConnect()
agent.get("https://api.myanimelist.net").intercept({ path: "/v2/anime/1" }).reply(200, { id: 1, title: "A title" })
`
    const called = (options: string) => `import { createCatalog } from "catalog-client"
console.log(await createCatalog({ clientId: "my-client-id", ${options} }).${get.slice("catalog.".length)})
`
    const fetch = 'fetch: "global"'
    const programs = { msw: shown, nock: nock + called(fetch), agent: agent + called("dispatcher: agent") }
    for (const [name, program] of Object.entries(programs)) {
      const file = join(project, `${name}.mjs`)
      writeFileSync(file, program)
      expect(await run(project, process.execPath, file)).toBe("{ id: 1, title: 'A title' }\n")
    }
    // As the page says: without it they do not see the call, which goes to a port that nothing listens on, and is warned of.
    const unseen = shown
      .replace(`, ${fetch}`, ', baseUrl: "http://127.0.0.1:1"')
      .replace("https://api.myanimelist.net/v2", "http://127.0.0.1:1")
    writeFileSync(join(project, "unseen.mjs"), unseen)
    await expect(run(project, process.execPath, join(project, "unseen.mjs"))).rejects.toThrow(
      /MSW or nock has replaced the global fetch[^]*ECONNREFUSED/
    )
  })

  test("writes to a pino logger as docs/observability.md shows, which logs a program's own lines as before", async () => {
    const shown = filesIn("docs/observability.md").find(({ file }) => file === "pino.mjs")?.text ?? ""
    const program = `import { EmbeddedCatalog } from "catalog-client/testing"
const fetch = EmbeddedCatalog.fetch({ faults: [{ body: { id: 1, title: "A title", mean: "high" } }] })
${shown.replace('clientId: "my-client-id"', "fetch")}
log.info({ user: 7 }, "my own line")
log.error(new Error("my own error"))
await catalog.anime.get({ id: 1 }, { fields: ["mean"] })
`
    const lines = (await print("pino.mjs", program)).trim().split("\n")
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 30, user: 7, msg: "my own line" },
      { level: 50, err: { type: "Error", stack: expect.any(String) }, msg: "my own error" },
      { level: 40, msg: expect.stringContaining("mean of the reply was omitted") },
      { level: 20, operation: "catalog.anime.get", attempt: 1, msg: expect.stringMatching(/: 200 after \d+ ms$/) }
    ])
  })
})

/** A program with values and types of the entry points. */
const program = `
import { type Anime, type Catalog, ClientRestError, createCatalog, isNotFound, Operation, type Policy, Resilience, type Selected } from "catalog-client"
import { createSession, type TokenStore } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"

const policy: Policy = (_, next) => next()
export const catalog: Catalog = createCatalog({ policies: [Resilience.retry(), policy], fetch: EmbeddedCatalog.fetch() })
export type Row = Selected<Anime, ["mean"]>
export const row = async (): Promise<Row> => catalog.anime.get({ id: 1 }, { fields: ["mean"] })
// @ts-expect-error -- it was not requested
export const episodes = async () => (await row()).num_episodes
// @ts-expect-error -- no field is called maen
export const misspelt = () => catalog.anime.get({ id: 1 }, { fields: ["maen"] })
export const status = (error: unknown) => (isNotFound(error) || error instanceof ClientRestError ? error.status : 0)
export const session = (store: TokenStore) => createSession({ clientId: "one", redirectUri: "http://localhost:1/", store })
export const studio = Operation.make({
  name: "studio.get", method: "GET", path: "/studio/{id}",
  inputs: { id: Operation.type<number>() }, reply: Operation.type<{ readonly name: string }>()
})
export const name = async (): Promise<string> => (await catalog.call(studio, { id: 4 })).name
export const titles = async () => {
  const found: Array<string> = []
  for await (const { node } of catalog.anime.ranking.items({ rankingType: "all" })) found.push(node.title)
  return found
}
`

const configurations = {
  node16: { module: "node16" },
  nodenext: { module: "nodenext", exactOptionalPropertyTypes: true },
  bundler: { module: "esnext", moduleResolution: "bundler" },
  node10: { module: "commonjs", moduleResolution: "node10" }
}

// TypeScript 7 has no node10 any more.
const rows = (isFull ? versions : versions.slice(-1)).flatMap((version) =>
  Object.entries(configurations)
    .filter(([name]) => name !== "node10" || Number(version) < 6)
    .map(([name, options]) => ({ version, name, options }))
)

test.each(rows)(
  "TypeScript $version checks it whole, with $name",
  { timeout: 300_000 },
  async ({ name, options, version }) => {
    const folder = join(project, `${name}-${version}`)
    mkdirSync(folder)
    const everything = specifiers.map((specifier, nth) => `export * as module${nth} from "${specifier}"\n`).join("")
    // An ES module and a file of CommonJS, where the two differ.
    const files = ["nodenext", "node16"].includes(name)
      ? { "program.mts": program, "program.cts": program, "everything.mts": everything, "everything.cts": everything }
      : { "program.ts": program, "everything.ts": everything }
    for (const [file, text] of Object.entries(files)) {
      writeFileSync(join(folder, file), text)
    }
    // Without Node's types, whose declarations are not ours to check.
    const shared = {
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: []
    }
    const config = { compilerOptions: { ...shared, ...options }, files: Object.keys(files) }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    expect(await tsc(version, ["-p", folder])).toEqual({ status: 0, printed: "" })
  }
)
