/**
 * What differs for Effect 4: few files, each with a twin in packages/.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { expect, it } from "vitest"
import { filesOf, packageNames } from "../build.mjs"

const here = join(import.meta.dirname, "..")
const root = join(here, "..")

const overlay = packageNames.flatMap((name) => filesOf(join(here, name, "src")).map((file) => `${name}/src/${file}`))
const names = filesOf(join(here, "names")).map((file) => `names/${file}`)

/** The names that a module exports, as they are written in this project. */
const exportsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(/^export (?:declare )?(const|class|function|interface|type) (\w+)/gm)]
    .map(([, kind, name]) => (kind === "type" || kind === "interface" ? `type ${name}` : `${name}`))
    .toSorted()

const linesOf = (files: ReadonlyArray<string>): number =>
  files.reduce((lines, file) => lines + readFileSync(join(here, file), "utf8").split("\n").length - 1, 0)

it.each(overlay)("%s exports what its twin exports", (file) => {
  const twin = join(root, "packages", file)
  expect(existsSync(twin)).toBe(true)
  expect(exportsOf(join(here, file))).toEqual(exportsOf(twin))
})

it("a page keeps nothing of Effect that it does not use", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createCatalog } from "@catalog-client/browser"
        createCatalog({ clientId: "my-client-id" }).anime.get({ id: 30230 }).then(console.log)`,
      resolveDir: join(here, "dist")
    },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser"
  })
  expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(70_000)
})

it("few files differ, and names are few", () => {
  expect(overlay.length).toBeLessThanOrEqual(15)
  expect(linesOf(overlay)).toBeLessThanOrEqual(1500)
  expect(linesOf(names)).toBeLessThanOrEqual(300)
})
