/**
 * Outputs as text, one line for each record.
 */
import type { ListStatus, Row } from "./output.js"

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** The parts that there are. */
export const joined = (...parts: ReadonlyArray<string | false | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== false && part !== "").join(", ")

const counted = (count: number | undefined, what: string) => !!count && `${count} ${what}`

/** An item in one line: its id, title, and what tells it from others. */
export const rowOf = (item: Row): string => {
  const details = joined(
    item.media_type,
    item.start_date?.slice(0, 4),
    counted(item.num_episodes, "episodes"),
    counted(item.num_volumes, "volumes"),
    counted(item.num_chapters, "chapters"),
    item.status,
    item.mean !== undefined && `mean ${item.mean}`
  )
  return `${item.id}: ${oneLine(item.title)}${details && ` (${details})`}`
}

const valueOf = (value: unknown): string =>
  typeof value === "string" && /^\w*$/.test(value) ? value : JSON.stringify(value)

/** The members of a record that are set. */
export const membersOf = (record: object): string =>
  joined(...Object.entries(record).map(([name, value]) => value !== undefined && `${name}=${valueOf(value)}`))

/** A whole entry of a list, before or after a write. */
export const entryOf = (entry: ListStatus | undefined): string =>
  entry === undefined ? "not on the list" : membersOf(entry)

/** What an entry of a list says: no zeros, which stand for no score and no progress, and no `false`. */
export const briefly = (entry: ListStatus = {}): string =>
  membersOf(Object.fromEntries(Object.entries(entry).filter(([, value]) => !!value)))

const entities = new Map(Object.entries({ amp: "&", gt: ">", lt: "<", nbsp: " ", quot: '"', "#39": "'", "#039": "'" }))

/** The text of a post of the forum, which is BBCode with tags and entities of HTML, cut to a length. */
export const postOf = (html: string, most = 1000): string => {
  const text = oneLine(
    html.replaceAll(/<[^<>]*>/g, " ").replaceAll(/&(#0?39|\w+);/g, (whole, name: string) => entities.get(name) ?? whole)
  )
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
}

/** The parts of a text that there are, one a line. */
export const lines = (...texts: ReadonlyArray<string | false | undefined>): string =>
  texts.filter((text) => text !== undefined && text !== false && text !== "").join("\n")

/** Rows of one page, and how to go on. */
export const pageText =
  <A>(text: (row: A) => string) =>
  (page: { readonly rows: ReadonlyArray<A>; readonly more: boolean; readonly next_offset?: number }): string => {
    const { more, next_offset, rows } = page
    const there =
      next_offset === undefined ? "There is more." : `There is more: call again with "offset": ${next_offset}.`
    return lines(...rows.map(text), `${rows.length} shown. ${more ? there : "The list ends here."}`)
  }
