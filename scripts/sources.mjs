// Runs programs over Effect 3 without a build: they are bundled with the sources of the packages.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { manifestOf, packageNames, root } from "./setup.mjs"

/** @typedef {{ readonly default: string, readonly node?: { readonly default: string } }} Entry What Node imports of a package. */

/** The source of each module of the packages, by the name that imports it. */
const sources = () => {
  /** @type {Record<string, string>} */
  const files = {}
  for (const folder of [...packageNames, "promise"]) {
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
    builder.onResolve({ filter: new RegExp(`^#(${packageNames.join("|")})/`) }, ({ path }) => {
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
    target: "node20"
  })
}

/**
 * Runs a program of examples/ in this process.
 *
 * @param {string} name
 */
export const runFromSources = async (name) => {
  console.log(`Bundling examples/${name}.ts with the sources of the packages…`)
  const outfile = join(root, ".cache/programs", `${name}.js`)
  await bundle(`examples/${name}.ts`, outfile, sources())
  await import(pathToFileURL(outfile).href)
}
