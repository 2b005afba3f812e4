// The packed packages in pages of seven bundlers and in two frameworks: `npm test -- bundlers`.
//
// npm test -- bundlers                 with all of them
// npm test -- run bundlers -t webpack  the tests with a name; other options of vitest follow as well
//
// They come from the npm registry, at the versions of the manifests in test/bundlers; Bun is one of the engines.
import { join } from "node:path"
import { ensureExecutable } from "../executables.mjs"
import * as Runtimes from "../runtimes/run.mjs"
import { isMain, root } from "../../scripts/workspace.mjs"
import { ensureTools, runSuite } from "../tools.mjs"

const folder = join(root, "test/bundlers/tools")

/** Makes sure of the bundlers and of Chromium; what could not be installed, as a string. The tests install the frameworks. */
export const prepare = async () => {
  if (!ensureExecutable("chromium")) {
    return "chromium is not here."
  }
  return (await Runtimes.prepare(["bun"])) || ensureTools(folder)
}

if (isMain(import.meta)) {
  await runSuite("bundlers", prepare, process.argv.slice(2))
}
