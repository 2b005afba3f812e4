// Where a side runs: here, with the packages for Effect 4, with those of another commit, or in another engine.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build as buildEffect4, dist } from "../effect4/build.mjs"
import { moduleOnEffect4 } from "../effect4/programs.mjs"
import { manifestOf, root } from "../scripts/setup.mjs"
import * as Runtimes from "../test/runtimes/run.mjs"
import { partsOf } from "./figures.mjs"

const bench = fileURLToPath(new URL(".", import.meta.url))

/** A garbage collection during the turns of the others drops compiled code. */
const nodeArgs = ["--expose-gc", "--no-memory-reducer"]

/** @type {Readonly<Record<string, { readonly name: Runtimes.EngineName, readonly execArgv: Array<string> }>>} */
const engines = {
  "Node 24": { name: "node-24", execArgv: nodeArgs },
  "Node 26": { name: "node-26", execArgv: nodeArgs },
  Bun: { name: "bun", execArgv: [] },
  Deno: { name: "deno", execArgv: ["run", "--allow-all"] }
}

/** Where the programs of a place are. @type {Record<string, string>} */
const folders = {}

/** The side of a name, and where it runs. @param {string} name */
export const placeOf = (name) => {
  const { side, place } = partsOf(name)
  const engine = engines[place]
  return {
    side,
    folder: pathToFileURL(`${folders[place] ?? bench}/`),
    engine: engine
      ? { execPath: Runtimes.installed(engine.name), execArgv: engine.execArgv }
      : { execPath: process.execPath, execArgv: nodeArgs }
  }
}

/** A program with the modules of Effect 4. @param {string} text */
const toEffect4 = (text) =>
  text.replaceAll(/@effect\/platform\/\w+/g, moduleOnEffect4).replaceAll("../../packages/", "../../")

/** Copies what a side imports. @param {string} folder @param {(text: string) => string} [change] */
const copyTo = (folder, change = (text) => text) => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(join(folder, "questions"), { recursive: true })
  const questions = fs.readdirSync(join(bench, "questions")).map((name) => `questions/${name}`)
  for (const file of ["side.mjs", "contenders.mjs", "figures.mjs", ...questions]) {
    fs.writeFileSync(join(folder, file), change(fs.readFileSync(join(bench, file), "utf8")))
  }
  return folder
}

/** @param {string} command @param {import("node:child_process").SpawnSyncOptions} options */
const run = (command, options) => {
  const result = spawnSync(command, { shell: true, maxBuffer: 2 ** 28, ...options, encoding: "utf8" })
  if (result.status !== 0) {
    throw new Error(`${command} failed: ${result.stdout}${result.stderr}`)
  }
  return result.stdout
}

/** @param {string} commit */
const hashOf = (commit) => {
  try {
    return run(`git rev-parse --verify "${commit}^{commit}"`, { cwd: root }).trim()
  } catch {
    throw new Error(
      `This clone has no commit ${commit}. If it is shallow, \`git fetch --unshallow\` gets the others; in a workflow, ` +
        "actions/checkout needs `fetch-depth: 0`."
    )
  }
}

/**
 * Builds a commit as `npm run build` does there, once, with what its lockfile names. Today's programs are copied into its bench, where
 * they find what that installs.
 *
 * @param {string} commit
 */
const buildCommit = (commit) => {
  const hash = hashOf(commit)
  const folder = join(bench, ".cache/builds", hash)
  const built = join(folder, ".built")
  if (!fs.existsSync(built)) {
    console.log(`Building ${commit}…`)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    run(`git archive ${hash} | tar -xf - -C "${folder}"`, { cwd: root })
    const options = { cwd: folder, env: { ...process.env, CI: "true" } }
    const filters = '--filter "{.}" --filter "./packages/*" --filter "./bench" --filter "./effect4"'
    const pnpm = manifestOf(folder).packageManager.split("+")[0]
    run(`npx -y ${pnpm} install --frozen-lockfile --prefer-offline ${filters}`, options)
    run("npm run build", options)
    fs.writeFileSync(built, "")
  }
  return copyTo(join(folder, "bench/today"))
}

/** Prepares the places of some names. @param {ReadonlyArray<string>} names @param {string} commit */
export const prepare = async (names, commit) => {
  const places = [...new Set(names.map((name) => partsOf(name).place))]
  const problem = await Runtimes.prepare(places.flatMap((place) => engines[place]?.name ?? []))
  if (problem !== "") {
    throw new Error(problem)
  }
  if (places.includes("Effect 4")) {
    if (!buildEffect4()) {
      throw new Error("The packages for Effect 4 do not compile.")
    }
    folders["Effect 4"] = copyTo(join(dist, "bench"), toEffect4)
  }
  if (places.includes("the baseline")) {
    folders["the baseline"] = buildCommit(commit)
  }
}
