// What the site makes of Markdown that is written for GitHub, and the Markdown files that it has beside its pages.
import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, extname, join, relative } from "node:path"
import type { MarkdownEnv, MarkdownOptions, MarkdownRenderer } from "vitepress"
import { llms, sectionFiles } from "./contents.js"
import { triggerIn } from "./hovers.js"
import { blockTabs } from "./blockTabs.js"
import { roleName } from "./lighter.js"
import { base, linkFrom, pages, root, sectionPages, siteUrl, textOf } from "./pages.js"
import { pictures } from "./pictures.js"
import { filter, isSignature, lines, namesAsHtml, namesAsMarkdown, namesMark, signatureIn } from "./reference.js"
import { fromCloneAddress } from "../scripts/release/notes.mjs"
import { leadsToBlock, needsClone, runButtons } from "./programs.js"
import { markedCode, markedName } from "./search.js"
import { placesInExplore, rowAnchorOf } from "./urls.js"

type Tokens = ReturnType<MarkdownRenderer["parse"]>

/** The text of a token, without markup. */
const textIn = (token: Tokens[number] | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join("")

/** The roles of a table's tokens. */
const roles: Readonly<Record<string, string>> = {
  table_open: "table",
  thead_open: "rowgroup",
  tbody_open: "rowgroup",
  tr_open: "row",
  th_open: "columnheader",
  td_open: "cell"
}

/**
 * Labels each cell of a table with the head of its column: a phone shows rows as blocks, unless a row is a text and a number. The
 * roles keep them a table for screen readers.
 */
const labelCells = (tokens: Tokens): void => {
  let table: Tokens[number] | undefined
  let heads: Array<string> = []
  let hasNumbers = false
  let column = 0
  for (const [at, token] of tokens.entries()) {
    const role = roles[token.type]
    if (role === undefined) {
      continue
    }
    const isEmptyHead = token.type === "th_open" && token.tag === "td"
    token.attrSet(roleName, isEmptyHead ? "cell" : role)
    if (token.type === "table_open") {
      table = token
      heads = []
      hasNumbers = false
    } else if (token.type === "tbody_open" && heads.length === 2 && hasNumbers) {
      table?.attrSet("class", "pairs")
    } else if (token.type === "tr_open") {
      column = 0
    } else if (token.type === "th_open") {
      heads.push(textIn(tokens[at + 1]))
      hasNumbers ||= /right/.test(String(token.attrGet("style")))
    } else if (token.type === "td_open") {
      const head = heads[column++] ?? ""
      // Beside a title, a single text explains itself.
      if (head !== "" && heads.length > 2) {
        token.attrSet("data-label", head)
      }
    }
  }
}

/** Gives each row that documents a name an anchor: below a heading, the first of that name. */
const anchorRows = (tokens: Tokens): void => {
  const used = new Set(tokens.map((token) => token.attrGet("id")))
  let section = ""
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      section = token.attrGet("id") ?? ""
    } else if (token.type === "td_open" && tokens[at - 1]?.type === "tr_open") {
      const anchor = rowAnchorOf(section, tokens[at + 1]?.content ?? "")
      if (anchor !== undefined && !used.has(anchor)) {
        used.add(anchor)
        tokens[at - 1]?.attrSet("id", anchor)
      }
    }
  }
}

/**
 * Folds each section of a page of the reference, which shows its name and its first sentence then: the page of promises has 109,
 * and was 95 000 pixels long on a phone.
 */
const foldSections = (
  tokens: Tokens,
  file: string,
  html: (content: string) => Tokens[number],
  escaped: (text: string) => string
): Tokens => {
  let group = ""
  let isOpen = false
  const close = () => {
    const end = isOpen ? [html("</details>\n")] : []
    isOpen = false
    return end
  }
  const folded = tokens.flatMap((token, at) => {
    const { tag, type } = token
    if (type === "heading_open" && tag === "h2") {
      group = tokens[at + 1]?.content ?? ""
      return [...close(), token]
    }
    if (tag !== "h3" || group === "Entry points") {
      return [token]
    }
    if (type === "heading_open") {
      // What opens the section is no place for the link to it: an open one is in the address.
      const title = tokens[at + 1]
      const linkAt = title?.children?.findIndex((child) => child.attrGet("class") === "header-anchor") ?? -1
      if (title?.children && linkAt >= 0) {
        title.children = title.children.slice(0, linkAt)
      }
      const start = [...close(), html('<details class="fold"><summary>'), token]
      isOpen = true
      return start
    }
    const line = lines.get(`${linkFrom(".", file)}#${tokens[at - 2]?.attrGet("id")}`) ?? ""
    return [token, html(`<p>${escaped(line)}</p></summary>\n`)]
  })
  const first = folded.findIndex(({ tag }) => tag === "h2")
  return [
    ...folded.slice(0, first),
    html(`${filter} <button type="button" class="action open-all">Open all sections</button>\n`),
    ...folded.slice(first),
    ...close()
  ]
}

/** For the search: marks the names that a table of options or of the API documents. */
const markNames = (tokens: Tokens): void => {
  let head = ""
  for (const [at, { type }] of tokens.entries()) {
    const { children, content = "" } = tokens[at + 1] ?? {}
    const isFirst = tokens[at - 1]?.type === "tr_open"
    if (type === "th_open" && isFirst) {
      head = content
    }
    // Other tables of inputs have examples of them.
    const isInput = head === "input" && rowAnchorOf("", content) !== undefined
    const isDocumented = type === "td_open" && (isInput || /^(?:option|name|Property|Type)$/.test(head))
    for (const child of children ?? []) {
      const isName = isDocumented && (isFirst || (head !== "Property" && /^[A-Z]\w+$/.test(child.content)))
      if (child.type === "code_inline" && isName) {
        child.content = markedName(child.content)
      }
    }
  }
}

/** The paragraphs and cells of the reference of promises. */
const textsOfPromises = new Set(textOf("docs/api/catalog-client.md").split(/\n\n|^\| | \|$|(?<!\\) \| /m))

/** For the search: without what the API says of types and defaults, and what it says of Effect as it does of promises. */
const leaveOutRepeated = (tokens: Tokens, file: string): void => {
  const heads: Array<string> = []
  let column = 0
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]?.type
    if (token.type === "tr_open") {
      column = 0
    } else if (before === "th_open") {
      heads[column] = token.content
    } else if (/^t[hd]_close$/.test(token.type)) {
      column += 1
    }
    const isDetail = before === "td_open" && heads[0] === "Property" && /^(?:Type|Default)$/.test(heads[column] ?? "")
    const isRepeated = file === "docs/api/core.md" && before !== "heading_open" && textsOfPromises.has(token.content)
    if (token.type === "inline" && (isDetail || isRepeated)) {
      token.children = []
    }
  }
}

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number]
type Element = Parameters<NonNullable<Transformer["pre"]>>[0]
type Node = Element["children"][number]

/** The text of a part of code, without markup. */
const codeIn = (node: Node): string =>
  node.type === "element" ? node.children.map(codeIn).join("") : node.type === "text" ? node.value : ""

/** Replaces each text of a line. It is given with its place, and the place after it is returned. */
const replaceTexts = (line: Element, start: number, replaced: (text: string, start: number) => Array<Node>): number => {
  let at = start
  line.children = line.children.flatMap((child) => {
    const from = at
    if (child.type === "element") {
      at = replaceTexts(child, from, replaced)
    } else if (child.type === "text") {
      at += child.value.length
      return replaced(child.value, from)
    }
    return [child]
  })
  return at
}

const element = (tagName: string, properties: Element["properties"], children: Array<Node> = []): Node => ({
  type: "element",
  tagName,
  properties,
  children
})

/** How many letters of code a row of a narrow phone has, without what a line is indented by where it continues. */
const narrow = 30

/** Where a long name, call or address can break: after a bracket or a slash, and before a full stop or a parameter. */
const breaks = /(?<=[([])(?![)\]])|(?<=[\w)\]"])(?=\.[a-z])|(?<=\w\/)(?=\w)|(?<=\w)(?=[?&])/gi

/** A word that is wider than a narrow phone breaks at its parts. At the start of a line, it would leave its indentation alone in a row. */
const breakLongWords = (line: Element): void => {
  const code = codeIn(line)
  const room = narrow - Math.max(0, code.search(/\S/))
  const places = Array.from(code.matchAll(/\S+/g)).flatMap(({ 0: word, index }) =>
    word.length > room ? Array.from(word.matchAll(breaks), (place) => index + place.index) : []
  )
  replaceTexts(line, 0, (text, start) => {
    const cuts = places.map((place) => place - start).filter((cut) => cut >= 0 && cut < text.length)
    return [0, ...cuts].flatMap((from, at): Array<Node> => [
      ...(at === 0 ? [] : [element("wbr", {})]),
      { type: "text", value: text.slice(from, cuts[at]) }
    ])
  })
}

/**
 * How code wraps on a phone: a line continues at its own indentation and four columns more, and a word of a command, like the
 * name of a package, does not break, there and where it is imported.
 */
export const wrapping: Transformer = {
  name: "wrapping",
  line(node, line) {
    const code = this.tokens[line - 1]?.map(({ content }) => content).join("") ?? ""
    const indent = code.search(/\S/)
    // A shorter line does not wrap.
    if (indent > 0 && code.length > narrow) {
      node.properties["style"] = `--indent:${indent}`
    }
  },
  span(node) {
    const [text] = node.children
    const isWord = this.options.lang === "sh" ? /^\s*(?!\S*:\/\/)\S+$/ : /^\s?"[\w@/.]+-[\w@/.-]{1,24}"$/
    if (text?.type === "text" && isWord.test(text.value)) {
      this.addClassToHast(node, "word")
    }
  },
  code(node) {
    for (const line of node.children) {
      if (line.type === "element") {
        breakLongWords(line)
      }
    }
  }
}

/** For the search: the tokens of a page without the sections of types that have parameters and that no program imports. */
const withoutHelpers = (tokens: Tokens): Tokens => {
  let isUnexported = false
  return tokens.filter(({ tag, type }, at) => {
    if (type === "heading_open" && tag === "h2") {
      isUnexported = tokens[at + 1]?.content === "Unexported types"
    }
    const heading = [at, at - 1, at - 2, at - 3].find((place) => tokens[place]?.type === "heading_open")
    const code = heading === undefined ? undefined : tokens[heading + 3]?.content
    return !isUnexported || code === undefined || !/^(?:type|interface) \w+</m.test(code)
  })
}

const inExplore = new Map(Object.entries(placesInExplore))

/** At the end of an operation's request, on the site alone: where a reader can call it. */
const linkToExplore = (operation: string): string =>
  ` · <a href="${base}explore?${inExplore.get(operation)?.replaceAll("&", "&amp;")}" aria-label="Try it in Explore: ${operation}">Try it in Explore</a>`

/** The file of a page. */
const fileOf = ({ path, realPath = path }: MarkdownEnv): string => relative(root, realPath)

/** Teaches the renderer where links of a page lead, which blocks have hovers, which are tabs, and how names and numbers break. */
export const extend = (md: MarkdownRenderer): void => {
  blockTabs(md)
  runButtons(md)
  pictures(md)
  // VitePress makes each table a Tab stop. Here a table does not scroll.
  delete md.renderer.rules["table_open"]
  // A long name breaks between its parts, one with a meta of its own where that says, and an option of a command nowhere.
  const code = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...args) => {
    const [tokens, at] = args
    const { content = "", meta } = tokens[at] ?? {}
    const html = (code?.(...args) ?? "").replaceAll(/--[a-z][\w-]*/g, '<span class="word">$&</span>')
    const between: unknown = meta?.breaks ?? (/\S{20}/.test(content) ? breaks : undefined)
    return between instanceof RegExp ? html.replaceAll(between, "<wbr>") : html
  }
  const text = md.renderer.rules.text
  md.renderer.rules.text = (...args) => {
    const [tokens, at] = args
    const html = text?.(...args) ?? ""
    return tokens[at]?.meta?.breaks === undefined
      ? html
      : html.replaceAll(/(?<=\w_)(?=\w)|(?<=\w)(?=\.[a-z])/gi, "<wbr>")
  }
  md.core.ruler.push("pages", (state) => {
    const file = fileOf(state.env)
    if (state.env.forSearch === true) {
      state.tokens = withoutHelpers(state.tokens)
    }
    let heading = ""
    for (const [at, token] of state.tokens.entries()) {
      if (token.type === "fence" && isSignature(file, token.info, token.content)) {
        token.info = signatureIn(file)
      } else if (token.type === "fence" && token.info === "ts") {
        token.info += triggerIn(file)
      }
      if (token.type === "html_block" && token.content.trim() === namesMark) {
        token.content = state.env.forSearch === true ? "" : namesAsHtml(state.md.utils.escapeHtml)
      }
      if (token.type === "heading_open" && state.env.forSearch !== true) {
        for (const child of state.tokens[at + 1]?.children ?? []) {
          child.meta = { breaks }
        }
      }
      // A name breaks between its words, which leaves room for the last cell.
      const isLastCell = state.tokens[at + 3]?.type === "tr_close"
      if (
        token.type === "td_open" &&
        !isLastCell &&
        file.startsWith("docs/operations/") &&
        state.env.forSearch !== true
      ) {
        for (const child of state.tokens[at + 1]?.children ?? []) {
          if (child.type === "code_inline") {
            child.meta = { breaks: /(?<=>\w*_)|(?<=[\w}])(?=\/\w)/g }
          } else if (/^\w+$/.test(child.content)) {
            child.type = "html_inline"
            child.content = child.content.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "<wbr>")
          }
        }
      }
      if (token.type === "heading_open") {
        heading = state.tokens[at + 1]?.content.replaceAll("`", "") ?? ""
      }
      // Below the description of an operation.
      const line = state.tokens[at + 1]
      if (token.type === "paragraph_open" && /^`[A-Z]+ \//.test(line?.content ?? "")) {
        token.attrSet("class", "request")
        if (state.env.forSearch !== true) {
          const link = Object.assign(new state.Token("html_inline", "", 0), { content: linkToExplore(heading) })
          line?.children?.push(link)
        }
      }
      if (token.type === "fence" && state.env.forSearch === true) {
        token.type = "code_block"
        const code = token.content.replaceAll(/process[.]env[.]\w+/g, "")
        token.content =
          /^(http|json)|signature=/.test(token.info) || file.startsWith("docs/api/") ? "" : markedCode(code)
      }
      // An empty cell in a head is no header of its column.
      if (token.type === "th_open" && state.tokens[at + 1]?.content === "") {
        token.tag = "td"
      }
      if (token.type === "th_close" && state.tokens[at - 1]?.content === "") {
        token.tag = "td"
      }
      for (const child of token.children ?? []) {
        if (child.type === "text") {
          // A number with a space between its thousands stays on a line.
          child.content = child.content.replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, "\u00a0")
        }
        if (child.type === "link_open") {
          child.attrSet("href", linkFrom(file, child.attrGet("href") ?? ""))
          // Beside each heading, they would be half of a page's tab stops, and a part of its name.
          if (child.attrGet("class") === "header-anchor") {
            child.attrs = [...(child.attrs ?? []).filter(([name]) => name !== "aria-label"), ["aria-hidden", "true"]]
            child.attrSet("tabindex", "-1")
          }
        }
      }
    }
    if (state.env.forSearch === true) {
      leaveOutRepeated(state.tokens, file)
      markNames(state.tokens)
    }
    labelCells(state.tokens)
    anchorRows(state.tokens)
    if (file.startsWith("docs/api/") && state.env.forSearch !== true) {
      const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
      state.tokens = foldSections(state.tokens, file, html, state.md.utils.escapeHtml)
    }
  })
}

/** The headings of groups on the pages of operations and records, which say less than what is below them. */
const groupHeadings = /<h2 (?:(?!<\/h2>)[^])*<\/h2>\s*(?=<h3|<table)/g

/** The same on the pages of the API, where only this table has names of its own. */
const apiGroupHeadings = /<h2 id="(?!operations-and-their-inputs)(?:(?!<\/h2>)[^])*<\/h2>/g

/** A page as the search knows it: its text and its code, without colours, hovers, recorded data, signatures and groups. */
export const searchable = (source: string, env: MarkdownEnv, md: MarkdownRenderer): string => {
  const html = md.render(source, { ...env, forSearch: true })
  // The page of a section has the words of its pages.
  if (sectionPages.includes(fileOf(env))) {
    return html.replace(/<(?:h2|table)[^]*/, "")
  }
  if (fileOf(env).startsWith("docs/api/")) {
    // A type that no program can import is in the signature that takes it.
    return html.replace(/<h2 id="unexported-types"[^]*?(?=<h2 |$)/, "").replaceAll(apiGroupHeadings, "")
  }
  return fileOf(env).startsWith("docs/operations/") ? html.replaceAll(groupHeadings, "") : html
}

/** A page with a note above the first block that installs packages which npm does not have yet. */
const noted = (text: string): string => {
  const [block] = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm)).filter(([, info = "", content = ""]) =>
    needsClone(text, info, content)
  )
  if (block === undefined) {
    return text
  }
  // Above the line that leads to the block, too.
  const lead = text.slice(0, block.index).trimEnd().split("\n\n").at(-1) ?? ""
  const at = leadsToBlock(lead) ? text.lastIndexOf(lead, block.index) : block.index
  return `${text.slice(0, at)}The packages aren't on npm yet: [build them from a clone](${siteUrl}/${fromCloneAddress.replace("#", ".md#")}) (one to three minutes), and run the line that the build prints instead of the first \`npm install\` below.\n\n${text.slice(at)}`
}

/** Where a link of a page's copy leads. */
const addressIn = (file: string, href: string): string => {
  const [, picture] = /(?:^|\/)pictures\/(.+?)(?:-light)?(?=[.]\w+$)/.exec(href) ?? []
  return picture === undefined
    ? linkFrom(file, href, ".md").replace(/^\//, `${siteUrl}/`)
    : `${siteUrl}/pictures/${picture}-light${extname(href)}`
}

/** A page as Markdown whose links lead to Markdown, without the settings of its layout. */
const copyOf = (file: string): string =>
  noted(textOf(file))
    .replace(namesMark, namesAsMarkdown)
    .replace(/^---\n[^]*?\n---\n+/, "")
    .replaceAll(/^<!-- (?:until .*|end|Written by .*) -->\n+/gm, "")
    // It has no buttons.
    .replaceAll(/^On this site, press \*\*Run\*\*[^.]*\.(?: |\n+)/gm, "")
    // Code stays as it is.
    .split(/(^```[^]*?^```$)/m)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replaceAll(/\]\(([^()\s]+)\)/g, (_, href: string) => `](${addressIn(file, href)})`)
    )
    .join("")

/** Writes each page as Markdown beside its HTML, all of them and those of a section as one file, `openapi.json`, and `llms.txt`. */
export const writeMarkdown = (folder: string, title: string, description: string): void => {
  const copies = new Map(Array.from(pages, ([file, address]) => [file, { address, copy: copyOf(file) }]))
  for (const { address, copy } of copies.values()) {
    const path = join(folder, address)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, copy)
    // Also `errors.md`, where the page is `/errors/`.
    writeFileSync(path.replace(/(?<=\w)\/index(?=\.md$)/, ""), copy)
  }
  const all = [...pages.keys()].filter((file) => !sectionPages.includes(file))
  for (const { copy: name, files } of [{ copy: "llms-full.txt", files: all }, ...sectionFiles]) {
    const parts = files
      .flatMap((file) => copies.get(file) ?? [])
      .map(({ address, copy }) => `<!-- ${siteUrl}/${address} -->\n\n${copy.trim()}\n`)
    writeFileSync(join(folder, name), parts.join("\n"))
  }
  // As the file is called in a project.
  writeFileSync(join(folder, "AGENTS.md"), copies.get("AGENTS.md")?.copy ?? "")
  copyFileSync(join(root, "docs/api/openapi.json"), join(folder, "openapi.json"))
  const sizeOf = (name: string) => `${Math.round(statSync(join(folder, name)).size / 1000)} kB`
  writeFileSync(join(folder, "llms.txt"), llms(title, description, sizeOf))
}
