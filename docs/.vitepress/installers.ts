// Commands that install packages: written for npm, and on the site in tabs for other package managers, too.
import type { MarkdownRenderer } from "vitepress"

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

const command = /^npm install (--save-dev )?(?=[^-])/gm

/** What replaces `npm install` and `npm install --save-dev`, by the name of the tab. */
const installers: Readonly<Record<string, readonly [add: string, addForDevelopment: string]>> = {
  npm: ["npm install", "npm install --save-dev"],
  pnpm: ["pnpm add", "pnpm add --save-dev"],
  Yarn: ["yarn add", "yarn add --dev"],
  Bun: ["bun add", "bun add --dev"]
}

const installs = ({ content, info, type }: Token): boolean =>
  type === "fence" && info === "sh" && content.trimEnd().split("\n").length === content.match(command)?.length

/** Puts each block that only installs packages into tabs. */
export const installTabs = (md: MarkdownRenderer): void => {
  md.core.ruler.push("installers", (state) => {
    if (state.env.forSearch === true) {
      return
    }
    const html = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content })
    const tab = (block: Token, [name, [add, addForDevelopment]]: [string, readonly [string, string]]) => [
      html(`<template #${name}>\n`),
      Object.assign(new state.Token("fence", "code", 0), {
        info: block.info,
        content: block.content.replaceAll(command, (_, isDevelopment) =>
          isDevelopment === undefined ? `${add} ` : `${addForDevelopment} `
        )
      }),
      html("</template>\n")
    ]
    state.tokens = state.tokens.flatMap((token) =>
      installs(token)
        ? [
            html('<Faces label="Package manager">\n'),
            ...Object.entries(installers).flatMap((installer) => tab(token, installer)),
            html("</Faces>\n")
          ]
        : [token]
    )
  })
}
