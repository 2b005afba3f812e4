// Edits two programs by turns in a language service, as an editor does: prints the seconds until the diagnostics of each are there,
// for each edit.
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { readFileSync } from "node:fs"

const [library = "", file = "", other = "", options = "{}"] = process.argv.slice(2)
/** @type {typeof import("typescript-5.9")} */
const ts = createRequire(import.meta.url)(library)

const { options: settings } = ts.convertCompilerOptionsFromJson(JSON.parse(options), dirname(file))

/**
 * A program in a service of its own: its `diagnose` takes the seconds of CPU.
 *
 * @param {string} file
 */
const open = (file) => {
  let text = readFileSync(file, "utf8")
  let version = 0
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => settings,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "1"),
    getScriptSnapshot: (name) => {
      const found = name === file ? text : ts.sys.readFile(name)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => dirname(file),
    getDefaultLibFileName: ts.getDefaultLibFilePath
  })
  return () => {
    text += `\nexport const edit${++version} = ${version}`
    const before = process.cpuUsage()
    const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
    if (found.length > 0) {
      throw new Error(ts.flattenDiagnosticMessageText(found[0]?.messageText, "\n"))
    }
    const { system, user } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
}

const [diagnose, diagnoseOther] = [open(file), open(other)]
/** @type {{ readonly ours: Array<number>, readonly without: Array<number> }} */
const taken = { ours: [], without: [] }
for (let edit = 0; edit < 25; edit++) {
  taken.ours.push(diagnose())
  taken.without.push(diagnoseOther())
}
// The first of each reads all files, and the next are compiled by V8 while they run.
console.log(JSON.stringify({ ours: taken.ours.slice(5), without: taken.without.slice(5) }))
