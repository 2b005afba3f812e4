// What the pages say only until npm has the packages: `npm run release -- --version` removes it.
import { allFolders } from "../workspace.mjs"

/** A block of a page, between two comments. */
const block = /<!-- until the first release -->\n[^]*?<!-- end -->\n+/g

/** A line of a source, which ends with a comment. */
const line = /^.*[/][/] until the first release\n/gm

/** The files that have such notes. */
export const noted = [
  "AGENTS.md",
  "README.md",
  "CHANGELOG.md",
  "docs/api-key.md",
  "docs/comparison.md",
  "docs/index.md",
  "docs/install.md",
  "docs/start/browser.md",
  "docs/start/effect.md",
  "docs/start/promise.md",
  ...allFolders.map((name) => `packages/${name}/README.md`),
  "site/search.ts"
]

/**
 * A text without what it says until the first release.
 *
 * @param {string} text
 */
export const withoutNotes = (text) => text.replaceAll(block, "").replaceAll(line, "")

/**
 * Whether a page has such a note.
 *
 * @param {string} text
 */
export const hasNote = (text) => text.includes("<!-- until the first release -->")

/** Where the pages that have none lead to, on the site. */
export const fromCloneAddress = "install#before-the-first-release"
