// Builds the package into dist: bundles the packages for Effect 4, with the modules of counterparts/ in place of some of
// them, and with the patches of patches.mjs.
//
// node packages/promise/build.mjs
import { transform } from "esbuild"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { rollup } from "rollup"
import { writeLicences } from "./licences.mjs"
import { effectFolders, manifestOf, root } from "../../scripts/workspace.mjs"
import { bundleUndici, checkPatches, patchSource } from "./patches.mjs"

const here = import.meta.dirname
const effect4Dist = join(here, "../../effect4/dist")
const effect = join(here, "../../effect4/node_modules/effect/dist")
const counterparts = join(here, "counterparts")
/** The sources of this package, for Effect 4. */
const sources = join(effect4Dist, "promise/build/entries")

/** The entry points: a module of src/entries each. */
const entries = readdirSync(join(here, "src/entries"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(/[.]ts$/, ""))

/**
 * Each package for Effect 4 has copies of the modules of effect4/names that it uses. The bundle takes the first copy of
 * each.
 *
 * @param {string} file
 */
const firstCopyOf = (file) => {
  const [, module] = /[/]dist[/]\w+[/](?:dist|build)[/]effect[/](\w+[.]js)$/.exec(file) ?? []
  const owner = effectFolders.find(
    (name) => module !== undefined && existsSync(join(effect4Dist, name, "dist/effect", module))
  )
  return owner === undefined ? file : join(effect4Dist, owner, "dist/effect", module ?? "")
}

/**
 * The file of a module: one of this package, of the packages for Effect 4, or of Effect.
 *
 * @param {string} source as it is imported
 * @param {string} importer
 */
const fileOf = (source, importer) => {
  if (source.startsWith("#parts/")) {
    return join(counterparts, `${source.slice(1)}.ts`)
  }
  const [, name, module = ""] = /^#(\w+)[/](.*)$/.exec(source) ?? []
  if (name !== undefined) {
    return join(effect4Dist, name, name === "promise" ? "build" : "dist", module)
  }
  if (source.startsWith("effect/")) {
    return join(effect, `${source.slice("effect/".length)}.js`)
  }
  const [, own, subpath = ""] = /^@catalog-client[/](\w+)(.*)$/.exec(source) ?? []
  if (own !== undefined) {
    const exported = manifestOf(join(effect4Dist, own)).exports[`.${subpath}`]
    return exported && join(effect4Dist, own, exported.default)
  }
  return source.startsWith(".") ? firstCopyOf(resolve(dirname(importer), source)) : undefined
}

/**
 * The counterpart of a module of the packages or of Effect: a file of counterparts/.
 *
 * @param {string} file
 */
const counterpartOf = (file) => {
  const [, name = "", module = ""] = /^.*[/](\w+)[/]dist[/](.*)[.]js$/.exec(file) ?? []
  const ofNames = name !== "effect" && /^effect[/](\w+)$/.exec(module)
  const counterpart = join(counterparts, ofNames ? `names/${ofNames[1]}.ts` : `${name}/${module}.ts`)
  return existsSync(counterpart) ? counterpart : undefined
}

/**
 * The file that exists: counterparts import `.js`, and exist only as `.ts`.
 *
 * @param {string} file
 */
const sourceOf = (file) => (existsSync(file) ? file : file.replace(/[.]js$/, ".ts"))

/**
 * The inputs of the bundle.
 *
 * @type {Set<string>}
 */
const inputs = new Set()

/**
 * Which file a module is, and how its source is changed.
 *
 * @type {import("rollup").Plugin}
 */
const modules = {
  name: "modules",
  resolveId(source, importer) {
    if (importer === undefined) {
      return null
    }
    if (source === "undici") {
      return { id: "\0undici", moduleSideEffects: false }
    }
    if (source.startsWith("node:") || source === "open") {
      return { id: source, external: true }
    }
    const file = fileOf(source, importer)
    return file === undefined
      ? null
      : { id: counterpartOf(file) ?? sourceOf(file), moduleSideEffects: source === "#testing/node/bin.js" }
  },
  load: async (id) => {
    if (id !== "\0undici") {
      return null
    }
    const { code, files } = await bundleUndici()
    files.forEach((file) => inputs.add(file))
    return code
  },
  async transform(code, id) {
    if (id === "\0undici") {
      return null
    }
    inputs.add(id)
    // Without types, and without comments but those of tree shaking.
    const loader = id.endsWith(".ts") ? "ts" : "js"
    return {
      code: (await transform(patchSource(id, code), { loader, target: "es2022", legalComments: "none" })).code,
      map: null
    }
  }
}

/**
 * CommonJS files are minified: the same code is readable in the ES modules of the tarball.
 *
 * @type {import("rollup").OutputPlugin}
 */
const withoutSpace = {
  name: "without-space",
  renderChunk: async (code) => ({
    code: (await transform(code, { minifySyntax: true, minifyWhitespace: true })).code,
    map: null
  })
}

/**
 * The command is an ES module alone.
 *
 * @type {import("rollup").OutputPlugin}
 */
const withoutBin = {
  name: "without-bin",
  generateBundle(_, bundle) {
    delete bundle["bin.cjs"]
  }
}

/** The optional package stays an import in CommonJS, too, with the comment for bundlers that `withoutSpace` removed. */
const open = {
  name: "open",
  renderDynamicImport: (/** @type {{ targetModuleId: string | null }} */ { targetModuleId }) =>
    targetModuleId === "open" ? { left: "import(", right: ")" } : null,
  renderChunk: (/** @type {string} */ code) => ({
    code: code.replaceAll(/\bimport[(](?=["']open["'][)])/g, "import(/* webpackIgnore: true */ "),
    map: null
  })
}

/**
 * What both formats have in common.
 *
 * @type {import("rollup").OutputOptions}
 */
const shared = {
  dir: join(here, "dist"),
  generatedCode: { preset: "es2015", symbols: false },
  onlyExplicitManualChunks: true
}

/** @type {ReadonlyArray<import("rollup").OutputOptions>} */
const formats = [
  {
    ...shared,
    format: "es",
    banner: ({ name }) => (name === "bin" ? "#!/usr/bin/env node" : ""),
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js"
  },
  // For tools without ES modules.
  {
    ...shared,
    format: "cjs",
    dynamicImportInCjs: false,
    plugins: [withoutSpace, open, withoutBin],
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs"
  }
]

/**
 * The modules of the chunks that the client loads at once. They become one chunk: Node takes half as long to load it.
 *
 * @param {import("rollup").RollupBuild} graph
 */
const modulesOfClient = async (graph) => {
  const chunks = (await graph.generate(shared)).output.filter((file) => file.type === "chunk")
  const client = chunks.find(({ name }) => name === "fetch")
  const loaded = chunks.filter(({ fileName }) => client?.imports.includes(fileName))
  return new Set(loaded.flatMap(({ modules }) => Object.keys(modules)))
}

/** Bundles the entry points, in both formats. */
const writeModules = async () => {
  /** What is wrong with a module: it counts if something of the module is in the bundle. */
  const warnings = new Map()
  const graph = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, join(sources, `${name}.js`)])),
    plugins: [modules],
    // A counterpart has only what the bundle uses; the check is below.
    shimMissingExports: true,
    onwarn: ({ code, id = "", message }) => {
      // Effect's own modules are circular.
      if (code !== "CIRCULAR_DEPENDENCY" && code !== "SHIMMED_EXPORT") {
        warnings.set(id, message)
      }
    }
  })
  checkPatches()
  const ofClient = await modulesOfClient(graph)
  for (const format of formats) {
    const { output } = await graph.write({ ...format, manualChunks: (id) => (ofClient.has(id) ? "client" : undefined) })
    for (const { code, fileName, modules } of output.filter((file) => file.type === "chunk")) {
      const wrong = Object.keys(modules).find((id) => (modules[id]?.renderedLength ?? 0) > 0 && warnings.has(id))
      if (wrong !== undefined || code.includes("_missingExportShim")) {
        throw new Error(warnings.get(wrong) ?? `${fileName} uses an export that a file of counterparts/ does not have`)
      }
    }
  }
}

/** What the bundle is made from: if nothing of it has changed, the last one stays, also for what reads it meanwhile. */
const fingerprint = () => {
  const hash = createHash("sha256")
  const folders = effectFolders.flatMap((name) => [
    join(effect4Dist, name, "dist"),
    join(here, "..", name, "dist"),
    join(here, "..", name, "src")
  ])
  const own = ["src", "counterparts", "examples"].map((folder) => join(here, folder))
  const sources = [...folders, ...own, join(effect4Dist, "promise/src")].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /[.][cm]?[jt]s$/.test(file))
      .map((file) => join(folder, file))
  )
  const scripts = readdirSync(here).filter((file) => file.endsWith(".mjs"))
  const others = [...scripts, "package.json", "tsconfig.json"].map((file) => join(here, file))
  // The lockfile has the versions of what is bundled, Effect 4 and undici, and of what bundles it.
  const shared = ["LICENSE", "pnpm-lock.yaml"].map((file) => join(root, file))
  for (const file of [...sources, ...others, ...shared]) {
    hash.update(relative(root, file)).update(readFileSync(file))
  }
  return hash.digest("hex")
}

const build = async () => {
  rmSync(join(here, "dist"), { recursive: true, force: true })
  await writeModules()
  writeLicences([...inputs], here)
  // Its imports read the declarations of all packages.
  const { writeTypes } = await import("./types.mjs")
  await writeTypes()
}

const stamp = join(here, "dist/.inputs")
const expected = fingerprint()
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== expected) {
  await build()
  writeFileSync(stamp, expected)
}
