// The short addresses of errors: `/e/invalidbody` leads to their section. They are relative, so they work under any base.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { textOf } from "./pages.js"
import { anchorOf, errorHeadings } from "./urls.js"

/** The headings of the page of errors, by the last parts of their short addresses. */
export const errorSections = errorHeadings(textOf("docs/errors.md"))

/** Without an icon, a browser would ask for /favicon.ico. */
const redirect = (title: string, href: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${title}</title>
<meta http-equiv="refresh" content="0; url=${href}">
<a href="${href}">${title}</a>
`

/** Writes a page for each section, which any static host serves. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const [name, heading] of errorSections) {
    // In lower case, and as an error has it: /e/missing and /e/Missing.
    for (const spelling of [name, heading.replace(/:.*/, "").replaceAll(" ", "-")]) {
      writeFileSync(join(folder, `e/${spelling}.html`), redirect(heading, `../errors#${anchorOf(heading)}`))
    }
  }
}
