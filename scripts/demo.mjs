// The demo on Effect 3, or with --effect4 on the packages for Effect 4, packed and installed in a new project.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setup } from "./setup.mjs"
import { bundle, runFromSources } from "./sources.mjs"

const onEffect4 = async () => {
  const { build } = await import("../effect4/build.mjs")
  const { installInto, startService } = await import("../effect4/packed.mjs")
  console.log("Building the packages for Effect 4…")
  if (!build()) {
    process.exit(1)
  }
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-effect4-"))
  try {
    console.log("Installing them in a new project…")
    installInto(folder)
    const demo = join(folder, "demo.mjs")
    await bundle("effect4/demo.ts", demo)
    const service = await startService(folder)
    const options = { cwd: folder, env: { ...process.env, ...service.env }, stdio: /** @type {const} */ ("inherit") }
    process.exitCode = spawnSync(process.execPath, [demo], options).status ?? 1
    service.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isOnEffect4 = process.argv.includes("--effect4")
setup(isOnEffect4 ? "everything" : "demo")
await (isOnEffect4 ? onEffect4() : runFromSources("demo"))
