// Bundles the program into dist/main.js, and writes the licences of the packages whose code is in it.
import { build } from "esbuild"
import { writeLicences } from "../../scripts/generate/licences.mjs"

const { metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/main.ts"],
  outfile: "dist/main.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: ["@catalog-client/*", "effect", "@effect/platform", "@modelcontextprotocol/*"],
  metafile: true
})
const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
  Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
)
writeLicences(
  bundled.map(([file]) => file),
  import.meta.dirname
)
