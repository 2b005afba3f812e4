// Builds the packages: `npm run build`. With `--fast`, the fast compiler compiles those for Effect 3, too.
import { setup } from "./setup.mjs"
import { isMain, run } from "./workspace.mjs"

// Compilers make much garbage: with more room for new objects, tsc and the bundle save 2 of the build's 30 seconds of CPU.
const node = "node --max-semi-space-size=64"

/** The two compilers of the packages; CONTRIBUTING.md says which one does what. */
export const compilers = {
  /** `typescript` of package.json. */
  release: `${node} node_modules/typescript/bin/tsc`,
  /** `typescript-fast` of effect4/package.json: it takes a quarter of the time, and writes unions in another order. */
  fast: "node effect4/node_modules/typescript-fast/lib/tsc.js"
}

/** How a compiler builds. The fast one is quickest with one checker: several would check shared types again. */
export const building = { release: `${compilers.release} -b`, fast: `${compilers.fast} -b --checkers 1` }

/**
 * The steps of a build, in their order.
 *
 * @param {keyof typeof building} compiler of the packages for Effect 3
 */
export const steps = (compiler) => [
  { name: "the sources that follow from operations", command: "node scripts/generate/operations.mjs" },
  { name: "the packages for Effect 3", command: `${building[compiler]} packages packages/promise` },
  { name: "the data of the embedded service and of schemas", command: "node scripts/generate/data.mjs" },
  { name: "the packages for Effect 4", command: "node effect4/build.mjs" },
  { name: "catalog-client", command: `${node} packages/promise/build.mjs` }
]

/**
 * Builds the packages, or ends the process.
 *
 * @param {keyof typeof building} [compiler]
 */
export const build = (compiler = "release") => {
  const all = steps(compiler)
  for (const [at, { name, command }] of all.entries()) {
    console.log(`Building, step ${at + 1} of ${all.length}: ${name}`)
    if (!run(command)) {
      process.exit(1)
    }
  }
}

/**
 * Prepares the workspace, and builds the packages, or ends the process.
 *
 * @param {keyof typeof building} [compiler]
 */
export const setupAndBuild = (compiler) => {
  setup()
  build(compiler)
}

if (isMain(import.meta)) {
  build(process.argv.includes("--fast") ? "fast" : "release")
}
