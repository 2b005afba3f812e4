// Builds the package into dist: bundles the packages for Effect 4, with the modules of replaced/ in place of some of them.
//
// node packages/promise/build.mjs
import { build as bundle, transform } from "esbuild"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { rollup } from "rollup"
import { parseAst } from "rollup/parseAst"
import { writeLicences } from "../../scripts/generate/licences.mjs"
import { manifestOf, packageNames, replaceOnce } from "../../scripts/setup.mjs"

const here = import.meta.dirname
const effect4Dist = join(here, "../../effect4/dist")
const effect = join(here, "../../effect4/node_modules/effect/dist")
const replaced = join(here, "replaced")
/** The sources of this package, for Effect 4. */
const sources = join(effect4Dist, "promise/build/entries")
/** @type {{ readonly version: string }} */
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"))

/** The entry points: a module of src/entries each. */
const entries = readdirSync(join(here, "src/entries"), { recursive: true })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replace(/[.]ts$/, ""))

/**
 * Each package for Effect 4 has a copy of what it uses of effect4/names, and the bundle has one for all.
 *
 * @param {string} file
 */
const oneOf = (file) => {
  const [, module] = /[/]dist[/]\w+[/](?:dist|build)[/]effect[/](\w+[.]js)$/.exec(file) ?? []
  const owner = packageNames.find(
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
    return join(replaced, `${source.slice(1)}.ts`)
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
  return source.startsWith(".") ? oneOf(resolve(dirname(importer), source)) : undefined
}

/**
 * The counterpart of a module of the packages or of Effect: a file of replaced/.
 *
 * @param {string} file
 */
const counterpartOf = (file) => {
  const [, name = "", module = ""] = /^.*[/](\w+)[/]dist[/](.*)[.]js$/.exec(file) ?? []
  const ofNames = name !== "effect" && /^effect[/](\w+)$/.exec(module)
  const counterpart = join(replaced, ofNames ? `names/${ofNames[1]}.ts` : `${name}/${module}.ts`)
  return existsSync(counterpart) ? counterpart : undefined
}

/**
 * The source of a module of Effect without the declarations that replaced/parts has in their place.
 *
 * @param {string} id
 * @param {string} code
 */
const withParts = (id, code) => {
  const module = id.slice(effect.length + 1, -".js".length)
  const parts = join(replaced, "parts", `${module}.ts`)
  if (!existsSync(parts)) {
    return code
  }
  const names = [...readFileSync(parts, "utf8").matchAll(/^export (?:const|class) (\w+)/gm)].map(
    ([, name = ""]) => name
  )
  const { body } = parseAst(code)
  const declarations = names.map((name) => {
    const found = body.find((node) => {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
      return declaration?.type === "VariableDeclaration"
        ? declaration.declarations.some(({ id }) => id.type === "Identifier" && id.name === name)
        : declaration?.type === "ClassDeclaration" && declaration.id.name === name
    })
    if (found === undefined) {
      throw new Error(`effect/${module} has no ${name}, which replaced/parts would replace`)
    }
    return found
  })
  const rest = declarations
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end, start }) => text.slice(0, start) + text.slice(end), code)
  return `import { ${names.join()} } from "#parts/${module}";\nexport { ${names.join()} };\n${rest}`
}

/** @param {string} file */
const typescript = (file) => (existsSync(file) ? file : file.replace(/[.]js$/, ".ts"))

/** The inputs of the bundle. @type {Set<string>} */
const inputs = new Set()

/** How often a bundle changes what others have written. Another version of it can need another change, or none. */
const expectedChanges = {
  "effect: an assignment to a property of an error": 12,
  "undici: an assignment to a property of an error": 49,
  "undici: a require of a module of Node": 17,
  "undici: an import of a module that another one replaces": 6
}

/** @typedef {keyof typeof expectedChanges} Change */

/** How often each was made in this bundle. @type {Map<string, number>} */
const changes = new Map()

/**
 * @param {Change} change
 * @param {number} times
 */
const count = (change, times) => changes.set(change, (changes.get(change) ?? 0) + times)

/**
 * @param {Change} change
 * @param {string} code
 * @param {RegExp} pattern
 * @param {string} replacement
 */
const replaceCounted = (change, code, pattern, replacement) => {
  count(change, code.match(pattern)?.length ?? 0)
  return code.replaceAll(pattern, replacement)
}

const checkChanges = () => {
  for (const [change, expected] of Object.entries(expectedChanges)) {
    const found = changes.get(change) ?? 0
    if (found !== expected) {
      throw new Error(
        `${change}: there were ${found}, not ${expected}. See what is new, then set the number in packages/promise/build.mjs`
      )
    }
  }
  changes.clear()
}

/**
 * Sources of others with properties of errors that are defined, not assigned: an assignment throws if the program has frozen
 * `Error.prototype`.
 *
 * @param {"effect" | "undici"} owner
 * @param {string} code
 */
const definingNames = (owner, code) =>
  replaceCounted(
    `${owner}: an assignment to a property of an error`,
    code,
    /\b(this|error|cause|Base[.]prototype)[.](name|message|cause) = (.+?);?$/gm,
    'Object.defineProperty($1, "$2", { value: $3, writable: true, configurable: true });'
  )

/**
 * The source of a module, as this package needs it.
 *
 * @param {string} id
 * @param {string} code
 */
const adapted = (id, code) => {
  if (id.startsWith(effect)) {
    return definingNames("effect", withParts(id, code))
  }
  if (/(?<!\$)[{,]\s*concurrency\s*(?:[,}]|:(?! (?:1|undefined)\b))/.test(code)) {
    throw new Error(`${id} asks for concurrency, which replaced/parts/internal/effect.ts does not have`)
  }
  if (id === join(effect4Dist, "node/dist/userAgent.js")) {
    return replaceOnce(
      code,
      `catalog-client/${manifestOf(join(effect4Dist, "node")).version}`,
      `catalog-client/${version}`
    )
  }
  // A bundler of a page does not see that the parts of a Schema have no effects.
  return /[/]core[/]dist[/](?:model[/]|forum[.]js)/.test(id)
    ? code.replaceAll(/\b(?:array|list|optional|union)[(]/g, "/*#__PURE__*/$&")
    : code
}

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
        setup: (builder) => {
          /**
           * @param {RegExp} filter
           * @param {string} path from `replaced/undici`, or from the folder of the importer
           */
          const replace = (filter, path) =>
            builder.onResolve({ filter }, ({ resolveDir }) => {
              count("undici: an import of a module that another one replaces", 1)
              return { path: join(path.startsWith("..") ? resolveDir : join(replaced, "undici"), path) }
            })
          replace(/web[/]fetch[/]body[.]js$/, "body.js")
          replace(/[/]diagnostics([.]js)?$/, "diagnostics.cjs")
          replace(/client-h2[.]js$/, "h2.cjs")
          // The parser is there twice, 72 kB each; the other one runs on every processor.
          replace(/llhttp_simd-wasm[.]js$/, "../llhttp/llhttp-wasm.js")
          // A module of CommonJS in a bundle of ES modules has no `require`.
          builder.onLoad({ filter: /[/]undici[/]lib[/].*[.]js$/ }, ({ path }) => ({
            contents: replaceCounted(
              "undici: a require of a module of Node",
              definingNames("undici", readFileSync(path, "utf8")),
              /require[(](?=['"]node:)/g,
              "process.getBuiltinModule("
            )
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
    return file === undefined
      ? null
      : { id: counterpartOf(file) ?? typescript(file), moduleSideEffects: source === "#testing/node/bin.js" }
  },
  load: (id) => (id === "\0undici" ? undici() : null),
  async transform(code, id) {
    if (id === "\0undici") {
      return null
    }
    inputs.add(id)
    // Without types, and without comments but those of tree shaking.
    const loader = id.endsWith(".ts") ? "ts" : "js"
    return {
      code: (await transform(adapted(id, code), { loader, target: "es2022", legalComments: "none" })).code,
      map: null
    }
  }
}

/** Both formats in one tarball: nobody reads this one. @type {import("rollup").OutputPlugin} */
const withoutSpace = {
  name: "without-space",
  renderChunk: async (code) => ({
    code: (await transform(code, { minifySyntax: true, minifyWhitespace: true })).code,
    map: null
  })
}

/** The command is an ES module alone. @type {import("rollup").OutputPlugin} */
const withoutBin = {
  name: "without-bin",
  generateBundle(_, bundle) {
    delete bundle["bin.cjs"]
  }
}

/** The optional package stays an import in CommonJS, too, with the comment for bundlers that `withoutSpace` has removed. */
const open = {
  name: "open",
  renderDynamicImport: (/** @type {{ targetModuleId: string | null }} */ { targetModuleId }) =>
    targetModuleId === "open" ? { left: "import(", right: ")" } : null,
  renderChunk: (/** @type {string} */ code) => ({
    code: code.replaceAll(/\bimport[(](?=["']open["'][)])/g, "import(/* webpackIgnore: true */ "),
    map: null
  })
}

/** What both formats have in common. @type {import("rollup").OutputOptions} */
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
    plugins: [replacing],
    // A counterpart has only what the bundle uses; the check is below.
    shimMissingExports: true,
    onwarn: ({ code, id = "", message }) => {
      // Effect's own modules are circular.
      if (code !== "CIRCULAR_DEPENDENCY" && code !== "SHIMMED_EXPORT") {
        warnings.set(id, message)
      }
    }
  })
  checkChanges()
  const ofClient = await modulesOfClient(graph)
  for (const format of formats) {
    const { output } = await graph.write({ ...format, manualChunks: (id) => (ofClient.has(id) ? "client" : undefined) })
    for (const { code, fileName, modules } of output.filter((file) => file.type === "chunk")) {
      const wrong = Object.keys(modules).find((id) => (modules[id]?.renderedLength ?? 0) > 0 && warnings.has(id))
      if (wrong !== undefined || code.includes("_missingExportShim")) {
        throw new Error(warnings.get(wrong) ?? `${fileName} uses an export that a file of replaced/ does not have`)
      }
    }
  }
}

/** What the bundle is made from: if nothing of it has changed, the last one stays, also for what reads it meanwhile. */
const fingerprint = () => {
  const hash = createHash("sha256")
  const folders = packageNames.flatMap((name) => [
    join(effect4Dist, name, "dist"),
    join(here, "..", name, "dist"),
    join(here, "..", name, "src")
  ])
  for (const folder of [...folders, join(here, "src"), join(effect4Dist, "promise/src"), replaced]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /[.][cm]?[jt]s$/.test(entry.name)) {
        hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
      }
    }
  }
  const scripts = readdirSync(here).filter((file) => file.endsWith(".mjs"))
  for (const file of [...scripts, "package.json", "tsconfig.json"]) {
    hash.update(readFileSync(join(here, file)))
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
