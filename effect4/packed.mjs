// The packages for Effect 4 as a program installs them: packed, beside Effect 4, in a folder outside the workspace.
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "../test/freePort.mjs"
import { effectFolders, manifestOf, root } from "../scripts/workspace.mjs"
import { dist } from "./build.mjs"

/**
 * @param {string} cwd
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 */
const run = (cwd, command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`)
  }
}

/** The peers that every program needs, at the versions of the workspace. */
const ofWorkspace = [`effect@${manifestOf(join(root, "effect4")).devDependencies?.["effect"]}`]

/**
 * Makes a folder a project that has the packed packages and their peers.
 *
 * @param {string} folder
 * @param {ReadonlyArray<string>} [peers]
 */
export const installInto = (folder, peers = ofWorkspace) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "on-effect-4", private: true, type: "module" }))
  const tarballs = effectFolders.map((name) => {
    run(join(dist, name), "npm", ["pack", "--silent", "--pack-destination", folder])
    const { name: full, version } = manifestOf(join(dist, name))
    return `./${full.replace("@", "").replace("/", "-")}-${version}.tgz`
  })
  const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--strict-peer-deps"]
  run(folder, "npm", ["install", ...quietly, ...tarballs, ...peers])
}

/**
 * Starts the embedded service that is installed in a folder, in another process; its addresses are the demo's variables.
 *
 * @param {string} folder
 */
export const startService = async (folder) => {
  const redirectUri = `http://localhost:${await freePort()}/callback`
  const bin = join(folder, "node_modules/@catalog-client/testing/dist/node/bin.js")
  const child = spawn(process.execPath, [bin, "--consent", "allow", "--redirect-uri", redirectUri], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  /** @type {Record<string, string>} */
  const env = { CATALOG_REDIRECT_URI: redirectUri }
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = "", value = ""] = line.replace("export ", "").split("=")
    env[name] = value
    if (name === "CATALOG_TOKEN_URL") {
      break
    }
  }
  return { env, close: () => child.kill() }
}
