/**
 * The tarballs in a new project, beside Effect 4.
 */
import { spawnSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { tsc, versions } from "../../test/compilers.mjs"
import { rehearse } from "../../scripts/release/rehearse.mjs"
import { allFolders, effectFolders, manifestOf } from "../../scripts/workspace.mjs"
import { bundle } from "../../scripts/sources.mjs"
import { quietly, run, temporaryFolder } from "../../test/packed.js"
import { read, root } from "../../test/readme.js"
import { dist } from "../build.mjs"
import { installInto, startService } from "../packed.mjs"

test("every operation, a whole list, a sign-in and failures", async () => {
  const folder = temporaryFolder()
  installInto(folder)
  const demo = join(folder, "demo.mjs")
  await bundle("effect4/demo.ts", demo)
  const service = await startService(folder)
  onTestFinished(() => void service.close())
  const env = { ...process.env, ...service.env }
  const { stdout } = spawnSync(process.execPath, [demo], { cwd: folder, env, encoding: "utf8" })
  expect(stdout).toMatch(/^Effect 4[.]1[.]/m)
  expect(stdout).toContain("Everything did what it should.")
}, 600_000)

describe.each(effectFolders)("the tarball of %s", (name) => {
  const ran = (command: string) => spawnSync(command, { cwd: root, encoding: "utf8", shell: true })

  test("has a README, the license and the sources", () => {
    const { stdout } = ran(`npm pack "${join(dist, name)}" --dry-run --json`)
    const [{ files }] = JSON.parse(stdout) as [{ readonly files: ReadonlyArray<{ readonly path: string }> }]
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "src/index.ts"])
    )
  }, 60_000)

  test("passes publint", () => {
    const { status, stdout } = ran(`"${join(root, "node_modules/.bin/publint")}" run "${join(dist, name)}" --strict`)
    expect(status, stdout).toBe(0)
  }, 60_000)
})

describe("npm run release", () => {
  test("publishes the packages for Effect 4 as latest, and those for Effect 3 as effect3", async () => {
    const { ok, received } = await rehearse()
    expect(ok).toBe(true)
    expect(Object.keys(received).toSorted()).toEqual(
      allFolders.map((name) => manifestOf(join(root, "packages", name)).name).toSorted()
    )
    for (const name of effectFolders) {
      const { versions, ...published } = received[`@catalog-client/${name}`] ?? {}
      const { version: latest } = manifestOf(join(dist, name))
      const { version: effect3 } = manifestOf(join(root, "packages", name))
      expect(published).toEqual({
        name: `@catalog-client/${name}`,
        "dist-tags": { latest, effect3 }
      })
      expect(versions?.[latest]?.peerDependencies).toMatchObject({ effect: "~4.1.0" })
      expect(versions?.[effect3]?.peerDependencies).toMatchObject({ effect: "^3.21.0" })
      expect(JSON.stringify(versions)).not.toContain("workspace:")
      // But drivers for SQL and the package for Vitest keep their names, and READMEs say them.
      expect(JSON.stringify(versions?.[latest])).not.toMatch(/@effect[/](?!sql-|vitest)/)
    }
  }, 300_000)

  test("asks npm for provenance, which it refuses outside of the publishing workflow", async () => {
    const { ok, received } = await rehearse({ NPM_CONFIG_PROVENANCE: "true" })
    expect(ok).toBe(false)
    expect(received).toEqual({})
  }, 300_000)
})

test("the application for Effect 4 compiles beside the tarballs, and passes its tests", async () => {
  const example = join(root, "examples/effect4")
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  installInto(folder)
  const { devDependencies = {} } = manifestOf(example)
  const tools = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
  await run(folder, "npm", "install", ...quietly, ...tools)
  // clock.test.ts needs @effect/vitest, and so another Vitest than these tools.
  const isTaken = (path: string) => path === example || /(?<!clock\.test)\.ts$/.test(path)
  cpSync(example, folder, { recursive: true, filter: isTaken })
  const base = join(root, "tsconfig.base.json")
  writeFileSync(
    join(folder, "tsconfig.json"),
    read("examples/effect4/tsconfig.json").replace("../../tsconfig.base.json", base)
  )
  expect(await tsc(versions.at(-1) ?? "", ["-p", folder])).toEqual({ status: 0, printed: "" })
  expect(await run(folder, "npx", "vitest", "run", "--no-color")).toMatch(/Test Files +(\d+) passed \(\1\)/)
}, 600_000)
