// Types in the code blocks: https://twoslash.netlify.app
import { transformerTwoslash } from "@shikijs/vitepress-twoslash"
import { createFileSystemTypesCache } from "@shikijs/vitepress-twoslash/cache-fs"
import { join } from "node:path"
import ts from "typescript"
import { root } from "./pages.js"

/** The languages of blocks on pages and in doc comments. */
export const languages = [
  "diff",
  "html",
  "http",
  "js",
  "json",
  "jsonc",
  "sh",
  "sql",
  "toml",
  "ts",
  "svelte",
  "tsx",
  "yaml"
] as const

const hasHovers = (file: string) =>
  /^(README|docs\/index|docs\/(start|operations)\/.*)\.md$/.test(file) && process.env["CATALOG_HOVERS"] !== "none"

/** What follows the language of a block to give it hovers. */
export const triggerIn = (file: string): string => (hasHovers(file) ? " twoslash" : "")

/**
 * Each block is checked as a file of its own, by the compiler, against the packages as they are built. It takes most of
 * a second, so only the pages that a newcomer reads first have hovers, and results are kept in .cache/.
 */
export const hovers = transformerTwoslash({
  // A test compiles all blocks.
  throws: false,
  typesCache: createFileSystemTypesCache({ dir: join(root, ".cache/twoslash") }),
  // A language that is not loaded fails the build.
  processHoverDocs: (docs) =>
    docs.replaceAll(/(?<=^```)\w+/gm, (language) => (languages.some((known) => known === language) ? language : "")),
  twoslashOptions: {
    // The packages that blocks import are those of the examples.
    vfsRoot: join(root, "examples"),
    handbookOptions: { noErrors: true },
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
      types: ["node"]
    }
  }
})
