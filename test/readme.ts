import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { tsc, versions } from "./compilers.mjs"
import { isFull } from "../packages/core/test/support/full.js"
import { effectFolders } from "../scripts/workspace.mjs"

export const root = fileURLToPath(new URL("..", import.meta.url))

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

interface Manifest {
  readonly name: string
  readonly exports: Record<string, unknown>
  readonly peerDependencies: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, unknown>
}

export const manifest = (name: string) => JSON.parse(read(`packages/${name}/package.json`)) as Manifest

/** What can be imported: `@catalog-client/core`, `@catalog-client/core/anime`, `@catalog-client/core/Credentials`, … */
export const modules = effectFolders.flatMap((name) => {
  const { exports, name: packageName } = manifest(name)
  return Object.keys(exports)
    .filter((key) => key !== "./package.json")
    .map((key) => packageName + key.slice(1))
})

/** The same without modules such as `Credentials`, which the root of core exports, too. */
export const entryPoints = modules.filter((name) => !/[/][A-Z]\w+$/.test(name))

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The line of the page that its first line is. */
  readonly line: number
  /** The heading that it stands under, or the version of Effect whose tab it is in. */
  readonly section: string
  /** What the page says that it prints: the `text` block right after it, or its comments that begin with `//=>`. */
  readonly output: string | undefined
}

/** The fenced blocks of a text, in order; `margin` is what each line begins with. */
export const blocksIn = (text: string, margin = /^/): ReadonlyArray<Block> => {
  const lines = text.split("\n").map((line) => line.replace(margin, ""))
  const blocks: Array<Block> = []
  let section = ""
  let version: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const [, language] = /^```(\w+)/.exec(lines[at] ?? "") ?? []
    section = /^#+ (.+)/.exec(lines[at] ?? "")?.[1] ?? section
    if (language === undefined) {
      continue
    }
    const end = lines.indexOf("```", at + 1)
    // The line above a tab says which version of Effect its blocks are for.
    const [, named] = /^With (Effect [34]):$/.exec(lines[at - 2] ?? "") ?? []
    version = named ?? (lines[at - 2] === "```" && lines[at - 1] === "" ? version : undefined)
    const text = `${lines.slice(at + 1, end).join("\n")}\n`
    const block = { language, text, line: at + 2, section: version ?? section }
    const previous = blocks.at(-1)
    const isOutput = language === "text" && previous !== undefined && end > 0 && lines[at - 2] === "```"
    if (isOutput && lines[at - 1] === "") {
      blocks[blocks.length - 1] = { ...previous, output: block.text }
    } else {
      const printed = Array.from(text.matchAll(/[/]{2}=> (.+\n)/g), ([, line = ""]) => line).join("")
      blocks.push({ ...block, output: language === "ts" && printed !== "" ? printed : undefined })
    }
    at = end
  }
  return blocks
}

/** The examples in TypeScript of a page or a source, each with the file that it becomes. */
export const examplesOf = (path: string): ReadonlyArray<Block & { readonly path: string; readonly file: string }> =>
  blocksIn(read(path), path.endsWith(".md") ? /^/ : /^\s*\* ?/)
    // A signature imports nothing.
    .filter(
      ({ language, text }) => language === "ts" && (!path.startsWith("docs/operations/") || text.includes("import "))
    )
    // A file whose name has `.d.` would be one of declarations.
    .map((block) => ({ ...block, path, file: `${path.replace(".d.", ".")}.${block.line}.ts` }))

/** The pages whose programs compile. */
export const pages = [
  "README.md",
  "AGENTS.md",
  ...effectFolders.map((name) => `packages/${name}/README.md`),
  ...["docs", "docs/errors", "docs/operations", "docs/start"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
  )
]

/** The sources in a folder; their doc comments have programs, too. */
export const sourcesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`)

/** README's lines that install the client: for promises, and for Effect 3. */
export const installLine = /^npm install catalog-client$/m.exec(read("README.md"))?.[0] ?? ""
export const effectLine = /^npm install @catalog-client\/core@effect3 .*$/m.exec(read("README.md"))?.[0] ?? ""

/** Whether docs/testing.md shows a file of examples/ as it is. */
export const isShown = (example: string): boolean => {
  const source = read(`examples/${example}`)
  return blocksIn(read("docs/testing.md")).some(({ language, text }) => language === "ts" && text === source)
}

const [firstProgram] = blocksIn(read("packages/promise/README.md")).filter(({ language }) => language === "ts")

/** The first program of the README of `catalog-client`, which the embedded service answers, and not the network. */
export const clientProgram = { text: firstProgram?.text ?? "", output: firstProgram?.output ?? "" }

/** Modules that a reader copies from one page to another. */
const copied = [["sessions", "sign-in-server", "nightly-job"]] as const

/** The files that a page shows: blocks whose first line is a comment with their name. */
export const filesIn = (page: string): ReadonlyArray<Block & { readonly file: string }> =>
  blocksIn(read(page)).flatMap((block) => {
    const [, file] = /^(?:\/\/|<!--) ([\w./[\]+-]+[.]\w+)(?: -->)?\n/.exec(block.text) ?? []
    const text = copied
      .filter(([, , to]) => page.endsWith(`/${to}.md`))
      .reduce((code, [name, folder]) => code.replace(`"./${name}.js"`, `"../${folder}/${name}.js"`), block.text)
    return file === undefined ? [] : [{ ...block, file, text }]
  })

/** Writes code of pages into a folder, and compiles it under the newest TypeScript, or under all; what they print. */
export const compiled = async (
  folder: string,
  files: ReadonlyArray<{ readonly file: string; readonly line: number; readonly text: string }>,
  config: object
): Promise<string> => {
  rmSync(folder, { recursive: true, force: true })
  for (const { file, line, text } of files) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    // Below as many empty lines as it has above it on its page: an error then names the true line.
    writeFileSync(path, "\n".repeat(line - 1) + text)
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const printed: Array<string> = []
  for (const version of isFull ? versions : versions.slice(-1)) {
    printed.push((await tsc(version, ["-p", folder])).printed)
  }
  return printed.join("")
}
