// The short addresses of errors: `/e/invalidbody` leads to their section. They are relative, so they work under any base.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { textOf } from "./pages.js"
import { anchorOf } from "./urls.js"

/** The names of the sections of docs/errors.md, by the last part of their short addresses. */
export const errorSections: ReadonlyMap<string, string> = new Map(
  [...textOf("docs/errors.md").matchAll(/^### (.+)$/gm)].map(([, name = ""]) => [anchorOf(name), name])
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

/** Writes a page for each section, which any static host serves. */
export const writeShortAddresses = (folder: string): void => {
  mkdirSync(join(folder, "e"), { recursive: true })
  for (const [anchor, name] of errorSections) {
    // As its anchor, and as an error has it: /e/missing and /e/Missing.
    for (const spelling of [anchor, name.replaceAll(" ", "-")]) {
      writeFileSync(join(folder, `e/${spelling}.html`), redirect(name, `../errors#${anchor}`))
    }
  }
}
