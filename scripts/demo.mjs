// The demo, or the program of a path, on the sources of the packages for Effect 3, which it imports by name.
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { setup } from "./setup.mjs"
import { runFromSources } from "./sources.mjs"

setup("demo")
const [path = "-"] = process.argv.slice(2)
if (path.startsWith("-")) {
  await runFromSources("examples/demo.ts")
} else {
  // npm runs a script in the repository, and says where it was called.
  process.chdir(process.env["INIT_CWD"] ?? ".")
  const file = resolve(path)
  if (!existsSync(file)) {
    console.error(`There is no file ${file}. Without a path, npm run demo runs our own program.`)
    process.exit(1)
  }
  process.argv.splice(1, 2, file)
  const usesEffect = readFileSync(file, "utf8").includes('from "effect')
  process.on("uncaughtExceptionMonitor", ({ message }) => {
    // What ends a program for Effect 4.
    if (usesEffect && /is not a function|not provide an export|not defined by "exports"/.test(message)) {
      console.error("npm run demo has Effect 3. For Effect 4, build the packages: npm run release -- --pack\n")
    }
  })
  await runFromSources(file)
}
