import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type ts from "typescript"
import { expect, it } from "vitest"
import { sectionFiles } from "../contents.js"
import { linkFrom, pages, repository, sectionPages, siteUrl } from "../pages.js"
import { shortAddresses } from "../shortAddresses.js"
import { aliasedIn, promiseEntryPoints, readDeclarations } from "../../scripts/generate/declarations.mjs"
import { effectFolders } from "../../scripts/workspace.mjs"
import { read, root } from "../../test/readme.js"
import { anchorOf } from "../urls.js"
import { folder } from "./site.js"

const built = (path: string): string => readFileSync(join(folder, path), "utf8")

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, match = ""]) => match)

interface Page {
  readonly html: string
  readonly ids: ReadonlySet<string>
}

/** The pages by the paths that lead to them. */
const byPath = new Map(
  [...pages].map(([file, address]): [string, Page] => {
    const html = built(address.replace(/md$/, "html"))
    return [linkFrom(".", file), { html, ids: new Set(matches(html, /\sid="([^"]+)"/g)) }]
  })
)

/** Whether a link of a page leads to a page, to a place on it, or to a file. */
const isAlive = (from: string, href: string): boolean => {
  if (href.startsWith(`${repository}/`)) {
    const [, path = ""] = /^\/(?:blob|edit|tree)\/main\/([^#]*)/.exec(href.slice(repository.length)) ?? []
    return existsSync(join(root, path))
  }
  if (href.startsWith(`${siteUrl}/`)) {
    return isAlive(from, href.slice(siteUrl.length))
  }
  if (/^[a-z]+:/.test(href)) {
    return true
  }
  const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `http://site${from}`)
  const page = byPath.get(pathname)
  if (page === undefined) {
    return existsSync(join(folder, pathname)) && pathname !== "/"
  }
  return hash === "" || page.ids.has(decodeURIComponent(hash.slice(1)))
}

it("each link of each page leads somewhere", () => {
  const links = [...byPath].flatMap(([path, { html }]) =>
    matches(html, /<(?:a|link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g).map((href): [string, string] => [path, href])
  )
  expect(links.length).toBeGreaterThan(byPath.size * 20)
  expect(links.filter(([path, href]) => !isAlive(path, href)).map((link) => link.join(" → "))).toEqual([])
})

it("no two places of a page have one anchor, and rows that document a name have one", () => {
  const repeated = [...byPath].flatMap(([path, { html, ids }]) => {
    const all = matches(html, /\sid="([^"]+)"/g)
    return all.length === ids.size ? [] : `${path}: ${all.filter((id, at) => all.indexOf(id) !== at).join()}`
  })
  expect(repeated).toEqual([])
  for (const row of [
    "/operations/records#anime-media_type",
    "/operations/anime#animeranking-rankingtype",
    "/operations/anime#animeget-fields",
    "/calls#options-of-a-call-timeout",
    "/api/catalog-client#resilienceretryoptions-attempts"
  ]) {
    expect(isAlive("/", row), row).toBe(true)
  }
})

it("the page of records explains each moment of its tables, and what a write returns", () => {
  const page = built("operations/records.md")
  const moments = new Set(
    Array.from(page.matchAll(/^\| `[^|]+\|[^|]+\| (always|by default|requested) \|/gm), ([, name]) => name)
  )
  const explained = Array.from(page.matchAll(/^- \*(.+)\*: /gm), ([, name]) => name)
  expect(explained).toEqual(["always", "by default", "requested"])
  expect(moments).toEqual(new Set(explained))
  expect(page.match(/^Returned by \[`\w+\.updateMyListStatus`\]\([^)]*\), with all properties\.$/gm)).toHaveLength(2)
})

it("the records that programs read most have an example, and those in them, whose properties are documented", () => {
  const sections = built("operations/records.md").split(/^### /m)
  const examples = sections.flatMap((section) => {
    const [, name = ""] = /^`(\w+)`/.exec(section) ?? []
    const [, json] = /```json\n([^]*?)```/.exec(section) ?? []
    return json === undefined ? [] : [{ name, properties: Object.keys(JSON.parse(json) as object), section }]
  })
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Anime", "Manga", "AnimeListEntry", "User", "Broadcast", "Genre", "ForumTopicDetail"])
  )
  expect(
    examples.flatMap(({ name, properties, section }) =>
      properties.flatMap((property) => (section.includes(`\n| \`${property}`) ? [] : [`${name}.${property}`]))
    )
  ).toEqual([])
})

it("the page of each section has its pages, with what each answers", () => {
  expect(sectionFiles.map(({ title }) => `docs/sections/${title.toLowerCase()}.md`)).toEqual(sectionPages)
  for (const { files, title } of sectionFiles) {
    const rows = built(`${title.toLowerCase()}/index.md`).matchAll(/^\| \[[^\]]+\]\(([^)#]+)\) \| .{10,} \|$/gm)
    expect(Array.from(rows, ([, href = ""]) => href)).toEqual(files.map((file) => siteUrl + linkFrom(".", file, ".md")))
  }
})

it("the links of READMEs to the site lead somewhere", () => {
  const links = ["README.md", ...effectFolders.map((name) => `packages/${name}/README.md`)].flatMap((file) =>
    matches(read(file), /\]\((https:[^)]+)\)/g).flatMap((href) => (href.startsWith(siteUrl) ? [href] : []))
  )
  expect(links.length).toBeGreaterThan(effectFolders.length * 3)
  expect(links.filter((href) => !isAlive("/", href))).toEqual([])
})

it("a page that a link opens in a new tab has no access to the page of the link", () => {
  const files = readdirSync(join(root, "site"), { recursive: true, encoding: "utf8" })
  const own = files.filter((file) => file.endsWith(".vue") && !file.startsWith("node_modules"))
  const components = own.map((file) => read(`site/${file}`))
  const links = [...components, ...[...byPath.values()].map(({ html }) => html)].flatMap((text) =>
    matches(text, /(<a\s[^>]*?target="_blank"[^>]*>)/g)
  )
  expect(links.length).toBeGreaterThan(byPath.size)
  expect(links.filter((link) => !/\srel="[^"]*\b(?:noopener|noreferrer)\b/.test(link))).toEqual([])
})

it("each page is there as Markdown, whose links lead to Markdown", () => {
  const dead: Array<string> = []
  for (const address of pages.values()) {
    const html = built(address.replace(/md$/, "html"))
    expect(html).toContain(`<link rel="alternate" type="text/markdown" href="/${address}">`)
    const copy = built(address)
    // A program that reads it elsewhere can follow them.
    expect(copy.replaceAll(/^```[^]*?^```$/gm, "")).not.toMatch(/\]\((?!https?:|#|\))/)
    const text = copy.replaceAll(`${siteUrl}/`, "/").replaceAll(/\]\(\/pictures\/[^)]+\)/g, "]")
    expect(text).toMatch(/^(?:<div class="explore-page">\n\n)?# /)
    const links = matches(text.replaceAll(/^```[^]*?^```$/gm, ""), /\]\((\/[^)\s]*|[^:)\s]*)\)/g)
    for (const href of links) {
      const [path = "", anchor] = href.split("#")
      const target = path === "" ? address : path.slice(1)
      const isPage = [...pages.values()].includes(target) || target === "openapi.json"
      const page = byPath.get(`/${target.replace(/(index)?\.md$/, "")}`)
      if (!isPage || (anchor !== undefined && page?.ids.has(anchor) !== true)) {
        dead.push(`${address} → ${href}`)
      }
    }
  }
  expect(dead).toEqual([])
})

it("the Markdown of a folder's page, and AGENTS.md, are where they are looked for; no copy has a note to the release, or a button", () => {
  for (const name of ["api", "errors", "operations"]) {
    expect(built(`${name}.md`)).toBe(built(`${name}/index.md`))
  }
  expect(built("AGENTS.md")).toBe(built("agents.md"))
  const outOfPlace = /<!-- (?:until|end|Written)\b|press \*\*Run\*\*/
  expect([...pages.values()].filter((address) => outOfPlace.test(built(address)))).toEqual([])
})

it("each page has its own description and Open Graph tags", () => {
  const descriptions = [...byPath].map(([path, { html: escaped }]) => {
    // VitePress escapes less in its own tag.
    const html = escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    const [description = ""] = matches(html, /<meta name="description" content="([^"]+)">/g)
    const tags = Object.fromEntries(
      [...html.matchAll(/<meta property="og:(\w+)" content="([^"]+)">/g)].map(([, name, content]) => [name, content])
    )
    expect(tags, path).toMatchObject({ type: "website", site_name: "catalog-client", description })
    expect(html).toContain(`<title>${tags["title"]}</title>`)
    expect(tags["url"], path).toBe(siteUrl + path)
    expect(matches(html, /<link rel="canonical" href="([^"]+)">/g)).toEqual([siteUrl + path])
    return description
  })
  expect(descriptions.filter((text, at) => text.length < 10 || descriptions.indexOf(text) !== at)).toEqual([])
})

it("a preview of a page has a picture, and robots.txt leads to the sitemap", () => {
  const images = [...byPath.values()].flatMap(({ html }) =>
    matches(html, /<meta property="og:image" content="([^"]+)">/g)
  )
  expect(images.length).toBe(byPath.size)
  expect(images.filter((address) => !isAlive("/", address))).toEqual([])
  expect(built("robots.txt")).toContain(`Sitemap: ${siteUrl}/sitemap.xml`)
})

it("the sitemap lists each page", () => {
  const listed = matches(built("sitemap.xml"), /<loc>([^<]+)<\/loc>/g)
  expect(listed.toSorted()).toEqual([...byPath.keys()].map((path) => siteUrl + path).toSorted())
})

it("the site is on the GitHub Pages of its repository", () => {
  const { repository } = JSON.parse(read("package.json")) as { readonly repository: { readonly url: string } }
  const [, owner = "", name = ""] = /github\.com\/([^/]+)\/(.+)\.git$/.exec(repository.url) ?? []
  expect(siteUrl).toBe(`https://${owner}.github.io/${name}`)
})

it("llms.txt lists each page of text once", () => {
  const links = matches(built("llms.txt"), /^- \[[^\]]+\]\(([^)]+)\)/gm)
  expect(links.filter((link) => !link.startsWith(`${siteUrl}/`))).toEqual([])
  const listed = links.map((link) => link.slice(siteUrl.length + 1))
  // The home page and Explore are not in the sidebar either, and the page of a section lists the same.
  const texts = [...pages]
    .filter(([file]) => !sectionPages.includes(file) && !/^---\n(?:.+\n)*?sidebar: false/.test(read(file)))
    .map(([, address]) => address)
  expect(listed.toSorted()).toEqual(texts.toSorted())
})

it("llms.txt says what each page answers, in more words than its title", () => {
  const lines = [...built("llms.txt").matchAll(/^- \[([^\]]+)\]\([^)]+\)(?:: (.+))?$/gm)]
  const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
  const empty = lines.filter(
    ([, title = "", text = ""]) => [...wordsOf(text)].filter((word) => !wordsOf(title).has(word)).length < 4
  )
  expect(empty.map(([line]) => line)).toEqual([])
})

const withText = [...pages.keys()].filter((file) => !sectionPages.includes(file))

it.each([{ copy: "llms-full.txt", files: withText }, ...sectionFiles])(
  "each page is in the file of all of its section: $copy",
  ({ copy, files }) => {
    const parts = built(copy).split(/^<!-- (https:\S+) -->$/m)
    const addresses = files.map((file) => `${siteUrl}/${pages.get(file)}`)
    expect(parts.filter((_, at) => at % 2 === 1)).toEqual(addresses)
    expect(parts.filter((part, at) => at % 2 === 0 && at > 0 && part.length < 200)).toEqual([])
  }
)

it("the files that llms.txt names beside the pages are there, with the sizes that it says", () => {
  const named = [...built("llms.txt").matchAll(/\[([\w.-]+)\]\((\S+)\) \((\d+) kB\)/g)]
  expect(named.map(([, name]) => name)).toEqual([
    "llms-full.txt",
    "openapi.json",
    ...sectionFiles.map(({ copy }) => copy)
  ])
  for (const [, name = "", address = "", size] of named) {
    expect(isAlive("/", address), address).toBe(true)
    expect(Math.round(statSync(join(folder, name)).size / 1000)).toBe(Number(size))
  }
  const sizes = Array.from(built("llms.txt").matchAll(/^- .* \((\d+) kB\)$/gm), ([, size]) => Number(size))
  const files = sectionFiles.flatMap(({ files }) => files)
  expect(sizes).toEqual(files.map((file) => Math.round(Buffer.byteLength(built(linkFrom(".", file, ".md"))) / 1000)))
})

it.each(["", "/base"])("each address of a message leads to its page, under the base '%s'", (base) => {
  const targetOf = (path: string) => {
    const [href = ""] = matches(built(`${path}.html`), /content="0; url=([^"]+)"/g)
    const { hash, pathname } = new URL(href, `http://site${base}/${path}`)
    return pathname + hash
  }
  expect(shortAddresses.map(([path]) => targetOf(path))).toEqual(shortAddresses.map(([, address]) => base + address))
  const copies = shortAddresses.map(([path]) => matches(built(`${path}.md`), /\]\(\.{1,2}(.+?)\)\.\n$/g)[0])
  expect(copies.map((address) => address?.replace(/(index)?\.md/, ""))).toEqual(
    shortAddresses.map(([, address]) => address)
  )
  expect(shortAddresses.filter(([, address]) => !isAlive("/", address))).toEqual([])
  expect(shortAddresses.length).toBeGreaterThan(40)
})

it("the Markdown at the address of a message is its section alone", () => {
  const parts = shortAddresses.filter(([, address]) => address.includes("#"))
  const anchors = parts.map(([path]) => anchorOf(/^#+ (.*)/.exec(built(`${path}.md`))?.[1] ?? ""))
  expect(anchors).toEqual(parts.map(([, address]) => address.split("#")[1]))
  expect(matches(built("operations/anime.search.md"), /^(## .*)/gm)).toEqual(["## `anime.search`"])
  expect(built("e/status-404.md")).toContain(built("errors/status-404.md").trim())
})

it("options of one name have a section each in the reference, unless all is said of both in the same words", () => {
  const sections = read("docs/api/subpaths.md").split(/^##+ (?=.* [(](?:redis|postgres)[)]$)/m)
  const sectionOf = (title: string) => sections.find((section) => section.startsWith(title)) ?? ""
  const options = sectionOf("RateLimitStoreOptions (redis)")
  expect(options).toContain('| `"1 second"` | How long Redis may take to respond.')
  expect(options).not.toContain("`table?`")
  expect(sectionOf("tokenStores (redis)")).toContain("hashes with the prefix `catalog-client:tokens:`")
})

it("the reference has each member of a type, whatever that extends", () => {
  const entry = promiseEntryPoints().filter(({ specifier }) => specifier === "catalog-client")
  const { checker, moduleOf } = readDeclarations(entry)
  const sections = new Map(
    read("docs/api/catalog-client.md")
      .split(/^### /m)
      .map((part) => [/^\S+/.exec(part)?.[0] ?? "", part])
  )
  /** A section with those that have its other members. */
  const textOf = (name: string): string => {
    const text = sections.get(name) ?? ""
    const others = text.match(/(?<=^interface .*) extends .*|^Extends .*|It has the members of .*/gm)?.join(" ") ?? ""
    return [text, ...matches(others, /\b([A-Z]\w+)/g).map(textOf)].join("\n")
  }
  const isOurs = ({ declarations = [], name }: ts.Symbol) =>
    !/^(?:__@.*|message|toJSON|toString)$/.test(name) &&
    declarations.some((node) => node.getSourceFile().fileName.includes("/packages/promise/"))
  const types = entry.flatMap(({ types }) => checker.getExportsOfModule(moduleOf(types))).map(aliasedIn(checker))
  const missing = types.flatMap((symbol) => {
    const text = textOf(symbol.name)
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return type.isClassOrInterface() && text !== "" && !/\.\.\/operations\/\w+\.md#|See \[operations\]/.test(text)
      ? type
          .getProperties()
          .filter((member) => isOurs(member) && !new RegExp(`\\b${member.name}\\b`).test(text))
          .map((member) => `${symbol.name}.${member.name}`)
      : []
  })
  expect(textOf("CallOptions")).toContain("| `totalTimeout?` |")
  expect(missing).toEqual([])
})

it("a table of options has their types and defaults, and the options of a base", () => {
  const sectionsOf = (page: string) => read(`docs/api/${page}.md`).split(/^### /m)
  const rowsOf = (page: string, name: string) =>
    sectionsOf(page)
      .find((section) => section.startsWith(`${name}\n`))
      ?.match(/^\| `.*/gm)
      ?.join("\n")
  const options = rowsOf("catalog-client", "CatalogOptions")
  expect(options).toContain('| `mismatch?` | `"omit" \\| "fail"` | `"omit"` | What to do')
  expect(options).toMatch(/^\| `clientId\?` \| \[`CredentialSource`\].* From \[`CredentialOptions`\]/m)
  expect(options).toContain("| `policies?` | `ReadonlyArray<`[`Policy`](#policy)`>` |")
  expect(options).toContain("| `D \\|` [`FieldsDefault`](#fieldsdefault) |")
  expect(rowsOf("core", "Resilience.RetryOptions")).toContain('| `maxRetryAfter?` | `Duration.Input` | `"1 minute"` |')
  // No default is said a second time.
  const rows = ["Resilience.RetryOptions", "CatalogConfig.Options"].map((name) => rowsOf("core", name))
  expect(rows.join("\n")).not.toMatch(/by default/i)
})

it("what Effect has otherwise is said of Effect, and a service's class says what a program gets from it", () => {
  const sectionOf = (page: string, title: string) =>
    read(`docs/api/${page}.md`)
      .split(/^###+ /m)
      .find((section) => section.startsWith(`${title}\n`)) ?? ""
  const options = sectionOf("subpaths", "Sync.ApplyOptions")
  expect(matches(options, /^\| `(\w+)/gm)).toEqual(["journal", "concurrency", "settle"])
  const first = matches(sectionOf("catalog-client", "CatalogOptions"), /^\| `(\w+)/gm).slice(0, 4)
  expect(first).toEqual(["clientId", "accessToken", "session", "fields"])
  const recording = 'class RecordingError extends Data.TaggedError("RecordingError")<{'
  expect(sectionOf("testing", "RecordingError")).toContain(`// With Effect:\n${recording}\n  readonly reason:`)
  expect(sectionOf("subpaths", "Sync.apply")).toContain("a Stream of what became of each")
  expect(sectionOf("subpaths", "Sync.plan")).toMatch(/[.] See \[`plan`]/)
  expect(sectionOf("subpaths", "Sync.readList")).toContain("It acts for the user of the `CatalogClient`")
  expect(sectionOf("oauth", "TextStore")).not.toContain("with Effect")
  expect(sectionOf("oauth", "TextStore.get (Effect)")).toContain("Effect.Effect<string | null")
  expect(sectionOf("oauth", "SharedTextStore.update (Effect)")).toContain(
    "=> Effect.Effect<string | undefined, unknown>"
  )
  expect(sectionOf("core", "Credentials")).toContain("extends Context.Service<Credentials, Credentials.Service>()(")
  expect(sectionOf("core", "CatalogConfig")).toContain("extends Context.Reference<CatalogConfig.Service> {")
  expect(sectionOf("testing", "Recorder")).toContain("readonly missed: Effect.Effect<ReadonlyArray<string>>")
  const operations = sectionOf("core", "Catalog")
  expect(operations).toMatch(/`collect\(params, \{ max \}\)`.*\[`Operation\.PagedItems`]\(#operationpageditems-type\)/)
})

it("the reference of Effect says what a function does, and a program that Effect 3 has otherwise is there for both", () => {
  const text = read("docs/api/core.md")
  expect(text.match(/^See \[.*catalog-client\.md/gm)).toBe(null)
  expect(text).toMatch(/^### Resilience.retry\n[^#]*\nRetries an attempt after a temporary failure/m)
  const tabs = matches(text, /^(With Effect [34]:)$/gm)
  expect(tabs.filter((_, at) => at % 2 === 1).every((tab) => tab === "With Effect 3:")).toBe(true)
  expect(text).toMatch(/^With Effect 3:\n\n```ts\n[^`]*from "@effect\/platform"/m)
})

it("a type in a signature leads to its section, where it is first named", () => {
  /** The links of the first signature below a heading, with their texts. */
  const linksBelow = (page: string, anchor: string) => {
    const [, below = ""] = built(page).split(`id="${anchor}"`)
    const block = below.match(/<pre[^]*?<\/pre>/g)?.find((code) => code.includes("<a ")) ?? ""
    const links = block.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^]*?)<\/a>/g)
    return Array.from(links, ([, href, text = ""]) => [text.replaceAll(/<[^>]*>/g, ""), href])
  }
  expect(linksBelow("api/catalog-client.html", "policy")).toEqual([["CatalogCall", "#catalogcall"]])
  expect(linksBelow("api/catalog-client.html", "pagedcollect")).toEqual([
    ["CallOptions", "#calloptions"],
    ["CollectOptions", "#collectoptions"]
  ])
  expect(linksBelow("api/subpaths.html", "syncplan")).toEqual([
    ["Sync.PlanOptions", "#planoptions"],
    ["Sync.Plan", "#plan-type"]
  ])
  // The type of all inputs leads to the first row of their table.
  expect(linksBelow("operations/anime.html", "animedeletefromlist")).toEqual([
    ["AnimeParams", "/operations/anime#animedeletefromlist-id"],
    ["CallOptions", "/api/catalog-client#calloptions"]
  ])
})

const ofApi = [...pages.keys()].filter((file) => file.startsWith("docs/api/"))

it("an anchor of the reference says which of several names it is, and not which comes later", () => {
  const ids = ofApi.flatMap((file) => [...(byPath.get(linkFrom(".", file))?.ids ?? [])])
  expect(ids).toEqual(expect.arrayContaining(["ratelimitstore-redis", "ratelimitstore-sqlite", "plan", "plan-type"]))
  // Tabs have ids of Vue's.
  expect(ids.filter((id) => /^(?!v-).*-\d+$/.test(id))).toEqual([])
})

it("each entry of the reference says how it is imported", () => {
  const parts = ofApi.flatMap((file) =>
    read(file).split(/^## (?:Entry points|Unexported types|Operations and their inputs)$[^]*?(?=^## |(?![^]))/m)
  )
  const entries = parts.flatMap((part) => part.split(/^### /m).slice(1))
  expect(entries.length).toBeGreaterThan(300)
  expect(entries.filter((entry) => !/^.*\n\n```ts signature\nimport /.test(entry))).toEqual([])
  const entryPoints = promiseEntryPoints()
  const { checker, moduleOf } = readDeclarations(entryPoints)
  const exportsOf = new Map(
    entryPoints.map(({ specifier, types }) => {
      const names = checker.getExportsOfModule(moduleOf(types)).map(({ name }) => name)
      return [specifier, new Set(names)]
    })
  )
  const imports = entries
    .join("\n")
    .matchAll(/```ts signature\nimport (?:type )?\{ (?<name>\w+) \} from "(?<module>catalog-client.*)"/g)
  const wrong = Array.from(imports, ({ groups: { module = "", name = "" } = {} }) => [module, name] as const).filter(
    ([module, name]) => exportsOf.get(module)?.has(name) !== true
  )
  expect(wrong).toEqual([])
})

it("the list of all names has each name that a program can import", () => {
  const [, list = ""] = built("api/index.html").split('<dl class="names"')
  const listed = matches(list, /<code>([^<]+)<\/code>/g)
  expect(listed).toEqual(listed.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)))
  const entryPoints = promiseEntryPoints().filter(({ specifier }) => !/\/(?:anime|manga|user|forum)$/.test(specifier))
  const { checker, moduleOf } = readDeclarations(entryPoints)
  const names = entryPoints.flatMap(({ types }) => checker.getExportsOfModule(moduleOf(types)).map(({ name }) => name))
  // The others are what OpenTelemetry declares.
  expect(names.filter((name) => !listed.includes(name)).toSorted()).toEqual(["TelemetryAttributes", "TelemetrySpan"])
  // What each is, and what it does.
  expect(list.match(/<dd>/g)).toHaveLength(matches(list, /<small>(\w+)<\/small><span>[^<]*[.:]<\/span>/g).length)
  expect(list.match(/<code>rateLimitStore<\/code>.*?<\/dd>/)?.[0].match(/(?<=">)\w+/g)).toEqual([
    "redis",
    "postgres",
    "sqlite"
  ])
})

it("a link to another page of the site opens in the same tab, and no short address is that of a page", () => {
  const apart = [...byPath].flatMap(([path, { html }]) =>
    matches(html, /(<a [^>]*target="_blank"[^>]*>)/g)
      .filter((link) => byPath.has(/ href="([^"#]+)/.exec(link)?.[1]?.replace(siteUrl, "") ?? ""))
      .map((link) => `${path}: ${link}`)
  )
  expect(apart).toEqual([])
  expect(shortAddresses.filter(([path]) => byPath.has(`/${path}/`) || byPath.has(`/${path}`))).toEqual([])
})

it("an option with a heading of its own has a row that leads there, and a set of values is no record", () => {
  for (const page of ["catalog-client", "core"]) {
    expect(read(`docs/api/${page}.md`)).toMatch(/^\| \[`when\?`\]\(#resilienceretryoptionswhen\) \| function \|/m)
  }
  const kindOf = (name: string) =>
    RegExp(`<dd>(?:(?!</dd>).)*\\b${name}</code>(?:(?!</dd>).)*<small>([^<]*)`).exec(
      byPath.get("/api/")?.html ?? ""
    )?.[1]
  expect(["AnimeListSort", "AnimeStatus", "Anime", "AnimeListStatus"].map(kindOf)).toEqual([
    "values",
    "values",
    "record",
    "record"
  ])
})

it("each group of the reference begins with its guides", () => {
  const text = ["catalog-client", "core", "oauth", "subpaths", "testing"]
    .map((name) => read(`docs/api/${name}.md`))
    .join("")
  const others = /^## (?!Entry points|Other names|Operations and their inputs|Unexported types)/gm
  expect(text.match(/^## .+\n\nGuides?: \[/gm)).toHaveLength(text.match(others)?.length ?? 0)
})

it("the reference of Effect lists all operations, with what each returns and fails with", () => {
  const namesIn = (file: string, pattern: RegExp) => Array.from(read(file).matchAll(pattern), ([, name]) => name)
  const listed = namesIn("docs/api/core.md", /^(\w+\.\w+)\(.*options\?\): Effect<\w+, E(?: \| Client\w+Error)*, R>$/gm)
  expect(listed).toEqual(namesIn("docs/operations/README.md", /^\| \[`([\w.]+)`\]/gm))
})

it("the pages for users are few and short: programs do not count", () => {
  // The pages of sections have the descriptions of their pages.
  expect(withText.length).toBeLessThanOrEqual(65)
  // AGENTS.md is for coding agents.
  const forPeople = withText.filter((file) => file !== "AGENTS.md")
  const words = forPeople.flatMap((file) => {
    const prose = read(file).replaceAll(/^ *```[^]*?^ *```$|<!--[^]*?-->|(?<=\])\([^)]*\)/gm, "")
    return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  })
  expect(words.length).toBeLessThanOrEqual(60_000)
})
