// The programs of the sides beside other builds: of the packages for Effect 4, and of those of a commit.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build as buildEffect4 } from "../effect4/build.mjs"
import { moduleOnEffect4 } from "../effect4/programs.mjs"
import { manifestOf, root } from "../scripts/setup.mjs"
import { effect4 } from "./runner.mjs"

const bench = fileURLToPath(new URL(".", import.meta.url))

/** A program with the modules of Effect 4. @param {string} text */
export const toEffect4 = (text) =>
  text.replaceAll(/@effect\/platform\/\w+/g, moduleOnEffect4).replaceAll("../../packages/", "../../")

/** Copies what a side imports. @param {string} folder @param {(text: string) => string} [change] */
const copyTo = (folder, change = (text) => text) => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(join(folder, "questions"), { recursive: true })
  const questions = fs.readdirSync(join(bench, "questions")).map((name) => `questions/${name}`)
  for (const file of ["side.mjs", "request.mjs", "figures.mjs", ...questions]) {
    fs.writeFileSync(join(folder, file), change(fs.readFileSync(join(bench, file), "utf8")))
  }
}

/** Builds the packages for Effect 4; whether they compile. */
export const prepareEffect4 = () => {
  const isBuilt = buildEffect4()
  copyTo(fileURLToPath(effect4), toEffect4)
  return isBuilt
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
 * Builds a commit as `npm run build` does there, once, with what its lockfile names. Returns its hash and the URL of a copy of today's
 * programs in its bench, where they find what that installs.
 *
 * @param {string} commit
 */
export const buildCommit = (commit) => {
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
  const copy = join(folder, "bench/today")
  copyTo(copy)
  return { hash, folder: pathToFileURL(`${copy}/`) }
}
