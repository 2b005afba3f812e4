/**
 * An editor over the installed packages: TypeScript's language service with one file.
 */
import ts from "typescript"
import { root } from "./readme.js"

/** An editor whose file is at a path, where it finds packages, and begins with a prelude. */
export const openEditor = (file: string, prelude: string, options: ts.CompilerOptions = {}) => {
  let source = ""
  let version = 0

  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "1"),
    getScriptSnapshot: (name) => {
      const text = name === file ? source : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({
      strict: true,
      exactOptionalPropertyTypes: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      skipLibCheck: true,
      types: [],
      ...options
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    readDirectory: (...args) => ts.sys.readDirectory(...args),
    directoryExists: (name) => ts.sys.directoryExists(name)
  }
  const editor = ts.createLanguageService(host)

  /** Puts a text with a `¦` into the editor; returns the cursor's place. */
  const write = (text: string): number => {
    const whole = prelude + text
    const cursor = whole.indexOf("¦")
    source = whole.replace("¦", "")
    version++
    return cursor
  }

  return {
    /** The names that are offered at a `¦`. */
    completions: (text: string) =>
      editor.getCompletionsAtPosition(file, write(text), {})?.entries.map((entry) => entry.name),
    errors: (text: string) => {
      write(text + "¦")
      return editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText)
    },
    /** The members, at any depth, of the type called `Shown`: those whose hover shows no doc comment. */
    withoutComment: (text: string): ReadonlyArray<string> => {
      write(text + "¦")
      const program = editor.getProgram()
      const source = program?.getSourceFile(file)
      const shown = source?.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === "Shown")
      const checker = program?.getTypeChecker()
      if (shown === undefined || checker === undefined) {
        throw new Error("The text declares no type called Shown.")
      }
      const found: Array<string> = []
      let seen = 0
      const visit = (type: ts.Type, path: string): void => {
        for (const part of type.isUnion() ? type.types : [type]) {
          const element = part.flags & ts.TypeFlags.Object && checker.getIndexTypeOfType(part, ts.IndexKind.Number)
          if (element) {
            visit(element, `${path}[]`)
          } else if (part.flags & ts.TypeFlags.Object) {
            checker.getPropertiesOfType(part).forEach((member) => {
              seen++
              const at = `${path}.${member.name}`
              if (member.getDocumentationComment(checker).length === 0) {
                found.push(at)
              }
              visit(checker.getTypeOfSymbol(member), at)
            })
          }
        }
      }
      visit(checker.getTypeAtLocation(shown), "")
      return seen === 0 ? ["It has no members."] : found
    },
    /** What is shown over a `¦`. */
    hover: (text: string) => {
      const info = editor.getQuickInfoAtPosition(file, write(text))
      return {
        type: ts.displayPartsToString(info?.displayParts).replaceAll(/\s+/g, " "),
        documentation: ts.displayPartsToString(info?.documentation)
      }
    }
  }
}
