// Bundles the declarations of the package: each module is as `declarations.mjs` writes it.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import ts from "typescript"
import { declarationsOf, failOn, fileOf, namespaces } from "./declarations.mjs"

const sources = join(import.meta.dirname, "build")
const dist = join(import.meta.dirname, "dist")

const all = (from) => `export * from "${from}"\n`
const domains = ["anime", "forum", "handlers", "manga", "postgres", "queries", "redis", "sqlite", "telemetry", "user"]
const stores = 'export { localTokenStore, sessionTokenStore } from "#oauth/browser/stores.js"'
/** The declarations of each subpath: those of Node, with what only a page has. Every platform exports the same names. */
const subpaths = [
  ...domains.map((name) => [name, all(`./entries/${name}.js`)]),
  ["index", all("./entries/node.js")],
  ["oauth", all("./entries/oauth/node.js") + stores],
  ["sync", all("./entries/sync/node.js")],
  ["testing", all("./entries/testing/node.js")]
]
// A namespace has a file: inlined, its members would have other names in an editor, and no doc comments.
const entries = [...subpaths, ...namespaces.map(([name, file]) => [name, all(file)])]
const idOf = (name) => join(sources, `${name}.entry.d.ts`)
const texts = new Map(entries.map(([name, text]) => [idOf(name), text]))

/** @type {import("rollup").Plugin} */
const modules = {
  name: "modules",
  resolveId: (source, importer) => (importer && !source.startsWith("namespace:") ? fileOf(source, importer) : source),
  load: (id) => texts.get(id) ?? declarationsOf(id)
}

/** Of declarations that nothing uses: what is used is checked below. */
const expected = ["CIRCULAR_DEPENDENCY", "MISSING_EXPORT", "SHIMMED_EXPORT", "UNUSED_EXTERNAL_IMPORT", "PLUGIN_WARNING"]

export const writeTypes = async () => {
  const built = await rollup({
    input: Object.fromEntries(entries.map(([name]) => [name, idOf(name)])),
    external: /^namespace:/,
    shimMissingExports: true,
    plugins: [modules, dts()],
    onwarn: ({ code, message }) => {
      if (!expected.includes(code)) {
        throw new Error(message)
      }
    }
  })
  const { output } = await built.write({
    dir: dist,
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name].d.cts",
    paths: (id) => id.replace(/^namespace:(.*)/, "./$1.cjs"),
    // Two types with one name are in two files: in one file, an editor would show the second one with a number.
    manualChunks: (id) => {
      const isOwn = texts.has(id) || /[/]promise[/]build[/](?:entries[/]|oauth|createSession[.])/.test(id)
      return isOwn ? undefined : /testing|EmbeddedCatalog|Recorder|serve/.test(id) ? "embedded" : "types"
    },
    banner: '/// <reference lib="esnext.disposable" />'
  })
  // A module of ES can export what one of CommonJS declares, and not the other way round: both have the same types.
  subpaths.forEach(([name]) => writeFileSync(join(dist, `${name}.d.ts`), all(`./${name}.cjs`)))
  // What is undeclared, or of Effect, is an error.
  const files = output.map(({ fileName }) => join(dist, fileName))
  const options = { module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, skipDefaultLibCheck: true, types: [] }
  failOn(ts.getPreEmitDiagnostics(ts.createProgram(files, { ...options, target: ts.ScriptTarget.ES2022 })))
}
