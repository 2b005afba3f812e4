import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

const readme = read("README.md")

/** The fenced blocks of the README, in order. */
const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
  language,
  text
}))

/** The one line that installs the client for Node, with what it needs. */
export const installLine = /^npm install @catalog-client\/core.*$/m.exec(readme)?.[0] ?? ""

/** Where the README shows a file of examples/: the index of that block, or -1. */
const shownAt = (example: string) => {
  const source = read(`examples/${example}`)
  return blocks.findIndex(({ language, text }) => language === "ts" && text === source)
}

export const isShown = (example: string): boolean => shownAt(example) >= 0

/** What the README says that an example prints: the `text` block right after it. */
export const shownOutput = (example: string): string | undefined => {
  const next = blocks[shownAt(example) + 1]
  return isShown(example) && next?.language === "text" ? next.text : undefined
}
