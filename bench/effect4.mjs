// The programs of the bench beside the packages for Effect 4.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { build, dist } from "../effect4/build.mjs"
import { moduleOnEffect4 } from "../effect4/programs.mjs"

/** The folder in which programs find the packages for Effect 4. */
export const folder = new URL("bench/", pathToFileURL(`${dist}/`))

const programs = [
  "against/client.mjs",
  "calls/client.mjs",
  "calls/contenders.mjs",
  "calls/selection.mjs",
  "page/client.mjs",
  "session/program.mjs",
  "unobserved/program.mjs",
  "fork.mjs",
  "many.mjs",
  "overMemory.mjs",
  "slices.mjs",
  "statistics.mjs"
]

/**
 * A program with the modules of Effect 4.
 *
 * @param {string} text
 */
export const onEffect4 = (text) =>
  text.replaceAll(/@effect\/platform\/\w+/g, moduleOnEffect4).replaceAll("../../packages/", "../../")

/** Builds the packages for Effect 4, and copies the programs to them; whether it compiles. */
export const prepare = () => {
  if (!build()) {
    return false
  }
  for (const program of programs) {
    const file = join(dist, "bench", program)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, onEffect4(readFileSync(join(import.meta.dirname, program), "utf8")))
  }
  return true
}
