/**
 * Outputs as text, one line for each record. What users of the service wrote is in quotes, so that it cannot look like a
 * record or like what the server says.
 */
import type { ClientError } from "@catalog-client/core"
import type { ListStatus, Row } from "./output.js"

/** Text of the service in one line, without control and invisible characters, cut to a length. */
export const printable = (text: string, maxLength = 4000): string => {
  const line = text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu, "")
    .trim()
  // The end may be half of a surrogate pair.
  const cut = line.slice(0, maxLength).replace(/\p{Cs}$/u, "")
  return line.length > maxLength ? `${cut}… (${line.length - maxLength} more characters)` : line
}

/** The message of a client's error, without the query of its URL: the agent has not written it, and it can be long. */
export const errorText = (error: ClientError): string => {
  if (error._tag === "ClientRestError" && error.status === 404 && error.expected !== undefined) {
    return `${error.operation} failed: there is no such ${error.expected} (404).`
  }
  const url = "url" in error ? error.url : undefined
  return printable(url === undefined ? error.message : error.message.replace(url, () => url.replace(/[?].*/, "")))
}

type Parts = ReadonlyArray<string | false | undefined>

const presentIn = (parts: Parts) => parts.filter((part) => part !== undefined && part !== false && part !== "")

/** The parts that are present, in one line. */
export const joined = (...parts: Parts): string => presentIn(parts).join(", ")

/** The parts that are present, one a line. */
export const lines = (...parts: Parts): string => presentIn(parts).join("\n")

/** A word or a number unchanged, anything else in quotes. */
export const valueOf = (value: unknown): string =>
  typeof value === "string" && /^[\w:+-]{0,40}$/.test(value) ? value : JSON.stringify(value)

/** A text that people wrote, always in quotes. */
export const quoted = (text = ""): string => JSON.stringify(text)

const word = (text: string | undefined) => text && valueOf(text)

const counted = (count: number | undefined, what: string) => !!count && `${count} ${what}`

/** An item in one line: its id, title, and what distinguishes it. */
export const rowOf = (item: Row): string => {
  const details = joined(
    word(item.media_type),
    word(item.start_date?.slice(0, 4)),
    counted(item.num_episodes, "episodes"),
    counted(item.num_volumes, "volumes"),
    counted(item.num_chapters, "chapters"),
    word(item.status),
    item.mean !== undefined && `mean ${item.mean}`
  )
  return `${item.id}: ${quoted(item.title)}${details && ` (${details})`}`
}

/** The members of a record that are set. */
export const membersOf = (record: object): string =>
  joined(...Object.entries(record).map(([name, value]) => value !== undefined && `${name}=${valueOf(value)}`))

/** A whole entry of a list, before or after a write. */
export const entryOf = (entry: ListStatus | undefined): string =>
  entry === undefined ? "not on the list" : membersOf(entry)

/** An entry of a list in short: without zeros, which mean no score or no progress, and without `false`. */
export const briefly = (entry: ListStatus = {}): string =>
  membersOf(Object.fromEntries(Object.entries(entry).filter(([, value]) => !!value)))

const entities = new Map(Object.entries({ amp: "&", gt: ">", lt: "<", nbsp: " ", quot: '"', "#39": "'", "#039": "'" }))

/** The text of a post of the forum, which is BBCode with tags and entities of HTML, cut to a length. */
export const postOf = (html: string): string =>
  printable(
    html
      .replaceAll(/<[^<>]*>/g, " ")
      .replaceAll(/&(#0?39|\w+);/g, (whole, name: string) => entities.get(name) ?? whole),
    1000
  )

/** The rows of one page, and how to continue. */
export const pageText =
  <A>(text: (row: A) => string) =>
  (page: { readonly rows: ReadonlyArray<A>; readonly more: boolean; readonly next_offset?: number }): string => {
    const { more, next_offset, rows } = page
    const there =
      next_offset === undefined ? "There is more." : `There is more: call again with "offset": ${next_offset}.`
    return lines(...rows.map(text), `${rows.length} shown. ${more ? there : "The list ends here."}`)
  }
