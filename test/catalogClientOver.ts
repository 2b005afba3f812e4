/**
 * `catalog-client` from its sources, over the packages as built: it shares its modules with them. Without this, it is the bundle, which
 * has its own.
 */
import { join } from "node:path"
import type { Plugin } from "vitest/config"
import { effectFolders } from "../scripts/workspace.mjs"

interface Line {
  /** Where its sources are, for one version of Effect. */
  readonly sources: string
  readonly extension: string
  readonly packages: string
}

const root = join(import.meta.dirname, "..")
const ofPackage = new RegExp(`^#(${effectFolders.join("|")})/(.*)$`)

/** `oauth` and `platform` name its entries: those of Node, of a page, or of `fetch`. */
export const catalogClientOver = (
  { extension, packages, sources }: Line,
  oauth: "node" | "page",
  platform: "node" | "fetch"
): Plugin => ({
  name: "catalog-client-over",
  enforce: "pre",
  resolveId: (source) => {
    const [isOwn, subpath] = /^catalog-client(?:[/](\w+))?$/.exec(source) ?? []
    if (isOwn !== undefined) {
      const entry =
        subpath === "oauth"
          ? `oauth/${oauth}`
          : subpath === "testing" || subpath === "sync"
            ? `${subpath}/${platform}`
            : subpath
      return join(root, sources, `entries/${entry ?? platform}.${extension}`)
    }
    const [, name = "", module = ""] = ofPackage.exec(source) ?? []
    return name === "" ? undefined : join(root, packages, name, "dist", module)
  }
})
