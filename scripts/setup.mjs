// This runs before anything is installed: only Node built-ins, and only syntax that an old Node can parse.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** @typedef {"build" | "format" | "lint" | "types"} ScriptName */

/**
 * @typedef {object} Manifest What we read of a package.json.
 * @property {string} name
 * @property {string} version
 * @property {string} homepage
 * @property {Record<ScriptName, string>} scripts
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
  return source.replace(from, to)
}

/**
 * The package.json of a folder.
 *
 * @param {string} folder
 * @returns {Manifest}
 */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * The packages for programs with Effect, in the order in which they are built: the folders of packages/tsconfig.json. All that
 * builds, tests, packs or describes packages reads this list.
 *
 * @type {ReadonlyArray<string>}
 */
export const packageNames = Array.from(
  new Set(
    JSON.parse(readFileSync(join(root, "packages/tsconfig.json"), "utf8")).references.map(
      (/** @type {{ readonly path: string }} */ { path }) => path.split("/")[0]
    )
  )
)

const manifest = manifestOf(root)

/** The scripts of package.json. */
export const { scripts } = manifest

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
 * Runs a script of package.json; true if it succeeded.
 *
 * @param {ScriptName} name
 */
export const runScript = (name) => run(scripts[name])

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

const requireNode = () => {
  const wanted = manifest.engines.node.replace(">=", "")
  const [major = 0, minor = 0] = wanted.split(".").map(Number)
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split(".").map(Number)
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) {
    return
  }
  console.error(`This project needs Node ${wanted} or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}

const stamp = join(root, "node_modules", ".setup")

/** The files that an installation depends on: it runs again only if one of them has changed. */
const fingerprint = () => {
  const hash = createHash("sha256")
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`)
  for (const file of [
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bench/package.json",
    "effect4/package.json",
    "examples/package.json",
    "site/package.json"
  ].concat(packages)) {
    if (existsSync(join(root, file))) {
      hash.update(readFileSync(join(root, file)))
    }
  }
  return hash.digest("hex")
}

/** @typedef {"everything" | "demo"} Wanted What is installed: everything, or only the `dependencies` of package.json. */

/** @param {Wanted} wanted */
const install = (wanted) => {
  const current = fingerprint()
  const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if ([`everything ${current}`, `${wanted} ${current}`].includes(installed)) {
    return
  }
  // An installation of less would remove what is there.
  const scope = installed.startsWith("everything") ? "everything" : wanted
  const options = scope === "demo" ? "--prod --filter ." : ""
  console.log("Installing dependencies…")
  const pnpm = manifest.packageManager.split("+")[0]
  const { status, stdout, stderr } = spawnSync(`npx -y ${pnpm} install --frozen-lockfile ${options}`, {
    cwd: root,
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    // Without a terminal, pnpm would otherwise refuse to replace a node_modules made by another tool.
    env: { ...process.env, CI: "true" }
  })
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nThe dependencies could not be installed.`)
    process.exit(1)
  }
  writeFileSync(stamp, `${scope} ${current}`)
}

/**
 * Prepares the workspace for a build, or for the demo and the login, which need much less; or prints why it cannot and ends the
 * process.
 *
 * @param {Wanted} [wanted]
 */
export const setup = (wanted = "everything") => {
  requireNode()
  install(wanted)
}

/**
 * Prepares the workspace, and builds the packages, or ends the process.
 *
 * @param {(step: string) => string} [change] of a command
 */
export const setupAndBuild = (change = (step) => step) => {
  setup()
  const steps = scripts.build.split(" && ").map(change)
  for (const [at, step] of steps.entries()) {
    console.log(`Building, step ${at + 1} of ${steps.length}: ${step}`)
    if (!run(step)) {
      process.exit(1)
    }
  }
}

/**
 * Whether a module is the program that Node was started with.
 *
 * @param {ImportMeta} meta
 */
export const isProgram = (meta) => process.argv[1] === fileURLToPath(meta.url)

if (isProgram(import.meta)) {
  setup()
}
