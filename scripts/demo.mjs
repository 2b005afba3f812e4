import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root, setupAndBuild } from "./setup.mjs"

setupAndBuild()
const { build } = await import("esbuild")

// Bundles the examples of the tests into the demo; the packages are the built ones.
const demo = join(root, ".cache/demo.js")
await build({
  absWorkingDir: root,
  entryPoints: ["examples/demo.ts"],
  outfile: demo,
  bundle: true,
  packages: "external",
  format: "esm",
  target: "node20"
})
const { status } = spawnSync(process.execPath, [demo, ...process.argv.slice(2)], { stdio: "inherit" })
process.exitCode = status ?? 1
