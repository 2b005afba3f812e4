// The sections of the site and the order of their pages: for the sidebar, and for programs that read llms.txt.
import type { DefaultTheme } from "vitepress"
import { linkFrom, pages, siteUrl, summaryOf, textOf, titleOf, version } from "./pages.js"

const inFolder = (folder: string, except: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  [...pages.keys()]
    .filter((file) => file.startsWith(`${folder}/`) && !file.endsWith("/README.md") && !except.includes(file))
    .sort()

/** The pages that begin the rows of the table in a folder's README, in its order. */
const inTable = (folder: string): ReadonlyArray<string> =>
  [...textOf(`${folder}/README.md`).matchAll(/^[|] \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file]) => `${folder}/${file}`)

const inDocs = (name: string): string => `docs/${name}.md`

/** A page with the pages below it, which the sidebar hides until they are wanted. */
interface Parent {
  readonly file: string
  readonly children: ReadonlyArray<string>
}

interface Section {
  readonly title: string
  readonly collapsed?: boolean
  readonly entries: ReadonlyArray<string | Parent>
}

const sections: ReadonlyArray<Section> = [
  { title: "Start", entries: ["start/promise", "start/effect", "start/browser"].map(inDocs) },
  {
    title: "Guides",
    entries: [
      ...[
        "install",
        "promises",
        "effect",
        "effect-versions",
        "browser",
        "options",
        "fields",
        "whole-lists",
        "testing",
        "many-users"
      ].map(inDocs),
      "docs/recipes/sign-in.md",
      "docs/resilience.md",
      "docs/observability.md",
      "docs/faults.md",
      "docs/record-and-replay.md",
      "docs/your-own-operation.md",
      "examples/mirror/README.md",
      "packages/mcp/README.md"
    ]
  },
  { title: "Migrate", collapsed: true, entries: inFolder("docs/migrate") },
  { title: "Recipes", collapsed: true, entries: inFolder("docs/recipes", ["docs/recipes/sign-in.md"]) },
  {
    title: "Reference",
    entries: [
      { file: "docs/operations/README.md", children: inTable("docs/operations") },
      "docs/operations/records.md",
      { file: "docs/api/README.md", children: inFolder("docs/api") },
      "docs/errors.md",
      "docs/sign-in-faults.md",
      "docs/runtimes.md"
    ]
  },
  { title: "About", entries: ["docs/comparison.md", "docs/performance.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md"] }
]

/** What a page is called in the sidebar, where its title says less. */
const names: Readonly<Record<string, string>> = {
  "docs/resilience.md": "Retries, rate limits, caches",
  "packages/mcp/README.md": "MCP server"
}

const item = (file: string) => ({ text: names[file] ?? titleOf(file), link: linkFrom(".", file) })

/** The sidebar of every page. */
export const sidebar: Array<DefaultTheme.SidebarItem> = sections.map(({ title, entries, ...section }) => ({
  ...section,
  text: title,
  items: entries.map((entry) =>
    typeof entry === "string" ? item(entry) : { ...item(entry.file), collapsed: true, items: entry.children.map(item) }
  )
}))

/** The links at the top of every page. The menu of a phone has the sections too. */
export const nav: Array<DefaultTheme.NavItem> = [
  ...[
    { text: "Start", file: "docs/start/promise.md" },
    { text: "Operations", file: "docs/operations/README.md" },
    { text: "Comparison", file: "docs/comparison.md" },
    { text: "Explore", file: "docs/explore.md" },
    { text: `v${version}`, file: "CHANGELOG.md" }
  ].map(({ text, file }) => ({ text, link: linkFrom(".", file) })),
  { component: "MenuSections" }
]

/** What `llms.txt` holds: the pages as Markdown, with a line for each. */
export const llms = (title: string, description: string): string =>
  [
    `# ${title}`,
    `> ${description}`,
    `Read [this page](${siteUrl}${linkFrom(".", "AGENTS.md", ".md")}) before you write a program: it has what most programs need.`,
    ...sections.flatMap(({ title, entries }) => {
      const files = entries.flatMap((entry) => (typeof entry === "string" ? entry : [entry.file, ...entry.children]))
      const lines = files.map((file) => {
        const summary = summaryOf(file)
        return `- [${titleOf(file)}](${siteUrl}${linkFrom(".", file, ".md")})${summary === "" ? "" : `: ${summary}`}`
      })
      return [`## ${title}`, lines.join("\n")]
    })
  ]
    .join("\n\n")
    .concat("\n")
