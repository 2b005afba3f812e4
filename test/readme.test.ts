import {
  Catalog,
  CatalogClient,
  ClientAuthError,
  ClientNetworkError,
  ClientValidationError,
  Credentials,
  Operation
} from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { createCatalog, fromEnvironment, Resilience } from "catalog-client"
import { createSession } from "catalog-client/oauth"
import { serve } from "catalog-client/testing"
import { Effect, type Schema, SchemaAST } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { format, promisify } from "node:util"
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { openApi } from "../site/generate/openApi.mjs"
import { terminal } from "../site/generate/pictures.mjs"
import { errorNames } from "../site/shortAddresses.js"
import { anchorOf, errorAddressOf } from "../site/urls.js"
import { find } from "../packages/core/test/support/faces.js"
import { isFull } from "../packages/core/test/support/full.js"
import { blocksIn, compiled, examplesOf, isShown, pages, read, root, sourcesIn } from "./readme.js"
import { effectFolders } from "../scripts/workspace.mjs"

const run = promisify(execFile)

test.each(
  ["clock", "layer", "promise", "sessions", "sessionsLayer", "stubs", "timers", "effect4/clock"].map(
    (name) => `${name}.test.ts`
  )
)("docs/testing.md shows the file of examples/: %s", (example) => {
  expect(isShown(example), `docs/testing.md has no ts block that equals examples/${example}`).toBe(true)
})

test("the README has at most 470 words, with its programs: the rest is on pages of its own", () => {
  const words = read("README.md")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  expect(words.length).toBeLessThanOrEqual(470)
})

/** The pages of errors. */
const errorPages = pages.filter((page) => page.startsWith("docs/errors/"))

const operations = Object.entries(Catalog).flatMap(([domain, operations]) =>
  Object.entries<object>(operations).map(([name, operation]) => ({
    domain,
    name,
    isList: "items" in operation
  }))
)

/** What the OpenAPI document says of the inputs of an operation. */
interface InputSchema {
  readonly anyOf?: ReadonlyArray<{ readonly enum?: ReadonlyArray<string> }>
}

interface Inputs {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly schema: InputSchema }>
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly properties: Record<string, InputSchema> } }>
  }
}

const operationNames = operations.map(({ domain, name }) => `${domain}.${name}`).toSorted()

/** The operations that a text names: `anime.get`. */
const namedIn = (text: string): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(/`((?:anime|manga|user|forum)[.]\w+)/g)].map(([, name = ""]) => name))].toSorted()

test("the doc comment of ClientValidationError and its page name the operations that check a rule", async () => {
  const catalog = createCatalog({ accessToken: "the-access-token", fetch: async () => new Response("{}") })
  const checking = new Map<string, ReadonlyArray<string>>()
  for (const name of operationNames) {
    const error: unknown = await Promise.resolve(find(catalog, name)({ id: 1, q: " ", username: " " })).catch(
      (error: unknown) => error
    )
    if (isClientError(error) && error._tag === "ClientValidationError") {
      checking.set(error.reason, [...(checking.get(error.reason) ?? []), name])
    }
  }
  const rows = read("packages/core/src/CatalogError.ts").matchAll(/^ [*] [|] `([A-Z]\w+)` [|] (.+?) [|] `/gm)
  expect(new Map([...rows].map(([, reason = "", names = ""]) => [reason, namedIn(names)]))).toEqual(checking)
  const sections = read("docs/errors/was-not-sent.md").matchAll(/^## (\w+): .+\n\n(.+)$/gm)
  const named = [...sections].map(([, reason = "", names = ""]) => [reason, namedIn(names)] as const)
  // The sections about policies name no operation.
  expect(new Map(named.filter(([, names]) => names.length > 0))).toEqual(checking)
})

test.each(["docs/errors/status-400.md", "AGENTS.md"])(
  "%s has the values that are known of each input that is refused for others",
  async (page) => {
    const known = new Map<string, Set<string>>()
    const collect = (name: string, { anyOf: [{ enum: values = [] } = {}] = [] }: InputSchema) => {
      if (values.length > 0) {
        known.set(name, new Set([...(known.get(name) ?? []), ...values]))
      }
    }
    const { paths } = JSON.parse(await openApi()) as { readonly paths: Record<string, Record<string, Inputs>> }
    for (const { parameters, requestBody } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      parameters.forEach(({ name, schema }) => collect(name, schema))
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        Object.entries(schema.properties).forEach(([name, schema]) => collect(name, schema))
      }
    }
    expect([...known.keys()].toSorted()).toEqual(["ranking_type", "season", "sort", "status"])
    const rows = read(page).matchAll(/^[|] `(?:invalid )?(\w+)` [|] ((?:[a-z ]+: )?`.*) [|]$/gm)
    const written = [...rows].map(
      ([, name = "", values = ""]) =>
        [name.replace("T", "_t"), new Set(Array.from(values.matchAll(/`(\w+)`/g), ([, value]) => value))] as const
    )
    expect(new Map(written)).toEqual(known)
  }
)

/** The scripts of package.json that the README names for a clone. */
const forClone = Array.from(
  read("README.md").matchAll(/\bnpm (?:run (?:-- )?)?(demo|test|release)\b/g),
  ([, name = ""]) => name
)

test("the commands that README.md names for a clone begin with a script, which installs what they need", () => {
  expect(new Set(forClone)).toEqual(new Set(["demo", "release", "test"]))
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }
  expect(forClone.map((name) => scripts[name])).toEqual(forClone.map(() => expect.stringMatching(/^node scripts[/]/)))
})

test("npm run demo goes through every operation, in lines that can be read", { timeout: 60_000 }, async () => {
  const { stdout } = await run("npm", ["run", "demo"], { cwd: root }).catch(
    (failed: { readonly stdout: string }) => failed
  )
  const names = operations.map(({ domain, name }) => `catalog.${domain}.${name}`)
  expect(names.filter((name) => !stdout.includes(`✓ ${name} `))).toEqual([])
  expect(stdout).toContain("Every reply passed its check.")
  expect(stdout).toContain("Everything did what it should.")
  expect(read("docs/pictures/demo.svg"), "npm run pictures writes it").toBe(terminal(stdout))
  expect(stdout.split("\n").filter((line) => line.length > 140 || /%[0-9A-F]{2}|, {2}/.test(line))).toEqual([])
})

test("npm run demo is bundled from the sources, so that nothing is built first", () => {
  const bundled = read(".cache/programs/demo.js")
  expect(bundled).toContain("// packages/core/src/anime.ts")
  expect(bundled).toContain("// packages/node/src/dispatch.ts")
  expect(bundled.match(/^[/][/] .*[/]dist[/].*|^(?:import|[}]) .*"@catalog-client.*/gm)).toBe(null)
})

describe("npm run demo -- <file>", () => {
  const runDemo = async (file: string, text?: string) => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-client-demo-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    if (text !== undefined) {
      writeFileSync(join(folder, file), text)
    }
    const env = { ...process.env, INIT_CWD: folder }
    return run(process.execPath, [join(root, "scripts/demo.mjs"), file, "--an-option"], { env }).catch(
      (failed: { readonly stdout: string; readonly stderr: string }) => failed
    )
  }

  test("runs a reader's program, in the folder where it is, and the stack trace of an error has its lines", async () => {
    const { stderr, stdout } = await runDemo(
      "mine.mts",
      `import { Catalog, Credentials } from "@catalog-client/core"
import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { Effect } from "effect"
import { existsSync } from "node:fs"
console.log(existsSync("mine.mts"), process.argv.slice(2), Effect.isEffect(Catalog.anime.get({ id: 1 })), Credentials.layerNone !== undefined)
const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), clientId: "embedded-client" })
const read: (id: number) => Promise<void> = async (id) => console.log((await catalog.anime.get({ id })).title)
await read(1)
await read(999_999)
`
    )
    expect(stdout).toContain("true [ '--an-option' ] true true\nCowboy Bebop\n")
    expect(stderr).toContain("ClientRestError: catalog.anime.get failed")
    expect(stderr).toContain("mine.mts:10:")
  })

  test("says that there is no such file", async () => {
    expect((await runDemo("mine.mts")).stderr).toMatch(/^There is no file .*mine[.]mts[.] .*\n$/)
  })

  test.each([
    [true, 'import { Context } from "effect"\nContext.Service("Mine")'],
    [true, 'import { HttpClient } from "effect/http"\nHttpClient.get("/")'],
    [false, 'import { Effect } from "effect"\nEffect.runSync(Effect.fail("mine"))']
  ])("says that it has Effect 3, if a program needs what only Effect 4 has: %s", async (says, text) => {
    const { stderr } = await runDemo("mine.mts", text)
    expect(stderr.includes("npm run demo has Effect 3")).toBe(says)
  })

  test("says where a program cannot be parsed", async () => {
    const { stderr } = await runDemo("mine.mts", "const id: = 1")
    expect(stderr).toMatch(/mine[.]mts:1:10:/)
    expect(stderr).not.toContain("scripts/sources.mjs")
  })
})

test(
  "npm run demo -- --live prints what has another type in the replies than expected",
  { timeout: 170_000 },
  async () => {
    const entry = (id: number, more: object) => ({ node: { id, title: `Title ${id}`, ...more }, ranking: { rank: id } })
    await using service = await serve({
      faults: [
        { on: "anime.ranking", body: { data: [entry(1, { mean: "a secret" }), entry(2, { mean: {}, genres: [5] })] } },
        { on: "forum.boards", body: { categories: [{ title: "A heading", boards: [{ id: "1", title: "A board" }] }] } },
        // Over loopback a reply can arrive within the demo's timeout of 1 ms.
        { on: (request) => request.path.endsWith("/anime/5114"), delay: "1 minute" }
      ]
    })
    const { url, clientId, accessToken } = service
    const env = {
      ...process.env,
      CATALOG_BASE_URL: url,
      CATALOG_CLIENT_ID: clientId,
      CATALOG_ACCESS_TOKEN: accessToken
    }
    const { code, stdout } = await run(process.execPath, [join(root, "scripts/demo.mjs"), "--live"], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (failed: { readonly code: number; readonly stdout: string }) => failed
    )
    const table = stdout.split("left out\n\n").at(-1)?.split("\n\n")[0] ?? ""
    expect(table.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["operation", "path", "expected", "found", "count"],
      ["catalog.anime.ranking", "data[].node.mean", "a number", "a string", "2"],
      ["catalog.anime.ranking", "data[].node.genres[]", "an object", "a number", "1"],
      ["catalog.forum.boards", "categories[].boards[].id", "a number", "a string", "1"]
    ])
    expect(stdout).toContain("✓ catalog.anime.ranking ")
    expect(stdout).not.toContain("secret")
    expect(stdout).toContain("1 did not do what they should.")
    expect(code).toBe(1)
  }
)

const lists = [...new Set(operations.flatMap(({ name, isList }) => (isList ? [name] : [])))].join("|")

/** The arguments of each call of an operation that reads a list, up to the parenthesis that closes them. */
const listCallsIn = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(new RegExp(`\\.(${lists})(\\s*\\.(items|pages|collect))?\\(`, "g"))].map((call) => {
    const from = call.index + call[0].length
    let depth = 1
    let to = from
    for (; to < code.length && depth > 0; to++) {
      depth += code[to] === "(" ? 1 : code[to] === ")" ? -1 : 0
    }
    return code.slice(from, to)
  })

/** Where the programs find the packages that applications use. */
const folder = join(root, "examples/.cache/pages")

test("no text counts the operations, because a new one would make it wrong", () => {
  const manifests = ["package.json", ...effectFolders.map((name) => `packages/${name}/package.json`)]
  const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`)
  const counted = /\b(\d+|\w*teen|twenty[\w-]*) (operations|endpoints|declarations)\b/gi
  const found = [...pages, ...manifests, ...decisions].flatMap((path) =>
    [...read(path).matchAll(counted)].map(([text]) => `${path}: ${text}`)
  )
  expect(found).toEqual([])
})

/** The declarations of catalog-client have programs that are rewritten from those of the sources. */
const declarations = readdirSync(join(root, "packages/promise/dist"))
  .filter((name) => name.endsWith(".d.cts"))
  .map((name) => `packages/promise/dist/${name}`)

const sources = [...effectFolders.flatMap((name) => sourcesIn(`packages/${name}/src`)), ...declarations]

/** Those for Effect 4 are compiled by effect4/test, where it is installed. */
const examples = [...pages, ...sources].flatMap(examplesOf).filter(({ section }) => !section.endsWith("Effect 4"))

test("each example that is written for promises is in a declaration of catalog-client", () => {
  const shown = examples.filter(({ path }) => declarations.includes(path)).map(({ text }) => text.trim())
  const written = readdirSync(join(root, "packages/promise/examples")).filter((name) => name.endsWith(".ts"))
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter((name) => !shown.includes(read(`packages/promise/examples/${name}`).trim()))).toEqual([])
})

describe("the examples", () => {
  test("request only fields that lists have", () => {
    const calls = examples.flatMap(({ text }) => listCallsIn(text))
    expect(calls.length).toBeGreaterThan(10)
    const single = /\b(related_(anime|manga)|pictures|background|recommendations|statistics|serialization)\b/
    expect(calls.filter((call) => single.test(call))).toEqual([])
  })

  // Their programs are those of the tests below, whichever of them runs.
  let printed = ""
  beforeAll(async () => {
    printed = await compiled(folder, examples, {
      extends: "../../../tsconfig.json",
      compilerOptions: {
        // As published.
        paths: {},
        // An example may declare what it does not go on to use.
        noUnusedLocals: false,
        noUnusedParameters: false,
        // As in the configuration that the guides recommend.
        noPropertyAccessFromIndexSignature: false,
        incremental: false,
        tsBuildInfoFile: null,
        noEmit: false,
        // As in a library: each type that a program exports has a name.
        declaration: true,
        rootDir: ".",
        outDir: "out"
      },
      include: ["**/*.ts"],
      references: []
    })
  }, 600_000)

  test("in README.md, guides and doc comments compile", () => {
    expect(printed.replaceAll(/^examples\/[.]cache\/pages\/(.*?)\.\d+\.ts\(/gm, "$1(")).toBe("")
  })

  /** The programs that reproduce an error. */
  const failing = examples.filter(({ line, path }) => {
    const above = errorPages.includes(path) ? read(path).split("\n").slice(0, line) : []
    return above.lastIndexOf("Reproduce it:") > above.findLastIndex((text) => text.startsWith("#"))
  })

  // Those of browser.md run in Chromium alone, in the site's tests.
  const printing = examples.filter(
    (example) => example.output !== undefined && example.path !== "docs/start/browser.md"
  )

  /** What a program for the real service has, which calls an embedded one in its place here. */
  const real =
    /(createCatalog|layerClient)\(\{ (clientId: (?:"my-client-id"|process\.env\.CATALOG_CLIENT_ID)|accessToken: (?:"my-access-token"|process\.env\.CATALOG_ACCESS_TOKEN)) \}\)/g

  /** Runs a program in this process, which has loaded Effect already. */
  const expectPrinted = async (program: string, output = "") => {
    let printed = ""
    const log = vi.spyOn(console, "log").mockImplementation((...values) => void (printed += `${format(...values)}\n`))
    onTestFinished(() => log.mockRestore())
    await import(program)
    await vi.waitFor(() => expect(printed).toBe(output), { timeout: 20_000 })
  }

  test.each(printing)("print what their page says: line $line of $path, under $section", async ({ file, output }) => {
    await using service = await serve({
      clientIds: ["my-client-id"],
      tokens: { "my-access-token": "sample_reader" }
    })
    const program = join(folder, "out", file.replace(/[.]ts$/, ".js"))
    const code = readFileSync(program, "utf8")
    writeFileSync(program, code.replaceAll(real, `$1({ $2, baseUrl: "${service.url}" })`))
    vi.stubEnv("CATALOG_CLIENT_ID", "my-client-id")
    vi.stubEnv("CATALOG_ACCESS_TOKEN", "my-access-token")
    vi.stubEnv("CATALOG_BASE_URL", service.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    if (isFull) {
      expect((await run(process.execPath, [program])).stdout).toBe(output)
    } else {
      await expectPrinted(program, output)
    }
  })

  test("print spans and metrics with OpenTelemetry", async () => {
    const found = examples.find(({ path, text }) => path.endsWith("observability.md") && text.includes("ConsoleSpan"))
    const { stdout } = await run(process.execPath, [join(folder, "out", (found?.file ?? "").replace(/[.]ts$/, ".js"))])
    expect(stdout).toContain("name: 'catalog.anime.get'")
    expect(stdout).toContain("name: 'catalog_requests_total'")
  })

  // An editor shows them, and a reader copies them.
  test("in the declarations of catalog-client run, against the embedded service", async () => {
    await using service = await serve({ clientIds: ["my-client-id"], tokens: { "my-access-token": "sample_reader" } })
    const shown = examples.filter(({ path }) => declarations.includes(path))
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const failed: Array<string> = []
    for (const { file, line, path } of shown) {
      const program = join(folder, "out", file.replace(/[.]ts$/, ".js"))
      const code = readFileSync(program, "utf8")
      writeFileSync(program, code.replaceAll(real, `$1({ $2, baseUrl: "${service.url}" })`))
      await import(program).catch((error: unknown) => failed.push(`${path}:${line} ${String(error)}`))
    }
    // What only pages have throws on Node.
    expect(failed.filter((message) => !message.endsWith("TokenStore needs a page: use fileTokenStore"))).toEqual([])
  })

  test("in the declarations of catalog-client name the function that they are of", () => {
    const silent = declarations.flatMap((path) =>
      Array.from(
        read(path).matchAll(
          /[/][*][*](?:(?![*][/])[^])*?```ts((?:(?![*][/])[^])*)[*][/]\n(?:declare (?:const|function)) (\w+)/g
        ),
        ([, program = "", name = ""]) => (program.includes(name) ? [] : [name])
      ).flat()
    )
    expect(silent).toEqual([])
  })

  // A program that prints something else in a page has its message above it.
  test.each(failing.filter(({ output }) => output === undefined))(
    "print the message of their section: $section of $path",
    async ({ file, path, section }) => {
      const shown = blocksIn(read(path)).find((block) => block.language === "text" && block.section === section)
      await expectPrinted(join(folder, "out", file.replace(/[.]ts$/, ".js")), shown?.text)
    }
  )
})

test("each reason, rule and status has a page or a section, with the message that leads there and a program", () => {
  const literals = ({ ast }: Schema.Schema.Any) =>
    SchemaAST.isUnion(ast) ? ast.types.map((type) => String(SchemaAST.isLiteral(type) && type.literal)) : []
  const reasons = [
    ...literals(ClientAuthError.fields.reason),
    ...literals(ClientValidationError.fields.reason),
    ...["3xx", 400, 401, 403, 404, 405, 429, "4xx", "5xx"].map((status) => `status-${status}`),
    "sign-in-refused",
    "invalidbody",
    ...literals(ClientNetworkError.fields.reason)
  ].map((name) => name.toLowerCase())
  // Two errors can have the same reason.
  const known = [...new Set(reasons)]
  expect(known.filter((name) => !errorNames.includes(name))).toEqual([])
  const explained = errorPages.flatMap((path) => {
    const title = /^# (.+)$/m.exec(read(path))?.[1]
    const blocks = blocksIn(read(path))
    // A program with Effect prints what the one with promises does.
    const shown = blocks.filter(({ text }) => !text.includes('from "effect"'))
    return shown.flatMap(({ language, output, section, text }) => {
      const [, name] = / See (?:\S+)\/e\/([\w-]+)\n$/.exec((language === "text" ? text : output) ?? "") ?? []
      const hasProgram = blocks.some((block) => block.language === "ts" && block.section === section)
      const address = `/${path.slice("docs/".length, -".md".length)}${section === title ? "" : `#${anchorOf(section)}`}`
      return name === undefined ? [] : [{ name, address, hasProgram }]
    })
  })
  // Each message is shown once.
  expect(explained.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
  expect(explained.filter(({ address, hasProgram, name }) => !hasProgram || address !== errorAddressOf(name))).toEqual(
    []
  )
})

/** Whether a row of a table is a message. It leaves out long parts. */
const isRow = (row = "", message: unknown) => {
  let at = 0
  return row.split("…").every((part) => {
    const found = String(message).indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}

const rowsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^[|] `(.+?)` [|]/gm), ([, message = ""]) => message)

test("the page of mistakes has the messages of TypeScript as they are", async () => {
  const text = `import { createCatalog, Resilience } from "catalog-client"
import { Catalog, CatalogClient, CatalogPolicy, Resilience as Policies } from "@catalog-client/core"
import { Effect } from "effect"
const catalog = createCatalog()
const anime = await catalog.anime.get({ id: 1 }, { fields: ["mean"] })
const page = await catalog.anime.ranking({ rankingType: "all" })
const entry = { num_episodes_watched: 3 }
anime.genres
page.data[0]?.title
page.data.sort()
export const list: Array<unknown> = page.data
createCatalog({ policies: Resilience.retry() })
anime.mean.toFixed(1)
catalog.anime.ranking.collect({ rankingType: "all" })
for await (const _ of catalog.anime.ranking({ rankingType: "all" })) {}
for (const _ of page) {}
catalog.anime.updateMyListStatus({ id: 1, ...entry })
catalog.anime.get({ id: 1 }, { feilds: ["mean"] })
catalog.anime.get({ id: 1 }, { fields: ["maen"] })
catalog.anime.ranking({ rankingType: "all" }, { limit: 5 })
catalog.anime.search("diamond")
createCatalog("my-client-id")
Effect.runPromise(Catalog.anime.get({ id: 1 }))
CatalogClient.anime
Catalog.anime.get({ id: 1 }).title
Catalog.anime.get({ id: 1 }, { policies: [Policies.dedupe()] })
CatalogPolicy.layer([Policies.retry()])
try {} catch (error) { error.message }
`
  const printed = await compiled(join(root, "examples/.cache/mistakes"), [{ file: "main.mts", line: 1, text }], {
    compilerOptions: { module: "nodenext", target: "es2023", strict: true, noEmit: true, types: ["node"] }
  })
  const messages = printed.split(/^\S+: error /m).slice(1)
  const rows = rowsIn(/^\| TypeScript's[^]*?(?=^## )/m.exec(read("docs/errors/typeerror.md"))?.[0] ?? "")
  const each = rows.map((_, index) => messages.filter((_, at) => at % rows.length === index))
  expect(
    rows.filter((row, at) => each[at]?.length === 0 || each[at]?.every((message) => isRow(row, message)) !== true)
  ).toEqual([])
})

test("the pages of errors have the messages of mistakes as they are", async () => {
  const fetch = async () => new Response('{ "data": [] }')
  const catalog = createCatalog({ fetch })
  const pass = (name: string, ...inputs: ReadonlyArray<unknown>) => find(catalog, name)(...inputs)
  const client = Effect.flatMap(CatalogClient, (client) => client.user.me())
  const session = createSession({ clientId: "my-client-id", fetch })
  const limit = Resilience.rateLimit({ limit: 1, interval: 500 })
  /** As in a program whose types were lost. */
  const start = (effect: unknown) => Effect.runPromise(effect as Effect.Effect<unknown>)
  const twoCalls = Effect.zip(Catalog.forum.boards(), Catalog.forum.topic({ id: 2000025 }))
  const embedded = [EmbeddedCatalog.layer(), Credentials.layer({ clientId: "embedded-client" })] as const
  const made = [
    () => pass("anime.get", { id: 1 }, { feilds: "mean" }),
    () => createCatalog(JSON.parse('"my-client-id"')),
    () => createCatalog(JSON.parse('{ "retries": 3 }')),
    () => createCatalog({ fetch, baseUrl: "localhost:4010" }),
    () => {
      vi.stubGlobal("process", undefined)
      try {
        return fromEnvironment()
      } finally {
        vi.unstubAllGlobals()
      }
    },
    () => createCatalog({ fetch, headers: { "api key": "my-key" } }),
    () => createCatalog({ fetch, headers: new Headers() as never }),
    () => pass("anime.get", { id: 1 }, { fields: 5 }),
    () => pass("anime.get", { id: 1 }, { signal: new AbortController() }),
    () => catalog.anime.get({ id: 1 }, { timeout: JSON.parse('"soon"') }),
    () => Resilience.rateLimit({ limit: 1, interval: JSON.parse('"1 sec"') }),
    () => createCatalog({ fetch, policies: Resilience.retry() as never }),
    () => createCatalog({ fetch, policies: [limit, Resilience.rateLimit({ limit: 1, interval: 500 })] }),
    () => pass("anime.get", { id: 1 }, { policies: [Resilience.retry] }),
    () => pass("anime.get", { id: "1" }),
    () => pass("anime.ranking", {}),
    () => pass("anime.search", "diamond"),
    () => pass("anime.ranking", { ranking_type: "all" }),
    () => pass("anime.search", { q: "diamond", nsfw: true }),
    () => pass("anime.search", { q: "diamond" }, { limit: 5 }),
    () => pass("anime.updateMyListStatus", { id: 1, status: "completed", end_date: "2026-04-03" }),
    () => pass("anime.updateMyListStatus", { id: 1, finish_date: null }),
    () => catalog.withResponse(Promise.resolve({ id: 1 })),
    () => start(Effect.provide(Operation.withResponse(twoCalls), embedded)),
    () => pass("anime.ranking.collect", { rankingType: "all" }),
    async () => {
      const list = { rankingType: "all" } as const
      for await (const _ of catalog.anime.ranking(list) as unknown as AsyncIterable<unknown>) {
        return
      }
    },
    () => createCatalog({ baseUrl: "http://127.0.0.1:4010", session }),
    () => session.login(JSON.parse('{ "timeout": 300 }')),
    () => createSession({ clientId: undefined as unknown as string, fetch }).login(),
    () => createSession({ clientId: "my\u200Bclient-id", fetch }),
    () => session.login(),
    () => start(Catalog.anime.get({ id: 1 })),
    () => start(Effect.provide(Catalog.anime.get({ id: 1 }), Credentials.layer({ clientId: "my-client-id" }))),
    () => start(client),
    () => start(Effect.provide(client, CatalogClient.layerMock({})))
  ]
  const messages = made.map(async (make) => {
    try {
      return await make()
    } catch (error) {
      // Effect adds where a service is defined.
      return (error as Error).message.replace(/ \(defined at .*/, "")
    }
  })
  // Those of JavaScript differ between engines.
  const page = read("docs/errors/typeerror.md")
  const [services = ""] = /^## Service not found[^]*/m.exec(page) ?? []
  const rows = rowsIn(page.replace(/^\| JavaScript's[^]*/m, "") + services)
  const thrown = await Promise.all(messages)
  expect(thrown.map((message, index) => (isRow(rows[index], message) ? rows[index] : message))).toEqual(rows)
})

test("the warnings of docs/observability.md are those of the packages", async () => {
  const { stdout } = await run(process.execPath, [join(root, "scripts/generate/messages.mjs")])
  /** What no message computes. */
  const known = stdout.split("\n").map((line) => (line.split("\t")[1] ?? "").split(/‹.*?›/))
  const section = /^### Warnings\n[^]*/m.exec(read("docs/observability.md"))?.[0] ?? ""
  const warnings = [...section.matchAll(/^[|] `(.+?)` [|]|^```text\n(.+)$/gm)].map(
    ([, row, block]) => row ?? block ?? ""
  )
  expect(warnings.length).toBeGreaterThan(5)
  const isKnown = (warning: string) =>
    known.some((parts) => parts.join("").length > 25 && parts.every((part) => warning.includes(part)))
  expect(warnings.filter((warning) => !isKnown(warning))).toEqual([])
})
