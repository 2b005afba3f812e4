// The client with a switch around the code that observes a call. Off, it runs as if that code had been compiled out.
//
// Two builds, one with and one without that code, differ by 5 to 20 % even if nothing was removed, whether
// in two processes or in one. With a switch both run the same compiled code except for the observing part.
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const bench = fileURLToPath(new URL("..", import.meta.url))

/** The switched functions: the module of core, and the replacement while the switch is off. */
const switched = [
  { module: "internal/telemetry/observe.js", name: "startTiming", off: "() => () => {}" },
  { module: "internal/telemetry/observe.js", name: "observeCall", off: "(run) => run()" },
  { module: "internal/telemetry/observe.js", name: "observeAttempt", off: "(exchange) => exchange" }
]

/**
 * @param {string} name
 * @param {string} off
 */
const chosen = (name, off) => `
const ${name}Off = ${off};
$1const ${name} = (a, b, c, d, e, f) => (globalThis.observing.on ? ${name}On : ${name}Off)(a, b, c, d, e, f);
const ${name}On = `

/** @type {import("esbuild").Plugin} */
const withSwitch = {
  name: "with-switch",
  setup: (bundler) => {
    for (const module of new Set(switched.map((each) => each.module))) {
      bundler.onLoad({ filter: new RegExp(`/core/dist/${module}$`) }, ({ path }) => ({
        loader: "js",
        contents: switched
          .filter((each) => each.module === module)
          .reduce(
            (text, { name, off }) => {
              const declared = new RegExp(`^(export )?const ${name} = `, "m")
              if (!declared.test(text)) {
                throw new Error(`${module} has no ${name} to switch off`)
              }
              return text.replace(declared, chosen(name, off))
            },
            readFileSync(path, "utf8")
          )
      }))
    }
  }
}

/**
 * Builds a program, a copy of `program.mjs`, into a file.
 *
 * @param {URL} program
 * @param {string} outfile
 */
export const bundle = (program, outfile) =>
  build({
    entryPoints: [fileURLToPath(program)],
    outfile,
    absWorkingDir: bench,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["undici"],
    plugins: [withSwitch]
  })
