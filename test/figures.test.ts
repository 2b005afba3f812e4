/**
 * The figures in pages are those that the bench has measured and written.
 */
import { expect, test } from "vitest"
import { blocksIn, read } from "./readme.js"

/** The cells of a row of a page's table, without bold and links: the table whose first column has this head. */
const rowOf = (page: string, table: string, title: string) => {
  const lines = read(page)
    .replaceAll(/\*\*|\[|\]\(.*?\)/g, "")
    .split("\n")
  const from = lines.slice(lines.findIndex((line) => line.startsWith(`| ${table} |`)))
  const row = from.slice(0, from.indexOf("")).find((line) => line.startsWith(`| ${title} |`))
  expect(row, `${page} has ${title} under ${table}`).toBeDefined()
  return row?.slice(2, -2).split(" | ") ?? []
}

/** A figure of a table in docs/performance.md, or of a longer one beside the decisions. */
const measured = (table: string, title: string, column = 1) =>
  rowOf(table === "Runtimes" ? "docs/decisions/performance.md" : "docs/performance.md", table, title)[column] ?? ""

const timesFetch = (title: string, table = "Calls on Node") => Number(measured(table, title, 2)).toFixed(1)
const sizeOf = (title: string) => measured("Browser bundle", title)
const importOf = (title: string) => measured("Import", title, 2)

const [pageOfAll, pageOfOne, withEffect, byHandWithEffect] = [
  "`catalog-client`, all operations",
  "`catalog-client`, one operation",
  "`@catalog-client/browser`, one operation by its subpath",
  "Effect's `HttpClient` and a `Schema` by hand"
]
const installed = () => {
  const row = rowOf(
    "docs/decisions/performance.md",
    "figure",
    "Browser bundle: `catalog-client`, all that is installed: bytes"
  )
  return `${(Number.parseFloat(row[1] ?? "") / 1000).toFixed(1)} MB`
}

test("the figures that docs/performance.md begins with are those of its tables", () => {
  const overFetch = (client: string) => {
    const runtimes = ["Node 24", "Node 26", "Deno", "Bun"].map((runtime) =>
      timesFetch(`${client}, ${runtime}`, "Runtimes")
    )
    const all = [timesFetch(client), ...runtimes].toSorted()
    return `${all[0]} to ${all.at(-1)}`
  }
  const [glance = ""] = read("docs/performance.md").split("**How to read")
  const rows = [...glance.matchAll(/^[|] [^-].+ [|] (.+) [|] (.+) [|]$/gm)].slice(1).map(([, ...cells]) => cells)
  const [, , megabytes, packages] = rowOf("docs/comparison.md", "client", "its packages for Effect 3")
  const node = importOf("`@catalog-client/node`")
  expect(rows).toEqual([
    [sizeOf(pageOfAll), "–"],
    [sizeOf(pageOfOne), sizeOf(withEffect)],
    [`${installed()}, 1 package`, `${megabytes}, ${packages} packages`],
    [`${importOf("`catalog-client`")} ms`, `${node} ms`],
    [timesFetch("`catalog-client`"), timesFetch("`@catalog-client/node`")],
    [timesFetch("`catalog-client`, Node 24", "Runtimes"), timesFetch("`@catalog-client/node`, Node 24", "Runtimes")],
    [overFetch("`catalog-client` over `fetch`"), overFetch("`@catalog-client/browser`")]
  ])
  const parts = importOf("`effect/Effect`, its `HttpClient`, `undici`")
  const byHand = sizeOf(byHandWithEffect).replace(" kB", "")
  expect(glance.replaceAll(/\n\s*/g, " ")).toContain(
    `take ${parts} of the ${node} ms, and a hand-written call takes ${byHand} of the ${sizeOf(withEffect)}.`
  )
})

test("the figures of README.md, docs/index.md, docs/start/browser.md and the sentences of docs/comparison.md are those that are measured", () => {
  expect(Array.from(read("docs/index.md").matchAll(/[*]{2}(\d.+?)[*]{2}/g), ([, figure]) => figure)).toEqual([
    sizeOf(pageOfAll),
    installed(),
    `${timesFetch("`catalog-client`")} times`
  ])
  const textIn = (path: string) => read(path).replaceAll(/\n\s*/g, " ")
  expect(textIn("README.md")).toContain(`${installed()} installed, ${sizeOf(pageOfAll)} gzipped in a browser`)
  expect(Array.from(read("docs/start/browser.md").matchAll(/ loads (\S+ kB)/g), ([, size]) => size)).toEqual([
    sizeOf(pageOfAll),
    sizeOf(pageOfOne)
  ])
  for (const words of [
    `This client adds ${sizeOf(pageOfAll)}, or ${sizeOf(pageOfOne)} with one operation.`,
    `takes ${importOf("`catalog-client`")} ms on Node 20`,
    `: ${sizeOf(`${byHandWithEffect}, Effect 4`)} instead of ${sizeOf(`${withEffect}, Effect 4`)} with Effect 4.`,
    `\`@animelist/client\` adds ${sizeOf("`@animelist/client`")} to a page`
  ]) {
    expect(textIn("docs/comparison.md")).toContain(words)
  }
})

test("docs/decisions/performance.md counts the budgets that were met", () => {
  const page = read("docs/decisions/performance.md")
  const marks = [...page.matchAll(/ \| (✓|✗) \|$/gm)].map(([, mark]) => mark)
  expect(page).toContain(`**${marks.filter((mark) => mark === "✓").length} of ${marks.length} budgets were met.**`)
})

test("docs/comparison.md has the versions that the bench installs, and shows code of the guides, whose programs are tested", () => {
  const page = read("docs/comparison.md")
  const versions = [...page.matchAll(/^\| \[`(.+?)`\].* \| (\d[\d.]+) \| \d{4}-/gm)].map(([, name, version]) => [
    name,
    version
  ])
  const { devDependencies } = JSON.parse(read("bench/package.json")) as {
    readonly devDependencies: Record<string, string>
  }
  expect(versions.length).toBe(5)
  expect(versions).toEqual(versions.map(([name = ""]) => [name, devDependencies[name]]))
  const guide = read("docs/recipes/migrate.md")
  const shown = blocksIn(page).flatMap(({ language, text }) => (language === "js" ? [text] : []))
  expect(shown.length).toBe(2)
  expect(shown.filter((text) => !guide.includes(text))).toEqual([])
})

test("the sizes and speeds of docs/comparison.md are those of docs/performance.md", () => {
  /** The row of each client among the pages, and that among the calls. */
  const clients: ReadonlyArray<readonly [client: string, page: string | undefined, calls: string | undefined]> = [
    ["catalog-client, all operations", pageOfAll, "`catalog-client`"],
    ["catalog-client, one operation", pageOfOne, "`catalog-client`"],
    ["its packages for Effect 3", withEffect, "`@catalog-client/node`"],
    ["its packages for Effect 4", `${withEffect}, Effect 4`, "`@catalog-client/node`, Effect 4"],
    ["your own `fetch`", undefined, "`fetch`, `AbortSignal.timeout`, `json()`"],
    ["your own `undici.request`", undefined, "`undici.request`, `text()`, `JSON.parse`, a signal"],
    ["`node-myanimelist`", "`node-myanimelist`", "`node-myanimelist`"],
    ["`@animelist/client`", "`@animelist/client`", "`@animelist/client`"],
    ["`mal-ts`", "`mal-ts`", undefined],
    ["`@chez14/mal-api-lite`", undefined, "`@chez14/mal-api-lite`"],
    ["`@tutkli/jikan-ts`", "`@tutkli/jikan-ts`", undefined]
  ]
  for (const [client, page, calls] of clients) {
    const [, size, , , speed] = rowOf("docs/comparison.md", "client", client)
    expect.soft([client, size]).toEqual([client, page === undefined ? expect.not.stringMatching(/\d/) : sizeOf(page)])
    expect
      .soft([client, speed])
      .toEqual([client, calls === undefined ? expect.not.stringMatching(/\d/) : timesFetch(calls)])
  }
})
