// Builds and checks the packages, and prints what would be published. With --publish it publishes, with --version it moves the
// changesets into versions and changelogs.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { manifestOf, root, run, runScript, setup } from "./setup.mjs"

const names = ["core", "node", "browser"]

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
  must(runScript("format"), "the files could not be formatted")
  console.log(`The version is ${versionOf("core")}. Review and commit it; then: npm run release`)
}

const buildAndCheck = () => {
  for (const name of names) {
    rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true })
  }
  must(runScript("build"), "the build failed")
  // publint, attw, a new project that installs the tarballs, and the API reports.
  must(run("vitest run test/packages.test.ts test/api.test.ts"), "a check failed")
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
    return
  }
  console.log("\nThis would be published:")
  must(
    run("pnpm --recursive --filter './packages/*' --filter @catalog-client/mcp publish --dry-run --no-git-checks"),
    "nothing can be published"
  )
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
