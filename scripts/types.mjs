// Checks types: `npm run types`. With `--fast`, the fast compiler does, in a quarter of the time.
import { compilers } from "./build.mjs"
import { run } from "./workspace.mjs"

const projects = [
  ".",
  "examples",
  "packages/mcp",
  "packages/promise/counterparts",
  "packages/promise/test",
  "packages/promise/tsconfig.declarations.json"
]

const commands = process.argv.includes("--fast")
  ? // Without `-b`, which would build again what the other compiler has built.
    projects.map((project) => `${compilers.fast} -p ${project} --noEmit --incremental false`)
  : [`${compilers.stable} -b ${projects.join(" ")}`]
process.exitCode = commands.filter((command) => !run(command)).length
