// Packs what is released, and publishes it to a registry in memory.
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dist, packageNames } from "../../effect4/build.mjs"
import { folder, publish } from "./publish.mjs"
import { manifestOf, root, run } from "../setup.mjs"

/** @import { Received } from "./registry.mjs" */

/** First the packages for Effect 3, since a registry makes the first version of a package its `latest`. */
const released = [
  ...packageNames.map((name) => ({ source: join(root, "packages", name), pack: "pnpm pack", tag: "latest" })),
  { source: join(root, "packages/promise"), pack: "pnpm pack", tag: "latest" },
  { source: join(root, "packages/mcp"), pack: "pnpm pack", tag: "latest" },
  ...packageNames.map((name) => ({ source: join(dist, name), pack: "npm pack", tag: "effect4" }))
]

/** Packs the built packages into the folder that is published; true if all were packed. */
const packAll = () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tarballs = released.map(({ source, tag }) => {
    const { name, version } = manifestOf(source)
    return { file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz`, name, version, tag }
  })
  writeFileSync(join(folder, "tarballs.json"), JSON.stringify(tarballs, undefined, 2))
  return released.every(({ pack, source }) => run(`cd "${source}" && ${pack} --pack-destination "${folder}"`))
}

/**
 * Packs, and publishes to a registry in memory, without provenance unless the variables say otherwise: what it has received, by the
 * names of the packages, and whether everything went well.
 *
 * @param {NodeJS.ProcessEnv} [variables]
 * @returns {Promise<{ readonly ok: boolean, readonly received: Readonly<Record<string, Received>> }>}
 */
export const rehearse = async (variables) => {
  const temporary = mkdtempSync(join(tmpdir(), "catalog-client-release-"))
  const registry = fork(join(import.meta.dirname, "registry.mjs"))
  try {
    const [url] = await once(registry, "message")
    const userconfig = join(temporary, "npmrc")
    writeFileSync(userconfig, `${url.replace("http:", "")}:_authToken=any\n`)
    const env = {
      npm_config_registry: url,
      npm_config_userconfig: userconfig,
      NPM_CONFIG_PROVENANCE: "false",
      // Also within the publishing workflow, npm should sign nothing and exchange no token.
      GITHUB_ACTIONS: undefined,
      ...variables
    }
    const ok = packAll() && publish(env)
    return { ok, received: await (await fetch(url)).json() }
  } finally {
    registry.kill()
    rmSync(temporary, { recursive: true, force: true })
  }
}
