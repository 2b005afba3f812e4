// What makes pages lighter, and the build faster.
import type { MarkdownOptions, Plugin } from "vitepress"

/** What `markdown.ts` writes for the attribute `role`. */
export const roleName = "data-role"

/** The compiler of Vue keeps an element as text if it knows its attributes, and `role` is none of them. */
export const textWithRoles = (): Plugin => ({
  name: "text-with-roles",
  enforce: "post",
  transform: (code, id) => (id.endsWith(".md") ? { code: code.replaceAll(roleName, "role"), map: null } : undefined)
})

/** The colours of code, by their classes, light and dark: each word would repeat its own. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  k: ["#A0111F", "#FF7B72"],
  t: ["#702C00", "#FFA657"],
  s: ["#032563", "#A5D6FF"],
  f: ["#622CBC", "#D2A8FF"],
  n: ["#023B95", "#79C0FF"],
  c: ["#66707B", "#8B949E"],
  g: ["#024C1A", "#7EE787"]
}

const styleOf = ([light, dark]: readonly [string, string]): string => `--shiki-light:${light};--shiki-dark:${dark}`

/** What has the colour of the block has none of its own. */
const plain = styleOf(["#0E1116", "#E6EDF3"])

/** The styles of blocks and of these classes. */
export const colourStyles = [
  `.shiki{${plain}}`,
  ...Object.entries(colours).map(([name, colour]) => `.shiki .${name}{${styleOf(colour)}}`)
].join("")

const classes = new Map(Object.entries(colours).map(([name, colour]) => [styleOf(colour), name]))

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number]
type Node = Parameters<NonNullable<Transformer["pre"]>>[0]["children"][number]

const withClasses = (node: Node): Array<Node> => {
  if (node.type !== "element") {
    return [node]
  }
  const { style, ...properties } = node.properties
  const name = classes.get(String(style))
  const children = node.children.flatMap(withClasses)
  const isPlain = style === plain
  return isPlain && node.tagName === "span" && Object.keys(properties).length === 0
    ? children
    : [
        Object.assign(node, {
          children,
          properties: {
            ...(isPlain || name !== undefined || style === undefined ? {} : { style }),
            ...properties,
            ...(name === undefined ? {} : { class: [properties["class"] ?? [], name].flat().join(" ") })
          }
        })
      ]
}

/** Colours by class instead of by style: a page of the reference has half of its bytes. */
export const coloursByClass: Transformer = {
  name: "colours-by-class",
  pre(node) {
    // Both repeat what each block has.
    delete node.properties["style"]
    const names = [node.properties["class"]].flat().join(" ").split(" ")
    node.properties["class"] = names.filter((name) => !/^(?:shiki-themes|github-.*)$/.test(name)).join(" ")
    return Object.assign(node, { children: node.children.flatMap(withClasses) })
  }
}

/** The build that writes the HTML leaves out what a page loads later: Explore, programs and the index of the search. */
export const withoutLaterImports = (): Plugin => ({
  name: "without-later-imports",
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  enforce: "pre",
  // Pages are compiled where they are, in docs/, and Vue is installed here.
  resolveId: (name) => (/^vue(\/|$)/.test(name) ? { id: name, external: true } : undefined),
  resolveDynamicImport: () => false
})

interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: ReadonlyArray<string> } | null
}

/** What the app imports, directly or not, is one file, since each page loads all of it. */
export const oneSharedFile = (): Plugin => {
  let app = ""
  const shared = new Set<string>()
  const add = (id: string, modules: Modules): void => {
    if (!shared.has(id)) {
      shared.add(id)
      modules.getModuleInfo(id)?.importedIds.forEach((imported) => add(imported, modules))
    }
  }
  const name = (id: string, modules: Modules) => {
    add(app, modules)
    // Where the index of the search is: it is then asked for at once.
    return shared.has(id) || id === "/@localSearchIndex" ? "shared" : null
  }
  return {
    name: "one-shared-file",
    apply: (_, { isSsrBuild }) => isSsrBuild !== true,
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name }] } } } } }),
    configResolved: ({ build }) => {
      app = new Map(Object.entries(build.rolldownOptions.input ?? {})).get("app") ?? ""
    }
  }
}
