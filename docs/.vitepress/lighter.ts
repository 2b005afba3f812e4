// What makes pages lighter, and the build faster.
import type { Plugin } from "vitepress"

/** What `markdown.ts` writes for the attribute `role`. */
export const roleName = "data-role"

/** The compiler of Vue keeps an element as text if it knows its attributes, and `role` is none of them. */
export const textWithRoles = (): Plugin => ({
  name: "text-with-roles",
  enforce: "post",
  transform: (code, id) => (id.endsWith(".md") ? { code: code.replaceAll(roleName, "role"), map: null } : undefined)
})

/** The build that writes the HTML leaves out what a page loads later: Explore, programs and the index of the search. */
export const withoutLaterImports = (): Plugin => ({
  name: "without-later-imports",
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  resolveDynamicImport: () => false
})
