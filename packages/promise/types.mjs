// The declarations of the package, without Effect: those of the packages that it is built from, with their models and errors written
// out, only the promise face, and without the members that only Effect can use.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import ts from "typescript"
import { packageNames } from "../../scripts/setup.mjs"
import { configOf, dataset, models, withClasses, wordsOf } from "./typesFromSources.mjs"
import { comments, merged, renamedIn, rewritten, withoutDefault } from "./typesRewritten.mjs"

const here = import.meta.dirname
const packages = join(here, "..")
const folder = join(here, ".types")

/** The declarations of each subpath: those of Node, with what only a page has. Every platform exports the same names. */
const entryPoints = {
  ...Object.fromEntries(
    ["anime", "forum", "manga", "redis", "user"].map((name) => [name, `export * from "./src/entries/${name}.js"`])
  ),
  index: 'export * from "./src/entries/node.js"',
  oauth:
    'export * from "./src/entries/oauth/node.js"\nexport { localTokenStore, sessionTokenStore } from "./browser/oauth/stores.js"',
  testing: 'export * from "./src/entries/testing/node.js"'
}

/**
 * The namespaces, a file each: inlined, their members would have other names in an editor, and no doc comments.
 *
 * @type {Map<string, string>}
 */
const namespaces = new Map()

/** A module that imports its namespaces from their files. */
const outside = (path, text) =>
  text.replaceAll(/export [*] as (\w+) from "([^"]*)"/g, (_, name, from) => {
    namespaces.set(name, `export * from "./${join(dirname(path), from)}"`)
    return `export * as ${name} from "namespace:${name}"`
  })

/** Bundles the declarations of the entry points. */
const bundle = async () => {
  const { rollup } = await import("rollup")
  const { dts } = await import("rollup-plugin-dts")
  const names = Object.entries(entryPoints).map(([name, text]) => {
    writeFileSync(join(folder, `${name}.d.ts`), text)
    return name
  })
  for (const [name, text] of namespaces) {
    writeFileSync(join(folder, `${name}.d.ts`), text)
  }
  const built = await rollup({
    input: Object.fromEntries([...names, ...namespaces.keys()].map((name) => [name, join(folder, `${name}.d.ts`)])),
    external: /^namespace:/,
    plugins: [dts()],
    // Imports of what only Effect uses; a program that compiles with `skipLibCheck: false` shows a type that is missing.
    onwarn: () => undefined
  })
  const to = join(here, "dist")
  await built.write({
    dir: to,
    format: "es",
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name].d.cts",
    // Two types with one name are in two files: in one file, an editor would show the second one with a number.
    manualChunks: (id) => {
      const path = relative(folder, id)
      if (/^[^/]+$|^src[/](?:entries[/]|oauth)/.test(path)) {
        return undefined
      }
      return /testing|EmbeddedCatalog|serve/.test(path) ? "embedded" : "types"
    },
    banner: '/// <reference lib="esnext.disposable" />'
  })
  for (const file of readdirSync(to).filter((name) => name.endsWith(".d.cts"))) {
    const text = readFileSync(join(to, file), "utf8")
      .replaceAll(/(?<=from '[.][^']*)(?:[.]d)?[.]c?js(?=')/g, ".cjs")
      .replaceAll(/namespace:(\w+)/g, "./$1.cjs")
    writeFileSync(join(to, file), text)
  }
  // A module of ES can export what one of CommonJS declares, and not the other way round: both have the same types.
  for (const name of names) {
    writeFileSync(join(to, `${name}.d.ts`), `export * from "./${name}.cjs"\n`)
  }
}

/** The declarations of the sources of this package. */
const ownTypes = () => {
  const config = configOf(join(here, "tsconfig.json"), {
    noEmit: false,
    declaration: true,
    declarationMap: false,
    emitDeclarationOnly: true,
    stripInternal: true
  })
  const program = ts.createProgram({
    rootNames: config.fileNames.filter((file) => file.includes("/src/")),
    options: config.options
  })
  program.emit(undefined, (file, text) => {
    const name = /packages[/]promise[/](src[/].*)/.exec(file)?.[1]
    if (name !== undefined) {
      const to = join(folder, name)
      mkdirSync(dirname(to), { recursive: true })
      const up = relative(dirname(to), folder)
      const own = renamedIn(rewritten(name, text)).replaceAll(/"#(core|node|browser)[/]/g, `"${up}/$1/`)
      writeFileSync(to, outside(name, own))
    }
  })
}

export const writeTypes = async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of packageNames) {
    const from = join(packages, name, "dist")
    for (const file of readdirSync(from, { recursive: true })) {
      if (!file.endsWith(".d.ts")) {
        continue
      }
      const to = join(folder, name, file)
      const text = readFileSync(join(from, file), "utf8").replace(/\n\/\/# sourceMappingURL.*/, "")
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(
        to,
        renamedIn(
          comments(
            rewritten(join(name, file), name === "core" ? withClasses(file.replace(/[.]d[.]ts$/, ".ts"), text) : text)
          )
        )
      )
    }
  }
  for (const file of readdirSync(join(folder, "core/model"))) {
    writeFileSync(join(folder, "core/model", file), 'export * from "./index.js"\n')
  }
  writeFileSync(join(folder, "core/model/index.d.ts"), comments(models()))
  writeFileSync(join(folder, "core/testing/Dataset.d.ts"), comments(dataset()))
  const options = join(folder, "core/testing/Options.d.ts")
  writeFileSync(
    options,
    readFileSync(options, "utf8")
      .replace(
        /(?<=export type Operation = )[^;]*;\n?[^;]*?\[keyof Endpoints\]/,
        wordsOf("testing/Options.ts", "Operation")
      )
      .replace(/^type Endpoints = .*$/m, "")
      .replace(/^import type [{] endpoints [}].*$/m, "")
  )
  const replaced = join(here, "replaced/types")
  for (const file of readdirSync(replaced, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    const own = readFileSync(join(replaced, file), "utf8")
    const to = join(folder, file)
    writeFileSync(to, existsSync(to) ? merged(file, readFileSync(to, "utf8"), own) : own)
  }
  // What the other packages import of core is what this package has of it.
  writeFileSync(
    join(folder, "core/index.d.ts"),
    'export * from "../src/index.js"\nexport type { CredentialsService } from "./Credentials.js"\n'
  )
  writeFileSync(join(folder, "core/testing/index.d.ts"), 'export * from "../../src/testing.js"\n')
  const oauth = ["createSession", "OAuth", "OAuthSession", "Tokens", "TokenStore"]
  writeFileSync(join(folder, "core/oauth/index.d.ts"), oauth.map((name) => `export * from "./${name}.js"\n`).join(""))
  ownTypes()
  writeFileSync(join(folder, "src/Redacted.d.ts"), 'export { Redacted } from "../core/Redacted.js"\n')
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    const path = join(folder, file)
    writeFileSync(path, withoutDefault(file, readFileSync(path, "utf8")))
  }
  await bundle()
  rmSync(folder, { recursive: true, force: true })
}
