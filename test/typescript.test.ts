/**
 * The types hold under every TypeScript that we support, and cost what they may.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { tsc, versions } from "./compilers.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { entryPoints, read, root } from "./readme.js"

const folder = join(root, ".cache/type-tests")
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: "../../tsconfig.json",
    compilerOptions: {
      incremental: false,
      tsBuildInfoFile: null,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: "../..",
      outDir: "declarations"
    },
    include: ["../../packages/*/test/**/*.test-d.ts"],
    references: []
  })
)

test("the versions are the documented ones", () => {
  expect(versions).toEqual(["5.6", "5.7", "5.8", "5.9", "6.0", "7.0"])
})

// The newest is the quickest by far.
const some = isFull ? versions : versions.slice(-1)

// The step `types` compiles them under the newest.
test.each(isFull ? versions : [])(
  "TypeScript %s accepts the type tests, the refusals among them too",
  { timeout: 300_000 },
  async (version) => {
    expect(await tsc(version, ["-p", folder])).toEqual({ status: 0, printed: "" })
  }
)

/** A program with Effect and with promises, with values and types of the entry points, and with types that a compiler has to name. */
const program = `
import * as CatalogBrowser from "@catalog-client/browser"
import * as PageSession from "@catalog-client/oauth/browser"
import { Anime, Catalog, CatalogClient, Credentials, Fields } from "@catalog-client/core"
import { get } from "@catalog-client/core/anime"
import { isNotFound } from "@catalog-client/core/guards"
import { retry } from "@catalog-client/core/Resilience"
import { EmbeddedCatalog } from "@catalog-client/testing"
import * as CatalogNode from "@catalog-client/node"
import { fileTokenStore } from "@catalog-client/oauth/node"
import { layer as overRedis } from "@catalog-client/node/redis"
import { layer as overSql } from "@catalog-client/node/sql"
import { EmbeddedServer } from "@catalog-client/testing/node"
import { createCatalog } from "catalog-client"
import { serve } from "catalog-client/testing"
import { Effect, Layer, Stream } from "effect"

export const anime = Catalog.anime.get({ id: 1 }, { fields: ["mean", "genres{name}"], policies: [retry()] })
export const mean = Effect.map(anime, (anime): number | undefined => anime.mean)
// @ts-expect-error -- it was not requested
export const episodes = Effect.map(anime, (anime) => anime.num_episodes)
export const title = Effect.map(get({ id: 1 }), ({ title }) => title)
export const list = Catalog.user.animeList.items({ username: "@me" }, { fields: "list_status" }).pipe(Stream.take(3))
export const moody = Catalog.anime.get({ id: 1 }, { fields: Fields.unchecked("mean", "mood") })
// @ts-expect-error -- no field is called maen
export const misspelt = Catalog.anime.get({ id: 1 }, { fields: ["maen"] })
export class Shelf extends Effect.Service<Shelf>()("Shelf", {
  effect: Effect.map(CatalogClient, ({ anime }) => ({ titleOf: (id: number) => anime.get({ id }) }))
}) {}
export const Live = Shelf.Default.pipe(Layer.provide(CatalogNode.layerClient({ clientId: "one" })))
export const provided = Effect.provide(title, [EmbeddedCatalog.layer(), Credentials.layerNone])
export const stores = { overRedis, overSql, file: fileTokenStore, page: PageSession.localTokenStore }
export const inPages = CatalogBrowser.layerClient({ baseUrl: "/catalog" })
export const served = EmbeddedServer.layer({ port: 0 })

export type Row = Fields.Selected<Anime, ["mean"]>
export const main = async () => {
  const service = await serve()
  const catalog = createCatalog({ baseUrl: service.url, clientId: undefined })
  const { data, headers } = await catalog.withResponse(catalog.anime.get({ id: 1 }, { fields: "mean" }))
  const row: Row = data
  // @ts-expect-error -- it was not requested
  void data.num_episodes
  const error: unknown = await catalog.manga.get({ id: 999_999 }).catch((error: unknown) => error)
  for await (const { node } of createCatalog({ fetch }).anime.ranking.items({ rankingType: "all" })) void node.title
  return [row, headers, isNotFound(error) && error.status] as const
}
`

/** The configurations of the table in docs/decisions/compatibility.md, by what it calls them. All are strict. */
const configurations = {
  "`nodenext`": { module: "nodenext" },
  "`nodenext`, `exactOptionalPropertyTypes`": { module: "nodenext", exactOptionalPropertyTypes: true },
  "`node16`": { module: "node16" },
  "`esnext` and `bundler`": { module: "esnext", moduleResolution: "bundler" },
  "`declaration`, `isolatedModules`, `verbatimModuleSyntax`": {
    module: "nodenext",
    declaration: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true
  },
  "`erasableSyntaxOnly`": { module: "nodenext", erasableSyntaxOnly: true, skipLibCheck: true },
  "CommonJS, `nodenext`": { module: "nodenext", skipLibCheck: true },
  "CommonJS, `node16`": { module: "node16", skipLibCheck: true },
  "CommonJS, `commonjs` and `node10`": { module: "commonjs", moduleResolution: "node10", skipLibCheck: true }
}

/** What a compiler says of the program: that it compiles, that it does without a check of declarations (partly), or its error. */
const cell = async (name: string, compilerOptions: object, version: string): Promise<string> => {
  const isCommonJs = name.startsWith("CommonJS")
  const project = join(root, ".cache/typescripts", `${Object.keys(configurations).indexOf(name)}-${version}`)
  mkdirSync(project, { recursive: true })
  const everything = entryPoints.map((specifier, nth) => `export * as module${nth} from "${specifier}"\n`).join("")
  const files = { "program.ts": program, "everything.ts": everything, ...(isCommonJs && { "file.cts": program }) }
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(project, file), text)
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: isCommonJs ? "commonjs" : "module" }))
  const compiled = async (skipLibCheck: boolean) => {
    const options = { target: "ES2022", strict: true, outDir: "out", types: ["node"], skipLibCheck, ...compilerOptions }
    const config = { compilerOptions: options, files: Object.keys(files) }
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config))
    const { status, printed } = await tsc(version, ["-p", project])
    return status === 0 ? "yes" : (/error (TS\d+)/.exec(printed)?.[1] ?? printed)
  }
  const found = await compiled(false)
  if (found === "yes" || "skipLibCheck" in compilerOptions) {
    return found === "TS5023" ? "–" : found
  }
  return (await compiled(true)) === "yes" ? "partly" : found
}

// Declarations of Effect do not compile under the oldest. Ours do.
test("the oldest TypeScript finds no error in our own declarations", { timeout: 300_000 }, async () => {
  const project = join(root, ".cache/typescripts", "own")
  mkdirSync(project, { recursive: true })
  const everything = entryPoints.map((specifier, nth) => `export * as module${nth} from "${specifier}"\n`).join("")
  writeFileSync(join(project, "everything.ts"), everything)
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }))
  const compilerOptions = { target: "ES2022", module: "nodenext", strict: true, noEmit: true, types: ["node"] }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["everything.ts"] }))
  const { printed } = await tsc(versions[0] ?? "", ["-p", project])
  expect(printed.split("\n").filter((line) => /error TS/.test(line) && !line.includes("node_modules"))).toEqual([])
})

test("a program can declare a client that is made from the service's API", { timeout: 100_000 }, async () => {
  const project = join(root, ".cache/typescripts", "declared")
  mkdirSync(project, { recursive: true })
  const source = `import { CatalogApi } from "@catalog-client/testing"
import { HttpApiClient } from "@effect/platform"

export const client = HttpApiClient.make(CatalogApi)
`
  writeFileSync(join(project, "client.ts"), source)
  // In another package, an inferred type has a name only if the package exports it.
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }))
  const compilerOptions = { module: "nodenext", strict: true, declaration: true, outDir: "out", skipLibCheck: true }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }))
  expect(await tsc(versions.at(-1) ?? "", ["-p", project])).toEqual({ status: 0, printed: "" })
})

/** The table's rows: what each version says of a configuration. */
const documented = Object.fromEntries(
  Array.from(
    read("docs/decisions/compatibility.md").matchAll(/^[|] (`?[\w`, ]+) ((?:[|] [^|]+ ){6})[|]$/gm),
    ([, name = "", cells = ""]) => [
      name,
      cells
        .split("|")
        .slice(1)
        .map((cell) => cell.trim())
    ]
  )
)

test("the table has a row for each configuration", () => {
  expect(Object.keys(documented)).toEqual(["TypeScript", ...Object.keys(configurations)])
  expect(documented["TypeScript"]).toEqual(versions)
})

const rows = Object.entries(configurations)

// test/packages.test.ts compiles every entry point under the newest, without skipLibCheck.
test.each(isFull ? rows : [])("%s is in the table as it is", { timeout: 1_200_000 }, async (name, options) => {
  const cells: Array<string> = []
  for (const version of versions) {
    const isChecked = some.includes(version)
    cells.push(isChecked ? await cell(name, options, version) : (documented[name]?.[versions.indexOf(version)] ?? ""))
  }
  expect(documented[name]).toEqual(cells)
})
