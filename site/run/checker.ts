// Answers questions about the types of changed programs, in a worker.
import * as ts from "typescript"
import { importsFile, type Known, libraryFile, type Names, namesOf } from "./names.js"

/** The declarations of modules. */
export interface Declarations {
  readonly options: ts.CompilerOptions & { readonly target: ts.ScriptTarget }
  /** Their texts, by name. */
  readonly files: Readonly<Record<string, string>>
  /** The files of modules, by what a program imports. */
  readonly modules: Readonly<Record<string, string>>
}

/** What is asked of the worker: a kind of answer about a program, or about a place in it. */
export interface Question {
  readonly kind: keyof Answers
  readonly at: number
  readonly source: string
  /** The addresses of declarations. */
  readonly declarations: readonly [string, ...ReadonlyArray<string>]
}

/** What is wrong with the types of a program, and where. */
export interface Mistake {
  readonly start: number
  readonly length: number
  readonly message: string
  /** Whether the program cannot be parsed. Its types are not checked then. */
  readonly isSyntax: boolean
}

export interface Answers {
  readonly mistakes: ReadonlyArray<Mistake>
  readonly names: Names
  readonly known: Known | undefined
}

const main = "/main.ts"

const loaded = new Map<string, Promise<Declarations>>()

const load = (address: string): Promise<Declarations> => {
  const declarations =
    loaded.get(address) ?? fetch(address).then((response) => response.json() as Promise<Declarations>)
  loaded.set(address, declarations)
  return declarations
}

const parsed = new Map<string, ts.SourceFile>()

/** The last program that was asked about. */
let program: ts.Program | undefined

/** The sentence that a type of the client has for a misspelt field, before what the compiler says about that type. */
const adviceFirst = (message: string): string => {
  const [, advice] = /"n(o field is called [^"]+)"/.exec(message) ?? []
  return advice === undefined ? message : `N${advice}.\n${message}`
}

const programOf = async ({ declarations, source }: Question): Promise<ts.Program> => {
  if (program?.getSourceFile(main)?.text === source) {
    return program
  }
  const [first, ...others] = declarations
  const known = [await load(first), ...(await Promise.all(others.map(load)))] as const
  const [{ options }] = known
  const texts: Declarations["files"] = Object.assign({}, ...known.map(({ files }) => files))
  const modules: Declarations["modules"] = Object.assign({}, ...known.map(({ modules }) => modules))
  const changed = ts.createSourceFile(main, source, {
    languageVersion: options.target,
    // A program is a module without an import, too: the compiler sets this for files that it reads itself.
    setExternalModuleIndicator: (file) => Object.assign(file, { externalModuleIndicator: true })
  })
  const fileNamed = (name: string): ts.SourceFile | undefined => {
    const text = texts[name]
    const known = parsed.get(name)
    if (text === undefined || known?.text === text) {
      return known
    }
    const file = ts.createSourceFile(name, text, options.target)
    parsed.set(name, file)
    return file
  }
  const host: ts.CompilerHost = {
    fileExists: (name) => name === main || name in texts,
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => "",
    getNewLine: () => "\n",
    getSourceFile: (name) => (name === main ? changed : fileNamed(name)),
    readFile: (name) => texts[name],
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const path = new URL(text, `file://${from}`).pathname.replace(/\.([cm]?)[jt]s$/, ".d.$1ts")
        const name = modules[text] ?? path
        const isKnown = name in texts
        return { resolvedModule: isKnown ? { resolvedFileName: name, extension: ".d.ts" } : undefined }
      }),
    useCaseSensitiveFileNames: () => true,
    writeFile: () => {}
  }
  return (program = ts.createProgram([libraryFile, importsFile, main], options, host, program))
}

const mistakesIn = (program: ts.Program, file: ts.SourceFile): Answers["mistakes"] => {
  const syntactic = program.getSyntacticDiagnostics(file)
  const found = syntactic.length > 0 ? syntactic : program.getSemanticDiagnostics(file)
  return found.map(({ length = 0, messageText, start = 0 }) => ({
    start,
    length,
    message: adviceFirst(ts.flattenDiagnosticMessageText(messageText, "\n")),
    isSyntax: syntactic.length > 0
  }))
}

const answer = async (question: Question): Promise<Answers[keyof Answers]> => {
  const { at, kind } = question
  const program = await programOf(question)
  const file = program.getSourceFile(main)
  if (file === undefined) {
    throw new Error("A program has its own file.")
  }
  return kind === "mistakes" ? mistakesIn(program, file) : namesOf(program, file)[kind](at)
}

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  answer(data).then(
    (answer) => postMessage({ answer }),
    () => postMessage({})
  )
})
