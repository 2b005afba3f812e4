import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root, run, setup } from "./setup.mjs"

setup()
if (!run("tsc -b examples")) process.exit(1)
const demo = join(root, "examples", "dist", "demo.js")
const { status } = spawnSync(process.execPath, [demo, ...process.argv.slice(2)], { stdio: "inherit" })
process.exitCode = status ?? 1
