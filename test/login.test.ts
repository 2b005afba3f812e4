import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { newFolder } from "../packages/core/test/support/newFolder.js"
import { root } from "./readme.js"

/** Runs the script with a configuration directory of its own, and returns all that it printed. */
const login = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const folder = newFolder()
  const child = spawn(process.execPath, [join(root, "scripts/login.mjs"), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CATALOG_CLIENT_ID: "", XDG_CONFIG_HOME: folder, ...env }
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part) => (text += part))
  }
  const [code] = (await once(child, "close")) as [number | null]
  return { code, text, left: readdirSync(folder) }
}

describe("npm run login", { timeout: 170_000 }, () => {
  test("signs in at the embedded service without a browser, and prints no secret", async () => {
    const { code, left, text } = await login(["--embedded", "--no-browser"])
    expect([code, left]).toEqual([0, []])
    expect(text).toMatch(/(^|\n)Signed in as sample_reader\n$/)
    expect(text).not.toMatch(/http|code|state|def50200|[\w-]{43}/)
  })

  test("says what it needs for the live service", async () => {
    const { code, left, text } = await login([])
    expect([code, left]).toEqual([1, []])
    expect(text).toMatch(/CATALOG_CLIENT_ID must be the client ID that is registered with the service[.]\n$/)
  })
})
