// The packed packages in pages of seven bundlers and in two frameworks: `npm run bundlers`.
//
// npm run bundlers                with all of them
// npm run bundlers -- -t webpack  the tests with a name; other options of vitest follow as well
//
// They come from the npm registry, at the versions of the manifests in test/bundlers; Bun is one of the engines.
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensureProgram } from "./programs.mjs"
import * as Runtimes from "./runtimes.mjs"
import { root, run, runScript, setup } from "./setup.mjs"
import { ensureTools } from "./tools.mjs"

const folder = join(root, "test/bundlers/tools")

/** Makes sure of the bundlers and of Chromium; what could not be installed, as a text. The tests install the frameworks. */
export const prepare = async () => {
  if (!ensureProgram("chromium")) {
    return "chromium is not here."
  }
  return (await Runtimes.prepare(["bun"])) || ensureTools(folder)
}

const main = async () => {
  setup()
  if (!runScript("build")) {
    process.exit(1)
  }
  const problem = await prepare()
  if (problem !== "") {
    console.error(`The bundlers could not be installed.\n${problem}`)
    process.exit(1)
  }
  const options = process.argv.slice(2).map((arg) => JSON.stringify(arg))
  process.exitCode = run(["vitest run --project bundlers", ...options].join(" ")) ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main()
}
