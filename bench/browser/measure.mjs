// Calls in Chromium, from a page of another origin than the service's, whose policy forbids code made from text.
import { build } from "esbuild"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { chromiumArgs, ensureProgram, findProgram } from "../../scripts/programs.mjs"

const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.mjs", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022"
  })
  return outputFiles.map(({ text }) => text).join("")
}

/**
 * @typedef {{ readonly error: string } | Record<"ours" | "fetch", Array<number>>} Report
 */

/**
 * Serves the page, and returns its report.
 *
 * @param {string} script
 */
const hostOf = async (script) => {
  /** @type {(report: Promise<unknown>) => void} */
  let report = () => {}
  const reported = new Promise((resolve) => (report = resolve))
  const host = createServer((request, response) => {
    const isScript = request.url === "/page.js"
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript" : "text/html",
      "content-security-policy": "script-src 'self'"
    })
    response.end(
      isScript ? script : '<!doctype html><title>bench</title><script type="module" src="/page.js"></script>'
    )
    if (request.method === "POST") {
      report(json(request))
    }
  })
  host.listen(0, "127.0.0.1")
  await once(host, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (host.address())
  return { url: `http://127.0.0.1:${port}/`, reported, close: () => host.close() }
}

/**
 * Calls per second of our client and of a hand-written fetch, a number for each round.
 *
 * @param {{ readonly url: string }} server
 * @param {{ readonly rounds: number, readonly count: number }} options
 */
export const measure = async ({ url: baseUrl }, { rounds, count }) => {
  if (!ensureProgram("chromium")) {
    throw new Error("the browser section needs Chromium")
  }
  const host = await hostOf(await bundle())
  const profile = mkdtempSync(join(tmpdir(), "bench-"))
  const url = `${host.url}?${new URLSearchParams({ baseUrl, rounds: String(rounds), count: String(count) })}`
  // No driver is attached: it would get an event for each request, which takes more time than the request itself.
  const browser = spawn(
    findProgram("chromium") ?? "chromium",
    [...chromiumArgs, "--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, url],
    { stdio: "ignore" }
  )
  const ended = once(browser, "exit")
  try {
    /** @type {Report} */
    const report = await Promise.race([
      host.reported,
      ended.then(([code]) => ({ error: `Chromium ended with ${code}` }))
    ])
    if ("error" in report) {
      throw new Error(report.error)
    }
    return report
  } finally {
    browser.kill()
    await ended
    // Its other processes may still be writing.
    rmSync(profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 })
    host.close()
  }
}
