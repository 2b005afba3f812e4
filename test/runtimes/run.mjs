// The same behaviours wherever the packages run, from packed tarballs: `npm test -- full runtimes`.
//
// npm test -- full runtimes               in all engines
// npm test -- run runtimes bun firefox    in these
// npm test -- run runtimes --lowest bun   with the lowest versions of the peer dependencies
// npm test -- run runtimes --newest bun   with the newest versions that they allow
// npm test -- run runtimes --effect4 bun  the packages for Effect 4, also with --lowest or --newest; --effect3 are the others
//
// They run under Linux on x64. The engines come from the npm registry, at the versions of test/runtimes/engines/package.json,
// and the browsers from Debian.
import { join } from "node:path"
import { packageOf } from "../../effect4/build.mjs"
import { ensureExecutable } from "../executables.mjs"
import { isMain, manifestOf, root } from "../../scripts/workspace.mjs"
import { ensureTools, runSuite } from "../tools.mjs"

/**
 * @import { ExecutableName } from "../executables.mjs"
 * @typedef {"node-20" | "node-22" | "node-24" | "node-26" | "bun" | "deno" | "workerd" | "chromium" | "firefox" | "webkit"} EngineName
 */

const folder = join(root, "test/runtimes/engines")

/**
 * Where each engine is: a file of a package, or an executable of this machine.
 *
 * @type {Readonly<Record<EngineName, { readonly file: string } | { readonly executable: ExecutableName }>>}
 */
export const engines = {
  "node-20": { file: "node-20/bin/node" },
  "node-22": { file: "node-22/bin/node" },
  "node-24": { file: "node-24/bin/node" },
  "node-26": { file: "node-26/bin/node" },
  bun: { file: "bun/bin/bun" },
  deno: { file: "deno/deno" },
  workerd: { file: "workerd/bin/workerd" },
  chromium: { executable: "chromium" },
  firefox: { executable: "firefox-esr" },
  webkit: { executable: "webkit" }
}

/**
 * The engines of a sample: they are `dependencies` of their manifest, and the others are its `devDependencies`.
 *
 * @type {ReadonlyArray<EngineName>}
 */
export const quick = ["bun"]

/**
 * The engines of the packages for Effect 4, in a sample and with all tests: no browsers.
 *
 * @type {Readonly<Record<"sample" | "all", ReadonlyArray<EngineName>>>}
 */
export const onEffect4 = {
  sample: ["node-20"],
  all: ["node-20", "node-22", "node-24", "node-26", "bun", "deno", "workerd"]
}

/**
 * An executable of the manifest.
 *
 * @param {EngineName} name
 */
export const installed = (name) => {
  const engine = engines[name]
  if (!("file" in engine)) {
    throw new Error(`${name} is an executable of this machine, not of the manifest`)
  }
  return join(folder, "node_modules", engine.file)
}

/**
 * Makes sure of engines; what could not be installed, as a string.
 *
 * @param {ReadonlyArray<EngineName>} names
 */
export const prepare = async (names) => {
  for (const engine of names.map((name) => engines[name])) {
    if ("executable" in engine && !ensureExecutable(engine.executable)) {
      return `${engine.executable} is not here.`
    }
  }
  return ensureTools(
    folder,
    names.filter((name) => "file" in engines[name])
  )
}

/**
 * Which version of a peer dependency is installed, by its range. Without one of these, it is that of the workspace.
 *
 * @type {Readonly<Record<string, (range: string) => string>>}
 */
const versions = {
  "--lowest": (range) => /\d+[.]\d+[.]\d+/.exec(range)?.[0] ?? range,
  "--newest": (range) => range
}

/**
 * @param {string} name
 * @returns {name is EngineName}
 */
const isEngine = (name) => name in engines

/** The names of all engines. */
export const engineNames = Object.keys(engines).filter(isEngine)

const main = async () => {
  const args = process.argv.slice(2)
  const wanted = args.filter((arg) => !/^--effect[34]$/.test(arg) && !(arg in versions))
  const unknown = wanted.filter((name) => !isEngine(name))
  if (unknown.length > 0) {
    console.error(
      `No engine is called ${unknown.join(", ")}. The engines: ${engineNames.join(", ")}; --lowest, --newest, --effect3, --effect4.`
    )
    process.exit(1)
  }
  const chosen = wanted.length > 0 ? wanted.filter(isEngine) : engineNames
  process.env["CATALOG_ENGINES"] = chosen.join()
  const forEffect4 = args.includes("--effect4")
  const core = forEffect4 ? packageOf("core") : manifestOf(join(root, "packages/core"))
  const versionOf = versions[args.find((arg) => arg in versions) ?? ""]
  if (versionOf !== undefined) {
    const peers = Object.entries(core.peerDependencies ?? {})
    process.env["CATALOG_PEERS"] = peers.map(([name, range]) => `${name}@${versionOf(range)}`).join()
  }
  if (forEffect4) {
    process.env["CATALOG_EFFECT"] = "4"
  }
  await runSuite("runtimes", () => prepare(chosen))
}

if (isMain(import.meta)) {
  await main()
}
