// What npm run release publishes, and a rehearsal of it over a registry in memory.
import { fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dist, packageNames } from "../effect4/build.mjs"
import { manifestOf, root, run } from "./setup.mjs"

/** @import { Received } from "./registry.mjs" */

const { version } = manifestOf(join(root, "effect4"))

/**
 * Whether the registry has a package for Effect 4 in the version of the workspace.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 */
export const isPublished = (name, env) =>
  spawnSync("npm", ["view", `@catalog-client/${name}@${version}`, "version"], {
    encoding: "utf8",
    env: { ...process.env, ...env }
  }).stdout.trim() !== ""

/**
 * Publishes the packages that the registry does not have, with provenance: first those for Effect 3, since a registry makes the
 * first version of a package its `latest`. True if all were published.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
const publishWith = (env) => {
  const isRehearsal = env !== undefined
  // npm signs the provenance in the publishing workflow, and refuses to publish elsewhere.
  const variables = { NPM_CONFIG_PROVENANCE: "true", NPM_CONFIG_LOGLEVEL: "warn", ...env }
  return (
    run(`changeset publish${isRehearsal ? " --no-git-tag" : ""}`, variables) &&
    packageNames
      .filter((name) => !isPublished(name, env))
      .every(
        (name) =>
          // npm does not read the dist-tag in the manifest of another folder.
          run(`npm publish "${join(dist, name)}" --tag effect4`, variables) &&
          (isRehearsal || run(`git tag @catalog-client/${name}@${version}`))
      )
  )
}

/** Publishes to npm. */
export const publish = () => publishWith()

/**
 * Publishes to a registry in memory, without provenance unless the variables say otherwise: what it has received, by the names of
 * the packages, and whether everything went well.
 *
 * @param {NodeJS.ProcessEnv} [variables]
 * @returns {Promise<{ readonly ok: boolean, readonly received: Readonly<Record<string, Received>> }>}
 */
export const rehearse = async (variables) => {
  const folder = mkdtempSync(join(tmpdir(), "catalog-client-release-"))
  const registry = fork(join(import.meta.dirname, "registry.mjs"))
  try {
    const [url] = await once(registry, "message")
    const userconfig = join(folder, "npmrc")
    writeFileSync(userconfig, `${url.replace("http:", "")}:_authToken=any\n`)
    const ok = publishWith({
      npm_config_registry: url,
      npm_config_userconfig: userconfig,
      NPM_CONFIG_PROVENANCE: "false",
      // Also within the publishing workflow, npm should sign nothing and exchange no token.
      GITHUB_ACTIONS: undefined,
      ...variables
    })
    return { ok, received: await (await fetch(url)).json() }
  } finally {
    registry.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
