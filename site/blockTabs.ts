// Commands that install packages, which the site shows in tabs: one for each package manager.
import type { MarkdownRenderer } from "vitepress"
import { fromClone, installersChoice, leadsToBlock, needsClone } from "./programs.js"

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

const command = /^npm install(?: --save-(dev|exact))? (?=[^-])/gm

/** What adds packages: to use, for development, or at an exact version. By the name of the tab. */
const installers: Readonly<Record<string, Readonly<Record<"add" | "dev" | "exact", string>>>> = {
  npm: { add: "npm install", dev: "npm install --save-dev", exact: "npm install --save-exact" },
  pnpm: { add: "pnpm add", dev: "pnpm add --save-dev", exact: "pnpm add --save-exact" },
  Yarn: { add: "yarn add", dev: "yarn add --dev", exact: "yarn add --exact" },
  Bun: { add: "bun add", dev: "bun add --dev", exact: "bun add --exact" }
}

/** The command of each package manager, by its name, for a block that only installs packages, which is written for npm. */
const installsIn = ({ content, info }: Token): ReadonlyArray<readonly [name: string, content: string]> =>
  info === "sh" && content.trimEnd().split("\n").length === content.match(command)?.length
    ? Object.entries(installers).map(([name, commands]) => [
        name,
        content.replaceAll(command, (_, how: "dev" | "exact" | undefined) => `${commands[how ?? "add"]} `)
      ])
    : []

/** Puts these blocks into tabs. */
export const blockTabs = (md: MarkdownRenderer): void => {
  md.core.ruler.push("block-tabs", (state) => {
    if (state.env.forSearch === true) {
      return
    }
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    // Once on a page.
    const first = state.tokens.findIndex(
      ({ content, info, type }) => type === "fence" && needsClone(state.src, info, content)
    )
    const noteAt = leadsToBlock(state.tokens[first - 2]?.content ?? "") ? first - 3 : first
    state.tokens = state.tokens.flatMap((token, at) => {
      const note = at === noteAt ? [html(fromClone)] : []
      if (token.type !== "fence") {
        return [...note, token]
      }
      const installs = installsIn(token)
      const tabs = installs.flatMap(([name, content]) => [
        html(`<template #${name}>\n`),
        Object.assign(new state.Token("fence", "code", 0), { info: token.info, content }),
        html("</template>\n")
      ])
      return [
        ...note,
        ...(tabs.length === 0 ? [token] : [html(`<Faces choice="${installersChoice}">\n`), ...tabs, html("</Faces>\n")])
      ]
    })
  })
}
