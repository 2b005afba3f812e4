// Blocks that the site shows in tabs: commands that install packages, and programs that Effect 4 has other names for.
import type { MarkdownRenderer } from "vitepress"
import { forEffect3, installOnEffect4, programOnEffect4 } from "../effect4/programs.mjs"
import { fromClone, installersLabel, needsClone, versionsLabel } from "./programs.js"

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

const command = /^npm install(?: --save-(dev|exact))? (?=[^-])/gm

/** What adds packages: to use, for development, or at an exact version. By the name of the tab. */
const installers: Readonly<Record<string, Readonly<Record<"add" | "dev" | "exact", string>>>> = {
  npm: { add: "npm install", dev: "npm install --save-dev", exact: "npm install --save-exact" },
  pnpm: { add: "pnpm add", dev: "pnpm add --save-dev", exact: "pnpm add --save-exact" },
  Yarn: { add: "yarn add", dev: "yarn add --dev", exact: "yarn add --exact" },
  Bun: { add: "bun add", dev: "bun add --dev", exact: "bun add --exact" }
}

/** The tabs of a block, what each shows by its name, and what a reader chooses by them. */
interface Tabs {
  readonly label: string
  readonly blocks: Readonly<Record<string, string>>
}

/** For a block that only installs packages, which is written for npm. */
const installTabs = ({ content, info }: Token): Tabs | undefined =>
  info === "sh" && content.trimEnd().split("\n").length === content.match(command)?.length
    ? {
        label: installersLabel,
        blocks: Object.fromEntries(
          Object.entries(installers).map(([name, commands]) => [
            name,
            content.replaceAll(command, (_, how: "dev" | "exact" | undefined) => `${commands[how ?? "add"]} `)
          ])
        )
      }
    : undefined

/** A program of Effect 3 for Effect 4, if it needs other names, or a command that installs another version for it. */
const onEffect4 = (info: string, content: string): string | undefined => {
  const text = info === "ts" ? programOnEffect4(content) : installOnEffect4(content)
  return /^(ts|sh)$/.test(info) && text !== content ? text : undefined
}

/** Whether a page shows both versions, one below the other. */
const showsBoth = (path: string): boolean => path.endsWith("effect-versions.md")

const versionTabs = ({ content, info }: Token): Tabs | undefined => {
  const text = onEffect4(info, content)
  return text === undefined ? undefined : { label: versionsLabel, blocks: { "Effect-4": text, "Effect-3": content } }
}

/** A page as Markdown, with the programs for Effect 4 that the site shows in tabs. */
export const withEffect4 = (path: string, markdown: string): string =>
  showsBoth(path)
    ? markdown
    : markdown
        .replaceAll(forEffect3, "")
        .replaceAll(
          /(With Effect [34]:\n\n)?^```(ts|sh)\n([^]*?)^```$/gm,
          (block, given: string | undefined, info: string, content: string) => {
            const text = given === undefined ? onEffect4(info, content) : undefined
            return text === undefined
              ? block
              : `With Effect 4:\n\n\`\`\`${info}\n${text}\`\`\`\n\nWith Effect 3:\n\n${block}`
          }
        )

/** Puts these blocks into tabs. */
export const blockTabs = (md: MarkdownRenderer): void => {
  md.core.ruler.push("block-tabs", (state) => {
    const isLabel = (at: number) =>
      state.tokens[at]?.type === "inline" && state.tokens[at].content === forEffect3.trim()
    // Its tab says so: the paragraph goes.
    state.tokens = state.tokens.filter((_, at) => !isLabel(at - 1) && !isLabel(at) && !isLabel(at + 1))
    if (state.env.forSearch === true) {
      return
    }
    const path = String(state.env.path)
    const isBoth = showsBoth(path)
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    const fence = (info: string, content: string) =>
      Object.assign(new state.Token("fence", "code", 0), { info, content })
    const rest = state.tokens
    const result: typeof rest = []
    /** Whether the line above says which version the blocks are for. */
    let isOne = false
    let isNoted = false
    const tabsOf = (token: Token) => (isBoth || isOne ? undefined : versionTabs(token)) ?? installTabs(token)
    /** A block in tabs, which can have tabs themselves. */
    const inTabs = ({ blocks, label }: Tabs, token: Token, output?: Token): typeof rest => [
      html(`<Faces label="${label}">\n`),
      ...Object.entries(blocks).flatMap(([name, content], index) => {
        const block = fence(token.info, content)
        const inner = label === versionsLabel ? installTabs(block) : undefined
        const printed = output === undefined || index === 0 ? output : fence("txt", output.content)
        return [
          html(`<template #${name}>\n`),
          ...(inner === undefined ? [block] : inTabs(inner, block)),
          ...(printed === undefined ? [] : [printed]),
          html("</template>\n")
        ]
      }),
      html("</Faces>\n")
    ]
    for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
      if (token.type === "inline") {
        isOne = /^With Effect [34]:$/.test(token.content)
      }
      const tabs = token.type === "fence" ? tabsOf(token) : undefined
      // Once on a page.
      if (!isNoted && token.type === "fence" && needsClone(state.src, token.info, token.content)) {
        result.push(html(fromClone))
        isNoted = true
      }
      if (tabs === undefined) {
        result.push(token)
        continue
      }
      // What the program prints: only that for Effect 4, on which programs run here, has a button to run it.
      const [next] = rest
      const output = token.info === "ts" && next?.type === "fence" && next.info === "text" ? rest.shift() : undefined
      result.push(...inTabs(tabs, token, output))
    }
    state.tokens = result
  })
}
