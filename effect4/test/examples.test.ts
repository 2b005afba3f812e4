import { Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, type FileSystem, Layer } from "effect"
import type { HttpClient } from "effect/http"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { format } from "node:util"
import { expect, onTestFinished, test, vi } from "vitest"
import { effectFolders } from "../../scripts/workspace.mjs"
import { blocksIn, compiled, examplesOf, filesIn, pages, read, root, sourcesIn } from "../../test/readme.js"
import { dist } from "../build.mjs"
import { exampleOnEffect4, installOnEffect4, renames } from "../examples.mjs"

const ofPages = pages
  .flatMap(examplesOf)
  .filter(({ section, text }) => section !== "Effect 3" && !text.includes('from "catalog-client'))
  .map((program) => ({ ...program, text: exampleOnEffect4(program.text) }))
/** The files of recipes that import Effect, and the ones that these import. */
const ofRecipes = readdirSync(join(root, "docs/recipes")).flatMap((name) => {
  const files = filesIn(`docs/recipes/${name}`).filter(({ section }) => section !== "Effect 3")
  const withEffect = files.filter(({ text }) => /from "@?effect/.test(text))
  const imported = files.filter(({ file }) =>
    withEffect.some(({ text }) => text.includes(`"./${file.replace(/ts$/, "js")}"`))
  )
  return [...withEffect, ...imported].map((program) => ({
    ...program,
    file: `${basename(name, ".md")}/${program.file}`,
    text: exampleOnEffect4(program.text)
  }))
})
/** The build has renamed what these use. */
const ofSources = effectFolders.flatMap((name) => sourcesIn(`effect4/dist/${name}/src`)).flatMap(examplesOf)
const programs = [...ofPages, ...ofRecipes, ...ofSources]

const env = { file: "env.ts", line: 1, text: "export const env = process.env\n" }
const folder = join(dist, "programs")
const support = join(root, "effect4/test/support")
const moved = {
  // What the newest version of platform-node for Node 20 imports, and Effect 4.1 has elsewhere.
  "effect/Crypto": join(support, "crypto.ts"),
  // Its version for Effect 4 needs Node 22.
  "@effect/vitest": join(support, "vitest.ts"),
  "$env/dynamic/private": join(folder, env.file),
  // For the types alone.
  express: join(root, "examples/node_modules/@types/express/index.d.ts")
}

test("they compile: those of Effect 3 with other names, and those that the pages have for Effect 4", async () => {
  expect(ofPages.length).toBeGreaterThan(60)
  expect(ofRecipes.length).toBeGreaterThan(5)
  expect(ofSources.length).toBeGreaterThan(100)
  const printed = await compiled(folder, [...programs, env], {
    extends: "../../../tsconfig.base.json",
    compilerOptions: {
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      types: ["node"],
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      incremental: false,
      noPropertyAccessFromIndexSignature: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: Object.fromEntries(Object.entries(moved).map(([module, file]) => [module, [file]]))
    },
    include: ["**/*.ts"]
  })
  expect(printed).toBe("")
}, 600_000)

/** Those that print what their page says, without the network. */
const printing = [...ofPages, ...ofSources].filter(
  ({ output, text }) => output !== undefined && text.includes("EmbeddedCatalog.layer")
)

test.each(printing)("print on Effect 4 what their page says: line $line of $path", async ({ file, output }) => {
  let printed = ""
  const log = vi.spyOn(console, "log").mockImplementation((...values) => void (printed += `${format(...values)}\n`))
  onTestFinished(() => log.mockRestore())
  await import(join(folder, file))
  await vi.waitFor(() => expect(printed).toBe(output), { timeout: 20_000 })
})

test("a job fails if the list of a user fails, and succeeds if all are written", async () => {
  const { exportLists } = (await import(join(folder, "nightly-job/exportLists.ts"))) as {
    readonly exportLists: (
      folder: string,
      users: ReadonlyArray<string>,
      credentialsOf: (user: string) => Credentials.Service
    ) => Effect.Effect<void, unknown, FileSystem.FileSystem | HttpClient.HttpClient>
  }
  const lists = mkdtempSync(join(tmpdir(), "lists-"))
  onTestFinished(() => rmSync(lists, { recursive: true }))
  const credentialsOf = (accessToken: string) => Credentials.make({ accessToken })
  const Live = Layer.merge(EmbeddedCatalog.layer({ tokens: { reader: "sample_reader" } }), NodeFileSystem.layer)
  const ended = (...users: ReadonlyArray<string>) =>
    Effect.runPromise(Effect.result(exportLists(lists, users, credentialsOf)).pipe(Effect.provide(Live)))
  expect(await ended("reader")).toMatchObject({ _tag: "Success" })
  expect(await ended("reader", "unknown")).toMatchObject({ failure: { message: "1 of 2 lists failed." } })
})

test("no program needs what compiles on both, and returns another value", () => {
  // Its first list has the failures on Effect 3, and the successes on Effect 4.
  expect(programs.filter(({ text }) => text.includes("Effect.partition")).map(({ file }) => file)).toEqual([])
})

test("a guide of a package has the programs for Effect 4 alone", () => {
  const guide = read("effect4/dist/core/docs/your-own-operation.md")
  expect(guide).toContain('from "effect/ai"')
  expect(guide).not.toMatch(/With Effect [34]:|@effect\/ai"/)
})

const recipes = readdirSync(join(root, "docs/recipes")).map((name) => `docs/recipes/${name}`)
const guides = [...pages, ...recipes].filter((page) => page !== "docs/effect-versions.md")

const onEffect4 = (language: string, text: string) =>
  language === "ts" ? exampleOnEffect4(text) : language === "sh" ? installOnEffect4(text) : text

test("a program or command that a page has for Effect 3 stands below the one for Effect 4", () => {
  const unmarked = guides.flatMap((page) => {
    const lines = read(page).split("\n")
    return blocksIn(read(page)).flatMap(({ language, line, text }) => {
      const isMarked = /^With Effect 3\b/.test(lines[line - 4] ?? "")
      return isMarked || onEffect4(language, text) === text ? [] : [`${page}:${line}`]
    })
  })
  expect(unmarked).toEqual([])
})

/** What a program says and uses of the client: its comments, strings, numbers, and names of our packages with their members. */
const saidIn = (program: string): ReadonlyArray<string> => {
  const imports = program.matchAll(/^import (?:type )?(?:\{ (.+) \}|\* as (\w+)) from "@catalog-client/gm)
  const ours = new Set(
    Array.from(imports, ([, names = "", all]) => all ?? names.replaceAll("type ", "").split(", ")).flat()
  )
  const words = program
    .replaceAll(/^import [^"]+".+"\n/gm, "")
    .matchAll(/\/\/.*|\/\*\*[^]*?\*\/|"[^"\n]*"|`[^`]*`|\b\d[\d_]*\b|\b([A-Za-z]\w*)(?:\.\w+)*/g)
  return Array.from(words)
    .filter(([, name]) => name === undefined || ours.has(name))
    .map(([word]) => word)
}

/** What a list has more often than another. */
const onlyIn = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...others]
  return some.filter((word) => {
    const at = left.indexOf(word)
    return at === -1 || left.splice(at, 1).length === 0
  })
}

test("both are the same but for names; where Effect has another API, they say the same, and use the same of the client", () => {
  // Between both is what the first prints.
  const pairs =
    /^With Effect 4:\n\n```\w+\n((?:(?!```).*\n)*)```\n\n(?:```\w+\n(?:(?!```).*\n)*```\n\n)*With Effect 3:\n\n```(\w+)\n([^]*?)^```$/gm
  const differing = guides.flatMap((page) =>
    [...read(page).matchAll(pairs)].flatMap(([, newer = "", language = "", older = ""]) => {
      const renamed = onEffect4(language, older)
      const [mine, theirs] = language === "ts" ? [saidIn(newer), saidIn(renamed)] : [[newer], [renamed]]
      return [...onlyIn(mine, theirs), ...onlyIn(theirs, mine)].map((word) => `${page}: ${word}`)
    })
  )
  expect(differing).toEqual([
    // Its middleware names them twice.
    "docs/effect.md: Credentials",
    // A query and a part of a Schema are described in another way.
    "docs/your-own-operation.md: operations.anime.search.inputs",
    "docs/your-own-operation.md: AnimePage.mapFields",
    "docs/your-own-operation.md: SearchParams.fields",
    "docs/your-own-operation.md: AnimePage.pick",
    // A check of many values returns what it found.
    "docs/your-own-operation.md: AnimeNode",
    'docs/your-own-operation.md: "Passed"'
  ])
})

test("the names are those that they use", () => {
  const used = pages
    .flatMap(examplesOf)
    .filter(({ section }) => !section.endsWith("Effect 4"))
    .map(({ text }) => text)
    .join("")
  const comments = effectFolders.flatMap((name) => sourcesIn(`packages/${name}/src`)).flatMap(examplesOf)
  const all = used + comments.map(({ text }) => text).join("")
  expect(renames.map(([from]) => from).filter((name) => !all.includes(name))).toEqual([])
})
