// Which Markdown files of the project are pages, and under which addresses.
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

export const repository = "https://github.com/catalog-client/catalog-client"

const { CATALOG_SITE_URL: chosen = "" } = process.env
const [, owner = "", name = ""] = /([^/]+)\/([^/]+)$/.exec(repository) ?? []

/** Where readers find the site: on the repository's GitHub Pages, unless `CATALOG_SITE_URL` says where. */
export const siteUrl = (chosen || `https://${owner}.github.io/${name}`).replace(/\/$/, "")

/** The path below which the site is served: that of `CATALOG_SITE_URL`, else the root, so that a build can be served anywhere. */
export const base = chosen === "" ? "/" : `${new URL(siteUrl).pathname.replace(/\/$/, "")}/`

/** Files outside docs/ that are pages, with their addresses. */
const named: Record<string, string> = {
  "AGENTS.md": "agents.md",
  "packages/mcp/README.md": "mcp.md",
  "docs/reference.md": "api/index.md"
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => posix.join(folder, file))

/** Pages of docs/ for those who work on the client: they are in the repository only. */
const forMaintainers = /^docs\/(decisions\/|(add-an-operation|faults|glossary)[.]md$)/

/** The pages' files, from the root of the project, and their addresses: `docs/fields.md` is `fields.md`. */
export const pages: ReadonlyMap<string, string> = new Map([
  ...Object.entries(named),
  ...filesIn("docs")
    .filter((file) => !forMaintainers.test(file) && !(file in named))
    .map((file): [string, string] => [file, file.slice("docs/".length).replace(/README\.md$/, "index.md")])
])

/** The Markdown files of docs/ and of the root that are no pages. */
export const notPages = [...readdirSync(root).filter((file) => file.endsWith(".md")), ...filesIn("docs")].filter(
  (file) => !pages.has(file)
)

/** The text of a file, such as the Markdown of a page. */
export const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

/** The version that the packages share. */
export const { version } = JSON.parse(textOf("packages/core/package.json")) as { readonly version: string }

/** Whether npm has the packages: 0.1.0 is a pre-release that it never had. */
export const isReleased = version !== "0.1.0"

/** Whether a program writes the page. */
export const isGenerated = (file: string): boolean =>
  file.startsWith("docs/api/") || textOf(file).includes("<!-- Written by `npm run api`")

/** The first heading of a page. */
export const titleOf = (file: string): string => (/^# (.+)$/m.exec(textOf(file))?.[1] ?? file).replaceAll("`", "")

/** The first sentence of a page, as plain text; empty if it begins with something else. */
export const summaryOf = (file: string): string => {
  const [paragraph = ""] = textOf(file)
    .replace(/^---\n[^]*?\n---\n/, "")
    .replaceAll(/^```[^]*?^```$/gm, "")
    .split(/\n\s*\n/)
    .filter((block) => !/^\s*(#|<!--|$)/.test(block))
  if (!/^[`[\p{L}]/u.test(paragraph)) {
    return ""
  }
  const text = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text
}

/** What search engines and previews show of a page: its own description, or its first sentence. */
export const descriptionOf = (file: string, site: string): string => {
  const [, given] = /^---\n(?:.+\n)*?description: (.+)\n(?:.+\n)*?---\n/.exec(textOf(file)) ?? []
  return (given ?? (summaryOf(file) || `${titleOf(file)}. ${site}`)).replaceAll(/`|\*\*/g, "")
}

/**
 * Where a link of a file leads: to a page of the site, or to a file of the repository.
 *
 * @param extension of pages: none on the site itself, `.md` in its Markdown files
 */
export const linkFrom = (file: string, href: string, extension = ""): string => {
  if (/^([a-z]+:|#|\/)/i.test(href)) {
    return href
  }
  const [path = "", anchor] = href.split("#")
  const target = posix.join(posix.dirname(file), path)
  const page = pages.get(target) ?? pages.get(posix.join(target, "README.md"))
  const hash = anchor === undefined ? "" : `#${anchor}`
  if (page === undefined) {
    return `${repository}/${path.endsWith("/") ? "tree" : "blob"}/main/${target}${hash}`
  }
  return `/${extension === "" ? page.replace(/(index)?\.md$/, "") : page}${hash}`
}
