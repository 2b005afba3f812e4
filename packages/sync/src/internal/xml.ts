/** Reads the file that the service exports and imports lists as. Other services write it, too. */
import type { Wanted } from "../plan.js"
import type { Kind } from "./members.js"

const characters = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"]
])

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (all, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : (characters.get(name) ?? all)
  })

/**
 * The elements of each entry, in one pass: nothing is looked at twice, and no entity is expanded but the five of XML, so a
 * hostile file takes no longer than its length.
 */
const entriesIn = function* (xml: string): Generator<readonly [element: string, values: ReadonlyMap<string, string>]> {
  let values = new Map<string, string>()
  let text = ""
  let isOpen = false
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf("<", at)
    text += unescaped(xml.slice(at, open < 0 ? undefined : open))
    if (open < 0) {
      break
    }
    const [end, isText] = xml.startsWith("<![CDATA[", open)
      ? (["]]>", true] as const)
      : [xml.startsWith("<!--", open) ? "-->" : ">", false]
    const close = xml.indexOf(end, open)
    if (close < 0) {
      break
    }
    const tag = xml.slice(open + 1, close)
    at = close + end.length
    if (isText) {
      text += tag.slice("![CDATA[".length)
    } else if (tag.startsWith("/")) {
      const name = tag.slice(1).trim()
      isOpen &&= name !== "myanimelist"
      if (name === "anime" || name === "manga" || name === "myinfo") {
        yield [name, values]
        values = new Map()
      } else {
        values.set(name, text)
      }
      text = ""
    } else if (!tag.startsWith("!--")) {
      isOpen ||= /^myanimelist(\s[^/]*)?$/.test(tag)
      text = ""
    }
  }
  // A file that is cut off is refused: with `remove`, the plan would remove the titles that it lacks.
  if (isOpen) {
    throw new SyntaxError("fromXml: the file is cut off: its element myanimelist does not end")
  }
}

/** Where an export differs between the two kinds. */
const names = {
  anime: {
    id: "series_animedb_id",
    title: "series_title",
    totals: { num_episodes: "series_episodes" },
    counts: {
      num_episodes_watched: "my_watched_episodes",
      num_times_rewatched: "my_times_watched",
      rewatch_value: "my_rewatch_value"
    },
    repeatFlag: ["is_rewatching", "my_rewatching"]
  },
  manga: {
    id: "manga_mangadb_id",
    title: "manga_title",
    totals: { num_chapters: "manga_chapters", num_volumes: "manga_volumes" },
    counts: {
      num_chapters_read: "my_read_chapters",
      num_volumes_read: "my_read_volumes",
      num_times_reread: "my_times_read",
      reread_value: "my_reread_value"
    },
    repeatFlag: ["is_rereading", "my_rereading"]
  }
} as const

const priorities = ["LOW", "MEDIUM", "HIGH"]

const wantedOf = (kind: Kind, values: ReadonlyMap<string, string>): Wanted => {
  const { counts, id, repeatFlag, title, totals } = names[kind]
  const textOf = (name: string): string | undefined => values.get(name)?.trim() || undefined
  const numberOf = (name: string): number | undefined => {
    const text = textOf(name)
    return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
  }
  /** The members as numbers. A value that is no number stays a string, and becomes a problem of the plan. */
  const numbersOf = (members: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(members).map(([name, element]) => [name, numberOf(element) ?? textOf(element)]))
  const priority = priorities.indexOf(textOf("my_priority")?.toUpperCase() ?? "")
  const repeated = textOf(repeatFlag[1])
  return withKnownMembers({
    id: numberOf(id) || undefined,
    title: textOf(title),
    ...numbersOf(totals),
    ...numbersOf({ ...counts, score: "my_score" }),
    status: textOf("my_status")?.toLowerCase().replaceAll(/[\s-]/g, "_"),
    start_date: textOf("my_start_date"),
    finish_date: textOf("my_finish_date"),
    comments: values.get("my_comments"),
    tags: values.get("my_tags")?.split(","),
    priority: priority < 0 ? undefined : priority,
    [repeatFlag[0]]: repeated === undefined ? undefined : /^(1|yes|true)$/i.test(repeated)
  })
}

/** The count in an export that means "unknown". */
const unknownCount = 255

const withKnownMembers = (wanted: Wanted): Wanted => {
  const { id, ...members } = wanted
  return {
    id,
    ...Object.fromEntries(
      Object.entries(members).filter(
        ([name, value]) => value !== undefined && !(name.startsWith("num_times_") && value === unknownCount)
      )
    )
  }
}

/** What `fromXml` reads. */
export interface Export {
  readonly kind: Kind
  readonly wanted: ReadonlyArray<Wanted>
}

/** Throws a `SyntaxError` if the string is no such file, or only its beginning. */
export const readXml = (text: string): Export => {
  const wanted: Array<Wanted> = []
  let kind: Kind | undefined
  for (const [element, values] of entriesIn(text)) {
    if (element !== "anime" && element !== "manga") {
      kind ??= values.get("user_export_type")?.trim() === "2" ? "manga" : "anime"
      continue
    }
    kind ??= element
    if (element !== kind) {
      throw new SyntaxError(`fromXml: the file says that it is a list of ${kind}, but it has an element ${element}`)
    }
    wanted.push(wantedOf(element, values))
  }
  if (kind === undefined) {
    throw new SyntaxError("fromXml: this is not the export of a list: it has no element anime, manga or myinfo")
  }
  return { kind, wanted }
}
