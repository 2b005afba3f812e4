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
  enforce: "pre",
  // Pages are compiled where they are, in docs/, and Vue is installed here.
  resolveId: (name) => (/^vue(\/|$)/.test(name) ? { id: name, external: true } : undefined),
  resolveDynamicImport: () => false
})

interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: ReadonlyArray<string> } | null
}

/** What the app imports, directly or not, is one file, since each page loads all of it. */
export const oneSharedFile = (): Plugin => {
  let app = ""
  const shared = new Set<string>()
  const add = (id: string, modules: Modules): void => {
    if (!shared.has(id)) {
      shared.add(id)
      modules.getModuleInfo(id)?.importedIds.forEach((imported) => add(imported, modules))
    }
  }
  const name = (id: string, modules: Modules) => {
    add(app, modules)
    // Where the index of the search is: it is then asked for at once.
    return shared.has(id) || id === "/@localSearchIndex" ? "shared" : null
  }
  return {
    name: "one-shared-file",
    apply: (_, { isSsrBuild }) => isSsrBuild !== true,
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name }] } } } } }),
    configResolved: ({ build }) => {
      app = new Map(Object.entries(build.rolldownOptions.input ?? {})).get("app") ?? ""
    }
  }
}
