/**
 * The types hold under every TypeScript that we support, and cost what they may.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { measure, tsc, versions } from "../bench/types/compile.mjs"
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

test("the versions are the documented ones", () => {
  expect(versions).toEqual(["5.6", "5.7", "5.8", "5.9", "6.0", "7.0"])
})

// The newest is the quickest by far, and the types step compiles the type tests under our own.
const some = isFull ? versions : versions.slice(-1)

test.each(some)(
  "TypeScript %s accepts the type tests, the refusals among them too",
  { timeout: 300_000 },
  async (version) => {
    expect(await tsc(version, ["-p", folder])).toEqual({ status: 0, printed: "" })
  }
)

test.each(some)(
  "TypeScript %s accepts 200 calls with long selectors, within the budget",
  { timeout: 300_000 },
  async (version) => {
    const { selected, without } = await measure(version, 1)
    expect(`${selected?.errors}${without?.errors}`).toBe("")
    expect(selected?.instantiations).toBeLessThan(types.instantiations)
  }
)
