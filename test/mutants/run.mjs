// Which faults the tests find: puts each mistake of mutants.txt into dist, and runs tests until one fails.
//
// npm test -- run mutants             all of them: an hour on two cores
// npm test -- run mutants retry.js    those of files whose line contains a word
//
// To compare the tests of two commits, run it in a worktree of each. A mistake whose code is not there any more is an error:
// choose another place for it. In mutants.txt a line has the project of vitest.config.ts, a part of the names of the files to try
// first, and the file in packages/; those below it have its text and the mistake.
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../scripts/workspace.mjs"

/** Milliseconds for one run: a mistake can keep it from ending. */
const timeout = 900_000

const words = process.argv.slice(2)
let place = ""
const mutants = readFileSync(join(import.meta.dirname, "mutants.txt"), "utf8")
  .trimEnd()
  .split("\n")
  .flatMap((line) => {
    const [, text, mistake = ""] = /^ +(.+) →(?: (.+))?$/.exec(line) ?? []
    place = text === undefined ? line : place
    const [project = "", files = "", name = ""] = place.split(" ")
    return text !== undefined && words.every((word) => place.includes(word))
      ? [{ project, files, name, text, mistake }]
      : []
  })
const gone = mutants.filter(
  ({ name, text }) => readFileSync(join(root, "packages", name), "utf8").split(text).length !== 2
)
for (const { name, text } of gone) {
  console.error(`${name} does not have exactly once: ${text}`)
}
if (gone.length > 0 || mutants.length === 0) {
  process.exit(1)
}

/** Whether a test of a project fails. @param {string} project @param {ReadonlyArray<string>} files */
const isFound = (project, ...files) => {
  const options = ["run", "--project", project, "--bail=1", "--passWithNoTests", "--maxWorkers=1", "--minWorkers=1"]
  const isolate = project === "stress" ? [] : ["--no-isolate"]
  const args = [join(root, "node_modules/vitest/vitest.mjs"), ...options, ...isolate, ...files]
  const run = promisify(execFile)(process.execPath, args, { cwd: root, timeout, maxBuffer: Infinity })
  return run.then(
    () => false,
    () => true
  )
}

let restore = () => {}
process.on("exit", () => restore())
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => process.exit(1))
}

let killed = 0
for (const { files, mistake, name, project, text } of mutants) {
  const file = join(root, "packages", name)
  const code = readFileSync(file, "utf8")
  restore = () => writeFileSync(file, code)
  writeFileSync(
    file,
    code.replace(text, () => mistake)
  )
  const by = (await isFound(project, files)) ? files : (await isFound(project)) ? project : undefined
  restore()
  killed += by === undefined ? 0 : 1
  const what = `${name}: ${text} → ${mistake || "nothing"}`
  console.log(by === undefined ? `SURVIVES ${project}: ${what}` : `killed by ${by}: ${what}`)
}
console.log(`${killed} of ${mutants.length} killed`)
