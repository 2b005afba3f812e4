import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, type HeadConfig } from "vitepress"
import { hasOperations, nav, searchTitles, sidebar, writeSectionPages } from "../contents.js"
import { typeChecks } from "../declarations.js"
import { hovers, writeHovers } from "../hovers.js"
import { coloursByClass, colourStyles, oneSharedFile, textWithRoles, withoutLaterImports } from "../lighter.js"
import { extend, searchable, wrapping, writeMarkdown } from "../markdown.js"
import { base, descriptionOf, isGenerated, linkFrom, notPages, pages, repository, root, siteUrl } from "../pages.js"
import { patched } from "../patches.js"
import { servedPictures, writePictures } from "../pictures.js"
import { programs } from "../programs.js"
import { signatureLinks } from "../reference.js"
import { miniSearch } from "../search.js"
import { writeShortAddresses } from "../shortAddresses.js"
import { anchorOf } from "../urls.js"
import { keptGroups, keptGroupsStyle } from "./theme/groups.js"

const title = "catalog-client"
const description = "An unofficial TypeScript client for the MyAnimeList API, with promises or Effect."

/** A book on its shelf. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0f5f63"/>' +
  '<path d="M4 12V4h2v8zm3.5 0V4h2v8zm3.2-7.6 1.9-.5 1.9 7.4-1.9.5z" transform="translate(-1)" fill="#fff"/></svg>'

/** Without scripts, tabs stand below each other, and all groups of the sidebar and sections of the reference are open. No field can be chosen. */
const withoutScripts =
  ".VPSidebarItem.collapsed>.items{display:block!important}.VPSidebarItem>.item>.caret{display:none!important}" +
  "[role=tablist]{display:none!important}[data-tab]{display:block!important}[data-tab]::before{content:attr(data-tab);font-weight:600}" +
  ".fold::details-content{content-visibility:visible!important}.requested-fields fieldset{display:none}"

/** Opens what a reader had opened in the sidebar before it is first drawn: later, it would move what is below. */
const openKeptGroups = `(() => {
  const groups = sessionStorage.getItem("${keptGroups}")
  if (groups) document.head.insertAdjacentHTML("beforeend", "<style id=${keptGroupsStyle}>.level-0:has(>.item>:is(" + groups + ")){padding-bottom:24px!important}.VPSidebarItem:has(>.item>:is(" + groups + ")) .items{display:block!important}</style>")
})()`

/** In the page of a host for unknown addresses: `/calls/` and `/Calls` lead to `/calls`. */
const toKnownPage = `(() => {
  const { hash, pathname, search } = location
  const name = (path) => path.toLowerCase().replace(/\\/$/, "")
  const page = ${JSON.stringify([...pages.keys()].map((file) => base.slice(0, -1) + linkFrom(".", file)))}.find(
    (page) => name(page) === name(pathname)
  )
  if (page && page !== pathname) location.replace(page + search + hash)
})()`

writeSectionPages()

export default defineConfig({
  title,
  description,
  base,
  head: [
    ["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
    ["style", {}, colourStyles],
    ["script", {}, openKeptGroups],
    ["noscript", {}, `<style>${withoutScripts}</style>`]
  ],
  srcDir: "..",
  srcExclude: [
    "{.*,api,bench,effect4,examples,scripts,site,test}/**",
    "packages/!(mcp)/**",
    "packages/mcp/*/**",
    // What packing copies there.
    "packages/mcp/!(README).md",
    ...notPages
  ],
  rewrites: Object.fromEntries(pages),
  outDir: "../.cache/site",
  cacheDir: "../.cache/vitepress",
  cleanUrls: true,
  // Without transitions while the theme changes, the styles of a page are computed twice when it is opened.
  appearance: { disableTransition: false },
  // Git knows when; a copy without its history shows no date.
  lastUpdated: spawnSync("git", ["rev-parse"], { cwd: root }).status === 0,
  // Each link in view would load its page.
  router: { prefetchLinks: false },
  markdown: {
    // The theme adds the heading above.
    codeCopyButtonTitle: "Copy",
    // Braces in prose are selectors of fields.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    languages: ["diff", "html", "http", "js", "json", "jsonc", "sh", "sql", "toml", "ts", "svelte", "tsx", "yaml"],
    // Each colour has enough contrast to the background of blocks.
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    codeTransformers: [hovers, signatureLinks, wrapping, coloursByClass],
    config: extend
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    editLink: { pattern: `${repository}/edit/main/:path` },
    search: { provider: "local", options: { _render: searchable, miniSearch, detailedView: false } },
    // A switch has one name.
    darkModeSwitchTitle: "Dark theme",
    lightModeSwitchTitle: "Dark theme",
    socialLinks: [{ icon: "github", link: repository, ariaLabel: "GitHub" }]
  },
  vite: {
    plugins: [
      patched(),
      programs(),
      typeChecks(),
      servedPictures(),
      textWithRoles(),
      withoutLaterImports(),
      oneSharedFile()
    ],
    build: {
      // The service in the page is one file.
      chunkSizeWarningLimit: 1100,
      rolldownOptions: { checks: { bundlerTimings: false } }
    }
  },
  sitemap: { hostname: `${siteUrl}/` },
  transformPageData: ({ filePath, frontmatter }) => ({
    description: descriptionOf(filePath, description),
    ...(filePath in searchTitles && { title: searchTitles[filePath] }),
    frontmatter: {
      ...frontmatter,
      // What a program writes is not edited by hand.
      ...(isGenerated(filePath) && { editLink: false }),
      ...(hasOperations(filePath) && { pageClass: "operations" })
    }
  }),
  transformHead: ({ page, pageData, title: pageTitle }) => {
    if (page === "404.md") {
      return [["script", {}, toKnownPage]]
    }
    const address = siteUrl + linkFrom(".", pageData.filePath)
    const shared = {
      "og:type": "website",
      "og:site_name": title,
      "og:title": pageTitle,
      "og:description": pageData.description,
      "og:url": address,
      "og:image": `${siteUrl}/pictures/preview.png`,
      "og:image:alt": "The MyAnimeList API, typed and checked, with a program and what it prints"
    }
    return [
      ["link", { rel: "alternate", type: "text/markdown", href: base + page }],
      ["link", { rel: "canonical", href: address }],
      ["meta", { name: "twitter:card", content: "summary_large_image" }],
      ...Object.entries(shared).map(([property, content]): HeadConfig => ["meta", { property, content }])
    ]
  },
  buildEnd: ({ outDir }) => {
    writeMarkdown(outDir, title, description)
    writeShortAddresses(outDir)
    writeHovers(outDir)
    writePictures(outDir)
    writeFileSync(join(outDir, "robots.txt"), `User-agent: *\nAllow: /\nSitemap: ${siteUrl}/sitemap.xml\n`)
  }
})
