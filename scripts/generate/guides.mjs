// Copies the guides of a tarball into its package, whose folder is the current one: AGENTS.md, and pages with core and with
// catalog-client. A link to another page leads to the repository, because the tarball does not have that page.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, posix } from "node:path"
import { isMain, manifestOf, root } from "../workspace.mjs"

const pagesOf = new Map([
  [
    "core",
    ["breaker", "caches", "faults", "observability", "rate-limits", "resilience", "retries", "your-own-operation"]
  ],
  [
    "promise",
    ["caches", "fields", "rate-limits", "recipes/sign-in", "recipes/sign-in-server", "retries", "whole-lists"]
  ]
])

/**
 * The guides of a package by their paths in its tarball.
 *
 * @param {string} name
 */
export const guidesOf = (name) => {
  const repository = manifestOf(join(root, "packages/core")).homepage.replace(/tree(.*)[/]packages.*/, "blob$1")
  const paths = ["AGENTS.md", ...(pagesOf.get(name) ?? []).map((page) => `docs/${page}.md`)]
  return new Map(
    paths.map((guide) => [
      guide,
      readFileSync(join(root, guide), "utf8").replaceAll(
        /(?<=\]\()(?![a-z]+:|#)([^)#]+)/g,
        (_, /** @type {string} */ link) => {
          const path = posix.join(posix.dirname(guide), link)
          return paths.includes(path) ? link : `${repository}/${path}`
        }
      )
    ])
  )
}

if (isMain(import.meta)) {
  for (const [guide, text] of guidesOf(basename(process.cwd()))) {
    mkdirSync(dirname(guide), { recursive: true })
    writeFileSync(guide, text)
  }
}
