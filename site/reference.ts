// Where the site explains a name that code uses: the section of the API, or of an operation.
import type { MarkdownOptions } from "vitepress"
import { base, linkFrom, pages, textOf } from "./pages.js"
import { anchorOf } from "./urls.js"

/** The addresses of the sections of a page, by the modules that they describe and by their names: `Transport.make`. */
const sectionsOf = (file: string): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const byModule = new Map<string, Map<string, string>>()
  const uses = new Map<string, number>()
  let byTitle = new Map<string, string>()
  byModule.set("", byTitle)
  let last = ""
  // Types of operations have a row, which can lead to the only operation that takes them.
  for (const [, level = "", heading = "", type, href] of textOf(file).matchAll(
    /^(##+) (.+)$|^[|] `([A-Z]\w+)` [|](?: \[[^\]]+\]\(([^)]+)\) [|]$)?/gm
  )) {
    if (type !== undefined) {
      byTitle.set(type, byTitle.get(type) ?? (href === undefined ? last : linkFrom(file, href)))
      continue
    }
    const name = heading.replaceAll(/[`\\]|\(\)$/g, "")
    const slug = anchorOf(heading)
    const used = uses.get(slug) ?? 0
    uses.set(slug, used + 1)
    const address = linkFrom(".", `${file}#${slug}${used === 0 ? "" : `-${used}`}`)
    last = address
    if (level === "##") {
      // The others are groups of names.
      if (!heading.startsWith("`")) {
        continue
      }
      byTitle = new Map([["", address]])
      byModule.set(name, byTitle)
      continue
    }
    // A value comes before the type of the same name.
    byTitle.set(name, byTitle.get(name) ?? address)
  }
  return byModule
}

/** Those of docs/api and of the records, by module. */
const sections = new Map(
  [...pages.keys()]
    .filter((file) => file.startsWith("docs/api/") || file === "docs/operations/records.md")
    .flatMap((file) => [...sectionsOf(file)])
)

const find = (title: string, module?: string): string | undefined =>
  (module === undefined ? undefined : sections.get(module)?.get(title)) ??
  [...sections.values()].flatMap((byTitle) => byTitle.get(title) ?? [])[0]

/** From which of the packages a program imports a name, and whether the name is the whole module. */
const importOf = (
  source: string,
  name: string
): { readonly specifier: string; readonly isWhole: boolean } | undefined => {
  for (const [, whole, names = "", specifier = ""] of source.matchAll(
    /import (?:type )?(?:\* as (\w+)|\{([^}]*)\}) from "(@?catalog-client(?:\/[^"]+)?)"/g
  )) {
    if (whole === name || names.split(",").some((one) => one.trim().replace(/^type /, "") === name)) {
      return { specifier, isWhole: whole === name }
    }
  }
  return undefined
}

/** A word in code: the compiler's text about it, and where it is. */
interface Word {
  readonly text: string
  readonly target: string
  readonly start: number
}

/** The address of what explains a word; undefined if it is not of the packages. */
export const explanationOf = ({ start, target, text }: Word, source: string): string | undefined => {
  const [, container] = /^\((?:property|method|accessor|getter|setter)\) (\w+)/.exec(text) ?? []
  const operation = container?.replace(/^(\w+)Operations$/, (_, domain: string) => domain.toLowerCase())
  if (operation !== container && pages.has(`docs/operations/${operation}.md`)) {
    return linkFrom(".", `docs/operations/${operation}.md#${anchorOf(`${operation}${target}`)}`)
  }
  const imported = importOf(source, target)
  if (imported !== undefined) {
    return find(imported.isWhole ? "" : target, imported.specifier)
  }
  const [, prefix] = /(\w+)\.$/.exec(source.slice(0, start)) ?? []
  const namespace = prefix === undefined ? undefined : importOf(source, prefix)
  if (namespace !== undefined) {
    const { isWhole, specifier } = namespace
    return find(`${prefix}.${target}`, specifier) ?? (isWhole ? find(target, specifier) : undefined)
  }
  const member = container === undefined ? undefined : find(`${container}.${target}`)
  // A constant is explained by its type.
  const type = container ?? /^(?:const|let) \w+: (\w+)/.exec(text)?.[1]
  return member ?? (type === undefined ? undefined : find(type))
}

/** The links of the signatures of docs/api, which the generator knows: by page, by signature, and by name. */
const signatures = JSON.parse(textOf("docs/api/signatures.json")) as Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
>

/** Where the types that a signature names are explained. */
const linksOf = (file: string, code: string): ReadonlyArray<readonly [name: string, address: string]> => {
  const [, page] = /^docs\/api\/(.+)$/.exec(file) ?? []
  const known =
    page === undefined
      ? // The params of an operation are in the table beside its signature.
        Array.from(code.matchAll(/\b[A-Z]\w+(?<!Params)\b/g), ([name]): [string, string | undefined] => [
          name,
          find(name, "catalog-client")
        ])
      : Object.entries(signatures[page]?.[code] ?? {})
  return [...new Map(known)].flatMap(([name, href]) => (href === undefined ? [] : [[name, linkFrom(file, href)]]))
}

/** Code with blanks for its comments and strings. */
const blanked = (code: string): string =>
  code.replaceAll(/\/\*[^]*?\*\/|"[^"\n]*"|`[^`\n]*`/g, (text) => text.replaceAll(/[^\n]/g, " "))

/** Whether blocks without imports are signatures. */
export const hasSignatures = (file: string): boolean => /^docs\/(?:api|operations)\//.test(file)

/** What follows the language of a signature to give it links. */
export const signatureIn = (file: string): string => ` signature=${file}`

/** Makes the first use of each type in a signature a link to where it is explained. */
export const signatureLinks: NonNullable<MarkdownOptions["codeTransformers"]>[number] = {
  name: "signature-links",
  preprocess(code, options) {
    const [, file] = /\bsignature=(\S+)/.exec(options.meta?.__raw ?? "") ?? []
    // A member has the colours that it has in a class.
    if (file !== undefined && !/^(?:\/\*|(?:interface|type|class|const) )/.test(code)) {
      options.grammarContextCode = "declare class Any {\n"
    }
    const text = blanked(code)
    options.decorations = (file === undefined ? [] : linksOf(file, code)).flatMap(([name, address]) => {
      const use = new RegExp(
        `(?<![\\w.]|\\b(?:interface|class|type|const) )${name.replaceAll(".", "\\.")}(?![\\w.]|\\??:)`
      )
      const start = use.exec(text)?.index
      const href = address.replace(/^\//, base)
      return start === undefined ? [] : [{ start, end: start + name.length, tagName: "a", properties: { href } }]
    })
  }
}
