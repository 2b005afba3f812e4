// The packages of a commit, built in a folder of their own.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { manifestOf, root } from "../../scripts/setup.mjs"

const bench = fileURLToPath(new URL("..", import.meta.url))

/**
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {import("node:child_process").SpawnSyncOptions} options
 */
const run = (command, args, options) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    maxBuffer: 2 ** 28,
    ...options,
    encoding: "utf8"
  })
  if (status !== 0) {
    throw new Error(`${command} ${args[0] ?? ""} failed: ${error ?? `${stdout}${stderr}`}`)
  }
  return stdout ?? ""
}

/** @param {string} commit */
const hashOf = (commit) => {
  try {
    return run("git", ["rev-parse", "--verify", `${commit}^{commit}`], { cwd: root }).trim()
  } catch {
    throw new Error(
      `This clone has no commit ${commit}. If it is shallow, \`git fetch --unshallow\` gets the others; in a workflow, ` +
        "actions/checkout needs `fetch-depth: 0`."
    )
  }
}

/**
 * Builds as `npm run build` does there, with what its lockfile names.
 *
 * @param {string} folder
 */
const buildIn = (folder) => {
  const pnpm = manifestOf(folder).packageManager.split("+")[0]
  const options = { cwd: folder, shell: true, env: { ...process.env, CI: "true" } }
  const filters = '--filter "{.}" --filter "./packages/*" --filter "./bench" --filter "./effect4"'
  run(`npx -y ${pnpm} install --frozen-lockfile --prefer-offline ${filters}`, [], options)
  run("npm run build", [], options)
}

/** What the program of a process imports. */
const benchParts = ["against", "calls", "fork.mjs", "many.mjs", "overMemory.mjs"]

/**
 * Builds a commit, once, and returns its hash and the URL of a copy of today's bench beside its packages.
 *
 * @param {string} commit
 */
export const build = (commit) => {
  const hash = hashOf(commit)
  const folder = join(bench, ".cache/builds", hash)
  const built = join(folder, ".built")
  if (!fs.existsSync(built)) {
    console.log(`Building ${commit}…`)
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    const archive = join(folder, "commit.tar")
    run("git", ["archive", "--output", archive, hash], { cwd: root })
    run("tar", ["-xf", archive], { cwd: folder })
    fs.rmSync(archive)
    buildIn(folder)
    fs.writeFileSync(built, "")
  }
  // In its bench, where it finds what that installs.
  const copy = join(folder, "bench/today")
  fs.rmSync(copy, { recursive: true, force: true })
  for (const part of benchParts) {
    fs.cpSync(join(bench, part), join(copy, part), { recursive: true })
  }
  return { hash, bench: pathToFileURL(`${copy}/`) }
}
