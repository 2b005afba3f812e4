// Builds and checks the packages, for Effect 3 and for Effect 4, packs them, publishes the tarballs to a registry in memory, and
// prints what that has received. With --version it moves the changesets into versions and changelogs, and removes what pages say
// until the first release; with --pack it only packs, all packages or the one that is named, and prints lines that install the
// tarballs elsewhere. The release workflow publishes the tarballs in another job.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dist as forEffect4 } from "../../effect4/build.mjs"
import { noted, withoutNotes } from "./notes.mjs"
import { folder, pending } from "./publish.mjs"
import { rehearse } from "./rehearse.mjs"
import { build } from "../build.mjs"
import { setup } from "../setup.mjs"
import { manifestOf, packageNames, root, run } from "../workspace.mjs"

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
  for (const file of noted) {
    const path = join(root, file)
    writeFileSync(path, withoutNotes(readFileSync(path, "utf8")))
  }
  must(run("oxfmt"), "the files could not be formatted")
  console.log(`The version is ${versionOf("core")}. Review and commit it; then: npm run release`)
}

const buildAndCheck = () => {
  for (const name of packageNames) {
    rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true })
  }
  rmSync(forEffect4, { recursive: true, force: true })
  rmSync(join(root, "packages/promise/dist"), { recursive: true, force: true })
  build()
  must(run("node effect4/build.mjs --release"), "the build for Effect 4 failed")
  // publint, attw, a new project that installs the tarballs, and the API reports.
  must(
    run("vitest run test/tarballs.test.ts test/packages.test.ts test/catalogClient.test.ts test/api.test.ts"),
    "a check failed"
  )
  // For Effect 4: publint, the demo and an application over the installed tarballs, and this release over a registry in memory.
  process.env["CATALOG_EFFECT4"] = "all"
  must(run("vitest run --config effect4/vitest.config.ts effect4/test"), "a check for Effect 4 failed")
}

/** What a registry receives: each package with its dist-tag and the peers that it asks for. */
const show = async () => {
  const { ok, received } = await rehearse()
  must(ok, "nothing can be published")
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
  await show()
  const waiting = pending()
  if (waiting.length > 0) {
    console.log(`\n${waiting.length} changeset(s) come first: npm run release -- --version\n  ${waiting.join("\n  ")}`)
  }
  console.log(`\nNothing was published. The tarballs are in ${folder}; the release workflow publishes them.`)
}

const wanted = process.argv.slice(2).join(" ")
if (!["", "--version", "--pack", "--pack catalog-client", "--pack @catalog-client/mcp"].includes(wanted)) {
  fail("Usage: npm run release [-- --version | --pack [catalog-client | @catalog-client/mcp]]")
}
setup()
if (wanted === "--version") {
  makeVersion()
} else if (wanted.startsWith("--pack")) {
  must(run(wanted.replace("--pack", "node scripts/release/pack.mjs")), "the packages could not be packed")
} else {
  await release()
}
