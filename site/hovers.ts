// Types in the code blocks: https://twoslash.netlify.app. What a hover shows is a file, since few readers open more than one.
import { rendererFloatingVue, transformerTwoslash } from "@shikijs/vitepress-twoslash"
import { createFileSystemTypesCache } from "@shikijs/vitepress-twoslash/cache-fs"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { effectFolders } from "../scripts/workspace.mjs"
import { base, root } from "./pages.js"
import { explanationOf } from "./reference.js"

/** `none`, or the only files whose blocks get hovers, with commas between them. */
const { CATALOG_HOVERS: chosen } = process.env

const hasHovers = (file: string) =>
  chosen === undefined ? /^docs\/(index|(start|operations)\/.*)\.md$/.test(file) : chosen.split(",").includes(file)

/** What follows the language of a block to give it hovers. */
export const triggerIn = (file: string): string => (hasHovers(file) ? " twoslash" : "")

/** Where results are kept: a folder for these declarations of the packages, since they decide what a hover says. */
const cacheFolder = (): string => {
  const folder = join(root, ".cache/twoslash")
  const hash = createHash("sha256").update(readFileSync(join(root, "pnpm-lock.yaml")))
  for (const folder of [...effectFolders.map((name) => join("effect4/dist", name)), "packages/promise"]) {
    const dist = join(root, folder, "dist")
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).sort()
    for (const file of files) {
      if (file.endsWith(".d.ts")) {
        hash.update(file).update(readFileSync(join(dist, file)))
      }
    }
  }
  const current = hash.digest("hex").slice(0, 12)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (name !== current) {
      rmSync(join(folder, name), { recursive: true })
    }
  }
  return join(folder, current)
}

const rich = rendererFloatingVue()

/** A doc comment without its examples and without Effect's sections, which would weigh more than the page. */
const shortened = (docs: string): string =>
  docs
    // The compiler gives a link in pieces, each on a line of its own.
    .replaceAll(/\n\{@link \n([^}]*?) ?\n\}(\n|$)/g, "`$1`")
    .replace(/\n\s*(\*\*|```)[^]*/, "")

/** What the hovers of all pages show, by the names of their files. */
const contents = new Map<string, string>()

/** Writes what hovers show, each in a file. */
export const writeHovers = (folder: string): void => {
  mkdirSync(join(folder, "hovers"), { recursive: true })
  for (const [name, content] of contents) {
    writeFileSync(join(folder, `hovers/${name}.txt`), content)
  }
}

type Node = Parameters<NonNullable<ReturnType<typeof transformerTwoslash>["pre"]>>[0]["children"][number]

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const htmlOf = (node: Node): string => {
  if (node.type !== "element") {
    return node.type === "text" ? escaped(node.value) : ""
  }
  const attributes = Object.entries(node.properties).map(
    ([name, value]) => ` ${name}="${escaped([value].flat().join(" "))}"`
  )
  return `<${node.tagName}${attributes.join("")}>${node.children.map(htmlOf).join("")}</${node.tagName}>`
}

/** Hovers that end with a link to the reference. A name of the platform has one paragraph. */
const renderer: typeof rich = {
  ...rich,
  nodeStaticInfo(hover, node) {
    const address = explanationOf(hover, this.source)
    const docs = shortened(hover.docs ?? "")
    const tags = address === undefined ? [] : (hover.tags ?? []).filter(([name]) => name !== "example")
    const shown =
      address === undefined
        ? docs.replace(/\n\s*\n[^]*/, "")
        : `${docs}\n\n[Reference](${address.replace(/^\//, base)})`
    const floating = rich.nodeStaticInfo.call(this, { ...hover, docs: shown.trim(), tags }, node)
    // The name, and a template with what is shown.
    const [name, template] = "children" in floating ? (floating.children ?? []) : []
    if (name?.type !== "element" || template?.type !== "element") {
      return floating
    }
    const content = (template.content?.children ?? []).map((part) => htmlOf(part as Node)).join("")
    const file = createHash("sha256").update(content).digest("hex").slice(0, 12)
    contents.set(file, content)
    return {
      type: "element",
      tagName: "span",
      properties: { class: "twoslash-hover", "data-hover": file },
      children: name.children
    }
  }
}

/**
 * Each block is checked as a file of its own, by the compiler, against the packages as they are built. It takes most of
 * a second, so only the pages that a newcomer reads first have hovers, and results are kept in .cache/.
 */
const withTypes = transformerTwoslash({
  // A test compiles all blocks.
  throws: false,
  typesCache: createFileSystemTypesCache({ dir: cacheFolder() }),
  renderer,
  twoslashOptions: {
    // The packages that blocks import are those for Effect 4.
    vfsRoot: join(root, "effect4"),
    handbookOptions: { noErrors: true },
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
      types: ["node"]
    }
  }
})

/** The same; a block without hovers is no Tab stop, and a screen reader says how a keyboard reaches those of a block (Layout.vue). */
export const hovers: typeof withTypes = {
  ...withTypes,
  pre(node) {
    withTypes.pre?.call(this, node)
    if (this.options.meta?.__raw?.includes("twoslash") === true) {
      node.properties["aria-describedby"] = "hover-keys"
    } else {
      // Its lines wrap, so nothing in it scrolls.
      delete node.properties["tabindex"]
    }
  }
}
