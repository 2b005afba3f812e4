/**
 * A short run of `npm test -- run soak`.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "./readme.js"

const soak = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly status: unknown; readonly printed: string }>((resolve) => {
    execFile(process.execPath, [join(root, "test/soak/run.mjs"), ...args], (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, printed: `${stdout}${stderr}` })
    )
  })

test("500 calls against a hostile server leave nothing behind", { timeout: 300_000 }, async () => {
  const { status, printed } = await soak("--calls", "500", "--seed", "1")
  expect(printed).toMatch(/^✓ 500 calls/m)
  expect(status, printed).toBe(0)
})

test("a number of calls that is not a number is refused", async () => {
  expect(await soak("--calls", "many")).toMatchObject({ status: 1, printed: expect.stringContaining("above 0") })
})
