// Bundles the program with all its packages into dist/main.js, so that npx downloads one tarball, and writes their licences.
import { build } from "esbuild"
import { writeLicences } from "../promise/licences.mjs"

const { metafile } = await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/main.ts"],
  outfile: "dist/main.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Optional: it opens a browser where the user has installed it.
  external: ["open"],
  // Some packages are CommonJS, and call `require` for the modules of Node.
  banner: { js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)' },
  metafile: true
})
const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
  Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
)
writeLicences(
  bundled.map(([file]) => file),
  import.meta.dirname
)
