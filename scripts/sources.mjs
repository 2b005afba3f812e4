// Runs programs on the packages for Effect 3 without a build: they are bundled with their sources.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { manifestOf, packageNames, root } from "./setup.mjs"

/** The source of each module of the packages, by the name that imports it. */
const sources = () => {
  /** @type {Record<string, string>} */
  const files = {}
  for (const folder of packageNames) {
    const { name, exports, imports } = manifestOf(join(root, "packages", folder))
    for (const [key, { default: built }] of Object.entries({ ...exports, ...imports })) {
      if (key !== "./package.json") {
        const source = built.replace("./dist/", "src/").replace(/js$/, "ts")
        files[key.replace(/^[.]/, name)] = join(root, "packages", folder, source)
      }
    }
  }
  return files
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
    plugins: [data],
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
  // Where what the packages depend on is found.
  const outfile = join(root, "examples/.cache", `${name}.js`)
  await bundle(`examples/${name}.ts`, outfile, sources())
  await import(pathToFileURL(outfile).href)
}
