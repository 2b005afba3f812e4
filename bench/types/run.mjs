// Prints what selectors cost under each TypeScript: `npm run bench -- types`. Fails past the budget, or if one does not compile.
import { readFileSync } from "node:fs"
import { setupAndBuild } from "../../scripts/setup.mjs"

setupAndBuild()
// Imported late, since the packages may have been installed just now.
const { measure, versions } = await import("./compile.mjs")

const { types } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"))
/** @param {number} seconds */
const shown = (seconds) => `${seconds.toFixed(2)} s`.padStart(9)
/** @param {number} count */
const counted = (count) => count.toLocaleString("en").padStart(11)

console.log(
  "200 calls over all operations with fields: without selectors, and with selectors of up to 25 names in 3 levels\n"
)
console.log("TypeScript         instantiations          (seconds, of this machine)")
let failed = false
for (const version of versions) {
  const { selected, without } = await measure(version)
  const errors = selected.errors + without.errors
  failed ||= errors !== "" || !(selected.instantiations < types.instantiations)
  console.log(
    `${version.padEnd(8)}${counted(without.instantiations)} ${counted(selected.instantiations)}  ` +
      `${shown(without.seconds)} ${shown(selected.seconds)}`
  )
  if (errors !== "") {
    console.log(errors)
  }
}
const most = `${types.instantiations.toLocaleString("en")} instantiations with selectors`
console.log(failed ? `\nToo much: less than ${most}, without an error.` : `\nAll are below ${most}.`)
process.exitCode = failed ? 1 : 0
