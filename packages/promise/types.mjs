// Bundles the declarations of the package: each module is as `declarations.mjs` writes it.
import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import { declarationsOf, fileOf } from "./declarations.mjs"

const here = import.meta.dirname
const dist = join(here, "dist")

/** @param {string} module */
const fileAt = (module) => join(here, `build/${module}.d.ts`)

const names = "anime forum handlers manga postgres queries redis sqlite telemetry user".split(" ")
/**
 * The declarations of each subpath are those of Node: every platform exports the same names.
 *
 * @type {Record<string, string>}
 */
const subpaths = {
  ...Object.fromEntries(names.map((name) => [name, fileAt(`entries/${name}`)])),
  index: fileAt("entries/node"),
  oauth: fileAt("oauthTypes"),
  sync: fileAt("entries/sync/node"),
  testing: fileAt("entries/testing/node")
}
/** A namespace has a file: inlined, its members would have other names in an editor, and no doc comments. */
const namespaces = ["EmbeddedCatalog", "Fields", "Operation", "Resilience", "../../testing/dist/TestError"].map(fileAt)

/** @param {string} file */
const nameOf = (file) => basename(file, ".d.ts")

/** @type {import("rollup").Plugin} */
const modules = {
  name: "modules",
  resolveId(source, importer = "") {
    const file = importer === "" ? source : fileOf(source, importer)
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
      const isOwn = /[/]promise[/]build[/](?:entries[/]|oauth|createSession[.]|sync[.])/.test(id)
      return isOwn ? undefined : /testing|EmbeddedCatalog|Recorder|serve/.test(id) ? "embedded" : "types"
    },
    banner: '/// <reference lib="esnext.disposable" />'
  })
  // A module of ES can export what one of CommonJS declares, and not the other way round: both have the same types.
  Object.keys(subpaths).forEach((name) => writeFileSync(join(dist, `${name}.d.ts`), `export * from "./${name}.cjs"\n`))
}
