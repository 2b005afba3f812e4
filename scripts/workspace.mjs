// What scripts, tests and benches know about this repository. It is read before anything is installed: only Node built-ins,
// and only syntax that an old Node can parse.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/**
 * @typedef {object} Manifest What we read of a package.json.
 * @property {string} name
 * @property {string} version
 * @property {string} homepage
 * @property {{ readonly node: string }} engines
 * @property {string} packageManager
 * @property {Record<string, { readonly types: string, readonly default: string }>} exports
 * @property {Record<string, { readonly default: string }>} [imports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/**
 * Replaces a string of a source. Throws unless it is there exactly once, for example after the source was written anew.
 *
 * @param {string} source
 * @param {string} from
 * @param {string} to
 */
export const replaceOnce = (source, from, to) => {
  const times = source.split(from).length - 1
  if (times !== 1) {
    throw new Error(`${from}, which would become ${to}, must be there once, but it is there ${times} times`)
  }
  return source.replace(from, () => to)
}

/**
 * The package.json of a folder.
 *
 * @param {string} folder
 * @returns {Manifest}
 */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * The folders of the packages for Effect, in the order in which they are built: those of packages/tsconfig.json.
 *
 * @type {ReadonlyArray<string>}
 */
export const effectFolders = Array.from(
  new Set(
    JSON.parse(readFileSync(join(root, "packages/tsconfig.json"), "utf8")).references.map(
      (/** @type {{ readonly path: string }} */ { path }) => path.split("/")[0]
    )
  )
)

/** The folders of all packages. */
export const allFolders = [...effectFolders, "promise", "mcp"]

/**
 * How a command line runs: the installed tools can be called by name.
 *
 * @template {"inherit" | "pipe"} Output
 * @param {Output} output
 * @param {NodeJS.ProcessEnv} [env] variables besides ours
 * @returns {{ cwd: string, shell: true, stdio: ["ignore", Output, Output], env: NodeJS.ProcessEnv }}
 */
const options = (output, env) => ({
  cwd: root,
  shell: true,
  stdio: ["ignore", output, output],
  env: { ...process.env, PATH: join(root, "node_modules", ".bin") + delimiter + process.env["PATH"], ...env }
})

/**
 * Runs a command line; true if it succeeded.
 *
 * @param {string} command
 * @param {NodeJS.ProcessEnv} [env]
 */
export const run = (command, env) => spawnSync(command, options("inherit", env)).status === 0

/**
 * Runs a command line in parallel with others: whether it succeeded, and its output.
 *
 * @param {string} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ readonly ok: boolean, readonly output: string }>}
 */
export const runQuietly = (command, env) =>
  new Promise((resolve) => {
    const child = spawn(command, options("pipe", env))
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text))
    }
    child.on("close", (code) => resolve({ ok: code === 0, output }))
  })

/**
 * Whether a module is the file that Node was started with, even through a symbolic link.
 *
 * @param {ImportMeta} meta
 */
export const isMain = (meta) => {
  const [, started] = process.argv
  return started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(meta.url)
}
