// Builds and checks the packages, for Effect 3 and for Effect 4, and prints what would be published. With --publish it publishes,
// with --version it moves the changesets into versions and changelogs.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dist as forEffect4, packageNames as names } from "../effect4/build.mjs"
import { publishing } from "../effect4/packed.mjs"
import { manifestOf, root, run, runScript, setup } from "./setup.mjs"

const line4 = join(root, "effect4")

/**
 * @param {string} message
 * @returns {never}
 */
const fail = (message) => {
  console.error(message)
  process.exit(1)
}

/**
 * @param {boolean} ok
 * @param {string} what
 */
const must = (ok, what) => ok || fail(`Not released: ${what}.`)

/** The changesets that are not released yet. */
const pending = () =>
  readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md") && file !== "README.md")

/** @param {string} name */
const versionOf = (name) => manifestOf(join(root, "packages", name)).version

/**
 * Whether the registry has a package for Effect 4 in the version of the workspace.
 *
 * @param {string} name
 */
const isPublished = (name) =>
  spawnSync("npm", ["view", `@catalog-client/${name}@${manifestOf(line4).version}`, "version"], {
    encoding: "utf8"
  }).stdout.trim() !== ""

const makeVersion = () => {
  must(run("changeset version"), "the changesets could not be made into a version")
  // Requests contain the version, which is a constant in the source, since the package reads no file.
  const file = join(root, "packages/node/src/userAgent.ts")
  const source = readFileSync(file, "utf8")
  const updated = source.replace(/"catalog-client\/\d[^"]*"/, `"catalog-client/${versionOf("node")}"`)
  if (updated === source) {
    throw new Error(`${file} does not contain the version of the client`)
  }
  writeFileSync(file, updated)
  if (isPublished("core")) {
    const manifest = join(line4, "package.json")
    const next = readFileSync(manifest, "utf8").replace(
      /("version": ".*[.])(\d+)"/,
      (_, before, count) => `${before}${Number(count) + 1}"`
    )
    writeFileSync(manifest, next)
  }
  must(runScript("format"), "the files could not be formatted")
  console.log(
    `The version is ${versionOf("core")}; for Effect 4, ${manifestOf(line4).version}. Review and commit it; then: npm run release`
  )
}

const buildAndCheck = () => {
  for (const name of names) {
    rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true })
  }
  rmSync(forEffect4, { recursive: true, force: true })
  must(runScript("build") && runScript("build:effect4"), "the build failed")
  // publint, attw, a new project that installs the tarballs, and the API reports.
  must(run("vitest run test/packages.test.ts test/api.test.ts"), "a check failed")
  // The same for Effect 4: publint, the demo over the installed tarballs, the size of a page.
  process.env["CATALOG_EFFECT4"] = "all"
  must(run("vitest run --config effect4/vitest.config.ts effect4/test"), "a check for Effect 4 failed")
}

const publishForEffect4 = () => {
  for (const name of names.filter((name) => !isPublished(name))) {
    const tag = `@catalog-client/${name}@${manifestOf(line4).version}`
    must(run(publishing(name)) && run(`git tag ${tag}`), `${tag} could not be published`)
  }
}

/** @param {{ readonly publish: boolean }} options */
const release = ({ publish }) => {
  const waiting = pending()
  if (publish) {
    const { stdout } = spawnSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" })
    must(stdout === "", `there are uncommitted changes\n${stdout}`)
    must(waiting.length === 0, "there are changesets; run `npm run release -- --version` and commit")
  }
  buildAndCheck()
  if (publish) {
    // Provenance is signed by the publishing workflow: elsewhere npm refuses.
    process.env["NPM_CONFIG_PROVENANCE"] = "true"
    must(run("changeset publish"), "a package could not be published")
    publishForEffect4()
    return
  }
  console.log("\nThis would be published:")
  must(
    run("pnpm --recursive --filter './packages/*' --filter @catalog-client/mcp publish --dry-run --no-git-checks"),
    "nothing can be published"
  )
  for (const name of names) {
    must(run(`${publishing(name)} --dry-run`), "nothing can be published for Effect 4")
  }
  if (waiting.length > 0) {
    console.log(`\n${waiting.length} changeset(s) come first: npm run release -- --version\n  ${waiting.join("\n  ")}`)
  }
  console.log("\nNothing was published. To publish: npm run release -- --publish")
}

const [flag, ...others] = process.argv.slice(2)
if (others.length > 0 || ![undefined, "--publish", "--version"].includes(flag)) {
  fail("Usage: npm run release [-- --version | --publish]")
}
setup()
if (flag === "--version") {
  makeVersion()
} else {
  release({ publish: flag === "--publish" })
}
