// The same behaviours wherever the packages run, from packed tarballs: `npm run runtimes`.
//
// npm run runtimes                   in all engines
// npm run runtimes -- bun firefox    in these
// npm run runtimes -- --lowest bun   with the lowest versions of the peer dependencies
//
// They run under Linux on x64. The engines come from the npm registry, at the versions of test/runtimes/engines/package.json,
// and the browsers from Debian.
import { join } from "node:path"
import { ensureProgram } from "./programs.mjs"
import { isProgram, manifestOf, root, runSuite } from "./setup.mjs"
import { ensureTools } from "./tools.mjs"

/**
 * @import { ProgramName } from "./programs.mjs"
 * @typedef {"node-20" | "node-22" | "node-24" | "node-26" | "bun" | "deno" | "workerd" | "chromium" | "firefox" | "webkit"} EngineName
 */

const folder = join(root, "test/runtimes/engines")

/**
 * Where each engine is: a file of a package, or a program of this machine.
 *
 * @type {Readonly<Record<EngineName, { readonly file: string } | { readonly program: ProgramName }>>}
 */
export const engines = {
  "node-20": { file: "node-20/bin/node" },
  "node-22": { file: "node-22/bin/node" },
  "node-24": { file: "node-24/bin/node" },
  "node-26": { file: "node-26/bin/node" },
  bun: { file: "bun/bin/bun" },
  deno: { file: "deno/deno" },
  workerd: { file: "workerd/bin/workerd" },
  chromium: { program: "chromium" },
  firefox: { program: "firefox-esr" },
  webkit: { program: "webkit" }
}

/**
 * Those of a sample: `dependencies` of their manifest. The others are its `devDependencies`.
 *
 * @type {ReadonlyArray<EngineName>}
 */
export const quick = ["bun"]

/**
 * An executable of the manifest.
 *
 * @param {EngineName} name
 */
export const installed = (name) => {
  const engine = engines[name]
  if (!("file" in engine)) {
    throw new Error(`${name} is a program of this machine, not of the manifest`)
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
    if ("program" in engine && !ensureProgram(engine.program)) {
      return `${engine.program} is not here.`
    }
  }
  return ensureTools(
    folder,
    names.filter((name) => "file" in engines[name])
  )
}

/** The lowest versions that the packages allow. */
const lowest = () => {
  const { peerDependencies = {} } = manifestOf(join(root, "packages/core"))
  return Object.entries(peerDependencies).map(([name, range]) => `${name}@${/\d+[.]\d+[.]\d+/.exec(range)?.[0]}`)
}

/**
 * @param {string} name
 * @returns {name is EngineName}
 */
const isEngine = (name) => name in engines

/** The names of all engines. */
export const names = Object.keys(engines).filter(isEngine)

const main = async () => {
  const args = process.argv.slice(2)
  const wanted = args.filter((arg) => arg !== "--lowest")
  const unknown = wanted.filter((name) => !isEngine(name))
  if (unknown.length > 0) {
    console.error(`No engine is called ${unknown.join(", ")}. The engines: ${names.join(", ")}; --lowest.`)
    process.exit(1)
  }
  const chosen = wanted.length > 0 ? wanted.filter(isEngine) : names
  process.env["CATALOG_ENGINES"] = chosen.join()
  if (args.includes("--lowest")) {
    process.env["CATALOG_PEERS"] = lowest().join()
  }
  await runSuite("runtimes", () => prepare(chosen))
}

if (isProgram(import.meta)) {
  await main()
}
