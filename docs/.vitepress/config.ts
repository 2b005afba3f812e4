import { relative } from "node:path"
import { defineConfig, type DefaultTheme } from "vitepress"
import { hovers, languages, triggerIn } from "./hovers.js"
import { programs, runButtons } from "./programs.js"
import { anchorOf, linkFrom, pages, repository, root, titleOf } from "./pages.js"

const item = (file: string): DefaultTheme.SidebarItem => ({ text: titleOf(file), link: linkFrom(".", file) })

const folder = (path: string, except: ReadonlyArray<string> = []): Array<DefaultTheme.SidebarItem> =>
  [...pages.keys()]
    .filter((file) => file.startsWith(`${path}/`) && !file.endsWith("/README.md") && !except.includes(file))
    .sort()
    .map(item)

const sidebar: Array<DefaultTheme.SidebarItem> = [
  { text: "Start", items: folder("docs/start") },
  {
    text: "Guides",
    items: [
      "README.md",
      "docs/recipes/sign-in.md",
      "docs/resilience.md",
      "docs/observability.md",
      "docs/faults.md",
      "docs/record-and-replay.md",
      "docs/your-own-operation.md",
      "examples/mirror/README.md"
    ].map(item)
  },
  { text: "Recipes", collapsed: true, items: folder("docs/recipes", ["docs/recipes/sign-in.md"]) },
  {
    text: "Reference",
    items: [
      { ...item("docs/operations/README.md"), collapsed: true, items: folder("docs/operations") },
      ...["docs/errors.md", "docs/runtimes.md", "docs/glossary.md"].map(item)
    ]
  },
  {
    text: "Why",
    items: [
      item("docs/performance.md"),
      item("ARCHITECTURE.md"),
      { ...item("docs/decisions/README.md"), collapsed: true, items: folder("docs/decisions") }
    ]
  },
  { text: "Working on it", items: ["CONTRIBUTING.md", "SECURITY.md", "docs/add-an-operation.md"].map(item) }
]

export default defineConfig({
  title: "catalog-client",
  description: "A TypeScript SDK for an anime and manga catalog, with promises or Effect",
  srcDir: "..",
  srcExclude: ["{.*,api,bench,packages}/**", "examples/!(mirror)/**", "{AGENTS,CHANGELOG}.md", "examples/*.md"],
  rewrites: Object.fromEntries(pages),
  outDir: "../.cache/site",
  cacheDir: "../.cache/vitepress",
  cleanUrls: true,
  markdown: {
    // Braces in prose are selectors of fields.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    languages: [...languages],
    codeTransformers: [hovers],
    config: (md) => {
      runButtons(md)
      md.core.ruler.push("pages", ({ tokens, env }) => {
        const file = relative(root, env.realPath ?? env.path)
        for (const token of tokens) {
          if (token.type === "fence" && token.info === "ts") token.info += triggerIn(file)
          for (const child of token.children ?? []) {
            if (child.type === "link_open") child.attrSet("href", linkFrom(file, child.attrGet("href") ?? ""))
          }
        }
      })
    }
  },
  vite: { plugins: [programs()] },
  themeConfig: {
    nav: [
      { text: "Start", link: "/start/promise" },
      { text: "Operations", link: "/operations/" },
      { text: "Errors", link: "/errors" },
      { text: "Explore", link: "/explore" }
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository }]
  }
})
