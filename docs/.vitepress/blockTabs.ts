// Blocks that the site shows in tabs: commands that install packages, and programs that Effect 4 has other names for.
import type { MarkdownRenderer } from "vitepress"
import { programOnEffect4, rewritten } from "../../effect4/programs.mjs"

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
        label: "Package manager",
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
  return isOther ? { label: "Effect 3 or Effect 4", blocks: { "Effect-3": content, "Effect-4": onEffect4 } } : undefined
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
    state.tokens = state.tokens.flatMap((token, at, { [at + 1]: next }) => {
      // A program that prints something has a button to run it, with the Effect of the page.
      const isRun = next?.type === "fence" && next.info === "text"
      const tabs =
        token.type === "fence"
          ? (installTabs(token) ?? (hasVersions && !isRun ? versionTabs(token) : undefined))
          : undefined
      return tabs === undefined
        ? [token]
        : [
            html(`<Faces label="${tabs.label}">\n`),
            ...Object.entries(tabs.blocks).flatMap(([name, content]) => [
              html(`<template #${name}>\n`),
              Object.assign(new state.Token("fence", "code", 0), { info: token.info, content }),
              html("</template>\n")
            ]),
            html("</Faces>\n")
          ]
    })
  })
}
