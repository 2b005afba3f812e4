// The packages of a commit, built in a folder of their own.
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { manifestOf, packageNames, root } from "../../scripts/setup.mjs"

const bench = fileURLToPath(new URL("..", import.meta.url))

/**
 * The packages that a commit has.
 *
 * @param {string} folder
 */
const packagesIn = (folder) => packageNames.filter((name) => fs.existsSync(join(folder, "packages", name)))

/** What a build needs of a commit. */
const archived = [
  "packages/*/src/*",
  "packages/*/package.json",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json"
]

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
    throw new Error(`${command} ${args[0]} failed: ${error ?? `${stdout}${stderr}`}`)
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
 * Compiles the sources as `npm run build` does, without checking their types.
 *
 * @param {string} folder
 */
const compile = (folder) => {
  const { compilerOptions } = JSON.parse(fs.readFileSync(join(folder, "tsconfig.base.json"), "utf8"))
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, module: "ESNext" }, folder)
  for (const name of packagesIn(folder)) {
    const sources = join(folder, "packages", name, "src")
    for (const file of fs.readdirSync(sources, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) {
        continue
      }
      const { outputText } = ts.transpileModule(fs.readFileSync(join(sources, file), "utf8"), {
        fileName: file,
        compilerOptions: { ...options, sourceMap: false }
      })
      const built = join(folder, "packages", name, "dist", file.replace(/ts$/, "js"))
      fs.mkdirSync(dirname(built), { recursive: true })
      fs.writeFileSync(built, outputText)
    }
  }
}

/** @param {string} path */
const remove = (path) => fs.rmSync(path, { recursive: true, force: true })

/**
 * @param {string} target
 * @param {string} path
 */
const link = (target, path) => {
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.symlinkSync(target, path, "junction")
}

/**
 * The locked versions of what a package imports.
 *
 * @param {string} folder
 * @param {string} name
 */
const versions = (folder, name) => {
  const lock = fs.readFileSync(join(folder, "pnpm-lock.yaml"), "utf8")
  const [, own = ""] = lock.split(`\n  packages/${name}:\n`)
  const found = own.replace(/\n {2}\S[^]*/, "").matchAll(/^ {6}'?(\S+?)'?:\n.*\n {8}version: ([^\s(]+)/gm)
  const locked = new Map([...found].map(([, each, version]) => [each, version]))
  const { dependencies, peerDependencies } = manifestOf(join(folder, "packages", name))
  return Object.keys({ ...dependencies, ...peerDependencies }).map(
    (each) => /** @type {const} */ ([each, locked.get(each)])
  )
}

/**
 * Installs what the packages import, or links what is installed here where the versions are the same.
 *
 * @param {string} folder
 */
const provide = (folder) => {
  const isSame = packagesIn(folder).every((name) => {
    const ours = new Map(versions(root, name))
    return versions(folder, name).every(([each, version]) => ours.get(each) === version)
  })
  for (const name of packagesIn(folder)) {
    remove(join(folder, "packages", name, "node_modules"))
  }
  if (!isSame) {
    const pnpm = manifestOf(folder).packageManager.split("+")[0]
    console.log("Its dependencies differ from ours, and are installed from its lockfile…")
    const env = { ...process.env, CI: "true" }
    run(`npx -y ${pnpm} install --frozen-lockfile --filter "./packages/*"`, [], { cwd: folder, shell: true, env })
    return
  }
  for (const name of packagesIn(folder)) {
    for (const [each] of versions(folder, name)) {
      const path = join("packages", name, "node_modules", each)
      const [, own] = /^@catalog-client\/(.*)/.exec(each) ?? []
      if (own !== undefined) {
        link(join(folder, "packages", own), join(folder, path))
      } else if (fs.existsSync(join(root, path))) {
        link(fs.realpathSync(join(root, path)), join(folder, path))
      }
    }
  }
}

/** What the program of a process imports. */
const benchParts = ["against", "calls", "fork.mjs", "many.mjs", "overMemory.mjs"]

/**
 * The programs of today's bench, beside the packages that they import.
 *
 * @param {string} folder
 */
const copyBench = (folder) => {
  const copy = join(folder, "bench")
  remove(copy)
  for (const part of benchParts) {
    fs.cpSync(join(bench, part), join(copy, part), { recursive: true })
  }
  for (const name of packagesIn(folder)) {
    link(join(folder, "packages", name), join(copy, "node_modules/@catalog-client", name))
  }
  for (const name of ["effect", "@effect/platform"]) {
    link(fs.realpathSync(join(folder, "packages/core/node_modules", name)), join(copy, "node_modules", name))
  }
}

/**
 * Builds a commit, once, and returns its hash and the URL of its copy of the bench.
 *
 * @param {string} commit
 */
export const build = (commit) => {
  const hash = hashOf(commit)
  const folder = join(bench, ".cache/builds", hash)
  const built = join(folder, ".built")
  if (!fs.existsSync(built)) {
    console.log(`Building ${commit}…`)
    remove(folder)
    fs.mkdirSync(folder, { recursive: true })
    run("tar", ["-x"], { cwd: folder, input: run("git", ["archive", hash, ...archived], { cwd: root }) })
    compile(folder)
    fs.writeFileSync(built, "")
  }
  provide(folder)
  copyBench(folder)
  return { hash, bench: new URL(`.cache/builds/${hash}/bench/`, new URL("..", import.meta.url)) }
}
