// Bundles a page's script for production, as a bundler does it with the fewest options, and prints its warnings as JSON:
//
// node bundle.mjs <bundler> <folder of the project> <entry> <folder of the output> [target of webpack and Rspack]
import { build } from "esbuild"
import { rspack } from "@rspack/core"
import { nodeResolve } from "@rollup/plugin-node-resolve"
import terser from "@rollup/plugin-terser"
import { basename, join } from "node:path"
import { rolldown } from "rolldown"
import { rollup } from "rollup"
import * as vite from "vite"
import webpack from "webpack"

const [bundler, folder, entry, out, target = "web"] = process.argv.slice(2)
const input = join(folder, entry)
const filename = basename(entry)
const warnings = []
const warn = (warning) =>
  warnings.push(typeof warning === "string" ? warning : `${warning.id ?? warning.moduleName ?? ""} ${warning.message}`)

/** Webpack, or Rspack with its interface. */
const pack = (create) => {
  const compiler = create({
    mode: "production",
    target,
    context: folder,
    entry: input,
    output: { path: out, filename },
    // They are about the size of the page.
    performance: { hints: false }
  })
  return new Promise((resolve, reject) =>
    compiler.run((error, stats) => {
      if (error) {
        return reject(error)
      }
      if (stats.hasErrors()) {
        return reject(new Error(stats.toString()))
      }
      stats.toJson({ all: false, warnings: true }).warnings.forEach(warn)
      compiler.close(resolve)
    })
  )
}

const bundlers = {
  esbuild: async () => {
    const options = { bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "silent" }
    const result = await build({ ...options, entryPoints: [input], outdir: out })
    result.warnings.forEach(({ location, text }) => warn(`${location?.file ?? ""} ${text}`))
  },
  rollup: async () => {
    const bundle = await rollup({ input, plugins: [nodeResolve({ browser: true }), terser()], onwarn: warn })
    await bundle.write({ dir: out, format: "es" })
    await bundle.close()
  },
  rolldown: async () => {
    const bundle = await rolldown({ input, cwd: folder, platform: "browser", onwarn: warn })
    await bundle.write({ dir: out, format: "es", minify: true })
    await bundle.close()
  },
  vite: async () => {
    const customLogger = { ...vite.createLogger("silent"), warn, warnOnce: warn }
    const output = { entryFileNames: filename }
    const build = { outDir: out, emptyOutDir: false, chunkSizeWarningLimit: 1000, rolldownOptions: { input, output } }
    await vite.build({ root: folder, configFile: false, customLogger, build })
  },
  webpack: () => pack(webpack),
  rspack: () => pack(rspack)
}

await bundlers[bundler]()
console.log(JSON.stringify(warnings))
