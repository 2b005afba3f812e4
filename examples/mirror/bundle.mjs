// Bundles the program, and the one that tests kill: to load hundreds of files takes longer than all else that a start does.
//
// node bundle.mjs         into dist
// node bundle.mjs wasm    for tests: into dist/wasm, over a SQLite that needs no compiler
import { build } from "esbuild"

const isWasm = process.argv.includes("wasm")

await build({
  entryPoints: ["src/main.ts", "test/support/traced.ts"],
  absWorkingDir: import.meta.dirname,
  outbase: ".",
  outdir: isWasm ? "dist/wasm" : "dist",
  bundle: true,
  // What only a fleet or an export needs stays in files of its own.
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: ["better-sqlite3", "node-sqlite3-wasm"],
  alias: isWasm ? { "better-sqlite3": "./test/support/wasm.ts" } : {},
  // CommonJS packages require Node's own modules.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);'
  },
  logLevel: "warning"
})
