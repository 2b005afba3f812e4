// Programs that a reader can run in the page: each `ts` block that a `text` block follows, which is what it prints.
import { createHash } from "node:crypto"
import { join } from "node:path"
import { build, type Plugin as BundlerPlugin } from "esbuild"
import ts from "typescript"
import type { MarkdownRenderer } from "vitepress"
import type { Plugin } from "vitest/config"
import { fromCloneAddress, hasNote } from "../scripts/release/notes.mjs"
import { base, isReleased, root } from "./pages.js"
import type { ReplacedModules as EffectModules } from "../effect4/site/modules.js"
import type { ReplacedModules } from "./run/modules.js"
import { processOfPage } from "./run/services.js"

type Names<M> = { readonly [Name in keyof M]: "all" | ReadonlyArray<keyof M[Name]> }

/** What a program imports from run/modules.ts instead: these names, or all. */
const promiseModules: Names<ReplacedModules> = { "catalog-client": "all", "catalog-client/testing": "all" }

/** What it imports from effect4/site/modules.ts. */
const effectModules: Names<EffectModules> = {
  "@catalog-client/browser": "all",
  "@catalog-client/testing": ["EmbeddedCatalog"],
  "@catalog-client/node": "all",
  "@catalog-client/testing/node": "all",
  effect: ["Console"]
}

const replaced: Readonly<Record<string, "all" | ReadonlyArray<string>>> = { ...promiseModules, ...effectModules }

const isReplaced = (module: string, name: string): boolean => {
  const names = replaced[module] ?? []
  return names === "all" || names.some((known) => known === name)
}

/** What stands in the program for an import: what is left of it, and the constants for the rest. */
const importsOf = (declaration: ts.ImportDeclaration): { readonly left: string; readonly constants: string } => {
  const text = declaration.getText()
  const module = (declaration.moduleSpecifier as ts.StringLiteral).text
  const bindings = declaration.importClause?.namedBindings
  if (bindings === undefined || declaration.importClause?.isTypeOnly === true) {
    return { left: text, constants: "" }
  }
  const from = `${module in promiseModules ? "promises" : "effects"}[${JSON.stringify(module)}]`
  if (ts.isNamespaceImport(bindings)) {
    if (!isReplaced(module, "*")) {
      return { left: text, constants: "" }
    }
    return { left: "", constants: `const ${bindings.name.text} = ${from}\n` }
  }
  const nameOf = ({ name, propertyName }: ts.ImportSpecifier) => (propertyName ?? name).text
  const isOurs = (specifier: ts.ImportSpecifier) => !specifier.isTypeOnly && isReplaced(module, nameOf(specifier))
  const left = bindings.elements.filter((specifier) => !isOurs(specifier)).map((specifier) => specifier.getText())
  const ours = bindings.elements.filter(isOurs).map((specifier) => `${nameOf(specifier)}: ${specifier.name.text}`)
  return {
    left: left.length === 0 ? "" : `import { ${left.join(", ")} } from ${JSON.stringify(module)}\n`,
    constants: ours.length === 0 ? "" : `const { ${ours.join(", ")} } = ${from}\n`
  }
}

/** The module of a program. Its imports stay, and the rest becomes a function, so that it can run again and again. */
const moduleOf = (program: string): string => {
  const { statements } = ts.createSourceFile("program.ts", program, ts.ScriptTarget.ES2022, true)
  const imports = statements.filter(ts.isImportDeclaration).map(importsOf)
  const rest = statements.filter((statement) => !ts.isImportDeclaration(statement))
  const constants = imports.map((imported) => imported.constants).join("")
  const sources = [
    ["promises", "site/run/modules.ts"],
    ["effects", "effect4/site/modules.ts"]
  ] as const
  // A program with promises does not load Effect.
  const used = sources.filter(([name]) => constants.includes(`= ${name}[`))
  const assembled = `${used
    .map(([name, file]) => `import { modulesFor as ${name}For } from ${JSON.stringify(join(root, file))}`)
    .join("\n")}
    ${imports.map(({ left }) => left).join("\n")}
    export default async (run) => {
      const { console, document } = run
      ${program.includes("process.env") ? `const process = ${processOfPage}` : ""}
      ${used.map(([name]) => `const ${name} = ${name}For(run)`).join("\n")}
      ${constants}
      { ${rest.map((statement) => statement.getFullText()).join("")}
      }
    }`
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  return ts.transpileModule(assembled, { compilerOptions }).outputText
}

/** The module of a curl command, which sends the same request to the service in the page. */
const moduleOfCurl = (command: string): string => {
  const [, method = "GET"] = /-X (\w+)/.exec(command) ?? []
  const [, url = ""] = /'(https:[^']+)'/.exec(command) ?? []
  const form = [...command.matchAll(/--data-urlencode '([^=]+)=([^']*)'/g)].map(([, name, value]) => [name, value])
  return `import { send } from ${JSON.stringify(join(root, "site/run/modules.ts"))}
    export default (run) => send(run, ${JSON.stringify(method)}, ${JSON.stringify(url)}, ${JSON.stringify(form)})`
}

const prefix = "virtual:program-"

/** The modules of the programs that were found in pages, by a digest of them. */
const modules = new Map<string, string>()

const remember = (module: string): string => {
  const id = createHash("sha256").update(module).digest("hex").slice(0, 12)
  modules.set(id, module)
  return prefix + id
}

/** A page without scripts: the program takes their place. */
const pageOf = (html: string): string | undefined =>
  html.includes("<body>") ? html.replaceAll(/<script[\s\S]*?<\/script>/g, "") : undefined

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

/** The line above the signature of an operation, below its inputs; another one follows for Effect. */
const signature = "Promise:"

/** The lines above programs that do the same, and the names of their tabs. */
const tabs = new Map([
  ["With promises:", "Promise"],
  ["With Effect:", "Effect"],
  ["With curl:", "curl"],
  [signature, "Promise"],
  ["Effect:", "Effect"],
  ["With Effect 4:", "Effect-4"],
  ["With Effect 3:", "Effect-3"]
])

/** What a reader chooses by the tabs of two versions. */
const versionsChoice = "Effect 4 or Effect 3"

/** What a reader chooses by the tabs of a command that installs packages. */
export const installersChoice = "Package manager"

/** Whether a block installs packages that npm does not have yet, on a page that does not say so itself. */
export const needsClone = (text: string, info: string, content: string): boolean =>
  !isReleased && info === "sh" && /^npm install .*catalog-client/m.test(content) && !hasNote(text)

/** Whether a paragraph leads to the block below it, which the note stands above then. The line of a tab is part of its block. */
export const leadsToBlock = (paragraph: string): boolean => paragraph.endsWith(":") && !tabs.has(paragraph)

/** What stands above such a block. */
export const fromClone = `<p>The packages aren't on npm yet: <a href="${base}${fromCloneAddress}">build them from a clone</a> (one to three minutes), and run the line that the build prints instead of the first <code>npm install</code> below.</p>
`

/** The line above what each of the programs in tabs prints. */
const shared = "It prints:"

/**
 * Puts a Run button between each program and what it prints. A program below an `html` block runs in that page. Programs that
 * follow each other, each below the line of a tab, are in tabs, with the command above them that installs what they import.
 */
const withButtons = (tokens: ReadonlyArray<Token>, html: (content: string) => Token): Array<Token> => {
  const result: Array<Token> = []
  const loaders: Array<string> = []
  const pages: Array<string> = []
  const fenceAt = (index: number): Token | undefined => (tokens[index]?.type === "fence" ? tokens[index] : undefined)
  const languageAt = (index: number) => /^\w*/.exec(fenceAt(index)?.info ?? "")?.[0]
  const isInstallAt = (index: number) =>
    tokens[index]?.content === fromClone || tokens[index]?.content.startsWith("<Faces choice=") === true
  /** The index after tabs, which can have tabs themselves. */
  const afterTabs = (from: number): number => {
    let depth = 0
    const end = tokens.findIndex(({ content }, index) => {
      depth += index < from ? 0 : Number(content.startsWith("<Faces ")) - Number(content.startsWith("</Faces>"))
      return index > from && content.startsWith("</Faces>") && depth === 0
    })
    return end + 1
  }
  /** The three tokens of a paragraph before a block. */
  const lineAt = (index: number): string | undefined =>
    tokens[index]?.type === "paragraph_open" && (fenceAt(index + 3) || isInstallAt(index + 3))
      ? tokens[index + 1]?.content
      : undefined
  const tabAt = (index: number): string | undefined => tabs.get(lineAt(index) ?? "")
  const isProgramAt = (index: number) => languageAt(index) === "ts" && languageAt(index + 1) === "text"
  const loaderOf = ({ content, info }: Token): string => {
    const module = info.startsWith("sh") ? moduleOfCurl(content) : moduleOf(content)
    loaders.push(`() => import(${JSON.stringify(remember(module))})`)
    return `programs[${loaders.length - 1}]`
  }
  /** Adds a block, and its button if it is a program that runs here. Returns the index after it. */
  const block = (at: number, tab?: string): number => {
    const [block, output] = tokens.slice(at)
    if (block === undefined) {
      return at + 1
    }
    result.push(block)
    const page = languageAt(at) === "html" ? pageOf(block.content) : undefined
    if (page !== undefined) {
      pages.push(page)
    }
    if (!isProgramAt(at) || output === undefined) {
      return at + 1
    }
    if (tab === "Effect-3") {
      result.push(output)
      return at + 2
    }
    const last = pages.length === 0 ? "" : ` :page="pages[${pages.length - 1}]"`
    result.push(html(`<RunProgram :load="${loaderOf(block)}"${last}>\n`), output, html("</RunProgram>\n"))
    return at + 2
  }
  /** Adds programs in tabs, from the line of the first one. Returns the index after them. */
  const group = (from: number): number => {
    const start = result.length
    const programs: Array<readonly [tab: string, program: Token]> = []
    let at = from
    for (let tab = tabAt(at); tab !== undefined; tab = tabAt(at)) {
      at += 3
      result.push(html(`<template #${tab}>\n`))
      if (isInstallAt(at)) {
        const end = afterTabs(at)
        result.push(...tokens.slice(at, end))
        at = end
      }
      // A tab can have a command alone.
      const program = fenceAt(at)
      if (program !== undefined) {
        if (!isProgramAt(at)) {
          programs.push([tab, program])
        }
        at = block(at, tab)
      }
      result.push(html("</template>\n"))
    }
    const output = lineAt(at) === shared ? fenceAt(at + 3) : undefined
    if (output !== undefined) {
      result.push(html(`<template #output>\n`), output, html(`</template>\n`))
      at += 4
    }
    const loaders = () => programs.map(([tab, program]) => `${tab}: ${loaderOf(program)}`).join(", ")
    const lines = output?.content.trimEnd().split("\n").length
    const load = lines === undefined ? "" : ` :lines="${lines}" :load="{ ${loaders()} }"`
    const choice = tabAt(from)?.startsWith("Effect-") === true ? ` choice="${versionsChoice}"` : ""
    const label = lineAt(from) === signature ? ` label="Signature"` : ""
    result.splice(start, 0, html(`<Faces${choice}${label}${load}>\n`))
    result.push(html("</Faces>\n"))
    return at
  }
  for (let at = 0; at < tokens.length;) {
    at = tabAt(at) === undefined ? block(at) : group(at)
  }
  if (loaders.length > 0) {
    const constants = [`const programs = [${loaders.join(", ")}]`]
    // No other page loads it.
    if (tokens.some(({ content }) => content.startsWith("<RequestedFields"))) {
      constants.push(
        `import RequestedFields from ${JSON.stringify(join(root, "site/.vitepress/theme/RequestedFields.vue"))}`
      )
    }
    if (pages.length > 0) {
      // The tag of a page's script would end the one around it; these have none.
      constants.push(`const pages = ${JSON.stringify(pages)}`)
    }
    result.push(html(`<script setup>\n${constants.join("\n")}\n</script>\n`))
  }
  return result
}

/** Teaches the renderer which blocks are programs. */
export const runButtons = (md: MarkdownRenderer): void => {
  md.core.ruler.push("programs", (state) => {
    if (state.env.forSearch === true) {
      return
    }
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    state.tokens = withButtons(state.tokens, html)
  })
}

/** A module and all that it imports, as one file. */
export const bundled = async (
  file: string,
  options: { readonly format?: "esm" | "iife"; readonly plugins?: Array<BundlerPlugin> } = {}
): Promise<string> => {
  const { outputFiles } = await build({
    format: "esm",
    ...options,
    entryPoints: [file],
    bundle: true,
    // What a chunk is imported for alone is left out, as it should be.
    logOverride: { "ignored-bare-import": "silent" },
    minify: true,
    target: "es2022",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

/** What changed programs import: registry/ has its modules. */
const registryPrefix = "\0registry-"

/**
 * Serves the modules of the programs, and what changed programs import. Nothing loads them before a reader runs one. A changed
 * program can import more than others do, and has it in another file: in one that they share, others would load it too.
 */
export const programs = (): Plugin => ({
  name: "programs",
  // Before Vite resolves a path.
  enforce: "pre",
  resolveId(id, importer) {
    const [, name] = /^\.\/registry\/(\w+)\.js$/.exec(id) ?? []
    if (name !== undefined && importer?.endsWith("/edited.ts") === true && !this.meta.watchMode) {
      return registryPrefix + name
    }
    // The programs of the site run on Effect 4.
    if (importer?.startsWith(`\0${prefix}`) === true && /^(@catalog-client|effect)\b/.test(id)) {
      return this.resolve(id, join(root, "effect4/package.json"), { skipSelf: true })
    }
    return id.startsWith(prefix) ? `\0${id}` : undefined
  },
  async load(id) {
    if (id.startsWith(registryPrefix)) {
      const name = id.slice(registryPrefix.length)
      const file = join(root, `site/run/registry/${name}.ts`)
      const asset = this.emitFile({ type: "asset", name: `registry-${name}.js`, source: await bundled(file) })
      return `export const { registry } = await import(/* @vite-ignore */ import.meta.ROLLUP_FILE_URL_${asset})`
    }
    return id.startsWith(`\0${prefix}`) ? modules.get(id.slice(prefix.length + 1)) : undefined
  }
})
