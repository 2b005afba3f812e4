/**
 * The test that docs/record-and-replay.md has for node:test runs there: it records a service, and replays without it.
 */
import { serve } from "catalog-client/testing"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { filesIn, root } from "./readme.js"

const run = promisify(execFile)

test("the guide's test passes with a recording of its own", { timeout: 120_000 }, async () => {
  const [example] = filesIn("docs/record-and-replay.md")
  mkdirSync(join(root, ".cache"), { recursive: true })
  // Inside the workspace, where it finds the packages.
  const folder = mkdtempSync(join(root, ".cache/recording-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = await serve()
  const file = join(folder, example?.file ?? "")
  writeFileSync(file, example?.text.replace("clientId:", `baseUrl: "${service.url}", clientId:`) ?? "")
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const tested = (record: Record<string, string>) =>
    run(process.execPath, ["--test", "--test-reporter=tap", file], { env: { ...env, ...record } }).catch(
      (failed: { readonly stdout: string }) => failed
    )

  expect((await tested({})).stdout).toContain("there is no recording")
  expect((await tested({ RECORD: "1", CATALOG_CLIENT_ID: "embedded-client" })).stdout).toContain("# pass 1")
  await service.close()
  expect((await tested({})).stdout).toContain("# pass 1")
  expect(readFileSync(join(folder, "recordings/title.json"), "utf8")).not.toContain("embedded-client")
})
