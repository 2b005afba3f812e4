// Edits a program in a language service, as an editor does: prints the seconds until its diagnostics are there, for each edit.
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { readFileSync } from "node:fs"

const [library = "", file = "", options = "{}"] = process.argv.slice(2)
/** @type {typeof import("typescript-5.9")} */
const ts = createRequire(import.meta.url)(library)

const { options: settings } = ts.convertCompilerOptionsFromJson(JSON.parse(options), dirname(file))

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

/** Seconds of CPU. */
const diagnose = () => {
  const before = process.cpuUsage()
  const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
  if (found.length > 0) {
    throw new Error(ts.flattenDiagnosticMessageText(found[0]?.messageText, "\n"))
  }
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1e6
}

diagnose()
const seconds = []
for (version = 1; version <= 9; version++) {
  text += `\nexport const edit${version} = ${version}`
  seconds.push(diagnose())
}
console.log(JSON.stringify(seconds))
