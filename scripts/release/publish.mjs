// Publishes the tarballs that npm run release has packed. The release workflow runs it where nothing is installed: it needs
// only Node and npm.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, root, run } from "../workspace.mjs"

/** Where the tarballs are, with a list of them. */
export const folder = join(root, ".cache/release")

/** @typedef {{ readonly file: string, readonly name: string, readonly version: string, readonly tag: string }} Tarball */

/** The changesets that are not released yet. */
export const pending = () =>
  readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md") && file !== "README.md")

/**
 * Whether the registry has a version of a package.
 *
 * @param {Pick<Tarball, "name" | "version">} tarball
 * @param {NodeJS.ProcessEnv} [env]
 */
export const isPublished = ({ name, version }, env) =>
  spawnSync("npm", ["view", `${name}@${version}`, "version"], {
    encoding: "utf8",
    env: { ...process.env, ...env }
  }).stdout.trim() !== ""

/**
 * Publishes the tarballs that the registry does not have, in their order, with provenance. True if all were published.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export const publish = (env) => {
  // npm signs the provenance in the publishing workflow, and refuses to publish elsewhere.
  const variables = { NPM_CONFIG_PROVENANCE: "true", NPM_CONFIG_LOGLEVEL: "warn", ...env }
  /** @type {ReadonlyArray<Tarball>} */
  const tarballs = JSON.parse(readFileSync(join(folder, "tarballs.json"), "utf8"))
  return tarballs
    .filter((tarball) => !isPublished(tarball, env))
    .every(({ file, tag }) =>
      run(`npm publish "${join(folder, file)}" --tag ${tag} --access public --ignore-scripts`, variables)
    )
}

if (isMain(import.meta)) {
  const waiting = pending()
  if (waiting.length > 0) {
    console.error(
      `Not published: there are changesets; run \`npm run release -- --version\` and commit.\n${waiting.join("\n")}`
    )
  }
  process.exitCode = waiting.length === 0 && publish() ? 0 : 1
}
