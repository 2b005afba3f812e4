// What the site makes of Markdown that is written for GitHub, and the Markdown files that it has beside its pages.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { MarkdownEnv, MarkdownRenderer } from "vitepress"
import { llms } from "./contents.js"
import { triggerIn } from "./hovers.js"
import { linkFrom, pages, root, textOf } from "./pages.js"
import { runButtons, tabs } from "./programs.js"

type State = Parameters<Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1]>[0]

/** The tokens of a page, where blocks that follow each other, each below the line of a tab, are one group with tabs. */
const grouped = ({ Token, tokens }: State): State["tokens"] => {
  const result: State["tokens"] = []
  let isOpen = false
  const open = (should: boolean) => {
    if (isOpen === should) {
      return
    }
    isOpen = should
    result.push(new Token(`container_code-group_${should ? "open" : "close"}`, "div", should ? 1 : -1))
  }
  for (let at = 0; at < tokens.length; at++) {
    const [token, line, , block] = tokens.slice(at, at + 4)
    const tab = block?.type === "fence" ? tabs.get(line?.content ?? "") : undefined
    open(tab !== undefined)
    if (block !== undefined && tab !== undefined) {
      block.info += ` [${tab}]`
      result.push(block)
      // The line is the name of the tab.
      at += 3
    } else if (token !== undefined) {
      result.push(token)
    }
  }
  open(false)
  return result
}

/** Teaches the renderer where links of a page lead, which blocks have hovers, and which are tabs. */
export const extend = (md: MarkdownRenderer): void => {
  runButtons(md)
  md.core.ruler.push("pages", (state) => {
    const file = relative(root, state.env.realPath ?? state.env.path)
    for (const [at, token] of state.tokens.entries()) {
      if (token.type === "fence" && token.info === "ts") {
        token.info += triggerIn(file)
      }
      if (token.type === "fence" && state.env.forSearch === true) {
        token.type = "code_block"
        if (/^(http|json)/.test(token.info)) {
          token.content = ""
        }
      }
      // An empty cell in a head is no header of its column.
      if (token.type === "th_open" && state.tokens[at + 1]?.content === "") {
        token.tag = "td"
      }
      if (token.type === "th_close" && state.tokens[at - 1]?.content === "") {
        token.tag = "td"
      }
      for (const child of token.children ?? []) {
        if (child.type === "link_open") {
          child.attrSet("href", linkFrom(file, child.attrGet("href") ?? ""))
        }
      }
    }
    if (file.startsWith("docs/operations/")) {
      state.tokens = grouped(state)
    }
  })
}

/** A page as the search knows it: its text and its code, without colours, hovers and recorded data. */
export const searchable = (source: string, env: MarkdownEnv, md: MarkdownRenderer): string =>
  md.render(source, { ...env, forSearch: true })

/** A page as Markdown whose links lead to Markdown. */
const copyOf = (file: string): string =>
  textOf(file)
    // Code stays as it is.
    .split(/(^```[^]*?^```$)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/\]\(([^()\s]+)\)/g, (_, href: string) => `](${linkFrom(file, href, ".md")})`)
    )
    .join("")

/** Writes each page as Markdown beside its HTML, and `llms.txt`. */
export const writeMarkdown = (folder: string, title: string, description: string): void => {
  for (const [file, address] of pages) {
    const path = join(folder, address)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, copyOf(file))
  }
  writeFileSync(join(folder, "llms.txt"), llms(title, description))
}
