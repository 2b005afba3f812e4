// Builds and packs the packages, and prints the lines that install them from here: npm has none of them before the first release.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { devNull } from "node:os"
import { join } from "node:path"
import { dist } from "../../effect4/build.mjs"
import { isProgram, manifestOf, packageNames, root, run, setupAndBuild } from "../setup.mjs"
import { folder } from "./publish.mjs"

/** @import { Tarball } from "./publish.mjs" */

/** First those for Effect 4, since a registry makes the first version of a package its `latest`. */
const released = [
  ...packageNames.map((name) => ({ source: join(dist, name), pack: "npm pack", tag: "latest" })),
  ...packageNames.map((name) => ({ source: join(root, "packages", name), pack: "pnpm pack", tag: "effect3" })),
  ...["promise", "mcp"].map((name) => ({ source: join(root, "packages", name), pack: "pnpm pack", tag: "latest" }))
]

/**
 * Packs the built packages into the folder that is published; `undefined` if one could not be packed.
 *
 * @returns {ReadonlyArray<Tarball> | undefined}
 */
export const packAll = () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tarballs = released.map(({ source, tag }) => {
    const { name, version } = manifestOf(source)
    return { file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz`, name, version, tag }
  })
  writeFileSync(join(folder, "tarballs.json"), JSON.stringify(tarballs, undefined, 2))
  const isPacked = released.every(({ pack, source }) =>
    // Otherwise npm lists each file on stderr, and warns of pnpm's settings.
    run(`cd "${source}" && ${pack} --pack-destination "${folder}" > ${devNull}`, { npm_config_loglevel: "error" })
  )
  return isPacked ? tarballs : undefined
}

/**
 * The lines of docs/install.md by what they are for, with tarballs in place of names. Those for Effect have all packages that any
 * page needs.
 *
 * @param {ReadonlyArray<Tarball>} tarballs
 */
const installLines = (tarballs) => {
  const lines = readFileSync(join(root, "docs/install.md"), "utf8").match(/^npm install .*catalog-client.*$/gm) ?? []
  const all = "$& @catalog-client/oauth$1 @catalog-client/testing$1"
  const { file: mcp = "" } = tarballs.find(({ name }) => name === "@catalog-client/mcp") ?? {}
  const commands = lines.map((line) => {
    const [, effect] = / effect@(\d)/.exec(line) ?? []
    const installed = line
      .replace(/@catalog-client\/node(@effect3)?/, all)
      .replaceAll(/(?<= )((?:@catalog-client\/)?[a-z-]+)(?:@(effect3))?(?= |$)/g, (word, name, tag = "latest") => {
        const tarball = tarballs.find((tarball) => tarball.name === name && tarball.tag === tag)
        return tarball === undefined ? word : JSON.stringify(join(folder, tarball.file))
      })
    return `${effect === undefined ? "For promises" : `For Effect ${effect}`}:\n\n${installed}`
  })
  return [...commands, `As the MCP server of an agent:\n\nnpx -y ${JSON.stringify(`file:${join(folder, mcp)}`)} --demo`]
}

if (isProgram(import.meta)) {
  console.log("This takes one to four minutes, and publishes nothing.")
  setupAndBuild()
  console.log("Packing…")
  const tarballs = packAll()
  if (tarballs === undefined) {
    process.exit(1)
  }
  console.log(`\nRun one of these in your project.\n\n${installLines(tarballs).join("\n\n")}`)
}
