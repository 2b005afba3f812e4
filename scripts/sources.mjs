// Runs programs over Effect 3 without a build: they are bundled with the sources of the packages.
import { join, parse } from "node:path"
import { pathToFileURL } from "node:url"
import { allFolders, effectFolders, manifestOf, root } from "./workspace.mjs"

/** @typedef {{ default: string, node?: { default: string } }} Entry What Node imports of a package. */

/** The source of each module of the packages, by the name that imports it. */
const sources = () => {
  /** @type {Record<string, string>} */
  const files = {}
  for (const folder of allFolders) {
    const { name, exports, imports } = manifestOf(join(root, "packages", folder))
    const entries = folder === "promise" ? "src/entries/" : "src/"
    for (const [key, entry] of /** @type {Array<[string, Entry]>} */ (Object.entries({ ...exports, ...imports }))) {
      if (key !== "./package.json") {
        const { default: built } = entry.node ?? entry
        const source = built.replace("./dist/", entries).replace(/js$/, "ts")
        files[key.replace(/^[.]/, name)] = join(root, "packages", folder, source)
      }
    }
  }
  return files
}

/**
 * What `catalog-client` imports of the packages, for example `#core/Catalog.js`, is a source, too.
 *
 * @type {import("esbuild").Plugin}
 */
const modulesOfPackages = {
  name: "modules-of-packages",
  setup: (builder) =>
    builder.onResolve({ filter: new RegExp(`^#(${effectFolders.join("|")})/`) }, ({ path }) => {
      const [name = "", ...module] = path.slice(1).split("/")
      return { path: join(root, "packages", name, "src", module.join("/").replace(/js$/, "ts")) }
    })
}

/**
 * Data is JSON among the sources, and a module once it is built.
 *
 * @type {import("esbuild").Plugin}
 */
const data = {
  name: "data",
  setup: (builder) =>
    builder.onResolve({ filter: /[/](comments|sample)[.]js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/js$/, "json"))
    }))
}

/**
 * Bundles a program. What it imports by name stays outside, except the packages that `alias` names.
 *
 * @param {string} entry
 * @param {string} outfile
 * @param {Record<string, string>} [alias]
 */
export const bundle = async (entry, outfile, alias = {}) => {
  // It is there once the packages are installed.
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    alias,
    plugins: [modulesOfPackages, data],
    format: "esm",
    target: "node20",
    sourcemap: "linked",
    // Node reads the lines of a stack trace from the files themselves.
    sourcesContent: false
  })
}

/**
 * Runs a program in this process; ends the process if it cannot be bundled.
 *
 * @param {string} file a path in the repository, or an absolute one
 */
export const runFromSources = async (file) => {
  console.log(`Bundling ${file} with the sources of the packages, without checking types…`)
  const outfile = join(root, ".cache/programs", `${parse(file).name}.js`)
  // esbuild has printed why.
  await bundle(file, outfile, sources()).catch(() => process.exit(1))
  // A stack trace then names the program's own lines.
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(outfile).href)
}
