// Prints what selectors cost under each TypeScript: `npm run bench -- types`. Fails past the budget, or if one does not compile.
import { setupAndBuild } from "../../scripts/setup.mjs"

setupAndBuild()
// Imported late, since the packages may have been installed just now.
const { budgetOf, measure, versions } = await import("./compile.mjs")

console.log("Instantiations of 200 calls without selectors, and with selectors of up to 25 names in 3 levels:")
for (const version of versions) {
  const { selected, without } = await measure(version)
  const errors = selected.errors + without.errors
  const isWithin = errors === "" && selected.instantiations < budgetOf(version)
  const [least, most] = [without.instantiations, selected.instantiations].map((count) => count.toLocaleString("en"))
  console.log(
    `TypeScript ${version}: ${least}, and ${most} (budget ${budgetOf(version).toLocaleString("en")}), ` +
      `in ${selected.seconds.toFixed(2)} s ${isWithin ? "✓" : `✗ ${errors}`}`
  )
  if (!isWithin) {
    process.exitCode = 1
  }
}
