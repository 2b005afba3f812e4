/** The members of a list entry: what the service takes of each, and how the rule `forward` joins two values of it. */

/** Which of the two lists of a user. */
export type Kind = "anime" | "manga"

/** What an entry says about its title, by the names of replies. All are optional; a member that is absent stays as it is. */
export interface EntryMembers {
  /** `watching` or `reading`, `completed`, `on_hold`, `dropped`, `plan_to_watch` or `plan_to_read`. */
  readonly status?: string | undefined
  /** Of an anime. */
  readonly num_episodes_watched?: number | undefined
  /** Of a manga. */
  readonly num_chapters_read?: number | undefined
  /** Of a manga. */
  readonly num_volumes_read?: number | undefined
  /** 0 to 10; 0 is no score. It is rounded, and below 1 it is 1. */
  readonly score?: number | undefined
  /** `2019-04-12`, `2019-04` or `2019`; `""` and `0000-00-00` are no date. */
  readonly start_date?: string | undefined
  /** As `start_date`. */
  readonly finish_date?: string | undefined
  /** The user's notes. */
  readonly comments?: string | undefined
  /** Of an anime. */
  readonly is_rewatching?: boolean | undefined
  /** Of a manga. */
  readonly is_rereading?: boolean | undefined
  /** Of an anime. */
  readonly num_times_rewatched?: number | undefined
  /** Of a manga. */
  readonly num_times_reread?: number | undefined
  /** Of an anime: 0 to 5. */
  readonly rewatch_value?: number | undefined
  /** Of a manga: 0 to 5. */
  readonly reread_value?: number | undefined
  /** 0 low, 1 medium, 2 high. */
  readonly priority?: number | undefined
  /** A tag with a comma is two tags. */
  readonly tags?: ReadonlyArray<string> | undefined
}

export type MemberName = keyof EntryMembers
export type MemberValue = string | number | boolean | ReadonlyArray<string>
/** The members of one entry, as the service would store them. */
export type StoredMembers = { readonly [K in MemberName]?: MemberValue }

/** How a member is read and joined. */
interface MemberRules {
  /** What the service takes, for messages. */
  readonly takes: string
  /** The value as the service stores it, or `undefined` if it takes no such value. */
  readonly read: (value: unknown) => MemberValue | undefined
  /** The value that means nothing was entered. */
  readonly empty: MemberValue
  /** What `forward` makes of two values: the more that is known. The members of a position have none: it is joined as a whole. */
  readonly join?: (current: MemberValue, wanted: MemberValue) => MemberValue
}

const whole = (most: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined

/** A number that `forward` takes unless it is 0. */
const upTo = (most: number): MemberRules => ({
  takes: `0 to ${most}`,
  read: whole(most),
  empty: 0,
  join: (current, wanted) => wanted || current
})

const count: MemberRules = { takes: "a whole number", read: whole(Number.MAX_SAFE_INTEGER), empty: 0 }
const flag: MemberRules = {
  takes: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
  empty: false
}

const score: MemberRules = {
  ...upTo(10),
  takes: "a score of 0 to 10",
  // Rounds half up. A score below 1 becomes 1, because 0 means no score.
  read: (value) =>
    typeof value === "number" && value >= 0 && value <= 10
      ? Math.max(Math.round(value), Math.min(1, Math.ceil(value)))
      : undefined
}

/** A day, a month or a year. */
const day = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/

const date: MemberRules = {
  takes: "a date such as 2026-04-03",
  read: (value) => {
    if (typeof value !== "string") {
      return undefined
    }
    const date = value.replace(/^0000.*/, "").replace(/(-00)+$/, "")
    return date === "" || day.test(date) ? date : undefined
  },
  empty: "",
  // Of two dates that agree, the more exact one is kept.
  join: (current, wanted) => (String(current).startsWith(String(wanted)) ? current : wanted)
}

const comments: MemberRules = {
  takes: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
  empty: "",
  join: (current, wanted) => wanted || current
}

const asTags = (value: MemberValue): ReadonlyArray<string> => (Array.isArray(value) ? value : [])

const tags: MemberRules = {
  takes: "an array of strings",
  read: (value) =>
    Array.isArray(value) && value.every((tag) => typeof tag === "string")
      ? value
          .flatMap((tag) => tag.split(","))
          .map((tag) => tag.trim())
          .filter((tag) => tag !== "")
      : undefined,
  empty: [],
  join: (current, wanted) => [...new Set([...asTags(current), ...asTags(wanted)])]
}

/** One of the two lists: its members, and which of them are the user's position. */
export interface ListRules {
  readonly members: { readonly [K in MemberName]?: MemberRules }
  readonly statuses: { readonly [K in "begun" | "completed" | "paused" | "dropped" | "planned"]: string }
  /** Each with the member of a title that has the total. */
  readonly progress: ReadonlyArray<readonly [name: MemberName, total: "num_episodes" | "num_chapters" | "num_volumes"]>
  /** Whether the user is watching or reading it again. */
  readonly repeatFlag: MemberName
  /** How often the user has done so. */
  readonly repeatCount: MemberName
}

const defineList = (
  [begun, planned]: readonly [string, string],
  progress: ListRules["progress"],
  repeatFlag: MemberName,
  repeatCount: MemberName,
  repeatValue: MemberName
): ListRules => {
  const statuses = { begun, completed: "completed", paused: "on_hold", dropped: "dropped", planned }
  const words = Object.values(statuses)
  const status: MemberRules = {
    takes: words.join(", "),
    read: (value) => words.find((word) => word === value),
    empty: planned
  }
  return {
    members: {
      status,
      ...Object.fromEntries(progress.map(([name]) => [name, count])),
      score,
      start_date: date,
      finish_date: date,
      comments,
      [repeatFlag]: flag,
      [repeatCount]: count,
      [repeatValue]: upTo(5),
      priority: upTo(2),
      tags
    },
    statuses,
    progress,
    repeatFlag,
    repeatCount
  }
}

export const lists: { readonly [K in Kind]: ListRules } = {
  anime: defineList(
    ["watching", "plan_to_watch"],
    [["num_episodes_watched", "num_episodes"]],
    "is_rewatching",
    "num_times_rewatched",
    "rewatch_value"
  ),
  manga: defineList(
    ["reading", "plan_to_read"],
    [
      ["num_chapters_read", "num_chapters"],
      ["num_volumes_read", "num_volumes"]
    ],
    "is_rereading",
    "num_times_reread",
    "reread_value"
  )
}

/** Throws a `TypeError` for an unknown kind, which would be treated as manga otherwise. */
export const checkKind = (calledAs: string, kind: Kind): void => {
  if (!Object.hasOwn(lists, kind)) {
    throw new TypeError(`${calledAs}: kind must be "anime" or "manga", but it is ${JSON.stringify(kind)}`)
  }
}

export const namesIn = (values: object): ReadonlyArray<MemberName> => Object.keys(values) as ReadonlyArray<MemberName>

/** Some members of an entry. */
export const pick = (values: StoredMembers, isPicked: (name: MemberName) => boolean): StoredMembers =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name as MemberName)))

/** The members as the service has them; a member that the entry lacks is empty. */
export const asStored = ({ members }: ListRules, entry: EntryMembers): Required<StoredMembers> =>
  Object.fromEntries(
    Object.entries(members).map(([name, { empty, read }]) => {
      const value = entry[name as MemberName]
      return [name, read(value) ?? value ?? empty]
    })
  ) as Required<StoredMembers>

/** A value for comparison. Tags are compared as a set: the service keeps doubles, and their order means nothing. */
const canonical = (value: MemberValue | undefined): string =>
  JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort((one, other) => (one < other ? -1 : 1)) : value)

export const isSame = (one: MemberValue | undefined, other: MemberValue | undefined): boolean =>
  canonical(one) === canonical(other)

/** How far a status is: planned, then begun, paused or dropped, then completed. */
const rankOf = ({ statuses }: ListRules, status: MemberValue | undefined): number =>
  status === statuses.completed ? 2 : status === statuses.planned ? 0 : 1

/** How often the user has begun or ended the title again. */
const countRepeats = ({ repeatCount, repeatFlag }: ListRules, values: StoredMembers): number =>
  2 * Number(values[repeatCount]) + Number(values[repeatFlag])

/** What `forward` takes of a wanted entry: nothing that makes less of the current one. */
export const forward = (list: ListRules, current: StoredMembers, wanted: StoredMembers): StoredMembers => {
  const { members, progress } = list
  const joined = Object.entries(wanted).flatMap(([name, value]) => {
    const join = members[name as MemberName]?.join
    return join === undefined ? [] : [[name, join(current[name as MemberName] ?? value, value)] as const]
  })
  const isOfPosition = (name: MemberName) => members[name]?.join === undefined
  const repeats = countRepeats(list, { ...current, ...wanted }) - countRepeats(list, current)
  if (repeats !== 0) {
    // The wanted entry is of a later round, which has a position of its own, or of an earlier one, which is over.
    return { ...Object.fromEntries(joined), ...(repeats > 0 && pick(wanted, isOfPosition)) }
  }
  const further = progress.filter(([name]) => Number(wanted[name] ?? 0) > Number(current[name])).map(([name]) => name)
  const advance = rankOf(list, wanted["status"]) - rankOf(list, current["status"])
  const takesStatus = wanted["status"] !== undefined && (advance > 0 || (advance === 0 && further.length > 0))
  return {
    ...Object.fromEntries(joined),
    ...pick(wanted, (name) => further.includes(name) || (name === "status" && takesStatus))
  }
}
