// The addresses that messages have: `/e/invalidbody` leads to the page of an error, and `/operations/anime.get` to an operation. And
// what a reader types for a page whose file has that name. They are relative, so they work under any base.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { linkFrom, pages, textOf } from "./pages.js"
import { errorAddressOf, operationAddressOf, sharedPages } from "./urls.js"

/** The last parts of the short addresses. */
export const errorNames: ReadonlyArray<string> = [
  ...Object.keys(sharedPages),
  ...[...pages.keys()].flatMap((file) => /^docs\/errors\/([a-z\d-]+)[.]md$/.exec(file)?.slice(1) ?? [])
]

/** The operations by their names: `anime.get`. */
const operationNames: ReadonlyArray<string> = Array.from(
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
  ...operationNames.map((name) => [`operations/${name}`, operationAddressOf(name)] as const),
  ["reference", linkFrom(".", "docs/reference.md")]
]

/** Writes a page for each of them, which any static host serves, and a link as Markdown. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const [path, address] of shortAddresses) {
    const [name = "", above] = path.split("/").toReversed()
    const up = above === undefined ? "." : ".."
    writeFileSync(join(folder, `${path}.html`), redirect(name, up + address))
    writeFileSync(
      join(folder, `${path}.md`),
      `See [${name}](${up}${address.replace(/\/(?=#|$)/, "/index").replace(/#|$/, ".md$&")}).\n`
    )
  }
}
