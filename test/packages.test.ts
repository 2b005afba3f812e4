import { build } from "esbuild"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { compilerOf } from "./compilers.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { packCatalogClient, packInto, peers, quietly, run, temporaryFolder, tool } from "./packed.js"
import { effectLine, entryPoints, filesIn, manifest, read, root } from "./readme.js"
import { effectFolders as names } from "../scripts/workspace.mjs"

const temp = temporaryFolder()
const project = join(temp, "project")
const tarball = (name: string) => join(temp, `${name}.tgz`)

const repository = "https://github.com/catalog-client/catalog-client/blob/main/"

const withNodeTypes = "@catalog-client/node/redis"

/** What some of them need besides. */
const optionalPeers = names.flatMap((name) => {
  const { peerDependencies, peerDependenciesMeta = {} } = manifest(name)
  return Object.keys(peerDependenciesMeta).map((peer) => `${peer}@${peerDependencies[peer]}`)
})

beforeAll(async () => {
  await packInto(temp)
  await packCatalogClient(temp)
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

describe.each(names)("the tarball of %s", (name) => {
  test("passes publint", () => tool("publint", "run", tarball(name), "--strict"))

  test("holds only files that users need", async () => {
    const files = (await run(temp, "tar", "-tzf", tarball(name))).trim().split("\n")
    expect(files).toContain("package/LICENSE")
    expect(files).toContain("package/README.md")
    const guides = [...read(`packages/${name}/README.md`).matchAll(/`(docs\/[\w-]+[.]md)`/g)].map(([, path]) => path)
    expect(files.filter((file) => /[/](docs[/].+|AGENTS[.]md)$/.test(file))).toEqual(
      ["AGENTS.md", ...guides].map((path) => `package/${path}`)
    )
    expect(
      files.filter(
        (file) =>
          !/^package\/((dist|src)\/.+[.](ts|js|map)|docs\/[\w-]+[.]md|package[.]json|(AGENTS|README|CHANGELOG)[.]md|LICENSE)$/.test(
            file
          )
      )
    ).toEqual([])
    expect(await run(temp, "tar", "-xzOf", tarball(name), "package/package.json")).not.toContain("workspace:")
  })

  test("has guides whose links lead to each other or to the repository", async () => {
    const files = (await run(temp, "tar", "-tzf", tarball(name))).trim().split("\n")
    for (const guide of files.filter((file) => file.endsWith(".md"))) {
      const text = await run(temp, "tar", "-xzOf", tarball(name), guide)
      const links = Array.from(text.matchAll(/\]\(([^)#]+)/g), ([, link = ""]) => link)
      const inside = links.filter((link) => !link.startsWith("https:"))
      expect(files, guide).toEqual(expect.arrayContaining(inside.map((link) => posix.join(posix.dirname(guide), link))))
      for (const link of links.filter((link) => link.startsWith(repository))) {
        expect(existsSync(join(root, link.slice(repository.length))), link).toBe(true)
      }
    }
  })

  if (!isFull) {
    return
  }

  // The rule that is left out holds for a Node that loads no ES modules with require.
  test("passes attw", () =>
    tool("attw", tarball(name), "--ignore-rules", "cjs-resolves-to-esm", "--no-definitely-typed"))
})

/** The configuration of Jest that its page shows. */
const forJest = Object.fromEntries(
  filesIn("docs/testing.md").flatMap(({ file, text }) => (file === "jest.config.cjs" ? [[file, text]] : []))
)

/** What the test runners need besides, which run where there is time for them. */
const forOthers = isFull ? [tarball("promise"), "jest@30.5.2", "@babel/preset-env@7.29.14", "vitest@3.2.7"] : []

/** A program with values and types of some subpaths. It compiles only where the types are there. */
const program = `
import { Catalog, CatalogClient, ClientRestError, Credentials } from "@catalog-client/core"
import { get } from "@catalog-client/core/anime"
import { isNotFound } from "@catalog-client/core/guards"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { layerClient } from "@catalog-client/node"
import { EmbeddedServer } from "@catalog-client/testing/node"
import { Effect, Layer } from "effect"

const title: Effect.Effect<string, Error> = get({ id: 1 }).pipe(
  Effect.map((anime) => anime.title),
  Effect.provide([EmbeddedCatalog.layer(), Credentials.layerNone])
)

const client = Layer.unwrapEffect(
  Effect.map(EmbeddedServer, ({ accessToken, url }) => layerClient({ baseUrl: url, accessToken }))
).pipe(Layer.provide(EmbeddedServer.layer()))

const program = Effect.gen(function* () {
  const catalog = yield* CatalogClient
  const anime = yield* catalog.anime.get({ id: 30230 }, { fields: ["mean"] })
  const mean: number | undefined = anime.mean
  // @ts-expect-error -- it was not requested
  void anime.num_episodes
  const error = yield* Effect.flip(catalog.manga.get({ id: 999_999 }))
  const found = [anime.title, mean, isNotFound(error), error instanceof ClientRestError]
  return [...found, yield* title, Object.keys(Catalog).length].join()
})

export const main = () => Effect.runPromise(Effect.provide(program, client))
`

const printed = "Diamond no Ace: Second Season,8.3,true,true,Cowboy Bebop,4"

const plainProgram = `
const { CatalogClient } = require("@catalog-client/core")
const { layerClient } = require("@catalog-client/node")
const { EmbeddedServer } = require("@catalog-client/testing/node")
const { isNotFound } = require("@catalog-client/core/guards")
const { Effect, Layer } = require("effect")

/** @typedef {import("@catalog-client/core").CatalogClient.Service} Service */

/**
 * @param {Service} catalog
 * @param {number} id
 */
const meanOf = (catalog, id) =>
  catalog.anime.get({ id }, { fields: ["mean"] }).pipe(
    Effect.map((anime) => {
      // @ts-expect-error -- it was not requested
      void anime.num_episodes
      return anime.mean
    }),
    Effect.catchAll((error) => (isNotFound(error) ? Effect.succeed(error.status) : Effect.fail(error)))
  )

const client = Layer.unwrapEffect(Effect.map(EmbeddedServer, ({ url }) => layerClient({ baseUrl: url })))
const means = Effect.flatMap(CatalogClient, (catalog) => Effect.all([meanOf(catalog, 30230), meanOf(catalog, 999_999)]))
void Effect.runPromise(
  Effect.provide(means, Layer.provide(client, EmbeddedServer.layer()))
).then((means) => console.log(means.join()))
`

/** What a library over the client exports: its declarations name the client's types by the package that it installs. */
const library = `
import { Catalog, CatalogClient, CatalogPolicy, ClientRestError, isNotFound, layerClient, Resilience } from "@catalog-client/node"
import { fileTokenStore, layerFile, Login, OAuthSession, OAuthSessions, TokenStores } from "@catalog-client/oauth/node"
import { Sync } from "@catalog-client/sync"
import { EmbeddedServer } from "@catalog-client/testing/node"
import * as Browser from "@catalog-client/browser"
import { Effect } from "effect"

export const client = layerClient({ clientId: "my-client-id" })
export const ofPage = Browser.layerClient({ baseUrl: "/catalog" })
export const patient = CatalogPolicy.layer(Resilience.retry())
export const one = (id: number) => Catalog.anime.get({ id }, { fields: ["mean", "genres{name}"] })
export const list = () => Catalog.user.animeList.items({ username: "@me" }, { fields: ["list_status"] })
export const { search, suggestions, updateMyListStatus } = Catalog.anime
export const { topic } = Catalog.forum
export const firstPost = Effect.map(topic({ id: 481 }), ({ data }) => data?.posts[0])
export const effects = Catalog.anime
export const ofClient = Effect.map(CatalogClient, ({ anime }) => anime)
export const genres = () => Catalog.anime.suggestions.items({ fields: ["genres"] })
export const caught = (error: unknown) => (error instanceof ClientRestError || isNotFound(error) ? error : undefined)
export const session = OAuthSession.layer({ clientId: "my-client-id", redirectUri: "http://localhost:8080/callback" })
export const signIn = { login: Login.loopback(), store: fileTokenStore(), layer: layerFile() }
export const sessions = OAuthSessions.layerConfig()
export const { storeOf } = Effect.runSync(Effect.provide(TokenStores, TokenStores.layerMemory))
export const served = EmbeddedServer.layer()
export const planned = (plan: Sync.Plan) => Sync.apply(plan)
`

/** The same over `catalog-client`. */
const promiseLibrary = `
import { createCatalog } from "catalog-client"
import { fileTokenStore } from "catalog-client/oauth"
import { type IoRedisConnection, tokenStores } from "catalog-client/redis"

export const catalog = createCatalog({ fields: { anime: ["mean"] } })
export const stores = (connection: IoRedisConnection) => ({ file: fileTokenStore(), users: tokenStores(connection) })
export const list = () => catalog.user.animeList.items({ username: "@me" }, { fields: ["list_status"] })
export const { search, suggestions, updateMyListStatus } = catalog.anime
export const { topic } = catalog.forum
`

const logged = `${program}\nvoid main().then(console.log)\n`

/** A program in JavaScript. */
const withoutTypes = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
    .outputText

test("compiles libraries over node and browser, and over catalog-client, whose declarations name types by these packages", async () => {
  const folder = join(temp, "library")
  mkdirSync(folder)
  const overrides = Object.fromEntries(
    ["core", "node"].map((name) => [`@catalog-client/${name}`, `file:${tarball(name)}`])
  )
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", pnpm: { overrides } }))
  // A program can import only what its project names: core is there, but not for it.
  const besidesCore = names.filter((name) => name !== "core")
  const pnpm = ["--dir", folder, "--prefer-offline", "--config.node-linker=isolated"]
  await tool("pnpm", ...pnpm, "add", ...["promise", ...besidesCore].map(tarball), ...peers)
  writeFileSync(join(folder, "library.ts"), library)
  writeFileSync(join(folder, "promises.ts"), promiseLibrary)
  const options = { target: "ES2022", module: "nodenext", lib: ["ESNext", "DOM"], strict: true, skipLibCheck: true }
  const config = { compilerOptions: { ...options, declaration: true, types: [] }, files: ["library.ts", "promises.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  await run(folder, process.execPath, compilerOf("7.0"), "-p", ".")
  const declarations = readFileSync(join(folder, "library.d.ts"), "utf8")
  const modules = Array.from(declarations.matchAll(/(?:from |import[(])"([^"]+)"/g), ([, name]) => name)
  expect(modules).not.toEqual([])
  expect(
    modules.filter((name = "") => !new RegExp(`^(@catalog-client/(${besidesCore.join("|")})|@?effect)(/|$)`).test(name))
  ).toEqual([])
})

describe("a new project", () => {
  const write = (file: string, content: unknown) => writeFileSync(join(project, file), JSON.stringify(content, null, 2))

  beforeAll(async () => {
    mkdirSync(project)
    write("package.json", { name: "a-new-project", private: true, type: "module" })
    // README's line for Effect, with the tarballs where it has our names. Browser is not in it, and none is published yet.
    const specs = effectLine.split(" ").slice(2)
    const ours = names.map(tarball)
    const line = [
      ...ours,
      ...specs.filter((spec) => !spec.startsWith("@catalog-client/")),
      ...optionalPeers,
      ...forOthers,
      "@types/node@20"
    ]
    await run(project, "npm", "install", "--prefix", project, "--strict-peer-deps", ...quietly, ...line)
  })

  const copiesIn = (folder: string): ReadonlyArray<string> =>
    readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" })
      .filter((path) => /(^|node_modules\/)(effect|@effect\/platform)\/package[.]json$/.test(path))
      .toSorted()

  test("has one copy of effect and of @effect/platform", () => {
    expect(copiesIn(project)).toEqual(["@effect/platform/package.json", "effect/package.json"])
  })

  test("compiles everything public, and a program, and runs them", async () => {
    write("tsconfig.json", {
      files: ["everything.ts", "program.ts"],
      compilerOptions: {
        target: "ES2022",
        module: "NodeNext",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        types: []
      }
    })
    const importing = (specifiers: ReadonlyArray<string>) =>
      specifiers.map((specifier, index) => `export * as module${index} from "${specifier}"\n`).join("")
    writeFileSync(join(project, "everything.ts"), importing(entryPoints.filter((name) => name !== withNodeTypes)))
    // The declarations of ioredis want Node's.
    writeFileSync(join(project, "redis.ts"), importing([withNodeTypes]))
    write("tsconfig.redis.json", {
      extends: "./tsconfig.json",
      compilerOptions: { types: ["node"], skipLibCheck: !isFull },
      files: ["redis.ts"]
    })
    writeFileSync(join(project, "program.ts"), logged)
    // The newest is the quickest by far; our own comes last, where there is time for it.
    for (const version of isFull ? ["7.0", "5.9"] : ["7.0"]) {
      await run(project, process.execPath, compilerOf(version), "-p", ".")
      await run(project, process.execPath, compilerOf(version), "-p", "tsconfig.redis.json")
    }
    await run(project, process.execPath, "everything.js")
    await run(project, process.execPath, "redis.js")
    expect(await run(project, process.execPath, "program.js")).toBe(`${printed}\n`)
  })

  /** A folder in the project that is a program of its own, of CommonJS unless said otherwise. */
  const folderWith = (name: string, files: Readonly<Record<string, unknown>>, type = "commonjs"): string => {
    mkdirSync(join(project, name))
    for (const [file, content] of Object.entries({ "package.json": { name, private: true, type }, ...files })) {
      writeFileSync(join(project, name, file), typeof content === "string" ? content : JSON.stringify(content))
    }
    return join(project, name)
  }

  // "everything" checks the declarations of all packages.
  const compilerOptions = { target: "ES2022", strict: true, skipLibCheck: !isFull, types: ["node"], outDir: "out" }

  test("compiles a library that imports core alone, whose declarations name types by it", async () => {
    writeFileSync(
      join(project, "alone.ts"),
      `import { Catalog } from "@catalog-client/core"
export const anime = Catalog.anime.get({ id: 1 }, { fields: ["main_picture", "genres", "related_anime"] })
export const ranking = Catalog.anime.ranking({ rankingType: "all" })
export const season = Catalog.anime.seasonal({ year: 2017, season: "winter" })
export const manga = Catalog.manga.get({ id: 1 })
export const list = Catalog.user.mangaList.items({ username: "@me" })
export const user = Catalog.user.me()
export const topic = Catalog.forum.topic({ id: 1 })
`
    )
    write("tsconfig.alone.json", {
      compilerOptions: { ...compilerOptions, module: "nodenext", declaration: true, types: [], outDir: "." },
      files: ["alone.ts"]
    })
    await run(project, process.execPath, compilerOf("7.0"), "-p", "tsconfig.alone.json")
    expect(readFileSync(join(project, "alone.d.ts"), "utf8")).toContain('import("@catalog-client/core/models").Picture')
  })

  const asCommonJS = [
    { name: "nodenext", module: { module: "nodenext" }, versions: isFull ? ["7.0", "5.9", "5.8"] : ["7.0"] },
    // TypeScript 7 has no node10 any more, and older ones are slow.
    {
      name: "node10",
      module: { module: "commonjs", moduleResolution: "node10" },
      versions: isFull ? ["5.9", "5.7"] : []
    }
  ].filter(({ versions }) => versions.length > 0)

  test.each(asCommonJS)("compiles and runs as CommonJS under $name", async ({ module, name, versions }) => {
    const folder = folderWith(name, {
      "program.ts": logged,
      "tsconfig.json": { compilerOptions: { ...compilerOptions, ...module }, files: ["program.ts"] }
    })
    for (const version of versions) {
      await run(folder, process.execPath, compilerOf(version), "-p", ".")
    }
    expect(readFileSync(join(folder, "out/program.js"), "utf8")).toContain('require("@catalog-client/core/anime")')
    expect(await run(folder, process.execPath, "out/program.js")).toBe(`${printed}\n`)
  })

  test("is checked and runs as JavaScript with require", async () => {
    const folder = folderWith("javascript", {
      "program.js": plainProgram,
      "tsconfig.json": {
        compilerOptions: { ...compilerOptions, module: "nodenext", checkJs: true, noEmit: true },
        files: ["program.js"]
      }
    })
    await run(folder, process.execPath, compilerOf("7.0"), "-p", ".")
    expect(await run(folder, process.execPath, "program.js")).toBe("8.3,404\n")
  })

  test("compiles, bundles and runs with the resolution of bundlers", async () => {
    const folder = folderWith("bundled", {
      "program.ts": logged,
      "tsconfig.json": {
        compilerOptions: { ...compilerOptions, module: "preserve", moduleResolution: "bundler", noEmit: true },
        files: ["program.ts"]
      }
    })
    await run(folder, process.execPath, compilerOf("7.0"), "-p", ".")
    const [entry, outfile] = [join(folder, "program.ts"), join(folder, "out.cjs")]
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "cjs", logLevel: "silent" })
    expect(await run(folder, process.execPath, outfile)).toBe(`${printed}\n`)
  })

  if (!isFull) {
    return
  }

  test("says what docs/install.md quotes where Effect 4 is installed", async () => {
    const newer = join(temp, "newer")
    mkdirSync(newer)
    writeFileSync(join(newer, "package.json"), JSON.stringify({ name: "newer", private: true, type: "module" }))
    await run(newer, "npm", "install", ...quietly, tarball("core"), "effect")
    writeFileSync(join(newer, "program.js"), 'import "@catalog-client/core"\n')
    const error = await run(newer, process.execPath, "program.js").catch(String)
    const [quoted = ""] = /Error \[ERR_MODULE_NOT_FOUND\].*/.exec(read("docs/install.md")) ?? []
    expect(error.replace(temp, "").replace("/newer/node_modules", "…/node_modules")).toContain(quoted)
  })

  test("is tested by Vitest without configuration", async () => {
    const test = `import { expect, test } from "vitest"\ntest("calls", async () => expect(await main()).toBe("${printed}"))\n`
    const folder = folderWith("vitest", { "program.test.ts": `${program}\n${test}` }, "module")
    const vitest = join(project, "node_modules/vitest/vitest.mjs")
    expect(await run(folder, process.execPath, vitest, "run", "--root", folder, "--reporter", "json")).toContain(
      '"numPassedTests":1,'
    )
  })

  test("is tested by Jest as its recipe says", async () => {
    expect(Object.keys(forJest)).toEqual(["jest.config.cjs"])
    const test = `test("calls", async () => { expect(await main()).toBe("${printed}") })\n`
    const folder = folderWith("jest", {
      ...forJest,
      "program.test.js": withoutTypes(program) + test
    })
    const jest = join(project, "node_modules/jest/bin/jest.js")
    expect(await run(folder, process.execPath, jest, "--ci", "--json")).toContain('"numPassedTests":1,')
  })
})
