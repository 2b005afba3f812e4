/**
 * What differs for Effect 4: few files, each the counterpart of one in packages/.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { tsc, versions } from "../../test/compilers.mjs"
import { allFolders, effectFolders, manifestOf } from "../../scripts/workspace.mjs"
import { dist, filesOf, prepareTests, versionOnEffect4 } from "../build.mjs"
import { minor } from "../examples.mjs"

const here = join(import.meta.dirname, "..")
const root = join(here, "..")

const counterparts = allFolders.flatMap((name) => filesOf(join(here, name, "src")).map((file) => `${name}/src/${file}`))

/** The names that a module exports, as they are written in this project. */
const exportsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/^export (?:declare )?(const|class|function|interface|type) (\w+)/gm)]
    .map(([, kind, name]) => (kind === "type" || kind === "interface" ? `type ${name}` : `${name}`))
    .toSorted()

test.each(counterparts)("%s exports what the module that it replaces exports", (file) => {
  const original = join(root, "packages", file)
  expect(existsSync(original)).toBe(true)
  expect(exportsOf(join(here, file))).toEqual(exportsOf(original))
})

test.each(["effect4", "examples/effect4"])(
  "%s compiles: the type tests, and what only Effect 4 has",
  async (folder) => {
    prepareTests()
    expect(await tsc(versions.at(-1) ?? "", ["-p", join(root, folder)])).toEqual({ status: 0, printed: "" })
  }
)

/** Drivers keep their names: `@effect/sql-pg@4.0`. */
const ofEffect3 = /effect@3|@effect[/](platform|sql(?!-)|sql-\w+@0)/

test.each(effectFolders)("the types of %s and their comments name no module of Effect 3", (name) => {
  const declarations = filesOf(join(dist, name, "dist")).filter((file) => file.endsWith(".d.ts"))
  const naming = declarations.filter((file) => ofEffect3.test(readFileSync(join(dist, name, "dist", file), "utf8")))
  expect(naming).toEqual([])
})

test.each(effectFolders)("the README of %s installs it for Effect 4", (name) => {
  const pages = readdirSync(join(dist, name), { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(\w+|docs[/\\][\w-]+)[.]md$/.test(file)
  )
  const installing = (page: string) =>
    readFileSync(join(dist, name, page), "utf8").match(/^npm install .*@catalog-client.*$/gm) ?? []
  const lines = installing("README.md")
  const installed = lines.join(" ").split(" ")
  expect(installed).toEqual(expect.arrayContaining([`@catalog-client/${name}`, expect.stringMatching(/^effect@4/)]))
  expect(lines.filter((line) => !line.includes(" --save-exact "))).toEqual([])
  for (const page of pages) {
    expect(readFileSync(join(dist, name, page), "utf8"), page).not.toMatch(ofEffect3)
  }
})

test("the two lines cannot get one version", () => {
  expect(versionOnEffect4("0.10.2")).toBe("1.10.2")
  expect(() => versionOnEffect4("1.0.0")).toThrow(/Both lines would be 1\.0\.0: .* docs\/decisions\/effect-4\.md/)
})

test.each(effectFolders)("the manifest of %s needs nothing of Effect but effect itself", (name) => {
  const { dependencies, peerDependencies, publishConfig, version } = JSON.parse(
    readFileSync(join(dist, name, "package.json"), "utf8")
  ) as Record<string, Record<string, string>>
  expect(version).toBe(manifestOf(join(root, "packages", name)).version.replace("0.", "1."))
  expect(publishConfig).toEqual({ access: "public", tag: "latest" })
  expect(peerDependencies?.["effect"]).toBe(`~${minor}.0`)
  expect(Object.keys({ ...dependencies, ...peerDependencies }).filter((peer) => peer.startsWith("@effect/"))).toEqual(
    []
  )
})

test("at most 15 files differ", () => {
  expect(
    counterparts.length,
    "share the code and adapt names in effect4/names, or merge two files"
  ).toBeLessThanOrEqual(15)
})
