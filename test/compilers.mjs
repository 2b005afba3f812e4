// The compilers that the types are tested with: package.json of the bench has an alias for each.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { manifestOf, root } from "../scripts/workspace.mjs"

const bench = join(root, "bench")

/** The compiler of a version: a program for Node. @param {string} version */
export const compilerOf = (version) => join(bench, "node_modules", `typescript-${version}`, "lib", "tsc.js")

/**
 * Runs a compiler: its exit code and its output.
 *
 * @param {string} version
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly status: unknown, readonly printed: string }>}
 */
export const tsc = (version, args) =>
  new Promise((resolve) => {
    execFile(process.execPath, [compilerOf(version), ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, printed: stdout + stderr })
    )
  })

/** The versions that package.json has an alias for. */
export const versions = Object.keys(manifestOf(bench).devDependencies ?? {})
  .filter((name) => name.startsWith("typescript-"))
  .map((name) => name.slice("typescript-".length))
  .toSorted((one, other) => Number(one) - Number(other))
