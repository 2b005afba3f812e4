// Builds the packages: `npm run build`. With `--fast`, the fast compiler compiles those for Effect 3, too.
import { isMain, run } from "./workspace.mjs"

// Compilers make much garbage: with more room for new objects, tsc and the bundle save 2 of the 30 seconds of CPU.
const node = "node --max-semi-space-size=64"

/** The two compilers of the packages; CONTRIBUTING.md says which one does what. */
export const compilers = {
  /** `typescript` of package.json: what it writes is released. */
  stable: `${node} node_modules/typescript/bin/tsc`,
  /** `typescript-fast` of effect4/package.json: it takes a quarter of the time, and writes unions in another order. */
  fast: "node effect4/node_modules/typescript-fast/lib/tsc.js"
}

/** How a compiler builds. The fast one is quickest with one checker: several would check shared types again. */
export const buildCommands = { stable: `${compilers.stable} -b`, fast: `${compilers.fast} -b --checkers 1` }

/** @typedef {keyof typeof compilers} Compiler */

/**
 * The steps of a build, in their order.
 *
 * @param {Compiler} forEffect3 the compiler of the packages for Effect 3
 * @param {Compiler} forEffect4 that of the packages for Effect 4, which `catalog-client` is bundled from
 */
const steps = (forEffect3, forEffect4) => [
  { name: "the sources that follow from operations", command: "node scripts/generate/operations.mjs" },
  { name: "the packages for Effect 3", command: `${buildCommands[forEffect3]} packages packages/promise` },
  { name: "the data of the embedded service and of schemas", command: "node scripts/generate/data.mjs" },
  { name: "the packages for Effect 4", command: `node effect4/build.mjs --${forEffect4}` },
  { name: "catalog-client", command: `${node} packages/promise/build.mjs` }
]

/**
 * Builds the packages, or ends the process.
 *
 * @param {Compiler} [forEffect3]
 * @param {Compiler} [forEffect4]
 */
export const buildOrExit = (forEffect3 = "stable", forEffect4 = "fast") => {
  const all = steps(forEffect3, forEffect4)
  for (const [at, { name, command }] of all.entries()) {
    console.log(`Building, step ${at + 1} of ${all.length}: ${name}`)
    if (!run(command)) {
      process.exit(1)
    }
  }
}

if (isMain(import.meta)) {
  buildOrExit(process.argv.includes("--fast") ? "fast" : "stable")
}
