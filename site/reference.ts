// Where the site explains a name that code uses: the section of the API, or of an operation.
import type { MarkdownOptions } from "vitepress"
import { base, linkFrom, pages, siteUrl, textOf } from "./pages.js"
import { anchorOf, rowAnchorOf } from "./urls.js"

/** A name of an entry point, and where the site explains it. The name of an entry point itself is empty. */
interface Place {
  readonly name: string
  readonly module: string
  readonly address: string
  readonly isMember: boolean
  /** What it is: `function`. */
  readonly kind?: string
  /** What it does, in a sentence. */
  readonly line?: string
}

/** The page of records, and after them the sets of values. */
const records = textOf("docs/operations/records.md")

/** Those of docs/api, which the generator knows, and the records and values, which every entry point exports. */
const places: ReadonlyArray<Place> = [
  ...(JSON.parse(textOf("docs/api/names.json")) as ReadonlyArray<Place>).map((place) => ({
    ...place,
    address: linkFrom("docs/api/names.json", place.address)
  })),
  ...Array.from(
    records.matchAll(/^### `(\w+)`\n+(?:([A-Z].*?\.)(?: .*)?$)?/gm),
    ({ 1: name = "", 2: line = "", index }) => ({
      name,
      module: "",
      address: linkFrom(".", `docs/operations/records.md#${anchorOf(name)}`),
      isMember: false,
      kind: index > records.indexOf("\n## Values\n") ? "values" : "record",
      line: line.replaceAll(/\]\([^)]*\)|[`[]/g, "")
    })
  )
]

/** The addresses by modules and names. */
const sections = new Map<string, Map<string, string>>()
for (const { address, module, name } of places) {
  const byName = sections.get(module) ?? new Map<string, string>()
  sections.set(module, byName.set(name, byName.get(name) ?? address))
}

/** What each section of docs/api says first, by its address. */
export const lines: ReadonlyMap<string, string> = new Map(places.map(({ address, line = "" }) => [address, line]))

/** What tells a module from the others that have a name: `redis`. */
const labelOf = (module: string): string =>
  module === "catalog-client"
    ? "promises"
    : /^@catalog-client\/\w+$/.test(module)
      ? "Effect"
      : module.replace(/^@?catalog-client\//, "")

const groupedBy = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  }
  return groups
}

/** The names that programs import, each with its places, by their first letters and in the order of the alphabet. */
const namesByLetter = (): ReadonlyMap<string, ReadonlyArray<readonly [name: string, places: ReadonlyArray<Place>]>> => {
  const byName = groupedBy(
    places.filter(({ isMember, name }) => name !== "" && !isMember),
    ({ name }) => name
  )
  const keyOf = (name: string) => name.toLowerCase()
  const all = [...byName].sort(([one], [other]) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return groupedBy(all, ([name]) => name.charAt(0).toUpperCase())
}

/** Where a list of all names stands on a page. */
export const namesMark = "<!-- names -->"

/** The list of all names as Markdown, a line for each letter. */
export const namesAsMarkdown = (): string =>
  [...namesByLetter()]
    .map(([letter, names]) => {
      const links = names.flatMap(([name, places]) =>
        places.map(
          ({ address, module }) =>
            `[\`${name}\`${places.length > 1 ? ` (${labelOf(module)})` : ""}](${siteUrl}${address.replace(/(?=#)|$/, ".md")})`
        )
      )
      return `- ${letter}: ${links.join(", ")}`
    })
    .join("\n")

/** Where a reader writes letters, for the names that have them: theme/folds.ts. */
export const filter = '<input class="filter" type="search" placeholder="Filter names" aria-label="Filter names">'

/** The list of all names as HTML, with what each is. */
export const namesAsHtml = (escaped: (text: string) => string): string => {
  const link = (address: string, text: string) => `<a href="${address.replace(/^\//, base)}">${text}</a>`
  const groups = [...namesByLetter()]
  const entries = groups.map(([letter, names]) => {
    const lines = names.map(([name, places]) => {
      const code = `<code>${name}</code>`
      const [first] = places
      const links = places.map(({ address, module }) => link(address, labelOf(module)))
      const found =
        first !== undefined && places.length === 1 ? link(first.address, code) : `${code} ${links.join(" ")}`
      return `<dd><span>${found}</span><small>${first?.kind ?? ""}</small><span>${escaped(first?.line ?? "")}</span></dd>`
    })
    return `<dt id="names-${letter.toLowerCase()}">${letter}</dt>${lines.join("")}`
  })
  const letters = groups.map(([letter]) => `<a href="#names-${letter.toLowerCase()}">${letter}</a>`)
  return `${filter}<nav class="letters" aria-label="Letters">${letters.join("")}</nav><dl class="names" v-pre>${entries.join("")}</dl>`
}

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

/** Where the page of an operation explains the first of its inputs, for the type of all in its signature. */
const inputsOf = (file: string, code: string): string | undefined => {
  const section =
    textOf(file)
      .split(/^## /m)
      .find((part) => part.includes(code)) ?? ""
  const [, name = ""] = /^`(.+)`$/m.exec(section) ?? []
  const [, input] = /^\| (`\w+\??`) \|/m.exec(section) ?? []
  const row = input && rowAnchorOf(anchorOf(name), input)
  return row && linkFrom(".", `${file}#${row}`)
}

/** Where the types that a signature names are explained. */
const linksOf = (file: string, code: string): ReadonlyArray<readonly [name: string, address: string]> => {
  const [, page] = /^docs\/api\/(.+)$/.exec(file) ?? []
  const known =
    page === undefined
      ? Array.from(code.matchAll(/\b[A-Z]\w+\b/g), ([name]): [string, string | undefined] => [
          name,
          name.endsWith("Params") ? inputsOf(file, code) : find(name, "catalog-client")
        ])
      : Object.entries(signatures[page]?.[code] ?? {})
  return [...new Map(known)].flatMap(([name, href]) => (href === undefined ? [] : [[name, linkFrom(file, href)]]))
}

/** Code with blanks for its imports, comments and strings. */
const blanked = (code: string): string =>
  code.replaceAll(/^import .*$|\/\*[^]*?\*\/|"[^"\n]*"|`[^`\n]*`/gm, (text) => text.replaceAll(/[^\n]/g, " "))

/** Whether a block of a page is a signature: those of the API are marked, and those of operations import nothing. */
export const isSignature = (file: string, info: string, code: string): boolean =>
  info === "ts signature" || (info === "ts" && file.startsWith("docs/operations/") && !/^import /m.test(code))

/** The language of a signature that has links. */
export const signatureIn = (file: string): string => `ts signature=${file}`

/** Makes the first use of each type in a signature a link to where it is explained; an import above it has one color. */
export const signatureLinks: NonNullable<MarkdownOptions["codeTransformers"]>[number] = {
  name: "signature-links",
  preprocess(code, options) {
    const [, file] = /\bsignature=(\S+)/.exec(options.meta?.__raw ?? "") ?? []
    // A member has the colours that it has in a class.
    if (file !== undefined && !/^(?:\/\*|(?:import|interface|type|class|const|namespace) )/.test(code)) {
      options.grammarContextCode = "declare class Any {\n"
    }
    const text = blanked(code)
    options.decorations = (file === undefined ? [] : linksOf(file, code)).flatMap(([name, address]) => {
      const use = new RegExp(
        `(?<![\\w.]|\\b(?:interface|class|type|const|namespace) )${name.replaceAll(".", "\\.")}(?![\\w.]|\\??:)`
      )
      const start = use.exec(text)?.index
      const href = address.replace(/^\//, base)
      return start === undefined ? [] : [{ start, end: start + name.length, tagName: "a", properties: { href } }]
    })
  },
  line(node, line) {
    const text = this.tokens[line - 1]?.map(({ content }) => content).join("") ?? ""
    if (/\bsignature=/.test(this.options.meta?.__raw ?? "") && text.startsWith("import ")) {
      const [start = "", module = ""] = text.split(/(?=".*")/)
      const children = [{ type: "text" as const, value: module }]
      node.children = [
        { type: "text", value: start },
        { type: "element", tagName: "span", properties: { class: "word" }, children }
      ]
      this.addClassToHast(node, "import")
    }
  }
}
