// The addresses that messages have: `/e/invalidbody` leads to the page of an error, and `/operations/anime.get` to an operation.
// They are relative, so they work under any base.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages, textOf } from "./pages.js"
import { errorAddressOf, operationAddressOf, sharedPages } from "./urls.js"

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

/** Writes a page for each of them, which any static host serves. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const name of errorNames) {
    writeFileSync(join(folder, `e/${name}.html`), redirect(name, `..${errorAddressOf(name)}`))
  }
  for (const name of operationNames) {
    writeFileSync(join(folder, `operations/${name}.html`), redirect(name, `..${operationAddressOf(name)}`))
  }
}
