// Copies the guides that core's tarball has into the package. A link to another page leads to the repository, since the tarball
// does not have that page.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { isProgram, manifestOf, root } from "../setup.mjs"

const paths = [
  "AGENTS.md",
  "docs/faults.md",
  "docs/observability.md",
  "docs/resilience.md",
  "docs/sign-in-faults.md",
  "docs/your-own-operation.md"
]

const core = join(root, "packages/core")

/** The guides by their paths in the tarball. */
export const guides = () => {
  const repository = manifestOf(core).homepage.replace(/tree(.*)[/]packages.*/, "blob$1")
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

if (isProgram(import.meta)) {
  for (const [guide, text] of guides()) {
    mkdirSync(dirname(join(core, guide)), { recursive: true })
    writeFileSync(join(core, guide), text)
  }
}
