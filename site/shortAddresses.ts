// The addresses that messages have: `/e/invalidbody` leads to the page of an error, and `/operations/anime.get` to an operation.
// They are relative, so they work under any base.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages, siteUrl, textOf } from "./pages.js"
import { anchorOf, errorAddressOf, operationAddressOf, sharedPages } from "./urls.js"

/** The last parts of the short addresses. */
export const errorNames: ReadonlyArray<string> = [
  ...Object.keys(sharedPages),
  ...[...pages.keys()].flatMap((file) => /^docs\/errors\/([a-z\d-]+)[.]md$/.exec(file)?.slice(1) ?? [])
]

/** The operations by their names: `anime.get`. */
export const operationNames: ReadonlyArray<string> = Array.from(
  textOf("docs/operations/README.md").matchAll(/^\| \[`([\w.]+)`\]/gm),
  ([, name = ""]) => name
)

/** Without an icon, a browser would ask for /favicon.ico. */
const redirect = (title: string, href: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${title}</title>
<meta http-equiv="refresh" content="0; url=${href}">
<a href="${href}">${title}</a>
`

/** The short addresses, and where each leads. */
export const shortAddresses: ReadonlyArray<readonly [path: string, address: string]> = [
  ...errorNames.map((name) => [`e/${name}`, errorAddressOf(name)] as const),
  ...operationNames.map((name) => [`operations/${name}`, operationAddressOf(name)] as const)
]

/** The section of a page that an anchor names, with what is below it; all of the page without one. */
const sectionOf = (markdown: string, anchor: string | undefined): string => {
  if (anchor === undefined) {
    return markdown
  }
  // Code can have lines like headings.
  const headings = [...markdown.matchAll(/^```[^]*?^```$|^(#+) (.+)$/gm)].filter(([, level]) => level !== undefined)
  const at = headings.findIndex(([, , title = ""]) => anchorOf(title) === anchor)
  const [heading, ...rest] = headings.slice(at)
  const next = rest.find(([, level = ""]) => level.length <= (heading?.[1]?.length ?? 0))
  return markdown.slice(heading?.index, next?.index)
}

/** Writes a page for each of them, which any static host serves, and what is there as Markdown, whose pages are in the folder. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const [path, address] of shortAddresses) {
    const [name = "", above] = path.split("/").toReversed()
    const up = above === undefined ? "." : ".."
    writeFileSync(join(folder, `${path}.html`), redirect(name, up + address))
    const copy = address.replace(/\/(?=#|$)/, "/index").replace(/#|$/, ".md$&")
    const [page = "", anchor] = copy.split("#")
    const section = sectionOf(readFileSync(join(folder, page), "utf8"), anchor).replaceAll(
      "](#",
      `](${siteUrl}${page}#`
    )
    writeFileSync(join(folder, `${path}.md`), `${section.trim()}\n\nFrom [${page.slice(1)}](${up}${copy}).\n`)
  }
}
