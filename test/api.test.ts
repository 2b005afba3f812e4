import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, posix } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { agentsPage, folder, folderOfEffect4, reports } from "../scripts/generate/api.mjs"
import { generated } from "../scripts/generate/operations.mjs"
import { openApi } from "../site/generate/openApi.mjs"
import { operationPages } from "../site/generate/operations.mjs"
import { commentsJson, file as commentsFile } from "../scripts/generate/comments.mjs"
import { entryPoints, manifest, read, root } from "./readme.js"
import { entryPoints as built, found, readDeclarations } from "../scripts/generate/declarations.mjs"

describe("the public API", () => {
  let current: ReadonlyMap<string, string>

  beforeAll(async () => {
    current = await reports()
  }, 120_000)

  test("has a report of each package in api/", () => {
    expect(readdirSync(folder).toSorted()).toEqual([...current.keys(), basename(folderOfEffect4)].toSorted())
  })

  test("has at most 3300 lines there, which a diff shows whole", () => {
    const lines = [...current.values()].flatMap((report) => report.split("\n"))
    const advice = "api/ has more than 3300 lines: mark what users do not need as @internal, or share a type"
    expect(lines.length, advice).toBeLessThanOrEqual(3300)
    expect(lines.filter((line) => line.length > 140)).toEqual([])
  })

  test("equals api/; `npm run api` accepts a change", () => {
    for (const [file, report] of current) {
      const path = join(folder, file)
      const accepted = existsSync(path) ? readFileSync(path, "utf8") : ""
      expect.soft(report, `api/${file}: the public API has changed. To accept the change: npm run api`).toBe(accepted)
    }
  })

  test("has at most 65 names in the root of core, and each of its modules by itself", () => {
    const core = found(
      built.find(({ specifier }) => specifier === "@catalog-client/core"),
      "core"
    )
    const { checker, moduleOf } = readDeclarations()
    const names = checker.getExportsOfModule(moduleOf(core.types)).map(({ name }) => name)
    expect(names.length).toBeLessThanOrEqual(65)
    const modules = Object.keys(manifest("core").exports).flatMap((path) => /^[.][/]([A-Z].*)/.exec(path)?.[1] ?? [])
    expect(modules.filter((name) => !names.includes(name))).toEqual(["CatalogError"])
  })

  test("equals the table of operations in AGENTS.md; `npm run api` writes it", async () => {
    expect(read("AGENTS.md")).toBe(await agentsPage())
  })

  test("has what follows from the operations and the records; the build writes it", () => {
    const words = (text: string) => text.replaceAll(/\s+/g, "")
    for (const [file, text] of generated()) {
      expect.soft(words(read(file)), file).toBe(words(text))
    }
  })

  test("has the comments that the subpath schemas describes it with; `npm run api` writes them", async () => {
    expect(readFileSync(commentsFile, "utf8")).toBe(await commentsJson())
  })

  test("is what docs/operations says; `npm run api` writes it", async () => {
    const pages = await operationPages()
    expect(readdirSync(join(root, "docs/operations")).toSorted()).toEqual([...pages.keys()].toSorted())
    for (const [file, page] of pages) {
      expect.soft(read(`docs/operations/${file}`), file).toBe(page)
      expect.soft(page, "types of inputs are named").not.toContain("import(")
    }
  })

  test.each(["api", "docs/operations"])("has pages in %s that close each fence", (folder) => {
    const open = readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .filter((name) => (read(`${folder}/${name}`).match(/^ *```/gm) ?? []).length % 2 === 1)
    expect(open, "TypeScript ends a doc comment at an @ after a space, unless it is in backticks on its line").toEqual(
      []
    )
  })

  test("has a valid OpenAPI document, which a linter recommends nothing for", async () => {
    mkdirSync(join(root, ".cache"), { recursive: true })
    writeFileSync(join(root, ".cache/openapi.json"), await openApi())
    const { error, status, stdout } = spawnSync("npx", ["redocly", "lint", ".cache/openapi.json", "--format=json"], {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
    })
    expect(error).toBeUndefined()
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] })
    expect(status).toBe(0)
  }, 60_000)

  test("says since which release each module is there: the first, 0.2.0, or a later one", () => {
    const modules = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter((path) =>
      /^\w+[/]src[/].*[.]ts$/.test(path)
    )
    const since = modules.flatMap((path) =>
      Array.from(read(`packages/${path}`).matchAll(/@since (\S+)/g), ([, version]) => ({ path, version }))
    )
    const exporting = entryPoints.flatMap((entry) => {
      const [, name = "", subpath = "."] = /^@catalog-client[/](\w+)(?:[/](.+))?$/.exec(entry) ?? []
      const { exports } = manifest(name) as { readonly exports: Record<string, { readonly types: string }> }
      const types = exports[subpath === "." ? "." : `./${subpath}`]?.types ?? ""
      const path = `${name}/${types.replace("./dist/", "src/").replace(".d.ts", ".ts")}`
      const reexports = read(`packages/${path}`).matchAll(/^export[^;]*? from "(\.[^"]+)[.]js"/gm)
      return [path, ...Array.from(reexports, ([, from = ""]) => posix.join(posix.dirname(path), `${from}.ts`))]
    })
    const dated = new Set(since.map(({ path }) => path))
    expect(exporting.filter((path) => !path.includes("/internal/") && !dated.has(path))).toEqual([])
    const [, minor = ""] = (JSON.parse(read("packages/core/package.json")) as { version: string }).version.split(".")
    // Changes that are not released yet are in the next minor version.
    const releases = Array.from({ length: Number(minor) }, (_, index) => `0.${index + 2}.0`)
    expect(since.filter(({ version = "" }) => !releases.includes(version))).toEqual([])
  })

  test("has declarations of what its modules have at run time, and of nothing else", () => {
    const wrong = [...current].filter(([, report]) => report.includes("Not both declared and there at run time"))
    expect(wrong.map(([file]) => file)).toEqual([])
  })
})
