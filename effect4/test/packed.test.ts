/**
 * The tarballs in a new project, beside Effect 4.
 */
import { spawnSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { tsc, versions } from "../../bench/types/compile.mjs"
import { manifestOf } from "../../scripts/setup.mjs"
import { quietly, run, temporaryFolder } from "../../test/packed.js"
import { compiled, examplesOf, read, root } from "../../test/readme.js"
import { dist, packageNames } from "../build.mjs"
import { installInto, publishing } from "../packed.mjs"

it("every operation, a whole list, a sign-in and failures, on both faces", () => {
  const { stdout } = spawnSync(process.execPath, ["scripts/demo.mjs", "--effect4"], { cwd: root, encoding: "utf8" })
  expect(stdout).toMatch(/^Effect 4[.]1[.]/m)
  expect(stdout).toContain("Everything did what it should.")
}, 600_000)

describe.each(packageNames)("the tarball of %s", (name) => {
  const ran = (command: string) => spawnSync(command, { cwd: root, encoding: "utf8", shell: true })

  it("is published with a README and the license, under the dist-tag effect4", () => {
    const { stderr } = ran(`${publishing(name)} --dry-run`)
    expect(stderr).toMatch(/Publishing to .* with tag effect4 and public access/)
    for (const file of ["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "src/index.ts"]) {
      expect(stderr).toMatch(new RegExp(`[kM]?B ${file}$`, "m"))
    }
  }, 60_000)

  it("passes publint", () => {
    const { status, stdout } = ran(`"${join(root, "node_modules/.bin/publint")}" run "${join(dist, name)}" --strict`)
    expect(status, stdout).toBe(0)
  }, 60_000)
})

it("the application for Effect 4 compiles beside the tarballs, and passes its tests", async () => {
  const example = join(root, "examples/effect4")
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  installInto(folder)
  const { devDependencies = {} } = manifestOf(example)
  const tools = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
  await run(folder, "npm", "install", ...quietly, ...tools)
  cpSync(example, folder, { recursive: true, filter: (path) => path === example || path.endsWith(".ts") })
  const base = join(root, "tsconfig.base.json")
  writeFileSync(
    join(folder, "tsconfig.json"),
    read("examples/effect4/tsconfig.json").replace("../../tsconfig.base.json", base)
  )
  expect(await tsc(versions.at(-1) ?? "", ["-p", folder])).toEqual({ status: 0, printed: "" })
  expect(await run(folder, "npx", "vitest", "run", "--no-color")).toMatch(/Test Files +1 passed/)
}, 600_000)

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
