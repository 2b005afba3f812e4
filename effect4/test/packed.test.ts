/**
 * The tarballs in a new project, beside Effect 4.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")

it("every operation, a whole list, a sign-in and failures, on both faces", () => {
  const { stdout } = spawnSync(process.execPath, ["scripts/demo.mjs", "--effect4"], { cwd: root, encoding: "utf8" })
  expect(stdout).toMatch(/^Effect 4[.]1[.]/m)
  expect(stdout).toContain("Everything did what it should.")
}, 600_000)
