// The demo on Effect 3, or with --effect4 on the packages for Effect 4, packed and installed in a new project.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, setupAndBuild } from "./setup.mjs"

setupAndBuild()
const { build } = await import("esbuild")

/**
 * Bundles the examples of the tests into a demo; the packages are the installed ones.
 *
 * @param {string} entry
 * @param {string} outfile
 */
const bundle = (entry, outfile) =>
  build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    target: "node20"
  })

/**
 * @param {string} program
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
const run = (program, options) => {
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit", ...options })
  process.exitCode = status ?? 1
}

const onEffect4 = async () => {
  const { build: buildPackages } = await import("../effect4/build.mjs")
  const { installInto, startService } = await import("../effect4/packed.mjs")
  if (!buildPackages()) {
    process.exit(1)
  }
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-effect4-"))
  try {
    installInto(folder)
    const demo = join(folder, "demo.mjs")
    await bundle("effect4/demo.ts", demo)
    const service = await startService(folder)
    run(demo, { cwd: folder, env: { ...process.env, ...service.env } })
    service.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv.includes("--effect4")) {
  await onEffect4()
} else {
  const demo = join(root, ".cache/demo.js")
  await bundle("examples/demo.ts", demo)
  run(demo)
}
