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

export type Name = keyof EntryMembers
export type Value = string | number | boolean | ReadonlyArray<string>
/** The members of one entry, as the service would store them. */
export type Values = { readonly [K in Name]?: Value }

export interface Member {
  /** What the service takes, for messages. */
  readonly takes: string
  /** The value as the service stores it, or `undefined` if it takes no such value. */
  readonly read: (value: unknown) => Value | undefined
  /** The value of an entry that says nothing. */
  readonly empty: Value
  /** What `forward` makes of two values: the more that is known. Those without one say how far the user is. */
  readonly join?: (current: Value, wanted: Value) => Value
}

const whole = (most: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined

/** A number that `forward` takes unless it is 0. */
const upTo = (most: number): Member => ({
  takes: `0 to ${most}`,
  read: whole(most),
  empty: 0,
  join: (current, wanted) => wanted || current
})

const count: Member = { takes: "a whole number", read: whole(Number.MAX_SAFE_INTEGER), empty: 0 }
const flag: Member = {
  takes: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
  empty: false
}

const score: Member = {
  ...upTo(10),
  takes: "a score of 0 to 10",
  // Half up; a low score is not none.
  read: (value) =>
    typeof value === "number" && value >= 0 && value <= 10
      ? Math.max(Math.round(value), Math.min(1, Math.ceil(value)))
      : undefined
}

/** A day, a month or a year. */
const day = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/

const date: Member = {
  takes: "a date such as 2026-04-03",
  read: (value) => {
    if (typeof value !== "string") {
      return undefined
    }
    const known = value.replace(/^0000.*/, "").replace(/(-00)+$/, "")
    return known === "" || day.test(known) ? known : undefined
  },
  empty: "",
  // A part of the date that is known already says less.
  join: (current, wanted) => (String(current).startsWith(String(wanted)) ? current : wanted)
}

const comments: Member = {
  takes: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
  empty: "",
  join: (current, wanted) => wanted || current
}

const asTags = (value: Value): ReadonlyArray<string> => (Array.isArray(value) ? value : [])

const tags: Member = {
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

/** One of the two lists: its members, and which of them say how far the user is. */
export interface List {
  readonly members: { readonly [K in Name]?: Member }
  readonly statuses: { readonly [K in "begun" | "completed" | "paused" | "dropped" | "planned"]: string }
  /** Each with the member of a title that has the total. */
  readonly progress: ReadonlyArray<readonly [name: Name, total: "num_episodes" | "num_chapters" | "num_volumes"]>
  /** Whether the user is watching or reading it again. */
  readonly repeatFlag: Name
  /** How often the user has done so. */
  readonly repeatCount: Name
}

const listOf = (
  [begun, planned]: readonly [string, string],
  progress: List["progress"],
  repeatFlag: Name,
  repeatCount: Name,
  repeatValue: Name
): List => {
  const statuses = { begun, completed: "completed", paused: "on_hold", dropped: "dropped", planned }
  const words = Object.values(statuses)
  const status: Member = {
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

export const lists: { readonly [K in Kind]: List } = {
  anime: listOf(
    ["watching", "plan_to_watch"],
    [["num_episodes_watched", "num_episodes"]],
    "is_rewatching",
    "num_times_rewatched",
    "rewatch_value"
  ),
  manga: listOf(
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

/** Otherwise what asks for `kind === "anime"` would treat a typo as a manga. */
export const checkKind = (calledAs: string, kind: Kind): void => {
  if (!Object.hasOwn(lists, kind)) {
    throw new TypeError(`${calledAs}: kind must be "anime" or "manga", but it is ${JSON.stringify(kind)}`)
  }
}

export const namesIn = (values: object): ReadonlyArray<Name> => Object.keys(values) as ReadonlyArray<Name>

/** Some members of an entry. */
export const pick = (values: Values, isPicked: (name: Name) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name as Name)))

/** The members as the service has them; a member that the entry lacks is empty. */
export const valuesOf = ({ members }: List, entry: EntryMembers): Required<Values> =>
  Object.fromEntries(
    Object.entries(members).map(([name, { empty, read }]) => {
      const value = entry[name as Name]
      return [name, read(value) ?? value ?? empty]
    })
  ) as Required<Values>

/** Tags are a set: the service keeps doubles, and their order says nothing. */
const canonical = (value: Value | undefined): string =>
  JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort((one, other) => (one < other ? -1 : 1)) : value)

export const isSame = (one: Value | undefined, other: Value | undefined): boolean => canonical(one) === canonical(other)

/** How far a status is: planned, then begun, paused or dropped, then completed. */
const rank = ({ statuses }: List, status: Value | undefined): number =>
  status === statuses.completed ? 2 : status === statuses.planned ? 0 : 1

/** How often the user has begun or ended the title again. */
const round = ({ repeatCount, repeatFlag }: List, values: Values): number =>
  2 * Number(values[repeatCount]) + Number(values[repeatFlag])

/** What `forward` takes of a wanted entry: nothing that makes less of the current one. */
export const forward = (list: List, current: Values, wanted: Values): Values => {
  const { members, progress } = list
  const joined = Object.entries(wanted).flatMap(([name, value]) => {
    const join = members[name as Name]?.join
    return join === undefined ? [] : [[name, join(current[name as Name] ?? value, value)] as const]
  })
  const isOfProgress = (name: Name) => members[name]?.join === undefined
  const difference = round(list, { ...current, ...wanted }) - round(list, current)
  if (difference !== 0) {
    // A new round begins at 0; an older one is over.
    return { ...Object.fromEntries(joined), ...(difference > 0 && pick(wanted, isOfProgress)) }
  }
  const further = progress.filter(([name]) => Number(wanted[name] ?? 0) > Number(current[name])).map(([name]) => name)
  const advance = rank(list, wanted["status"]) - rank(list, current["status"])
  const takesStatus = wanted["status"] !== undefined && (advance > 0 || (advance === 0 && further.length > 0))
  return {
    ...Object.fromEntries(joined),
    ...pick(wanted, (name) => further.includes(name) || (name === "status" && takesStatus))
  }
}
