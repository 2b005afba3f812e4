// Builds and checks the packages, for Effect 3 and for Effect 4, packs them, publishes the tarballs to a registry in memory,
// and prints what that has received. The release workflow publishes the tarballs in another job. With --version, it moves the
// changesets into versions and changelogs, and removes what pages say until the first release. With --pack, it only builds and
// packs, all packages or the one that is named, and prints lines that install the tarballs elsewhere.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dist as forEffect4, versionOnEffect4 } from "../../effect4/build.mjs"
import { noted, withoutNotes } from "./notes.mjs"
import { folder, pending } from "./publish.mjs"
import { installLines, packAll } from "./pack.mjs"
import { rehearse } from "./rehearse.mjs"
import { buildOrExit } from "../build.mjs"
import { setup } from "../setup.mjs"
import { allFolders, manifestOf, replaceOnce, root, run } from "../workspace.mjs"

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
 * @param {string} problem
 */
const requireOk = (ok, problem) => ok || fail(`Not released: ${problem}.`)

/** @param {string} name */
const versionOf = (name) => manifestOf(join(root, "packages", name)).version

const makeVersion = () => {
  const before = versionOf("node")
  requireOk(run("changeset version"), "the changesets could not be made into a version")
  versionOnEffect4(versionOf("core"))
  // Requests contain the version, which is a constant in the source, because the package reads no file.
  const file = join(root, "packages/node/src/userAgent.ts")
  writeFileSync(file, replaceOnce(readFileSync(file, "utf8"), `/${before}"`, `/${versionOf("node")}"`))
  for (const file of noted) {
    const path = join(root, file)
    writeFileSync(path, withoutNotes(readFileSync(path, "utf8")))
  }
  requireOk(run("oxfmt"), "the files could not be formatted")
  console.log(`The version is ${versionOf("core")}. Review and commit it; then: npm run release`)
}

const buildAndCheck = () => {
  for (const built of [forEffect4, ...allFolders.map((name) => join(root, "packages", name, "dist"))]) {
    rmSync(built, { recursive: true, force: true })
  }
  buildOrExit("stable", "stable")
  // publint, attw, a new project that installs the tarballs, and the API reports.
  requireOk(
    run("vitest run test/tarballs.test.ts test/packages.test.ts test/catalogClient.test.ts test/api.test.ts"),
    "a check failed"
  )
  // For Effect 4: its types, publint, the demo and an application over the tarballs, and this release, rehearsed. CI has
  // compared the API: its report has what the fast compiler writes, and the stable one has other names for a few types.
  process.env["CATALOG_EFFECT4"] = "all"
  requireOk(
    run("vitest run --config effect4/vitest.config.ts effect4/test/line.test.ts effect4/test/packed.test.ts"),
    "a check for Effect 4 failed"
  )
}

/** What a registry receives: each package with its dist-tag and the peers that it asks for. */
const showRehearsal = async () => {
  const { ok, received } = await rehearse()
  requireOk(ok, "nothing can be published")
  console.log("\nThis would be published:")
  for (const { name, versions, "dist-tags": tags } of Object.values(received)) {
    for (const [version, { peerDependencies = {} }] of Object.entries(versions)) {
      const tagged = Object.keys(tags).filter((tag) => tags[tag] === version)
      const peers = Object.entries(peerDependencies).map(([peer, range]) => `${peer} ${range}`)
      console.log(
        `  ${name}@${version}, dist-tag ${tagged.join()}${peers.length > 0 ? `; needs ${peers.join(", ")}` : ""}`
      )
    }
  }
}

const release = async () => {
  buildAndCheck()
  await showRehearsal()
  const waiting = pending()
  if (waiting.length > 0) {
    console.log(`\n${waiting.length} changeset(s) come first: npm run release -- --version\n  ${waiting.join("\n  ")}`)
  }
  console.log(`\nNothing was published. The tarballs are in ${folder}; the release workflow publishes them.`)
}

/** @param {string | undefined} name */
const pack = (name) => {
  console.log("This takes one to three minutes, and publishes nothing.")
  buildOrExit("fast")
  const tarballs = packAll(name) ?? fail("The packages could not be packed.")
  console.log(
    `\nRun this in your own project, outside the clone. Keep the clone: your package.json will point into ${folder}.\n`
  )
  console.log(installLines(tarballs).join("\n\n"))
}

const names = allFolders.map((name) => manifestOf(join(root, "packages", name)).name)
const wanted = process.argv.slice(2).join(" ")
if (!["", "--version", "--pack", ...names.map((name) => `--pack ${name}`)].includes(wanted)) {
  fail(`Usage: npm run release [-- --version | --pack [name]]. The names: ${names.join(", ")}.`)
}
setup()
if (wanted === "--version") {
  makeVersion()
} else if (wanted.startsWith("--pack")) {
  pack(process.argv[3])
} else {
  await release()
}
