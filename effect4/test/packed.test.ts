/**
 * The tarballs in a new project, beside Effect 4.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { compiled, examplesOf } from "../../test/readme.js"
import { dist, packageNames } from "../build.mjs"
import { publishing } from "../packed.mjs"

const root = join(import.meta.dirname, "../..")

it("every operation, a whole list, a sign-in and failures, on both faces", () => {
  const { stdout } = spawnSync(process.execPath, ["scripts/demo.mjs", "--effect4"], { cwd: root, encoding: "utf8" })
  expect(stdout).toMatch(/^Effect 4[.]1[.]/m)
  expect(stdout).toContain("Everything did what it should.")
}, 600_000)

describe.each(packageNames)("the tarball of %s", (name) => {
  const run = (command: string) => spawnSync(command, { cwd: root, encoding: "utf8", shell: true })

  it("is published with a README and the license, under the dist-tag effect4", () => {
    const { stderr } = run(`${publishing(name)} --dry-run`)
    expect(stderr).toMatch(/Publishing to .* with tag effect4 and public access/)
    for (const file of ["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "src/index.ts"]) {
      expect(stderr).toMatch(new RegExp(`[kM]?B ${file}$`, "m"))
    }
  }, 60_000)

  it("passes publint", () => {
    const { status, stdout } = run(`"${join(root, "node_modules/.bin/publint")}" run "${join(dist, name)}" --strict`)
    expect(status, stdout).toBe(0)
  }, 60_000)
})

it("the programs of the READMEs and of docs/effect-versions.md compile", async () => {
  const pages = packageNames.map((name) => `effect4/dist/${name}/README.md`)
  const files = [
    ...pages.flatMap(examplesOf),
    ...examplesOf("docs/effect-versions.md").filter(({ section }) => section === "Effect 4")
  ]
  expect(files.length).toBeGreaterThan(6)
  const printed = await compiled(join(dist, "programs"), files, {
    extends: "../../../tsconfig.base.json",
    compilerOptions: {
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      types: ["node"],
      noEmit: true,
      composite: false,
      incremental: false,
      noUnusedLocals: false
    },
    include: ["**/*.ts"]
  })
  expect(printed).toBe("")
}, 600_000)
