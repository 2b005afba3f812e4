/**
 * What the pages for contributors say of files, folders, commands and steps is so.
 */
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import rules from "../.dependency-cruiser.mjs"
import { pages, repository, sectionPages } from "../site/pages.js"
import { anchorOf } from "../site/urls.js"
import { blocksIn, filesIn, read, root } from "./readme.js"
import { renames } from "../effect4/examples.mjs"
import { allFolders, effectFolders } from "../scripts/workspace.mjs"

const skipped = new Set([".cache", ".git", "coverage", "dist", "node_modules"])

/** All files and folders below a folder, a folder with a slash at its end. */
const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name
    return skipped.has(entry.name) ? [] : entry.isDirectory() ? [`${path}/`, ...below(`${path}/`)] : [path]
  })

const all = below("")
const inRoot = new Set(all)

const guides = all.filter((path) =>
  // docs/api and docs/sections are not in the repository.
  /^(README|AGENTS|ARCHITECTURE|CONTRIBUTING|SECURITY)[.]md$|^docs\/(?!(?:api|sections)\/).+[.]md$|^packages\/\w+\/src\/.*README[.]md$/.test(
    path
  )
)

/** A page without its examples, whose imports belong to users' programs. */
const textOf = (page: string): string => read(page).replace(/^```(?:ts|text)\n.*?^```$/gms, "")

/** A file or folder by the end of its path: `reply/guard.ts` is `packages/core/src/internal/reply/guard.ts`. */
const exists = (path: string): boolean => inRoot.has(path) || all.some((known) => known.endsWith(`/${path}`))

const pathsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?<=[`\s>])[\w./-]*(?:[\w-][.](?:ts|mjs|md|json|sh|yml)|\w\/)(?=[`\s:,;)"]|$)/gm)].map(
    ([path]) => path
  )

/** Whether a link of a page leads to a file of the project, and to a section that it has; links to elsewhere do not count. */
const isAlive = (page: string, href: string): boolean => {
  const own = href.replace(`${repository}/blob/main/`, "/")
  if (/^\w+:/.test(own)) {
    return true
  }
  const [path = "", anchor] = own.split("#")
  const target = path === "" ? page : path.startsWith("/") ? path.slice(1) : join(dirname(page), path)
  if (anchor === undefined) {
    return inRoot.has(target) || inRoot.has(`${target}/`)
  }
  const headings = inRoot.has(target) ? read(target).matchAll(/^#+ (.+)$/gm) : []
  return [...headings].some(([, heading = ""]) => anchorOf(heading) === anchor)
}

/** The steps of npm test. */
const steps = [...read("scripts/test.mjs").matchAll(/^ {2}"?([\w-]+)"?: \{(?: checks:|\n {4}checks:)/gm)].map(
  ([, name = ""]) => name
)

describe.each(guides)("%s", (page) => {
  const quoted = [...textOf(page).matchAll(/`[^`\n]+`|^```(?:sh|mermaid)\n.*?^```$/gms)]
    .map(([text]) => text)
    .join("\n")

  test("names only files and folders that exist", () => {
    // What readers call their own program, or a file that the page shows.
    const shown = ["main.mjs", ...filesIn(page).map(({ file }) => file)]
    expect(pathsIn(quoted).filter((path) => !exists(path) && !shown.includes(path))).toEqual([])
  })

  test("names only scripts of package.json", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }
    const named = [...quoted.matchAll(/\bnpm (?:--prefix \S+ )?run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test("names only steps and runners of npm test", () => {
    const named = [...quoted.matchAll(/\bnpm test -- (run )?([\w-]+)/g)]
    const wrong = named.filter(([, run, name = ""]) =>
      run === undefined ? !["all", "full", ...steps].includes(name) : !exists(`test/${name}/run.mjs`)
    )
    expect(wrong.map(([command]) => command)).toEqual([])
  })

  test("begins no section with the note on versions of Effect, which the search would show in place of its subject", () => {
    expect(read(page).match(/^#+ .+\n\nPrograms here are for Effect.*/gm) ?? []).toEqual([])
  })

  test("has American spelling", () => {
    const british = /\b\w*(?:[^w]isation|recognis|behaviour|licence|colour|favour|catalogue|organis)\w*/gi
    expect(page.startsWith("docs/decisions/") ? [] : (read(page).match(british) ?? [])).toEqual([])
  })

  test("uses no indefinite pronouns", () => {
    expect(read(page).match(/\b(?:somebody|anybody|nobody|whoever|what is none)\b.*/gi) ?? []).toEqual([])
  })
})

test("the diff of docs/start/browser.md is against the program directly above it", () => {
  const blocks = blocksIn(read("docs/start/browser.md"))
  const at = blocks.findIndex(({ language }) => language === "diff")
  const program = blocks.slice(0, at).findLast(({ output }) => output !== undefined)
  const before = blocks[at]?.text.split("\n").flatMap((line) => (line.startsWith("+") ? [] : line.slice(1)))
  expect(before?.length).toBeGreaterThan(5)
  expect(program?.text).toContain(before?.join("\n").trim())
})

test.each([
  [".changeset/config.json", '"@catalog-client/'],
  [".oxlintrc.json", "packages/{[a-z,]*"],
  ["CONTRIBUTING.md", "@catalog-client/{[a-z,]*"],
  ["effect4/package.json", '"@catalog-client/'],
  ["effect4/tsconfig.json", '"#'],
  ["packages/promise/tsconfig.json", '"#'],
  ["tsconfig.json", '"#']
])("%s, which cannot read the list of packages, names all of it", (file, before) => {
  expect(effectFolders.filter((name) => !new RegExp(`${before}\\b${name}\\b`).test(read(file)))).toEqual([])
})

test("docs/effect-versions.md has the names that programs for Effect 4 get in place of those of Effect 3", () => {
  const [, section = ""] = /^## Renames$([^]*?)^## /m.exec(read("docs/effect-versions.md")) ?? []
  const rows = [...section.matchAll(/^[|] `(.+)` [|] `(.+)` [|]$/gm)].map(([, from, to]) => [from, to])
  expect(rows).toEqual(renames)
})

const readmes = effectFolders.map((name) => `packages/${name}/README.md`)

test.each(allFolders)("the README of %s has the sections of the others, and is short without its programs", (name) => {
  const text = textOf(`packages/${name}/README.md`)
  const sections = Array.from(text.matchAll(/^## (.+)$/gm), ([, title]) => title)
  expect(sections).toEqual(["Install", "Try it", "Call MyAnimeList", "Features", "Requirements", "Status"])
  // The server's is its page on the site, too.
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(name === "mcp" ? 850 : 470)
})

test.each([...guides, ...readmes])("%s links only to pages and sections that exist", (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href)
  expect(links.filter((href) => !isAlive(page, href))).toEqual([])
})

test("a table names all its columns, except the titles of its rows, or none", () => {
  // A build of the site writes the pages of sections.
  const written = [...pages.keys()].filter((page) => !sectionPages.includes(page))
  const unnamed = written.flatMap((page) =>
    [...read(page).matchAll(/^\|(.*)\|\n\|[ :|-]+\|$/gm)]
      .map(([, head = ""]) => head.split("|").map((name) => name.trim()))
      .filter((names) => names.some((name) => name !== "") && names.slice(1).includes(""))
      .map((names) => `${page}: ${names.join(" | ")}`)
  )
  expect(unnamed).toEqual([])
})

test("the pages of operations and records list a value once", () => {
  const written = [...pages.keys()].filter((page) => page.startsWith("docs/operations/"))
  const meanings = written.flatMap((page) =>
    [...read(page).matchAll(/\| ([^|\n]+) \|$/gm)].map(([, cell = ""]) => cell)
  )
  const sets = read("docs/operations/records.md").split("\n## Values\n")[1]?.split("\n### ").slice(1) ?? []
  const listed = [...meanings, ...sets].filter((text) => text.includes("`white`"))
  expect(listed.length).toBeGreaterThan(2)
  const repeating = [...meanings, ...sets].filter((text) => {
    const values = Array.from(text.matchAll(/`[^`]+`/g), ([value]) => value)
    const isRepeated = (value: string) => values.indexOf(value) !== values.lastIndexOf(value)
    return new Set(values).size > 1 && values.every(isRepeated)
  })
  expect(repeating).toEqual([])
})

test("docs/faults.md has each number of a test's title, and no other", () => {
  const tests = all.filter((path) => /^packages\/(?!mcp\/)\w+\/test\/.+[.]test[.]ts$/.test(path))
  const titled = tests.flatMap((path): ReadonlyArray<string | number> => {
    const text = read(path)
    const numbers = [...text.matchAll(/^.*["`](\d+): \S/gm)].map(([, number]) => Number(number))
    return text.includes("docs/faults.md") ? numbers : numbers.map((number) => `${path}: ${number}`)
  })
  const rows = [...read("docs/faults.md").matchAll(/^[|] (\d+) [|]/gm)].map(([, number]) => Number(number))
  expect(rows.length).toBeGreaterThan(20)
  expect([...new Set(titled)].toSorted((a, b) => Number(a) - Number(b))).toEqual([...new Set(rows)])
})

test("each package's src, and each folder of core, oauth and testing, says in one to three sentences what is in it and what may be touched", () => {
  const folders = all.filter((path) => /^packages\/(\w+\/src\/|(?:core|oauth|testing)\/src\/.+\/)$/.test(path))
  expect(folders).toContain("packages/core/src/internal/call/")
  const textOf = (page: string) => (inRoot.has(page) ? read(page).trim().replaceAll("\n", " ") : "")
  const isShort = (text: string) => /^[A-Z`](?:(?![.] ).)+([.] [A-Z](?:(?![.] ).)+){0,2}[.]$/.test(text)
  expect(folders.filter((folder) => !isShort(textOf(`${folder}README.md`)))).toEqual([])
})

const namesIn = (list: string) => list.match(/\b(?!type\b)\w+/g) ?? []

test("each name of the subpath internal of core is used by another package, which needs exactly that version", () => {
  const importing = all.filter(
    (path) =>
      !path.startsWith("test/") &&
      /[.](m?[jt]s|md)$/.test(path) &&
      read(path).includes('from "@catalog-client/core/internal"')
  )
  const folders = [...new Set(importing.map((path) => path.split("/").slice(0, 3).join("/")))]
  expect(folders.filter((folder) => !/^packages\/\w+\/src$/.test(folder))).toEqual([])
  for (const folder of folders) {
    expect(read(folder.replace(/src$/, "package.json"))).toContain('"@catalog-client/core": "workspace:*"')
  }
  const used = importing.flatMap((path) =>
    [...read(path).matchAll(/\{([^}]+)\} from "@catalog-client\/core\/internal"/g)].flatMap(([, list = ""]) =>
      namesIn(list)
    )
  )
  const index = read("packages/core/src/internal/index.ts").replaceAll(/^\/\/.*/gm, "")
  const names = [...index.matchAll(/^export (?:type )?(?:\{([^}]+)\}|[*] as (\w+)) from/gm)].flatMap(
    ([, list, namespace]) => namesIn(list ?? namespace ?? "")
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !used.includes(name))).toEqual([])
})

const linesOf = (paths: ReadonlyArray<string>) =>
  paths.reduce((sum, path) => sum + read(path).trimEnd().split("\n").length, 0)

test.each([
  ["scripts", /./, 2_800, "move what makes pages to site/ and what only tests need to test/, or merge scripts"],
  ["bench", /[.]mjs$/, 1_500, "remove a question that no budget needs, or give two questions one group of sides"]
] as const)("%s/ has few lines", (folder, files, most, advice) => {
  const lines = linesOf(all.filter((path) => path.startsWith(`${folder}/`) && /\w$/.test(path) && files.test(path)))
  expect(lines, `${folder}/ has more than ${most} lines: ${advice}`).toBeLessThanOrEqual(most)
})

test("a module names its counterparts in its first lines", () => {
  const counterparts = all.flatMap((path) => {
    const [, name, module] =
      /^(?:effect4\/(?=\w+\/src\/)|packages\/promise\/counterparts\/)(\w+)\/(?:src\/)?(.+?)(?:[.]d)?[.]ts$/.exec(
        path
      ) ?? []
    const source = `packages/${name}/src/${module}.ts`
    return inRoot.has(source) ? [`${source}: ${path}`] : []
  })
  expect(counterparts.length).toBeGreaterThan(20)
  const named = all
    .filter((path) => /^packages\/\w+\/src\/.+[.]ts$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^\/\/ Counterpart for .+: (\S+)$/gm)].map(([, counterpart]) => `${path}: ${counterpart}`)
    )
  // The declarations of catalog-client have types of its own.
  const declared = named.filter((one) => one.includes(": packages/promise/src/"))
  expect(declared.filter((one) => !inRoot.has(one.replace(/.*: /, "")))).toEqual([])
  expect(named.filter((one) => !declared.includes(one)).sort()).toEqual(counterparts.sort())
})

describe("ARCHITECTURE.md", () => {
  const page = read("ARCHITECTURE.md")

  test("names each folder of core", () => {
    const src = "packages/core/src/"
    const folders = ["", "internal/"].flatMap((folder) =>
      below(src + folder).flatMap((path) => /^(?:internal\/)?[\w-]+\/$/.exec(path.slice(src.length)) ?? [])
    )
    expect(folders).toContain("internal/call/")
    expect(folders.filter((folder) => !page.includes(`\`${folder}\``))).toEqual([])
  })

  test("has the rows of .dependency-cruiser.mjs, in their order", () => {
    // The first row has no rule: there is nothing above it.
    const rows = rules.forbidden.flatMap(({ name }) => /^not-up-from-(.+)$/.exec(name)?.[1] ?? [])
    expect(rows).toContain("platform")
    const written = [...page.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, row]) => row)
    expect(written.slice(1)).toEqual(rows)
  })

  test("names each module that remembers something in a WeakMap or WeakSet", () => {
    const remembering = all.filter(
      (path) =>
        /^packages\/\w+\/src\/.+[.]ts$/.test(path) &&
        !read(path).includes("export const memoize =") &&
        /new Weak(?:Map|Set)\b|\bmemoize\(/.test(read(path))
    )
    expect(remembering.length).toBeGreaterThan(5)
    expect(remembering.filter((path) => !page.includes(`${path.replace(/^packages\/core\/src\//, "")}\``))).toEqual([])
  })
})

test("catalog-embedded is never fetched from a registry, where the name can be that of another package", () => {
  const texts = all.filter(
    (path) =>
      /[.](md|[mc]?[jt]sx?|json|ya?ml|vue|html)$/.test(path) &&
      // Packing copies pages into the packages, which stay as they were then.
      !/CHANGELOG|guides.test|^packages\/\w+\/(AGENTS|docs\/)/.test(path)
  )
  const commands = texts.flatMap((path) =>
    [...read(path).matchAll(/\b(?:npx|pnpx|bunx|dlx|npm exec)\b[^`]{0,60}?\bcatalog-embedded\b/g)].map(
      ([command]) => `${path}: ${command}`
    )
  )
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !/npx\W+--no\W+--\W+catalog-embedded$/.test(command))).toEqual([])
})

describe("CONTRIBUTING.md", () => {
  const page = read("CONTRIBUTING.md")

  test("names each step of npm test", () => {
    expect(steps).toEqual(expect.arrayContaining(["build", "dead-code", "node", "bench"]))
    expect(steps.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  test("names each script of package.json, of which there are at most 14", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Record<string, string> }
    const advice = "more than 14 scripts: give one of them an option, or name the file to run"
    expect(Object.keys(scripts).length, advice).toBeLessThanOrEqual(14)
    const missing = Object.keys(scripts).filter(
      (name) => !page.includes(`npm run ${name}`) && !page.includes(`npm ${name}`)
    )
    expect(missing).toEqual([])
  })
})
