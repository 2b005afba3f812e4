// What knows the types of changed programs: the compiler, and the declarations of what these can import. Nothing loads it before.
import type { Plugin as BundlerPlugin } from "esbuild"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import ts from "typescript"
import type { Plugin } from "vitest/config"
import { root } from "./pages.js"
import { bundled } from "./programs.js"
import type { Declarations } from "./run/checker.js"
import { importsFile, libraryFile } from "./run/names.js"

/** The options of a new project, with the modules of a page. */
const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  types: []
} satisfies ts.CompilerOptions

/** What a program in a page has of Node. */
const processOfPage = "declare const process: { readonly env: { readonly [name: string]: string | undefined } }\n"

/** The modules that a changed program can import, and from where they are found. */
const imports = {
  catalog: {
    folder: "site",
    names: [
      "catalog-client",
      "catalog-client/handlers",
      "catalog-client/oauth",
      "catalog-client/sync",
      "catalog-client/testing"
    ]
  },
  effect: {
    folder: "effect4",
    names: [
      "@catalog-client/browser",
      "@catalog-client/core",
      "@catalog-client/node",
      "@catalog-client/oauth",
      "@catalog-client/sync",
      "@catalog-client/testing",
      "@catalog-client/testing/node",
      "effect",
      "effect/http"
    ]
  }
} as const

/** The name of a file on any machine: from the root of its package. */
const shortName = (file: string): string => file.replace(/^.*\/node_modules\//, "/").replace(root, "/")

/** The first sentence of a doc comment. */
const sentenceOf = (comment: string): string => {
  const [text = ""] = comment
    .replaceAll(/^\s*\*+[ /]?/gm, "")
    .trim()
    .split(/\n\s*\n|^@/m)
  const [sentence = ""] = text.replaceAll(/\s+/g, " ").split(/(?<=[.]) (?=[A-Z`])/)
  return sentence.replaceAll(/\{@link\s+([^}]+?)\}|`/g, "$1").trim()
}

/** Declarations without comments; of those of the client, the first sentence stays. */
const withoutComments = (text: string, name = ""): string =>
  text
    .replaceAll(/\/\*(\*?)([^]*?)\*\//g, (_, isDoc: string, comment: string) => {
      const sentence = isDoc !== "" && /^\/(packages|effect4)\//.test(name) ? sentenceOf(comment) : ""
      return sentence === "" ? "" : `/** ${sentence} */`
    })
    .replaceAll(/^\s*(\/\/.*)?\n/gm, "")

/** The declarations of the modules of a kind; those of the language are with the promises. */
const declarationsOf = (kind: keyof typeof imports): Declarations => {
  const { folder, names } = imports[kind]
  const main = join(root, folder, "main.ts")
  const modules: Record<string, string> = {}
  const onDisk = ts.createCompilerHost(options)
  const text = names.map((name) => `import "${name}"`).join("\n")
  const host: ts.CompilerHost = {
    ...onDisk,
    fileExists: (file) => file === main || onDisk.fileExists(file),
    getSourceFile: (file, ...others) =>
      file === main ? ts.createSourceFile(file, text, others[0]) : onDisk.getSourceFile(file, ...others),
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const found = ts.resolveModuleName(text, from, options, onDisk)
        if (found.resolvedModule !== undefined && !text.startsWith(".")) {
          modules[text] = shortName(found.resolvedModule.resolvedFileName)
        }
        return found
      })
  }
  const program = ts.createProgram([main], options, host)
  const files = program.getSourceFiles().filter(({ fileName }) => fileName !== main)
  const isLibrary = (file: ts.SourceFile) => program.isSourceFileDefaultLibrary(file)
  const library = files.filter(isLibrary).map(({ text }) => withoutComments(text))
  return {
    options: { ...options, lib: [], noLib: true },
    modules,
    files: Object.fromEntries([
      // Those of Effect take the place of the others: a program has its names from one of both.
      [importsFile, text],
      ...(kind === "catalog" ? [[libraryFile, processOfPage + library.join("")]] : []),
      ...files
        .filter((file) => !isLibrary(file))
        .map(({ fileName, text }) => [shortName(fileName), withoutComments(text, shortName(fileName))])
    ])
  }
}

/** Of the compiler, only the checker: `typescript` as a whole has the services of editors, too, and 363 kB more. */
const onlyChecker: BundlerPlugin = {
  name: "only-checker",
  setup: (build) => {
    const file = fileURLToPath(import.meta.resolve("typescript")).replace("typescript.js", "_tsc.js")
    build.onResolve({ filter: /^typescript$/ }, () => ({ path: file }))
    build.onLoad({ filter: /_tsc\.js$/ }, async () => {
      const [compiler = "", commandLine] = (await readFile(file, "utf8")).split("\n// src/tsc/tsc.ts\n")
      if (commandLine === undefined) {
        throw new Error(`${file} has no command line at its end.`)
      }
      // What the worker does not use is left out.
      const names = new Set([...compiler.matchAll(/^(?:function|var) (\w+)(?=\(| = )/gm)].map(([, name]) => name))
      const exported = `export { ${[...names].join(", ")} }`
      // Its file has these as numbers alone.
      const { IndexKind, SignatureKind, TypeFormatFlags } = ts
      const flags = Object.entries({ IndexKind, SignatureKind, TypeFormatFlags }).map(
        ([name, values]) => `export const ${name} = ${JSON.stringify(values)}`
      )
      return { contents: [compiler, exported, ...flags].join("\n"), loader: "js" }
    })
    // The compiler does without Node.
    build.onResolve({ filter: /^(crypto|fs|inspector|os|path|perf_hooks|source-map-support)$/ }, ({ path }) => ({
      path,
      external: true
    }))
  }
}

const name = "virtual:types"

/** Serves the worker and the declarations. `vitepress dev` checks no types, as it shows none. */
export const typeChecks = (): Plugin => ({
  name: "type-checks",
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  async load(id) {
    if (id !== `\0${name}`) {
      return undefined
    }
    if (this.meta.watchMode) {
      return 'export const checker = "", declarations = {}, size = ""'
    }
    const checker = await bundled(join(root, "site/run/checker.ts"), { format: "iife", plugins: [onlyChecker] })
    const [catalog, effect] = (["catalog", "effect"] as const).map((kind) => JSON.stringify(declarationsOf(kind)))
    const addressOf = (fileName: string, source = "") =>
      `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: "asset", name: fileName, source })}`
    const bytes = [checker, catalog ?? ""].reduce((sum, text) => sum + gzipSync(text).length, 0)
    return `export const checker = ${addressOf("types-checker.js", checker)}
      export const declarations = {
        catalog: ${addressOf("types-catalog.json", catalog)},
        effect: ${addressOf("types-effect.json", effect)}
      }
      export const size = "${(bytes / 1e6).toFixed(1)} MB"`
  }
})
