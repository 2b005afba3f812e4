// Blocks that the site shows in tabs: commands that install packages, and programs that Effect 4 has other names for.
import type { MarkdownRenderer } from "vitepress"
import { programOnEffect4, rewritten } from "../../effect4/programs.mjs"
import { installersLabel, versionsLabel } from "./programs.js"

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

const command = /^npm install (--save-dev )?(?=[^-])/gm

/** What replaces `npm install` and `npm install --save-dev`, by the name of the tab. */
const installers: Readonly<Record<string, readonly [add: string, addForDevelopment: string]>> = {
  npm: ["npm install", "npm install --save-dev"],
  pnpm: ["pnpm add", "pnpm add --save-dev"],
  Yarn: ["yarn add", "yarn add --dev"],
  Bun: ["bun add", "bun add --dev"]
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
          Object.entries(installers).map(([name, [add, addForDevelopment]]) => [
            name,
            content.replaceAll(command, (_, isDevelopment) =>
              isDevelopment === undefined ? `${add} ` : `${addForDevelopment} `
            )
          ])
        )
      }
    : undefined

/** For a program of Effect 3 that needs only other names for Effect 4. */
const versionTabs = ({ content, info }: Token): Tabs | undefined => {
  const onEffect4 = programOnEffect4(content)
  const isOther = info === "ts" && onEffect4 !== content && !rewritten.some((name) => content.includes(name))
  return isOther ? { label: versionsLabel, blocks: { "Effect-3": content, "Effect-4": onEffect4 } } : undefined
}

/** Puts these blocks into tabs. */
export const blockTabs = (md: MarkdownRenderer): void => {
  md.core.ruler.push("block-tabs", (state) => {
    if (state.env.forSearch === true) {
      return
    }
    // It shows both versions, one below the other.
    const hasVersions = !String(state.env.path).endsWith("effect-versions.md")
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    const fence = (info: string, content: string) =>
      Object.assign(new state.Token("fence", "code", 0), { info, content })
    const rest = state.tokens
    const result: typeof rest = []
    for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
      const tabs =
        token.type === "fence" ? (installTabs(token) ?? (hasVersions ? versionTabs(token) : undefined)) : undefined
      if (tabs === undefined) {
        result.push(token)
        continue
      }
      // What the program prints: only that of the page's own Effect has a button to run it.
      const [next] = rest
      const output = token.info === "ts" && next?.type === "fence" && next.info === "text" ? rest.shift() : undefined
      result.push(html(`<Faces label="${tabs.label}">\n`))
      for (const [index, [name, content]] of Object.entries(tabs.blocks).entries()) {
        result.push(html(`<template #${name}>\n`), fence(token.info, content))
        if (output !== undefined) {
          result.push(index === 0 ? output : fence("txt", output.content))
        }
        result.push(html("</template>\n"))
      }
      result.push(html("</Faces>\n"))
    }
    state.tokens = result
  })
}
