// The same behaviours wherever the packages run, from packed tarballs: `npm run runtimes`.
//
// npm run runtimes                   in all engines
// npm run runtimes -- bun firefox    in these
// npm run runtimes -- --lowest bun   with the lowest versions of the peer dependencies
//
// They run under Linux on x64. The engines come from the npm registry, at the versions of test/runtimes/engines/package.json,
// and the browsers from Debian.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensureProgram } from "./programs.mjs"
import { root, run, runScript, setup } from "./setup.mjs"
import { ensureTools } from "./tools.mjs"

const folder = join(root, "test/runtimes/engines")

/** Where each engine is: a file of a package, or a program of this machine. */
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

/** A part of them that is quick: `dependencies` of their manifest. The others are its `devDependencies`. */
export const quick = ["node-24", "bun", "workerd"]

/** An executable of the manifest. */
export const installed = (name) => join(folder, "node_modules", engines[name].file)

/** Makes sure of engines; what could not be installed, as a text. */
export const prepare = async (names) => {
  for (const { program } of names.map((name) => engines[name])) {
    if (program !== undefined && !ensureProgram(program)) {
      return `${program} is not here.`
    }
  }
  return ensureTools(
    folder,
    names.filter((name) => engines[name].file !== undefined)
  )
}

/** The lowest versions that the packages allow. */
const lowest = () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"))
  return Object.entries(peerDependencies).map(([name, range]) => `${name}@${/\d+[.]\d+[.]\d+/.exec(range)[0]}`)
}

const main = async () => {
  const args = process.argv.slice(2)
  const names = args.filter((arg) => arg !== "--lowest")
  const unknown = names.filter((name) => !(name in engines))
  if (unknown.length > 0) {
    console.error(
      `No engine is called ${unknown.join(", ")}. The engines: ${Object.keys(engines).join(", ")}; --lowest.`
    )
    process.exit(1)
  }
  const chosen = names.length > 0 ? names : Object.keys(engines)
  setup()
  if (!runScript("build")) {
    process.exit(1)
  }
  const problem = await prepare(chosen)
  if (problem !== "") {
    console.error(`The engines could not be installed.\n${problem}`)
    process.exit(1)
  }
  process.env.CATALOG_ENGINES = chosen.join()
  if (args.includes("--lowest")) {
    process.env.CATALOG_PEERS = lowest().join()
  }
  process.exitCode = run("vitest run --project runtimes") ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main()
}
