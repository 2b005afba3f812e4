// Bundles the declarations of the package: each module is as `promiseDeclarations.mjs` writes it.
import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import { declarationsOf, fileOfImport } from "./promiseDeclarations.mjs"

const here = import.meta.dirname
const dist = join(here, "dist")

/** @param {string} module */
const declarationPath = (module) => join(here, `build/${module}.d.ts`)

const subpathNames = "anime forum handlers manga postgres queries redis sqlite telemetry user".split(" ")
/**
 * The declarations of each subpath are those of Node: every platform exports the same names.
 *
 * @type {Record<string, string>}
 */
const subpaths = {
  ...Object.fromEntries(subpathNames.map((name) => [name, declarationPath(`entries/${name}`)])),
  index: declarationPath("entries/node"),
  oauth: declarationPath("oauthTypes"),
  sync: declarationPath("entries/sync/node"),
  testing: declarationPath("entries/testing/node")
}
/** A namespace has a file: inlined, its members would have other names in an editor, and no doc comments. */
const namespaces = ["EmbeddedCatalog", "Fields", "Operation", "Resilience", "../../testing/dist/TestError"].map(
  declarationPath
)

/** @param {string} file */
const nameOf = (file) => basename(file, ".d.ts")

/** @type {import("rollup").Plugin} */
const modules = {
  name: "modules",
  resolveId(source, importer = "") {
    const file = importer === "" ? source : fileOfImport(source, importer)
    return file !== undefined && namespaces.includes(file) && ["index", "testing"].includes(nameOf(importer))
      ? { id: `${nameOf(file)}.cjs`, external: true }
      : file
  },
  load: declarationsOf
}

export const writeTypes = async () => {
  const built = await rollup({
    input: { ...subpaths, ...Object.fromEntries(namespaces.map((file) => [nameOf(file), file])) },
    shimMissingExports: true,
    plugins: [modules, dts()],
    // Most are about what nothing uses. `npm run types` finds what is undeclared, or of Effect.
    onwarn: () => {}
  })
  await built.write({
    dir: dist,
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name].d.cts",
    paths: (id) => `./${id}`,
    // Two types with one name are in two files: in one file, an editor would show the second one with a number.
    manualChunks: (id) => {
      const isInThisPackage = /[/]promise[/]build[/](?:entries[/]|oauth|createSession[.]|sync[.])/.test(id)
      return isInThisPackage ? undefined : /testing|EmbeddedCatalog|Recorder|serve/.test(id) ? "embedded" : "types"
    },
    banner: '/// <reference lib="esnext.disposable" />'
  })
  // A module of ES can export what one of CommonJS declares, and not the other way round: both have the same types.
  Object.keys(subpaths).forEach((name) => writeFileSync(join(dist, `${name}.d.ts`), `export * from "./${name}.cjs"\n`))
}
