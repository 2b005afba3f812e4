// The tarballs of the packages, and the lines that install them from here before npm has them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { devNull } from "node:os"
import { join } from "node:path"
import { dist } from "../../effect4/build.mjs"
import { allFolders, effectFolders, manifestOf, root, run } from "../workspace.mjs"
import { folder as published } from "./publish.mjs"

/** @import { Tarball } from "./publish.mjs" */

/** First those for Effect 4, because a registry makes the first version of a package its `latest`. */
const released = [
  ...effectFolders.map((name) => ({ source: join(dist, name), pack: "npm pack", tag: "latest" })),
  ...effectFolders.map((name) => ({ source: join(root, "packages", name), pack: "pnpm pack", tag: "effect3" })),
  ...allFolders
    .filter((name) => !effectFolders.includes(name))
    .map((name) => ({ source: join(root, "packages", name), pack: "pnpm pack", tag: "latest" }))
]

/**
 * Packs the built packages, and lists them in a file; `undefined` if one could not be packed. Other tarballs stay, because
 * projects are installed from them.
 *
 * @param {string} [only] the name of one package
 * @param {string} [folder]
 * @returns {ReadonlyArray<Tarball> | undefined}
 */
export const packAll = (only, folder = published) => {
  mkdirSync(folder, { recursive: true })
  const wanted = released.filter(({ source }) => only === undefined || manifestOf(source).name === only)
  const tarballs = wanted.map(({ source, tag }) => {
    const { name, version } = manifestOf(source)
    return { file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz`, name, version, tag }
  })
  writeFileSync(join(folder, "tarballs.json"), JSON.stringify(tarballs, undefined, 2))
  const isPacked = wanted.every(({ pack, source }, at) => {
    console.log(`Packing, ${at + 1} of ${wanted.length}: ${tarballs[at]?.file}`)
    // Otherwise npm lists each file on stderr, and warns of pnpm's settings.
    const quietly = { npm_config_loglevel: "error" }
    return run(`cd "${source}" && ${pack} --pack-destination "${folder}" > ${devNull}`, quietly)
  })
  return isPacked ? tarballs : undefined
}

/**
 * The lines of docs/install.md by what they are for, and that of the MCP server, with tarballs in place of names. Those for
 * Effect have all packages that any page needs. A line that lacks a tarball is left out; if none is left, each tarball has one.
 *
 * @param {ReadonlyArray<Tarball>} tarballs
 */
export const installLines = (tarballs) => {
  const page = readFileSync(join(root, "docs/install.md"), "utf8")
  const commands = page.match(/^npm install (?!").*catalog-client.*$/gm) ?? []
  const fileOf = (/** @type {Tarball} */ { file }) => JSON.stringify(`file:${join(published, file)}`)
  const all = "$& @catalog-client/browser$1 @catalog-client/oauth$1 @catalog-client/sync$1 @catalog-client/testing$1"
  const lines = [...commands, "npx -y @catalog-client/mcp --demo"].flatMap((line) => {
    const [, effect] = / effect@(\d)/.exec(line) ?? []
    const installed = line
      .replace(/@catalog-client\/node(@effect3)?/, all)
      .replaceAll(/(?<= )((?:@catalog-client\/)?[a-z-]+)(?:@(effect3))?(?= |$)/g, (word, name, tag = "latest") => {
        const tarball = tarballs.find((tarball) => tarball.name === name && tarball.tag === tag)
        return tarball === undefined ? word : fileOf(tarball)
      })
    const use = line.startsWith("npx") ? "an agent (MCP)" : effect === undefined ? "promises" : `Effect ${effect}`
    return / @?catalog-client/.test(installed) ? [] : `For ${use}:\n\n${installed}`
  })
  const forEffect = (/** @type {Tarball} */ { name, tag }) => `${name} for Effect ${tag === "effect3" ? 3 : 4}`
  return lines.length > 0 ? lines : tarballs.map((one) => `${forEffect(one)}:\n\nnpm install ${fileOf(one)}`)
}
