// Packs what is released, and publishes it to a registry in memory.
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packAll } from "./pack.mjs"
import { publish } from "./publish.mjs"

/** @import { Received } from "./registry.mjs" */

/**
 * Packs, and publishes to a registry in memory, without provenance unless the variables say otherwise. Returns what it has
 * received, by the names of the packages, and whether everything went well.
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
      // Even within the publishing workflow, npm must sign nothing and exchange no token.
      GITHUB_ACTIONS: undefined,
      ...variables
    }
    const ok = packAll() !== undefined && publish(env)
    return { ok, received: await (await fetch(url)).json() }
  } finally {
    registry.kill()
    rmSync(temporary, { recursive: true, force: true })
  }
}
