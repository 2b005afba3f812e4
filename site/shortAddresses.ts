// The short addresses of errors: `/e/invalidbody` leads to their page. They are relative, so they work under any base.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pages } from "./pages.js"
import { errorAddressOf, sharedPages } from "./urls.js"

/** The last parts of the short addresses. */
export const errorNames: ReadonlyArray<string> = [
  ...Object.keys(sharedPages),
  ...[...pages.keys()].flatMap((file) => /^docs\/errors\/([\w-]+)[.]md$/.exec(file)?.slice(1) ?? [])
]

/** Without an icon, a browser would ask for /favicon.ico. */
const redirect = (title: string, href: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${title}</title>
<meta http-equiv="refresh" content="0; url=${href}">
<a href="${href}">${title}</a>
`

/** Writes a page for each error, which any static host serves. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const name of errorNames) {
    writeFileSync(join(folder, `e/${name}.html`), redirect(name, `..${errorAddressOf(name)}`))
  }
}
