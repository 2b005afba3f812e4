/**
 * A short run of `npm run soak`.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "./readme.js"

const soak = (...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/soak.mjs"), ...args], {
    encoding: "utf8",
    timeout: 170_000
  })
  return { status, printed: `${stdout}${stderr}` }
}

test("500 calls against a hostile server leave nothing behind", { timeout: 180_000 }, () => {
  const { status, printed } = soak("--calls", "500", "--seed", "1")
  expect(printed).toMatch(/^✓ 500 calls/m)
  expect(status, printed).toBe(0)
})

test("a number of calls that is none is refused", () => {
  expect(soak("--calls", "many")).toMatchObject({ status: 1, printed: expect.stringContaining("above 0") })
})
