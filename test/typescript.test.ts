/**
 * The types hold under every TypeScript that we support, and cost what they may.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { beforeEach, expect, test } from "vitest"
import { measure, versions } from "../bench/types/compile.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { read, root } from "./readme.js"

const { types } = JSON.parse(read("bench/budgets.json")) as { readonly types: { readonly instantiations: number } }

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

test("the versions are those that are named", () => {
  expect(versions).toEqual(["5.6", "5.7", "5.8", "5.9", "6.0", "7.0"])
})

// A compiler stops everything meanwhile. The runner has a minute to hear of a test, so it is let in between.
beforeEach(() => setTimeout(100))

// The types step compiles the type tests under our own version.
const others = isFull ? versions : [versions.at(0), versions.at(-1)]

test.each(others)(
  "TypeScript %s accepts the type tests, the refusals among them too",
  { timeout: 240_000 },
  (version) => {
    const compiler = join(root, `bench/node_modules/typescript-${version}/lib/tsc.js`)
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], {
      encoding: "utf8",
      timeout: 230_000
    })
    expect(stdout).toBe("")
    expect(status).toBe(0)
  }
)

test.each(isFull ? versions : ["5.9"])(
  "TypeScript %s accepts 200 calls with long selectors, within the budget",
  { timeout: 240_000 },
  (version) => {
    const { selected, without } = measure(version, 1)
    expect(`${selected?.errors}${without?.errors}`).toBe("")
    expect(selected?.instantiations).toBeLessThan(types.instantiations)
  }
)
