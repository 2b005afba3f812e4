// The sections of the site and the order of their pages: for the sidebar, and for programs that read llms.txt.
import type { DefaultTheme } from "vitepress"
import { linkFrom, pages, siteUrl, summaryOf, textOf, titleOf, version } from "./pages.js"

const inFolder = (folder: string, except: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  [...pages.keys()]
    .filter((file) => file.startsWith(`${folder}/`) && !file.endsWith("/README.md") && !except.includes(file))
    .sort()

/** The pages of a folder that its README.md links to, in that order. */
const linkedIn = (folder: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(textOf(`${folder}/README.md`).matchAll(/\]\(([\w-]+[.]md)/g), ([, name = ""]) => `${folder}/${name}`)
  )
]

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
      "api-key",
      "install",
      "calls",
      "fields",
      "whole-lists",
      "recipes/sign-in",
      "resilience",
      "testing",
      "record-and-replay",
      "observability",
      "effect",
      "effect-versions",
      "your-own-operation"
    ].map(inDocs)
  },
  { title: "Recipes", collapsed: true, entries: inFolder("docs/recipes", ["docs/recipes/sign-in.md"]) },
  {
    title: "Reference",
    entries: [
      {
        file: "docs/operations/README.md",
        children: ["anime", "manga", "user", "forum", "records"].map((name) => `docs/operations/${name}.md`)
      },
      { file: "docs/errors/README.md", children: linkedIn("docs/errors") },
      ...inFolder("docs/api"),
      "packages/mcp/README.md",
      "docs/runtimes.md"
    ]
  },
  { title: "About", entries: ["docs/terms.md", "docs/comparison.md", "docs/performance.md", "AGENTS.md"] }
]

/** What a page is called in the sidebar, where its title says less. */
const names: Readonly<Record<string, string>> = {
  "docs/operations/anime.md": "Anime",
  "docs/operations/manga.md": "Manga",
  "docs/operations/user.md": "Users and their lists",
  "docs/operations/forum.md": "Forum",
  "packages/mcp/README.md": "MCP server",
  "docs/api-key.md": "Get an API key",
  "docs/errors/access-token.md": "No token, no user",
  "docs/errors/sign-in.md": "A sign-in failed",
  "docs/errors/was-not-sent.md": "An input breaks a rule",
  "docs/errors/status-400.md": "Status 400",
  "docs/errors/status-401.md": "Status 401",
  "docs/errors/status-403.md": "Status 403",
  "docs/errors/status-404.md": "Status 404",
  "docs/errors/status-429.md": "Status 429",
  "docs/errors/other-statuses.md": "Other statuses",
  "docs/errors/invalidbody.md": "Not the expected reply",
  "docs/errors/timeout.md": "Timeout",
  "docs/errors/cancelled.md": "Cancelled",
  "docs/errors/no-response.md": "No complete response",
  "docs/errors/circuit-open.md": "Refused by a policy",
  "docs/errors/typeerror.md": "TypeError",
  "docs/errors/service-not-found.md": "Service not found",
  "docs/errors/install.md": "Installation"
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
    `Read [${titleOf("AGENTS.md")}](${siteUrl}${linkFrom(".", "AGENTS.md", ".md")}) before you write a program: it has what most programs need.`,
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
