// Where a side runs: here, with the packages for Effect 4, with those of another commit, or in another engine.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { dist } from "../effect4/build.mjs"
import { moduleOnEffect4 } from "../effect4/examples.mjs"
import { manifestOf, root } from "../scripts/workspace.mjs"
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

/** The folder of each place to which `prepare` has copied the programs. @type {Record<string, string>} */
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

/** @param {string} command @param {string} cwd @param {string} [hint] */
const run = (command, cwd, hint = "") => {
  const env = { ...process.env, CI: "true" }
  const { status, stdout, stderr } = spawnSync(command, { shell: true, maxBuffer: 2 ** 28, cwd, env, encoding: "utf8" })
  if (status !== 0) {
    throw new Error(`${command} failed: ${stdout}${stderr}${hint}`)
  }
  return stdout
}

/**
 * Builds a commit once, by its own `npm run build` and with the versions of its lockfile. Today's programs are copied into its
 * bench, where they find the packages that it installs.
 *
 * @param {string} commit
 */
const buildCommit = (commit) => {
  const shallow = "A shallow clone lacks it: `git fetch --unshallow`, or `fetch-depth: 0` in a workflow."
  const hash = run(`git rev-parse --verify "${commit}^{commit}"`, root, shallow).trim()
  const folder = join(bench, ".cache/builds", hash)
  const built = join(folder, ".built")
  if (!fs.existsSync(built)) {
    console.log(`Building ${commit}…`)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    run(`git archive ${hash} | tar -xf - -C "${folder}"`, root)
    const filters = '--filter "{.}" --filter "./packages/*" --filter "./bench" --filter "./effect4"'
    const pnpm = manifestOf(folder).packageManager.split("+")[0]
    run(`npx -y ${pnpm} install --frozen-lockfile --prefer-offline ${filters}`, folder)
    run("npm run build", folder)
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
    folders["Effect 4"] = copyTo(join(dist, "bench"), (text) =>
      text.replaceAll(/@effect\/platform\/\w+/g, moduleOnEffect4).replaceAll("../../packages/", "../../")
    )
  }
  if (places.includes("the baseline")) {
    folders["the baseline"] = buildCommit(commit)
  }
}
