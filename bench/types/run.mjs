// Prints what selectors cost under each TypeScript: `npm run bench:types`. Fails past the budget, or if one does not compile.
import { readFileSync } from "node:fs"
import { runScript, setup } from "../../scripts/setup.mjs"

setup()
if (!runScript("build")) process.exit(1)
// Imported late, since the packages may have been installed just now.
const { measure, versions } = await import("./compile.mjs")

const { types } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"))
const shown = (seconds) => `${seconds.toFixed(2)} s`.padStart(9)
const counted = (count) => (Number.isNaN(count) ? "–" : count.toLocaleString("en")).padStart(11)

console.log(
  "200 calls over all operations with fields: without selectors, and with selectors of up to 25 names in 3 levels\n"
)
console.log("TypeScript   without      with  ratio   (check alone)          instantiations")
let failed = false
for (const version of versions) {
  const { selected, without, ratio } = await measure(version, 3)
  const errors = selected.errors + without.errors
  failed ||= errors !== "" || ratio > types.ratio
  console.log(
    `${version.padEnd(10)}${shown(without.seconds)} ${shown(selected.seconds)} ${ratio.toFixed(2).padStart(6)}  ` +
      `${shown(without.checkSeconds)} ${shown(selected.checkSeconds)} ${counted(without.instantiations)} ${counted(selected.instantiations)}`
  )
  if (errors !== "") console.log(errors)
}
console.log(
  failed ? `\nToo much: at most ${types.ratio} times, without an error.` : `\nAll within ${types.ratio} times.`
)
process.exitCode = failed ? 1 : 0
