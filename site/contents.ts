// The sections of the site and the order of their pages: for the sidebar, and for programs that read llms.txt.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import type { DefaultTheme } from "vitepress"
import {
  linkFrom,
  pages,
  root,
  sectionPageOf,
  type sectionTitles,
  siteUrl,
  summaryOf,
  textOf,
  titleOf
} from "./pages.js"
import { operationNames } from "./shortAddresses.js"
import { anchorOf, operationAddressOf } from "./urls.js"

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

/** Entries below a heading of their section's page; if they are several, they are a group of the sidebar, too. */
interface Group {
  readonly heading?: string
  readonly entries: ReadonlyArray<string | Parent>
}

interface Section {
  readonly title: (typeof sectionTitles)[number]
  /** What its own page begins with. */
  readonly introduction: string
  readonly collapsed?: boolean
  readonly groups: ReadonlyArray<Group>
}

/** The same for pages of docs/, by their names. */
const group = (heading: string, ...names: ReadonlyArray<string>): Group => ({ heading, entries: names.map(inDocs) })

const sections: ReadonlyArray<Section> = [
  {
    title: "Start",
    introduction:
      "Three tutorials, and none needs an account. Use promises in most programs, and Effect if yours has it already.",
    groups: [{ entries: ["start/promise", "start/effect", "start/browser"].map(inDocs) }]
  },
  {
    title: "Guides",
    introduction: "How to do one thing with the client, with promises or with Effect.",
    collapsed: true,
    groups: [
      group("Set up", "api-key", "install"),
      group("Read", "calls", "fields", "whole-lists"),
      group("Sign in and write", "recipes/sign-in", "recipes/sign-in-server", "recipes/token-stores", "recipes/sync"),
      group("Failures and limits", "retries", "rate-limits", "caches", "breaker", "resilience"),
      group("Test and observe", "testing", "record-and-replay", "observability"),
      group("Go further", "effect", "effect-versions", "your-own-operation")
    ]
  },
  {
    title: "Recipes",
    introduction: "Whole programs to copy and change.",
    collapsed: true,
    groups: [
      group("Programs", "recipes/titles", "recipes/bots", "recipes/nightly-job"),
      group("With a framework", "recipes/react", "recipes/next", "recipes/sveltekit", "recipes/express"),
      group("On a host, or from another client", "recipes/deploy", "recipes/proxies", "recipes/migrate")
    ]
  },
  {
    title: "Reference",
    introduction: "Every operation, error and name.",
    groups: [
      {
        heading: "Operations and records",
        entries: [
          {
            file: "docs/operations/README.md",
            children: ["anime", "manga", "user", "forum", "records"].map((name) => `docs/operations/${name}.md`)
          }
        ]
      },
      { heading: "Errors", entries: [{ file: "docs/errors/README.md", children: linkedIn("docs/errors") }] },
      { heading: "API", entries: [{ file: "docs/reference.md", children: inFolder("docs/api") }] },
      { heading: "Tools for a language model", entries: ["packages/mcp/README.md"] }
    ]
  },
  {
    title: "About",
    introduction: `What to know before you depend on the client. Also read [how mature it is](../comparison.md#maturity-and-maintenance) and [what has changed](../../CHANGELOG.md).`,
    groups: [{ entries: ["docs/terms.md", "docs/comparison.md", "docs/performance.md", "AGENTS.md"] }]
  }
]

/** What a page is called in the sidebar, where its title says less. */
const names: Readonly<Record<string, string>> = {
  "docs/operations/anime.md": "Anime",
  "docs/operations/manga.md": "Manga",
  "docs/operations/user.md": "Users and their lists",
  "docs/operations/forum.md": "Forum",
  "packages/mcp/README.md": "MCP server",
  "docs/api-key.md": "Get an API key",
  "docs/recipes/sign-in-server.md": "Sign in on a server",
  "docs/recipes/token-stores.md": "Token stores",
  "docs/errors/access-token.md": "Status 401, no token, no user",
  "docs/errors/sign-in.md": "A sign-in failed",
  "docs/errors/was-not-sent.md": "Not sent: an input or a policy",
  "docs/errors/status-400.md": "Status 400",
  "docs/errors/status-403.md": "Status 403",
  "docs/errors/status-404.md": "Status 404",
  "docs/errors/status-429.md": "Status 429",
  "docs/errors/other-statuses.md": "Other statuses",
  "docs/errors/too-late.md": "Timed out or cancelled",
  "docs/errors/no-response.md": "No usable response",
  "docs/errors/typeerror.md": "TypeError",
  "docs/errors/install.md": "Installation"
}

/** What search engines and tabs call a page, where its heading is not what readers search for. */
export const searchTitles: Readonly<Record<string, string>> = {
  "docs/index.md": "MyAnimeList API client for TypeScript",
  "AGENTS.md": "MyAnimeList API for coding agents: AGENTS.md",
  "packages/mcp/README.md": "MyAnimeList MCP server",
  "docs/start/promise.md": "MyAnimeList API in TypeScript: your first requests",
  "docs/start/effect.md": "MyAnimeList API with Effect: your first requests",
  "docs/start/browser.md": "MyAnimeList API in a web page",
  "docs/explore.md": "Explore the MyAnimeList API in your browser",
  "docs/install.md": "Install catalog-client with npm, pnpm, Yarn or Bun",
  "docs/fields.md": "MyAnimeList API fields, with their types",
  "docs/whole-lists.md": "Read a whole MyAnimeList list: pagination",
  "docs/testing.md": "Test without the real MyAnimeList API",
  "docs/effect-versions.md": "MyAnimeList API with Effect 4 or Effect 3",
  "docs/comparison.md": "MyAnimeList API clients compared, with Jikan",
  "docs/recipes/sign-in.md": "MyAnimeList OAuth: sign in with PKCE",
  "docs/recipes/sign-in-server.md": "MyAnimeList OAuth on a server with many users",
  "docs/recipes/token-stores.md": "Token stores in Redis, PostgreSQL and SQLite",
  "docs/recipes/bots.md": "Discord and Telegram bot with MyAnimeList",
  "docs/recipes/titles.md":
    "This season's anime, airing today, in local time; pictures, adult titles, two lists compared",
  "docs/recipes/proxies.md": "CORS error with api.myanimelist.net: a proxy",
  "docs/recipes/migrate.md": "From node-myanimelist, mal-api-v2 and others",
  "docs/recipes/react.md": "MyAnimeList API in React and Vue",
  "docs/recipes/next.md": "MyAnimeList API in Next.js",
  "docs/recipes/sveltekit.md": "MyAnimeList API in SvelteKit",
  "docs/recipes/nightly-job.md": "Export a MyAnimeList list: nightly, or as XML",
  "docs/recipes/deploy.md": "Deploy to Vercel, Netlify, Lambda, Fly, Workers or a container",
  "docs/operations/README.md": "MyAnimeList API: all operations, and its OpenAPI file",
  "docs/operations/records.md": "MyAnimeList API fields: all of them, with types",
  "docs/errors/README.md": "Errors of the MyAnimeList API, and what to do",
  "docs/errors/sign-in.md": "MyAnimeList login window keeps asking for a password, and other failed sign-ins",
  "docs/errors/status-400.md": "400 from the MyAnimeList API: Invalid client id, invalid q",
  "docs/errors/access-token.md": "401 invalid_token from the MyAnimeList API, and other missing tokens",
  "docs/errors/status-403.md": "403 from the MyAnimeList API",
  "docs/errors/status-404.md": "404 from the MyAnimeList API",
  "docs/errors/status-429.md": "429 from the MyAnimeList API: too many requests"
}

const item = (file: string) => ({ text: names[file] ?? titleOf(file), link: linkFrom(".", file) })

const operationsOf = (file: string): ReadonlyArray<string> =>
  operationNames.filter((name) => file === `docs/operations/${name.split(".")[0]}.md`)

/** Whether the sections of a page are operations, which the sidebar lists. */
export const hasOperations = (file: string): boolean => operationsOf(file).length > 0

/** A page with its operations, if it has any. */
const child = (file: string): DefaultTheme.SidebarItem => {
  const items = operationsOf(file).map((name) => ({ text: name, link: operationAddressOf(name) }))
  return items.length === 0 ? item(file) : { ...item(file), collapsed: true, items }
}

const itemOf = (entry: string | Parent): DefaultTheme.SidebarItem =>
  typeof entry === "string" ? item(entry) : { ...item(entry.file), collapsed: true, items: entry.children.map(child) }

/** The sidebar of every page. */
export const sidebar: Array<DefaultTheme.SidebarItem> = sections.map(({ collapsed, groups, title }) => {
  const link = linkFrom(".", sectionPageOf(title))
  const items = groups.flatMap(({ entries, heading }) =>
    heading !== undefined && entries.length > 1
      ? [{ text: heading, link: `${link}#${anchorOf(heading)}`, items: entries.map(itemOf) }]
      : entries.map(itemOf)
  )
  return { ...(collapsed !== undefined && { collapsed }), text: title, link, items }
})

/** The page of an entry, and those below it. */
const filesOf = (entry: string | Parent): readonly [file: string, ...children: Array<string>] =>
  typeof entry === "string" ? [entry] : [entry.file, ...entry.children]

/** The sections with the files of their pages. */
export const sectionFiles = sections.map(({ title, groups }) => ({
  title,
  /** All of them in one file, for programs. */
  copy: `llms-${title.toLowerCase()}.txt`,
  files: groups.flatMap(({ entries }) => entries.flatMap(filesOf))
}))

/** The links at the top of every page: to the page of each section, which its pages mark, and to Explore. */
export const nav: Array<DefaultTheme.NavItem> = sectionFiles.map(({ files, title }) => {
  const file = sectionPageOf(title)
  const addresses = [file, ...files].map((file) => linkFrom(".", file))
  return { text: title, link: linkFrom(".", file), activeMatch: `^(${addresses.join("|")})$` }
})
nav.splice(-1, 0, item("docs/explore.md"))

/** What the page of a section has: a row for each page, as `llms.txt` has it. */
const textOfSection = ({ groups, introduction, title }: Section): string => {
  const folder = posix.dirname(sectionPageOf(title))
  const rowOf = (file: string) =>
    `| [${item(file).text}](${posix.relative(folder, file)}) | ${summaryOf(file).replaceAll("|", "\\|")} |`
  const parts = groups.flatMap(({ entries, heading }) => [
    ...(heading === undefined ? [] : [`\n## ${heading}`]),
    "\n| page | what it answers |\n| --- | --- |",
    ...entries.flatMap(filesOf).map(rowOf)
  ])
  return [`---\npageClass: section\n---\n\n# ${title}\n`, introduction, ...parts, ""].join("\n")
}

/** Writes the page of each section, before VitePress looks for pages. */
export const writeSectionPages = (): void => {
  for (const section of sections) {
    const path = join(root, sectionPageOf(section.title))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, textOfSection(section))
  }
}

/** What `llms.txt` holds: the pages as Markdown, with a line for each, and how much a program loads with each file of several. */
export const llms = (title: string, description: string, sizeOf: (name: string) => string): string => {
  const link = (name: string) => `[${name}](${siteUrl}/${name})`
  return [
    `# ${title}`,
    `> ${description}`,
    `Read [${titleOf("AGENTS.md")}](${siteUrl}${linkFrom(".", "AGENTS.md", ".md")}) before you write a program: it has what most programs need. Then fetch the pages below one by one; an operation is also a page of its own: ${link("operations/anime.search.md")}. Each section is also one file, and so are all pages: ${link("llms-full.txt")} (${sizeOf("llms-full.txt")}), which is too much for most contexts. The service as OpenAPI: ${link("openapi.json")} (${sizeOf("openapi.json")}).`,
    ...sectionFiles.flatMap(({ title, copy, files }) => {
      const lines = files.map((file) => {
        const address = linkFrom(".", file, ".md")
        return `- [${titleOf(file)}](${siteUrl}${address}): ${summaryOf(file)} (${sizeOf(address)})`
      })
      const isLarge = Number.parseInt(sizeOf(copy), 10) > 200
      const warning = isLarge ? ", which is too much for most contexts: fetch single pages" : ""
      return [`## ${title}`, `In one file: ${link(copy)} (${sizeOf(copy)})${warning}.`, lines.join("\n")]
    })
  ]
    .join("\n\n")
    .concat("\n")
}
