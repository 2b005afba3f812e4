// Installs what the lockfile says, if it has changed. It runs before anything is installed: only Node built-ins, and only
// syntax that an old Node can parse.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, manifestOf, root } from "./workspace.mjs"

const manifest = manifestOf(root)

const requireNode = () => {
  const wanted = manifest.engines.node.replace(">=", "")
  const [major = 0, minor = 0] = wanted.split(".").map(Number)
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split(".").map(Number)
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) {
    return
  }
  console.error(`This project needs Node ${wanted} or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}

const stamp = join(root, "node_modules", ".setup")

/** The folders of the workspace: the list that pnpm-workspace.yaml begins with. */
const members = () => {
  const [list = ""] = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").split("\n\n")
  return Array.from(list.matchAll(/^ +- (.+?)([/][*])?$/gm), ([, folder = "", all]) =>
    all === undefined ? [folder] : readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  ).flat()
}

/** The files that an installation depends on: it runs again only if one of them has changed. */
const fingerprint = () => {
  const hash = createHash("sha256")
  const manifests = [".", ...members()].map((folder) => join(folder, "package.json"))
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    if (existsSync(join(root, file))) {
      hash.update(readFileSync(join(root, file)))
    }
  }
  return hash.digest("hex")
}

/** @typedef {"everything" | "demo"} Wanted What is installed: everything, or the `dependencies` of package.json. */

/** @param {Wanted} wanted */
const install = (wanted) => {
  const current = fingerprint()
  const installed = existsSync(stamp) ? readFileSync(stamp, "utf8") : ""
  if ([`everything ${current}`, `${wanted} ${current}`].includes(installed)) {
    return
  }
  // An installation of less would remove what is there, also what pnpm installed by itself.
  const scope = installed.startsWith("demo") || !existsSync(join(root, "node_modules")) ? wanted : "everything"
  const options = scope === "demo" ? "--prod --filter ." : ""
  console.log("Installing dependencies…")
  const pnpm = manifest.packageManager.split("+")[0]
  const { status, stdout, stderr } = spawnSync(`npx -y ${pnpm} install --frozen-lockfile ${options}`, {
    cwd: root,
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    // Without a terminal, pnpm would otherwise refuse to replace a node_modules made by another tool.
    env: { ...process.env, CI: "true" }
  })
  if (status !== 0) {
    console.error(`${stdout}${stderr}\nThe dependencies could not be installed.`)
    process.exit(1)
  }
  writeFileSync(stamp, `${scope} ${current}`)
}

/**
 * Prepares the workspace for a build, or for the demo and the login, which need less; or says why it cannot, and exits.
 *
 * @param {Wanted} [wanted]
 */
export const setup = (wanted = "everything") => {
  requireNode()
  install(wanted)
}

if (isMain(import.meta)) {
  setup()
}
