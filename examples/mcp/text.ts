/**
 * Records as short texts, since an agent pays for each word that it reads.
 */

/** What both kinds of item have, as the selectors of the tools leave them. */
interface Row {
  readonly id: number
  readonly title: string
  readonly mean?: number | undefined
  readonly media_type?: string | undefined
  readonly num_chapters?: number | undefined
  readonly num_episodes?: number | undefined
  readonly num_volumes?: number | undefined
  readonly start_date?: string | undefined
  readonly status?: string | undefined
}

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
export const entryOf = (entry: object | undefined): string =>
  entry === undefined ? "not on the list" : membersOf({ ...entry, updated_at: undefined })

/** What an entry of a list says: no zeros, which stand for no score and no progress, and no `false`. */
export const briefly = (entry: object = {}): string =>
  membersOf(Object.fromEntries(Object.entries(entry).filter(([name, value]) => !!value && name !== "updated_at")))

const entities = new Map(Object.entries({ amp: "&", gt: ">", lt: "<", nbsp: " ", quot: '"', "#39": "'" }))

/** The text of a post of the forum, which is HTML, cut to a length. */
export const postOf = (html: string, most = 1000): string => {
  const text = oneLine(
    html.replaceAll(/<[^<>]*>/g, " ").replaceAll(/&(#39|\w+);/g, (whole, name: string) => entities.get(name) ?? whole)
  )
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text
}

/** Rows of one page, and how to go on. */
export const pageOf = (rows: ReadonlyArray<string>, { next }: { readonly next?: string | undefined } = {}): string => {
  const offset = next !== undefined && URL.canParse(next) ? new URL(next).searchParams.get("offset") : null
  const more = offset === null ? "There is more." : `There is more: call again with "offset": ${offset}.`
  return [...rows, `${rows.length} shown. ${next === undefined ? "The list ends here." : more}`].join("\n")
}
