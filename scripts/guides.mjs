// Copies the guides that core's tarball has into the package. A link to another page leads to the repository, since the tarball
// does not have that page.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { manifestOf, root } from "./setup.mjs"

const guides = [
  "AGENTS.md",
  "docs/faults.md",
  "docs/observability.md",
  "docs/resilience.md",
  "docs/sign-in-faults.md",
  "docs/your-own-operation.md"
]

const core = join(root, "packages/core")
const repository = manifestOf(core).homepage.replace(/tree(.*)[/]packages.*/, "blob$1")

for (const guide of guides) {
  const text = readFileSync(join(root, guide), "utf8").replaceAll(
    /(?<=\]\()(?![a-z]+:|#)([^)#]+)/g,
    (_, /** @type {string} */ link) => {
      const path = posix.join(posix.dirname(guide), link)
      return guides.includes(path) ? link : `${repository}/${path}`
    }
  )
  mkdirSync(dirname(join(core, guide)), { recursive: true })
  writeFileSync(join(core, guide), text)
}
