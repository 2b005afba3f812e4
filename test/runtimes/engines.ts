/**
 * The engines: how each of them runs the suite, from a folder in which the packed packages are installed.
 */
import { build } from "esbuild"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { listen } from "../../packages/core/test/support/listen.js"
import { freePort } from "../freePort.mjs"
import { chromiumArgs, findExecutable } from "../executables.mjs"
import { type engines as known, installed } from "./run.mjs"
import type { Result, Services } from "./suite.js"

export type Package = "node" | "browser" | "catalog-client"

/** A program that imports a package and the suite; its `run` runs the suite over them. */
const suiteOf = (name: Package, services: Services): string =>
  `const services = ${JSON.stringify(services)}\n${
    name === "catalog-client"
      ? `import * as platform from "catalog-client"
      import { promises } from "./promises.mjs"
      import { runSuite } from "./suite.mjs"
      const run = () => runSuite(platform, services, promises(services))\n`
      : `import * as transport from "@catalog-client/${name}"
      import { effects, platformOf } from "./effects.mjs"
      import { runSuite } from "./suite-effect.mjs"
      const run = () => runSuite(platformOf(transport), services, effects(transport, services))\n`
  }`

/** How an engine has run the suite. */
export interface Run {
  readonly results: ReadonlyArray<Result>
  /** What the process printed, and how it ended. */
  readonly printed: string
}

export interface Engine {
  readonly packages: ReadonlyArray<Package>
  /** Whether a process runs the suite that should then end by itself. */
  readonly isProcess: boolean
  readonly run: (folder: string, services: Services, name: Package) => Promise<Run>
  /** Runs a program to its end; what it prints. */
  readonly print?: (folder: string, program: string) => Promise<string>
}

/** Milliseconds that an engine has for the suite. */
const most = 120_000

/** Ends a program with all that it has started. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return
  }
  const closed = once(child, "exit")
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has just ended.
  }
  await closed
}

const start = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string>> = {}
) => {
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-100_000)
    })
  }
  return { child, printed: () => printed }
}

const marker = "results: "

/** A process that runs the suite, prints the results and ends. */
const processOf = (command: string, args: ReadonlyArray<string> = []): Engine => ({
  packages: ["node", "browser", "catalog-client"],
  isProcess: true,
  print: async (folder, program) => {
    const main = join(mkdtempSync(join(folder, "program-")), "main.mjs")
    writeFileSync(main, program)
    const { child, printed } = start(command, [...args, main], folder)
    const timer = setTimeout(() => void end(child), most)
    await once(child, "close")
    clearTimeout(timer)
    return printed()
  },
  run: async (folder, services, name) => {
    const main = join(folder, `main-${name}.mjs`)
    writeFileSync(main, `${suiteOf(name, services)}console.log("${marker}" + JSON.stringify(await run()))`)
    const { child, printed } = start(command, [...args, main], folder)
    const timer = setTimeout(() => void end(child), most)
    const [code, signal] = (await once(child, "close")) as [number | null, string | null]
    clearTimeout(timer)
    const all = printed()
    const line = all.split("\n").find((line) => line.startsWith(marker))
    if (line === undefined) {
      throw new Error(`${command} gave no results (${code ?? signal}):\n${all}`)
    }
    const ending = "the process ends by itself"
    const last = code === 0 ? { name: ending } : { name: ending, failure: `it ended with ${code ?? signal}` }
    return { results: [...(JSON.parse(line.slice(marker.length)) as ReadonlyArray<Result>), last], printed: all }
  }
})

/** One file of a program and its packages, for what loads no packages. */
const bundle = async (folder: string, contents: string, conditions: Array<string>): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}

/** A program as workerd loads it. */
export const bundleWorker = (folder: string, contents: string): Promise<string> =>
  bundle(folder, contents, ["workerd", "worker"])

const workerd: Engine = {
  packages: ["browser", "catalog-client"],
  isProcess: false,
  run: async (folder, services, name) => {
    const main = "export default { fetch: async () => Response.json(await run()) }"
    const code = await bundleWorker(folder, suiteOf(name, services) + main)
    return withWorker(folder, code, {}, async (url, printed) => {
      const response = await fetch(url, { signal: AbortSignal.timeout(most) })
      const body = await response.text()
      if (!response.ok) {
        throw new Error(`workerd answered with ${response.status}: ${body}\n${printed()}`)
      }
      return { results: JSON.parse(body) as ReadonlyArray<Result>, printed: printed() }
    })
  }
}

/** Serves a module in workerd, with texts as its environment, while `use` runs. */
export const withWorker = async <A>(
  folder: string,
  code: string,
  env: Readonly<Record<string, string>>,
  use: (url: string, printed: () => string) => Promise<A>
): Promise<A> => {
  const own = mkdtempSync(join(folder, "worker-"))
  const port = await freePort()
  const bindings = Object.entries(env).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  writeFileSync(join(own, "worker.mjs"), code)
  writeFileSync(
    join(own, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs")],
      compatibilityDate = "2025-11-01",
      bindings = [${bindings.join()}]
    )),
    (name = "internet", network = (allow = ["private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`
  )
  const { child, printed } = start(installed("workerd"), ["serve", "config.capnp"], own)
  try {
    await isListening(port, child, printed)
    return await use(`http://127.0.0.1:${port}`, printed)
  } finally {
    await end(child)
  }
}

const isListening = async (port: number, child: ChildProcess, printed: () => string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) {
      throw new Error(`workerd has ended:\n${printed()}`)
    }
    const isOpen = await fetch(`http://127.0.0.1:${port}/ready`, { method: "OPTIONS" }).then(
      () => true,
      () => false
    )
    if (isOpen) {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`workerd does not listen:\n${printed()}`)
}

/** A browser opens a page, which posts what it has found. */
const browserOf = (open: (url: string, profile: string) => ReturnType<typeof start>): Engine => ({
  packages: ["browser", "catalog-client"],
  isProcess: false,
  run: async (folder, services, name) => {
    const profile = mkdtempSync(join(tmpdir(), "catalog-client-browser-"))
    const code = await bundle(
      folder,
      `${suiteOf(name, services)}const post = (body) => fetch("/results", { method: "POST", body: JSON.stringify(body) })
      addEventListener("error", ({ message }) => post([{ name: "the page", failure: message }]))
      run().then(post)`,
      ["browser"]
    )
    let posted: (body: string) => void = () => {}
    const results = new Promise<string>((resolve) => {
      posted = resolve
    })
    const server = createServer((request: IncomingMessage, response) => {
      if (request.url?.startsWith("/wire/")) {
        // Byte by byte, as the scripted server sends it.
        const scripted = connect(Number(new URL(services.wire).port), "127.0.0.1", () => {
          scripted.write(`GET ${request.url?.slice("/wire".length)} HTTP/1.1\r\n\r\n`)
        })
        request.socket.on("close", () => scripted.destroy())
        scripted.on("error", () => {}).pipe(request.socket)
      } else if (request.url === "/results") {
        void text(request).then(posted)
        response.end()
      } else if (request.url === "/page.js") {
        response.setHeader("content-type", "text/javascript").end(code)
      } else {
        response.setHeader("content-type", "text/html")
        response.setHeader("content-security-policy", "script-src 'self'")
        response.end(
          '<!doctype html><meta charset="utf-8"><title>suite</title><script type="module" src="/page.js"></script>'
        )
      }
    })
    const { child, printed } = open(`http://127.0.0.1:${await listen(server)}/`, profile)
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`the page posted nothing:\n${printed()}`)), most)
        child.once("exit", (code) => reject(new Error(`the browser ended with ${code}:\n${printed()}`)))
      })
      return { results: JSON.parse(await Promise.race([results, late])) as ReadonlyArray<Result>, printed: printed() }
    } finally {
      clearTimeout(timer)
      await end(child)
      server.closeAllConnections()
      server.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }
})

const firefoxSettings = [
  'user_pref("browser.shell.checkDefaultBrowser", false);',
  'user_pref("browser.startup.homepage_override.mstone", "ignore");',
  'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
  'user_pref("network.captive-portal-service.enabled", false);',
  'user_pref("network.connectivity-service.enabled", false);',
  'user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);',
  'user_pref("app.update.enabled", false);'
].join("\n")

export const engines: Readonly<Record<keyof typeof known, Engine>> = {
  "node-20": processOf(installed("node-20")),
  "node-22": processOf(installed("node-22")),
  "node-24": processOf(installed("node-24")),
  "node-26": processOf(installed("node-26")),
  bun: processOf(installed("bun")),
  deno: processOf(installed("deno"), ["run", "--no-config", "--node-modules-dir=manual", "--allow-net", "--allow-env"]),
  workerd,
  chromium: browserOf((url, profile) =>
    start(
      findExecutable("chromium") ?? "chromium",
      [...chromiumArgs, "--headless", `--user-data-dir=${profile}`, "--remote-debugging-port=0", url],
      profile
    )
  ),
  firefox: browserOf((url, profile) => {
    writeFileSync(join(profile, "user.js"), firefoxSettings)
    return start(
      findExecutable("firefox-esr") ?? "firefox-esr",
      ["--headless", "--no-remote", "--profile", profile, url],
      profile,
      { HOME: profile }
    )
  }),
  webkit: browserOf((url, profile) =>
    start("xvfb-run", ["-a", findExecutable("webkit") ?? "MiniBrowser", url], profile, {
      HOME: profile,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      GSK_RENDERER: "cairo"
    })
  )
}
