// What a result of the search shows: the part of its section that matches, from the Markdown beside its page.
import { anchorOf, rowAnchorOf } from "../../urls.js"
import type { Result } from "./found.js"

/** A sentence of prose, a line of a program, or the row of a table. */
interface Line {
  readonly text: string
  readonly isCode: boolean
  /** The first cell of a row, as Markdown. */
  readonly cell?: string
}

/** The lines of sections, by the anchors of these. */
type Sections = ReadonlyMap<string, ReadonlyArray<Line>>

/** The lines of a program after its imports, or the sentences of paragraphs and entries of lists, and the rows of tables. */
const linesOf = (markdown: string): ReadonlyArray<Line> =>
  markdown.startsWith("```")
    ? markdown
        .replaceAll(/^import [^]*?["'].*["'];?$/gm, "")
        .split("\n")
        .slice(1, -1)
        .filter((text) => text.trim() !== "")
        .map((text) => ({ text, isCode: true }))
    : markdown
        // The heads of a table say less than its rows.
        .replaceAll(/<!--[^]*?-->|^<.*$|^\|.*\n\|[-:| ]+$/gm, "")
        .split(/\n\s*\n|\n(?= *(?:[-*|]|\d+\.) )/)
        // The types under a signature belong to it.
        .filter((block) => !/^\s*Types: /.test(block))
        .flatMap((block) => {
          const plain = block
            .trim()
            .replaceAll(/^(?:[-*]|\d+\.|\|) | \|$|<br>|`/g, "")
            .replaceAll(/(\*+)(\S[^*]*)\1/g, "$2")
            .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
            .replaceAll(" | ", " · ")
            .replaceAll("\\|", "|")
            .replaceAll(/\s+/g, " ")
          const [, cell] = /^\s*\| (.*?) \|/.exec(block) ?? []
          return cell === undefined
            ? (plain.match(/\S.*?(?:[.?!](?= )|$)/g) ?? []).map((text) => ({ text, isCode: false }))
            : [{ text: plain.replace(/[^.:?!…]$/, "$&."), isCode: false, cell }]
        })

/** The sections of a page. */
export const sectionsOf = (markdown: string): Sections => {
  const sections = new Map<string, Array<Line>>()
  let section: Array<Line> = []
  for (const part of markdown.split(/^(```[^]*?^```$|#+ .+$)/m)) {
    if (part.startsWith("#")) {
      const name = anchorOf(part.replace(/^#+/, ""))
      let anchor = name
      for (let count = 1; sections.has(anchor); count++) {
        anchor = `${name}-${count}`
      }
      sections.set(anchor, (section = []))
    } else {
      // A name of the API can have several entry points.
      const [, entry] = /^```ts signature\nimport .* from "(.+)"/.exec(part) ?? []
      section.push(...(entry === undefined ? [] : [{ text: `${entry} ·`, isCode: false }]))
      section.push(...linesOf(part))
    }
  }
  return sections
}

/** The beginning of a string, up to a space. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/ \S*$/, "")} …`

/**
 * A section from the line on that has the most words, as HTML; from its beginning, if none has any. A line of code needs one more
 * than a sentence.
 */
export const excerptOf = (section: ReadonlyArray<Line>, words: RegExp): string => {
  const counts = section.map(({ isCode, text }) => {
    const { size } = new Set(text.toLowerCase().match(words))
    return size === 0 || isCode ? size : size + 1
  })
  const at = counts.indexOf(Math.max(...counts))
  const rest = section.slice(at).filter(({ isCode }) => isCode === section[at]?.isCode)
  const text = rest
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .replace(/ ·$/, "")
  const first = text.search(words)
  // Farther on, the word could be out of sight on a phone. What a row is about stays.
  const start = first > 90 ? text.lastIndexOf(" ", first - 30) : 0
  const [row = ""] = /^[^·]{1,40} · /.exec(text) ?? []
  const shown = `${start > 0 ? `${row}…` : ""}${shortened(text.slice(start), 250)}`
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}

const pages = new Map<string, Promise<Sections>>()

/** The sections of a page; none where it cannot be loaded, until the next search. */
const load = (path: string): Promise<Sections> => {
  const page =
    pages.get(path) ??
    fetch(`${path.replace(/\/$/, "/index")}.md`)
      .then((response) => (response.ok ? response.text() : Promise.reject(new Error(response.statusText))))
      .then(sectionsOf)
      .catch(() => {
        pages.delete(path)
        return new Map()
      })
  pages.set(path, page)
  return page
}

/** A name regardless of how languages spell it: `mediaType` is `media_type`. */
const spelled = (name: string): string => name.replaceAll("_", "").toLowerCase()

/** Where a result leads, and the lines there: the row that documents the name that a reader typed, or the section. */
const placeOf = async (
  id: string,
  typed: string
): Promise<{ readonly address: string; readonly lines: ReadonlyArray<Line> }> => {
  const [path = "", anchor = ""] = id.split("#")
  const section = (await load(path)).get(anchor) ?? []
  const wanted = spelled(`${anchor}-${typed.trim()}`)
  for (const line of section) {
    const row = rowAnchorOf(anchor, line.cell ?? "")
    if (row !== undefined && spelled(row) === wanted) {
      return { address: `${path}#${row}`, lines: [line] }
    }
  }
  return { address: id, lines: section }
}

/** Where a result leads. */
export const addressOf = async (id: string, typed: string): Promise<string> => (await placeOf(id, typed)).address

/** What a result shows, and where it leads. */
interface Shown {
  readonly text: string
  readonly address: string
}

/** What results show, by their addresses. Of the API, the search knows names only, so there it is the purpose. */
export const excerptsOf = async (
  results: ReadonlyArray<Result>,
  typed: string,
  patternOf: (words: ReadonlySet<string>) => RegExp
): Promise<Readonly<Record<string, Shown>>> =>
  Object.fromEntries(
    await Promise.all(
      results.map(async ({ id, match }) => {
        const inText = Object.keys(match).filter((word) => /text|code/.test(String(match[word])))
        const { address, lines } = await placeOf(id, typed)
        return [id, { text: excerptOf(lines, patternOf(new Set(inText))), address }] as const
      })
    )
  )
