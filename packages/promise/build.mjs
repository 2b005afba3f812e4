// Builds the package into dist: bundles the packages for Effect 4, with the modules of replaced/ in place of some of them.
//
// npm run build:promise
import { build as bundle, transform } from "esbuild"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { rollup } from "rollup"
import { writeLicences } from "./licences.mjs"
import { writeTypes } from "./types.mjs"

const here = import.meta.dirname
const line = join(here, "../../effect4/dist")
const effect = join(here, "node_modules/effect/dist")
const replaced = join(here, "replaced")
const sources = join(here, "src/entries")

/** The entry points: a module of src/entries each. */
const entries = readdirSync(sources, { recursive: true })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(/[.]ts$/, ""))

/**
 * The file of a module: one of this package, of the packages for Effect 4, or of Effect.
 *
 * @param {string} source as it is imported
 * @param {string} importer
 */
const fileOf = (source, importer) => {
  const [, name, module = ""] = /^#(\w+)[/](.*)$/.exec(source) ?? []
  if (name !== undefined) {
    return join(line, name, "dist", module)
  }
  if (source.startsWith("effect/")) {
    return join(effect, `${source.slice("effect/".length)}.js`)
  }
  if (source.startsWith("@catalog-client/core")) {
    return join(line, "core/dist", `${source.slice("@catalog-client/core/".length) || "index"}.js`)
  }
  return source.startsWith(".") ? resolve(dirname(importer), source) : undefined
}

/**
 * The file of replaced/ for a module of the packages or of Effect.
 *
 * @param {string} file
 */
const standInFor = (file) => {
  const [, name, module] = /[/](core|node|browser|effect)[/]dist[/](.*)[.]js$/.exec(file) ?? []
  const standIn = join(replaced, name ?? "", `${module}.ts`)
  return name !== undefined && existsSync(standIn) ? standIn : undefined
}

/** @param {string} file */
const typescript = (file) => (existsSync(file) ? file : file.replace(/[.]js$/, ".ts"))

/** The inputs of the bundle. @type {Set<string>} */
const inputs = new Set()

/** undici as an ES module, without what the transport does not use. */
const undici = async () => {
  const { metafile, outputFiles } = await bundle({
    entryPoints: [join(replaced, "undici/index.js")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    minify: true,
    write: false,
    outdir: here,
    metafile: true,
    plugins: [
      {
        name: "undici",
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /web[/]fetch[/]body[.]js$/ }, () => ({ path: join(replaced, "undici/body.js") }))
          // The parser is there twice, 72 kB each; the other one runs on every processor.
          onResolve({ filter: /llhttp_simd-wasm[.]js$/ }, ({ resolveDir }) => ({
            path: join(resolveDir, "../llhttp/llhttp-wasm.js")
          }))
          // A module of CommonJS in a bundle of ES modules has no `require`.
          onLoad({ filter: /[/]undici[/]lib[/].*[.]js$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replaceAll(/require[(](?=['"]node:)/g, "process.getBuiltinModule(")
          }))
        }
      }
    ]
  })
  Object.keys(metafile.inputs).forEach((file) => inputs.add(resolve(file)))
  return outputFiles[0]?.text ?? ""
}

/** @type {import("rollup").Plugin} */
const replacing = {
  name: "replacing",
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
    return file === undefined ? null : { id: standInFor(file) ?? typescript(file), moduleSideEffects: false }
  },
  load: (id) => (id === "\0undici" ? undici() : null),
  async transform(code, id) {
    if (id === "\0undici") {
      return null
    }
    inputs.add(id)
    // Without types, and without comments but those of tree shaking.
    const loader = id.endsWith(".ts") ? "ts" : "js"
    return { code: (await transform(code, { loader, target: "es2022", legalComments: "none" })).code, map: null }
  }
}

rmSync(join(here, "dist"), { recursive: true, force: true })
const built = await rollup({
  input: Object.fromEntries(entries.map((name) => [name, join(sources, `${name}.ts`)])),
  plugins: [replacing],
  onwarn: ({ code, message }) => {
    // Effect's own modules are circular.
    if (code !== "CIRCULAR_DEPENDENCY") {
      throw new Error(message)
    }
  }
})
// CommonJS is for tools without ES modules.
for (const [format, extension] of /** @type {const} */ ([
  ["es", "js"],
  ["cjs", "cjs"]
])) {
  await built.write({
    dir: join(here, "dist"),
    format,
    generatedCode: "es2015",
    dynamicImportInCjs: false,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name]-[hash].${extension}`
  })
}
writeLicences([...inputs], here)
await writeTypes(entries)
