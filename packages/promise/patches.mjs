// What the bundle changes in the sources of modules, each change with its reason. What a whole file or a declaration can
// replace is in counterparts/ instead.
import { build } from "esbuild"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseAst } from "rollup/parseAst"
import { manifestOf } from "../../scripts/workspace.mjs"

const here = import.meta.dirname
const counterparts = join(here, "counterparts")

const effectFiles = /[/]effect4[/]node_modules[/]effect[/]dist[/]/
const undiciFiles = /[/]undici[/]lib[/].*[.]js$/
const assignment = /\b(this|error|cause|Base[.]prototype)[.](name|message|cause) = (.+?);?$/gm
const definition = 'Object.defineProperty($1, "$2", { value: $3, writable: true, configurable: true });'

/**
 * @typedef {object} Patch
 * @property {string} name
 * @property {RegExp} of the files that have such places
 * @property {RegExp} from
 * @property {string} to
 * @property {number} times how many places there are: another version can need another patch
 */

/** @type {ReadonlyArray<Patch>} */
const patches = [
  // An assignment throws if the program has frozen `Error.prototype`. A test freezes it.
  { name: "a property of an error of Effect", of: effectFiles, from: assignment, to: definition, times: 12 },
  { name: "a property of an error of undici", of: undiciFiles, from: assignment, to: definition, times: 49 },
  // If many calls at once outlive a garbage collection, V8 allocates what this literal makes among the old objects from then
  // on. There it keeps its observer, the fiber and the reply until the next full collection, even after they have ended.
  {
    name: "the observers of a fiber",
    of: effectFiles,
    from: /(?<=_observers = )\[cb\]/g,
    to: "Array.of(cb)",
    times: 1
  },
  // A module of CommonJS in a bundle of ES modules has no `require`: without this, undici would not load.
  {
    name: "a require of undici",
    of: undiciFiles,
    from: /require[(](?=['"]node:)/g,
    to: "process.getBuiltinModule(",
    times: 17
  },
  // Requests name the package that the program has installed. A test reads the header.
  {
    name: "the version in User-Agent",
    of: /[/]node[/]dist[/]userAgent[.]js$/,
    from: /catalog-client[/]\d[^"]+/g,
    to: `catalog-client/${manifestOf(here).version}`,
    times: 1
  }
]

/**
 * Imports of undici that get a counterpart, or another module of undici.
 *
 * @type {ReadonlyArray<[RegExp, string]>}
 */
const importsOfUndici = [
  [/web[/]fetch[/]body[.]js$/, "body.js"],
  [/[/]diagnostics([.]js)?$/, "diagnostics.cjs"],
  [/client-h2[.]js$/, "h2.cjs"],
  // The parser is there twice, 72 kB each; the other one runs on every processor.
  [/llhttp_simd-wasm[.]js$/, "../llhttp/llhttp-wasm.js"]
]
const importOfUndici = { name: "an import of undici", times: 6 }

/**
 * How often each patch was made in this bundle.
 *
 * @type {Map<string, number>}
 */
const made = new Map()

/**
 * @param {string} name
 * @param {number} times
 */
const count = (name, times) => made.set(name, (made.get(name) ?? 0) + times)

/** Throws if the modules of others have more or fewer places for a patch than those that were read for it. */
export const checkPatches = () => {
  for (const { name, times } of [...patches, importOfUndici]) {
    const found = made.get(name) ?? 0
    if (found !== times) {
      throw new Error(
        `${name}: there were ${found}, not ${times}. See what is new, then set the number in packages/promise/patches.mjs`
      )
    }
  }
}

/**
 * The source of a module of Effect without the declarations that counterparts/parts has in their place.
 *
 * @param {string} file
 * @param {string} text
 */
const withParts = (file, text) => {
  const module = file.replace(/^.*[/]effect[/]dist[/]|[.]js$/g, "")
  const parts = join(counterparts, "parts", `${module}.ts`)
  if (!existsSync(parts)) {
    return text
  }
  const names = [...readFileSync(parts, "utf8").matchAll(/^export (?:const|class) (\w+)/gm)].map(
    ([, name = ""]) => name
  )
  const { body } = parseAst(text)
  const declarations = names.map((name) => {
    const found = body.find((node) => {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
      return declaration?.type === "VariableDeclaration"
        ? declaration.declarations.some(({ id }) => id.type === "Identifier" && id.name === name)
        : declaration?.type === "ClassDeclaration" && declaration.id.name === name
    })
    if (found === undefined) {
      throw new Error(`effect/${module} has no ${name}, which counterparts/parts would replace`)
    }
    // Every node has its place, but Rollup declares only that of the program.
    return /** @type {typeof found & { readonly start: number, readonly end: number }} */ (found)
  })
  const rest = declarations
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end, start }) => text.slice(0, start) + text.slice(end), text)
  return `import { ${names.join()} } from "#parts/${module}";\nexport { ${names.join()} };\n${rest}`
}

/**
 * @typedef {object} Node A node, as ESTree has it.
 * @property {string} type
 * @property {{ readonly name?: string }} [key]
 * @property {{ readonly name?: string, readonly value?: unknown }} [value]
 */

/**
 * Whether an object of a module has a `concurrency` other than `1` or `undefined`.
 *
 * @param {unknown} node
 * @returns {boolean}
 */
const isConcurrent = (node) => {
  if (typeof node !== "object" || node === null) {
    return false
  }
  const { key, type, value } = /** @type {Node} */ (node)
  return type === "Property" && key?.name === "concurrency"
    ? value?.value !== 1 && value?.name !== "undefined"
    : type !== "ObjectPattern" && Object.values(node).some(isConcurrent)
}

/**
 * The source of a module, as this package needs it.
 *
 * @param {string} file
 * @param {string} text
 */
export const patchSource = (file, text) => {
  const isInEffect = effectFiles.test(file)
  if (!isInEffect && text.includes("concurrency") && isConcurrent(parseAst(text))) {
    throw new Error(`${file} asks for concurrency, which counterparts/parts/internal/effect.ts does not have`)
  }
  return patches
    .filter(({ of }) => of.test(file))
    .reduce(
      (text, { name, from, to }) => {
        count(name, text.match(from)?.length ?? 0)
        return text.replaceAll(from, to)
      },
      isInEffect ? withParts(file, text) : text
    )
}

/** undici as an ES module without what the transport does not use, and the files that it is made of. */
export const bundleUndici = async () => {
  const folder = join(counterparts, "undici")
  const { metafile, outputFiles } = await build({
    entryPoints: [join(folder, "index.js")],
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
        name: "patches",
        setup: (builder) => {
          for (const [filter, module] of importsOfUndici) {
            builder.onResolve({ filter }, ({ resolveDir }) => {
              count(importOfUndici.name, 1)
              return { path: join(module.startsWith("..") ? resolveDir : folder, module) }
            })
          }
          builder.onLoad({ filter: undiciFiles }, ({ path }) => ({
            contents: patchSource(path, readFileSync(path, "utf8"))
          }))
        }
      }
    ]
  })
  return { code: outputFiles[0]?.text ?? "", files: Object.keys(metafile.inputs).map((file) => resolve(file)) }
}
